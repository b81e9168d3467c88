//! Other names of a file that rules name: told by device and inode. Looks at files and opens none; what lies on another
//! machine is not looked at.

use std::fs::File;
use std::path::{Path, PathBuf};

use toolwright_services::DeniedPaths;

use crate::held::{self, Access, Folder, Held, Identity, Kind};
use crate::links;
use crate::network::machine;

/// The rule that denies an open file by another of its names, if one does: to be read, and with [`Access::Write`] to be changed.
pub(crate) fn denied_by_another_name(
    file: &File,
    access: Access,
    denied: &dyn DeniedPaths,
) -> Option<String> {
    let own = held::identity(file)?;
    let mut same = existing(denied.named()).filter(|(_, other)| *other == own);
    let read = same.find_map(|(named, _)| denied.denies_read(named));
    if read.is_some() || access == Access::Read {
        return read;
    }
    let changing = denied.named_for_changing();
    let (named, _) = existing(changing.iter().map(|(named, _)| named)).find(|(_, other)| *other == own)?;
    changing.iter().find(|(other, _)| other == named).map(|(_, rule)| rule.clone())
}

/// Those of `named` that are another name of the file at `real`, which has no links on the way. `named` is asked for where that
/// file has several names.
pub fn other_names<'n>(real: &Path, named: impl FnOnce() -> &'n [PathBuf]) -> Vec<&'n PathBuf> {
    let Some(own) = identity_of_linked(real) else { return Vec::new() };
    let same = existing(named()).filter(|(named, other)| *other == own && *named != real);
    same.map(|(named, _)| named).collect()
}

fn identity_of_linked(real: &Path) -> Option<Identity> {
    let held = Held::of(real).ok()?;
    let status = held.folder.status(&held.name).ok()?;
    status.identity.filter(|_| status.kind == Kind::File && status.has_other_names)
}

/// Those of `named` that are files. How many names each of them has may change at any moment.
pub(crate) fn existing<'n>(
    named: impl IntoIterator<Item = &'n PathBuf>,
) -> impl Iterator<Item = (&'n PathBuf, Identity)> {
    // Most of them lie in few folders: each is opened once for those that follow one another.
    let mut last: Option<(&Path, Option<Folder>)> = None;
    named.into_iter().filter_map(move |named| {
        let (folder, name) = (named.parent()?, named.file_name()?);
        if last.as_ref().is_none_or(|(last, _)| *last != folder) {
            last = Some((folder, folder_of(folder)));
        }
        let status = match last.as_ref()?.1.as_ref()?.status(name).ok()? {
            status if status.kind == Kind::Link => {
                let held = Held::of(&links::near(named)?).ok()?;
                held.folder.status(&held.name).ok()?
            }
            status => status,
        };
        status.identity.filter(|_| status.kind == Kind::File).map(|identity| (named, identity))
    })
}

/// A folder as it is named, links on the way included.
fn folder_of(named: &Path) -> Option<Folder> {
    if machine(named).is_some() {
        return None;
    }
    match Folder::open(named) {
        Err(error) if held::leads_elsewhere(&error) => Folder::open(&links::near(named)?).ok(),
        opened => opened.ok(),
    }
}
