//! Patterns for host names, compared label by label. Knows no URL: the tool takes the host out of it.

use super::{Case, Glob, Literal, PatternError};

/// `example.com`, `*.example.com`, `example.*`, `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DomainPattern {
    /// Whether any number of labels, at least one, may stand before the others.
    any_depth: bool,
    labels: Vec<Glob>,
}

impl DomainPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
        let host = plain_host(text.trim());
        if host.is_empty()
            || host.contains(|character: char| !is_host_character(character) && character != '*')
        {
            return Err("gives no host name; write the name alone, without scheme, port or path".into());
        }
        let (any_depth, rest) = match host.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None if host == "*" => (true, ""),
            None => (false, host.as_str()),
        };
        let labels = if rest.is_empty() { Vec::new() } else { rest.split('.').map(Glob::stars).collect() };
        Ok(Self { any_depth, labels })
    }

    /// What the names that it means have in common.
    pub(crate) fn literal(&self) -> Literal {
        let exact: Option<Vec<String>> = self.labels.iter().map(Glob::text).collect();
        match (exact, self.any_depth) {
            (Some(labels), false) => Literal::Whole(labels.join(".")),
            (Some(labels), true) if !labels.is_empty() => Literal::End(format!(".{}", labels.join("."))),
            _ => Literal::End(String::new()),
        }
    }

    pub(crate) fn matches(&self, host: &str) -> bool {
        let host = plain_host(host);
        let labels: Vec<&str> = host.split('.').collect();
        let Some(before) = labels.len().checked_sub(self.labels.len()) else { return false };
        let depth_fits = if self.any_depth { before > 0 } else { before == 0 };
        depth_fits
            && labels
                .iter()
                .skip(before)
                .zip(&self.labels)
                .all(|(label, pattern)| pattern.matches(label, Case::Exact))
    }
}

/// Lower case, without the final dot of an absolute name.
pub(crate) fn plain_host(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// Whether a host name may hold it. A name in another script comes as `xn--..`; anything else is a look-alike.
pub(crate) fn is_host_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_' | ':' | '[' | ']')
}
