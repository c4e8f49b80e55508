//! Bodies for fuzzers: each function takes any bytes and panics if this crate breaks a promise.
//!
//! These functions run in `cargo test` on mutated recordings, and a fuzzer's target is one call.

use crate::kind::kind_of;
use crate::profile::{LocationId, Profile};
use crate::{perf_data, perf_script, pprof, viewer};

/// Reads the bytes as perf.data, and checks that every handle of the profile leads somewhere.
pub fn read_perf_data(bytes: &[u8]) {
    if let Ok(profile) = perf_data::read(bytes) {
        check(&profile);
    }
}

/// Reads the bytes as the text of `perf script`.
pub fn read_perf_script(bytes: &[u8]) {
    let _kind = kind_of(bytes);
    if let Ok(profile) = perf_script::read(bytes) {
        check(&profile);
    }
}

/// Reads the bytes as pprof, writes the result and reads it again: nothing may change.
pub fn read_pprof(bytes: &[u8]) {
    let _kind = kind_of(bytes);
    let Ok(table) = pprof::parse(bytes) else {
        return;
    };
    if let Ok(profile) = table.to_profile() {
        check(&profile);
    }
    let again = pprof::write(&table).ok().map(|bytes| pprof::parse(&bytes));
    let Some(Ok(again)) = again else {
        panic!("what was written cannot be read");
    };
    assert_eq!(samples(&again), samples(&table));
    assert_eq!(again.losses, Default::default());
    let names = |table: &pprof::Pprof| -> Vec<String> {
        let functions = table.functions.iter();
        functions
            .map(|function| table.text(function.name).to_owned())
            .collect()
    };
    assert_eq!(names(&again), names(&table));
}

/// Reads the bytes as the file of each viewer.
pub fn read_viewers_files(bytes: &[u8]) {
    let _kind = kind_of(bytes);
    for read in [
        viewer::read_folded,
        viewer::read_speedscope,
        viewer::read_firefox,
    ] {
        if let Ok(profile) = read(bytes) {
            check(&profile);
        }
    }
}

/// Stack, values and labels of each sample.
type SampleFacts<'t> = (&'t [u32], &'t [i64], Vec<[&'t str; 2]>);

fn samples(table: &pprof::Pprof) -> Vec<SampleFacts<'_>> {
    let label = |label: &pprof::Label| [label.key, label.value].map(|text| table.text(text));
    let samples = table.samples.iter().map(|sample| {
        let labels = sample.labels.iter().map(label).collect();
        (&*sample.stack, &*sample.values, labels)
    });
    samples.collect()
}

fn check(profile: &Profile) {
    let location = |id: LocationId| {
        let location = profile.location(id);
        assert!(location.binary.index() < profile.binaries.len());
        let has_name = profile.own_names(id).next().is_some();
        assert_eq!(has_name, location.name.is_some());
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
