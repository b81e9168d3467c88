//! The variables a child is given: always said explicitly, and never the agent's own keys.

use std::collections::BTreeMap;

/// The variable that marks every process of a job, so that it is found again wherever it went.
pub const MARKER: &str = "TOOLWRIGHT_JOB";

/// The variables of a child. Made from the host's snapshot; the agent's own secrets are left out.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwright_process::Variables;
/// let host = [("ANTHROPIC_API_KEY", "sk"), ("GITHUB_TOKEN", "gh"), ("PATH", "/bin")];
/// let host: BTreeMap<String, String> = host.map(|(name, value)| (name.into(), value.into())).into();
/// let child = Variables::inherited(&host).with("TERM", "dumb");
/// assert_eq!(child.get("ANTHROPIC_API_KEY"), None);
/// assert_eq!(child.get("GITHUB_TOKEN"), Some("gh"));
/// assert_eq!(child.get("TERM"), Some("dumb"));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Variables(BTreeMap<String, String>);

impl Variables {
    /// The host's variables without the agent's own secrets ([`is_own_secret`]), its `BASH_ENV` and `ENV`, which would run a
    /// script before every command, and its `OLDPWD`, a folder that the child was never in.
    #[must_use]
    pub fn inherited(host: &BTreeMap<String, String>) -> Self {
        const HOSTS_OWN: [&str; 3] = ["BASH_ENV", "ENV", "OLDPWD"];
        Self(host.clone()).only(|name| !is_own_secret(name) && !HOSTS_OWN.contains(&name))
    }

    /// Those whose name is wanted.
    #[must_use]
    pub fn only(mut self, wanted: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|name, _| wanted(name));
        self
    }

    /// The same with `name` set to `value`.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The value of `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl std::fmt::Debug for Variables {
    /// The names alone: values may be secrets.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Variables").field(&self.0.keys()).finish()
    }
}

/// Whether a variable holds a secret of the agent itself, which no child has any business with: a name that starts with
/// a model vendor's or our own prefix and ends as secrets do. The person's other tokens (`GITHUB_TOKEN`, `AWS_*`,
/// `NPM_TOKEN`) stay: the programs a person asks for need them, and would be broken without a word.
#[must_use]
pub fn is_own_secret(name: &str) -> bool {
    const PREFIXES: [&str; 9] = [
        "ANTHROPIC_",
        "OPENAI_",
        "AZURE_OPENAI_",
        "OPENROUTER_",
        "GEMINI_",
        "MISTRAL_",
        "GROQ_",
        "DEEPSEEK_",
        "TOOLWRIGHT_",
    ];
    const ENDS: [&str; 5] = ["_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CUSTOM_HEADERS"];
    let upper = name.to_ascii_uppercase();
    PREFIXES.iter().any(|prefix| upper.starts_with(prefix)) && ENDS.iter().any(|end| upper.ends_with(end))
}
