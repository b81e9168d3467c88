//! Programs with a language of their own: code among their words, and code that they read where no file of the project is.

use crate::scripts::is_from_elsewhere;
use crate::simple::Word;

/// Modules of Python that run no code but the project's own files, whatever their words are.
const MODULES: &[&str] = &[
    "alembic",
    "ansible",
    "ast",
    "autopep8",
    "bandit",
    "base64",
    "behave",
    "black",
    "build",
    "calendar",
    "celery",
    "compileall",
    "coverage",
    "cookiecutter",
    "daphne",
    "dis",
    "django",
    "doctest",
    "ensurepip",
    "filecmp",
    "flake8",
    "flask",
    "gunicorn",
    "gzip",
    "hatch",
    "http.server",
    "hypercorn",
    "inspect",
    "isort",
    "json.tool",
    "mkdocs",
    "mypy",
    "nox",
    "pdm",
    "pip",
    "pip_audit",
    "pipdeptree",
    "piptools",
    "platform",
    "poetry",
    "pre_commit",
    "py_compile",
    "pycodestyle",
    "pydoc",
    "pydocstyle",
    "pyflakes",
    "pylint",
    "pyright",
    "pytest",
    "radon",
    "ruff",
    "scrapy",
    "setuptools",
    "site",
    "sphinx",
    "symtable",
    "sysconfig",
    "tabnanny",
    "tarfile",
    "tokenize",
    "tox",
    "twine",
    "unittest",
    "uvicorn",
    "venv",
    "vulture",
    "webbrowser",
    "wheel",
    "xdist",
    "yamllint",
    "yapf",
    "zipapp",
    "zipfile",
];

/// A flag with code, a word that may be one, or no file: then the code comes from the standard input.
pub(super) fn interprets(program: &str, arguments: &[Word], letters: &str, long: &[&str]) -> bool {
    let is = |name: &str| program.starts_with(name);
    let python = is("python") || is("pypy") || is("jython");
    let node = is("node") || is("bun") || is("tsx") || is("ts-node");
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(flag) = word.literal() else {
            // A path with an unknown part is still a file; what begins unknown may be a flag.
            return word.may_be_flag();
        };
        if is_from_elsewhere(flag) {
            return true;
        }
        if !flag.starts_with('-') {
            return false;
        }
        if matches!(flag, "--version" | "-V" | "--help" | "-h" | "-v") {
            return false;
        }
        let is_long = long.iter().any(|name| flag.split('=').next() == Some(name));
        let cluster = flag.get(1..).filter(|flags| !flags.starts_with('-'));
        if python && let Some(cluster) = cluster {
            // What follows the first of them is its value.
            if let Some(at) = cluster.find(['c', 'm', 'W', 'X', 'i']) {
                let glued = cluster.get(at + 1..).filter(|glued| !glued.is_empty());
                match cluster.get(at..=at) {
                    Some("m") => {
                        let module = glued.or_else(|| rest.next().and_then(Word::literal));
                        return module.is_none_or(runs_more);
                    }
                    Some("W" | "X") => {
                        if glued.is_none() {
                            rest.next();
                        }
                        continue;
                    }
                    _ => return true,
                }
            }
            continue;
        }
        if is("perl") && cluster.is_some_and(is_code_of_perl) {
            return true;
        }
        if node && (flag == "-i" || flag == "--interactive") {
            return true;
        }
        if is_long || cluster.is_some_and(|flags| flags.contains(|flag| letters.contains(flag))) {
            return true;
        }
        if node && matches!(flag, "--import" | "--require" | "-r" | "--loader" | "--experimental-loader") {
            let module = rest.next().and_then(Word::literal);
            if module.is_none_or(|module| module.starts_with("data:") || is_from_elsewhere(module)) {
                return true;
            }
        } else if node && flag.contains("=data:") {
            return true;
        }
    }
    true
}

fn runs_more(module: &str) -> bool {
    let first = module.split('.').next().unwrap_or_default();
    !MODULES.contains(&module) && (!MODULES.contains(&first) || module.starts_with("http."))
}

/// `-Mmodule;code`.
fn is_code_of_perl(cluster: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_:=,-".contains(&byte);
    cluster
        .find(['M', 'm', 'd'])
        .is_some_and(|at| cluster.get(at + 1..).is_some_and(|module| !module.bytes().all(is_name)))
}

/// Where code is read from a word: it is not known, or no file.
fn is_no_file(word: Option<&Word>) -> bool {
    word.and_then(Word::literal).is_none_or(is_from_elsewhere)
}

/// The value that a long flag may be shortened to carry: in the same word, or none where it is the next.
fn long_value<'w>(text: &'w str, names: &[&str]) -> Option<Option<&'w str>> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let is = name.len() > 2 && name.starts_with("--") && names.iter().any(|long| long.starts_with(name));
    is.then_some(value)
}

/// A makefile that is none of the project's, or text that it evaluates.
pub(super) fn make(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { continue };
        if long_value(text, &["--eval"]).is_some() {
            return true;
        }
        if let Some(value) = long_value(text, &["--file", "--makefile"]) {
            let is_elsewhere = match value {
                Some(file) => is_from_elsewhere(file),
                None => is_no_file(rest.next()),
            };
            if is_elsewhere {
                return true;
            }
            continue;
        }
        let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
            continue;
        };
        let Some(at) = cluster.find(['E', 'f', 'C', 'I', 'o', 'W', 'j', 'l', 'O']) else { continue };
        let glued = cluster.get(at + 1..).filter(|glued| !glued.is_empty());
        match (cluster.get(at..=at), glued) {
            (Some("E"), _) => return true,
            (Some("f"), Some(file)) if is_from_elsewhere(file) => return true,
            (Some("f"), None) if is_no_file(rest.next()) => return true,
            (Some("C" | "I" | "o" | "W"), None) => _ = rest.next(),
            _ => {}
        }
    }
    false
}

/// A program that is not literal, is read where no file is, or may start commands.
pub(super) fn awk(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    let mut from_file = false;
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { return !from_file || word.may_be_flag() };
        if let Some(value) = long_value(text, &["--file", "--exec"]) {
            let is_elsewhere = match value {
                Some(file) => is_from_elsewhere(file),
                None => is_no_file(rest.next()),
            };
            if is_elsewhere {
                return true;
            }
            from_file = true;
            continue;
        }
        match text {
            "-F" | "-v" | "--field-separator" | "--assign" => _ = rest.next(),
            "-f" | "-E" => {
                if is_no_file(rest.next()) {
                    return true;
                }
                from_file = true;
            }
            "--version" | "-V" | "--help" => return false,
            flag if flag.starts_with("-f") || flag.starts_with("-E") => {
                if flag.get(2..).is_none_or(is_from_elsewhere) {
                    return true;
                }
                from_file = true;
            }
            flag if flag.starts_with("-e")
                || flag.starts_with("--source")
                || flag.starts_with("-i")
                || flag.starts_with("--include")
                || flag.starts_with("--load")
                || flag.starts_with("-l") =>
            {
                return true;
            }
            flag if flag.starts_with('-') => {}
            _ if from_file => return false,
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
pub(super) fn sed(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    let mut given = false;
    let mut first: Option<&Word> = None;
    let executes = |script: Option<&str>| {
        script.is_none_or(|script| !crate::table::sed_script_is_plain(script) && may_execute(script))
    };
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else {
            first = first.or(Some(word));
            continue;
        };
        if text == "--" {
            let after = rest.next();
            first = first.or(after);
            break;
        }
        if let Some(value) = long_value(text, &["--expression"]) {
            given = true;
            if executes(value.or_else(|| rest.next().and_then(Word::literal))) {
                return true;
            }
        } else if let Some(value) = long_value(text, &["--file"]) {
            given = true;
            let is_elsewhere = match value {
                Some(file) => is_from_elsewhere(file),
                None => is_no_file(rest.next()),
            };
            if is_elsewhere {
                return true;
            }
        } else if text.starts_with("--") || text == "-" || !text.starts_with('-') {
            if text == "--line-length" {
                rest.next();
            }
            if !text.starts_with("--") {
                first = first.or(Some(word));
            }
        } else {
            let cluster = text.get(1..).unwrap_or_default();
            // The rest of the word is the value of the first of these.
            let Some(at) = cluster.find(['e', 'f', 'l', 'i']) else { continue };
            let glued = cluster.get(at + 1..).filter(|glued| !glued.is_empty());
            match cluster.get(at..=at) {
                Some("e") => {
                    given = true;
                    if executes(glued.or_else(|| rest.next().and_then(Word::literal))) {
                        return true;
                    }
                }
                Some("f") => {
                    given = true;
                    let is_elsewhere = match glued {
                        Some(file) => is_from_elsewhere(file),
                        None => is_no_file(rest.next()),
                    };
                    if is_elsewhere {
                        return true;
                    }
                }
                Some("l") if glued.is_none() => _ = rest.next(),
                _ => {}
            }
        }
    }
    !given && first.is_some_and(|word| executes(word.literal()))
}

/// Whether a letter `e` may be the command or the flag: no letter stands before it, or the flag of a substitution.
fn may_execute(script: &str) -> bool {
    let mut continued = false;
    script.split('\n').any(|line| {
        // What `a`, `i` and `c` put in is text, to the end of the line.
        let command =
            line.trim_start_matches(|first: char| first.is_ascii_digit() || matches!(first, '$' | ' ' | ','));
        let is_text = continued || command.starts_with(['a', 'i', 'c']);
        continued = is_text && line.ends_with('\\');
        !is_text && line_may_execute(line)
    })
}

fn line_may_execute(line: &str) -> bool {
    let mut before = ';';
    line.chars().any(|character| {
        let starts = !before.is_alphabetic() || matches!(before, 'g' | 'p' | 'i' | 'I' | 'm' | 'M');
        before = character;
        character == 'e' && starts
    })
}
