//! Paths by name: what a spelled path means, where links lead, and which names are near a missing one.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use toolwright_services::FilesError;

use crate::walk;

/// `spelled` as an absolute path without `.` and `..`, by name alone: `~` is `home`, what is relative lies below `cwd`.
pub(crate) fn absolute(cwd: &Path, home: Option<&Path>, spelled: &str) -> PathBuf {
    match (home, spelled.strip_prefix('~')) {
        (Some(home), Some("")) => home.to_owned(),
        (Some(home), Some(below)) if below.starts_with('/') => {
            walk::absolute(home, below.trim_start_matches('/'))
        }
        _ => walk::absolute(cwd, spelled),
    }
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
            return Ok(below_real(&at));
        };
        at = at.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other("too many links"))
}

/// A missing path with the links of what is there of it resolved.
fn below_real(path: &Path) -> PathBuf {
    for folder in path.ancestors().skip(1) {
        let Ok(real) = std::fs::canonicalize(folder) else { continue };
        return path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |below| real.join(below));
    }
    path.to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelled_path_is_below_the_home_the_working_folder_or_the_root() {
        let check = |spelled: &str, expect: &str| {
            let (cwd, home) = (Path::new("/work/src"), Some(Path::new("/home/ann")));
            assert_eq!(absolute(cwd, home, spelled), Path::new(expect), "{spelled}");
        };
        check("../a.txt", "/work/a.txt");
        check("/etc/../x/./y", "/x/y");
        check("~", "/home/ann");
        check("~/b", "/home/ann/b");
        check("~//../b", "/home/b");
        check("~b", "/work/src/~b");
        assert_eq!(absolute(Path::new("/w"), None, "~/b"), Path::new("/w/~/b"));
    }
}
