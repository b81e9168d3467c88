//! Which paths deny rules hide from reading, for walks: compiled once, asked of each path.

use std::path::{Path, PathBuf};

use crate::pattern::{Extent, normal_names, normalised};
use crate::rule::Sights;
use crate::rule_set::List;
use crate::{Roots, Rule, RuleKind, RuleSet};

/// What deny rules hide, seen from some folders. Takes hardly longer with ten thousand rules than with one.
#[derive(Debug, Clone)]
pub struct HiddenPaths {
    list: List,
    roots: Roots,
    sights: Sights,
}

impl HiddenPaths {
    /// What the deny rules of `rules` hide where `roots` are the folders that matter. The live folder among them is that of
    /// the call: a decision about the same path then is the same.
    #[must_use]
    pub fn new(rules: &RuleSet, roots: Roots) -> Self {
        Self::of(rules, RuleKind::Deny, roots)
    }

    /// The same for another list: what its rules are about when it is read.
    #[must_use]
    pub fn of(rules: &RuleSet, kind: RuleKind, roots: Roots) -> Self {
        let list = rules.list(kind).clone();
        let sights = if list.rules().is_empty() { Sights::default() } else { list.index().sights(&roots) };
        Self { list, roots, sights }
    }

    /// Whether nothing is hidden, whatever the path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.rules().is_empty() || !self.list.index().speaks_of_paths()
    }

    /// The text of the deny rule that hides `path` from reading, if one does. Where links are on the way, ask for the
    /// spelled and for the resolved form: either may be hidden.
    #[must_use]
    pub fn rule(&self, path: &Path) -> Option<&str> {
        // A walk asks this of each of its paths.
        self.find(path, Extent::Itself)
    }

    /// The text of a deny rule that hides `folder` or may hide something below it. Rules anchored elsewhere do not count;
    /// whether there is such a thing only the disk can tell.
    #[must_use]
    pub fn rule_below(&self, folder: &Path) -> Option<&str> {
        self.find(folder, Extent::Below)
    }

    fn find(&self, path: &Path, extent: Extent) -> Option<&str> {
        if self.list.rules().is_empty() {
            return None;
        }
        let names = normal_names(path);
        let numbers = self.list.index().of_reading(&names, extent, &self.sights);
        let hides = |rule: &Rule| rule.hides(&names, extent, &self.roots);
        self.list.first(&numbers, hides).map(|(_, rule)| rule.text())
    }
}

/// The text of the deny rule that hides `path` from reading, if one does: [`HiddenPaths::rule`] for a single path.
#[must_use]
pub fn denies_read(rules: &RuleSet, roots: &Roots, path: &Path) -> Option<String> {
    if rules.rules(RuleKind::Deny).is_empty() {
        return None;
    }
    HiddenPaths::new(rules, roots.clone()).rule(path).map(str::to_owned)
}

impl RuleSet {
    /// The files that deny rules for reading name literally, without a wildcard, from each folder a rule may be meant from,
    /// and the rule. Another name of the same file (a hard link) is the denied file too; only the host can tell.
    pub fn literal_denied_paths(&self, roots: &Roots) -> impl Iterator<Item = (PathBuf, &Rule)> {
        let rules = self.rules(RuleKind::Deny).iter().filter(|rule| rule.is_for_reading());
        rules.flat_map(|rule| literal_paths(rule, roots).map(move |path| (path, rule)))
    }

    /// The files that deny rules for changing alone name literally: as above.
    pub fn literal_unchangeable_paths(&self, roots: &Roots) -> impl Iterator<Item = (PathBuf, &Rule)> {
        let rules = self.rules(RuleKind::Deny).iter().filter(|rule| !rule.is_for_reading());
        rules.flat_map(|rule| literal_paths(rule, roots).map(move |path| (path, rule)))
    }

    /// The files that deny and ask rules name literally, for reading or changing: as above, for a decision.
    pub fn literal_paths(&self, roots: &Roots) -> impl Iterator<Item = PathBuf> {
        let lists = [RuleKind::Deny, RuleKind::Ask].map(|kind| self.rules(kind));
        lists.into_iter().flatten().flat_map(|rule| literal_paths(rule, roots))
    }
}

fn literal_paths(rule: &Rule, roots: &Roots) -> impl Iterator<Item = PathBuf> + use<> {
    rule.literal_paths(roots).into_iter().map(|path| normalised(&path))
}
