//! Programs that start the commands which stand among their words: one table of what each name starts, and where.

use crate::simple::Word;
use crate::started::Place;
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

/// How the flags and operands of a program stand before the command it starts.
struct Shape {
    names: &'static [&'static str],
    /// Letters of flags without a value, and of flags with one.
    plain: &'static str,
    valued: &'static str,
    /// Long flags without a value, and with one that may stand in the next word.
    long: &'static [&'static str],
    long_valued: &'static [&'static str],
    operands: usize,
}

const fn shape(
    names: &'static [&'static str],
    plain: &'static str,
    valued: &'static str,
    operands: usize,
) -> Shape {
    Shape { names, plain, valued, long: &[], long_valued: &[], operands }
}

const SHAPES: &[Shape] = &[
    Shape {
        long: &["--ignore-environment", "--null", "--debug"],
        long_valued: &["--unset", "--chdir", "--argv0"],
        ..shape(&["env", "genv"], "i0v", "uCaP", 0)
    },
    shape(&["nohup", "gnohup", "command", "builtin", "noglob", "nocorrect", "unbuffer"], "pvV", "", 0),
    Shape { long: &["--fork", "--ctty", "--wait"], ..shape(&["setsid"], "cfw", "", 0) },
    shape(&["exec"], "cl", "a", 0),
    Shape { long_valued: &["--adjustment"], ..shape(&["nice", "gnice"], "0123456789", "n", 0) },
    Shape {
        long: &["--foreground", "--preserve-status", "--verbose"],
        long_valued: &["--signal", "--kill-after"],
        ..shape(&["timeout", "gtimeout"], "vfp", "ks", 1)
    },
    Shape { long_valued: &["--input", "--output", "--error"], ..shape(&["stdbuf", "gstdbuf"], "", "ioe", 0) },
    Shape {
        long: &["--ignore"],
        long_valued: &["--class", "--classdata"],
        ..shape(&["ionice"], "t", "cn", 0)
    },
    Shape {
        long: &["--portability", "--verbose", "--append", "--quiet"],
        long_valued: &["--format", "--output"],
        ..shape(&["time", "gtime"], "pvaq", "fo", 0)
    },
    Shape {
        long: &["--preserve-env", "--non-interactive", "--set-home", "--login", "--background"],
        long_valued: &["--user", "--group", "--host", "--prompt", "--chroot", "--chdir"],
        ..shape(&["sudo", "doas"], "AbEHnPSiskBK", "ughpCRDTrt", 0)
    },
    shape(&["npx", "bunx", "pnpx", "uvx", "dotenv", "env-cmd", "cross-env"], "yqs", "p", 0),
    Shape {
        long: &[
            "--null",
            "--no-run-if-empty",
            "--verbose",
            "--interactive",
            "--exit",
            "--open-tty",
            "--show-limits",
            "--replace",
            "--max-lines",
        ],
        long_valued: &[
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-procs",
            "--max-chars",
            "--process-slot-var",
        ],
        ..shape(&["xargs", "gxargs"], "0rtpxoeil", "aEILnPsdRJS", 0)
    },
];

/// Where the command stands that the program starts.
pub(crate) fn place_of_command(words: &[Word]) -> Place {
    let Some(program) = words.first().and_then(Word::literal).map(base_name) else { return Place::Nowhere };
    if matches!(program, "find" | "gfind") {
        return Place::BehindActions;
    }
    if let Some(shape) = SHAPES.iter().find(|shape| shape.names.contains(&program)) {
        return shape.place(words);
    }
    if program.starts_with("ld-linux") || program.starts_with("ld.so") {
        return Place::Anywhere;
    }
    let Some(row) = rows(words).next() else { return Place::Nowhere };
    let Some(behind) =
        words.iter().position(|word| word.literal().is_some_and(|word| row.behind.contains(&word)))
    else {
        return if row.runs == Runs::Here { Place::Anywhere } else { behind_host(words, 1) };
    };
    if row.runs == Runs::Elsewhere {
        return behind_host(words, behind + 1);
    }
    let is_flag = |word: &Word| word.literal().is_some_and(|text| text.starts_with('-'));
    let flags = words.iter().skip(behind + 1).take_while(|word| is_flag(word)).count();
    Place::At(behind + 1 + flags)
}

/// The first word that is not known, other than one in the place of the host or container.
fn behind_host(words: &[Word], first: usize) -> Place {
    let mut unknown = (first..words.len())
        .filter(|at| words.get(*at).is_some_and(|word| word.literal().is_none() && word.may_be_flag()));
    let host = unknown.next();
    match (host, unknown.next()) {
        (Some(host), None) if host == first => Place::Nowhere,
        (Some(_), None) | (None, _) => Place::Nowhere,
        (Some(_), Some(at)) => Place::At(at),
    }
}

impl Shape {
    fn place(&self, words: &[Word]) -> Place {
        let mut at = 1;
        let mut operands = 0;
        let mut flags = true;
        while let Some(word) = words.get(at) {
            let text = word.tokens.first().map(|token| token.text.as_str()).unwrap_or_default();
            let sets = self.operands == 0
                && text.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.starts_with('-'));
            if flags && text.starts_with('-') && text.len() > 1 {
                if text == "--" {
                    flags = false;
                    at += 1;
                    continue;
                }
                match self.width(text) {
                    Some(width) => at += width,
                    None => return Place::Anywhere,
                }
            } else if sets
                && !matches!(words.first().and_then(Word::literal).map(base_name), Some("xargs" | "gxargs"))
            {
                // `env name=value`, behind which flags are none.
                flags = false;
                at += 1;
            } else if operands < self.operands
                && !(word.literal().is_none()
                    && text.is_empty()
                    && word.tokens.iter().any(|token| token.splits))
            {
                operands += 1;
                flags = false;
                at += 1;
            } else if text == "-" && flags {
                at += 1;
            } else {
                return Place::At(at);
            }
        }
        Place::At(words.len())
    }

    /// How many words a flag takes with its value; none where it is not known.
    fn width(&self, text: &str) -> Option<usize> {
        if text.starts_with("--") {
            let (name, glued) = text.split_once('=').map_or((text, false), |(name, _)| (name, true));
            let is = |names: &[&str]| names.iter().filter(|long| long.starts_with(name)).count() > 0;
            return match (is(self.long), is(self.long_valued)) {
                (_, true) if glued => Some(1),
                (true, false) => Some(1),
                (false, true) => Some(2),
                _ => None,
            };
        }
        let cluster = text.get(1..)?;
        for (index, letter) in cluster.char_indices() {
            if self.valued.contains(letter) {
                let is_last = index + letter.len_utf8() == cluster.len();
                return Some(if is_last { 2 } else { 1 });
            }
            // The rest is its value, which is never another word.
            if self.names.contains(&"xargs") && matches!(letter, 'e' | 'i' | 'l') {
                return Some(1);
            }
            if !self.plain.contains(letter) {
                return None;
            }
        }
        Some(1)
    }
}
