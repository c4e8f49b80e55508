//! Others who hold or stop the target: debuggers, job control, its own traps, other recorders.

use super::alone;
use super::recording::{Recording, until_walked, way, ways};
use super::target::{Running, threads};
use crate::common::compile;
use hone_record::{BranchSource, RecordError, Snapshot};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use testkit::{has_tools, until_true};

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_process_that_a_debugger_holds_is_left_to_it() {
    let (Some(tracer), Some(calls)) = (compile("tracer.c", &[]), compile("calls.c", &[])) else {
        return;
    };
    let begin = || {
        let traced = Running::start(&tracer.binary, &[text(&calls.binary), "3000"]);
        let pid: i32 = traced
            .greeting
            .trim_start_matches("ready ")
            .parse()
            .expect("a process id");
        (traced, pid)
    };
    let (mut undisturbed, _) = begin();
    undisturbed.open();
    let (expected, _) = undisturbed.end();
    assert!(expected.contains("exited=42"), "{expected}");
    for snapshot in ways() {
        let (mut traced, pid) = begin();
        let refused = Recording::of(pid, snapshot)
            .ended()
            .expect_err("a recording beside a debugger");
        let message = refused.to_string();
        assert!(
            matches!(refused, RecordError::MayNotWalk { .. }),
            "{refused:?}"
        );
        assert!(message.contains("traces it already"), "{message}");
        assert!(
            message.contains(&traced.pid.to_string()),
            "the debugger is not named: {message}"
        );
        if hone_record::capabilities().branch_stack.works {
            println!("skipped: the CPU's own branch records need no tracing");
            traced.open();
            traced.end();
            continue;
        }
        // Without branch records it can be had, and says why there are none.
        let plain = Recording::with(pid, snapshot, |options| {
            options.branches = BranchSource::Auto
        });
        let plain = plain.until_it_records();
        traced.open();
        let (output, _) = traced.end();
        assert_eq!(output, expected, "{snapshot:?}");
        let summary = plain.ended().expect("plain samples").summary;
        assert!(summary.samples > 0 && summary.walks == 0, "{summary:?}");
        assert!(
            summary
                .warnings
                .iter()
                .any(|warning| warning.contains("traces it")),
            "{summary:?}"
        );
    }
}

#[test]
#[ignore = "waits on a clock"]
fn a_debugger_that_comes_later_gets_every_thread() {
    let _alone = alone();
    let (Some(tracer), Some(burn)) = (compile("tracer.c", &[]), compile("burn.c", &[])) else {
        return;
    };
    for snapshot in ways() {
        let mut target = Running::start(&burn.binary, &["2500", "return"]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        sleep(Duration::from_millis(300));
        let attach = Command::new(&tracer.binary)
            .args(["--attach", &target.pid.to_string(), "800"])
            .output();
        let attach = attach.expect("the tracer starts");
        assert_eq!(
            String::from_utf8_lossy(&attach.stdout),
            "held=2 signals=0 others=0\n",
            "{snapshot:?}"
        );
        target.finds_nothing_wrong();
        let recorded = recording.ended().expect("a recording");
        let refusals = recorded.has_walks().summary.walks_not_begun.keys();
        let told = refusals
            .filter(|reason| reason.starts_with("ptrace refused"))
            .count();
        assert_eq!(
            told > 0,
            snapshot == Snapshot::Stop,
            "{:?}",
            recorded.summary
        );
    }
}

#[test]
#[ignore = "further end to end"]
fn gdb_finds_its_breakpoints_in_a_process_under_recording() {
    if !has_tools(&["gdb"]) {
        return;
    }
    let _alone = alone();
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    for snapshot in ways() {
        let mut target = Running::start(&burn.binary, &["12000", "return"]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        let pid = target.pid.to_string();
        let steps = ["break words", "continue", "continue", "delete", "detach"];
        let mut gdb = Command::new("gdb");
        gdb.env("DEBUGINFOD_URLS", "");
        gdb.args(["-nx", "-batch", "-p", &pid]);
        gdb.args(steps.iter().flat_map(|step| ["-ex", step]));
        // It may come just when the walker holds a thread for a moment.
        let found = (0..5).any(|_| {
            let output = gdb.output().expect("gdb starts");
            String::from_utf8_lossy(&output.stdout)
                .matches("hit Breakpoint 1")
                .count()
                == 2
        });
        assert!(found, "{snapshot:?}: gdb did not get to its breakpoints");
        target.finds_nothing_wrong();
        recording.ended().expect("a recording").has_walks();
    }
}

/// CPU time of a process in ticks.
fn ticks(pid: i32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a living process");
    let fields = stat[stat.rfind(')').expect("its name") + 2..].split(' ');
    fields
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum()
}

#[test]
#[ignore = "waits on a clock"]
fn a_stopped_process_stays_stopped_while_it_is_recorded() {
    let _alone = alone();
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    for snapshot in ways() {
        let mut target = Running::start(&burn.binary, &["1500", "return"]);
        target.open();
        sleep(Duration::from_millis(200));
        target.signal("STOP");
        let stopped = |pid| threads(pid).iter().all(|thread| thread.state == "T");
        until_true("the program stops", || stopped(target.pid));
        let before = ticks(target.pid);
        let recording = Recording::with(target.pid, snapshot, |o| o.duration_s = Some(0.8));
        let ended = recording.ended();
        assert!(ended.is_ok(), "{snapshot:?}: {ended:?}");
        assert_eq!(threads(target.pid).len(), 2);
        assert!(
            stopped(target.pid),
            "{snapshot:?}: {:?}",
            threads(target.pid)
        );
        assert_eq!(
            ticks(target.pid),
            before,
            "{snapshot:?}: it ran while it was stopped"
        );
        target.signal("CONT");
        target.finds_nothing_wrong();
    }
}

#[test]
#[ignore = "further end to end"]
fn stops_and_continues_of_a_child_reach_its_parent() {
    let _alone = alone();
    let Some(stopping) = compile("stopping.c", &[]) else {
        return;
    };
    for snapshot in ways() {
        let mut target = Running::behind_a_gate(&stopping.binary, &[]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        let (output, status) = target.end();
        assert_eq!(
            (output.as_str(), status.code()),
            ("stops=5 continues=5 exit=6\n", Some(0))
        );
        recording.ended().expect("a recording").has_walks();
    }
}

#[test]
fn traps_of_the_program_itself_are_all_that_it_gets() {
    let Some(traps) = compile("traps.c", &[]) else {
        return;
    };
    for snapshot in ways() {
        until_walked(|longer| {
            let turns = 600 * longer;
            let mut target = Running::start(&traps.binary, &[&turns.to_string()]);
            let recording = Recording::of(target.pid, snapshot).until_it_records();
            target.open();
            let (output, status) = target.end();
            let expected = format!(
                "breakpoints={turns} raised={turns} steps={} foreign=0 wrong=0\n",
                20 * turns
            );
            assert_eq!(
                (output, status.code()),
                (expected, Some(42)),
                "{snapshot:?}"
            );
            recording.ended().expect("a recording")
        });
    }
}

#[test]
#[ignore = "waits on a clock"]
fn recordings_of_one_process_at_once_do_not_harm_it() {
    let _alone = alone();
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    let mut target = Running::start(&burn.binary, &["2000", "return"]);
    let recordings = [way(0), way(1), way(0)].map(|snapshot| Recording::of(target.pid, snapshot));
    let recordings = recordings.map(Recording::until_it_records);
    target.open();
    sleep(Duration::from_millis(500));
    assert!(target.lives());
    target.finds_nothing_wrong();
    for recording in recordings {
        recording.ended().expect("a recording").has_walks();
    }
}
