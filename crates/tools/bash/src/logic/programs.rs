//! Which file a program's name stands for, as bash finds it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A sentence that says why one of `names` may stand for a program of a project: of a file in a folder that `is_inside`, or, by
/// an entry of PATH that is no absolute path, of one in whatever folder the command runs in.
pub(crate) fn what_is_no_systems<'n>(
    names: impl IntoIterator<Item = &'n str>,
    path: Option<&str>,
    is_inside: &dyn Fn(&Path) -> bool,
) -> Option<String> {
    // Bash has a PATH of its own where none is given, and it may name the current folder.
    let unset = path.is_none();
    let path = path.unwrap_or_default();
    names.into_iter().find_map(|name| {
        let place = match stands_for(name, path) {
            Ok(None) => return None,
            Ok(Some(file)) => {
                let inside = [Some(file.clone()), file.canonicalize().ok()]
                    .into_iter()
                    .flatten()
                    .any(|file| is_inside(&file));
                inside.then(|| format!("which is {}", file.display()))?
            }
            Err(_) if unset => "which may be a file of the project: PATH is not set".to_owned(),
            Err(entry) => {
                format!("which may be a file of the project: PATH has the entry `{entry}` before it")
            }
        };
        Some(format!("it runs `{name}`, {place}, and so a program that the project may have brought"))
    })
}

/// The first file of that name that may run. `Err`: an entry of PATH before it that is another folder for another process.
fn stands_for<'p>(name: &str, path: &'p str) -> Result<Option<PathBuf>, &'p str> {
    if name.contains('/') {
        return Ok(Some(name.into()));
    }
    for entry in path.split(':') {
        // What /proc names depends on who asks.
        if !entry.starts_with('/') || entry.trim_start_matches('/').starts_with("proc") {
            return Err(entry);
        }
        let file = Path::new(entry).join(name);
        let runs = |file: &Path| {
            file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
        };
        if runs(&file) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}
