//! Which client a name means. Asks no server; the words for a person who has configured nothing are here.

use std::sync::Arc;

use toolwright_core::Environment;

use crate::{Model, ModelError, ModelErrorKind};

/// The model that `spec` names: `scripted:FILE`, `openai:NAME`, `anthropic:NAME`, or a name or nickname of the Messages API
/// (`claude-..`, `sonnet`, `opus`, `haiku`). With none, the variables decide: a key of the Messages API means
/// `ANTHROPIC_MODEL` or its default. Keys come from `environment` alone.
///
/// # Errors
/// `NotConfigured` when nothing says which model, when the name means none, or when this binary was built without its
/// client; `Script` when the script file cannot be read.
pub fn select(spec: Option<&str>, environment: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    let Some(spec) = spec.map(str::trim).filter(|spec| !spec.is_empty()) else {
        return by_key(environment);
    };
    match spec.split_once(':') {
        Some(("scripted", file)) => scripted(file),
        Some(("openai", name)) => openai(name, environment),
        Some(("anthropic", name)) => anthropic(name, environment),
        None if spec.starts_with("claude") || ["sonnet", "opus", "haiku"].contains(&spec) => {
            anthropic(spec, environment)
        }
        _ => Err(not_configured(format!(
            "no model is called `{spec}`. Write anthropic:NAME (or a name that begins with claude-), openai:NAME, or \
             scripted:FILE."
        ))),
    }
}

fn by_key(environment: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    if environment.variable("ANTHROPIC_API_KEY").or(environment.variable("ANTHROPIC_AUTH_TOKEN")).is_none() {
        return Err(not_configured(
            "No model is configured.\n\
             Set ANTHROPIC_API_KEY to your key, or\n\
             give --model openai:NAME with OPENAI_BASE_URL (a local server needs no key); or\n\
             run `toolwright demo`, which needs neither key nor network.",
        ));
    }
    anthropic(environment.variable("ANTHROPIC_MODEL").unwrap_or_default(), environment)
}

fn not_configured(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::NotConfigured, message)
}

#[cfg(not(all(feature = "anthropic", feature = "openai", feature = "scripted")))]
fn built_without(feature: &str) -> ModelError {
    not_configured(format!(
        "this binary was built without the `{feature}` client: build it with the feature `{feature}`, or choose another \
         model with --model."
    ))
}

#[cfg(feature = "anthropic")]
fn anthropic(name: &str, environment: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    Ok(Arc::new(crate::Anthropic::new(name, environment)?))
}

#[cfg(not(feature = "anthropic"))]
fn anthropic(_: &str, _: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    Err(built_without("anthropic"))
}

#[cfg(feature = "openai")]
fn openai(name: &str, environment: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    Ok(Arc::new(crate::OpenAi::new(name, environment)?))
}

#[cfg(not(feature = "openai"))]
fn openai(_: &str, _: &Environment) -> Result<Arc<dyn Model>, ModelError> {
    Err(built_without("openai"))
}

#[cfg(feature = "scripted")]
fn scripted(file: &str) -> Result<Arc<dyn Model>, ModelError> {
    Ok(Arc::new(crate::Scripted::from_file(file.as_ref())?))
}

#[cfg(not(feature = "scripted"))]
fn scripted(_: &str) -> Result<Arc<dyn Model>, ModelError> {
    Err(built_without("scripted"))
}
