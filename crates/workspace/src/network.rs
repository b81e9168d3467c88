//! Which paths name another machine, told by the name alone: looking at one may ask that machine for something, with the
//! person's credentials. Opens nothing and knows no permission.

use std::path::{Component, Path};

/// What makes a path one of another machine: the part that names it, if there is one.
///
/// ```
/// # use std::path::Path;
/// use toolwright_workspace::network::machine;
/// assert_eq!(machine(Path::new("//host/share/file")).as_deref(), Some("//host"));
/// assert_eq!(machine(Path::new("/net/host/file")).as_deref(), Some("/net/host"));
/// assert_eq!(machine(Path::new("/home/ann/file")), None);
/// ```
#[must_use]
pub fn machine(path: &Path) -> Option<String> {
    let text = path.to_string_lossy();
    // Exactly two: three are one to every system.
    if let Some(rest) = text.strip_prefix("//").filter(|rest| !rest.starts_with('/')) {
        let host = rest.split('/').next().unwrap_or_default();
        if is_name(host) {
            return Some(format!("//{host}"));
        }
    }
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let (mut before, mut first) = (None, true);
    loop {
        let name = names.next()?;
        if name.starts_with("\\\\") || (first && name.starts_with('\\')) {
            return Some(name.into_owned());
        }
        if let Some(before) = before {
            return Some(format!("{before}{name}"));
        }
        if SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(&name)) {
            before = Some(format!("{name}//"));
        } else if first && name == "net" && path.has_root() {
            before = Some("/net/".to_owned());
        }
        first = false;
    }
}

/// Whether an absolute path may be one of another machine by its last names alone: what [`machine`] says can change only where it
/// may. Cheap for a path of any length.
pub(crate) fn may_by_last_names(path: &Path) -> bool {
    let mut names = path.components().rev();
    let telling = |part: Component<'_>| {
        part.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\\' | b':'))
    };
    let last_two = [names.next(), names.next()];
    last_two.into_iter().flatten().any(telling) || names.nth(1).is_none()
}

/// What file managers and some programs take for a share. Their two slashes may be one by the time a path is absolute.
const SCHEMES: [&str; 8] = ["smb:", "cifs:", "nfs:", "afp:", "sftp:", "ftp:", "dav:", "davs:"];

/// Whether it can be the name of a machine (or, in an address, a user on it), and not just text after two slashes.
fn is_name(host: &str) -> bool {
    let fits = |character: char| character.is_alphanumeric() || "-._@:?%$[]".contains(character);
    !host.is_empty() && !matches!(host, "." | "..") && host.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_whether_it_is_of_another_machine() {
        let check = |path: &str, expect: Option<&str>| {
            let path = Path::new(path);
            assert_eq!(machine(path).as_deref(), expect, "{path:?}");
            let mut told = path.ancestors().map(|path| (machine(path), may_by_last_names(path)));
            let first = told.by_ref().take_while(|(machine, _)| machine.is_some()).last();
            assert!(first.is_none_or(|(_, may)| may || path.starts_with("//")), "{path:?}");
        };
        check("//host/share", Some("//host"));
        check("//host", Some("//host"));
        check("//10.0.0.1@80/x", Some("//10.0.0.1@80"));
        check("//?/UNC/host/share", Some("//?"));
        check("///host/share", None);
        check("//", None);
        check("// a remark", None);
        check("//(x)/y", None);
        check("/a//host/share", None);
        check(r"/work/\\host\share\file", Some(r"\\host\share\file"));
        check(r"\\host\share", Some(r"\\host\share"));
        check(r"/\host\share", Some(r"\host\share"));
        check(r"/work/a\b", None);
        check("/work/smb:/host/share", Some("smb://host"));
        check("/work/SMB://host/share", Some("SMB://host"));
        check("/work/smb:", None);
        check("/work/c:/x", None);
        check("/net/host", Some("/net/host"));
        check("/net/./host/x", Some("/net/host"));
        check("/net", None);
        check("/work/net/host", None);
        check("/network/host", None);
    }
}
