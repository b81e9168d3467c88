//! The keys settings may have, and what was probably meant by one they may not.

/// Keys at the root that this program, or a tool of it, reads.
pub(crate) const ROOT: [&str; 26] = [
    "$schema",
    "agents",
    "apiKeyHelper",
    "autoCompactEnabled",
    "bash",
    "checkpoints",
    "cleanupPeriodDays",
    "disableAllHooks",
    "edit",
    "enableToolSearch",
    "env",
    "files",
    "hooks",
    "limits",
    "lsp",
    "mcpServers",
    "memory",
    "model",
    "modelOptions",
    "outputStyle",
    "permissions",
    "read",
    "sandbox",
    "statusLine",
    "tools",
    "web",
];

/// Keys in `permissions`.
pub(crate) const PERMISSIONS: [&str; 6] =
    ["additionalDirectories", "allow", "ask", "defaultMode", "deny", "disableBypassPermissionsMode"];

/// A sentence on a key that means nothing here.
pub(crate) fn unknown(key: &str, known: &[&str]) -> String {
    match nearest(key, known) {
        Some(meant) => format!("`{key}` is no setting and does nothing; did you mean `{meant}`?"),
        None => format!("`{key}` is no setting and does nothing"),
    }
}

/// The known name that was probably meant.
pub(crate) fn nearest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let folded = name.to_lowercase();
    known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(&folded, &known.to_lowercase()), *known))
        .filter(|(distance, known)| *distance <= known.len().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
