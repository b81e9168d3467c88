//! A key that is sent and never shown.

use std::fmt;

use reqwest::header::HeaderValue;

use crate::{ModelError, ModelErrorKind};

#[derive(Clone, Default)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The key behind `prefix`, as a header that HTTP libraries do not print either.
    pub(crate) fn header(&self, prefix: &str, variable: &str) -> Result<HeaderValue, ModelError> {
        let mut value = HeaderValue::try_from(format!("{prefix}{}", self.0)).map_err(|_| {
            let text = format!("{variable} holds characters that no key has: set it to the key alone.");
            ModelError::new(ModelErrorKind::NotConfigured, text)
        })?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// `text` without the key, which some servers repeat.
    pub(crate) fn redacted(&self, text: &str) -> String {
        // A key of a few letters is a placeholder for a local server, and a word of many texts.
        if self.0.len() < 8 { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_empty() { "no key" } else { "a key" })
    }
}
