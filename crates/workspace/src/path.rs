//! What a spelled path means, by name alone.

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
