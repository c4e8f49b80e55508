//! Merges several profiles into one: of hosts, days and builds.
//!
//! Every count is multiplied by its input's weight and added, in fixed point with 32 fraction bits, and rounded
//! once, at the end. This rule has these effects:
//! - The order of the inputs does not matter, nor how they are grouped within one merge.
//! - With whole weights nothing is rounded, and merging in stages gives the same result as merging at once; sums stop
//!   at the largest number. If builds disagree about a function (see [`SampleMerger`]), stages may choose
//!   differently.
//! - Code that ran keeps at least the count 1: to the compiler 0 means "never".
//!
//! Memory grows with the distinct places of all inputs together, not with their number: the caller reads one
//! input at a time.

mod fdata;
mod samples;

pub use fdata::{Fdata, FdataError, FdataMerger, is_fdata};
pub use samples::{MergeError, MergeReport, Merged, SampleMerger};

use std::time::Duration;

/// Sum of the counts of a normalised input.
pub const NORMAL_TOTAL: u64 = 1_000_000_000_000;

const FRACTION_BITS: u32 = 32;
const ONE: u64 = 1 << FRACTION_BITS;

/// Weight of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// Factor in fixed point.
    factor: u64,
    /// Total that becomes [`NORMAL_TOTAL`].
    total: Option<u64>,
}

impl Default for Weight {
    fn default() -> Self {
        Self::times(1)
    }
}

impl Weight {
    /// Returns a weight that multiplies every count by `n`.
    pub fn times(n: u32) -> Self {
        Self {
            factor: u64::from(n) << FRACTION_BITS,
            total: None,
        }
    }

    /// Halves the weight for each half-life of age, to 32 binary places.
    pub fn aged(self, age: Duration, half_life: Duration) -> Self {
        let half_lives = age.as_secs_f64() / half_life.as_secs_f64().max(f64::MIN_POSITIVE);
        let share = ((-half_lives).exp2() * ONE as f64).round() as u64;
        let factor = (u128::from(self.factor) * u128::from(share)) >> FRACTION_BITS;
        Self {
            factor: u64::try_from(factor).unwrap_or(u64::MAX),
            ..self
        }
    }

    /// Scales the counts so that this total becomes [`NORMAL_TOTAL`]: each count above 0 is rounded to the nearest whole
    /// number, halves up, and to at least 1.
    pub fn normalised(self, total: u64) -> Self {
        Self {
            total: (total > 0).then_some(total),
            ..self
        }
    }

    /// Returns true if nothing is left of the input.
    pub fn is_nothing(self) -> bool {
        self.factor == 0
    }

    /// Returns the weight as a number, without the normalisation.
    pub fn factor(self) -> f64 {
        self.factor as f64 / ONE as f64
    }

    /// Multiplies the weight by a share, rounded down to 32 binary places. A `part` above the `whole` counts as the whole.
    #[must_use]
    pub fn part(self, part: u64, whole: u64) -> Self {
        if part >= whole {
            return self;
        }
        let factor = u128::from(self.factor) * u128::from(part) / u128::from(whole);
        Self {
            // Below 1 times a factor of 64 bits.
            factor: factor as u64,
            ..self
        }
    }

    /// Returns the weighted count, in fixed point.
    pub fn of(self, count: u64) -> Fixed {
        let mut count = u128::from(count);
        if let Some(total) = self.total.map(u128::from)
            && count > 0
        {
            count = ((count * u128::from(NORMAL_TOTAL) + total / 2) / total).max(1);
        }
        Fixed(count.saturating_mul(u128::from(self.factor)))
    }
}

/// A sum of weighted counts, with 32 fraction bits. It stops at the largest number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Fixed(u128);

impl Fixed {
    /// Adds another sum.
    pub fn add(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }

    /// Returns the sum rounded to the nearest whole number, halves up; at least 1 for a sum above 0.
    pub fn rounded(self) -> u64 {
        if self.0 == 0 {
            return 0;
        }
        let rounded = self.0.saturating_add(u128::from(ONE / 2)) >> FRACTION_BITS;
        u64::try_from(rounded).unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_weights_are_exact_and_stop_at_the_largest_number() {
        for count in [0, 1, 7, 1 << 40, u64::MAX] {
            assert_eq!(Weight::times(1).of(count).rounded(), count);
            let thrice = Weight::times(3).of(count).rounded();
            assert_eq!(thrice, count.saturating_mul(3));
        }
        assert_eq!(Weight::times(u32::MAX).of(u64::MAX).rounded(), u64::MAX);
    }

    #[test]
    fn age_halves() {
        let day = Duration::from_secs(86_400);
        let weight = Weight::times(8).aged(3 * day, day);
        assert_eq!(weight.of(5).rounded(), 5);
        assert_eq!(weight.of(0).rounded(), 0);
        assert!(Weight::times(1).aged(100 * day, day).is_nothing());
    }

    #[test]
    fn a_part_is_a_share_of_the_weight() {
        let of = |part, whole| Weight::times(6).part(part, whole).of(7).rounded();
        assert_eq!([of(1, 2), of(2, 2), of(3, 2), of(0, 2)], [21, 42, 42, 0]);
        assert_eq!(Weight::times(u32::MAX).part(1, u64::MAX).factor(), 0.0);
    }

    #[test]
    fn normal_totals_round_halves_up_and_keep_what_ran() {
        let weight = Weight::default().normalised(3 * NORMAL_TOTAL);
        let of = |count| weight.of(count).rounded();
        assert_eq!([of(0), of(1), of(3), of(4), of(5)], [0, 1, 1, 1, 2]);
        assert_eq!(of(3 * NORMAL_TOTAL), NORMAL_TOTAL);
        assert_eq!(Weight::default().normalised(0).of(5).rounded(), 5);
    }
}
