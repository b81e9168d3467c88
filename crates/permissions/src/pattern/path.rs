//! Path patterns in gitignore's language with four anchors. Works on spelled paths alone and opens none.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use super::{Case, Glob, PatternError, folded};
use crate::{Folder, Roots};

/// `//etc/**`, `~/notes/*`, `/src/**`, `*.env`, `./secrets/**`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern {
    pub(crate) anchor: Anchor,
    /// How many folders above the anchor it starts (`../x`).
    pub(crate) up: usize,
    segments: Vec<Segment>,
    /// A bare name, which matches at any depth; `./name` does so in the wide reading alone.
    bare: bool,
    dotted: bool,
    /// It ends in a slash: only what is below a folder of that name.
    folder_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    FileSystem,
    Home,
    Source,
    Current,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    AnyDepth,
    One(Glob),
}

/// How far a question about a path goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Whether it is meant.
    Itself,
    /// Whether it is, or something below it may be.
    Below,
    /// Whether it is, or something below it may be for the place where it lies: under another name it would not be meant.
    BelowByPlace,
}

impl PathPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
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

    /// For allow: whether it means `path`, which is absolute and [`normalised`], in the least it can mean. `folder_too`:
    /// whether `dir/**` means `dir` as well; true for reading (a listing of the folder), false for changing.
    pub(crate) fn covers(&self, path: &Path, folder_too: bool, base: &Folder, roots: &Roots) -> bool {
        // A changed directory loosens nothing.
        let anchors = match self.anchor {
            Anchor::Current => both(&roots.start, self.up),
            anchor => anchors(anchor, self.up, Some(base), roots),
        };
        anchors.iter().filter_map(|anchor| path.strip_prefix(anchor).ok()).any(|below| {
            let names: Vec<Cow<'_, str>> =
                below.components().map(|component| component.as_os_str().to_string_lossy()).collect();
            self.covers_names(&names, folder_too)
        })
    }

    fn covers_names(&self, names: &[Cow<'_, str>], folder_too: bool) -> bool {
        let segments =
            if self.bare && !self.dotted { at_any_depth(&self.segments) } else { self.segments.clone() };
        let ends_open = self.segments.last() == Some(&Segment::AnyDepth);
        if self.folder_only && !ends_open {
            // All below a folder that matches, and the folder itself where that only means a listing.
            let longest = if folder_too { names.len() } else { names.len().saturating_sub(1) };
            return (0..=longest).any(|length| matches_all_segments(&segments, names.get(..length)));
        }
        if ends_open && !folder_too && self.segments.len() > 1 {
            let folder = segments.split_last().map_or(segments.as_slice(), |(_, folder)| folder);
            return (0..names.len()).any(|length| matches_all_segments(folder, names.get(..length)));
        }
        matches_all_segments(&segments, Some(names))
    }

    /// The most it can mean: with any depth before it where that can be meant.
    pub(crate) fn widest(&self) -> Cow<'_, [Segment]> {
        let one_folder = matches!(self.segments.as_slice(), [Segment::One(_), Segment::AnyDepth]);
        let any_depth =
            self.anchor == Anchor::Current && self.up == 0 && (one_folder || self.segments.len() == 1);
        if any_depth { at_any_depth(&self.segments).into() } else { self.segments.as_slice().into() }
    }

    /// The paths that it gives without a wildcard.
    pub(crate) fn literal(&self, base: &Folder, roots: &Roots) -> Vec<PathBuf> {
        let name = |segment: &Segment| match segment {
            Segment::One(glob) => glob.text(),
            Segment::AnyDepth => None,
        };
        let Some(names) = self.segments.iter().map(name).collect::<Option<Vec<String>>>() else {
            return Vec::new();
        };
        if names.is_empty() {
            return Vec::new();
        }
        let below: PathBuf = names.iter().collect();
        anchors(self.anchor, self.up, Some(base), roots).iter().map(|anchor| anchor.join(&below)).collect()
    }

    /// For deny and ask: whether it means the path of these names, in the most it can mean: all below a matched folder,
    /// and letters of either case.
    pub(crate) fn concerns(
        &self,
        path: &[PathName<'_>],
        extent: Extent,
        base: &Folder,
        roots: &Roots,
    ) -> bool {
        let segments = self.widest();
        anchors(self.anchor, self.up, Some(base), roots).iter().any(|anchor| {
            let mut names = path.iter();
            for own in names_of(anchor) {
                match names.next() {
                    None => return extent != Extent::Itself,
                    Some(PathName { word: Some(Word::Depth | Word::AnyDepth), .. }) => return true,
                    Some(name) if name.may_be(&own.folded) => {}
                    Some(_) => return false,
                }
            }
            concerns_names(&segments, names.as_slice(), extent)
        })
    }
}

fn at_any_depth(segments: &[Segment]) -> Vec<Segment> {
    std::iter::once(Segment::AnyDepth).chain(segments.iter().cloned()).collect()
}

fn both(folder: &Folder, up: usize) -> Vec<PathBuf> {
    let above = |path: &PathBuf| {
        let folder = (0..up).try_fold(path.as_path(), |folder: &Path, _| folder.parent());
        folder.map(Path::to_owned)
    };
    let mut both: Vec<PathBuf> = [&folder.spelled, &folder.resolved].into_iter().filter_map(above).collect();
    both.dedup();
    both
}

/// Where patterns of deny and ask rules begin. One without an anchor begins at each folder that a person may have meant: the
/// start, the live folder, and every added one.
pub(crate) fn anchors(anchor: Anchor, up: usize, base: Option<&Folder>, roots: &Roots) -> Vec<PathBuf> {
    let folders: Vec<&Folder> = match anchor {
        Anchor::FileSystem => return both(&Folder::from("/"), up),
        Anchor::Home => roots.home.iter().collect(),
        Anchor::Source => base.into_iter().collect(),
        Anchor::Current => [&roots.start, &roots.cwd].into_iter().chain(&roots.additional).collect(),
    };
    folders.into_iter().flat_map(|folder| both(folder, up)).collect()
}

/// What is left of a pattern after some names: the places in it that have been reached.
fn concerns_names(segments: &[Segment], names: &[PathName<'_>], extent: Extent) -> bool {
    let mut reached = vec![0];
    pass_any_depth(segments, &mut reached);
    for name in names {
        if reached.contains(&segments.len()) {
            return true;
        }
        match name.word {
            Some(Word::AnyDepth) => return !reached.is_empty(),
            Some(Word::Depth) => {
                pass_visible_names(segments, &mut reached);
                continue;
            }
            Some(Word::Glob(_)) | None => {}
        }
        let stays = |at: &usize| segments.get(*at) == Some(&Segment::AnyDepth);
        let mut next: Vec<usize> = reached.iter().copied().filter(stays).collect();
        next.extend(reached.iter().filter_map(|at| match segments.get(*at)? {
            Segment::One(glob) if name.matches_glob(glob) => Some(at + 1),
            _ => None,
        }));
        pass_any_depth(segments, &mut next);
        reached = next;
    }
    // What may lie at any depth is meant wherever it is moved.
    let anywhere = |at: &usize| *at <= 1 && segments.first() == Some(&Segment::AnyDepth);
    match extent {
        _ if reached.contains(&segments.len()) => true,
        Extent::Itself => false,
        Extent::Below => !reached.is_empty(),
        Extent::BelowByPlace => !reached.iter().all(anywhere),
    }
}

fn pass_any_depth(segments: &[Segment], reached: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(place) = reached.get(at).copied() {
        if segments.get(place) == Some(&Segment::AnyDepth) && !reached.contains(&(place + 1)) {
            reached.push(place + 1);
        }
        at += 1;
    }
}

/// What is reached behind any number of names that do not begin with a dot.
fn pass_visible_names(segments: &[Segment], reached: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(place) = reached.get(at).copied() {
        let visible = matches!(segments.get(place), Some(Segment::One(glob)) if glob.means_visible());
        if visible && !reached.contains(&(place + 1)) {
            reached.push(place + 1);
            pass_any_depth(segments, reached);
        }
        at += 1;
    }
}

/// Whether the pattern means these names, all of them.
fn matches_all_segments(pattern: &[Segment], names: Option<&[Cow<'_, str>]>) -> bool {
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
            (Some(Segment::One(glob)), Some(name)) if glob.matches(name, Case::Exact) => {
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

/// One name of a path, as deny and ask rules see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathName<'p> {
    pub(crate) text: Cow<'p, str>,
    /// Its letters in one spelling.
    pub(crate) folded: Cow<'p, str>,
    /// What it stands for, where it is a word that a shell expands.
    pub(crate) word: Option<Word>,
}

/// A word that a shell expands into names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// Into those that match.
    Glob(Glob),
    /// Into any number of names that do not begin with a dot.
    Depth,
    /// Into any number of any names: nothing is known of them.
    AnyDepth,
}

impl PathName<'_> {
    fn matches_glob(&self, glob: &Glob) -> bool {
        match &self.word {
            Some(Word::Glob(word)) => glob.overlaps(word),
            Some(Word::Depth | Word::AnyDepth) => true,
            None => glob.matches(&self.text, Case::Folded),
        }
    }

    /// Whether it may be a name, given in [`folded`] letters.
    pub(crate) fn may_be(&self, other: &str) -> bool {
        match &self.word {
            Some(Word::Glob(word)) => word.matches(other, Case::Folded),
            Some(Word::Depth | Word::AnyDepth) => true,
            None => self.folded == other,
        }
    }
}

/// The names of a path, each as it is.
pub(crate) fn names_of(path: &Path) -> Vec<PathName<'_>> {
    path.components().map(name).collect()
}

/// The names of a path that may not be [`normalised`] yet, as they would be then.
pub(crate) fn normal_names(path: &Path) -> Vec<PathName<'_>> {
    let mut names: Vec<PathName<'_>> = Vec::with_capacity(16);
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => names.truncate(names.len().saturating_sub(1).max(1)),
            other => names.push(name(other)),
        }
    }
    names
}

/// The names of a path that a shell may expand.
pub(crate) fn words_of(path: &Path) -> Vec<PathName<'_>> {
    let mut names = names_of(path);
    let anything = matches!(names.as_slice(), [_, only] if only.text == "**");
    for name in names.iter_mut().filter(|name| has_wildcard(&name.text)) {
        name.word = Some(match &*name.text {
            "**" if anything => Word::AnyDepth,
            "**" => Word::Depth,
            text => Word::Glob(Glob::word(text)),
        });
    }
    names
}

fn name(component: Component<'_>) -> PathName<'_> {
    let text = component.as_os_str().to_string_lossy();
    let folded = match &text {
        Cow::Borrowed(text) => folded(text),
        Cow::Owned(text) => folded(text).into_owned().into(),
    };
    PathName { text, folded, word: None }
}

/// Whether a shell would expand this word. Some versions of bash take a backslash out of what a variable gives.
pub(crate) fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '\\'])
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
