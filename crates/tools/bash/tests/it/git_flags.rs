//! Git commands put together at random from the flags that git itself lists: those that pass for reading are run, and change no
//! file and start none of the programs that a repository or a person has configured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, json};
use toolwright_core::{Authority, Cancel, DynTool, Environment, Registry, Services, ToolContext, Verdict};
use toolwright_testkit::TempWorkspace;
use toolwright_tool_bash::REGISTRATION;

use crate::repositories::files;
use crate::session::{Session, variables};

/// Commands made by chance without a number in `TOOLWRIGHT_GIT_COMMANDS`.
const COMMANDS: u64 = 1_000;
/// Run by one bash.
const AT_ONCE: usize = 40;

const NAMES: [&str; 39] = [
    "annotate",
    "archive",
    "blame",
    "branch",
    "cat-file",
    "check-attr",
    "check-ignore",
    "cherry",
    "config",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "for-each-ref",
    "format-patch",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "name-rev",
    "notes",
    "range-diff",
    "reflog",
    "remote",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "stash list",
    "stash show",
    "status",
    "symbolic-ref",
    "tag",
    "whatchanged",
    "worktree list",
];

/// Flags of what shows changes, which `-h` of `log` and `show` does not list, and some that must not pass.
const MORE: [&str; 72] = [
    "-p",
    "-u",
    "-m",
    "-c",
    "--cc",
    "-s",
    "-R",
    "-z",
    "-w",
    "-W",
    "-a",
    "-g",
    "-q",
    "-v",
    "-l",
    "-n",
    "-r",
    "-t",
    "-5",
    "-U",
    "-U3",
    "-M",
    "-C",
    "-B",
    "-D",
    "-S",
    "-G",
    "-I",
    "-L",
    "-O",
    "-X",
    "-E",
    "-F",
    "-i",
    "--stat",
    "--patch",
    "--raw",
    "--word-diff",
    "--color-words",
    "--check",
    "--summary",
    "--dirstat",
    "--follow",
    "--graph",
    "--all",
    "--oneline",
    "--format",
    "--pretty",
    "--date",
    "--since",
    "--author",
    "--grep",
    "--decorate",
    "--relative",
    "--diff-merges",
    "--remerge-diff",
    "--textconv",
    "--ext-diff",
    "--output",
    "--no-index",
    "--show-signature",
    "--submodule",
    "--notes",
    "--reverse",
    "--sort",
    "--contains",
    "--merged",
    "--list",
    "--stdin",
    "--quiet",
    "--abbrev",
    "--name-only",
];

const WORDS: [&str; 26] = [
    "HEAD",
    "main",
    "o",
    "HEAD~1",
    "main..o",
    "HEAD:a",
    ":a",
    ":0:a",
    "a",
    "sub",
    "sub/b",
    "*.x",
    ":(top)a",
    ":!a",
    "--",
    "-",
    "pwned",
    "x",
    "1",
    "%G?",
    "%h",
    "signature",
    "user.name",
    "remerge",
    "on",
    "HEAD^{tree}",
];

/// Numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    fn one<'a>(&mut self, of: &'a [String]) -> &'a str {
        let index = self.below(of.len());
        of.get(index).map_or("", String::as_str)
    }
}

#[expect(clippy::disallowed_methods, reason = "how long to look is said by whoever starts the test")]
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What `git NAME -h` lists, each `[no-]` with and without.
async fn listed(name: &str, session: &mut Session) -> Vec<String> {
    let name = name.split(' ').next().unwrap_or_default();
    let text = session.call(json!({"command": format!("git {name} -h 2>&1")})).await.text;
    let ends = |character: char| character.is_whitespace() || "|,()".contains(character);
    let mut flags: Vec<String> = text
        .split(ends)
        .map(|word| word.trim_start_matches('['))
        .filter(|word| word.starts_with('-') && word.len() > 1)
        .flat_map(|word| {
            let plain = word.replace("[no-]", "");
            let name = plain.split(['=', '[', '<', ']']).next().unwrap_or_default().to_owned();
            let negated = word.contains("[no-]").then(|| name.replacen("--", "--no-", 1));
            [Some(name), negated]
        })
        .flatten()
        .collect();
    flags.sort();
    flags.dedup();
    flags
}

/// Every flag of every command once, with the name of a file for a value.
fn each_flag(flags: &[Vec<String>]) -> impl Iterator<Item = String> {
    NAMES.iter().zip(flags).flat_map(|(name, flags)| {
        let all = flags.iter().map(String::as_str).chain(MORE);
        all.map(move |flag| match flag.starts_with("--") {
            true => format!("git {name} '{flag}=pwned' HEAD"),
            false => format!("git {name} '{flag}' pwned HEAD"),
        })
    })
}

fn command(chance: &mut Chance, name: &str, flags: &[String]) -> String {
    let words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
    let more: Vec<String> = MORE.iter().map(|flag| (*flag).to_owned()).collect();
    let mut text = format!("git {name}");
    for _ in 0..chance.below(4) {
        let flag = match chance.below(3) {
            0 => chance.one(&more),
            _ => chance.one(flags),
        };
        let value = chance.one(&words).to_owned();
        match chance.below(5) {
            0 if flag.starts_with("--") => text += &format!(" '{flag}={value}'"),
            0 => text += &format!(" '{flag}{value}'"),
            1 => text += &format!(" '{flag}' '{value}'"),
            2 if !flag.starts_with("--") => {
                let other = chance.one(flags).trim_start_matches('-').to_owned();
                text += &format!(" '{flag}{}'", other.get(..1).unwrap_or_default());
            }
            _ => text += &format!(" '{flag}'"),
        }
    }
    for _ in 0..chance.below(4) {
        text += &format!(" '{}'", chance.one(&words));
    }
    text
}

#[tokio::test]
async fn commands_that_pass_for_reading_change_and_start_nothing() {
    let workspace = TempWorkspace::new();
    let top = workspace.join("repo");
    workspace.create_folder("repo");
    workspace.write("evil", "#!/bin/sh\n: > \"$(dirname \"$0\")/pwned\"\ncat\n");
    let evil = workspace.join("evil");
    std::fs::set_permissions(&evil, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap();
    workspace.write(
        "home/.gitconfig",
        format!("[gpg]\nprogram = {evil}\n[core]\npager = {evil}\neditor = {evil}\n"),
    );
    let mut given = variables();
    given.insert("HOME".into(), workspace.join("home").to_str().unwrap().into());
    let mut session = Session::new(&top, given.clone());
    session.authority = Authority::Person;
    let setup = "set -e; export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e\n\
         git init -q -b main .; echo a > a; mkdir sub; echo b > sub/b; echo '* merge=x' > .gitattributes; git add .\n\
         git commit -q -m c; git checkout -q -b o; echo b > a; git commit -q -a -m b; git checkout -q main; echo c > a\n\
         git commit -q -a -m d; git merge -q o >/dev/null 2>&1 || echo e > a; git commit -q -a -m m\n\
         c=$(git cat-file commit HEAD | sed 's/^committer.*/&\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n x\\n -----END PGP SIGNATURE-----/' \
         | git hash-object -t commit -w --stdin); git reset -q --soft $c; git tag -m t t\n\
         echo s > a; git stash -q; echo f > a; echo g > g; git add g; echo h > h; touch -d 2001-01-01 sub/b\n";
    let rigged = format!(
        "git config merge.x.driver {evil}; git config log.diffMerges remerge; git config log.showSignature true\n\
         git config core.fsmonitor {evil}; git config alias.log '!{evil}'; git config pager.log {evil}\n\
         mkdir k; cp {evil} k/post-index-change; cp {evil} k/reference-transaction; git config core.hooksPath k"
    );
    let made = session.call(json!({"command": format!("{setup}{rigged}")})).await;
    assert!(!made.is_error, "{}", made.text);
    let _ = std::fs::remove_file(workspace.join("k/pwned"));
    let _ = std::fs::remove_file(workspace.join("pwned"));
    let _ = std::fs::remove_file(top.join("k/pwned"));

    let environment = Environment::new(given, Map::new());
    let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(environment.into()));
    let mut flags = Vec::new();
    for name in NAMES {
        flags.push(listed(name, &mut session).await);
    }
    let wanted = usize::try_from(setting("TOOLWRIGHT_GIT_COMMANDS", COMMANDS)).unwrap();
    let mut chance = Chance(setting("TOOLWRIGHT_GIT_SEED", 0x9e37_79b9_7f4a_7c15));
    let before = files(workspace.path());
    let mut passed = Vec::new();
    let mut count = 0;
    let commands = each_flag(&flags).chain((0..wanted).map(|_| {
        let at = chance.below(NAMES.len());
        command(&mut chance, NAMES[at], &flags[at])
    }));
    for text in commands {
        if passes(&built.tools[0], &top, &text).await {
            passed.push(text);
            count += 1;
        }
        if passed.len() == AT_ONCE {
            run(&mut session, &workspace, &before, &std::mem::take(&mut passed)).await;
        }
    }
    run(&mut session, &workspace, &before, &passed).await;
    assert!(count > wanted / 20, "only {count} passed");
}

async fn passes(tool: &Arc<dyn DynTool>, top: &Path, text: &str) -> bool {
    let call = Arc::clone(tool).parse(json!({"command": text})).unwrap();
    let cx = ToolContext::new("call", "main", top, Cancel::default(), |_| {});
    call.validate(&cx).await.unwrap();
    call.effects().is_read_only() && call.check(&cx).await == Verdict::Defer
}

async fn run(
    session: &mut Session,
    workspace: &TempWorkspace,
    before: &BTreeMap<PathBuf, Vec<u8>>,
    commands: &[String],
) {
    session.authority = Authority::Analysis;
    session.call(json!({"command": commands.join("; ")})).await;
    if files(workspace.path()) == *before {
        return;
    }
    let changed = |now: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<_> {
        now.iter()
            .filter(|(path, bytes)| before.get(*path) != Some(bytes))
            .map(|(path, _)| path.clone())
            .collect()
    };
    let all = changed(&files(workspace.path()));
    // Which of them it was: each once more, after what it may have made is gone.
    for command in commands {
        all.iter().filter(|path| !before.contains_key(*path)).for_each(|path| _ = std::fs::remove_file(path));
        session.call(json!({"command": command})).await;
        let found = changed(&files(workspace.path()));
        assert!(found.is_empty(), "{command} changed {found:?}");
    }
    assert!(all.is_empty(), "one of these changed {all:?}:\n{}", commands.join("\n"));
}
