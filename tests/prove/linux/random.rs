//! Pseudo-random numbers from a seed: the same on every machine (SplitMix64).

/// A stream of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// True `hundredths` times in a hundred.
    pub(crate) fn chance(&mut self, hundredths: usize) -> bool {
        self.below(100) < hundredths
    }

    /// One of several words; empty where there is none.
    pub(crate) fn word<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let at = self.below(words.len());
        words.get(at).copied().unwrap_or_default()
    }

    /// One of several things.
    pub(crate) fn of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let at = self.below(things.len());
        things.get(at)
    }
}
