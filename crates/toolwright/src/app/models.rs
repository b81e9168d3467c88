//! Finds models by name, so that no key goes where a project wants it.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolwright_config::Settings;
use toolwright_core::{Environment, Unavailable};
use toolwright_model::{Model, select};

use super::AppError;

/// The names by which variables of vendors begin.
const VENDORS: [&str; 2] = ["ANTHROPIC", "OPENAI"];

/// Finds the model of a name, or of none what the variables say. `own`: the person's variables, without those of the settings.
pub(super) fn finder(
    settings: &Settings,
    own: &BTreeMap<String, String>,
    environment: &Environment,
) -> impl Fn(Option<&str>) -> Result<Arc<dyn Model>, AppError> + Send + Sync + 'static {
    let refused = VENDORS.map(|vendor| settings.key_leads_elsewhere(vendor, own));
    let environment = environment.clone();
    move |spec| {
        let [anthropic, openai] = &refused;
        let refused = match spec.map(str::trim).unwrap_or_default().split_once(':') {
            Some(("openai", _)) => openai,
            Some(("scripted", _)) => &None,
            _ => anthropic,
        };
        match refused {
            Some(why) => Err(AppError::Setting(Unavailable(why.clone()))),
            None => Ok(select(spec, &environment)?),
        }
    }
}
