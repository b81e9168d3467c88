//! A machine in a temporary folder: `home`, `managed` and a repository `proj`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use toolwright_config::{ConfigError, Flags, Places, Settings, load};
use toolwright_core::Environment;

pub(crate) struct World {
    folder: TempDir,
}

impl World {
    /// With these files, written as `proj/.toolwright/settings.json`.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { folder: tempfile::tempdir().expect("a folder") };
        for folder in ["home", "managed", "proj/.git", "proj/sub/deep"] {
            fs::create_dir_all(world.path(folder)).expect("a folder");
        }
        for (name, text) in files {
            world.write(name, text);
        }
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        // Links on the way to the temporary folder are not what these tests are about.
        self.folder.path().canonicalize().expect("the folder").join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn places(&self, cwd: &str) -> Places {
        let home = self.path("home").to_string_lossy().into_owned();
        let environment = Environment::new(BTreeMap::from([("HOME".into(), home)]), serde_json::Map::new());
        let mut places = Places::find(&environment, &self.path(cwd));
        places.managed = self.path("managed");
        places
    }

    pub(crate) fn load(&self, flags: &Flags, trusted: bool) -> Result<Settings, ConfigError> {
        load(&self.places("proj"), flags, trusted, &[])
    }

    /// The settings of a trusted project without flags.
    pub(crate) fn trusted(&self) -> Settings {
        self.load(&Flags::default(), true).expect("good settings")
    }

    /// The error, with the temporary folder left out.
    pub(crate) fn error(&self) -> String {
        let error = self.load(&Flags::default(), true).expect_err("bad settings");
        self.short(&error.to_string())
    }

    pub(crate) fn short(&self, text: &str) -> String {
        text.replace(&self.path("").to_string_lossy().into_owned(), "")
    }
}
