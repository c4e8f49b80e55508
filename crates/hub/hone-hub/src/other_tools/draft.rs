//! A batch that is made of what another tool sent.

use std::collections::hash_map::Entry;

use hone_batch::{Adding, Batch, Group, Host, Origin, StackLimit};
use hone_profile::{
    Binary, BinaryKind, BranchStacks, Event, EventId, LocationId, Profile, Sample, StackEnd,
    Thread, ThreadId,
};
use rustc_hash::FxHashMap;

use super::limits::{
    DEPTH_MAX, GROUPS_MAX, LEVELS_MAX, RECORDED_S_MAX, TIME_PARTS_MAX, TIMES_MAX, WEIGHT_NS_MAX,
};
use super::{LeftOut, Refusal};

/// Event of samples of CPU time.
const CPU: &str = "cpu/nanoseconds";
/// File of functions of which the sender tells none.
const NO_FILE: &str = "[unknown]";

/// Time of a recording, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Recorded {
    pub(super) start_s: u64,
    pub(super) end_s: u64,
}

impl Recorded {
    /// Takes a time that may be empty or the wrong way round.
    pub(super) fn new(start_s: u64, end_s: u64) -> Self {
        let end_s = end_s.clamp(
            start_s.saturating_add(1),
            start_s.saturating_add(RECORDED_S_MAX),
        );
        Self { start_s, end_s }
    }

    /// Returns the number of parts among which samples are spread, at least one, and the seconds of a part.
    fn parts(self) -> (u64, u64) {
        let minutes = (self.end_s - self.start_s).div_ceil(60);
        let minutes_of_part = minutes.div_ceil(TIME_PARTS_MAX).max(1);
        (minutes.div_ceil(minutes_of_part), 60 * minutes_of_part)
    }
}

/// Returns the step by which the parts of a recording have their turns: each has one in a round, and those of few samples lie far from each
/// other (the step is near the golden section of them all).
fn step_of(parts: u64) -> u64 {
    let near = (parts * 618 / 1000).max(1);
    let coprime = |step: &u64| {
        let (mut a, mut b) = (*step, parts);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (near..=parts).find(coprime).unwrap_or(1)
}

/// Equal samples that another tool has counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) thread: ThreadId,
    pub(super) times: u64,
    pub(super) weight_ns: u64,
}

/// True if no sample that was really taken has such counts.
fn is_impossible(counted: &Counted) -> bool {
    counted.times > TIMES_MAX || counted.weight_ns > WEIGHT_NS_MAX
}

/// A batch in the making.
pub(super) struct Making {
    /// Places and threads of the batch.
    pub(super) profile: Profile,
    pub(super) left_out: LeftOut,
    adding: Adding,
    groups: Groups,
    threads: FxHashMap<Group, ThreadId>,
    levels: usize,
    /// Samples so far: in turn they count in the minutes of their recording.
    turn: u64,
    end_s: u64,
}

/// Groups by the process id of their thread.
#[derive(Default)]
struct Groups(Vec<Group>);

impl Host for Groups {
    fn group(&mut self, thread: &Thread) -> Group {
        self.0[thread.pid as usize].clone()
    }

    fn unix_s(&mut self, time_ns: u64) -> u64 {
        time_ns / 1_000_000_000
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}

impl Making {
    pub(super) fn new(origin: Origin) -> Self {
        let mut profile = Profile::default();
        profile.events.push(Event {
            name: CPU.to_owned(),
            branches: BranchStacks::None,
        });
        Self {
            profile,
            left_out: LeftOut::default(),
            adding: Adding::new(origin, StackLimit::default()),
            groups: Groups::default(),
            threads: FxHashMap::default(),
            levels: 0,
            turn: 0,
            end_s: 0,
        }
    }

    /// Returns the thread that stands for a group, or for `instead` where there are too many groups.
    pub(super) fn thread(&mut self, group: Group, instead: &Group) -> ThreadId {
        let is_full = self.groups.0.len() >= GROUPS_MAX;
        let group = if is_full && !self.threads.contains_key(&group) {
            self.left_out.labels += 1;
            instead.clone()
        } else {
            group
        };
        match self.threads.entry(group) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let thread = Thread {
                    pid: self.groups.0.len() as i32,
                    ..Thread::default()
                };
                self.groups.0.push(new.key().clone());
                *new.insert(self.profile.intern_thread(thread))
            }
        }
    }

    /// Returns the place of a function that the sender has named; `file` is that of its code, or else that of its source.
    pub(super) fn named(&mut self, file: Option<Binary>, source: &str, name: &str) -> LocationId {
        let file = file.unwrap_or_else(|| {
            let path = source.rsplit(['/', '\\']).next().unwrap_or_default();
            Binary {
                path: if path.is_empty() { NO_FILE } else { path }.to_owned(),
                build_id: None,
                kind: BinaryKind::Anonymous,
            }
        });
        let file = self.profile.intern_binary(file);
        self.profile.intern_named(file, name)
    }

    /// Adds samples with their stack, leaf first, of which as much counts as a batch can hold.
    pub(super) fn add(
        &mut self,
        counted: Counted,
        recorded: Recorded,
        leaf_first: &[LocationId],
    ) -> Result<(), Refusal> {
        if is_impossible(&counted) {
            self.left_out.samples += 1;
            return Ok(());
        }
        let kept = leaf_first.len().min(DEPTH_MAX);
        self.levels += kept;
        check_levels(self.levels)?;
        let Some(&ip) = leaf_first.first() else {
            self.left_out.samples += counted.times;
            return Ok(());
        };
        let mut stack = (kept < leaf_first.len())
            .then(|| self.profile.intern_end(StackEnd::Truncated))
            .flatten();
        for &place in leaf_first[..kept].iter().rev() {
            stack = Some(self.profile.intern_frame(place, stack));
        }
        self.end_s = self.end_s.max(recorded.end_s);
        let (parts, part_s) = recorded.parts();
        let step = step_of(parts);
        let Counted {
            thread,
            times,
            weight_ns,
        } = counted;
        let mut left = (times, weight_ns);
        for nth in 0..parts.min(times) {
            // The sample's occurrences with the numbers turn, turn + 1, ... belong to the parts in turn.
            let share = (times - nth).div_ceil(parts);
            let is_last = nth + 1 == parts.min(times);
            let weight = match is_last {
                true => left.1,
                false => (u128::from(weight_ns) * u128::from(share) / u128::from(times)) as u64,
            };
            left = (left.0 - share, left.1 - weight);
            let part = (self.turn + nth) * step % parts;
            let sample = Sample {
                event: EventId(0),
                thread,
                time_ns: (recorded.start_s + part * part_s).saturating_mul(1_000_000_000),
                weight,
                times: share,
                ip,
                stack,
                branches: 0..0,
            };
            let (profile, groups) = (&self.profile, &mut self.groups);
            self.adding.add(profile, &sample, &[], groups);
        }
        self.turn = (self.turn + times) % parts;
        self.left_out.taken += times;
        Ok(())
    }

    /// Returns the batch, and what is not in it.
    pub(super) fn finish(self) -> (Batch, LeftOut) {
        let mut batch = self.adding.finish().batch;
        batch.span_s.end = batch.span_s.end.max(self.end_s);
        (batch, self.left_out)
    }
}

/// Refuses stacks that have too many levels in all.
pub(super) fn check_levels(levels: usize) -> Result<(), Refusal> {
    match levels > LEVELS_MAX {
        true => Err(Refusal::TooLarge(format!(
            "its stacks have more than {LEVELS_MAX} levels in all"
        ))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(times: u64, weight_ns: u64, seconds: u64, depth: usize) -> Batch {
        let mut making = Making::new(Origin::default());
        let thread = making.thread(Group::default(), &Group::default());
        let places: Vec<LocationId> = (0..depth)
            .map(|level| making.named(None, "", &level.to_string()))
            .collect();
        let counted = Counted {
            thread,
            times,
            weight_ns,
        };
        let recorded = Recorded::new(600, 600 + seconds);
        making.add(counted, recorded, &places).unwrap();
        making.finish().0
    }

    #[test]
    fn samples_of_a_long_recording_are_spread_over_its_minutes() {
        let batch = added(7, 70_000_003, 180, 2);
        let mut rows: Vec<_> = batch
            .samples
            .iter()
            .map(|row| (row.bucket, row.times))
            .collect();
        rows.sort_unstable();
        assert_eq!(rows, [(10, 3), (11, 2), (12, 2)]);
        let weight: u64 = batch.samples.iter().map(|row| row.weight).sum();
        assert_eq!(weight, 70_000_003);
        assert_eq!(batch.span_s, 600..780);
        let short = added(7, 70_000_003, 10, 2);
        assert_eq!(short.samples.len(), 1);
        assert_eq!(short.span_s, 600..610);
    }

    #[test]
    fn few_samples_of_a_long_recording_are_spread_over_all_of_it() {
        let minutes = 3 * 24 * 60;
        let batch = added(5, 5_000, 60 * minutes, 2);
        let mut at: Vec<u64> = batch.samples.iter().map(|row| row.bucket - 10).collect();
        at.extend([0, minutes]);
        at.sort_unstable();
        let widest = at.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(widest < minutes * 2 / 5, "{at:?}");
        // Every part has its turn.
        for parts in 1..200 {
            let step = step_of(parts);
            let mut turns: Vec<u64> = (0..parts).map(|nth| nth * step % parts).collect();
            turns.sort_unstable();
            assert_eq!(turns, (0..parts).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_deep_stack_keeps_its_innermost_levels_and_says_that_it_was_cut() {
        let batch = added(1, 1, 1, 5000);
        let innermost = batch.samples[0].stack;
        let mut depth = 0;
        let mut next = Some(innermost);
        while let Some(frame) = next {
            depth += 1;
            next = batch.frames[frame.index()].caller;
        }
        assert_eq!(depth, hone_batch::DEPTH_MAX);
        let is_mark = |binary: &Binary| binary.path == "[truncated stack]";
        assert!(batch.binaries.iter().any(is_mark));
        assert!(batch.names.contains(&"0".to_owned()) && !batch.names.contains(&"4999".to_owned()));
    }

    #[test]
    fn beyond_so_many_groups_samples_count_without_labels() {
        let mut making = Making::new(Origin::default());
        let group = |host: usize| Group {
            host: host.to_string(),
            ..Group::default()
        };
        let base = Group::default();
        let first = making.thread(base.clone(), &base);
        let others: Vec<ThreadId> = (0..GROUPS_MAX)
            .map(|host| making.thread(group(host), &base))
            .collect();
        assert_eq!(others.iter().filter(|thread| **thread == first).count(), 1);
        assert_eq!(making.left_out.labels, 1);
    }
}
