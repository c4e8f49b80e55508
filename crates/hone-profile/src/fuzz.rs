//! Bodies for fuzzers: each takes any bytes and panics if this crate breaks a promise.
//!
//! They run in `cargo test` on mutated recordings, and a fuzzer's target is one call.

use crate::perf_data;
use crate::profile::{LocationId, Profile};

/// Reads the bytes as perf.data, and checks that every handle of the profile leads somewhere.
pub fn read_perf_data(bytes: &[u8]) {
    if let Ok(profile) = perf_data::read(bytes) {
        check(&profile);
    }
}

fn check(profile: &Profile) {
    let location = |id: LocationId| {
        let location = profile.location(id);
        assert!(location.binary.index() < profile.binaries.len());
    };
    let mut branches_before = 0;
    for sample in &profile.samples {
        assert!(sample.event.index() < profile.events.len());
        assert!(sample.thread.index() < profile.threads.len());
        location(sample.ip);
        sample
            .stack
            .into_iter()
            .flat_map(|stack| profile.frames(stack))
            .for_each(location);
        assert_eq!(
            sample.branches.start, branches_before,
            "every branch belongs to one sample"
        );
        branches_before = sample.branches.end;
        for branch in profile.branches_of(sample) {
            location(branch.from);
            location(branch.to);
        }
    }
    assert_eq!(branches_before as usize, profile.branches.len());
}
