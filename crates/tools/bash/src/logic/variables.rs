//! The variables a command gets.

use std::path::PathBuf;

use toolwright_core::Environment;
use toolwright_process::Variables;

/// The host's without its secrets, and such that no program waits for a person: no pager, no editor, no prompt, a
/// terminal that can do nothing. A command may set its own.
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
    let inherited = Variables::inherited(&environment.variables);
    QUIET.iter().fold(inherited, |variables, (name, value)| variables.with(*name, *value))
}

/// For a command that only reads: git takes no lock for what it need not write, so that calls beside each other do not
/// meet, writes no index and starts neither a watcher nor a hook nor a signature check that a repository asks for.
pub(crate) fn variables_for(variables: &Variables, read_only: bool) -> Variables {
    if !read_only {
        return variables.clone();
    }
    const CALM: [(&str, &str); 4] = [
        ("core.fsmonitor", "false"),
        ("core.hooksPath", "/dev/null"),
        ("diff.autoRefreshIndex", "false"),
        ("log.showSignature", "false"),
    ];
    let base = variables.clone().with("GIT_OPTIONAL_LOCKS", "0");
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

/// Where outputs too long to keep are written if there is no session they could go with. Files stay: the caller is told their
/// names.
pub(crate) fn temporary_folder(environment: &Environment) -> PathBuf {
    PathBuf::from(environment.variable("TMPDIR").unwrap_or("/tmp"))
}
