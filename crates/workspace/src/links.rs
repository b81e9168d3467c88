//! Following links by name: where a path leads, one name after the other, so that whoever asks may stop before anything of
//! another machine is looked at. Opens nothing.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::network::{machine, may_by_last_names};

/// As many as Linux follows.
const MOST: usize = 40;

/// Where a path leads when its links are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leads {
    /// There; what does not exist is appended as it is spelled.
    To(PathBuf),
    /// To another machine.
    Far {
        /// The part that names the machine.
        machine: String,
        /// The path there.
        at: PathBuf,
    },
    /// Nowhere: the links lead in a circle, or there are too many.
    Round(PathBuf),
}

/// Follows the links of an absolute path. `link` gives the target of one, `far` says what makes a path one of another machine: of
/// the paths on the way only those are asked about whose last names may (see [`machine`]).
#[must_use]
pub fn follow(
    path: &Path,
    link: impl Fn(&Path) -> Option<PathBuf>,
    far: impl Fn(&Path) -> Option<String>,
) -> Leads {
    if let Some(machine) = far(path) {
        return Leads::Far { machine, at: path.into() };
    }
    let mut real = PathBuf::new();
    // The names that are left, the next one last.
    let mut rest: Vec<OsString> = names(path);
    let mut links = 0;
    while let Some(name) = rest.pop() {
        if name == ".." {
            real.pop();
            continue;
        }
        real.push(name);
        if may_by_last_names(&real)
            && let Some(machine) = far(&real)
        {
            real.extend(rest.iter().rev());
            return Leads::Far { machine, at: real };
        }
        if real.parent().is_none() {
            continue;
        }
        let Some(target) = link(&real) else { continue };
        links += 1;
        if links > MOST {
            real.extend(rest.iter().rev());
            return Leads::Round(real);
        }
        if let Some(machine) = far(&target) {
            let at = rest.iter().rev().fold(target, |at, name| at.join(name));
            return Leads::Far { machine, at };
        }
        real.pop();
        // The names of an absolute target begin with the root, which replaces all before it.
        rest.extend(names(&target));
    }
    Leads::To(real)
}

/// The target of a link, from the file system; nothing for what is none.
#[must_use]
pub fn target(path: &Path) -> Option<PathBuf> {
    std::fs::read_link(path).ok()
}

/// Where `path` leads on this machine, if it does.
pub(crate) fn near(path: &Path) -> Option<PathBuf> {
    match follow(path, target, machine) {
        Leads::To(real) => Some(real),
        Leads::Far { .. } | Leads::Round(_) => None,
    }
}

/// The names of a path, its root among them, the last first.
fn names(path: &Path) -> Vec<OsString> {
    path.components()
        .rev()
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_owned())
        .collect()
}
