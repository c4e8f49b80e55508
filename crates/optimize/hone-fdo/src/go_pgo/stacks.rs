//! Stacks of samples with call chains, as Go's own profiler writes them.

use super::Source;
use super::emit::Table;
use super::leaf::{Caller, Leaves, Votes};
use crate::counts::add;
use hone_profile::{BinaryId, BinaryKind, Event, LocationId, Profile, Sample, StackId, Svma};
use rustc_hash::FxHashMap;

/// Call chains of a recording, counted sample by sample.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    by_stack: FxHashMap<(Option<StackId>, LocationId), StackCount>,
    /// True if weights are not times.
    counts_events: bool,
    /// True if weights are sums of many samples each, as in pprof.
    are_sums: bool,
}

/// Number and weight of the samples with one stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct StackCount {
    pub(super) samples: u64,
    pub(super) weight: u64,
}

impl Stacks {
    /// Counts one sample; walks do not count, because their pieces do not represent equal times.
    pub fn add(&mut self, profile: &Profile, sample: &Sample) {
        let event = profile.events.get(sample.event.index());
        if event.is_some_and(Event::is_walk) {
            return;
        }
        let name = event.map_or("", |event| event.name.as_str());
        let is_time = ["cpu-clock", "task-clock", "cpu/nanoseconds"]
            .iter()
            .any(|clock| name.starts_with(clock));
        self.counts_events |= !is_time;
        // Only events of pprof have a unit in their name.
        self.are_sums |= ["cpu/nanoseconds", "samples/count"].contains(&name);
        let count = self.by_stack.entry((sample.stack, sample.ip)).or_default();
        add(&mut count.samples, sample.times);
        add(&mut count.weight, sample.weight);
    }

    /// Returns true if any sample has a call chain.
    pub fn has_chains(&self) -> bool {
        self.by_stack.keys().any(|(stack, _)| stack.is_some())
    }

    /// Adds the stacks to a table. `ids` are the ids of the binary in the profile that was counted.
    pub(super) fn add_to<'s>(
        &self,
        out: &mut Table<'s>,
        profile: &Profile,
        ids: &[BinaryId],
        source: &Source<'s>,
    ) {
        out.counts_events |= self.counts_events;
        // Ids in the order of the file: the same recording gives the same bytes.
        let mut all: Vec<_> = self.by_stack.iter().collect();
        all.sort_unstable_by_key(|(key, _)| **key);
        let weights = self.by_stack.values().map(|count| count.weight);
        let period = weights.fold(0, common_divisor).max(1);
        let chains = all.into_iter().map(|(&(stack, ip), &(mut count))| {
            if self.are_sums {
                count.samples = count.weight / period;
            }
            let frames: Vec<_> = match stack {
                Some(stack) => profile.frames(stack).collect(),
                None => vec![ip],
            };
            (in_binary(&frames, profile, ids, source), count)
        });
        let chains: Vec<(InBinary, StackCount)> = chains.collect();
        let mut votes = Votes::default();
        for (chain, count) in &chains {
            if let Some((leaf, return_to)) = chain.leaf_and_return() {
                votes.add(leaf, return_to, source, count.samples);
            }
        }
        // Producers of pprof have unwound the stack by better means, as Go's runtime does.
        let have_gaps = !self.are_sums && votes.have_gaps();
        let mut leaves = Leaves::default();
        for (mut found, count) in chains {
            if have_gaps {
                out.callers(found.mend_leaf(&mut leaves, source), count.samples);
            }
            out.stacks_cut += if found.is_cut { count.samples } else { 0 };
            let places = found.places.into_iter().enumerate().map(|(depth, svma)| {
                let mut frames = source.frames(svma);
                // The cost of a wrapper itself is part of the call of its method.
                if depth == 0
                    && let [only] = frames[..]
                    && source.is_left_out(&only.function)
                {
                    frames.extend(source.method_behind(&only.function));
                }
                frames.retain(|frame| !source.is_left_out(&frame.function));
                frames
            });
            out.stack(places, count);
        }
    }
}

/// Returns the largest number that divides both: for sums of equal weights, this weight or a multiple of it.
fn common_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

struct InBinary {
    /// Addresses of instructions, leaf first; for callers, an address in the call.
    places: Vec<Svma>,
    /// True if the first place is the instruction that ran, not a call.
    has_leaf: bool,
    /// True if frames of other code lie between the frames of the binary.
    is_cut: bool,
}

impl InBinary {
    /// Returns the instruction that ran and the address at which its caller goes on, if the chain has both.
    fn leaf_and_return(&self) -> Option<(Svma, Svma)> {
        let [leaf, next, ..] = self.places[..] else {
            return None;
        };
        self.has_leaf.then_some((leaf, Svma(next.0 + 1)))
    }

    /// Puts in the frame that is missing behind a leaf without a frame pointer; if the frame is not known, only the leaf
    /// is kept.
    fn mend_leaf(&mut self, leaves: &mut Leaves, source: &Source<'_>) -> Caller {
        let Some((leaf, return_to)) = self.leaf_and_return() else {
            return Caller::Next;
        };
        let caller = leaves.caller(leaf, return_to, source);
        match caller {
            Caller::Next => {}
            Caller::Missing(call) => self.places.insert(1, call),
            Caller::Unknown => self.places.truncate(1),
        }
        caller
    }
}

/// Returns the frames of a stack that lie in the binary, up to the first frame that does not.
///
/// The leaf may be in the kernel or in the vdso: then its caller takes its place, as in Go's profiles.
fn in_binary(
    frames: &[LocationId],
    profile: &Profile,
    ids: &[BinaryId],
    source: &Source<'_>,
) -> InBinary {
    let mut found = InBinary {
        places: Vec::new(),
        has_leaf: false,
        is_cut: false,
    };
    let mut is_exact = true;
    for (index, &frame) in frames.iter().enumerate() {
        let location = profile.location(frame);
        let svma = ids
            .contains(&location.binary)
            .then(|| source.binary.svma_of(location.offset))
            .flatten();
        match svma {
            Some(svma) if is_exact => {
                found.has_leaf = true;
                found.places.push(svma);
            }
            // The frame of a caller is the address at which the caller goes on.
            Some(svma) => found.places.push(Svma(svma.0.saturating_sub(1))),
            None if found.places.is_empty() => {}
            None => {
                let rest = &frames[index..];
                let is_ours = |id: &LocationId| ids.contains(&profile.location(*id).binary);
                found.is_cut = rest.iter().any(is_ours);
                break;
            }
        }
        // The kernel interrupts at an instruction; other code was called.
        is_exact = profile.binary(location.binary).kind == BinaryKind::Kernel;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::{BranchStacks, EventId, ThreadId};

    #[test]
    fn a_sample_that_was_seen_several_times_counts_as_often() {
        let mut profile = Profile::default();
        profile.events.push(Event {
            name: "cpu-clock".into(),
            branches: BranchStacks::None,
        });
        let sample = Sample {
            event: EventId(0),
            thread: ThreadId(0),
            time_ns: 0,
            weight: 30,
            times: 3,
            ip: profile.intern_unmapped(hone_profile::Avma(1)),
            stack: None,
            branches: 0..0,
        };
        let mut stacks = Stacks::default();
        stacks.add(&profile, &sample);
        let expected = StackCount {
            samples: 3,
            weight: 30,
        };
        assert_eq!(stacks.by_stack[&(None, sample.ip)], expected);
    }
}
