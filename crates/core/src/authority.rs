//! On whose authority a call runs.

/// On whose authority a call runs. A tool that hands text to an interpreter runs it as written only where somebody has seen that
/// text; otherwise it runs a form printed from what was analysed, so that a difference between two readings of it cannot matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Authority {
    /// Nobody has seen the input: a rule with a pattern, a rule for the whole tool, a hook, the mode `acceptEdits` or the
    /// analysis of the call itself let it through.
    #[default]
    Analysis,
    /// An allow rule that is the whole text of the call.
    ExactRule,
    /// A person, or a program in their place, agreed to this very input.
    Person,
    /// The mode `bypassPermissions`.
    Bypass,
}

impl Authority {
    /// Whether the input runs as it was written.
    #[must_use]
    pub const fn runs_as_written(self) -> bool {
        match self {
            Self::Analysis => false,
            Self::ExactRule | Self::Person | Self::Bypass => true,
        }
    }
}
