//! Samples in order of time, by the stack that they belong to.

use crate::stacks::Stacks;
use crate::tally::StackTally;
use hone_profile::EventId;

/// One sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// When, in nanoseconds of the recording's clock.
    pub time_ns: u64,
    /// Its stack, as a position in [`Stacks::stacks`].
    pub stack: u32,
    /// What it stands for.
    pub weight: u64,
}

/// The samples of one event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    /// In order of time.
    pub moments: Vec<Moment>,
}

impl Timeline {
    /// The samples of these stacks, from a tally that kept their times.
    pub fn new(tally: &StackTally, event: EventId, stacks: &Stacks) -> Self {
        let moments = tally.times().iter().filter_map(|time| {
            let stack = stacks
                .position_of(&time.key)
                .filter(|_| time.event == event)?;
            Some(Moment {
                time_ns: time.time_ns,
                stack,
                weight: time.weight,
            })
        });
        let mut moments: Vec<Moment> = moments.collect();
        moments.sort_by_key(|moment| moment.time_ns);
        Self { moments }
    }
}
