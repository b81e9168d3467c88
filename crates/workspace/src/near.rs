//! The names beside a missing path that it may have meant. Follows no link, so that nothing from elsewhere is named, and names
//! nothing that rules hide.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use toolwright_services::DeniedPaths;
use toolwright_text::look_alike;

use crate::held::{self, Folder};

/// More guesses than this help nobody.
const MOST: usize = 3;
/// A folder larger than this is not looked through to its end.
const MOST_ENTRIES: usize = 10_000;

/// What is near a missing path.
#[derive(Debug, Default)]
pub(crate) struct Near {
    /// The nearest first.
    pub(crate) names: Vec<PathBuf>,
    /// The innermost folder of the path that exists, where its own folder does not.
    pub(crate) nearest_folder: Option<PathBuf>,
}

/// Which names count as near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Of files: names of the same stem, too; what is named exists whole.
    Files,
    /// Of folders: a guess may end where the mistake was.
    Folders,
}

impl Manner {
    /// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
    const fn least(self) -> f64 {
        match self {
            Self::Files => 0.8,
            Self::Folders => 0.75,
        }
    }
}

/// What is near `path`, which leads to `real` and is not there.
pub(crate) fn of(path: &Path, real: &Path, denied: Option<&dyn DeniedPaths>, manner: Manner) -> Near {
    let Some((folder, at, below)) = held::innermost(real) else { return Near::default() };
    let mut parts = below.components();
    // Where a folder of the path is missing, it is that folder's name that is wrong.
    let Some(wrong) = parts.next() else { return Near::default() };
    let named = as_named(path, real, at);
    let is_hidden = |name: &Path| {
        let hides =
            |folder: &Path| denied.is_some_and(|denied| denied.denies_read(&folder.join(name)).is_some());
        hides(&named) || (named != at && hides(at))
    };
    let names = beside(&folder, wrong.as_os_str(), parts.as_path(), manner, is_hidden);
    let is_missing = Some(at) != real.parent();
    Near {
        names: names.into_iter().map(|name| named.join(name)).collect(),
        nearest_folder: is_missing.then(|| named.clone()),
    }
}

/// How the folder `at`, in which `real` lies, is called in `path`.
fn as_named(path: &Path, real: &Path, at: &Path) -> PathBuf {
    let Ok(below) = real.strip_prefix(at) else { return at.to_owned() };
    if !path.ends_with(below) {
        return at.to_owned();
    }
    path.ancestors().nth(below.components().count()).unwrap_or(at).to_owned()
}

/// Names in `folder` like `wanted`, below which `rest` exists; the nearest first.
fn beside(
    folder: &Folder,
    wanted: &OsStr,
    rest: &Path,
    manner: Manner,
    is_hidden: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let Ok(names) = folder.names() else { return Vec::new() };
    let lower = wanted.to_string_lossy().to_lowercase();
    let look = look_alike::folded(&lower);
    let mut scored: Vec<(f64, PathBuf)> = names
        .take(MOST_ENTRIES)
        // A link to nothing is there, and is no guess.
        .filter(|name| name != wanted)
        .filter_map(|name| {
            let found = name.to_string_lossy().to_lowercase();
            let mut score = strsim::jaro_winkler(&found, &lower);
            if look_alike::folded(&found) == look {
                score = 1.0;
            }
            if manner == Manner::Files && Path::new(&found).file_stem() == Path::new(&lower).file_stem() {
                score = score.max(0.95);
            }
            if score <= manner.least() {
                return None;
            }
            let own = PathBuf::from(name);
            let whole = if rest.as_os_str().is_empty() { own.clone() } else { own.join(rest) };
            let exists = rest.as_os_str().is_empty() || folder.kind(&whole).is_ok();
            let guess = match manner {
                _ if exists => whole,
                Manner::Files => return None,
                Manner::Folders => own,
            };
            (!is_hidden(&guess)).then_some((score, guess))
        })
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    scored.into_iter().take(MOST).map(|(_, path)| path).collect()
}
