//! The rules of all layers together. Knows no order of decision.

use std::sync::{Arc, OnceLock};

use crate::rule::Index;
use crate::{Mode, Rule, RuleKind, RuleRef, Source, ToolIdentity};

/// The rules of all layers. Lists merge over layers, and the list decides before the layer does: a narrow allow rule of
/// the strongest layer does not beat a wide deny rule of the weakest. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    allow: List,
    ask: List,
    deny: List,
}

/// The rules of one kind, with what finds them, made when it is first needed.
#[derive(Debug, Clone, Default)]
pub(crate) struct List {
    rules: Arc<Vec<Rule>>,
    index: Arc<OnceLock<Index>>,
}

impl List {
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.rules))
    }

    /// The first of the rules with these numbers that satisfies `speaks`.
    pub(crate) fn first(&self, numbers: &[u32], speaks: impl Fn(&Rule) -> bool) -> Option<(u32, &Rule)> {
        numbers.iter().find_map(|number| {
            let rule = self.rules.get(usize::try_from(*number).ok()?)?;
            speaks(rule).then_some((*number, rule))
        })
    }

    fn extend(&mut self, rules: impl IntoIterator<Item = Rule>) {
        Arc::make_mut(&mut self.rules).extend(rules);
        self.index = Arc::default();
    }
}

impl RuleSet {
    /// Reads one rule and keeps it. Text that is no good rule is kept too: in deny and ask it matches its whole tool, in
    /// allow it covers nothing, and [`warnings`](Self::warnings) says so.
    pub fn add(&mut self, kind: RuleKind, text: &str, source: &Arc<Source>, line: Option<u32>) {
        self.list_mut(kind).extend([Rule::parse(kind, text, source, line)]);
    }

    /// The same for rules without lines: flags, session.
    pub fn add_all<'t>(
        &mut self,
        kind: RuleKind,
        texts: impl IntoIterator<Item = &'t str>,
        source: &Arc<Source>,
    ) {
        let rules = texts.into_iter().map(|text| Rule::parse(kind, text, source, None));
        self.list_mut(kind).extend(rules);
    }

    /// The rules of one list, in the order they were added.
    #[must_use]
    pub fn rules(&self, kind: RuleKind) -> &[Rule] {
        self.list(kind).rules()
    }

    /// The deny rule that takes the whole tool out of the pool, if one does: a rule for the tool, for its server, or one
    /// that could not be understood. `Read(.env)` takes nothing out.
    #[must_use]
    pub fn denies_tool(&self, tool: ToolIdentity<'_>) -> Option<RuleRef> {
        let numbers = self.deny.index().of_tools(tool);
        let rule = self.deny.first(&numbers, |rule| rule.takes_whole_tool(tool));
        rule.map(|(_, rule)| rule.reference())
    }

    /// The rules and mode of an agent that another one spawns: all rules of its parent; of its own definition only what
    /// tightens. Allow rules in `own` are dropped, and the mode is never looser than the parent's.
    #[must_use]
    pub fn for_subagent(&self, mode: Mode, own: &Self, wanted: Option<Mode>) -> (Self, Mode) {
        let mut rules = self.clone();
        for kind in [RuleKind::Ask, RuleKind::Deny] {
            if !own.rules(kind).is_empty() {
                rules.list_mut(kind).extend(own.rules(kind).iter().cloned());
            }
        }
        (rules, mode.for_subagent(wanted))
    }

    /// All rules of both.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        for kind in [RuleKind::Allow, RuleKind::Ask, RuleKind::Deny] {
            self.list_mut(kind).extend(other.rules(kind).iter().cloned());
        }
        self
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Rule> {
        self.deny.rules().iter().chain(self.ask.rules()).chain(self.allow.rules())
    }

    pub(crate) const fn list(&self, kind: RuleKind) -> &List {
        match kind {
            RuleKind::Allow => &self.allow,
            RuleKind::Ask => &self.ask,
            RuleKind::Deny => &self.deny,
        }
    }

    const fn list_mut(&mut self, kind: RuleKind) -> &mut List {
        match kind {
            RuleKind::Allow => &mut self.allow,
            RuleKind::Ask => &mut self.ask,
            RuleKind::Deny => &mut self.deny,
        }
    }
}
