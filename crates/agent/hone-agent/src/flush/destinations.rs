//! Destinations of a point.

/// Destinations of a point, by the numbers of their rules in the list that was given to
/// [`super::Flusher::tell_apart`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct To(u64);

impl To {
    /// All destinations.
    pub const ALL: Self = Self(u64::MAX);
    /// Limit on the number of rules.
    pub(super) const RULES_MAX: usize = 64;

    pub(super) fn only(number: usize) -> Self {
        Self(1 << number)
    }

    pub(super) fn without(self, number: usize) -> Self {
        Self(self.0 & !(1 << number))
    }

    /// Returns true if the point is for any of the first `count` rules.
    pub(super) fn is_for_any(self, count: usize) -> bool {
        count == 0 || self.0 & (u64::MAX >> (Self::RULES_MAX - count)) != 0
    }

    /// Returns true if the point is for the rules of this number.
    pub fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }
}
