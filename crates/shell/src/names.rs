//! Names of variables: which a script may call its own, and which it may show.

use crate::state::Variable;

/// Names that a script gives its own variables: lower case, or a letter or two. Whatever else may be a variable that
/// the shell or a program obeys.
pub(crate) fn is_the_scripts_own(name: &str) -> bool {
    const OBEYED: [&str; 8] = [
        "http_proxy",
        "https_proxy",
        "ftp_proxy",
        "all_proxy",
        "no_proxy",
        "histchars",
        "auto_resume",
        "grep_options",
    ];
    let own_case =
        |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_';
    // The zone is the name of a file that programs open.
    let short =
        name.len() <= 2 && name != "TZ" && name.chars().all(|character| character.is_ascii_uppercase());
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    short || name == "REPLY" || (starts && name.chars().all(own_case) && !OBEYED.contains(&name))
}

/// Whether a variable that the script has not set holds nothing that must be kept: it tells of the machine, the terminal, the
/// language, or of bash itself. Any other may be a key or a password.
pub(crate) fn is_harmless(name: &str) -> bool {
    const HARMLESS: [&str; 54] = [
        "HOME",
        "PWD",
        "OLDPWD",
        "TZ",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "TMPDIR",
        "TMP",
        "TEMP",
        "SHLVL",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "NO_COLOR",
        "RUST_LOG",
        "RUST_BACKTRACE",
        "VIRTUAL_ENV",
        "CONDA_DEFAULT_ENV",
        "GOPATH",
        "GOROOT",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "JAVA_HOME",
        "NVM_DIR",
        "PYENV_ROOT",
        "BASH",
        "BASH_VERSION",
        "BASH_VERSINFO",
        "BASHPID",
        "BASH_SOURCE",
        "BASH_SUBSHELL",
        "BASH_LINENO",
        "FUNCNAME",
        "PIPESTATUS",
        "RANDOM",
        "SRANDOM",
        "SECONDS",
        "EPOCHSECONDS",
        "EPOCHREALTIME",
        "LINENO",
        "PPID",
        "UID",
        "EUID",
        "GROUPS",
        "IFS",
        "OPTARG",
        "OPTIND",
        "OPTERR",
        "REPLY",
        "DIRSTACK",
        "BASHOPTS",
        "SHELLOPTS",
        "BASH_REMATCH",
        "COMP_WORDBREAKS",
    ];
    tells_of_machine(name) || HARMLESS.contains(&name) || name.starts_with("XDG_")
}

/// Variables that bash sets itself or computes anew each time: what a script assigns is not what it finds in them.
pub(crate) fn is_given_by_bash(name: &str) -> bool {
    const GIVEN: [&str; 33] = [
        "_",
        "RANDOM",
        "SRANDOM",
        "SECONDS",
        "EPOCHSECONDS",
        "EPOCHREALTIME",
        "LINENO",
        "HISTCMD",
        "PPID",
        "UID",
        "EUID",
        "GROUPS",
        "SHLVL",
        "PWD",
        "OLDPWD",
        "DIRSTACK",
        "PIPESTATUS",
        "FUNCNAME",
        "OPTARG",
        "OPTIND",
        "BASHPID",
        "BASH_ARGC",
        "BASH_ARGV",
        "BASH_ARGV0",
        "BASH_COMMAND",
        "BASH_LINENO",
        "BASH_REMATCH",
        "BASH_SOURCE",
        "BASH_SUBSHELL",
        "BASHOPTS",
        "SHELLOPTS",
        "COLUMNS",
        "LINES",
    ];
    GIVEN.contains(&name)
}

/// Variables with the integer attribute from the start: bash evaluates what is assigned to them as arithmetic.
pub(crate) fn is_integer(name: &str) -> bool {
    const INTEGERS: [&str; 12] = [
        "RANDOM",
        "SRANDOM",
        "SECONDS",
        "EPOCHSECONDS",
        "EPOCHREALTIME",
        "LINENO",
        "HISTCMD",
        "OPTIND",
        "BASHPID",
        "PPID",
        "UID",
        "EUID",
    ];
    INTEGERS.contains(&name)
}

/// Variables that bash lets nobody set.
pub(crate) fn is_fixed(name: &str) -> bool {
    ["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"].contains(&name)
}

/// Variables that bash gives a number itself, whatever was handed to it.
pub(crate) fn is_always_number(name: &str) -> bool {
    ["RANDOM", "SRANDOM", "UID", "EUID", "PPID", "BASHPID", "EPOCHSECONDS", "LINENO", "SHLVL"].contains(&name)
}

/// Inherited variables whose values are no files of the work: who works, on which machine, in which language.
pub(crate) fn tells_of_machine(name: &str) -> bool {
    const THOSE: [&str; 17] = [
        "PATH",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "TERM",
        "COLORTERM",
        "TERM_PROGRAM",
        "CI",
        "COLUMNS",
        "LINES",
        "HOSTNAME",
        "HOSTTYPE",
        "OSTYPE",
        "MACHTYPE",
        "NODE_ENV",
    ];
    THOSE.contains(&name) || name.starts_with("LC_")
}

/// Assignments before a command that an allow rule for the command passes over. `value` is none where it is not known. What programs
/// open by the value (zones, languages, terminals) is one of the system's files, and no path.
pub(crate) fn is_safe_to_set(name: &str, value: Option<&str>) -> bool {
    const SAFE: [&str; 9] = [
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "COLUMNS",
        "LINES",
        "CI",
        "NODE_ENV",
        "RUST_BACKTRACE",
        "RUST_LOG",
    ];
    const CATEGORIES: [&str; 6] =
        ["LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"];
    match name {
        "TZ" => value.is_some_and(is_zone),
        "LANG" | "LC_ALL" | "TERM" => value.is_some_and(|value| !value.contains('/')),
        _ if CATEGORIES.contains(&name) => value.is_some_and(|value| !value.contains('/')),
        _ => SAFE.contains(&name),
    }
}

/// Assignments before a command that only reads which change how it shows what it reads, and nothing else: colours, units, the
/// order of languages. What would be started is nothing, or `cat`. Unlike those that are safe to set, an allow rule for the command
/// does not pass over them.
pub(crate) fn changes_looks_alone(name: &str, value: Option<&str>) -> bool {
    match name {
        "LS_COLORS" | "TREE_COLORS" | "GREP_COLOR" | "GREP_COLORS" | "CLICOLOR_FORCE" | "COLORTERM"
        | "BLOCK_SIZE" | "BLOCKSIZE" | "TIME_STYLE" | "QUOTING_STYLE" => true,
        // Names of folders in which messages are looked for.
        "LANGUAGE" => value.is_some_and(|value| !value.contains(['/', '.'])),
        "PAGER" | "GIT_PAGER" => matches!(value, Some("" | "cat")),
        // As it is set for every command that only reads.
        "GIT_OPTIONAL_LOCKS" | "GIT_TERMINAL_PROMPT" => value == Some("0"),
        _ => false,
    }
}

/// Whether it names a time zone of the system, or describes one.
pub(crate) fn is_zone(value: &str) -> bool {
    !value.starts_with(['/', '.', ':', '~']) && !value.contains("..")
}

/// Whether programs start what the variable holds: a pager, an editor, a library, a script.
pub(crate) fn names_program(name: &str) -> bool {
    const NAMES: [&str; 28] = [
        "GIT_ALLOW_PROTOCOL",
        "GIT_PROTOCOL_FROM_USER",
        "GCC_EXEC_PREFIX",
        "COMPILER_PATH",
        "LUA_INIT",
        "RUBYLIB",
        "BASH_ENV",
        "ENV",
        "PS4",
        "PROMPT_COMMAND",
        "VISUAL",
        "BROWSER",
        "LESSOPEN",
        "LESSCLOSE",
        "PERL5OPT",
        "PERL5DB",
        "RUBYOPT",
        "PYTHONSTARTUP",
        "JAVA_TOOL_OPTIONS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RSYNC_RSH",
        "TAR_OPTIONS",
        "ZIPOPT",
        "RIPGREP_CONFIG_PATH",
        "GIT_SSH",
        "GIT_EXTERNAL_DIFF",
        "GIT_EXEC_PATH",
    ];
    const ENDS: [&str; 4] = ["PAGER", "EDITOR", "_ASKPASS", "_COMMAND"];
    const STARTS: [&str; 6] = ["LD_", "DYLD_", "BASH_CMDS", "BASH_FUNC_", "LUA_INIT_", "GIT_CONFIG"];
    NAMES.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || STARTS.iter().any(|start| name.starts_with(start))
}

/// Whether a program may start what an assignment gives it: before a command, by `export`, or by `env`.
pub(crate) fn may_start(name: &str, value: &Variable) -> bool {
    if names_program(name) && !value.starts_nothing() {
        return true;
    }
    let known = value.known();
    match name {
        "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS" => {
            known.is_empty() || !known.iter().all(|value| are_plain_flags_of_make(&value.text))
        }
        // A function that is handed on, an expansion that `make` or a shell evaluates, a module that is no file.
        _ if is_the_scripts_own(name) => false,
        _ => known.iter().any(|value| {
            let is_code = ["$(", "`", "${"].iter().any(|sign| value.text.contains(sign));
            let is_module = name == "NODE_OPTIONS"
                && ["data:", "/dev/", "/proc/"].iter().any(|place| value.text.contains(place));
            is_code || is_module || value.text.trim_start().starts_with("()")
        }),
    }
}

/// Flags that say how much `make` does at once and how much it tells.
fn are_plain_flags_of_make(value: &str) -> bool {
    value.split_whitespace().all(|word| {
        let jobs = word.strip_prefix("--jobs=").or(word.strip_prefix("-j")).unwrap_or(word);
        jobs.bytes().all(|byte| byte.is_ascii_digit())
            || matches!(
                word,
                "-k" | "-s" | "-w" | "-B" | "-n" | "--silent" | "--quiet" | "--no-print-directory"
            )
            || matches!(word, "-Oline" | "-Otarget" | "-O" | "--output-sync" | "--keep-going")
    })
}

/// Whether programs or the shell act on the variable where it was handed to the shell: what they start, load, or where they look.
pub(crate) fn is_obeyed_by_programs(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "PATH",
        "HOME",
        "SHELL",
        "IFS",
        "CDPATH",
        "CLASSPATH",
        "GEM_HOME",
        "GEM_PATH",
        "GOFLAGS",
        "MAKEFLAGS",
        "MANPATH",
        "TMPDIR",
        "KUBECONFIG",
        "CC",
        "CXX",
        "JAVA_HOME",
        "GREP_OPTIONS",
    ];
    const STARTS: [&str; 12] = [
        "GIT_",
        "NODE_",
        "PYTHON",
        "PERL",
        "RUBY",
        "CARGO_",
        "RUST",
        "XDG_",
        "SSH_",
        "DOCKER_",
        "npm_config_",
        "NPM_CONFIG_",
    ];
    let obeyed =
        names_program(name) || NAMES.contains(&name) || STARTS.iter().any(|start| name.starts_with(start));
    obeyed && !is_safe_to_set(name, Some(""))
}

/// Whether the text is a name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
