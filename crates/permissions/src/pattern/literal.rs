//! What all texts that a pattern means have in common: most patterns are ruled out by it at once.

/// What is known of every text that a pattern means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    /// It is this one.
    Whole(String),
    /// It begins so.
    Beginning(String),
    /// It ends so.
    End(String),
}

impl Literal {
    /// The longer of two ends.
    pub(crate) fn longer(beginning: String, end: String) -> Self {
        if beginning.len() >= end.len() { Self::Beginning(beginning) } else { Self::End(end) }
    }
}
