//! Commands that run code of which rules on commands see nothing: another language among the arguments or on the standard
//! input, commands of an editor or a debugger, a program or a sub-command that is not known before it runs.

mod git;
mod languages;

use crate::simple::Word;
use crate::starters::runs_others;
use crate::wrapper::base_name;

/// Interpreters, and the flags whose value is code: one-letter ones, alone or at the end of a cluster, and long ones.
const INTERPRETERS: &[(&[&str], &str, &[&str])] = &[
    (&["python", "python2", "python3", "pypy", "pypy3", "jython"], "c", &[]),
    (&["perl", "ruby", "jruby"], "eE", &[]),
    (&["node", "nodejs", "bun", "tsx", "ts-node"], "ep", &["--eval", "--print"]),
    (&["php"], "rBRE", &["--run", "--process-code"]),
    (
        &[
            "lua",
            "luajit",
            "julia",
            "Rscript",
            "R",
            "raku",
            "groovy",
            "scala",
            "ghc",
            "ghci",
            "runghc",
            "elixir",
            "osascript",
        ],
        "eE",
        &["--eval", "--print"],
    ),
    (&["erl"], "", &["-eval"]),
    (&["tclsh", "expect", "wish"], "c", &[]),
    (&["csh", "tcsh", "fish", "nu", "elvish", "xonsh"], "c", &["--command", "--commands"]),
    (&["pwsh", "powershell"], "c", &["-Command", "-command", "-EncodedCommand"]),
    (&["guile", "gosh", "racket", "sbcl", "clisp", "ecl"], "cex", &["--eval", "--load"]),
];

/// Editors and programs with a language of their own that starts commands.
const COMMANDED: &[&str] = &[
    "vim",
    "vi",
    "nvim",
    "view",
    "ex",
    "vimdiff",
    "gvim",
    "emacs",
    "emacsclient",
    "ed",
    "red",
    "gdb",
    "lldb",
    "sqlite3",
    "psql",
    "mysql",
    "mariadb",
    "bc",
    "dc",
    "m4",
    "gnuplot",
    "octave",
    "ftp",
    "telnet",
    "nc",
    "ncat",
    "socat",
    "at",
    "batch",
    "crontab",
    "screen",
    "tmux",
];

/// Programs whose first word says what they do.
const SUB_COMMANDED: &[&str] = &[
    "git",
    "npm",
    "pnpm",
    "yarn",
    "docker",
    "podman",
    "kubectl",
    "cargo",
    "pip",
    "pip3",
    "gh",
    "systemctl",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "brew",
    "aws",
    "gcloud",
    "az",
    "terraform",
    "helm",
    "go",
    "dotnet",
    "bundle",
    "gem",
    "composer",
    "uv",
    "poetry",
    "conda",
    "flatpak",
    "snap",
    "nix",
];

/// Whether a command, or one behind a program that starts others, runs such code.
pub(crate) fn runs_code(words: &[Word]) -> bool {
    let mut places = 0;
    let last = if runs_others(words) { words.len() } else { 1 };
    for start in 0..last {
        let rest = words.get(start..).unwrap_or_default();
        let Some(word) = rest.first() else { break };
        // A word that may become anything may become a program.
        let Some(program) = word.literal().map(base_name) else { continue };
        if program.starts_with('-') {
            continue;
        }
        places += 1;
        if places > 64
            || gets_sub_command(words.get(..start).unwrap_or_default(), program, rest)
            || one(program, rest.get(1..).unwrap_or_default())
        {
            return true;
        }
    }
    false
}

/// Its sub-command comes from the input of `xargs` before it.
fn gets_sub_command(before: &[Word], program: &str, words: &[Word]) -> bool {
    let feeds = before
        .iter()
        .any(|word| matches!(word.literal().map(base_name), Some("xargs" | "parallel" | "rush")));
    let sub_command =
        words.iter().skip(1).find_map(|word| word.literal().filter(|text| !text.starts_with('-')));
    let is_place = |text: &str| !text.starts_with(|first: char| first.is_ascii_alphanumeric());
    feeds && SUB_COMMANDED.contains(&program) && sub_command.is_none_or(is_place)
}

/// `command -v x`, `type x`, `which x`: they tell what a name stands for and run nothing.
pub(crate) fn only_names(words: &[Word]) -> bool {
    let mut literals = words.iter().map(Word::literal);
    match literals.next().flatten().map(base_name) {
        Some("type" | "which") => true,
        Some("command") => literals.next().flatten().is_some_and(|flag| {
            let letters = flag.strip_prefix('-').unwrap_or_default();
            letters.contains(['v', 'V']) && letters.bytes().all(|byte| matches!(byte, b'v' | b'V' | b'p'))
        }),
        _ => false,
    }
}

/// Whether flags of the program start other programs: words from elsewhere may be such flags.
pub(crate) fn obeys_flags(program: &str) -> bool {
    matches!(
        program,
        "make"
            | "gmake"
            | "tar"
            | "gtar"
            | "bsdtar"
            | "ssh"
            | "scp"
            | "sftp"
            | "rsync"
            | "man"
            | "split"
            | "sort"
            | "zip"
            | "rg"
            | "dpkg"
            | "apt"
            | "apt-get"
            | "less"
            | "vim"
            | "vi"
            | "nvim"
            | "emacs"
            | "gdb"
            | "mapfile"
            | "readarray"
    )
}

fn one(program: &str, arguments: &[Word]) -> bool {
    if let Some((_, letters, long)) = INTERPRETERS.iter().find(|(names, ..)| is_one_of(program, names)) {
        return languages::interprets(program, arguments, letters, long);
    }
    match program {
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => languages::awk(arguments),
        "sed" | "gsed" => languages::sed(arguments),
        "deno" => {
            arguments.first().is_none_or(|word| matches!(word.literal(), None | Some("eval" | "repl" | "-")))
        }
        "make" | "gmake" => {
            // A variable of it may be a command, and its shell.
            let assigned = |word: &Word| {
                let text = word.literal().unwrap_or(&word.raw);
                text.starts_with("SHELL")
                    || text.contains('=') && (text.contains("$(") || text.contains("${"))
            };
            languages::make(arguments) || arguments.iter().any(assigned)
        }
        "git" | "git.exe" | "hub" | "yadm" => git::runs_code(arguments),
        "jq" | "yq" => false,
        "tar" | "bsdtar" | "gtar" => has_start(
            arguments,
            &[
                "--to-command",
                "--use-compress-program",
                "--checkpoint-action",
                "-I",
                "--rsh-command",
                "--info-script",
                "--new-volume-script",
            ],
        ),
        "rsync" => has_start(arguments, &["-e", "--rsh"]),
        "ssh" | "scp" | "sftp" | "sshfs" => {
            // `ProxyCommand` and the like, glued or in the next word.
            let starts = |text: &str| text.to_ascii_lowercase().contains("command");
            let next = arguments.windows(2).any(|pair| {
                matches!(pair, [flag, value] if flag.literal() == Some("-o") && value.literal().is_none_or(starts))
            });
            let glued = |word: &Word| match word.literal() {
                Some(text) => text.starts_with("-o") && starts(text),
                None => word.may_be_flag(),
            };
            next || arguments.iter().any(glued) || (program != "ssh" && has_start(arguments, &["-S"]))
        }
        "capsh" => true,
        "man" => has_start(arguments, &["-P", "--pager", "-H"]),
        "less" | "more" | "most" => has_start(arguments, &["+"]),
        "zip" => has_start(arguments, &["-TT", "--unzip-command"]),
        "env" => has_start(arguments, &["-S", "--split-string"]),
        "sort" => has_start(arguments, &["--compress-program"]),
        "split" => has_start(arguments, &["--filter"]),
        "dpkg" => has_start(arguments, &["--pre-invoke", "--post-invoke"]),
        "apt" | "apt-get" | "aptitude" | "apt-cache" => {
            let starts = |word: &Word| {
                let text = word.literal().unwrap_or(&word.raw).to_ascii_lowercase();
                ["invoke", "dir::", "pre-install", "options::", "-c"].iter().any(|part| match *part {
                    "-c" => text.starts_with("-c") || text.starts_with("--config"),
                    part => text.contains(part) && !text.contains("--force-conf"),
                })
            };
            arguments.iter().any(starts) || sub_command_is_unknown(arguments)
        }
        "gcc" | "g++" | "cc" | "c++" | "cpp" | "clang" | "clang++" | "gfortran" => {
            has_start(arguments, &["-wrapper", "-fplugin", "-specs", "--specs", "-B", "-Xclang"])
        }
        "rg" => has_start(arguments, &["--pre"]),
        "complete" | "compgen" | "bind" | "fc" | "dc" => true,
        "enable" => has_start(arguments, &["-f"]),
        "hash" => has_start(arguments, &["-p"]),
        "eval" | "trap" | "source" | "." => false,
        _ if COMMANDED.contains(&program) => commanded(program, arguments),
        _ if SUB_COMMANDED.contains(&program) => sub_command_is_unknown(arguments),
        _ => false,
    }
}

/// `python3.11` as `python3`.
fn is_one_of(program: &str, names: &[&str]) -> bool {
    let plain = program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    names.iter().any(|name| {
        *name == program
            || name.trim_end_matches(|last: char| last.is_ascii_digit()) == plain && !plain.is_empty()
    })
}

/// Commands among the arguments, or from the standard input where nothing else is said.
fn commanded(program: &str, arguments: &[Word]) -> bool {
    let flags: &[&str] = match program {
        "emacs" | "emacsclient" => &[
            "--eval",
            "-eval",
            "--load",
            "-l",
            "-f",
            "--funcall",
            "--execute",
            "--script",
            "--batch",
            "-batch",
            "-e",
        ],
        "vim" | "vi" | "nvim" | "view" | "ex" | "vimdiff" | "gvim" => {
            &["-c", "+", "--cmd", "-S", "-s", "-es", "-u", "-E", "-e", "-l"]
        }
        "gdb" | "lldb" => {
            &["-ex", "--eval-command", "-x", "--command", "-o", "-s", "-iex", "-ix", "--batch", "-batch"]
        }
        "ed" | "red" => return true,
        "screen" | "tmux" => return !arguments.is_empty(),
        "socat" | "nc" | "ncat" | "telnet" | "at" | "batch" | "crontab" => return true,
        "sqlite3" => &["-cmd", "-init", "."],
        "psql" => &["-c", "--command", "-f"],
        "mysql" | "mariadb" => &["-e", "--execute"],
        "bc" => return false,
        "m4" => {
            return !arguments.iter().any(|word| word.literal().is_none_or(|text| !text.starts_with('-')));
        }
        _ => &["-e", "-c", "--eval"],
    };
    if matches!(program, "ex") {
        return true;
    }
    has_start(arguments, flags)
        || arguments.iter().any(|word| word.literal().is_none() && word.may_be_flag())
        || arguments
            .iter()
            .skip(1)
            .filter_map(Word::literal)
            .any(|text| program == "sqlite3" && text.trim_start().starts_with('.'))
}

fn sub_command_is_unknown(arguments: &[Word]) -> bool {
    let first = arguments.iter().find(|word| word.literal().is_none_or(|text| !text.starts_with('-')));
    first.is_some_and(|word| word.literal().is_none())
}

/// A long flag may be shortened.
fn has_start(arguments: &[Word], starts: &[&str]) -> bool {
    let is = |text: &str, start: &str| {
        let name = text.split('=').next().unwrap_or_default();
        text.starts_with(start) || (name.starts_with("--") && name.len() > 2 && start.starts_with(name))
    };
    arguments.iter().filter_map(Word::literal).any(|text| starts.iter().any(|start| is(text, start)))
}
