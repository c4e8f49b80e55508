//! One run of `hone optimize` after another in the same place: interrupted, with a changed source, finished, measured
//! otherwise. What is kept in each case is decided in `workspace/opening.rs` of hone-optimize, and tested there.

use crate::common::{MEASURE, Project, has_tools, interrupt, stderr};
use std::fs;
use std::time::{Duration, Instant, SystemTime};

/// Long enough for a build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Starts a run, and interrupts it once the baseline is built.
fn interrupted(project: &Project) {
    let state = project.path(".hone/state.json");
    let began = Instant::now();
    let is_built = || {
        let text = fs::read_to_string(&state).unwrap_or_default();
        text.contains("\"baseline\": {")
    };
    let mut child = project.start(&[]);
    while !is_built() && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!project.path(".hone/report/report.json").exists());
}

fn built_at(project: &Project, name: &str) -> SystemTime {
    let log = project.path(&format!(".hone/logs/{name}.build.log"));
    fs::metadata(log).unwrap().modified().unwrap()
}

/// Runs to the end; returns what was said.
fn finished(project: &Project) -> String {
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(project.path(".hone/report/report.json").exists());
    stderr(&output)
}

#[test]
fn a_run_goes_on_where_it_was_interrupted_and_its_builds_serve_other_measuring() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\"");
    interrupted(&project);
    let baseline = built_at(&project, "baseline");
    let said = finished(&project);
    assert!(said.contains("going on with the interrupted run"), "{said}");
    assert_eq!(built_at(&project, "baseline"), baseline, "built again");
    let profiled = built_at(&project, "profiling");

    let other = MEASURE.replace("100003", "110003");
    project.edit("hone.toml", MEASURE, &other);
    let said = finished(&project);
    assert!(said.contains("the last run is finished; its "), "{said}");
    assert_eq!(built_at(&project, "baseline"), baseline, "{said}");
    assert_eq!(built_at(&project, "profiling"), profiled, "{said}");
    let workloads = project.report()["workloads"].to_string();
    assert!(workloads.contains(&other), "{workloads}");
}

#[test]
fn a_changed_source_says_what_is_thrown_away() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let project = Project::new("\"thinlto\"");
    interrupted(&project);
    project.edit("main.c", "return sum", "return  sum");
    // The run ends at its first build.
    project.edit("build.sh", "set -e", "exit 1");
    let output = project.optimize(&[]);
    let said = stderr(&output);
    let words = "starting afresh, since the source has changed";
    assert!(said.contains(words), "{said}");
}
