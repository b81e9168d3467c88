//! The variables a command gets.

use std::path::PathBuf;

use toolwright_core::Environment;
use toolwright_process::Variables;

/// The host's without its secrets and without what would change how bash reads a text, and such that no program waits for a
/// person: no pager, no editor, no prompt, a terminal that can do nothing. A command may set its own.
pub(crate) fn variables(environment: &Environment) -> Variables {
    const QUIET: [(&str, &str); 7] = [
        ("TERM", "dumb"),
        ("PAGER", "cat"),
        ("GIT_PAGER", "cat"),
        // Takes the text that is there: a merge goes on, an empty commit message aborts.
        ("GIT_EDITOR", "true"),
        ("GIT_TERMINAL_PROMPT", "0"),
        // `cd x` goes to x here and nowhere else.
        ("CDPATH", ""),
        ("TOOLWRIGHT", "1"),
    ];
    let inherited = Variables::inherited(&environment.variables).only(|name| !changes_the_shell(name));
    QUIET.iter().fold(inherited, |variables, (name, value)| variables.with(*name, *value))
}

/// Functions that take the place of programs, options and variables by which one text means several things.
fn changes_the_shell(name: &str) -> bool {
    const NAMES: [&str; 21] = [
        "BASHOPTS",
        "BASH_ARGV0",
        "BASH_COMPAT",
        "BASH_LOADABLES_PATH",
        "BASH_XTRACEFD",
        "CHILD_MAX",
        "EXECIGNORE",
        "FIGNORE",
        "FUNCNEST",
        "GLOBIGNORE",
        "GLOBSORT",
        "OPTERR",
        "OPTIND",
        "POSIXLY_CORRECT",
        "PROMPT_COMMAND",
        "PS4",
        "SHELLOPTS",
        "TIMEFORMAT",
        "TMOUT",
        "auto_resume",
        "histchars",
    ];
    name.starts_with("BASH_FUNC_") || NAMES.contains(&name)
}

/// For a command that only reads: git takes no lock for what it need not write, so that calls beside each other do not
/// meet, writes no index, fetches nothing, and starts neither a watcher nor a hook nor a signature check that a repository
/// asks for.
pub(crate) fn calm(variables: Variables) -> Variables {
    const CALM: [(&str, &str); 8] = [
        ("core.fsmonitor", "false"),
        ("core.hooksPath", "/dev/null"),
        ("diff.autoRefreshIndex", "false"),
        ("diff.orderFile", "/dev/null"),
        ("diff.submodule", "short"),
        // Doing a merge once more starts the programs that merge.
        ("log.diffMerges", "separate"),
        ("log.showSignature", "false"),
        ("status.submoduleSummary", "false"),
    ];
    let base = variables.with("GIT_OPTIONAL_LOCKS", "0").with("GIT_NO_LAZY_FETCH", "1");
    // Settings the person passes this way stay, in front of ours.
    let first: usize = base.get("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or_default();
    let base = base.with("GIT_CONFIG_COUNT", (first + CALM.len()).to_string());
    CALM.iter().enumerate().fold(base, |variables, (index, (key, value))| {
        let number = first + index;
        variables
            .with(format!("GIT_CONFIG_KEY_{number}"), *key)
            .with(format!("GIT_CONFIG_VALUE_{number}"), *value)
    })
}

/// For a command that nobody has seen and that was let through because it only reads: the variables of which it is known that
/// they make no program do anything else. What is analysed is what programs do without the others (`GIT_DIR`, `LESSOPEN`,
/// `RIPGREP_CONFIG_PATH`, `LD_PRELOAD`).
pub(crate) fn known(variables: Variables) -> Variables {
    const NAMES: [&str; 47] = [
        "CARGO_HOME",
        "CDPATH",
        "CI",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLORTERM",
        "COLUMNS",
        "EDITOR",
        "FORCE_COLOR",
        "GIT_EDITOR",
        "GIT_PAGER",
        "GIT_TERMINAL_PROMPT",
        "GOPATH",
        "GOROOT",
        "GREP_COLOR",
        "GREP_COLORS",
        "HOME",
        "HOSTNAME",
        "JAVA_HOME",
        "LANG",
        "LANGUAGE",
        "LINES",
        "LOCALE_ARCHIVE",
        "LOCPATH",
        "LOGNAME",
        "LS_COLORS",
        "NODE_ENV",
        "NO_COLOR",
        "NVM_DIR",
        "OLDPWD",
        "PAGER",
        "PATH",
        "PWD",
        "RUSTUP_HOME",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "SHELL",
        "SHLVL",
        "TERM",
        "TERM_PROGRAM",
        "TMPDIR",
        "TOOLWRIGHT",
        "TREE_COLORS",
        "TZ",
        "USER",
        "VISUAL",
        "TOOLWRIGHT_JOB",
    ];
    variables.only(|name| name.starts_with("LC_") || name.starts_with("XDG_") || NAMES.contains(&name))
}

/// Where outputs too long to keep are written if there is no session they could go with. Files stay: the caller is told their
/// names.
pub(crate) fn temporary_folder(environment: &Environment) -> PathBuf {
    PathBuf::from(environment.variable("TMPDIR").unwrap_or("/tmp"))
}
