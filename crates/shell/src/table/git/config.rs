//! `config`: which settings it shows. What a person configured for all repositories lies outside the project and may hold
//! passwords, so only settings that are known to hold none are shown.

use super::flags::{Flags, Given, NONE, read};
use crate::word::Token;

/// One setting by its name, or all where no more than names, or those of the repository, are shown.
pub(super) fn check(words: &[Token]) -> Option<()> {
    let action = words.first().and_then(Token::literal);
    let (action, words) = match action {
        Some("get" | "list") => (action, words.get(1..)?),
        _ => (None, words),
    };
    let flags = Flags {
        short: "lz",
        long: &[
            "all",
            "get",
            "get-all",
            "get-regexp",
            "global",
            "list",
            "local",
            "name-only",
            "null",
            "show-origin",
            "show-scope",
            "system",
            "worktree",
        ],
        ..NONE
    };
    let given = read(&[&flags], words)?;
    let lists = action == Some("list") || given.has(&["l", "list"]);
    let takes_pattern = given.has(&["get-regexp"]);
    let operands = operands(&given)?;
    match operands.as_slice() {
        [] if lists => given.has(&["local", "worktree", "name-only"]).then_some(()),
        [pattern] if takes_pattern => is_harmless_pattern(pattern).then_some(()),
        [name] if !lists => is_harmless(name).then_some(()),
        // The second is a pattern of the value; without an action it would be set.
        [name, _] if given.has(&["get", "get-all"]) && !takes_pattern => is_harmless(name).then_some(()),
        _ => None,
    }
}

fn operands<'t>(given: &Given<'t>) -> Option<Vec<&'t str>> {
    given.paths.is_none().then_some(())?;
    given.operands.iter().map(|operand| operand.literal()).collect()
}

/// `user.name`, `remote.origin.url`: of a section without passwords.
fn is_harmless(name: &str) -> bool {
    const SECTIONS: [&str; 48] = [
        "advice",
        "alias",
        "apply",
        "am",
        "blame",
        "branch",
        "bisect",
        "checkout",
        "clone",
        "color",
        "column",
        "commit",
        "core",
        "diff",
        "difftool",
        "extensions",
        "feature",
        "fetch",
        "filter",
        "format",
        "fsck",
        "gc",
        "gpg",
        "grep",
        "help",
        "i18n",
        "include",
        "includeif",
        "index",
        "init",
        "interactive",
        "log",
        "maintenance",
        "merge",
        "mergetool",
        "notes",
        "pack",
        "pager",
        "pull",
        "push",
        "rebase",
        "receive",
        "remote",
        "rerere",
        "safe",
        "stash",
        "status",
        "submodule",
    ];
    const MORE: [&str; 5] = ["tag", "trailer", "transfer", "user", "worktree"];
    let Some((section, key)) = name.split_once('.') else { return false };
    let section = section.to_ascii_lowercase();
    let key = key.to_ascii_lowercase();
    let secret = ["pass", "token", "secret", "header", "proxy", "cookie", "credential"];
    let known = SECTIONS.contains(&section.as_str()) || MORE.contains(&section.as_str());
    known && !key.is_empty() && !secret.iter().any(|word| key.contains(word))
}

/// `^user\.`: a pattern that keeps to one such section.
fn is_harmless_pattern(pattern: &str) -> bool {
    let Some((section, key)) = pattern.strip_prefix('^').and_then(|pattern| pattern.split_once("\\.")) else {
        return false;
    };
    let open = key.is_empty() || key == ".*";
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let remote = section.eq_ignore_ascii_case("remote");
    match open {
        true => plain(section) && !remote && is_harmless(&format!("{section}.x")),
        false => plain(section) && plain(key) && is_harmless(&format!("{section}.{key}")),
    }
}
