//! `hone optimize` end to end, on a small program, with the real compilers.
//!
//! The workloads are short and the blocks few, so nothing here looks at verdicts: what is checked is that
//! each rung is built, checked, measured and reported, and that bad input loses nothing.

use crate::common::{MEASURE, Project, has_tools, stderr, stdout};
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

/// Each of three variants fails a check in a way of its own, which debug information and the loader tell apart.
#[test]
fn a_variant_whose_check_fails_or_writes_other_results_or_never_ends_is_left_out() {
    if !has_tools(&["clang-19", "ld.lld-19", "readelf"]) {
        return;
    }
    let project = Project::new("\"thinlto\", \"static\", \"no-pie\"");
    let check = "case $(readelf -hl {binary}) in *EXEC*INTERP*) echo stuck; sleep 600;; esac; \
        if readelf -S {binary} | grep -q debug_line; then exit 3; fi; \
        echo loaders $(readelf -l {binary} | grep -c INTERP)\"\n\
        compare_pattern = 'loaders (\\d+)'\nlimit_seconds = 5";
    project.edit("hone.toml", "{binary} 1000\"", check);
    let output = project.optimize(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = project.report();
    for (lever, facts) in [
        ("thinlto", &["check command failed", "exit status 3"][..]),
        ("static", &["compare_pattern captures", "instead of '1'"]),
        (
            "no-pie",
            &[
                "still running after 5 s, and so it was ended",
                "stuck",
                "raise its limit_seconds",
            ],
        ),
    ] {
        let outcome = outcome_of(&report, lever);
        assert_eq!(outcome["kind"], "failed", "{lever}");
        let reason = outcome["reason"].as_str().unwrap();
        for fact in facts {
            assert!(reason.contains(fact), "{lever}: no {fact:?} in {reason}");
        }
    }
    assert_eq!(crate::common::processes_in(&project.path("")), [0_i32; 0]);
}

#[test]
fn training_on_other_functions_than_the_measured_is_told() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let steps = "unsigned mix(unsigned x) {
            for (int i = 0; i < 50; i++) x = (x ^ x >> 15) * 0x2c1b3c6du;
            return x;
        }
        unsigned turn(unsigned x) {
            for (int i = 0; i < 50; i++) x = (x << 5 | x >> 27) * 3 + 1;
            return x;
        }";
    let project = Project::new("\"autofdo\"");
    fs::write(project.path("steps.c"), steps).unwrap();
    project.edit("main.c", "steps[i % 16 == 0]", "steps[n % 2]");
    project.edit("hone.toml", "{binary} 100003", "{binary} 100000");
    project.edit("hone.toml", "{binary} 30000001", "{binary} 6000001");
    project.measure_no_variant();
    project.optimize(&[]);
    let notes = project.report()["notes"].to_string();
    assert!(notes.contains("run another mix of functions"), "{notes}");
}

#[test]
fn bad_projects_get_a_clear_error() {
    for (from, to, expected) in [
        (
            "$CC -O2 -c main.c",
            "$CC -O2 -c missing.c",
            "the build command failed",
        ),
        (
            "binary = \"prog\"",
            "binary = \"other\"",
            "is not a program",
        ),
        (
            "sh build.sh",
            "cp /bin/true prog",
            "no compiler that Hone could see",
        ),
        ("{binary} 1000", "false", "the check command failed"),
        (MEASURE, "{binary} 10", "less than 0.2 s"),
        (MEASURE, "{binary} 10; exit 3", "exit status 3"),
        ("levers = [", "levers = [\"warp\", ", "warp"),
        (
            "'sum (",
            "'nodes (",
            "captures nothing in the standard output of workload measure",
        ),
        (
            "{binary} 1000\"",
            "{binary} 1000\"\ncompare_pattern = 'x*'",
            "captures nothing in the output of the check command",
        ),
    ] {
        let project = Project::new("\"thinlto\"");
        let file = if from.starts_with("$CC") {
            "build.sh"
        } else {
            "hone.toml"
        };
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
