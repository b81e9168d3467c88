//! Calls of git that start a program of which rules on commands see nothing.

use super::has_start;
use crate::simple::Word;

fn names_alias(word: &Word) -> bool {
    word.literal().is_some_and(|text| text.to_ascii_lowercase().starts_with("alias."))
}

/// A sub-command that is not known, or a setting that names a program.
pub(super) fn runs_code(arguments: &[Word]) -> bool {
    let mut rest = arguments;
    let mut aliases = 0;
    while let Some(word) = rest.first() {
        let Some(flag) = word.literal() else { return true };
        if !flag.starts_with('-') {
            // These run what they are told.
            let starts = matches!(flag, "filter-branch" | "difftool" | "mergetool" | "daemon" | "send-email")
                || (flag == "rebase" && has_start(rest, &["-x", "--exec"]))
                || (flag == "bisect" && rest.get(1).and_then(Word::literal) == Some("run"))
                // A name for a sub-command that is not seen where it is used.
                || (flag == "config" && rest.iter().skip(1).any(names_alias));
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
            // What a variable gives is not seen, and one alias may stand for another.
            let is_alias = key.starts_with("alias.");
            aliases += usize::from(is_alias);
            if (is_alias && (flag != "-c" || aliases > 1))
                || key.starts_with("pager.")
                || PROGRAMS.iter().any(|end| key.ends_with(end))
                || key.starts_with("include")
            {
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
