//! When a conversation should be shortened: the decision alone. What a summary is made of and who writes it belongs to the
//! driver, which gets the turn's `Compact` action; this module is the seam where a finer policy will stand.

use toolwright_core::Usage;

/// What the decision is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionLimits {
    /// The model's context, in tokens; 0: not known, so nothing is shortened before the provider says that it is full.
    pub context_tokens: u64,
    /// Kept free for the next answer, in tokens.
    pub reserved_tokens: u64,
    /// The share of the rest, in percent, above which the conversation is shortened; above 100 counts as 100.
    pub percent: u8,
    /// Whether it may be shortened without being asked for.
    pub automatic: bool,
}

impl Default for CompactionLimits {
    fn default() -> Self {
        Self { context_tokens: 0, reserved_tokens: 16_000, percent: 90, automatic: true }
    }
}

/// Whether to shorten before the next request. `usage` is the newest request's own: what it read and wrote is what the next
/// one will read at least.
#[must_use]
pub fn should_compact(usage: &Usage, limits: &CompactionLimits) -> bool {
    if !limits.automatic || limits.context_tokens == 0 {
        return false;
    }
    let room = limits.context_tokens.saturating_sub(limits.reserved_tokens);
    let used = usage.context_tokens().saturating_add(usage.output_tokens);
    used.saturating_mul(100) > room.saturating_mul(u64::from(limits.percent.min(100)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(used: (u64, u64), context_tokens: u64, expect: bool) {
        let limits = CompactionLimits { context_tokens, reserved_tokens: 100, percent: 90, automatic: true };
        assert_eq!(
            should_compact(&Usage::new(used.0, used.1), &limits),
            expect,
            "{used:?} of {context_tokens}"
        );
        assert!(!should_compact(
            &Usage::new(used.0, used.1),
            &CompactionLimits { automatic: false, ..limits }
        ));
    }

    #[test]
    fn compacts_above_the_share_of_what_is_not_reserved() {
        check((810, 0), 1_000, false);
        check((811, 0), 1_000, true);
        check((800, 11), 1_000, true);
        check((u64::MAX, u64::MAX), 1_000, true);
        check((u64::MAX, 0), 0, false);
        check((1, 0), 50, true);
    }

    #[test]
    fn what_came_from_the_cache_counts() {
        let mut usage = Usage::new(1, 0);
        usage.cache_read_input_tokens = 900;
        assert!(should_compact(
            &usage,
            &CompactionLimits { context_tokens: 1_000, reserved_tokens: 0, ..Default::default() }
        ));
    }
}
