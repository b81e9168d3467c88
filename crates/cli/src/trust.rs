//! `trust`: a person says that a project may do what its settings say, or takes it back.

use std::path::Path;

use serde_json::Map;
use toolwright::config::{ConfigError, Flags, Places, Trust, load};
use toolwright::core::Environment;

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::stdout::{print, say};

/// Trusts the project of `folder`, or of the working directory; or no longer.
pub(crate) fn trust(surroundings: &Surroundings, folder: Option<&Path>, remove: bool) -> Exit {
    let folder = surroundings.cwd.join(folder.unwrap_or(Path::new("")));
    // As the system names it: what is recorded is what is checked.
    let folder = match folder.canonicalize() {
        Ok(found) if found.is_dir() => found,
        _ => {
            say(&format!("{} is no folder; name one of the project", folder.display()));
            return Exit::Usage;
        }
    };
    let environment = Environment::new(surroundings.variables.clone(), Map::new());
    let places = Places::find(&environment, &folder);
    let done = if remove { take_back(&places) } else { give(&places) };
    match done.map(|words| print(&toolwright_render::safe_text(&words))) {
        Ok(Ok(())) => Exit::Done,
        Ok(Err(_)) => Exit::Failed,
        Err(error) => {
            say(&error.to_string());
            Exit::Failed
        }
    }
}

fn give(places: &Places) -> Result<String, ConfigError> {
    let root = &places.project_root.spelled;
    // Settings that cannot be read are not trusted unread.
    let waiting = load(places, &Flags::default(), false, &[])?.waiting;
    Trust::of(places)?.trust(root)?;
    let mut words = format!("{} is trusted.", root.display());
    if !waiting.is_empty() {
        words.push_str(" From now on these count:");
        waiting.iter().for_each(|what| words.push_str(&format!("\n  {what}")));
    }
    Ok(words)
}

fn take_back(places: &Places) -> Result<String, ConfigError> {
    let root = &places.project_root.spelled;
    Trust::of(places)?.distrust(root)?;
    Ok(format!("{} is not trusted any more.", root.display()))
}
