//! The layers read in order and made one. What a project brought acts only once it is trusted, except what tightens.

mod files;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use toolwright_permissions::{Folder, Mode, RuleKind, RuleSet, Scope, Source};

use crate::layer::Layer;
use crate::places::folder;
use crate::{ConfigError, Flags, Hook, Places, addresses, merge};

/// All layers together.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The rules of all layers. Allow rules of a project are among them whether it is trusted or not: a decision knows
    /// their source and whether the project is trusted.
    pub permissions: RuleSet,
    /// The mode to start in.
    pub mode: Mode,
    /// Whether some layer switched the mode `bypassPermissions` off for everybody, flags and agent definitions included.
    pub bypass_disabled: bool,
    /// Further working roots.
    pub additional_directories: Vec<Folder>,
    /// Variables for what the agent starts.
    pub env: BTreeMap<String, String>,
    /// Those of them that the project brought, each with the file it stands in.
    pub env_of_project: BTreeMap<String, String>,
    /// The model to use.
    pub model: Option<String>,
    /// Hooks, strongest layer first.
    pub hooks: Vec<Hook>,
    /// Everything else, merged: for `Environment::settings`.
    pub merged: Map<String, Value>,
    /// What a person should know, each with its file and line.
    pub warnings: Vec<String>,
    /// The files that were read, strongest first.
    pub sources: Vec<SettingsSource>,
    /// What waits until the project is trusted (`hooks in /p/.toolwright/settings.json`).
    pub waiting: Vec<String>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsSource {
    /// Its layer.
    pub scope: Scope,
    /// The file; none for JSON on the command line.
    pub file: Option<PathBuf>,
}

/// Keys that a project may not set, and why. Nobody but a person may.
const NEVER_FROM_PROJECT: [(&str, &str); 3] = [
    ("enableAllProjectMcpServers", "a project cannot approve its own servers"),
    ("enabledMcpjsonServers", "a project cannot approve its own servers"),
    ("cleanupPeriodDays", "a project cannot remove the sessions of others; set it in your own settings"),
];

/// Reads all layers. `trusted`: whether [`Trust`](crate::Trust) trusts the project root. `tool_keys`: keys at the root that
/// tools of this binary read and that deserve no warning.
///
/// # Errors
/// When a file is there and cannot be used: with file, line, column and what to do. Nothing is skipped, because what is
/// skipped may be a deny rule.
pub fn load(
    places: &Places,
    flags: &Flags,
    trusted: bool,
    tool_keys: &[&str],
) -> Result<Settings, ConfigError> {
    let layers = files::layers(places, flags, tool_keys)?;
    let mut settings = Settings {
        permissions: RuleSet::default(),
        mode: Mode::Default,
        bypass_disabled: layers.iter().any(|layer| layer.bypass_disabled),
        additional_directories: Vec::new(),
        env: BTreeMap::new(),
        env_of_project: BTreeMap::new(),
        model: None,
        hooks: Vec::new(),
        merged: Map::new(),
        warnings: Vec::new(),
        sources: Vec::new(),
        waiting: Vec::new(),
    };
    let mut mode = None;
    for mut layer in layers {
        settings.warnings.append(&mut layer.warnings);
        settings.name_source(&layer.source);
        for (kind, text, line) in &layer.rules {
            settings.permissions.add(*kind, text, &layer.source, (*line > 0).then_some(*line));
        }
        if layer.source.from_project {
            settings.drop_what_is_not_the_projects(&mut layer);
            if !trusted {
                settings.hold_back(&mut layer);
            }
        }
        mode = mode.or(layer.mode);
        settings.model = settings.model.take().or(layer.model);
        for (name, value) in layer.env {
            if !settings.env.contains_key(&name) {
                if layer.source.from_project {
                    settings.env_of_project.insert(name.clone(), source_name(&layer.source));
                }
                settings.env.insert(name, value);
            }
        }
        for (text, line) in &layer.directories {
            settings.add_directory(text, *line, &layer.source, places);
        }
        settings.hooks.append(&mut layer.hooks);
        merge::add_weaker(&mut settings.merged, layer.rest);
    }
    settings.mode = mode.unwrap_or_default();
    if settings.bypass_disabled && settings.mode == Mode::BypassPermissions {
        settings.mode = Mode::Default;
        settings
            .warnings
            .push("the mode bypassPermissions is switched off by settings; default is used".into());
    }
    let rules: Vec<String> =
        settings.permissions.warnings().map(|(rule, warning)| format!("the {rule} {warning}")).collect();
    settings.warnings.extend(rules);
    Ok(settings)
}

impl Settings {
    fn name_source(&mut self, source: &Source) {
        let named = SettingsSource { scope: source.scope, file: source.file.clone() };
        if !self.sources.contains(&named) {
            self.sources.push(named);
        }
    }

    fn drop_what_is_not_the_projects(&mut self, layer: &mut Layer) {
        for (key, why) in NEVER_FROM_PROJECT {
            if layer.rest.shift_remove(key).is_some() {
                let file = source_name(&layer.source);
                self.warnings.push(format!("{file}: `{key}` does nothing here: {why}"));
            }
        }
    }

    /// Leaves of a layer what tightens; notes what waits.
    fn hold_back(&mut self, layer: &mut Layer) {
        let file = source_name(&layer.source);
        let mut waits = |what: &str| self.waiting.push(format!("{what} in {file}"));
        if layer.rules.iter().any(|(kind, _, _)| *kind == RuleKind::Allow) {
            waits("permissions.allow");
        }
        if !layer.directories.is_empty() {
            waits("permissions.additionalDirectories");
        }
        if layer.mode.is_some_and(|mode| mode > Mode::Default) {
            waits("permissions.defaultMode");
            layer.mode = None;
        }
        if !layer.hooks.is_empty() {
            waits("hooks");
        }
        if !layer.env.is_empty() {
            let hosts = addresses::named(&layer.env);
            waits(&if hosts.is_empty() { "env".into() } else { format!("env ({hosts})") });
        }
        if layer.model.is_some() {
            waits("model");
        }
        for key in layer.rest.keys().filter(|key| *key != "$schema") {
            waits(key);
        }
        let mode = layer.mode;
        *layer = Layer { mode, ..Layer::empty(Arc::clone(&layer.source)) };
    }

    fn add_directory(&mut self, text: &str, line: u32, source: &Source, places: &Places) {
        let path = match (text.strip_prefix("~/"), &places.home) {
            (Some(rest), Some(home)) => home.spelled.join(rest),
            _ => source.base.spelled.join(text),
        };
        if path.is_dir() {
            let found = folder(&path);
            if !self.additional_directories.contains(&found) {
                self.additional_directories.push(found);
            }
        } else {
            let place = if line > 0 { format!(":{line}") } else { String::new() };
            let (file, path) = (source_name(source), path.display());
            self.warnings.push(format!("{file}{place}: the additional directory {path} is no folder"));
        }
    }
}

fn source_name(source: &Source) -> String {
    source.file.as_deref().map_or_else(|| "the command line".into(), |file: &Path| file.display().to_string())
}
