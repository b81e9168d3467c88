//! The Messages API. Knows its wire and its models; what is sent comes from `Request` alone.

mod answer;
mod blocks;
mod body;
mod table;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use toolwright_core::{Cancel, Environment};

use crate::generate::{Emitter, generate};
use crate::http::{Events, Http, Reply, Secret, Way};
use crate::{Abilities, Limits, Model, ModelError, ModelErrorKind, ModelStream, Request};

const HOST: &str = "api.anthropic.com";
/// What blocks that nobody else understands are marked with.
const VENDOR: &str = "anthropic";
/// Asked for where nothing is said: the model's own limit may be more than a connection lives.
const USUAL_OUTPUT: u32 = 64_000;

/// A model behind the Messages API.
#[derive(Debug)]
pub struct Anthropic {
    name: String,
    limits: Limits,
    tool_references: bool,
    adaptive_thinking: bool,
    http: std::sync::Arc<Http>,
}

impl Anthropic {
    /// The model `name` (or its nickname; none means the default) with the key and address of `environment`:
    /// `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`, and the settings under `modelOptions`.
    ///
    /// # Errors
    /// `NotConfigured` without a key for the vendor's own service, or with an address or a setting that cannot be.
    pub fn new(name: &str, environment: &Environment) -> Result<Self, ModelError> {
        let (name, entry) = table::find(name)?;
        let base = environment.variable("ANTHROPIC_BASE_URL").unwrap_or("https://api.anthropic.com");
        let mut headers = HeaderMap::new();
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        let mut secret = Secret::default();
        let ways = [
            ("ANTHROPIC_API_KEY", HeaderName::from_static("x-api-key"), ""),
            ("ANTHROPIC_AUTH_TOKEN", AUTHORIZATION, "Bearer "),
        ];
        let mut key_variable = "ANTHROPIC_API_KEY";
        for (variable, header, prefix) in ways {
            if secret.is_empty()
                && let Some(key) = environment.variable(variable)
            {
                key_variable = variable;
                secret = Secret::new(key);
                headers.insert(header, secret.header(prefix, variable)?);
            }
        }
        let base_variable = "ANTHROPIC_BASE_URL";
        let way = Way {
            vendor: VENDOR,
            key_variable,
            base_variable,
            base,
            path,
            answer_field: "content",
            secret,
            headers,
        };
        let keyless = way.secret.is_empty();
        let http = Http::new(way, environment)?;
        let own_service = http.is_host(HOST);
        if keyless && own_service {
            let text = format!("{name} needs a key: set ANTHROPIC_API_KEY.");
            return Err(ModelError::new(ModelErrorKind::NotConfigured, text));
        }
        let options = &http.options;
        Ok(Self {
            limits: Limits {
                context_tokens: options.context_tokens.unwrap_or(entry.context_tokens),
                max_output_tokens: options.max_output_tokens.unwrap_or(entry.max_output_tokens),
            },
            tool_references: options.tool_references.unwrap_or(own_service && !entry.no_tool_references),
            adaptive_thinking: options.thinking && own_service && entry.adaptive_thinking,
            http: std::sync::Arc::new(http),
            name,
        })
    }
}

/// People give the address of the server, or that of the wire on it.
fn path(base: &str) -> String {
    format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base))
}

impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn abilities(&self) -> Abilities {
        Abilities { tool_references: self.tool_references, media_types: body::MEDIA }
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        let max_tokens = request.max_output_tokens.unwrap_or(USUAL_OUTPUT).min(self.limits.max_output_tokens);
        let body = body::build(&self.name, &request, self.abilities(), max_tokens, self.adaptive_thinking);
        let http = std::sync::Arc::clone(&self.http);
        let delivery = request.delivery;
        generate(cancel, async move |emitter| {
            let body = Bytes::from(body.map_err(|error| unsendable(&error))?);
            match http.send(&body, delivery, &emitter).await? {
                Reply::Events(events) => streamed(&http, events, &emitter).await,
                Reply::Whole(json) => answer::whole(json, &mut |event| emitter.emit(event)),
            }
        })
    }
}

fn unsendable(error: &serde_json::Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::BadRequest,
        format!("the conversation cannot be written as JSON: {error}"),
    )
}

async fn streamed(http: &Http, mut events: Events<'_>, emitter: &Emitter) -> Result<(), ModelError> {
    let mut answer = answer::Answer::default();
    while let Some(event) = events.next().await? {
        match answer.take(&event, &mut |event| emitter.emit(event))? {
            answer::Next::More => {}
            answer::Next::Done => {
                events.end();
                return Ok(());
            }
            answer::Next::Error => return Err(http.error_event(&event)),
        }
    }
    answer.end(&mut |event| emitter.emit(event))
}

#[cfg(test)]
mod tests;
