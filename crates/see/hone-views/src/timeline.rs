//! Samples in order of time, each with its stack.

use crate::stacks::Stacks;
use crate::tally::StackTally;
use hone_profile::EventId;

/// A sample with its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Time in nanoseconds of the recording's clock.
    pub time_ns: u64,
    /// Position of the sample's stack in [`Stacks::stacks`].
    pub stack: u32,
    /// Number of times the sample was seen: more than once in recordings that tell sums.
    pub times: u64,
    /// Weight of the sample.
    pub weight: u64,
}

/// The samples of one event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    /// Length of the steps of time in which samples were added up, in nanoseconds; 0 where each has its own time.
    pub step_ns: u64,
    /// Samples in order of time.
    pub moments: Vec<Moment>,
}

impl Timeline {
    /// Returns the samples of the stacks, from a tally that kept their times, each with its own.
    pub fn new(tally: &StackTally, event: EventId, stacks: &Stacks) -> Self {
        let moments = tally.times().iter().filter_map(|time| {
            let stack = stacks
                .position_of(&time.key)
                .filter(|_| time.event == event)?;
            Some(Moment {
                time_ns: time.time_ns,
                stack,
                times: time.times,
                weight: time.weight,
            })
        });
        let mut moments: Vec<Moment> = moments.collect();
        moments.sort_by_key(|moment| moment.time_ns);
        Self {
            step_ns: 0,
            moments,
        }
    }
}
