//! Paths by name: what a spelled path means, where links lead, and which names are near a missing one.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use toolwright_services::FilesError;

/// `spelled` as an absolute path without `.` and `..`, by name alone: `~` is `home`, what is relative lies below `cwd`.
///
/// ```
/// use std::path::Path;
/// use toolwright_workspace::absolute;
/// let (cwd, home) = (Path::new("/work/src"), Some(Path::new("/home/ann")));
/// assert_eq!(absolute(cwd, home, "../a.txt"), Path::new("/work/a.txt"));
/// assert_eq!(absolute(cwd, home, "~/b"), Path::new("/home/ann/b"));
/// assert_eq!(absolute(cwd, home, "~b"), Path::new("/work/src/~b"));
/// ```
#[must_use]
pub fn absolute(cwd: &Path, home: Option<&Path>, spelled: &str) -> PathBuf {
    let at_home = match (home, spelled.strip_prefix('~')) {
        (Some(home), Some("")) => Some(home.to_owned()),
        (Some(home), Some(below)) => {
            below.strip_prefix('/').map(|below| home.join(below.trim_start_matches('/')))
        }
        _ => None,
    };
    let joined = at_home.unwrap_or_else(|| cwd.join(spelled));
    let mut clean = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Where `path` leads when every link is followed; the last name need not exist.
pub(crate) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..MOST {
        match std::fs::canonicalize(&at) {
            Ok(real) => return Ok(real),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        let Ok(target) = std::fs::read_link(&at) else {
            let (Some(folder), Some(name)) = (at.parent(), at.file_name()) else { return Ok(at) };
            return Ok(std::fs::canonicalize(folder).map_or_else(|_| at.clone(), |folder| folder.join(name)));
        };
        at = at.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other("too many links"))
}

/// The error for a file that is not there, with what the person may have meant.
pub(crate) fn not_found(path: &Path) -> FilesError {
    let folder = path.ancestors().skip(1).find(|folder| folder.is_dir());
    let missing_folder = folder.is_some() && folder != path.parent();
    // Where a folder of the path is missing, it is that folder's name that is wrong.
    let wrong = folder.and_then(|folder| path.strip_prefix(folder).ok()?.components().next());
    let near = folder
        .zip(wrong)
        .map(|(folder, wrong)| nearest(folder, wrong.as_os_str(), &path_below(path, folder)))
        .unwrap_or_default();
    let nearest_folder = folder.filter(|_| missing_folder).map(Path::to_owned);
    FilesError::NotFound { path: path.to_owned(), near, nearest_folder }
}

/// What of `path` comes after its first name below `folder`.
fn path_below(path: &Path, folder: &Path) -> PathBuf {
    path.strip_prefix(folder).map(|below| below.components().skip(1).collect()).unwrap_or_default()
}

/// Names in `folder` like `name`, below which `rest` exists; the nearest first, at most three.
fn nearest(folder: &Path, name: &OsStr, rest: &Path) -> Vec<PathBuf> {
    /// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
    const NEAR: f64 = 0.8;
    /// A folder with more entries is looked at no further.
    const MOST: usize = 10_000;
    let wanted = name.to_string_lossy().to_lowercase();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut scored: Vec<(f64, PathBuf)> = entries
        .take(MOST)
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let found = entry.file_name().to_string_lossy().to_lowercase();
            let same_stem = Path::new(&found).file_stem() == Path::new(&wanted).file_stem();
            let score = strsim::jaro_winkler(&found, &wanted);
            let score = if same_stem { score.max(0.95) } else { score };
            let path = if rest.as_os_str().is_empty() { entry.path() } else { entry.path().join(rest) };
            (score > NEAR && (rest.as_os_str().is_empty() || path.exists())).then_some((score, path))
        })
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    scored.into_iter().take(3).map(|(_, path)| path).collect()
}
