//! IP samples: that they are there, in the right places, and of everybody.

use crate::common::{compile, share};
use hone_record::{BranchSource, CallGraph, Options, Sampler, Target, record};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::until_true;

const SAMPLERS: [Sampler; 2] = [Sampler::Perf, Sampler::Ptrace];

fn perf_is_refused(sampler: Sampler) -> bool {
    let refused = sampler == Sampler::Perf && !hone_record::capabilities().cpu_clock.works;
    if refused {
        println!("skipped: perf events are refused here");
    }
    refused
}

#[test]
fn most_samples_fall_into_the_hot_function_and_know_its_caller() {
    // Optimised leaf functions have no frame, and their caller would be passed over.
    let Some(program) = compile("loops.c", &["-O0"]) else {
        return;
    };
    for sampler in SAMPLERS {
        if perf_is_refused(sampler) {
            continue;
        }
        let mut options = program.options(&["6000000"]);
        options.branches = BranchSource::None;
        options.sampler = sampler;
        let recorded = program.record(&options).unwrap();
        let counts = recorded.weight_by_function(&program);
        assert!(share(&counts, "alpha") > 0.7, "{sampler:?}: {counts:?}");
        assert!(share(&counts, "elsewhere") < 0.1, "{sampler:?}: {counts:?}");
        assert_eq!(recorded.summary.exit_code, Some(7));
        assert_eq!(recorded.summary.branch_source, "none");
        assert_eq!(
            recorded.summary.samples,
            recorded.profile.samples.len() as u64
        );
        assert_eq!(recorded.profile.losses.malformed_records, 0);

        let (start, end) = program.functions()["main"];
        let called_from_main = recorded
            .profile
            .samples
            .iter()
            .filter_map(|sample| recorded.profile.frames(sample.stack?).nth(1))
            .filter(|caller| (start..end).contains(&recorded.profile.location(*caller).offset.0))
            .count() as f64;
        assert!(
            called_from_main / recorded.summary.samples as f64 > 0.6,
            "{sampler:?}"
        );
        // Which libraries samples fall into is chance; the program is always among the files.
        let mut binaries = recorded.profile.binaries.iter();
        let own = binaries.find(|binary| Path::new(&binary.path) == program.binary);
        assert!(
            own.is_some_and(|binary| binary.build_id.is_some()),
            "{sampler:?}: {:?}",
            recorded.profile.binaries
        );
    }
}

/// Recordings after the first, of which one must have even shares.
const EVEN_TRIES: usize = 4;

#[test]
#[ignore = "finds by samples"]
fn threads_children_and_programs_they_become_are_followed() {
    let Some(program) = compile("family.c", &[]) else {
        return;
    };
    for sampler in SAMPLERS {
        if perf_is_refused(sampler) {
            continue;
        }
        let mut options = program.options(&[]);
        options.branches = BranchSource::None;
        options.sampler = sampler;
        // A machine that is busy may give one of them so little that the shares say nothing: then once more.
        let names = ["in_thread", "in_child", "in_program"];
        let mut tries = 0..EVEN_TRIES;
        let recorded = loop {
            let recorded = program.record(&options).unwrap();
            assert_eq!(recorded.stdout, "4 5\n", "{sampler:?}");
            assert_eq!(recorded.summary.exit_code, Some(3));
            let counts = recorded.weight_by_function(&program);
            if names
                .iter()
                .all(|name| (0.2..0.5).contains(&share(&counts, name)))
            {
                break recorded;
            }
            assert!(tries.next().is_some(), "{sampler:?}: {counts:?}");
        };
        let processes: BTreeSet<i32> = recorded
            .profile
            .samples
            .iter()
            .map(|sample| recorded.profile.threads[sample.thread.index()].pid)
            .collect();
        assert!(processes.len() >= 3, "{sampler:?}: {processes:?}");
    }
}

#[test]
fn call_chains_can_be_left_out() {
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    let mut options = program.options(&["3000000"]);
    options.branches = BranchSource::None;
    options.call_graph = CallGraph::Never;
    let recorded = program.record(&options).unwrap();
    assert!(recorded.summary.samples > 0);
    let frames = recorded
        .profile
        .samples
        .iter()
        .filter_map(|sample| sample.stack);
    assert!(
        frames
            .into_iter()
            .all(|stack| recorded.profile.frames(stack).count() <= 1)
    );
}

#[test]
#[ignore = "finds by samples"]
fn a_running_process_is_sampled_with_its_threads_and_lives_on() {
    if perf_is_refused(Sampler::Perf) {
        return;
    }
    let Some(program) = compile("family.c", &[]) else {
        return;
    };
    let mut child = Command::new(&program.binary)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let its = |what: &str| {
        format!("/proc/{0}/{what}", child.id()).replace("TID", &child.id().to_string())
    };
    let count = || {
        let threads = std::fs::read_dir(its("task")).map_or(0, Iterator::count);
        let children = std::fs::read_to_string(its("task/TID/children"));
        (
            threads,
            children.map_or(0, |list| list.split_whitespace().count()),
        )
    };
    until_true("the program starts its thread and children", || {
        count() == (2, 2)
    });
    let target = Target::Processes {
        pids: vec![child.id() as i32],
    };
    let mut options = Options::new(target, program.directory.path().join("recording.data"));
    options.branches = BranchSource::None;
    let recorded = program.record(&options).unwrap();
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(3));
    assert_eq!(recorded.summary.exit_code, None);
    let counts = recorded.weight_by_function(&program);
    // Its children ran before: only the thread is of the process that was named.
    assert!(share(&counts, "in_thread") > 0.8, "{counts:?}");
}

#[test]
fn a_command_outlives_the_end_of_its_recording() {
    let Some(program) = compile("endures.c", &[]) else {
        return;
    };
    for (sampler, branches) in [
        (Sampler::Auto, BranchSource::None),
        (Sampler::Auto, BranchSource::Walk),
        (Sampler::Ptrace, BranchSource::None),
    ] {
        let [go_on, sign] = ["go on", "sign"].map(|name| program.directory.path().join(name));
        let mut options = program.options(&[go_on.to_str().unwrap(), sign.to_str().unwrap()]);
        options.branches = branches;
        options.sampler = sampler;
        options.duration_s = (branches == BranchSource::None).then_some(0.5);
        let stop = AtomicBool::new(false);
        let mut reports = 0;
        let summary = record(&options, &stop, &mut |_| {
            reports += 1;
            // As Ctrl-C would, a little later.
            stop.store(reports > 2, Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(summary.exit_code, None, "{sampler:?} {branches:?}");
        assert!(reports > 0, "{sampler:?} {branches:?}");
        assert!(options.output.exists(), "{sampler:?} {branches:?}");
        // It goes on, and comes to its end when it may.
        std::fs::write(&go_on, "").unwrap();
        until_true("the command comes to its end", || {
            std::fs::read(&sign).is_ok_and(|text| text == b"done")
        });
        for file in [go_on, sign] {
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn a_command_that_ends_at_once_gives_an_empty_recording_and_a_warning() {
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    for sampler in SAMPLERS {
        if perf_is_refused(sampler) {
            continue;
        }
        if sampler == Sampler::Perf && hone_record::capabilities().hardware_cycles.works {
            println!("skipped: the first sample of a counter of cycles comes at once");
            continue;
        }
        let mut options = program.options(&["1"]);
        options.sampler = sampler;
        // One sample a second: the first cannot come before the end.
        options.frequency_hz = Some(1);
        options.branches = BranchSource::None;
        let recorded = program.record(&options).unwrap();
        assert_eq!(recorded.summary.exit_code, Some(7));
        assert_eq!(recorded.summary.samples, 0);
        assert!(
            recorded
                .summary
                .warnings
                .iter()
                .any(|w| w.contains("Not one sample"))
        );
        assert!(recorded.profile.samples.is_empty());
    }
}
