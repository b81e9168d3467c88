//! Which texts there are, strongest first. Opens the files and knows nothing of what they say.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwright_permissions::{Folder, RuleKind, Scope, Source};

use crate::json::Document;
use crate::layer::{Dialect, Layer};
use crate::places::folder;
use crate::{ConfigError, Flags, Places};

/// Above this a file is no settings file.
const LARGEST: u64 = 1 << 20;

/// The folders settings are in, ours before the one other agents use.
const FOLDERS: [(&str, Dialect); 2] = [(".toolwright", Dialect::Own), (".claude", Dialect::Foreign)];

pub(super) fn layers(places: &Places, flags: &Flags, tool_keys: &[&str]) -> Result<Vec<Layer>, ConfigError> {
    let mut layers = Vec::new();
    let managed = places.managed.join("settings.json");
    if let Some(text) = read(&managed)? {
        let source = source(Scope::Managed, &managed, Folder::from(places.managed.clone()));
        layers.push(Layer::read(&Document::of_file(&managed, &text), source, Dialect::Own, tool_keys)?);
    }
    layers.push(of_flags(places, flags));
    for given in &flags.settings {
        layers.push(given_by_flag(places, given, tool_keys)?);
    }
    let project = &places.project_root;
    let home = places.home.as_ref();
    // In the home folder itself, the project's files would be the person's own: they are read once, as such.
    let is_home = home.is_some_and(|home| home.resolved == project.resolved);
    for (scope, name, at) in [
        (Scope::Local, "settings.local.json", Some(project)),
        (Scope::Project, "settings.json", Some(project).filter(|_| !is_home)),
        (Scope::User, "settings.json", home),
    ] {
        let Some(at) = at else { continue };
        for (directory, dialect) in FOLDERS {
            let settings_folder = at.spelled.join(directory);
            let file = settings_folder.join(name);
            let Some(text) = read(&file)? else { continue };
            let base = match scope {
                Scope::Local => places.cwd.clone(),
                Scope::User => folder(&settings_folder),
                _ => project.clone(),
            };
            let source = source(scope, &file, base);
            layers.push(Layer::read(&Document::of_file(&file, &text), source, dialect, tool_keys)?);
        }
    }
    Ok(layers)
}

fn source(scope: Scope, file: &Path, base: Folder) -> Arc<Source> {
    let mut source = Source::new(scope, base).in_file(file);
    // A local file may have come with the project too: committed, unpacked, behind a link. Nothing short of a person's
    // word tells, so it waits for trust like the project's own file.
    source.from_project = matches!(scope, Scope::Project | Scope::Local);
    Arc::new(source)
}

fn of_flags(places: &Places, flags: &Flags) -> Layer {
    let mut layer = Layer::empty(Arc::new(Source::new(Scope::Flags, places.cwd.clone())));
    for (kind, texts) in
        [(RuleKind::Allow, &flags.allow), (RuleKind::Ask, &flags.ask), (RuleKind::Deny, &flags.deny)]
    {
        layer.rules.extend(texts.iter().map(|text| (kind, text.clone(), 0)));
    }
    layer.directories =
        flags.additional_directories.iter().map(|path| (path.to_string_lossy().into_owned(), 0)).collect();
    layer.mode = flags.mode;
    layer.model = flags.model.clone();
    layer
}

fn given_by_flag(places: &Places, given: &str, tool_keys: &[&str]) -> Result<Layer, ConfigError> {
    if given.trim_start().starts_with('{') {
        let source = Arc::new(Source::new(Scope::Flags, places.cwd.clone()));
        return Layer::read(&Document::new("--settings", given), source, Dialect::Own, tool_keys);
    }
    let file = places.cwd.spelled.join(given);
    let text = read(&file)?.ok_or_else(|| ConfigError::Missing { file: file.clone() })?;
    let base = file.parent().map_or_else(|| places.cwd.clone(), folder);
    let source = source(Scope::Flags, &file, base);
    Layer::read(&Document::of_file(&file, &text), source, Dialect::Own, tool_keys)
}

/// The text of a file; nothing where there is none.
fn read(file: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { file: PathBuf::from(file), source };
    let no_settings = |problem| ConfigError::NoSettingsFile { file: PathBuf::from(file), problem };
    // Looked at before it is opened: opening a pipe would wait for ever.
    let metadata = match fs::metadata(file) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return match fs::symlink_metadata(file) {
                Ok(_) => Err(no_settings("is a link that leads nowhere")),
                Err(_) => Ok(None),
            };
        }
        Err(error) => return Err(unreadable(error)),
    };
    if !metadata.is_file() {
        return Err(no_settings("is no file"));
    }
    if metadata.len() > LARGEST {
        return Err(no_settings("is larger than 1 MiB"));
    }
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::InvalidData => Err(no_settings("is not in UTF-8")),
        Err(error) => Err(unreadable(error)),
    }
}
