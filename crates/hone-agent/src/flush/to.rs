//! Whom a point is for.

/// Some of those for whom series are told apart, by the number of their rules in the list that
/// [`super::Flusher::tell_apart`] got.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct To(u64);

impl To {
    /// Everybody.
    pub const ALL: Self = Self(u64::MAX);
    /// More rules than that there are not.
    pub(super) const RULES_MAX: usize = 64;

    pub(super) fn only(number: usize) -> Self {
        Self(1 << number)
    }

    pub(super) fn without(self, number: usize) -> Self {
        Self(self.0 & !(1 << number))
    }

    /// Whether it is for any of the first `count`.
    pub(super) fn is_for_any(self, count: usize) -> bool {
        count == 0 || self.0 & (u64::MAX >> (Self::RULES_MAX - count)) != 0
    }

    /// Whether it is for those who have the rules of this number.
    pub fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }
}
