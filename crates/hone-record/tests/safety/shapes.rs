//! Targets of every shape: crowds of threads, threads and programs that come and go, every kind of binary, and
//! ends of every kind.

use crate::alone;
use crate::common::compile;
use crate::recording::{Recorded, Recording, record_to_the_end, way, ways};
use crate::target::Running;
use crate::truth;
use hone_profile::EventId;
use hone_record::Snapshot;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;

/// Records `crowd.c` in one of its forms, to its end.
fn crowd(form: &str, snapshot: Snapshot) -> Option<Recorded> {
    let crowd = compile("crowd.c", &[])?;
    let mut target = Running::start(&crowd.binary, &[form, "2000"]);
    let recording = Recording::of(target.pid, snapshot).until_it_records();
    target.open();
    let (output, status) = target.end();
    let expected = ("wrong=0 interrupted=0 many=yes\n", Some(42));
    assert_eq!(
        (output.as_str(), status.code()),
        expected,
        "{form}, {snapshot:?}: {status}"
    );
    let recorded = recording.ended().expect("a recording");
    truth::check(&recorded.profile, &BTreeMap::new());
    Some(recorded)
}

#[test]
fn of_a_thousand_threads_those_that_wait_are_not_woken() {
    let _alone = alone();
    for recorded in ways().into_iter().filter_map(|way| crowd("wait", way)) {
        recorded.has_walks();
    }
}

/// The kernel's timer starts afresh with every thread, so one that lives for less than a period is never sampled.
#[test]
fn threads_too_brief_to_be_sampled_are_sampled_or_told_of() {
    let _alone = alone();
    for Recorded { summary, profile } in ways().into_iter().filter_map(|way| crowd("brief", way)) {
        let is_walk = |event: EventId| profile.events[event.index()].name == "hone-walk";
        let samples = profile.samples.iter();
        let weights = samples
            .filter(|sample| !is_walk(sample.event))
            .map(|sample| sample.weight);
        let sampled_s = weights.sum::<u64>() as f64 / 1e9;
        let told = summary
            .warnings
            .iter()
            .any(|warning| warning.contains("thread"));
        assert!(
            sampled_s > 0.5 * summary.target_cpu_s || told,
            "{summary:?}"
        );
    }
}

#[test]
fn programs_that_become_others_are_followed() {
    let _alone = alone();
    let (Some(one), Some(other)) = (compile("becomes.c", &[]), compile("becomes.c", &["-O3"]))
    else {
        return;
    };
    let paths = [&one, &other].map(|program| program.binary.to_str().expect("a path in UTF-8"));
    for snapshot in ways() {
        let mut target = Running::start(&one.binary, &["24", paths[1], paths[0]]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        let (output, status) = target.end();
        assert_eq!(
            (output.as_str(), status.code()),
            ("became all of them\n", Some(6)),
            "{snapshot:?}"
        );
        let recorded = recording.ended().expect("a recording");
        let checked = truth::check(&recorded.has_walks().profile, &BTreeMap::new());
        for path in paths {
            assert!(checked.get(path) > Some(&100), "{snapshot:?}: {checked:?}");
        }
    }
}

#[test]
fn every_kind_of_binary_is_walked() {
    let _alone = alone();
    let kinds: [&[&str]; 5] = [
        &["-pie", "-fPIE"],
        &["-no-pie"],
        &["-static-pie", "-fPIE"],
        &["-static", "-no-pie"],
        &["-s", "-O3"],
    ];
    for (index, flags) in kinds.into_iter().enumerate() {
        let Some(burn) = compile("burn.c", flags) else {
            return;
        };
        let recorded =
            record_to_the_end(Running::start(&burn.binary, &["900", "return"]), way(index));
        let checked = truth::check(&recorded.has_walks().profile, &BTreeMap::new());
        let path = burn.binary.to_str().expect("a path in UTF-8");
        assert!(
            checked.get(path) > Some(&100),
            "{flags:?}: {checked:?} {:?}",
            recorded.summary
        );
    }
}

/// The first thread may end before the last; the process is over only then.
#[test]
fn targets_that_end_in_mid_walk_end_as_they_would() {
    let _alone = alone();
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    let ends = [
        ("return", Some(42), None),
        ("leave", Some(42), None),
        ("kill", None, Some(9)),
    ];
    for (index, (how, code, signal)) in ends.into_iter().cycle().take(18).enumerate() {
        let snapshot = way(index);
        let milliseconds = (300 + index * 37 % 200).to_string();
        let mut target = Running::start(&burn.binary, &[&milliseconds, how]);
        let recording = Recording::with(target.pid, snapshot, |options| options.overhead = 0.9);
        let recording = recording.until_it_records();
        target.open();
        let (output, status) = target.end();
        assert_eq!(
            (status.code(), status.signal()),
            (code, signal),
            "{how}, {snapshot:?}"
        );
        assert_eq!(
            output,
            if code.is_some() { "wrong=0\n" } else { "" },
            "{how}, {snapshot:?}"
        );
        let recorded = recording
            .ended()
            .unwrap_or_else(|error| panic!("{how}, {snapshot:?}: {error}"));
        assert!(
            recorded.summary.walks > 0,
            "{how}, {snapshot:?}: {:?}",
            recorded.summary
        );
    }
}
