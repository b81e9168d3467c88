//! Programs that run another: which are looked through for allowing, and which for denying.

use std::borrow::Cow;

use crate::simple::Word;
use crate::word::Token;

/// What is left of a command without its transparent wrappers.
#[derive(Debug)]
pub(crate) struct Stripped<'w> {
    pub(crate) words: Cow<'w, [Word]>,
    /// `xargs` was among them: more words come from its input.
    pub(crate) piped: bool,
    /// Those that were taken away.
    pub(crate) wrappers: Vec<String>,
}

/// Takes away the wrappers that change nothing an allow rule speaks of. A flag that is not known stops it.
pub(crate) fn strip(words: &[Word]) -> Stripped<'_> {
    let mut rest = words;
    let mut piped = false;
    let mut wrappers = Vec::new();
    while let Some(after) = one_off(rest) {
        let wrapper = rest.first().and_then(Word::literal).unwrap_or_default();
        piped |= wrapper == "xargs";
        wrappers.push(wrapper.to_owned());
        rest = after;
    }
    let mut words = Cow::Borrowed(rest);
    if piped {
        // The unseen words are no part of the text that rules match.
        words.to_mut().push(Word::new("", vec![Token::unknown_words()]));
    }
    Stripped { words, piped, wrappers }
}

/// The words after one transparent wrapper; none where the first word is none, or nothing follows.
pub(crate) fn one_off(words: &[Word]) -> Option<&[Word]> {
    let mut rest = words.get(1..)?;
    let program = words.first()?.literal()?;
    match program {
        "time" | "nohup" | "command" | "builtin" | "noglob" | "xargs" => {
            if program == "time" && rest.first()?.literal() == Some("-p") {
                rest = rest.get(1..)?;
            }
            if rest.first()?.literal() == Some("--") && program != "xargs" {
                rest = rest.get(1..)?;
            }
        }
        "nice" => {
            if let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                let number = |text: &str| !text.is_empty() && text.parse::<i32>().is_ok();
                if flag == "-n" {
                    rest.get(1)?.literal().filter(|value| number(value))?;
                    rest = rest.get(2..)?;
                } else {
                    let value = flag
                        .strip_prefix("-n")
                        .or(flag.strip_prefix("--adjustment="))
                        .or(flag.strip_prefix('-'))?;
                    number(value).then_some(())?;
                    rest = rest.get(1..)?;
                }
            }
        }
        "stdbuf" => {
            let mut any = false;
            while let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                let mode = flag.strip_prefix("-o").or(flag.strip_prefix("-e")).or(flag.strip_prefix("-i"))?;
                (mode == "L" || (!mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit())))
                    .then_some(())?;
                rest = rest.get(1..)?;
                any = true;
            }
            any.then_some(())?;
        }
        "timeout" => {
            while let Some(flag) = rest.first()?.literal().filter(|word| word.starts_with('-')) {
                rest = match flag {
                    "-k" | "-s" | "--signal" | "--kill-after" => rest.get(2..)?,
                    "--foreground" | "--preserve-status" | "-v" | "--verbose" => rest.get(1..)?,
                    glued if glued.starts_with("--signal=") || glued.starts_with("--kill-after=") => {
                        rest.get(1..)?
                    }
                    _ => return None,
                };
            }
            let duration = rest.first()?.literal()?;
            duration.starts_with(|first: char| first.is_ascii_digit()).then_some(())?;
            rest = rest.get(1..)?;
        }
        _ => return None,
    }
    // What follows must be a program, not a flag of the wrapper (`command -v x`).
    let next = rest.first()?.literal()?;
    (!next.starts_with('-')).then_some(rest)
}

/// Programs that run what stands among their arguments. An allow rule for one of them is about it alone; rules that deny
/// look at everything that could be the command it runs.
const RUNNERS: &[&str] = &[
    "abduco",
    "arch",
    "bwrap",
    "busybox",
    "caffeinate",
    "capsh",
    "catchsegv",
    "cgexec",
    "choom",
    "chronic",
    "chroot",
    "chrt",
    "chpst",
    "coreutils",
    "cpulimit",
    "daemonize",
    "dbus-launch",
    "dbus-run-session",
    "doas",
    "dtach",
    "dumb-init",
    "eatmydata",
    "entr",
    "env",
    "exec",
    "faketime",
    "fakechroot",
    "fakeroot",
    "fd",
    "fdfind",
    "find",
    "firejail",
    "flock",
    "gdb",
    "gosu",
    "hyperfine",
    "i386",
    "ifne",
    "ionice",
    "linux32",
    "linux64",
    "logsave",
    "lldb",
    "ltrace",
    "mispipe",
    "nocorrect",
    "npx",
    "nsenter",
    "numactl",
    "parallel",
    "pee",
    "perf",
    "pkexec",
    "pnpx",
    "prlimit",
    "proot",
    "proxychains",
    "proxychains4",
    "rlwrap",
    "rr",
    "run0",
    "runuser",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "setuidgid",
    "softlimit",
    "ssh-agent",
    "start-stop-daemon",
    "strace",
    "su",
    "sudo",
    "su-exec",
    "systemd-cat",
    "systemd-inhibit",
    "systemd-run",
    "taskset",
    "timelimit",
    "tini",
    "torsocks",
    "trickle",
    "tsocks",
    "toybox",
    "unbuffer",
    "unshare",
    "valgrind",
    "watch",
    "x86_64",
    "xargs",
    "xvfb-run",
    "bunx",
    "time",
    "timeout",
    "nice",
    "nohup",
    "stdbuf",
    "command",
    "builtin",
    "noglob",
];

/// Programs that do so behind one of these words alone.
const RUNNERS_BEHIND: &[(&str, &[&str])] = &[
    ("npm", &["exec", "x"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx"]),
    ("bun", &["x"]),
    ("uv", &["run", "tool"]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("devbox", &["run"]),
    ("direnv", &["exec"]),
    ("mise", &["exec", "x"]),
    ("asdf", &["exec"]),
    ("bundle", &["exec"]),
    ("conda", &["run"]),
    ("fnm", &["exec"]),
    ("hatch", &["run"]),
    ("mamba", &["run"]),
    ("nix", &["run", "develop", "shell"]),
    ("nvm", &["exec"]),
    ("pdm", &["run"]),
    ("pixi", &["run", "exec"]),
    ("pyenv", &["exec"]),
    ("rbenv", &["exec"]),
    ("rye", &["run"]),
    ("volta", &["run"]),
    ("git", &["bisect", "submodule"]),
];

/// Whether the command runs another that stands among its words.
pub(crate) fn runs_others(words: &[Word]) -> bool {
    let Some(program) = words.first().and_then(Word::literal).map(base_name) else { return false };
    if let Some((_, behind)) = RUNNERS_BEHIND.iter().find(|(name, _)| *name == program) {
        let named = |word: &Word| word.literal().is_some_and(|word| behind.contains(&word));
        return words.get(1..).unwrap_or_default().iter().any(named);
    }
    // The dynamic loader runs the program it is given.
    RUNNERS.contains(&program) || program.starts_with("ld-linux") || program.starts_with("ld.so")
}

/// Whether a command among its words is what the program starts, with nothing else to say of it.
pub(crate) fn starts_its_words(program: &str) -> bool {
    !matches!(program, "find" | "xargs" | "fd" | "fdfind") && RUNNERS.contains(&program)
}

/// Whether the program gives the commands among its words more words, which come from its standard input or a file.
pub(crate) fn hands_words_on(program: &str, words: &[Token]) -> bool {
    matches!(program, "xargs" | "gxargs" | "rush")
        || (matches!(program, "parallel" | "sem") && !words.iter().any(|word| word.text == ":::"))
}

/// `/usr/bin/rm x` as `rm x`; the arguments stay.
pub(crate) fn base_name(text: &str) -> &str {
    let program = text.split(' ').next().unwrap_or_default();
    let start = program.rfind('/').map_or(0, |slash| slash + 1);
    text.get(start..).unwrap_or(text)
}

/// Whether only a rule with the exact text may allow it.
pub(crate) fn only_exact(program: &str, tokens: &[Token]) -> bool {
    const FIND_RUNS: [&str; 5] = ["-exec", "-execdir", "-ok", "-okdir", "-delete"];
    match base_name(program) {
        "watch" | "setsid" | "ionice" | "flock" => true,
        "find" => tokens.iter().any(|token| !token.exact || FIND_RUNS.contains(&token.text.as_str())),
        _ => false,
    }
}
