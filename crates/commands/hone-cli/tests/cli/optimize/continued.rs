//! One run of `hone optimize` after another in the same place: interrupted, and with a changed source. What is kept in each case is
//! decided in `workspace/opening.rs` of hone-optimize, and tried at every place of a run in `tests/again.rs` there.

use crate::common::{Project, has_tools, interrupt, stderr, stdout};
use std::fs;
use std::time::SystemTime;

use testkit::until_true;

/// Starts a run, and interrupts it once the baseline is built.
fn interrupted(project: &Project) {
    let state = project.path(".hone/state.json");
    let mut child = project.start(&[]);
    until_true("the baseline", || {
        let text = fs::read_to_string(&state).unwrap_or_default();
        text.contains("\"baseline\": {")
    });
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!project.path(".hone/report/report.json").exists());
}

fn built_at(project: &Project, name: &str) -> SystemTime {
    let log = project.path(&format!(".hone/logs/{name}.build.log"));
    fs::metadata(log).unwrap().modified().unwrap()
}

/// The one ladder of a program that `make test` climbs with a real compiler. Its profile is of counters, which are the same whatever
/// the machine does beside. Nothing here looks at verdicts.
#[test]
fn a_small_ladder_is_climbed_where_it_was_interrupted_and_reported() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let project = Project::new("\"pgo\"");
    let before = project.source_files();
    interrupted(&project);
    let baseline = built_at(&project, "baseline");
    let output = project.optimize(&[]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("going on with the interrupted run"), "{said}");
    assert_eq!(built_at(&project, "baseline"), baseline, "built again");

    let report = project.report();
    let rung = &report["rungs"][1];
    assert_eq!(rung["levers"], serde_json::json!(["pgo"]));
    let ratio = &rung["comparison"]["overall"]["ratio"];
    assert!(ratio.is_number(), "{}", rung["outcome"]);
    let flags = rung["flags"]["compile"].to_string();
    let profile = "-fprofile-use=$HONE/profiles/profiling.pgo.profdata";
    assert!(flags.contains(profile), "{flags}");
    let calls = fs::read_to_string(project.path(".hone/logs/pgo.calls.log")).unwrap();
    assert!(
        calls.contains("/profiles/profiling.pgo.profdata"),
        "{calls}"
    );
    for form in ["report.html", "report.md"] {
        let path = project.path(".hone/report").join(form);
        assert!(
            fs::read_to_string(path)
                .unwrap()
                .contains("Instrumented PGO"),
            "{form}"
        );
    }
    let last = stdout(&output).lines().next_back().unwrap().to_owned();
    let next = match report["confirmation"]["verdict"] == "faster" {
        true => "Next: hone export -o hone",
        false => "Next: hone optimize hone.toml --budget ",
    };
    assert!(last.starts_with(next), "{last}");
    assert_eq!(
        project.source_files(),
        before,
        "the user's tree was changed"
    );
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
