//! A temporary folder with the few operations tests need. Removed when dropped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder; its path is resolved, so that it compares equal to what tools answer.
#[derive(Debug)]
pub struct TempWorkspace {
    path: PathBuf,
    _folder: TempDir,
}

impl TempWorkspace {
    /// An empty one.
    ///
    /// # Panics
    /// When the system gives no temporary folder.
    #[must_use]
    pub fn new() -> Self {
        let folder =
            tempfile::Builder::new().prefix("toolwright-test-").tempdir().expect("a temporary folder");
        let path = folder.path().canonicalize().expect("a temporary folder that can be resolved");
        Self { path, _folder: folder }
    }

    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The absolute path of something in it.
    #[must_use]
    pub fn join(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.path.join(relative)
    }

    /// Writes a file, its folders too.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.join(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Makes a folder, its parents too.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn create_folder(&self, relative: impl AsRef<Path>) {
        let path = self.join(relative);
        fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// A file's bytes.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    pub fn read_bytes(&self, relative: impl AsRef<Path>) -> Vec<u8> {
        let path = self.join(relative);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A file's text.
    ///
    /// # Panics
    /// When it cannot be read or is no UTF-8.
    #[must_use]
    pub fn read(&self, relative: impl AsRef<Path>) -> String {
        let path = self.join(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Sets when a file was last changed, in seconds since 1970, so that an order by age does not depend on the clock.
    ///
    /// # Panics
    /// When it cannot be set.
    pub fn set_modified(&self, relative: impl AsRef<Path>, seconds: u64) {
        let path = self.join(relative);
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let set = fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(time));
        set.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// All that is in it now.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let mut tree = BTreeMap::new();
        collect(&self.path, &self.path, &mut tree)
            .unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        Tree(tree)
    }

    /// `text` with this folder's path as `/workspace`: for snapshots.
    #[must_use]
    pub fn normalised(&self, text: &str) -> String {
        text.replace(&*self.path.to_string_lossy(), "/workspace")
    }
}

impl Default for TempWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

/// What a folder held at one moment: every entry with its bytes (a link: its target).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Option<Vec<u8>>>);

impl Tree {
    /// The paths, relative, that are not the same in `later`: added, removed or with other bytes.
    #[must_use]
    pub fn changed(&self, later: &Self) -> Vec<PathBuf> {
        let mut paths: Vec<_> = self.0.keys().chain(later.0.keys()).cloned().collect();
        paths.sort();
        paths.dedup();
        paths.retain(|path| self.0.get(path) != later.0.get(path));
        paths
    }

    /// The relative paths, sorted; folders included.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }
}

fn collect(root: &Path, folder: &Path, tree: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let bytes = if kind.is_symlink() {
            Some(fs::read_link(&path)?.into_os_string().into_encoded_bytes())
        } else if kind.is_file() {
            Some(fs::read(&path)?)
        } else {
            None
        };
        tree.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), bytes);
        if kind.is_dir() {
            collect(root, &path, tree)?;
        }
    }
    Ok(())
}
