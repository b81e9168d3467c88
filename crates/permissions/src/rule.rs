//! One rule: its text, where it stands, and what it means. Knows no other rule.

use std::sync::Arc;

use crate::{RuleKind, RuleRef, Source, ToolIdentity};

/// One rule as read: `Tool` or `Tool(specifier)`.
#[derive(Debug, Clone)]
pub struct Rule {
    kind: RuleKind,
    text: String,
    source: Arc<Source>,
    line: Option<u32>,
}

impl Rule {
    /// Reads a rule. Never fails: see [`RuleSet::add`](crate::RuleSet::add) for what a bad one does.
    #[must_use]
    pub fn parse(kind: RuleKind, text: &str, source: &Arc<Source>, line: Option<u32>) -> Self {
        Self { kind, text: text.into(), source: Arc::clone(source), line }
    }

    /// Its text, list, layer and place.
    #[must_use]
    pub fn reference(&self) -> RuleRef {
        RuleRef {
            text: self.text.clone(),
            kind: self.kind,
            scope: self.source.scope,
            file: self.source.file.clone(),
            line: self.line,
        }
    }

    /// Why it does not do what it seems to, if it does not.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        None
    }

    /// Whether it speaks of the whole of this tool.
    #[must_use]
    pub fn takes_whole_tool(&self, tool: ToolIdentity<'_>) -> bool {
        tool.answers_to(&self.text)
    }
}
