//! `hone optimize` end to end, on a small program, with the real compilers.
//!
//! The workloads are short and the blocks few, so nothing here looks at verdicts: what is checked is that
//! each rung is built, checked, measured and reported, and that bad input loses nothing.

use crate::common::{Project, has_tools, stderr, stdout};
use std::fs;

fn outcome_of<'a>(report: &'a serde_json::Value, lever: &str) -> &'a serde_json::Value {
    &rung_of(report, lever)["outcome"]
}

fn rung_of<'a>(report: &'a serde_json::Value, lever: &str) -> &'a serde_json::Value {
    let rungs = report["rungs"].as_array().unwrap();
    let is_it = |rung: &&serde_json::Value| {
        rung["levers"]
            .as_array()
            .unwrap()
            .last()
            .is_some_and(|last| last == lever)
    };
    rungs
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("no rung {lever}"))
}

#[test]
#[ignore = "builds whole modules"]
fn the_whole_ladder_is_climbed_and_reported() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19", "llvm-bolt-19"]) {
        return;
    }
    let project = Project::new("\"thinlto\", \"autofdo-ip\", \"autofdo\", \"pgo\", \"bolt\"");
    let before = project.source_files();
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    for lever in ["thinlto", "autofdo-ip", "autofdo", "pgo", "bolt"] {
        let kind = outcome_of(&report, lever)["kind"]
            .as_str()
            .unwrap()
            .to_owned();
        let measured = ["kept", "beaten", "not_proven", "slower", "reference"];
        assert!(
            measured.contains(&kind.as_str()),
            "{lever}: {}",
            outcome_of(&report, lever)
        );
    }
    assert_eq!(outcome_of(&report, "autofdo-ip")["kind"], "reference");
    assert!(report["self_check"]["overall"]["ratio"].as_f64().unwrap() > 0.5);
    let warning = "without optimisation";
    assert!(!stderr(&output).contains(warning), "{}", stderr(&output));
    let power = "This budget's ";
    assert!(
        report["remarks"].to_string().contains(power),
        "{}",
        report["remarks"]
    );
    assert!(stderr(&output).contains(power), "{}", stderr(&output));
    for words in [
        "measuring takes up to about ",
        "rung 1 of 5: ThinLTO: building",
        "rung 5 of 5, about ",
    ] {
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let last = stdout(&output).lines().next_back().unwrap().to_owned();
    let is_confirmed = report["confirmation"]["verdict"] == "faster";
    let next = match is_confirmed {
        true => "Next: hone export -o hone",
        false => "Next: hone optimize hone.toml --budget ",
    };
    assert!(last.starts_with(next), "{last}");
    let reach = "lies where no rebuild of the program reaches";
    assert!(report["remarks"].to_string().contains(reach));
    assert!(stderr(&output).contains(reach), "{}", stderr(&output));
    for lever in ["autofdo", "bolt"] {
        let profile = rung_of(&report, lever)["profile"].as_str().unwrap();
        assert!(profile.starts_with("The profile is "), "{profile}");
        assert!(profile.contains("recorded for "), "{profile}");
        assert!(stderr(&output).contains(profile), "{}", stderr(&output));
        let page = fs::read_to_string(project.path(".hone/report/report.html")).unwrap();
        assert!(page.contains("The profile is "));
    }
    assert!(
        report["recordings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|r| r["branch_records"].as_u64() > Some(100))
    );
    let rebuilt = report["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rung| {
            rung["levers"]
                .as_array()
                .unwrap()
                .iter()
                .any(|l| l == "autofdo")
        })
        .unwrap();
    let flags = rebuilt["flags"]["compile"].to_string();
    assert!(flags.contains("-fprofile-sample-use="), "{flags}");
    for form in ["report.html", "report.md", "report.json"] {
        assert!(project.path(".hone/report").join(form).exists(), "{form}");
    }
    assert!(
        stdout(&output).contains("report.html"),
        "{}",
        stdout(&output)
    );
    assert_eq!(
        project.source_files(),
        before,
        "the user's tree was changed"
    );
}

#[test]
fn a_dry_run_prints_the_plan_and_builds_nothing() {
    let project = Project::new("\"thinlto\", \"bolt\"");
    let output = project.optimize(&["--dry-run"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("baseline: build") && text.contains("ThinLTO:"),
        "{text}"
    );
    assert!(!project.path(".hone").exists());
}

/// What else is refused is asked of the library (`tests/refused.rs` of hone-optimize).
#[test]
fn bad_projects_get_a_clear_error() {
    for (file, from, to, expected) in [
        (
            "build.sh",
            "$CC -O2 -c main.c",
            "$CC -O2 -c missing.c",
            "the build command failed",
        ),
        ("hone.toml", "levers = [", "levers = [\"warp\", ", "warp"),
    ] {
        let project = Project::new("\"thinlto\"");
        project.edit(file, from, to);
        let output = project.optimize(&[]);
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
        let message = stderr(&output);
        assert!(message.contains(expected), "{to}: {message}");
        assert!(message.contains("next: "), "{to}: {message}");
        assert!(!project.path(".hone/report/report.json").exists());
    }
}

#[test]
fn a_missing_recording_is_named_before_anything_is_built() {
    let project = Project::new("\"autofdo\"");
    let missing = project.optimize(&["--profile", "no-such.data"]);
    assert_eq!(missing.status.code(), Some(2));
    let said = stderr(&missing);
    assert!(said.contains("no-such.data"), "{said}");
    assert!(!project.path(".hone").exists());
}

#[test]
fn a_missing_project_file_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = crate::common::hone(&["optimize", "nothing.toml"], directory.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nothing.toml") && stderr(&output).contains("next: "));
}
