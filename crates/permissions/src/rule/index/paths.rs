//! Path patterns as one tree of names, so that a path is looked up in all of them at once. Reads them as deny and ask rules
//! do, which is the most they can mean.

use std::collections::{HashMap, HashSet};

use super::literals::Literals;
use crate::pattern::{
    Anchor, Case, Extent, Glob, Literal, PathName, PathPattern, Segment, Word, anchors, folded, names_of,
};
use crate::{Folder, Roots};

/// The patterns of one list of rules.
#[derive(Debug, Default)]
pub(crate) struct Paths(Vec<Group>);

/// Patterns with the same anchor.
#[derive(Debug)]
struct Group {
    anchor: Anchor,
    /// The folder of the source, where that is the anchor.
    base: Option<Folder>,
    up: usize,
    nodes: Vec<Node>,
    /// The first of the rules whose patterns do not begin with any depth.
    first_by_place: Option<u32>,
}

/// What is left of the patterns behind some names.
#[derive(Debug, Default)]
struct Node {
    names: HashMap<String, usize>,
    globs: Vec<Branch>,
    by_literal: Literals,
    /// The same patterns behind any number of further names.
    any_depth: Option<usize>,
    /// It is one that is reached so, and stays whatever the next name is.
    stays: bool,
    /// The rules whose patterns end here.
    ends: Vec<u32>,
    /// The first of the rules whose patterns end here or further down.
    first: Option<u32>,
}

/// A name with wildcards, and what is left behind it.
#[derive(Debug)]
struct Branch {
    glob: Glob,
    ends: Ends,
    next: usize,
}

/// What all names that a glob means begin and end with, in one spelling.
#[derive(Debug)]
struct Ends {
    beginning: String,
    end: String,
}

impl Ends {
    fn of(glob: &Glob) -> Self {
        Self { beginning: folded(&glob.beginning()).into_owned(), end: folded(&glob.end()).into_owned() }
    }

    /// Whether one name may have both.
    fn go_with(&self, other: &Self) -> bool {
        let either =
            |fits: fn(&str, &str) -> bool, one: &str, other: &str| fits(one, other) || fits(other, one);
        either(|text, with| text.starts_with(with), &self.beginning, &other.beginning)
            && either(|text, with| text.ends_with(with), &self.end, &other.end)
    }
}

/// Where the patterns of [`Paths`] begin, in one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sight(Vec<(usize, Vec<String>)>);

impl Paths {
    pub(crate) fn of<'p>(patterns: impl IntoIterator<Item = (&'p PathPattern, &'p Folder, u32)>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut globs = HashMap::new();
        for (pattern, base, number) in patterns {
            let base = (pattern.anchor == Anchor::Source).then_some(base);
            let same = |group: &Group| {
                group.anchor == pattern.anchor && group.up == pattern.up && group.base.as_ref() == base
            };
            let at = groups.iter().position(same).unwrap_or_else(|| {
                let nodes = vec![Node::default()];
                let (anchor, base, up) = (pattern.anchor, base.cloned(), pattern.up);
                groups.push(Group { anchor, base, up, nodes, first_by_place: None });
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(at) {
                group.insert(at, &pattern.widest(), number, &mut globs);
            }
        }
        for node in groups.iter_mut().flat_map(|group| &mut group.nodes) {
            let literal = |ends: &Ends| Literal::longer(ends.beginning.clone(), ends.end.clone());
            let numbered = node.globs.iter().zip(0..).map(|(branch, at)| (literal(&branch.ends), at));
            node.by_literal = Literals::of(numbered);
        }
        Self(groups)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn sight(&self, roots: &Roots) -> Sight {
        let mut from: Vec<(usize, Vec<String>)> = Vec::new();
        for (at, group) in self.0.iter().enumerate() {
            for folder in anchors(group.anchor, group.up, group.base.as_ref(), roots) {
                let names = names_of(&folder).into_iter().map(|name| name.folded.into_owned()).collect();
                let place = (at, names);
                if !from.contains(&place) {
                    from.push(place);
                }
            }
        }
        Sight(from)
    }

    /// Adds the rules that mean `path`, which is absolute and normalised; with another extent than
    /// that at least the first of those that may mean something below it.
    pub(crate) fn find(&self, sight: &Sight, path: &[PathName<'_>], extent: Extent, found: &mut Vec<u32>) {
        for (group, anchor) in &sight.0 {
            let Some(group) = self.0.get(*group) else { continue };
            let mut names = path.iter();
            let mut anchor = anchor.iter();
            let left = loop {
                // What lies anywhere lies below this anchor too.
                match (anchor.as_slice().first(), names.as_slice().first()) {
                    (_, Some(PathName { word: Some(Word::AnyDepth), .. }))
                    | (Some(_), Some(PathName { word: Some(Word::Depth), .. })) => {
                        names = [].iter();
                        break Some(Extent::Below);
                    }
                    (None, _) => break Some(extent),
                    (Some(_), None) => break (extent != Extent::Itself).then_some(Extent::Below),
                    (Some(own), Some(name)) if name.may_be(own) => {
                        anchor.next();
                        names.next();
                    }
                    _ => break None,
                }
            };
            if let Some(extent) = left {
                group.find(names.as_slice(), extent, found);
            }
        }
    }
}

impl Group {
    fn insert(
        &mut self,
        group: usize,
        segments: &[Segment],
        number: u32,
        globs: &mut HashMap<(usize, usize, Glob), usize>,
    ) {
        if segments.first() != Some(&Segment::AnyDepth) {
            self.first_by_place.get_or_insert(number);
        }
        let mut at = 0;
        let mut next = self.nodes.len();
        for segment in segments {
            let Some(node) = self.nodes.get_mut(at) else { return };
            node.first.get_or_insert(number);
            at = match segment {
                Segment::AnyDepth => *node.any_depth.get_or_insert(next),
                Segment::One(glob) => match glob.text() {
                    Some(text) => *node.names.entry(folded(&text).into_owned()).or_insert(next),
                    None => *globs.entry((group, at, glob.clone())).or_insert_with(|| {
                        node.globs.push(Branch { glob: glob.clone(), ends: Ends::of(glob), next });
                        next
                    }),
                },
            };
            if at == next {
                self.nodes.push(Node { stays: *segment == Segment::AnyDepth, ..Node::default() });
                next += 1;
            }
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.first.get_or_insert(number);
            node.ends.push(number);
        }
    }

    fn find(&self, names: &[PathName<'_>], extent: Extent, found: &mut Vec<u32>) {
        let mut active = Vec::new();
        self.enter(0, &mut active, found);
        let mut next = Vec::new();
        for name in names {
            if active.is_empty() {
                return;
            }
            match name.word {
                Some(Word::AnyDepth) => return self.below(&active, Extent::Below, found),
                Some(Word::Depth) => {
                    self.pass_visible_names(&mut active, found);
                    continue;
                }
                Some(Word::Glob(_)) | None => {}
            }
            for node in active.drain(..) {
                self.step(node, name, &mut next, found);
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut active, &mut next);
        }
        if extent != Extent::Itself {
            self.below(&active, extent, found);
        }
    }

    fn below(&self, active: &[usize], extent: Extent, found: &mut Vec<u32>) {
        let anywhere = self.nodes.first().and_then(|root| root.any_depth);
        found.extend(active.iter().filter_map(|at| match (extent, *at) {
            (Extent::BelowByPlace, 0) => self.first_by_place,
            (Extent::BelowByPlace, at) if Some(at) == anywhere => None,
            (_, at) => self.nodes.get(at)?.first,
        }));
    }

    fn enter(&self, at: usize, active: &mut Vec<usize>, found: &mut Vec<u32>) {
        let Some(node) = self.nodes.get(at) else { return };
        active.push(at);
        found.extend(&node.ends);
        if let Some(any_depth) = node.any_depth {
            self.enter(any_depth, active, found);
        }
    }

    /// What is reached behind any number of names that do not begin with a dot.
    fn pass_visible_names(&self, active: &mut Vec<usize>, found: &mut Vec<u32>) {
        let mut reached: HashSet<usize> = active.iter().copied().collect();
        let mut at = 0;
        while let Some(node) = active.get(at).and_then(|at| self.nodes.get(*at)) {
            let names = node.names.iter().filter(|(name, _)| !name.starts_with('.')).map(|(_, child)| *child);
            let globs =
                node.globs.iter().filter(|branch| branch.glob.means_visible()).map(|branch| branch.next);
            for child in names.chain(globs) {
                if reached.insert(child) {
                    self.enter(child, active, found);
                }
            }
            at += 1;
        }
    }

    fn step(&self, at: usize, name: &PathName<'_>, next: &mut Vec<usize>, found: &mut Vec<u32>) {
        let Some(node) = self.nodes.get(at) else { return };
        if node.stays {
            next.push(at);
        }
        let Some(Word::Glob(word)) = &name.word else {
            if let Some(child) = node.names.get(&*name.folded) {
                self.enter(*child, next, found);
            }
            if !node.globs.is_empty() {
                let mut near = Vec::new();
                node.by_literal.find(&name.folded, &mut near);
                let near = near.iter().filter_map(|at| node.globs.get(usize::try_from(*at).ok()?));
                for branch in near.filter(|branch| branch.glob.matches(&name.text, Case::Folded)) {
                    self.enter(branch.next, next, found);
                }
            }
            return;
        };
        let ends = Ends::of(word);
        let may_be = |text: &str| {
            let hidden = ends.beginning.is_empty() && text.starts_with('.');
            text.starts_with(&ends.beginning) && text.ends_with(&ends.end) && !hidden
        };
        for (text, child) in &node.names {
            if may_be(text) && word.matches(text, Case::Folded) {
                self.enter(*child, next, found);
            }
        }
        for branch in &node.globs {
            if branch.ends.go_with(&ends) && branch.glob.overlaps(word) {
                self.enter(branch.next, next, found);
            }
        }
    }
}
