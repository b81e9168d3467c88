//! Chat Completions, of its vendor and of compatible servers (Ollama, llama.cpp, vLLM, ..). Knows its wire alone; the fields
//! that only some servers have are taken where they come and sent where they came.

mod answer;
mod blocks;
mod body;
mod local;
mod strict;

use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use toolwright_core::{Cancel, Environment};

pub use local::{LocalServer, local_servers};

use crate::generate::{Emitter, generate};
use crate::http::{Events, Http, Reply, Secret, Way};
use crate::{Abilities, Limits, Model, ModelError, ModelErrorKind, ModelStream, Request};

const HOST: &str = "api.openai.com";
const MEDIA: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];
/// What a server of which nothing is known can surely take; `modelOptions` says better.
const USUAL: Limits = Limits { context_tokens: 128_000, max_output_tokens: 16_384 };

/// A model behind Chat Completions.
#[derive(Debug)]
pub struct OpenAi {
    name: String,
    limits: Limits,
    http: Arc<Http>,
}

impl OpenAi {
    /// The model `name` of the server at `OPENAI_BASE_URL` (or of the vendor), with `OPENAI_API_KEY` where it is set, and
    /// the settings under `modelOptions`.
    ///
    /// # Errors
    /// `NotConfigured` without a name, without a key for the vendor's own service, or with an address or a setting that
    /// cannot be.
    pub fn new(name: &str, environment: &Environment) -> Result<Self, ModelError> {
        let not_configured = |text: &str| ModelError::new(ModelErrorKind::NotConfigured, text);
        let name = name.trim();
        if name.is_empty() {
            return Err(not_configured("openai: needs a name: --model openai:NAME, as the server calls it."));
        }
        let key_variable = "OPENAI_API_KEY";
        let mut headers = HeaderMap::new();
        let mut secret = Secret::default();
        if let Some(key) = environment.variable(key_variable) {
            secret = Secret::new(key);
            headers.insert(AUTHORIZATION, secret.header("Bearer ", key_variable)?);
        }
        let base = environment.variable("OPENAI_BASE_URL").unwrap_or("https://api.openai.com/v1");
        let keyless = secret.is_empty();
        let base_variable = "OPENAI_BASE_URL";
        let way = Way {
            vendor: "openai",
            key_variable,
            base_variable,
            base,
            path,
            answer_field: "choices",
            secret,
            headers,
        };
        let http = Http::new(way, environment)?;
        if keyless && http.is_host(HOST) {
            return Err(not_configured(
                "openai: needs a key or a server: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server \
                 (http://127.0.0.1:11434/v1).",
            ));
        }
        let limits = Limits {
            context_tokens: http.options.context_tokens.unwrap_or(USUAL.context_tokens),
            max_output_tokens: http.options.max_output_tokens.unwrap_or(USUAL.max_output_tokens),
        };
        Ok(Self { name: name.to_owned(), limits, http: Arc::new(http) })
    }
}

/// People give the address of the server; the wire lives under `/v1`.
fn path(base: &str) -> String {
    format!("{}/chat/completions", if base.is_empty() { "/v1" } else { base })
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn abilities(&self) -> Abilities {
        Abilities { tool_references: false, media_types: MEDIA }
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        let own_service = self.http.is_host(HOST);
        let strict = self.http.options.strict_tools;
        // Without a word of ours each server takes its own limit, which it knows better.
        let limit = request.max_output_tokens.or(self.http.options.max_output_tokens);
        let body = body::build(&self.name, &request, limit, own_service, strict);
        let http = Arc::clone(&self.http);
        let delivery = request.delivery;
        generate(cancel, async move |emitter| {
            let body = body.map_err(|error| {
                let text = format!("the conversation cannot be written as JSON: {error}");
                ModelError::new(ModelErrorKind::BadRequest, text)
            })?;
            let body = Bytes::from(body);
            match http.send(&body, delivery, &emitter).await? {
                Reply::Events(events) => streamed(&http, events, strict, &emitter).await,
                Reply::Whole(json) => answer::whole(json, strict, &mut |event| emitter.emit(event))
                    .map_err(|broken| lost(&http, broken)),
            }
        })
    }
}

async fn streamed(
    http: &Http,
    mut events: Events<'_>,
    strict: bool,
    emitter: &Emitter,
) -> Result<(), ModelError> {
    let mut answer = answer::Answer::new(strict);
    let emit = &mut |event| emitter.emit(event);
    while let Some(event) = events.next().await? {
        if event.trim() == "[DONE]" {
            answer.is_done();
            answer.end(emit).map_err(|broken| lost(http, broken))?;
            events.end();
            return Ok(());
        }
        answer.take(&event, emit).map_err(|broken| lost(http, broken))?;
    }
    answer.end(emit).map_err(|broken| lost(http, broken))
}

fn lost(http: &Http, broken: answer::Broken) -> ModelError {
    match broken {
        answer::Broken::Senseless(why) => ModelError::lost(why),
        answer::Broken::Said(data) => http.error_event(&data),
    }
}

#[cfg(test)]
mod tests;
