//! Commands that run code of which rules on commands see nothing: another language among the arguments or on the standard
//! input, commands of an editor or a debugger, a program or a sub-command that is not known before it runs.

mod git;

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

fn one(program: &str, arguments: &[Word]) -> bool {
    if let Some((_, letters, long)) = INTERPRETERS.iter().find(|(names, ..)| is_one_of(program, names)) {
        return interprets(arguments, letters, long);
    }
    match program {
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => awk(arguments),
        "sed" | "gsed" => sed(arguments),
        "deno" => {
            arguments.first().is_none_or(|word| matches!(word.literal(), None | Some("eval" | "repl" | "-")))
        }
        "make" | "gmake" => {
            let from_input = arguments.windows(2).any(|pair| {
                matches!(pair, [flag, file] if matches!(flag.literal(), Some("-f" | "--file" | "--makefile"))
                    && matches!(file.literal(), Some("-" | "/dev/stdin") | None))
            });
            // A variable of it may be a command, and its shell.
            let assigned = |word: &Word| {
                let text = word.literal().unwrap_or(&word.raw);
                text.starts_with("SHELL")
                    || text.contains('=') && (text.contains("$(") || text.contains("${"))
            };
            from_input || arguments.iter().any(assigned) || has_start(arguments, &["--eval", "-f-"])
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

/// A flag with code, a word that may be one, or no file: then the code comes from the standard input.
fn interprets(arguments: &[Word], letters: &str, long: &[&str]) -> bool {
    for word in arguments {
        let Some(flag) = word.literal() else {
            // A path with an unknown part is still a file; what begins unknown may be a flag.
            return word.may_be_flag();
        };
        if flag == "-" || flag == "/dev/stdin" || flag == "/dev/fd/0" || flag == crate::walk::SUBSTITUTION {
            return true;
        }
        if !flag.starts_with('-') {
            return false;
        }
        if matches!(flag, "--version" | "-V" | "--help" | "-h" | "-v") {
            return false;
        }
        // `-m module` and what follows is a program of its own.
        if flag == "-m" {
            return false;
        }
        let is_long = long.iter().any(|name| flag.split('=').next() == Some(name));
        let cluster = flag.get(1..).filter(|flags| !flags.starts_with('-'));
        if is_long || cluster.is_some_and(|flags| flags.contains(|flag| letters.contains(flag))) {
            return true;
        }
    }
    true
}

/// A program that is not literal, is read from the input, or may start commands.
fn awk(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { return true };
        match text {
            "-F" | "-v" | "--field-separator" | "--assign" => _ = rest.next(),
            "-f" | "--file" => {
                return rest
                    .next()
                    .is_none_or(|file| matches!(file.literal(), None | Some("-" | "/dev/stdin")));
            }
            "--version" | "-V" | "--help" => return false,
            flag if flag.starts_with("-f") => return false,
            flag if flag.starts_with("-e")
                || flag.starts_with("--source")
                || flag.starts_with("-i")
                || flag.starts_with("-l") =>
            {
                return true;
            }
            flag if flag.starts_with('-') => {}
            program => {
                return program.contains("system")
                    || program.contains('|')
                    || program.contains('@')
                    || program.contains("getline");
            }
        }
    }
    false
}

/// `e` as a command or a flag of `s` starts programs.
fn sed(arguments: &[Word]) -> bool {
    let scripts = arguments.iter().map(Word::literal).enumerate();
    let mut given = false;
    for (index, text) in scripts {
        let Some(text) = text else {
            if !given {
                return true;
            }
            continue;
        };
        let before = index.checked_sub(1).and_then(|before| arguments.get(before)).and_then(Word::literal);
        let is_script = matches!(before, Some("-e" | "--expression"))
            || text.starts_with("--expression=")
            || (!text.starts_with('-') && !given);
        if is_script {
            given = true;
            if !crate::table::sed_script_is_plain(text.strip_prefix("--expression=").unwrap_or(text))
                && may_execute(text)
            {
                return true;
            }
        }
        if text.starts_with("-e") && text.len() > 2 || text.starts_with("-f") || text.starts_with("--file") {
            given = true;
            if text.starts_with("-e") && may_execute(text) {
                return true;
            }
        }
    }
    false
}

/// Whether a letter `e` may be the command or the flag: it stands behind an address, a semicolon, a brace or a delimiter.
fn may_execute(script: &str) -> bool {
    let mut before = ';';
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        let ends = next.is_whitespace()
            || matches!(next, ';' | '}' | 'w' | 'g' | 'p' | 'i' | 'I' | 'm' | 'M')
            || next.is_ascii_digit();
        let starts = !before.is_alphanumeric()
            || before.is_ascii_digit()
            || matches!(before, 'g' | 'p' | 'i' | 'I' | 'm' | 'M');
        if character == 'e' && starts && ends {
            return true;
        }
        before = character;
    }
    false
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

fn has_start(arguments: &[Word], starts: &[&str]) -> bool {
    arguments.iter().filter_map(Word::literal).any(|text| starts.iter().any(|start| text.starts_with(start)))
}
