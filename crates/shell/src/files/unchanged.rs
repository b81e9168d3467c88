//! Words that name files which a program only reads, though it is not among those that are known to do nothing else: whatever else it
//! is given, it may change.

use toolwright_core::PathAccess;

use crate::word::Token;

/// Values of such flags that are looked at.
const MOST_OUTPUTS: usize = 8;

/// How many of a program's operands are read, or are no files: all, or the first ones.
enum Reads {
    All,
    First(usize),
}

/// The words of the command that name nothing it changes.
pub(super) fn read<'t>(program: &str, arguments: &'t [Token]) -> Vec<&'t Token> {
    if program == "make" {
        // Names of targets, as long as they are no paths.
        return arguments.iter().filter(|token| !token.text.contains(['/', '.', '='])).collect();
    }
    match reads(program, arguments) {
        Some(Reads::All) => arguments.iter().collect(),
        Some(Reads::First(count)) => {
            arguments.iter().filter(|token| !token.text.starts_with('-') && token.exact).take(count).collect()
        }
        None => Vec::new(),
    }
}

fn reads(program: &str, arguments: &[Token]) -> Option<Reads> {
    let words = || arguments.iter().map(|token| token.text.as_str()).filter(|text| !text.starts_with('-'));
    let first = words().next().unwrap_or_default();
    let has = |flags: &[&str]| words().any(|word| flags.contains(&word));
    let interpreters = [
        "python",
        "python2",
        "python3",
        "pypy3",
        "node",
        "ruby",
        "php",
        "lua",
        "perl",
        "Rscript",
        "java",
        "sh",
        "bash",
        "dash",
        "zsh",
        "ksh",
        "fish",
        "bun",
        "deno",
        "tsx",
        "ts-node",
        "source",
        ".",
        "julia",
        "elixir",
        "swift",
        "osascript",
    ];
    if interpreters.contains(&program) {
        if program.starts_with("python") && arguments.first().is_some_and(|token| token.text == "-m") {
            return reads_as_module(arguments);
        }
        let runs = matches!((program, first), ("bun" | "deno", "run" | "test"));
        return Some(Reads::First(if runs { 2 } else { 1 }));
    }
    match program {
        "cat" | "head" | "tail" | "less" | "more" | "wc" | "nl" | "tac" | "rev" | "cut" | "paste" | "fold" | "expand"
        | "unexpand" | "pr" | "od" | "hexdump" | "strings" | "comm" | "cmp" | "diff" | "file" | "stat" | "base64"
        | "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" | "cksum" | "column" | "bat" | "du" | "iconv" | "jq" | "join" | "shuf"
        | "fmt" | "look" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "ls" | "eza" | "exa" | "sort" | "zcat" | "zgrep"
        | "xzcat" | "bzcat" | "fd" | "fdfind" | "readlink" | "realpath" | "basename" | "dirname" | "test" | "[" | "which" | "type"
        | "tokei" | "cloc" | "scc" | "cd" | "pushd" | "export" | "declare" | "local" | "readonly" | "typeset" | "read"
        // What checks, runs tests, sends or builds elsewhere.
        | "pytest" | "jest" | "vitest" | "mocha" | "ava" | "rspec" | "phpunit" | "mypy" | "pyright" | "flake8" | "pylint" | "bandit"
        | "shellcheck" | "hadolint" | "yamllint" | "actionlint" | "tflint" | "golangci-lint" | "staticcheck" | "eslint" | "ruff"
        | "biome" | "oxlint" | "stylelint" | "prettier" | "black" | "isort" | "rubocop" | "tsc" | "ctest" | "bats" | "tox" | "nox"
        | "ssh" | "scp" | "kubectl" | "oc" | "helm" | "kustomize" | "ansible-playbook" | "aws" | "gcloud" | "az" | "http" | "https"
        | "curl" | "wget" | "gpg" | "ping" | "nc" | "ps" | "kill" | "pgrep" | "systemctl" | "journalctl" | "gcc" | "g++" | "cc"
        | "c++" | "clang" | "clang++" | "javac" | "rustc" | "cp" | "mv" | "rsync" | "ln" | "install" | "dd" | "tar" | "zip" | "split"
        | "csplit" | "openssl" | "date" | "tree" | "find" | "patch" | "uniq" | "xxd" | "git" => Some(Reads::All),
        "gh" | "glab" | "hub" => {
            let writes = has(&["clone", "download", "checkout", "extract", "sync", "fork", "create-project"]);
            Some(if writes { Reads::First(2) } else { Reads::All })
        }
        "docker" | "podman" | "nerdctl" => {
            let builds = matches!(first, "build" | "buildx" | "image" | "push" | "compose" | "ps" | "logs" | "exec" | "stop" | "rm");
            Some(if builds { Reads::All } else { Reads::First(1) })
        }
        "cargo" | "go" | "dotnet" | "mvn" | "gradle" | "terraform" | "tofu" => {
            let writes = has(&["fmt", "fix", "generate", "new", "init", "mod", "get", "add", "publish", "format"]);
            Some(if writes { Reads::First(1) } else { Reads::All })
        }
        "npm" | "pnpm" | "yarn" => Some(Reads::First(if matches!(first, "run" | "run-script" | "exec") { 2 } else { 1 })),
        "pip" | "pip3" => {
            let target = |token: &Token| {
                let flag = token.text.split('=').next().unwrap_or_default();
                matches!(flag, "-t" | "--target" | "--prefix" | "--root" | "-d" | "--dest" | "-w" | "--wheel-dir" | "--src")
            };
            Some(if arguments.iter().any(target) { Reads::First(1) } else { Reads::All })
        }
        // The program that they start is the first word behind.
        "npx" | "bunx" | "poetry" | "bundle" | "uv" | "pipenv" | "pdm" | "hatch"
            if let Some(all) = reads_as_started(arguments, if matches!(program, "npx" | "bunx") { 0 } else { 1 }) =>
        {
            Some(all)
        }
        "npx" | "bunx" | "uv" | "poetry" | "bundle" | "composer" | "just" | "task" | "rake" | "nx" | "turbo" => {
            let starts = matches!(first, "run" | "exec");
            Some(Reads::First(if starts { 2 } else { 1 }))
        }
        _ => None,
    }
}

/// What the program reads that stands behind so many words, where that is all of them.
fn reads_as_started(arguments: &[Token], behind: usize) -> Option<Reads> {
    let mut words = arguments.iter().enumerate().filter(|(_, token)| !token.text.starts_with('-'));
    let (at, program) = words.nth(behind)?;
    let rest = arguments.get(at + 1..).unwrap_or_default();
    let started = !matches!(
        program.text.as_str(),
        "npx" | "bunx" | "poetry" | "bundle" | "uv" | "pipenv" | "pdm" | "hatch"
    );
    (program.exact && started && reads_all(&program.text, rest)).then_some(Reads::All)
}

/// `python3 -m module ..`.
fn reads_as_module(arguments: &[Token]) -> Option<Reads> {
    let module = arguments.get(1).map(|token| token.text.as_str()).unwrap_or_default();
    let checks = matches!(
        module,
        "pytest" | "unittest" | "mypy" | "flake8" | "pylint" | "build" | "http.server" | "json.tool"
    );
    Some(if checks { Reads::All } else { Reads::First(1) })
}

/// Whether it only reads what its words name, whichever these are, and was not told to write over it.
pub(super) fn reads_all(program: &str, arguments: &[Token]) -> bool {
    let all = matches!(reads(program, arguments), Some(Reads::All));
    let writes = |(_, access): &(Option<String>, PathAccess)| !access.is_read();
    all && !super::touched(program, arguments).iter().any(writes)
}

/// The files that a program which is not known would write if its flags mean what they mean elsewhere.
pub(super) fn outputs(program: &str, arguments: &[Token]) -> super::Touches {
    if matches!(reads(program, arguments), Some(Reads::All)) {
        return Vec::new();
    }
    let behind = arguments.iter().skip(1).map(Some).chain([None]);
    let value = |(flag, next): (&Token, Option<&Token>)| {
        let text = flag.text.as_str();
        let long = |text: &str| {
            let begins = |beginning: &str| {
                let name = text.trim_start_matches('-');
                name.get(..beginning.len()).is_some_and(|name| name.eq_ignore_ascii_case(beginning))
            };
            text.starts_with('-') && (begins("out") || begins("dest"))
        };
        match text.split_once('=') {
            Some((name, value)) if long(name) => Some(value.to_owned()),
            None if text == "-o" || long(text) => {
                next.filter(|next| next.exact).map(|next| next.text.clone())
            }
            _ => None,
        }
    };
    let values = arguments.iter().zip(behind).filter_map(value);
    values
        .filter(|path| !path.is_empty())
        .take(MOST_OUTPUTS)
        .map(|path| (Some(path), PathAccess::MayWrite))
        .collect()
}
