//! The address of a server, and whether a proxy stands before it. Reads the environment snapshot, resolves no name.

use reqwest::{NoProxy, Proxy, Url};
use toolwright_core::Environment;

use crate::{ModelError, ModelErrorKind};

/// The address at `base` whose path `path` makes from that of `base`; a query stays. None where `base` is no address.
pub(super) fn address(base: &str, path: fn(&str) -> String) -> Option<Url> {
    let mut url = Url::parse(base.trim()).ok()?;
    if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
        return None;
    }
    let path = path(url.path().trim_end_matches('/'));
    url.set_path(&path);
    url.set_fragment(None);
    Some(url)
}

/// The proxies that the variables name for `url`. As curl has it, a name in lower case goes before one in upper case.
pub(super) fn proxies(environment: &Environment, url: &Url) -> Result<Vec<Proxy>, ModelError> {
    type Build = fn(&str) -> reqwest::Result<Proxy>;
    let variable = |name: &str| {
        let names = [name.to_ascii_lowercase(), name.to_owned()];
        let values = names.iter().filter_map(|name| environment.variable(name));
        values.map(str::trim).find(|value| !value.is_empty())
    };
    let except = variable("NO_PROXY").unwrap_or_default();
    if is_excepted(except, url) {
        return Ok(Vec::new());
    }
    let kinds: [(&str, Build); 3] = [
        ("HTTPS_PROXY", |address| Proxy::https(address)),
        ("HTTP_PROXY", |address| Proxy::http(address)),
        ("ALL_PROXY", |address| Proxy::all(address)),
    ];
    let mut proxies = Vec::new();
    for (name, build) in kinds {
        if let Some(address) = variable(name) {
            // The address may hold a password, so it is not repeated.
            let proxy = build(address).map_err(|_| {
                let text = format!("{name} is no address of a proxy: it should look like http://host:3128.");
                ModelError::new(ModelErrorKind::NotConfigured, text)
            })?;
            // It knows ranges of addresses as well.
            proxies.push(proxy.no_proxy(NoProxy::from_string(except)));
        }
    }
    Ok(proxies)
}

/// Whether `NO_PROXY` names the host of `url`: with `*`, a domain, an address, each with a port or without.
fn is_excepted(except: &str, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_ascii_lowercase();
    let entries = except.split([',', ' ', '\t']).map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(str::to_ascii_lowercase).any(|entry| {
        if entry == "*" {
            return true;
        }
        let (name, port) = with_port(&entry);
        let name = name.trim_matches(['[', ']']).trim_start_matches("*.").trim_matches('.');
        let below = host.strip_suffix(name).is_some_and(|below| below.is_empty() || below.ends_with('.'));
        !name.is_empty() && below && port.is_none_or(|port| url.port_or_known_default() == Some(port))
    })
}

fn with_port(entry: &str) -> (&str, Option<u16>) {
    match entry.rsplit_once(':') {
        // Colons stand in an address of version 6 too.
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (entry, None),
        },
        _ => (entry, None),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn addresses() {
        let check = |base: &str, expect: Option<&str>| {
            let found = address(base, |path| format!("{}/v1/messages", path.trim_end_matches("/v1")));
            assert_eq!(found.as_ref().map(Url::as_str), expect, "{base}");
        };
        check("http://h", Some("http://h/v1/messages"));
        check("https://h:8443/", Some("https://h:8443/v1/messages"));
        check(" http://h/a%20b/v1/ ", Some("http://h/a%20b/v1/messages"));
        check("http://h?x=1", Some("http://h/v1/messages?x=1"));
        check("http://h/v1/?x=1&y=/#part", Some("http://h/v1/messages?x=1&y=/"));
        check("ftp://h", None);
        check("h:80", None);
        check("", None);
    }

    #[test]
    fn exceptions_from_proxies() {
        let check = |except: &str, address: &str, expect: bool| {
            assert_eq!(is_excepted(except, &Url::parse(address).unwrap()), expect, "{except}: {address}");
        };
        check("*", "http://10.0.0.1:8080", true);
        check("*", "http://[::1]:8080", true);
        check("a, *", "https://api.example.com", true);
        check("10.0.0.1:8080", "http://10.0.0.1:8080", true);
        check("10.0.0.1:8081", "http://10.0.0.1:8080", false);
        check("example.com:443", "https://api.example.com", true);
        check("example.com:80", "https://api.example.com", false);
        check("EXAMPLE.com", "https://api.example.com", true);
        check(".example.com", "https://example.com", true);
        check("*.example.com", "https://api.example.com", true);
        check("example.com", "https://notexample.com", false);
        check("[::1]:8080", "http://[::1]:8080", true);
        check("::1", "http://[::1]:8080", true);
        check("[::1]:1", "http://[::1]:8080", false);
        check("", "http://h", false);
        check(" , .", "http://h", false);
    }

    #[test]
    fn lower_case_goes_first_as_in_curl() {
        let check = |variables: &[(&str, &str)], expect: Result<usize, &str>| {
            let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let environment = Environment::new(variables.collect::<BTreeMap<_, _>>(), serde_json::Map::new());
            let found = proxies(&environment, &Url::parse("http://h").unwrap());
            let found = found.map(|proxies| proxies.len()).map_err(|error| error.message);
            assert_eq!(
                found.as_ref().map_err(|text| text.split(' ').next().unwrap()),
                expect.as_ref().map_err(|text| *text)
            );
        };
        let bad = "http://[";
        check(&[("HTTP_PROXY", "http://p:1")], Ok(1));
        check(&[("HTTP_PROXY", bad), ("http_proxy", "http://p:1")], Ok(1));
        check(&[("HTTP_PROXY", "http://p:1"), ("http_proxy", bad)], Err("HTTP_PROXY"));
        check(&[("HTTP_PROXY", "http://p:1"), ("http_proxy", " ")], Ok(1));
        check(&[("HTTP_PROXY", "http://p:1"), ("NO_PROXY", "x"), ("no_proxy", "*")], Ok(0));
        check(&[("HTTP_PROXY", "http://p:1"), ("NO_PROXY", "*"), ("no_proxy", "x")], Ok(1));
    }
}
