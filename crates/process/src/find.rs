//! Finds the shell that scripts are given to.

use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

/// Where programs are looked for without a `PATH`.
const USUAL: &str = "/bin:/usr/bin";

/// The `bash` that a host may hand scripts to: the first on `path` that is executable and that, as spelled and where links lead,
/// lies in no folder that `is_inside`. Entries that are no absolute path, and those below `/proc`, name another folder for another
/// process and are left out.
///
/// A folder of a project may stand on `PATH` (`node_modules/.bin`): a `bash` in it is a program of the project, and whatever was
/// decided about a script would not hold for it.
pub fn bash_outside(path: Option<&str>, is_inside: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let is_shell = |file: &PathBuf| file.is_file() && access(file, AccessFlags::X_OK).is_ok();
    let is_outside = |file: &PathBuf| {
        file.starts_with("/")
            && !file.starts_with("/proc")
            && !is_inside(file)
            && file.canonicalize().is_ok_and(|file| !is_inside(&file))
    };
    let folders = path.unwrap_or(USUAL).split(':');
    folders.map(|folder| Path::new(folder).join("bash")).filter(is_outside).find(is_shell)
}
