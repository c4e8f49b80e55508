//! Targets of every shape: crowds of threads, threads and programs that come and go, every kind of binary, and
//! ends of every kind.

use super::alone;
use super::recording::{LONGER, Recorded, Recording, until_walked, way, ways};
use super::target::Running;
use super::truth;
use crate::common::{Program, compile};
use hone_profile::EventId;
use hone_record::Snapshot;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::thread::sleep;
use std::time::Duration;

/// Records `crowd.c` in one of its forms for two seconds, or so many times as long, to its end.
fn crowd(crowd: &Program, form: &str, snapshot: Snapshot, longer: u64) -> Recorded {
    let milliseconds = (2000 * longer).to_string();
    let mut target = Running::start(&crowd.binary, &[form, &milliseconds]);
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
    recorded
}

#[test]
#[ignore = "finds by samples"]
fn of_a_thousand_threads_those_that_wait_are_not_woken() {
    let _alone = alone();
    let Some(program) = compile("crowd.c", &[]) else {
        return;
    };
    for way in ways() {
        until_walked(|longer| crowd(&program, "wait", way, longer));
    }
}

/// The kernel's timer starts afresh with every thread, so one that lives for less than a period is never sampled.
#[test]
#[ignore = "finds by samples"]
fn threads_too_brief_to_be_sampled_are_sampled_or_told_of() {
    let _alone = alone();
    let Some(program) = compile("crowd.c", &[]) else {
        return;
    };
    for way in ways() {
        let Recorded { summary, profile } = crowd(&program, "brief", way, 1);
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
#[ignore = "finds by samples"]
fn programs_that_become_others_are_followed() {
    let _alone = alone();
    let (Some(one), Some(other)) = (compile("becomes.c", &[]), compile("becomes.c", &["-O3"]))
    else {
        return;
    };
    let paths = [&one, &other].map(|program| program.binary.to_str().expect("a path in UTF-8"));
    let is_enough = |snapshot, longer: u64| {
        let times = (24 * longer).to_string();
        let mut target = Running::start(&one.binary, &[&times, paths[1], paths[0]]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        let (output, status) = target.end();
        assert_eq!(
            (output.as_str(), status.code()),
            ("became all of them\n", Some(6)),
            "{snapshot:?}"
        );
        let recorded = recording.ended().expect("a recording");
        let checked = truth::check(&recorded.profile, &BTreeMap::new());
        let is_enough = paths.map(|path| checked.get(path) > Some(&100));
        recorded.is_walked() && is_enough == [true; 2]
    };
    for snapshot in ways() {
        let mut all = LONGER.into_iter();
        assert!(
            all.any(|longer| is_enough(snapshot, longer)),
            "{snapshot:?}"
        );
    }
}

/// Walks of one recording, of which there are enough to say something of their branches.
const WALKS: u64 = 20;

/// Records `burn.c` until there are enough walks, and it must find nothing wrong.
fn record_walks(burn: &Program, snapshot: Snapshot) -> Recorded {
    let mut target = Running::start(&burn.binary, &["told", "return"]);
    let recording = Recording::of(target.pid, snapshot).until_it_records();
    target.open();
    let recording = recording.until_it_has_walked(WALKS);
    target.finds_nothing_wrong();
    recording.ended().expect("a recording")
}

#[test]
fn a_walked_program_finds_nothing_wrong_and_every_branch_is_in_its_code() {
    let Some(burn) = compile("burn.c", &["-pie", "-fPIE"]) else {
        return;
    };
    let path = burn.binary.to_str().expect("a path in UTF-8");
    for snapshot in ways() {
        let recorded = record_walks(&burn, snapshot);
        let checked = truth::check(&recorded.has_walks().profile, &BTreeMap::new());
        assert!(checked.get(path) > Some(&100), "{snapshot:?}: {checked:?}");
    }
}

#[test]
#[ignore = "finds by samples"]
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
        let recorded = record_walks(&burn, way(index));
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
#[ignore = "finds by samples"]
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
    let ends = ends.into_iter().cycle().take(18);
    for (index, (how, code, signal)) in (0..).zip(ends) {
        let snapshot = way(index as usize);
        let mut target = Running::start(&burn.binary, &["told", how]);
        let recording = Recording::with(target.pid, snapshot, |options| options.overhead = 0.9);
        let recording = recording.until_it_records();
        target.open();
        let recording = recording.until_it_has_walked(1);
        sleep(Duration::from_millis(index * 37 % 200));
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
