//! Programs of many short threads: what they do is seen, at a bounded cost.

use crate::common::{Program, Recorded, compile, share};
use hone_record::{BranchSource, CallGraph};
use testkit::Spinner;

/// Turns of `brief_threads`, about half a millisecond each.
const TURNS: &str = "2000";

fn program() -> Option<Program> {
    if !hone_record::capabilities().cpu_clock_of_cpus.works {
        println!("skipped: perf events of the CPUs are refused here");
        return None;
    }
    compile("brief_threads.c", &[])
}

fn record(program: &Program, branches: BranchSource, callers: bool) -> Recorded {
    let mut options = program.options(&[TURNS]);
    options.branches = branches;
    options.limits_samples = true;
    if callers {
        options.call_graph = CallGraph::FramePointers;
    }
    program.record(&options).unwrap()
}

#[test]
fn many_short_threads_are_recorded_by_the_cpus() {
    let Some(program) = program() else {
        return;
    };
    for branches in [BranchSource::None, BranchSource::Walk] {
        let recorded = record(&program, branches, false);
        let summary = &recorded.summary;
        assert_eq!(summary.counters, "cpus", "{summary:?}");
        assert_eq!(summary.exit_code, Some(0), "{summary:?}");
        // Samples of other processes are left out.
        let pids = recorded.profile.samples.iter();
        let mut pids = pids.map(|sample| recorded.profile.threads[sample.thread.index()].pid);
        assert!(pids.all(|pid| pid == summary.pid), "{summary:?}");
        let time = recorded.profile.meta.cpu_time.expect("the CPU time");
        assert!(time.used_ns > 0 && time.period_ns > 0, "{time:?}");
    }
}

#[test]
#[ignore = "finds by samples"]
fn the_shares_of_short_threads_and_of_the_threads_that_start_them_are_those_of_the_kernel() {
    let Some(program) = program() else {
        return;
    };
    let _beside = Spinner::start(program.directory.path(), "beside");
    for (branches, callers) in [
        (BranchSource::None, false),
        (BranchSource::None, true),
        (BranchSource::Walk, false),
    ] {
        let recorded = record(&program, branches, callers);
        let numbers: Vec<f64> = recorded
            .stdout
            .split_whitespace()
            .map(|number| number.parse().expect("a number"))
            .collect();
        let truth = numbers[0] / (numbers[0] + numbers[1]);
        let found = recorded.weight_by_function(&program);
        let (brief, long) = (share(&found, "brief_work"), share(&found, "long_work"));
        let samples = recorded.summary.samples as f64;
        let of_both = brief / (brief + long);
        let allowed = 4.0 * (truth * (1.0 - truth) / samples).sqrt() + 0.03;
        assert!(
            (of_both - truth).abs() < allowed,
            "{branches:?}: {of_both:.3} for {truth:.3} in {samples} samples: {:?}",
            recorded.summary
        );
        assert_eq!(recorded.summary.unsampled, None, "{:?}", recorded.summary);
    }
}
