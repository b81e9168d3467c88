//! Calls of git that start a program of which rules on commands see nothing.

use super::has_start;
use crate::git_commands::is_known;
use crate::simple::Word;

/// Ends of the names of settings that name a program.
const PROGRAMS: [&str; 22] = [
    "pager",
    "editor",
    "command",
    "cmd",
    "textconv",
    "external",
    "fsmonitor",
    "helper",
    "hookspath",
    "askpass",
    "program",
    "process",
    "clean",
    "smudge",
    "driver",
    "proxy",
    "tool",
    "path",
    "gitproxy",
    "uploadpack",
    "receivepack",
    "exec",
];

/// Whether a setting names a program, or lets an address name one: `ext::program`.
fn starts_program(key: &str) -> bool {
    key.starts_with("pager.")
        || key.starts_with("protocol.")
        || key.starts_with("url.")
        || key.starts_with("include")
        || PROGRAMS.iter().any(|end| key.ends_with(end))
}

/// Whether `git config` sets such a setting, or a name for a sub-command that is not seen where it is used.
fn sets_program(words: &[Word]) -> bool {
    let shows = |word: &Word| {
        let flag = word.literal().unwrap_or_default();
        flag.starts_with("--get")
            || flag.starts_with("--unset")
            || matches!(flag, "get" | "unset" | "list" | "-l" | "--list")
    };
    let names = |word: &Word| {
        let Some(text) = word.literal() else { return false };
        let key = text.to_ascii_lowercase();
        key.starts_with("alias.") || (key.contains('.') && !key.starts_with('-') && starts_program(&key))
    };
    !words.iter().any(shows) && words.iter().any(names)
}

/// A sub-command that is not known, or a setting that names a program.
pub(super) fn runs_code(arguments: &[Word]) -> bool {
    // The program stands in the address.
    if arguments.iter().any(|word| word.literal().is_some_and(|text| text.contains("ext::"))) {
        return true;
    }
    let mut rest = arguments;
    let mut aliases = 0;
    while let Some(word) = rest.first() {
        let Some(flag) = word.literal() else { return true };
        if !flag.starts_with('-') {
            // These run what they are told.
            let starts = matches!(
                flag,
                "filter-branch" | "difftool" | "mergetool" | "daemon" | "send-email" | "instaweb"
            ) || !is_known(flag)
                || (flag == "clone" && has_start(rest, &["-u", "-c", "--config", "--template"]))
                || (flag == "rebase" && has_start(rest, &["-x", "--exec"]))
                || (flag == "bisect" && rest.get(1).and_then(Word::literal) == Some("run"))
                || (flag == "config" && sets_program(rest.get(1..).unwrap_or_default()));
            return starts
                || has_start(
                    rest,
                    &["--upload-pack", "--receive-pack", "--exec=", "-O", "--open-files-in-pager"],
                );
        }
        if flag == "-c" || flag == "--config-env" || flag.starts_with("--config-env=") {
            let glued = flag.split_once('=').map(|(_, value)| value);
            let setting = glued.or_else(|| rest.get(1).and_then(Word::literal));
            let Some(setting) = setting else { return true };
            let key = setting.split('=').next().unwrap_or_default().to_ascii_lowercase();
            // What a variable gives is not seen, and one alias may stand for another.
            let is_alias = key.starts_with("alias.");
            aliases += usize::from(is_alias);
            if (is_alias && (flag != "-c" || aliases > 1)) || starts_program(&key) {
                return true;
            }
        }
        if flag.starts_with("--exec-path=") {
            return true;
        }
        let valued = matches!(
            flag,
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--super-prefix"
        );
        rest = rest.get(if valued { 2 } else { 1 }..).unwrap_or_default();
    }
    false
}
