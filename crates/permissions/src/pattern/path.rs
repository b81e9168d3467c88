//! Path patterns in gitignore's language with four anchors. Works on spelled paths alone and opens none.

use std::path::{Component, Path, PathBuf};

use super::{Case, Glob, Misread};
use crate::{Folder, Roots};

/// `//etc/**`, `~/notes/*`, `/src/**`, `*.env`, `./secrets/**`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern {
    anchor: Anchor,
    /// How many folders above the anchor it starts (`../x`).
    up: usize,
    segments: Vec<Segment>,
    /// A bare name, which matches at any depth; `./name` does so in the wide reading alone.
    bare: bool,
    dotted: bool,
    /// It ends in a slash: only what is below a folder of that name.
    folder_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    FileSystem,
    Home,
    Source,
    Current,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    AnyDepth,
    One(Glob),
}

/// How a pattern is read where it could mean more or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// For allow: the least it can mean. `folder_too`: whether `dir/**` means `dir` as well.
    Narrow {
        /// True for reading (a listing of the folder), false for changing.
        folder_too: bool,
    },
    /// For deny and ask: the most it can mean; all below a matched folder, and letters of either case.
    Wide,
    /// The same, where the path is a word that a shell expands: whether it may become a path that is meant.
    Possible,
}

impl PathPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, Misread> {
        if text.starts_with('!') {
            return Err("begins with `!`; a rule cannot take another rule back".into());
        }
        let (anchor, rest) = if let Some(rest) = text.strip_prefix("//") {
            (Anchor::FileSystem, rest)
        } else if let Some(rest) = text.strip_prefix("~/") {
            (Anchor::Home, rest)
        } else if text == "~" {
            (Anchor::Home, "")
        } else if let Some(rest) = text.strip_prefix('/') {
            (Anchor::Source, rest)
        } else {
            (Anchor::Current, text)
        };
        if text.starts_with('~') && anchor != Anchor::Home {
            return Err("begins with another person's home; write the folder out after `//`".into());
        }
        let folder_only = rest.ends_with('/');
        let dotted = rest.starts_with("./");
        let mut up = 0;
        let mut segments = Vec::new();
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." => match segments.pop() {
                    None => up += 1,
                    Some(Segment::One(_)) => {}
                    Some(Segment::AnyDepth) => return Err("has `..` after `**`".into()),
                },
                "**" if segments.last() == Some(&Segment::AnyDepth) => {}
                "**" => segments.push(Segment::AnyDepth),
                other => segments.push(Segment::One(Glob::segment(other)?)),
            }
        }
        if segments.is_empty() && up == 0 && anchor == Anchor::Current && !dotted && rest != "." {
            return Err("names no path".into());
        }
        let bare = anchor == Anchor::Current && up == 0 && !rest.trim_end_matches('/').contains('/');
        Ok(Self { anchor, up, segments, bare, dotted, folder_only })
    }

    /// Whether it means `path`, which is absolute and [`normalised`].
    pub(crate) fn matches(&self, path: &Path, reading: Reading, base: &Folder, roots: &Roots) -> bool {
        let root = Folder::from("/");
        let anchors: &[&Folder] = match (self.anchor, &roots.home, reading) {
            (Anchor::FileSystem, _, _) => &[&root],
            (Anchor::Home, Some(home), _) => &[home],
            (Anchor::Home, None, _) => &[],
            (Anchor::Source, _, _) => &[base],
            (Anchor::Current, _, Reading::Narrow { .. }) => &[&roots.start],
            (Anchor::Current, _, Reading::Wide | Reading::Possible) => &[&roots.start, &roots.cwd],
        };
        anchors.iter().flat_map(|folder| [&folder.spelled, &folder.resolved]).any(|anchor| {
            let anchor: Option<&Path> = (0..self.up).try_fold(anchor.as_path(), |folder, _| folder.parent());
            anchor
                .and_then(|anchor| names_below(path, anchor, reading))
                .is_some_and(|names| self.matches_names(&names, reading))
        })
    }

    fn matches_names(&self, names: &[Name], reading: Reading) -> bool {
        let mut pattern: &[Segment] = &self.segments;
        let mut with_depth = Vec::new();
        let one_folder = matches!(pattern, [Segment::One(_), Segment::AnyDepth]);
        let any_depth = match reading {
            Reading::Narrow { .. } => self.bare && !self.dotted,
            Reading::Wide | Reading::Possible => {
                self.anchor == Anchor::Current && self.up == 0 && (one_folder || pattern.len() == 1)
            }
        };
        if any_depth {
            with_depth.push(Segment::AnyDepth);
            with_depth.extend_from_slice(pattern);
            pattern = &with_depth;
        }
        match reading {
            Reading::Narrow { folder_too } => {
                let ends_open = self.segments.last() == Some(&Segment::AnyDepth);
                if self.folder_only && !ends_open {
                    // All below a folder that matches, and the folder itself where that only means a listing.
                    let longest = if folder_too { names.len() } else { names.len().saturating_sub(1) };
                    return (0..=longest).any(|length| whole(pattern, names.get(..length)));
                }
                if ends_open && !folder_too && self.segments.len() > 1 {
                    let folder = pattern.split_last().map_or(pattern, |(_, folder)| folder);
                    return (0..names.len()).any(|length| whole(folder, names.get(..length)));
                }
                whole(pattern, Some(names))
            }
            Reading::Wide | Reading::Possible => {
                (0..=names.len()).any(|length| whole(pattern, names.get(..length)))
            }
        }
    }
}

/// Whether the pattern means these names, all of them.
fn whole(pattern: &[Segment], names: Option<&[Name]>) -> bool {
    let Some(names) = names else { return false };
    let (mut pattern_at, mut name_at) = (0, 0);
    let mut retry = None;
    loop {
        match (pattern.get(pattern_at), names.get(name_at)) {
            (Some(Segment::AnyDepth), _) => {
                retry = Some((pattern_at + 1, name_at));
                pattern_at += 1;
                continue;
            }
            (Some(Segment::One(glob)), Some(name)) if name.is_meant_by(glob) => {
                pattern_at += 1;
                name_at += 1;
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        match retry {
            Some((after, taken)) if taken < names.len() => {
                retry = Some((after, taken + 1));
                pattern_at = after;
                name_at = taken + 1;
            }
            _ => return false,
        }
    }
}

/// One name of a path, as a reading sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    text: String,
    case: Case,
    /// What the name stands for, where it is a word that a shell expands.
    word: Option<Glob>,
}

impl Name {
    fn new(component: Component<'_>, reading: Reading) -> Self {
        let text = component.as_os_str().to_string_lossy();
        if let Reading::Narrow { .. } = reading {
            return Self { text: text.into_owned(), case: Case::Exact, word: None };
        }
        let text = text.to_lowercase();
        let expands = reading == Reading::Possible && has_wildcard(&text);
        let word = if expands { Glob::segment(&text).ok() } else { None };
        Self { text, case: Case::Folded, word }
    }

    fn is_meant_by(&self, glob: &Glob) -> bool {
        match &self.word {
            Some(word) => glob.overlaps(word),
            None => glob.matches(&self.text, self.case),
        }
    }

    fn may_be(&self, other: &Self) -> bool {
        match &self.word {
            Some(word) => word.matches(&other.text, self.case),
            None => self.text == other.text,
        }
    }
}

/// Whether a shell would expand this word.
pub(crate) fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The names between `anchor` and `path`; nothing if the path is not below it (or it).
fn names_below(path: &Path, anchor: &Path, reading: Reading) -> Option<Vec<Name>> {
    let mut names = path.components().map(|component| Name::new(component, reading));
    for component in anchor.components() {
        if !names.next()?.may_be(&Name::new(component, reading)) {
            return None;
        }
    }
    Some(names.collect())
}

/// The path without `.`, `..` and doubled slashes, by its spelling alone. At the root, `..` stays there.
pub(crate) fn normalised(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
