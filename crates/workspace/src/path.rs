//! Paths by name: what a spelled path means, and where links lead.

use std::io;
use std::path::{Path, PathBuf};

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
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => return Err(error),
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
