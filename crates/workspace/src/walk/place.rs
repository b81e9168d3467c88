//! How a path is read from a call and written in an answer.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// `path` as an absolute one: relative to `cwd` where it is not absolute, without `.` and `..` (taken away by the text
/// alone: links are not looked up). Two slashes at its beginning stay: they name another machine to some systems, and
/// whoever decides should see that.
#[must_use]
pub fn absolute(cwd: &Path, path: &str) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    if path.starts_with("//") && !path.starts_with("///") {
        let mut kept = OsString::from("/");
        kept.push(clean);
        return kept.into();
    }
    clean
}

/// A path as an answer gives it: relative to `cwd` where it lies in it, else absolute. A name with control characters
/// (a line feed, say) is quoted and escaped, so that a list of names stays one name a line.
#[must_use]
pub fn shown(path: &Path, cwd: &Path) -> String {
    let relative = path.strip_prefix(cwd).ok().filter(|relative| !relative.as_os_str().is_empty());
    let text = relative.unwrap_or(path).to_string_lossy();
    if !text.chars().any(char::is_control) {
        return text.into_owned();
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if character.is_control() || matches!(character, '"' | '\\') {
            let _ = write!(quoted, "{}", character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    quoted + "\""
}
