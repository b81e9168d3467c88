//! Where commands run: a small project with odd names, a folder outside it with a secret, a home, a folder for temporary files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, lchown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::AccessFlags;
use toolwright_testkit::TempWorkspace;

/// Programs are looked for there alone.
pub(crate) const PATH: &str = "/usr/bin:/bin";

/// Somebody who owns nothing else.
const NOBODY: u32 = 65_534;

const FIXTURE: &str = include_str!("../../cases/security/fixture.sh");
const MORE: &str = include_str!("../place.sh");

/// The folders.
#[derive(Debug)]
pub(crate) struct Place {
    folder: TempWorkspace,
    /// The user commands run as; none where the harness is no root, and they run as it does.
    pub(crate) user: Option<u32>,
}

/// Why no place can be made, if it cannot.
pub(crate) fn none() -> Option<String> {
    let folder = std::env::temp_dir();
    let error = nix::unistd::access(&folder, AccessFlags::W_OK | AccessFlags::X_OK).err()?;
    Some(format!("no folder can be made in {} (TMPDIR says where): {error}", folder.display()))
}

impl Place {
    pub(crate) fn new() -> io::Result<Self> {
        let place =
            Self { folder: TempWorkspace::new(), user: nix::unistd::geteuid().is_root().then_some(NOBODY) };
        for script in [FIXTURE, MORE] {
            let output = place.shell(script)?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                return Err(io::Error::other(format!("the folder for the commands cannot be made: {said}")));
            }
        }
        fs::set_permissions(place.root(), fs::Permissions::from_mode(0o755))?;
        if let Some(user) = place.user {
            for path in below(place.root()).keys() {
                lchown(path, Some(user), Some(user))?;
            }
        }
        Ok(place)
    }

    fn shell(&self, script: &str) -> io::Result<std::process::Output> {
        #[expect(clippy::disallowed_methods, reason = "a harness makes its folder")]
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).env_clear().env("PATH", PATH).env("ROOT", self.root());
        bash.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", self.home()).stdin(Stdio::null());
        bash.current_dir(self.root()).output()
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root().join("proj")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.root().join("tmp")
    }

    /// Everything but temporary files, with what shows that it was changed.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Seen> {
        let mut all = below(self.root());
        let temporary = self.temporary();
        all.retain(|path, _| !path.starts_with(&temporary));
        all
    }

    /// Removes what was left in the folder for temporary files.
    pub(crate) fn clear_temporary(&self) {
        for path in below(&self.temporary()).keys().rev().filter(|path| **path != self.temporary()) {
            _ = if path.is_dir() && !path.is_symlink() {
                fs::remove_dir(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}

/// What a file's record shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    size: u64,
    mode: u32,
    changed: (i64, i64),
    modified: (i64, i64),
    /// The bytes, where it is small; the target of a link.
    content: Vec<u8>,
}

fn below(folder: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut all = BTreeMap::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(path) = left.pop() {
        let Ok(data) = path.symlink_metadata() else { continue };
        let content = if data.is_symlink() {
            fs::read_link(&path)
                .map(|target| target.into_os_string().into_encoded_bytes())
                .unwrap_or_default()
        } else if data.is_file() {
            fs::read(&path).unwrap_or_default()
        } else {
            Vec::new()
        };
        if data.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
            left.extend(entries.map(|entry| entry.path()));
        }
        let seen = Seen {
            size: data.size(),
            mode: data.mode(),
            changed: (data.ctime(), data.ctime_nsec()),
            modified: (data.mtime(), data.mtime_nsec()),
            content,
        };
        all.insert(path, seen);
    }
    all
}
