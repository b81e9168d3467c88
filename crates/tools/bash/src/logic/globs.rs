//! Words that a program would take for something else than the analysis took them for: names that a pattern of the shell may stand
//! for and that begin like flags, names of which the shell or `xargs` makes several words, and folders that stand where files do.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use toolwright_shell::Names;

/// Names above which a tree is not looked through.
const MOST_NAMES: usize = 50_000;

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

/// A sentence that names such a file, where one is not taken for the one word that it is.
pub(crate) fn name_taken_for_words(names: &[Names]) -> Option<String> {
    let mut left = MOST_NAMES;
    names.iter().find_map(|names| match names {
        Names::Meant(pattern) => meant(pattern, &mut left),
        Names::Below { folder, split, followed } => below(folder, *split, *followed, &mut left),
    })
}

/// The shell splits a name at blanks, and expands it where it holds a pattern itself.
fn meant(pattern: &Path, left: &mut usize) -> Option<String> {
    let mut folders = vec![PathBuf::new()];
    for part in pattern.components() {
        let Component::Normal(word) = part else {
            folders.iter_mut().for_each(|folder| folder.push(part));
            continue;
        };
        let word = word.as_bytes();
        if !word.iter().any(|byte| b"*?[\\".contains(byte)) {
            folders.iter_mut().for_each(|folder| folder.push(part));
            continue;
        }
        let mut next = Vec::new();
        for folder in &folders {
            let Ok(entries) = names_in(folder, left) else { return Some(unknown(folder)) };
            for entry in entries.into_iter().filter(|entry| may_match(word, entry.file_name().as_bytes())) {
                let name = entry.file_name();
                if name.as_bytes().iter().any(|byte| byte.is_ascii_whitespace() || b"*?[\\".contains(byte)) {
                    return Some(format!(
                        "the file {name:?} would be taken for several words: write the variable in double quotes"
                    ));
                }
                next.push(entry.path());
            }
        }
        folders = next;
    }
    None
}

/// Whether there are links below one of the paths, or it cannot be told.
pub(crate) fn links_below(paths: &[PathBuf]) -> bool {
    let mut left = MOST_NAMES;
    paths.iter().any(|path| below(path, false, true, &mut left).is_some())
}

/// `xargs` splits a name at blanks and reads quotes in it. What a program prints in the place of a name that is no plain text is
/// not known.
fn below(folder: &Path, split: bool, followed: bool, left: &mut usize) -> Option<String> {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !b"'\"\\".contains(byte);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = names_in(&folder, left) else { return Some(unknown(&folder)) };
        for entry in entries {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { return Some(unknown(&folder)) };
            if split && !name.as_bytes().iter().all(plain) {
                return Some(format!(
                    "`xargs` would not take the name {name:?} as it is: use `find .. -print0 | xargs -0 ..`"
                ));
            }
            if followed && kind.is_symlink() {
                let link = entry.path();
                return Some(format!(
                    "{} is a link, which would be followed: use `find .. -type f`",
                    link.display()
                ));
            }
            if kind.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    None
}

fn unknown(folder: &Path) -> String {
    format!("which names there are in {} cannot be told", folder.display())
}

/// The entries of a folder; none of what is not there or is no folder.
fn names_in(folder: &Path, left: &mut usize) -> Result<Vec<fs::DirEntry>, std::io::Error> {
    use std::io::ErrorKind;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let entries = entries.take(*left + 1).collect::<Result<Vec<_>, _>>()?;
    *left = left.checked_sub(entries.len()).ok_or(ErrorKind::OutOfMemory)?;
    Ok(entries)
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
    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn names_that_are_no_words() {
        let workspace = TempWorkspace::new();
        for file in ["src/a.ts", "src/deep/b.ts", "blank/x -o y.ts", "odd/[a].ts", "odd/it's.ts", "ä/ä.ts"]
        {
            workspace.write(file, "x");
        }
        fs::create_dir(workspace.path().join("links")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", workspace.path().join("links/p.ts")).unwrap();
        let meant =
            |pattern: &str| name_taken_for_words(&[Names::Meant(workspace.path().join(pattern))]).is_some();
        for (pattern, expect) in [
            ("src/*", false),
            ("*/*.ts", true),
            ("*/*.js", false),
            ("[b]lank/*", true),
            ("odd/*", true),
            ("odd/i*", false),
            ("links/*", false),
            ("ä/*", false),
            ("gone/*", false),
            ("src/a.ts/*", false),
        ] {
            assert_eq!(meant(pattern), expect, "{pattern}");
        }
        let below = |folder: &str, split: bool, followed: bool, expect: bool| {
            let folder = workspace.path().join(folder);
            if !split && followed {
                assert_eq!(links_below(std::slice::from_ref(&folder)), expect, "{}", folder.display());
            }
            name_taken_for_words(&[Names::Below { folder, split, followed }]).is_some()
        };
        for (folder, split, followed, expect) in [
            ("src", true, true, false),
            ("", true, false, true),
            ("", false, false, false),
            ("", false, true, true),
            ("blank", true, false, true),
            ("odd", true, false, true),
            ("ä", true, false, true),
            ("ä", false, true, false),
            ("links", true, false, false),
            ("links", false, true, true),
            ("gone", true, true, false),
        ] {
            assert_eq!(below(folder, split, followed, expect), expect, "{folder} {split} {followed}");
        }
    }

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
