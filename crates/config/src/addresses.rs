//! Variables that say where a model is asked, and which key may go there. A key is a person's, and an address that came with a
//! project is somebody else's choice.

use std::collections::BTreeMap;

use crate::Settings;

const BASE: &str = "_BASE_URL";
const KEYS: [&str; 2] = ["_API_KEY", "_AUTH_TOKEN"];
/// What is asked in place of a server: it sees a key that is sent without encryption.
const PROXIES: [&str; 4] = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

impl Settings {
    /// Why a model of `vendor` (`ANTHROPIC`, `OPENAI`: how its variables begin) cannot be asked: the project says where, and a key
    /// that is not the project's would go there. `variables`: the person's own, without those of the settings.
    #[must_use]
    pub fn key_leads_elsewhere(&self, vendor: &str, variables: &BTreeMap<String, String>) -> Option<String> {
        let base = format!("{vendor}{BASE}");
        let value = |name: &str| self.env.get(name).or_else(|| variables.get(name)).map(String::as_str);
        let is_plain =
            value(&base).is_some_and(|base| base.trim_start().to_ascii_lowercase().starts_with("http://"));
        let addresses = std::iter::once(base.as_str()).chain(PROXIES.into_iter().filter(|_| is_plain));
        let (name, file) = addresses.into_iter().find_map(|name| {
            let file = self.env_of_project.get(name)?;
            (variables.get(name) != self.env.get(name)).then_some((name, file))
        })?;
        let has_value = |key: &String| value(key).is_some_and(|key| !key.trim().is_empty());
        let key = KEYS.iter().map(|end| format!("{vendor}{end}")).filter(has_value);
        let key = key.into_iter().find(|key| !self.env_of_project.contains_key(key))?;
        let host = host(value(name).unwrap_or_default());
        Some(format!(
            "{file} sets {name} to {host}, and your {key} would be sent there: a key goes to an address of a project only \
             where it stands in the project's settings too. If you want it sent there, set {name} in your own settings or \
             environment; otherwise remove it from that file"
        ))
    }
}

/// The addresses among variables, for a person: `ANTHROPIC_BASE_URL: host`.
pub(crate) fn named(env: &BTreeMap<String, String>) -> String {
    let is_address = |name: &str| {
        let upper = name.to_ascii_uppercase();
        upper.ends_with(BASE) || upper.ends_with("_PROXY") && upper != "NO_PROXY"
    };
    let named = env.iter().filter(|(name, _)| is_address(name));
    named.map(|(name, value)| format!("{name}: {}", host(value))).collect::<Vec<_>>().join(", ")
}

/// Host and port of an address; the whole where it does not look like one.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.is_empty() { address } else { host }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts() {
        let check = |address: &str, expected: &str| assert_eq!(host(address), expected);
        check("https://a.example/v1", "a.example");
        check("http://user:word@a.example:8080?x=@b", "a.example:8080");
        check("a.example:80", "a.example:80");
        check("", "");
    }
}
