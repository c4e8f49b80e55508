//! The stacks of a recording in the forms that other tools open.

mod firefox;
mod folded;
mod pprof;
mod speedscope;

pub use firefox::firefox;
pub use folded::folded;
pub use pprof::pprof;
pub use speedscope::speedscope;

use crate::stacks::{Stack, Stacks};
use crate::timeline::{Moment, Timeline};
use std::collections::BTreeMap;

/// The samples of one thread, in order of time.
struct Thread<'s> {
    pid: i32,
    tid: i32,
    name: &'s str,
    samples: Vec<ThreadSample<'s>>,
    /// Weight of all samples of the thread.
    weight: u64,
}

struct ThreadSample<'s> {
    /// Nanoseconds after the first sample of the recording.
    time_ns: u64,
    stack: &'s Stack,
    /// Number of times the sample was seen.
    times: u64,
    weight: u64,
}

/// Returns the threads, heaviest first. If the recording has no times, each stack is one sample at the start.
fn threads<'s>(stacks: &'s Stacks, timeline: &Timeline) -> Vec<Thread<'s>> {
    let without_times: Vec<Moment>;
    let moments = if timeline.moments.is_empty() {
        let stacks = stacks.stacks.iter().zip(0_u32..);
        without_times = stacks
            .map(|(stack, position)| Moment {
                time_ns: 0,
                stack: position,
                times: stack.samples,
                weight: stack.weight,
            })
            .collect();
        &without_times
    } else {
        &timeline.moments
    };
    let begin = moments.first().map_or(0, |moment| moment.time_ns);
    let mut threads: BTreeMap<(i32, i32), Thread<'s>> = BTreeMap::new();
    for moment in moments {
        let stack = &stacks.stacks[moment.stack as usize];
        let thread = threads
            .entry((stack.pid, stack.tid))
            .or_insert_with(|| Thread {
                pid: stack.pid,
                tid: stack.tid,
                name: &stack.thread,
                samples: Vec::new(),
                weight: 0,
            });
        thread.weight = thread.weight.saturating_add(moment.weight);
        thread.samples.push(ThreadSample {
            time_ns: moment.time_ns - begin,
            stack,
            times: moment.times,
            weight: moment.weight,
        });
    }
    let mut threads: Vec<Thread<'s>> = threads.into_values().collect();
    threads.sort_by_key(|thread| std::cmp::Reverse(thread.weight));
    threads
}
