//! Several running processes in one recording.

use crate::common::{compile, share};
use crate::safety::target::Running;
use hone_record::{BranchSource, CallGraph, Options, STACK_BYTES_MAX, Target, UserTime, record};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn several_processes_are_recorded_and_one_that_is_gone_is_told_of() {
    if !hone_record::capabilities().cpu_clock.works {
        println!("skipped: perf events are refused here");
        return;
    }
    let Some(program) = compile("burn.c", &[]) else {
        return;
    };
    let mut targets = [(); 2].map(|()| Running::start(&program.binary, &["told", "return"]));
    let pids = targets.each_ref().map(|target| target.pid);
    let target = Target::Processes {
        pids: [pids.as_slice(), &[pids[0], i32::MAX]].concat(),
    };
    let mut options = Options::new(target, program.directory.path().join("recording.data"));
    options.branches = BranchSource::None;
    // As the recording goes on, their gates are opened, and then they are told to end.
    let summary = record(&options, &AtomicBool::new(false), &mut |_| {
        targets.iter_mut().for_each(Running::open);
    });
    let summary = summary.expect("a recording");
    for target in targets {
        let (output, status) = target.end();
        let expected = ("wrong=0\n", Some(42));
        assert_eq!((output.as_str(), status.code()), expected, "{status}");
    }
    let gone = format!(
        "There is no process {}; the others were recorded.",
        i32::MAX
    );
    assert!(summary.warnings.contains(&gone), "{summary:?}");
    assert_eq!(summary.exit_code, None);
}

#[test]
#[ignore = "finds by samples"]
fn several_running_processes_are_recorded_until_the_last_has_ended() {
    if !hone_record::capabilities().cpu_clock.works {
        println!("skipped: perf events are refused here");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    for branches in [BranchSource::None, BranchSource::Auto] {
        let mut children = ["15000000", "60000000"].map(|turns| {
            let mut command = Command::new(&program.binary);
            let command = command.arg(turns).stdout(std::process::Stdio::null());
            command.spawn().expect("the program starts")
        });
        let pids = children.each_ref().map(|child| child.id() as i32);
        let target = Target::Processes {
            pids: [pids.as_slice(), &[pids[0], i32::MAX]].concat(),
        };
        let mut options = Options::new(target, program.directory.path().join("recording.data"));
        options.branches = branches;
        options.overhead = 0.2;
        let recorded = program.record(&options).unwrap();
        for child in &mut children {
            assert_eq!(child.wait().unwrap().code(), Some(7));
        }
        let warnings = &recorded.summary.warnings;
        let gone = format!(
            "There is no process {}; the others were recorded.",
            i32::MAX
        );
        assert!(warnings.contains(&gone), "{warnings:?}");
        let samples = pids.map(|pid| {
            let all = recorded.profile.samples.iter();
            let threads = all.map(|sample| &recorded.profile.threads[sample.thread.index()]);
            threads.filter(|thread| thread.pid == pid).count()
        });
        // The second does four times as much, most of it when the first has ended.
        assert!(samples[0] > 5, "{branches:?}: {samples:?}");
        assert!(samples[1] > 2 * samples[0], "{branches:?}: {samples:?}");
        let in_program = recorded.weight_by_function(&program);
        assert!(
            share(&in_program, "alpha") > 0.5,
            "{branches:?}: {in_program:?}"
        );
    }
}

/// Seconds that are recorded: more, where the machine left the program too little CPU to be seen.
const TRIES_S: [f64; 3] = [2.0, 8.0, 30.0];

#[test]
#[ignore = "finds by samples"]
fn copies_follow_what_stacks_need_and_the_rate_what_they_cost() {
    if !hone_record::capabilities().cpu_clock.works {
        println!("skipped: perf events are refused here");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    let mut child = Command::new(&program.binary)
        .arg("1000000000000")
        .spawn()
        .expect("the program starts");
    let target = Target::Processes {
        pids: vec![child.id() as i32],
    };
    let mut options = Options::new(target, program.directory.path().join("recording.data"));
    options.branches = BranchSource::None;
    options.call_graph = CallGraph::Dwarf {
        stack_bytes: None,
        keeps_copies: false,
    };
    options.frequency_hz = Some(20_000);
    let mut recordings = TRIES_S.map(Some).into_iter().map(|duration_s| {
        options.duration_s = duration_s;
        program.record(&options).unwrap()
    });
    let recorded = recordings.find(|recorded| recorded.summary.stacks > 300);
    child.kill().unwrap();
    child.wait().unwrap();
    let Some(recorded) = recorded else {
        println!("skipped: the program got hardly any CPU");
        return;
    };
    let summary = &recorded.summary;
    assert!(summary.stack_bytes < STACK_BYTES_MAX / 8, "{summary:?}");
    assert_eq!(summary.asked_hz, 20_000);
    let share = f64::from(summary.rate_hz) * summary.sample_cost_us / 1e6;
    assert!(share <= 0.011 && summary.stopped_s > 0.0, "{summary:?}");
    // The counters that were opened later are those that the file names.
    let losses = &recorded.profile.losses;
    assert_eq!(losses.malformed_records, 0, "{losses:?}");
    assert!(losses.unknown_records.is_empty(), "{losses:?}");
    // Whatever the rate was changed to, each sample stands for its time.
    let samples = recorded.profile.samples.iter();
    let sampled_s = samples
        .map(|sample| sample.weight as f64 / 1e9)
        .sum::<f64>();
    assert!(
        sampled_s < 1.5 * summary.target_cpu_s,
        "{sampled_s} {summary:?}"
    );
    assert_eq!(recorded.profile.samples.len() as u64, summary.samples);
    let in_program = recorded.weight_by_function(&program);
    assert!(
        crate::common::share(&in_program, "alpha") > 0.5,
        "{in_program:?}"
    );
}

/// CPU seconds of a process so far, from the scheduler, and user seconds of the next half second.
fn cpu_and_user_s(argv: &[&str]) -> (f64, f64) {
    let mut child = Command::new(argv[0])
        .args(&argv[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let cpu_ns = || {
        let path = format!("/proc/{}/schedstat", child.id());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let first = text.split_ascii_whitespace().next();
        first.and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let before = cpu_ns();
    let watch = UserTime::of(&[child.id() as i32]).unwrap();
    while cpu_ns() - before < 5e8 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let user_s = watch.stop();
    let cpu_s = (cpu_ns() - before) * 1e-9;
    child.kill().unwrap();
    child.wait().unwrap();
    (cpu_s, user_s.expect("no look was lost"))
}

#[test]
#[ignore = "waits on a clock"]
fn user_time_is_all_of_a_loop_and_little_of_calls() {
    if !hone_record::capabilities().cpu_clock.works
        || !std::path::Path::new("/proc/self/schedstat").exists()
    {
        println!("skipped: perf events are refused here, or the scheduler keeps no statistics");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    let binary = program.binary.to_str().unwrap();
    let (cpu_s, user_s) = cpu_and_user_s(&[binary, "2000000000"]);
    let share = user_s / cpu_s;
    assert!((0.8..1.1).contains(&share), "a loop: {user_s} of {cpu_s} s");
    // Every byte is two calls of the kernel.
    let (cpu_s, user_s) = cpu_and_user_s(&["dd", "if=/dev/zero", "of=/dev/null", "bs=1"]);
    let share = user_s / cpu_s;
    assert!(
        (0.01..0.75).contains(&share),
        "calls: {user_s} of {cpu_s} s"
    );
}
