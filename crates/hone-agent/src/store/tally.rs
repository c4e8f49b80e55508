//! What became of values, by reason.

use super::Over;
use crate::canonical::Refused;
use std::collections::HashMap;

/// Values that went into a store, elsewhere or nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Values stored, those in overflow series too.
    pub stored: u64,
    /// Of these, values that went to an overflow series.
    pub overflowed: HashMap<Over, u64>,
    /// How often a sum stayed at the largest number that there is, since what was added made it larger.
    pub held: u64,
    /// Values dropped because their series is not one.
    pub refused: HashMap<Refused, u64>,
    /// Values that were taken, and lost with a store in which the agent failed.
    pub lost: u64,
    /// How often that happened.
    pub failures: u64,
}

impl Tally {
    /// Adds what another worker counted.
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

    /// Counts values whose series is not one.
    pub(super) fn refuse(&mut self, refused: Refused, values: u64) {
        *self.refused.entry(refused).or_default() += values;
    }

    /// Values whose series is not one, whyever.
    pub fn all_refused(&self) -> u64 {
        self.refused.values().sum()
    }

    /// Values that became something.
    pub fn values(&self) -> u64 {
        self.stored + self.lost + self.all_refused()
    }
}
