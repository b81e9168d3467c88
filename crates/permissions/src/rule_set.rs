//! The rules of all layers together. Knows no order of decision.

use std::sync::Arc;

use crate::{Mode, Rule, RuleKind, RuleRef, Source, ToolIdentity};

/// The rules of all layers. Lists merge over layers, and the list decides before the layer does: a narrow allow rule of
/// the strongest layer does not beat a wide deny rule of the weakest.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    allow: Vec<Rule>,
    ask: Vec<Rule>,
    deny: Vec<Rule>,
}

impl RuleSet {
    /// Reads one rule and keeps it. Text that is no good rule is kept too: in deny and ask it bites on its whole tool, in
    /// allow it covers nothing, and [`warnings`](Self::warnings) says so.
    pub fn add(&mut self, kind: RuleKind, text: &str, source: &Arc<Source>, line: Option<u32>) {
        self.list(kind).push(Rule::parse(kind, text, source, line));
    }

    /// The same for rules without lines: flags, session.
    pub fn add_all<'t>(
        &mut self,
        kind: RuleKind,
        texts: impl IntoIterator<Item = &'t str>,
        source: &Arc<Source>,
    ) {
        for text in texts {
            self.add(kind, text, source, None);
        }
    }

    /// The rules of one list, in the order they were added.
    #[must_use]
    pub fn rules(&self, kind: RuleKind) -> &[Rule] {
        match kind {
            RuleKind::Allow => &self.allow,
            RuleKind::Ask => &self.ask,
            RuleKind::Deny => &self.deny,
        }
    }

    /// What a person should know about rules that do not do what they seem to.
    pub fn warnings(&self) -> impl Iterator<Item = (RuleRef, &str)> {
        let all = self.deny.iter().chain(&self.ask).chain(&self.allow);
        all.filter_map(|rule| Some((rule.reference(), rule.warning()?)))
    }

    /// The deny rule that takes the whole tool out of the pool, if one does: a rule for the tool, for its server, or one
    /// that could not be understood. `Read(.env)` takes nothing out.
    #[must_use]
    pub fn denies_tool(&self, tool: ToolIdentity<'_>) -> Option<RuleRef> {
        self.deny.iter().find(|rule| rule.takes_whole_tool(tool)).map(Rule::reference)
    }

    /// The rules and mode of an agent that another one spawns: all rules of its parent; of its own definition only what
    /// tightens. Allow rules in `own` are dropped, and the mode is never looser than the parent's.
    #[must_use]
    pub fn for_subagent(&self, mode: Mode, own: &Self, wanted: Option<Mode>) -> (Self, Mode) {
        let mut rules = self.clone();
        rules.ask.extend(own.ask.iter().cloned());
        rules.deny.extend(own.deny.iter().cloned());
        (rules, mode.for_subagent(wanted))
    }

    /// All rules of both.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        self.allow.extend(other.allow);
        self.ask.extend(other.ask);
        self.deny.extend(other.deny);
        self
    }

    fn list(&mut self, kind: RuleKind) -> &mut Vec<Rule> {
        match kind {
            RuleKind::Allow => &mut self.allow,
            RuleKind::Ask => &mut self.ask,
            RuleKind::Deny => &mut self.deny,
        }
    }
}
