//! From a batch back to what views and conversions count.

use hone_profile::{
    BinaryId, EventId, FileOffset, Label, LocationId, Profile, Sample, StackId, Thread, ThreadId,
};
use rustc_hash::FxHashMap;

use crate::batch::{BUCKET_S, Batch, Group, Place};
use crate::group_field::GroupField;

/// A row of a batch, by the handles of the profile that the batch becomes.
#[derive(Clone, Copy, Debug)]
pub enum Restored<'r> {
    /// Equal samples, as one sample that was seen several times.
    Samples {
        /// The sample, without branch records.
        sample: &'r Sample,
        /// True if the samples had branch records, which come as the other rows.
        has_records: bool,
    },
    /// A branch.
    Branches {
        /// The branch instruction.
        from: LocationId,
        /// The instruction that the branch went to.
        to: LocationId,
        /// Number of times that the branch was taken.
        taken: u64,
        /// Number of times that the CPU had predicted otherwise.
        mispredicted: u64,
    },
    /// Code that ran from a branch's target through the next branch.
    Ranges {
        /// First instruction.
        first: LocationId,
        /// Last instruction.
        last: LocationId,
        /// Number of times that the code ran.
        times: u64,
    },
    /// Numbers of branch records.
    Records {
        /// Records that were counted.
        branches: u64,
        /// Records that only repeat one of another sample.
        repeated: u64,
    },
}

/// Passes all rows of a batch to `take`, with the profile to whose handles they refer, and returns the profile. Its samples are
/// those that were passed, and not kept in it.
///
/// A group becomes a thread, whose labels tell host, service, container and build as far as they are known ([`GroupField::LABELS`]). The pid
/// is the same for groups that differ in thread and labels alone; it has nothing to do with the pids on the host.
pub fn restore(batch: &Batch, mut take: impl FnMut(&Profile, Restored<'_>)) -> Profile {
    let (profile, handles) = tables(batch);
    for row in &batch.samples {
        let stack = handles.stacks[row.stack.index()];
        let leaf = handles.places[batch.frames[row.stack.index()].place.index()];
        let sample = Sample {
            event: EventId(row.event.0),
            thread: handles.threads[row.group.index()],
            time_ns: row.bucket.saturating_mul(BUCKET_S * 1_000_000_000),
            weight: row.weight,
            times: row.times,
            ip: row.ip.map_or(leaf, |ip| handles.places[ip.index()]),
            stack: (!row.is_leaf_only).then_some(stack),
            branches: 0..0,
        };
        let restored = Restored::Samples {
            sample: &sample,
            has_records: row.has_branches,
        };
        take(&profile, restored);
    }
    for row in &batch.branches {
        let restored = Restored::Branches {
            from: handles.places[row.from.index()],
            to: handles.places[row.to.index()],
            taken: row.taken,
            mispredicted: row.mispredicted,
        };
        take(&profile, restored);
    }
    for row in &batch.ranges {
        let restored = Restored::Ranges {
            first: handles.places[row.first.index()],
            last: handles.places[row.last.index()],
            times: row.times,
        };
        take(&profile, restored);
    }
    for row in &batch.records {
        let restored = Restored::Records {
            branches: row.branches,
            repeated: row.repeated,
        };
        take(&profile, restored);
    }
    profile
}

/// Handles by index in the batch.
struct Handles {
    threads: Vec<ThreadId>,
    places: Vec<LocationId>,
    stacks: Vec<StackId>,
}

fn tables(batch: &Batch) -> (Profile, Handles) {
    let mut profile = Profile::default();
    profile.meta.host.clone_from(&batch.origin.host);
    profile.events.clone_from(&batch.events);
    let binaries = batch.binaries.iter();
    let binaries: Vec<BinaryId> = binaries
        .map(|binary| profile.intern_binary(binary.clone()))
        .collect();
    let places = batch.places.iter().map(|place| match *place {
        Place::Code { binary, offset } => {
            profile.intern_location(binaries[binary.index()], FileOffset(offset))
        }
        Place::Named { binary, name } => {
            profile.intern_named(binaries[binary.index()], &batch.names[name.index()])
        }
    });
    let places: Vec<LocationId> = places.collect();
    let mut stacks: Vec<StackId> = Vec::with_capacity(batch.frames.len());
    for frame in &batch.frames {
        let caller = frame.caller.map(|caller| stacks[caller.index()]);
        stacks.push(profile.intern_frame(places[frame.place.index()], caller));
    }
    let threads = threads(batch, &mut profile);
    let handles = Handles {
        threads,
        places,
        stacks,
    };
    (profile, handles)
}

fn threads(batch: &Batch, profile: &mut Profile) -> Vec<ThreadId> {
    let mut pids: FxHashMap<[&str; 4], i32> = FxHashMap::default();
    let mut threads = Vec::with_capacity(batch.groups.len());
    for (group, tid) in batch.groups.iter().zip(1..) {
        let host = if group.host.is_empty() {
            &batch.origin.host
        } else {
            &group.host
        };
        let next = pids.len() as i32 + 1;
        let process = [host, &group.service, &group.container, &group.build];
        let pid = *pids.entry(process.map(String::as_str)).or_insert(next);
        threads.push(profile.intern_thread(Thread {
            pid,
            tid,
            name: group.thread.clone(),
            labels: labels(group, host),
        }));
    }
    threads
}

fn labels(group: &Group, host: &str) -> hone_profile::Labels {
    let parts = GroupField::LABELS.map(|field| match field {
        GroupField::Host => (field.name(), host),
        _ => (field.name(), field.of(group)),
    });
    let known = parts.into_iter().filter(|(_, value)| !value.is_empty());
    let known = known.map(|(key, value)| Label {
        key: key.into(),
        value: value.into(),
    });
    known.chain(group.labels.iter().cloned()).collect()
}
