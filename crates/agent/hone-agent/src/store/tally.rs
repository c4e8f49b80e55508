//! Counts of values by outcome.

use super::Over;
use crate::canonical::Refused;
use std::collections::HashMap;

/// Counts of values by outcome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Values stored, including values in overflow series.
    pub stored: u64,
    /// Values among `stored` that went to an overflow series.
    pub overflowed: HashMap<Over, u64>,
    /// Additions that would have made a sum infinite, after which the sum stayed at the largest finite number.
    pub held: u64,
    /// Values dropped because their series was refused.
    pub refused: HashMap<Refused, u64>,
    /// Values that were taken, and then lost with their store after a fault of the agent.
    pub lost: u64,
    /// Number of such faults.
    pub failures: u64,
}

impl Tally {
    /// Adds the counts of another worker.
    pub fn add(&mut self, other: &Self) {
        self.stored += other.stored;
        self.held += other.held;
        self.lost += other.lost;
        self.failures += other.failures;
        for (over, count) in &other.overflowed {
            self.overflow(*over, *count);
        }
        for (refused, count) in &other.refused {
            self.refuse(*refused, *count);
        }
    }

    /// Counts values that went to an overflow series.
    pub(super) fn overflow(&mut self, over: Over, values: u64) {
        *self.overflowed.entry(over).or_default() += values;
    }

    /// Counts values whose series was refused.
    pub(super) fn refuse(&mut self, refused: Refused, values: u64) {
        *self.refused.entry(refused).or_default() += values;
    }

    /// Returns the number of values whose series was refused, for any reason.
    pub fn all_refused(&self) -> u64 {
        self.refused.values().sum()
    }

    /// Returns the number of values stored, lost or refused.
    pub fn values(&self) -> u64 {
        self.stored + self.lost + self.all_refused()
    }
}
