//! What one call may do to the person's world. Knows nothing of who asks or how it is scheduled.

/// What one call may do. The default is the answer for a call nobody described: it destroys, and runs alone.
///
/// Effects speak of the person's world (files, processes, the network), not of the session's own lists. The fields are
/// private, so "read-only and destructive" cannot be written; use the named constants.
///
/// ```
/// use toolwright_core::Effects;
/// assert!(Effects::default().is_destructive());
/// assert!(Effects::READ_ONLY.may_start_early());
/// assert!(!Effects::DELEGATES.may_start_early());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    access: Access,
    company: Company,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
enum Access {
    ReadOnly,
    Delegates,
    Writes,
    #[default]
    Destroys,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
enum Company {
    BesideOthers,
    #[default]
    Alone,
}

impl Effects {
    /// Changes nothing. Runs beside others, and may start while the model still streams.
    pub const READ_ONLY: Self = Self { access: Access::ReadOnly, company: Company::BesideOthers };
    /// Reads, but must not run beside another call (a question to the person, say).
    pub const READ_ONLY_ALONE: Self = Self { access: Access::ReadOnly, company: Company::Alone };
    /// Does nothing itself; every call it causes is decided on its own (a subagent). Beside others, never started early.
    pub const DELEGATES: Self = Self { access: Access::Delegates, company: Company::BesideOthers };
    /// Changes things that can be changed back. Runs alone.
    pub const WRITES: Self = Self { access: Access::Writes, company: Company::Alone };
    /// May change things for good. Runs alone.
    pub const DESTROYS: Self = Self { access: Access::Destroys, company: Company::Alone };

    /// Changes nothing in the person's world.
    #[must_use]
    pub const fn is_read_only(self) -> bool {
        matches!(self.access, Access::ReadOnly)
    }

    /// Does nothing itself; what it causes is decided call by call.
    #[must_use]
    pub const fn delegates(self) -> bool {
        matches!(self.access, Access::Delegates)
    }

    /// May change things for good.
    #[must_use]
    pub const fn is_destructive(self) -> bool {
        matches!(self.access, Access::Destroys)
    }

    /// May run while other concurrency-safe calls run.
    #[must_use]
    pub const fn is_concurrency_safe(self) -> bool {
        matches!(self.company, Company::BesideOthers)
    }

    /// May run before the model's message is complete, if it is also allowed without a question.
    #[must_use]
    pub const fn may_start_early(self) -> bool {
        self.is_concurrency_safe() && self.is_read_only()
    }
}
