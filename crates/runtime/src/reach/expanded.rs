//! The paths that a path of a shell's word stands for, where the shell expands the names of folders in it.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::{may_mean, wild};

/// More than this are not looked at one by one.
const MOST: usize = 1_000;

/// Whether a shell would expand a folder of the path.
pub(super) fn has_open_folder(path: &Path) -> bool {
    path.parent().is_some_and(|folder| wild(folder.to_str()))
}

/// The path with each name of a folder that a shell would expand as what it may stand for; its last name stays as it is. Each
/// folder whose names the shell lists on the way is among them, because it is read even where no name in it matches.
/// `folders` gives the folders in a folder and the links in it. None where that cannot be told, or is too much.
pub(super) fn paths(path: &Path, folders: &dyn Fn(&Path) -> Option<Vec<OsString>>) -> Option<Vec<PathBuf>> {
    let last = path.file_name()?;
    let mut found = vec![PathBuf::new()];
    let mut expanded = false;
    let mut listed = Vec::new();
    for part in path.parent()?.components() {
        let word = part.as_os_str().to_str()?;
        if part == Component::ParentDir && expanded {
            return None;
        }
        if !wild(Some(word)) {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        listed.extend(found.iter().cloned());
        expanded = true;
        let mut next = Vec::new();
        for folder in &found {
            let mut names = folders(folder)?;
            names.retain(|name| name.to_str().is_none_or(|name| may_mean(word, name)));
            next.extend(names.iter().map(|name| folder.join(name)));
            if next.len() > MOST {
                return None;
            }
        }
        found = next;
    }
    found.iter_mut().for_each(|path| path.push(last));
    found.extend(listed);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_expanded_and_the_last_name_is_not() {
        let folders = |folder: &Path| {
            let names: &[&str] = match folder.to_str()? {
                "/p" => &["src", "docs", ".git"],
                "/p/src" => &["lib", "link"],
                "/p/docs" => &[],
                "/many" => return Some((0..=MOST).map(|number| number.to_string().into()).collect()),
                _ => return None,
            };
            Some(names.iter().map(Into::into).collect())
        };
        let check = |path: &str, expect: Option<&[&str]>| {
            let found = paths(Path::new(path), &folders);
            let found =
                found.map(|paths| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>());
            let expect = expect.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
            assert_eq!(found, expect, "{path}");
        };
        check("/p/*/x", Some(&["/p/src/x", "/p/docs/x", "/p"]));
        check("/p/s*/**/*.ts", Some(&["/p/src/lib/*.ts", "/p/src/link/*.ts", "/p", "/p/src"]));
        check("/p/*/*/x", Some(&["/p/src/lib/x", "/p/src/link/x", "/p", "/p/src", "/p/docs"]));
        check("/p/none*/x", Some(&["/p"]));
        check("/p/*/none*/x", Some(&["/p", "/p/src", "/p/docs"]));
        check("/p/.*/x", Some(&["/p/.git/x", "/p"]));
        check("/p/../p/s?c/x", None);
        check("/p/*/../x", None);
        check("/p/src/*/*/x", None);
        check("/many/*/x", None);
        check("/p/src/*.ts", Some(&["/p/src/*.ts"]));
        assert!(has_open_folder(Path::new("/p/*/x")) && !has_open_folder(Path::new("/p/x*")));
    }
}
