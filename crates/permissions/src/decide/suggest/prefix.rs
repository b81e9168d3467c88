//! Which beginning of a command stands for the next one like it.

/// Programs that run what they are given, so that a rule for their prefix is a rule for anything.
#[rustfmt::skip]
const RUN_ANYTHING: [&str; 58] = [
    "bash", "sh", "zsh", "fish", "dash", "ksh", "csh", "tcsh", "pwsh", "powershell", "cmd", "env", "sudo", "doas", "su", "xargs",
    "find", "parallel", "watch", "script", "setsid", "unshare", "chroot", "strace", "gdb", "expect", "ssh", "eval", "exec",
    "source", ".", "command", "builtin", "trap", "awk", "gawk", "mawk", "sed", "vim", "vi", "ex", "ed", "emacs", "nvim", "osascript",
    "python", "python2", "python3", "pypy3", "node", "deno", "bun", "perl", "ruby", "php", "lua", "Rscript", "tclsh",
];

/// Those of them that run a script of a file.
#[rustfmt::skip]
const INTERPRETERS: [&str; 19] = [
    "bash", "sh", "zsh", "fish", "dash", "ksh", "python", "python2", "python3", "pypy3", "node", "bun", "perl", "ruby", "php", "lua",
    "Rscript", "tclsh", "pwsh",
];

/// Programs of many uses: the word behind the name says which.
#[rustfmt::skip]
const OF_MANY_USES: [&str; 66] = [
    "git", "hg", "svn", "jj", "gh", "glab", "cargo", "rustup", "go", "npm", "pnpm", "yarn", "npx", "corepack", "pip", "pip3", "pipx",
    "uv", "uvx", "poetry", "pdm", "hatch", "conda", "bundle", "gem", "rails", "composer", "dotnet", "nuget", "mix", "swift", "flutter",
    "dart", "zig", "stack", "cabal", "opam", "nix", "terraform", "tofu", "pulumi", "helm", "kubectl", "docker", "podman", "aws", "az",
    "gcloud", "heroku", "vercel", "netlify", "fly", "wrangler", "firebase", "supabase", "systemctl", "brew", "apt", "apt-get", "dnf",
    "snap", "ruff", "turbo", "nx", "lerna", "bazel",
];

/// Of which two words say so: a program, and the word for which that is, or any.
#[rustfmt::skip]
const IN_TWO_WORDS: [(&str, &[&str]); 21] = [
    ("git", &["remote", "stash", "submodule", "worktree", "config", "notes", "bisect", "lfs", "bundle", "sparse-checkout"]),
    ("gh", &[]), ("glab", &[]), ("aws", &[]), ("az", &[]), ("gcloud", &[]), ("flutter", &["pub"]),
    ("docker", &["compose", "image", "container", "network", "volume", "system", "buildx", "context"]),
    ("podman", &["compose", "image", "container", "network", "volume", "system", "machine"]),
    ("kubectl", &["config", "rollout", "auth"]), ("helm", &["repo"]), ("npm", &["run", "run-script", "exec", "config", "cache"]),
    ("pnpm", &["run", "exec", "dlx"]), ("yarn", &["run", "workspace", "dlx"]), ("uv", &["run", "pip", "tool"]),
    ("poetry", &["run"]), ("pdm", &["run"]), ("hatch", &["run"]), ("bundle", &["exec"]), ("go", &["mod", "tool", "work"]),
    ("terraform", &["state", "workspace"]),
];

/// Uses that run what they are given.
#[rustfmt::skip]
const USES_THAT_RUN: [(&str, &[&str]); 8] = [
    ("docker", &["run", "exec", "container", "compose"]), ("podman", &["run", "exec", "container", "compose"]),
    ("kubectl", &["run", "exec", "debug"]), ("git", &["bisect", "submodule"]), ("npm", &["exec"]), ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx"]), ("cargo", &["run"]),
];

/// Programs whose first word is a file, a host or a name, and says nothing of what they do.
#[rustfmt::skip]
const OF_ONE_USE: [&str; 52] = [
    "touch", "mkdir", "rmdir", "rm", "unlink", "mv", "cp", "ln", "install", "chmod", "chown", "chgrp", "truncate", "tee", "cat", "head",
    "tail", "less", "more", "bat", "wc", "sort", "uniq", "grep", "rg", "fd", "diff", "cmp", "ls", "tree", "du", "stat", "file", "open",
    "xdg-open", "code", "tar", "zip", "unzip", "gzip", "gunzip", "rsync", "scp", "curl", "wget", "ping", "dig", "host", "nslookup", "kill",
    "pkill", "which",
];

/// Beginnings of a command whose rule covers the next one like it, narrowest first; none where that would cover anything.
pub(super) fn of(command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split(' ').collect();
    let assigned = words.iter().take_while(|word| is_assignment(word)).count();
    if let (Some((assignments, rest)), true) = (words.split_at_checked(assigned), assigned > 0) {
        let with = |prefix: String| format!("{} {prefix}", assignments.join(" "));
        return of(&rest.join(" ")).into_iter().map(with).collect();
    }
    let [program, rest @ ..] = words.as_slice() else { return Vec::new() };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !is_plain(program) || name.is_empty() {
        return Vec::new();
    }
    let use_word = rest.first().copied().filter(|word| is_word(word));
    if RUN_ANYTHING.contains(&name) {
        // A script of a file is the project's own; what stands behind it are its words.
        return rest
            .first()
            .filter(|script| INTERPRETERS.contains(&name) && is_plain(script) && script.contains('.'))
            .map(|script| vec![format!("{program} {script}")])
            .unwrap_or_default();
    }
    if OF_MANY_USES.contains(&name) {
        return use_word.and_then(|word| of_use(program, name, word, rest)).into_iter().collect();
    }
    let mut prefixes = Vec::new();
    let says_use = |word: &&&str| is_flag(word) || (is_word(word) && !OF_ONE_USE.contains(&name));
    if let Some(word) = rest.first().filter(says_use) {
        prefixes.push(format!("{program} {word}"));
    }
    prefixes.push((*program).to_owned());
    prefixes
}

fn of_use(program: &str, name: &str, word: &str, rest: &[&str]) -> Option<String> {
    let listed = |table: &[(&str, &[&str])]| {
        table.iter().any(|(own, uses)| *own == name && (uses.is_empty() || uses.contains(&word)))
    };
    let second = rest.get(1).copied();
    if listed(&IN_TWO_WORDS) {
        match second {
            Some(second) if is_plain(second) && RUN_ANYTHING.contains(&second) => return None,
            Some(second) if is_word(second) => {
                let runs = ["run", "exec"].contains(&second) && listed(&USES_THAT_RUN);
                return (!runs).then(|| format!("{program} {word} {second}"));
            }
            // `gh api repos/o/r`.
            Some(second) if !second.starts_with('-') && !listed(&USES_THAT_RUN) => {}
            _ => return None,
        }
    } else if listed(&USES_THAT_RUN) {
        return None;
    }
    (!RUN_ANYTHING.contains(&word)).then(|| format!("{program} {word}"))
}

/// A variable with a plain value, which no shell and no loader of programs obeys.
fn is_assignment(word: &str) -> bool {
    const OBEYED: [&str; 6] = ["PATH", "HOME", "IFS", "ENV", "CDPATH", "SHELL"];
    const STARTS: [&str; 4] = ["LD_", "DYLD_", "BASH", "GIT_"];
    let Some((name, value)) = word.split_once('=') else { return false };
    let named = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let plain =
        value.chars().all(|character| character.is_ascii_alphanumeric() || "-_./+:,@".contains(character));
    named && plain && !OBEYED.contains(&name) && !STARTS.iter().any(|start| name.starts_with(start))
}

/// A word that names a use of a program.
fn is_word(word: &str) -> bool {
    let characters = |character: char| character.is_ascii_alphanumeric() || "-_:".contains(character);
    word.starts_with(|character: char| character.is_ascii_alphabetic()) && word.chars().all(characters)
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-')
        && word.len() > 1
        && word.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
}

/// A word that stands for itself, with the characters of a path.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "-_./+".contains(character))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn what_stands_for_the_next_like_it() {
        let check = |command: &str, expect: &[&str]| assert_eq!(of(command), expect, "{command}");
        check("touch x", &["touch"]);
        check("mkdir build", &["mkdir"]);
        check("cp -r a b", &["cp -r", "cp"]);
        check("mytool build x", &["mytool build", "mytool"]);
        check("cargo test -p a", &["cargo test"]);
        check("FOO=bar cargo test", &["FOO=bar cargo test"]);
        check("A=1 B=x/y npm run build", &["A=1 B=x/y npm run build"]);
        check("FOO=bar touch x", &["FOO=bar touch"]);
        check("FOO=bar python3 -c x", &[]);
        for obeyed in ["PATH=. ls x", "LD_PRELOAD=a.so ls", "GIT_DIR=a git push", "X=$(y) ls", "FOO=bar"] {
            check(obeyed, &[]);
        }
    }
}
