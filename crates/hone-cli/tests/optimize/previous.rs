//! The winner's profile on the source of the previous release.

use crate::common::{Project, has_tools, run_in, stderr};

/// A loop of indirect calls with one target: with a profile it is inlined, which is several times faster on any
/// machine.
const PROGRAM: &str = r#"
#include "main.h"
typedef unsigned (*step)(unsigned);
static unsigned square(unsigned x) { return x * x; }
static unsigned twice(unsigned x) { return x + x; }
static step steps[2] = {square, twice};
unsigned work(unsigned n) {
    unsigned sum = 1;
    step chosen = steps[n == 1000];
    for (unsigned i = 0; i < n; i++) sum ^= chosen(i);
    if (n == 7) steps[0] = twice;
    return sum;
}
"#;

fn project(previous: &str) -> Project {
    let project = Project::new("\"pgo\"");
    std::fs::write(project.path("main.c"), PROGRAM).unwrap();
    let add = format!("binary = \"prog\"\nprevious = \"{previous}\"\nexclude = [\"previous\"]");
    project.edit("hone.toml", "binary = \"prog\"", &add);
    project
}

#[test]
fn the_gain_on_the_previous_release_is_measured_and_told() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let project = project("previous");
    let root = project.path("");
    run_in(&root, "mkdir", &["previous"]);
    run_in(
        &root,
        "cp",
        &["main.h", "main.c", "steps.c", "build.sh", "previous"],
    );
    // It writes something else, which is its right.
    project.edit("previous/main.h", "sum %u", "sum 0%u");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let remarks = report["remarks"].to_string();
    assert!(
        remarks
            .contains("On the source of the previous release the winner's flags and profile give "),
        "{remarks}"
    );
    // No loop of the program can be vectorised.
    let kept = "No hot loop of the measured workloads lost";
    assert!(remarks.contains(kept), "{remarks} {}", report["notes"]);
    let raw = report["raw"].as_array().unwrap();
    let new = |experiment: &serde_json::Value| experiment["new"] == "previous-pgo";
    assert!(raw.iter().any(new), "no experiment on the previous release");
    let log = std::fs::read_to_string(project.path(".hone/logs/previous-pgo.calls.log"));
    assert!(log.unwrap().contains("profile-use"));
}

#[test]
fn a_previous_release_that_does_not_build_is_no_failure_and_one_that_is_not_there_is() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let absent = project("nowhere").optimize(&[]);
    assert_eq!(absent.status.code(), Some(2));
    let said = stderr(&absent);
    assert!(
        said.contains("program.previous: ") && said.contains("nowhere is not a directory"),
        "{said}"
    );

    let project = project("previous");
    let root = project.path("");
    run_in(&root, "mkdir", &["previous"]);
    run_in(&root, "cp", &["main.h", "main.c", "build.sh", "previous"]);
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let remarks = report["remarks"].to_string();
    assert!(
        remarks.contains("could not be tried on the previous release"),
        "{remarks}"
    );
}
