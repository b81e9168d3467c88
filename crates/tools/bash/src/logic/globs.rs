//! Words that a program would take for something else than the analysis took them for: names that a pattern of the shell may stand
//! for and that begin like flags, and folders that stand where files do.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A sentence that names such a file, where one is in a folder a pattern is about. `*` and `?` alone are told apart: anything else
/// in a pattern stands for everything.
pub(crate) fn name_taken_for_a_flag(globs: &[(PathBuf, String)]) -> Option<String> {
    globs.iter().find_map(|(folder, pattern)| {
        let names = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(_) => {
                return Some(format!(
                    "which names `{pattern}` stands for in {} cannot be told",
                    folder.display()
                ));
            }
        };
        let name = names.filter_map(Result::ok).map(|entry| entry.file_name()).find(|name| {
            name.as_bytes().starts_with(b"-") && may_match(pattern.as_bytes(), name.as_bytes())
        })?;
        Some(format!(
            "`{pattern}` stands for the file {name:?} among others, which would be taken for a flag"
        ))
    })
}

/// A sentence that names such a folder, where there is one: a program that is given it opens what lies in it, wherever links there lead.
pub(crate) fn folder_taken_for_a_file(files: &[PathBuf]) -> Option<String> {
    let folder = files.iter().find(|file| file.is_dir())?;
    Some(format!("{} is a folder, and what lies in it would be opened, through links too", folder.display()))
}

/// Whether a pattern may stand for a name.
fn may_match(pattern: &[u8], name: &[u8]) -> bool {
    // Where to go on when a `*` has to take one character more.
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    // A question mark takes a character, which may have several bytes.
    let odd = |byte: &u8| matches!(byte, b'[' | b'(' | b'\\' | b'{') || (*byte == b'?' && !name.is_ascii());
    if pattern.iter().any(odd) {
        return true;
    }
    while in_name < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(byte) if *byte == b'?' || Some(byte) == name.get(in_name) => {
                at += 1;
                in_name += 1;
            }
            _ => match &mut star {
                Some((after, taken)) => {
                    *taken += 1;
                    (at, in_name) = (*after + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{folder_taken_for_a_file, may_match};

    #[test]
    fn folders_are_named() {
        let here = std::env::temp_dir();
        let missing = here.join("toolwright-is-not-there");
        assert!(folder_taken_for_a_file(&[missing.clone(), here]).is_some());
        assert!(folder_taken_for_a_file(&[missing]).is_none());
    }

    #[test]
    fn patterns_and_names() {
        let check = |pattern: &str, name: &str, expect: bool| {
            assert_eq!(may_match(pattern.as_bytes(), name.as_bytes()), expect, "{pattern} {name}");
        };
        check("*", "-R", true);
        check("*.md", "-R", false);
        check("*.md", "-R.md", true);
        check("?R", "-R", true);
        check("a*", "-R", false);
        check("*a*b", "-xaxxb", true);
        check("*a*b", "-xaxx", false);
        check("[a]*", "-R", true);
        check("**", "-R", true);
        check("?ä", "-ä", true);
        check("??", "-", false);
    }
}
