//! Counts calls with their third argument by location.

use crate::code::{Code, Flow};
use hone_profile::{
    BinaryId, BranchRecord, Event, LocationId, Profile, Sample, Svma, ThirdArgument,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

use super::{Operation, Sizes};

/// Maximum size of a stub of the PLT, in bytes.
const STUB_BYTES: u64 = 16;

/// Calls in walks that leave their binary, or go through a stub as calls of shared libraries do.
#[derive(Clone, Debug, Default)]
pub struct SizeTally {
    calls: FxHashMap<Call, u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Call {
    from: LocationId,
    to: LocationId,
    /// Place that the call reached, behind the stub if it went through a stub.
    reached: LocationId,
    size: ThirdArgument,
}

impl SizeTally {
    /// Counts the calls of one sample; only walks know arguments. `newest_first` are its branch records.
    ///
    /// Each call is taken together with the branch behind it. Pieces of a walk share a branch, but no two pieces have
    /// the same pair.
    pub fn add(&mut self, profile: &Profile, sample: &Sample, newest_first: &[BranchRecord]) {
        let event = profile.events.get(sample.event.index());
        if !event.is_some_and(Event::is_walk) {
            return;
        }
        for pair in newest_first.windows(2) {
            let (next, call) = (&pair[0], &pair[1]);
            if let Some(reached) = reached(profile, call, next) {
                let call = Call {
                    from: call.from,
                    to: call.to,
                    reached,
                    size: call.third_argument,
                };
                *self.calls.entry(call).or_default() += 1;
            }
        }
    }

    /// Adds the calls of memory operations to `sums`, if they were made in the binary whose ids in the profile are
    /// `ids`.
    pub fn sum(
        &self,
        profile: &Profile,
        ids: &[BinaryId],
        code: &Code<'_>,
        sums: &mut BTreeMap<(Svma, Operation), Sizes>,
    ) {
        let place = |id: LocationId| {
            let location = profile.location(id);
            let is_here = ids.contains(&location.binary);
            is_here
                .then(|| code.binary().svma_of(location.offset))
                .flatten()
        };
        for (call, &count) in &self.calls {
            if let Some(from) = place(call.from)
                && let Some(symbol) = callee(from, place(call.to), place(call.reached), code)
                && let Some(operation) = Operation::of_symbol(symbol)
            {
                let sizes = sums.entry((from, operation)).or_default();
                sizes.add(call.size, count);
            }
        }
    }
}

/// Returns the place that a branch reached, if it may be a call of another binary or through a stub.
fn reached(profile: &Profile, call: &BranchRecord, next: &BranchRecord) -> Option<LocationId> {
    let from = profile.location(call.from);
    let to = profile.location(call.to);
    let left = profile.location(next.from);
    let bytes = left.offset.0.checked_sub(to.offset.0);
    if left.binary == to.binary && bytes.is_some_and(|bytes| bytes < STUB_BYTES) {
        return Some(next.to);
    }
    (from.binary != to.binary).then_some(call.to)
}

/// Returns the name of the called function: the name of the stub, of the GOT slot, or, if a static program has stubs
/// without names, of the function behind the stub.
fn callee<'c>(
    from: Svma,
    to: Option<Svma>,
    reached: Option<Svma>,
    code: &'c Code<'_>,
) -> Option<&'c str> {
    let binary = code.binary();
    let Some(to) = to else {
        return match code.flow_at(from) {
            Flow::SlotCall { slot } => binary.plt().slot_symbol(slot),
            _ => None,
        };
    };
    let stub = binary.plt_entry_at(to)?;
    stub.symbol
        .or_else(|| Some(binary.function_at(reached?)?.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::{
        Binary, BinaryKind, BranchKind, BranchStacks, EventId, FileOffset, ThreadId, WALK_EVENT,
    };

    fn profile() -> (Profile, [BinaryId; 2]) {
        let mut profile = Profile::default();
        let events = [WALK_EVENT, "cycles:u"].map(|name| Event {
            name: name.into(),
            branches: BranchStacks::Whole,
        });
        profile.events.extend(events);
        let binaries = ["/bin/p", "/lib/libc.so.6"].map(|path| {
            profile.intern_binary(Binary {
                path: path.into(),
                build_id: None,
                kind: BinaryKind::File,
            })
        });
        (profile, binaries)
    }

    fn sample(profile: &mut Profile, event: u32, program: BinaryId) -> Sample {
        Sample {
            event: EventId(event),
            thread: ThreadId(0),
            time_ns: 0,
            weight: 1,
            times: 1,
            ip: profile.intern_location(program, FileOffset(0)),
            stack: None,
            branches: 0..0,
        }
    }

    #[test]
    fn calls_through_stubs_and_out_of_the_binary_count_once_whatever_the_cut() {
        let (mut profile, [program, libc]) = profile();
        let mut branch = |from: (BinaryId, u64), to: (BinaryId, u64), third| BranchRecord {
            from: profile.intern_location(from.0, FileOffset(from.1)),
            to: profile.intern_location(to.0, FileOffset(to.1)),
            mispredicted: false,
            kind: BranchKind::Unknown,
            third_argument: third,
        };
        let oldest_first = [
            branch((program, 0x1100), (program, 0x1020), ThirdArgument::of(8)),
            branch((program, 0x1024), (libc, 0x5000), ThirdArgument::of(8)),
            branch((libc, 0x5030), (program, 0x1105), ThirdArgument::UNKNOWN),
            // A jump within the program.
            branch((program, 0x1110), (program, 0x1140), ThirdArgument::of(5)),
            branch((program, 0x1180), (libc, 0x6000), ThirdArgument::of(24)),
            branch((libc, 0x6040), (program, 0x1185), ThirdArgument::UNKNOWN),
        ];
        let walk = sample(&mut profile, 0, program);
        let hardware = sample(&mut profile, 1, program);
        let newest_first = |range: std::ops::Range<usize>| {
            let mut part = oldest_first[range].to_vec();
            part.reverse();
            part
        };
        let mut whole = SizeTally::default();
        whole.add(&profile, &walk, &newest_first(0..6));
        let mut sizes: Vec<_> = whole
            .calls
            .iter()
            .map(|(call, &count)| (profile.location(call.from).offset.0, call.size, count))
            .filter(|(from, ..)| [0x1100, 0x1180].contains(from))
            .collect();
        sizes.sort_unstable();
        assert_eq!(
            sizes,
            [
                (0x1100, ThirdArgument::of(8), 1),
                (0x1180, ThirdArgument::of(24), 1)
            ]
        );
        assert!(
            whole
                .calls
                .keys()
                .all(|call| profile.location(call.from).offset.0 != 0x1110)
        );
        for cut in 1..5 {
            let mut cut_up = SizeTally::default();
            cut_up.add(&profile, &walk, &newest_first(0..cut + 1));
            cut_up.add(&profile, &walk, &newest_first(cut..6));
            assert_eq!(cut_up.calls, whole.calls, "cut at {cut}");
        }
        let mut other = SizeTally::default();
        other.add(&profile, &hardware, &newest_first(0..6));
        assert!(other.calls.is_empty());
    }
}
