//! Programs that start the commands which stand among their words: one table of what each name starts, and where.

mod shape;

pub(crate) use shape::place_of_command;

use crate::simple::Word;
use crate::word::Token;
use crate::wrapper::base_name;

/// Where what a program starts runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Here, with the files that are here.
    Here,
    /// In a container, a virtual machine or on another one: its paths are none of this machine's.
    Elsewhere,
}

/// How the command stands among the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// As words.
    Words,
    /// As words, or as the text of a command in one word.
    WordsOrText,
    /// As a text.
    Text,
}

#[derive(Debug)]
struct Row {
    names: &'static [&'static str],
    /// It does so behind one of these words alone; none: always.
    behind: &'static [&'static str],
    given: Given,
    runs: Runs,
}

const fn here(names: &'static [&'static str], behind: &'static [&'static str], given: Given) -> Row {
    Row { names, behind, given, runs: Runs::Here }
}

const fn elsewhere(names: &'static [&'static str], behind: &'static [&'static str]) -> Row {
    Row { names, behind, given: Given::WordsOrText, runs: Runs::Elsewhere }
}

/// An allow rule for one of them is about it alone; rules that deny look at everything that could be the command it runs.
const ROWS: &[Row] = &[
    here(
        &[
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
            "env",
            "exec",
            "faketime",
            "fakechroot",
            "fakeroot",
            "fd",
            "fdfind",
            "find",
            "firejail",
            "gdb",
            "gosu",
            "i386",
            "ionice",
            "linux32",
            "linux64",
            "logsave",
            "lldb",
            "ltrace",
            "nocorrect",
            "nsenter",
            "numactl",
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
            "setarch",
            "setpriv",
            "setsid",
            "setuidgid",
            "softlimit",
            "ssh-agent",
            "start-stop-daemon",
            "strace",
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
            "x86_64",
            "xargs",
            "xvfb-run",
            "time",
            "timeout",
            "nice",
            "nohup",
            "stdbuf",
            "command",
            "builtin",
            "noglob",
            "gtimeout",
            "gnice",
            "gstdbuf",
            "genv",
            "gxargs",
            "gfind",
            "gnohup",
            "gtime",
            "uvx",
            "multitime",
            "heaptrack",
            "uftrace",
            "tsp",
            "nq",
            "retry",
            "runcon",
            "zrun",
            "env-cmd",
            "cross-env",
            "envchain",
            "onchange",
            "wait-for-it",
            "wait-for-it.sh",
            "dockerize",
            "flatpak-spawn",
            "sshpass",
            "xterm",
            "uxterm",
            "konsole",
            "kitty",
            "alacritty",
            "foot",
            "gnome-terminal",
            "envdir",
            "setlock",
            "s6-setuidgid",
            "mr",
            "myrepos",
            "rush",
            "cmd.exe",
            "cached-nix-shell",
            "chruby-exec",
            "distrobox-enter",
            "gsudo",
            "pkgx",
            "psexec",
            "reflex",
            "runas",
            "tea",
            "wine",
        ],
        &[],
        Given::Words,
    ),
    here(
        &[
            "watch",
            "pee",
            "mispipe",
            "ifne",
            "hyperfine",
            "parallel",
            "entr",
            "su",
            "script",
            "flock",
            "sem",
            "watchexec",
            "dotenv",
            "npx",
            "bunx",
        ],
        &[],
        Given::WordsOrText,
    ),
    here(
        &[
            "cached-nix-shell",
            "nix-shell",
            "watchman-make",
            "concurrently",
            "nodemon",
            "cross-env-shell",
            "chokidar",
            "start-server-and-test",
            "sg",
        ],
        &[],
        Given::Text,
    ),
    here(&["asdf"], &["exec"], Given::Words),
    // These pass on what follows `git` to it.
    here(
        &["bun", "chezmoi", "gopass", "hut", "jj", "meta", "pass", "pnpm", "vcsh", "yarn"],
        &["git"],
        Given::Words,
    ),
    here(
        &["bundler", "cabal", "goenv", "jenv", "n", "opam", "plenv", "rvm", "stack", "tox"],
        &["exec", "do", "--"],
        Given::Words,
    ),
    here(&["bun"], &["run", "exec"], Given::WordsOrText),
    here(&["deno"], &["task", "x"], Given::Words),
    here(&["devenv", "devbox", "flox"], &["shell", "activate"], Given::Words),
    here(&["foreman", "honcho", "proto", "swiftly"], &["run"], Given::Words),
    here(&["guix"], &["environment"], Given::Words),
    here(&["heroku"], &["local:run"], Given::Words),
    here(&["just"], &["-c", "--command"], Given::WordsOrText),
    here(&["gita"], &["shell", "super"], Given::WordsOrText),
    here(&["meta"], &["exec"], Given::WordsOrText),
    here(&["repo"], &["forall"], Given::WordsOrText),
    here(&["uv"], &["x"], Given::Words),
    here(&["yarn"], &["run"], Given::Words),
    here(&["aws-vault"], &["exec"], Given::Words),
    here(&["bun"], &["x"], Given::WordsOrText),
    here(&["bundle"], &["exec"], Given::Words),
    here(&["cargo"], &["watch"], Given::WordsOrText),
    here(&["chamber"], &["exec"], Given::Words),
    here(&["conda"], &["run"], Given::Words),
    here(&["devbox"], &["run"], Given::Words),
    here(&["direnv"], &["exec"], Given::Words),
    here(&["doppler"], &["run"], Given::WordsOrText),
    here(&["dotenvx"], &["run"], Given::Words),
    here(&["fnm"], &["exec"], Given::Words),
    here(&["git"], &["bisect", "submodule"], Given::WordsOrText),
    here(&["guix"], &["shell"], Given::Words),
    here(&["hatch"], &["run"], Given::Words),
    here(&["infisical"], &["run"], Given::Words),
    here(&["ip"], &["exec"], Given::Words),
    here(&["lerna"], &["exec"], Given::WordsOrText),
    here(&["mamba"], &["run"], Given::Words),
    here(&["micromamba"], &["run"], Given::Words),
    here(&["mise"], &["exec", "x"], Given::Words),
    here(&["nix"], &["run", "develop", "shell"], Given::Words),
    here(&["nodenv"], &["exec"], Given::Words),
    here(&["npm"], &["exec", "x"], Given::WordsOrText),
    here(&["nvm"], &["exec"], Given::Words),
    here(&["nx"], &["exec"], Given::WordsOrText),
    here(&["op"], &["run"], Given::Words),
    here(&["pdm"], &["run"], Given::Words),
    here(&["pipenv"], &["run"], Given::Words),
    here(&["pipx"], &["run"], Given::Words),
    here(&["pixi"], &["run", "exec"], Given::Words),
    here(&["pnpm"], &["exec", "dlx"], Given::WordsOrText),
    here(&["poetry"], &["run"], Given::Words),
    here(&["pyenv"], &["exec"], Given::Words),
    here(&["rbenv"], &["exec"], Given::Words),
    here(&["rustup"], &["run"], Given::Words),
    here(&["rye"], &["run"], Given::Words),
    here(&["sops"], &["exec-env", "exec-file"], Given::WordsOrText),
    here(&["teller"], &["run"], Given::Words),
    here(&["uv"], &["run", "tool"], Given::Words),
    here(&["volta"], &["run"], Given::Words),
    here(&["yarn"], &["exec", "dlx"], Given::WordsOrText),
    elsewhere(&["ssh", "rsh", "mosh", "autossh", "lxc-attach", "systemd-nspawn", "wsl", "wsl.exe"], &[]),
    elsewhere(&["apptainer", "buildah", "singularity", "udocker"], &["run", "exec"]),
    elsewhere(&["ddev"], &["exec"]),
    elsewhere(&["docker"], &["run", "exec"]),
    elsewhere(&["flatpak", "snap"], &["run"]),
    elsewhere(&["lando"], &["ssh"]),
    elsewhere(&["podman"], &["run", "exec"]),
    elsewhere(&["nerdctl"], &["run", "exec"]),
    elsewhere(&["docker-compose"], &["run", "exec"]),
    elsewhere(&["kubectl"], &["exec", "run", "debug"]),
    elsewhere(&["oc"], &["exec", "run", "rsh"]),
    elsewhere(&["lxc"], &["exec"]),
    elsewhere(&["incus"], &["exec"]),
    elsewhere(&["crictl"], &["exec"]),
    elsewhere(&["ctr"], &["run", "exec"]),
    elsewhere(&["machinectl"], &["shell"]),
    elsewhere(&["vagrant"], &["ssh"]),
    elsewhere(&["heroku"], &["run"]),
    elsewhere(&["fly"], &["ssh"]),
    elsewhere(&["flyctl"], &["ssh"]),
    elsewhere(&["gcloud"], &["ssh"]),
    elsewhere(&["toolbox"], &["run"]),
    elsewhere(&["distrobox"], &["enter"]),
    elsewhere(&["limactl"], &["shell"]),
    elsewhere(&["multipass"], &["exec"]),
    elsewhere(&["adb"], &["shell"]),
    elsewhere(&["devcontainer"], &["exec"]),
];

fn rows(words: &[Word]) -> impl Iterator<Item = &'static Row> {
    let program = words.first().and_then(Word::literal).map(base_name).unwrap_or_default().to_owned();
    ROWS.iter().filter(move |row| {
        let named = |word: &Word| word.literal().is_some_and(|word| row.behind.contains(&word));
        row.names.contains(&program.as_str()) && (row.behind.is_empty() || words.iter().skip(1).any(named))
    })
}

/// Whether the command runs another that stands among its words.
pub(crate) fn runs_others(words: &[Word]) -> bool {
    let program = words.first().and_then(Word::literal).map(base_name).unwrap_or_default();
    // The dynamic loader runs the program it is given.
    let is_loader = program.starts_with("ld-linux") || program.starts_with("ld.so");
    is_loader || rows(words).any(|row| row.given != Given::Text)
}

/// Whether one of its words may be the text of a command that it runs.
pub(crate) fn runs_texts(words: &[Word]) -> bool {
    rows(words).any(|row| row.given != Given::Words)
}

/// Whether what it runs does so with other files than those that are here.
pub(crate) fn runs_elsewhere(words: &[Word]) -> bool {
    rows(words).any(|row| row.runs == Runs::Elsewhere)
}

/// Whether a command among its words is what the program starts, with nothing else to say of it.
pub(crate) fn starts_its_words(program: &str) -> bool {
    let starts = |row: &Row| {
        row.names.contains(&program)
            && row.behind.is_empty()
            && row.given != Given::Text
            && row.runs == Runs::Here
    };
    !matches!(program, "find" | "gfind" | "xargs" | "gxargs" | "fd" | "fdfind" | "rush")
        && ROWS.iter().any(starts)
}

/// Whether the program gives the commands among its words more words, which come from its standard input or a file.
pub(crate) fn hands_words_on(program: &str, words: &[Token]) -> bool {
    matches!(program, "xargs" | "gxargs" | "rush")
        || (matches!(program, "parallel" | "sem") && !words.iter().any(|word| word.text == ":::"))
}

/// Whether the program always does so.
pub(crate) fn takes_words(program: &str) -> bool {
    matches!(program, "xargs" | "gxargs" | "rush" | "parallel" | "sem")
}
