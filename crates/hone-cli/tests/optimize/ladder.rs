//! `hone optimize` end to end, on a small program, with the real compilers.
//!
//! The workloads are short and the blocks few, so nothing here looks at verdicts: what is checked is that
//! each rung is built, checked, measured and reported, and that bad input loses nothing.

use crate::common::{Project, has_tools, stderr, stdout};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

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
fn a_recording_from_production_takes_the_place_of_recording_here() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\"");
    let production = tempfile::tempdir().unwrap();
    let sources = ["main.c", "steps.c"].map(|name| project.path(name));
    let flags = [
        "-O2",
        "-gline-tables-only",
        "-fdebug-info-for-profiling",
        "-o",
        "prog",
    ];
    let mut compile = Command::new("clang-19");
    compile
        .args(flags)
        .args(&sources)
        .current_dir(production.path());
    assert!(compile.status().unwrap().success());
    let recorded = crate::common::hone(
        &["record", "--overhead", "20%", "--", "./prog", "600000001"],
        production.path(),
    );
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let recording = production.path().join("hone.data");
    let output = project.optimize(&["--profile", recording.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let kind = outcome_of(&report, "autofdo")["kind"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        ["kept", "not_proven", "slower"].contains(&kind.as_str()),
        "{}",
        outcome_of(&report, "autofdo")
    );
    assert!(
        project
            .path(".hone/profiles/profiling.autofdo.prof")
            .exists()
    );
    let missing = project.optimize(&["--fresh", "--profile", "no-such.data"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("no-such.data"),
        "{}",
        stderr(&missing)
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

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"thinlto\"");
    let mut child = project.start(&[]);
    let state = project.path(".hone/state.json");
    let began = Instant::now();
    let built = || fs::read_to_string(&state).is_ok_and(|text| text.contains("\"baseline\": {"));
    while !built() && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    crate::common::interrupt(&child);
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(!project.path(".hone/report/report.json").exists());
    let log = project.path(".hone/logs/baseline.build.log");
    let first_build = fs::metadata(&log).unwrap().modified().unwrap();
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("going on with the interrupted run"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::metadata(&log).unwrap().modified().unwrap(),
        first_build,
        "built again"
    );
    assert!(project.path(".hone/report/report.json").exists());
}

#[test]
fn other_measuring_keeps_what_it_does_not_change() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\"");
    assert!(project.optimize(&[]).status.success());
    let built = || {
        ["baseline", "profiling"].map(|name| {
            let log = project.path(&format!(".hone/logs/{name}.build.log"));
            fs::metadata(log).unwrap().modified().unwrap()
        })
    };
    let first = built();
    project.edit("hone.toml", "{binary} 200000007", "{binary} 210000007");
    let output = project.optimize(&[]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the last run is finished; its "), "{said}");
    assert_eq!(built(), first, "{said}");
    let workloads = project.report()["workloads"].to_string();
    assert!(workloads.contains("210000007"), "{workloads}");
}

#[test]
fn a_variant_that_fails_its_check_is_left_out() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"thinlto\"");
    // The check refuses what has debug information, which only our variants have.
    project.edit(
        "hone.toml",
        "{binary} 1000",
        "! readelf -S {binary} | grep -q debug_line",
    );
    let output = project.optimize(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let outcome = outcome_of(&project.report(), "thinlto").clone();
    assert_eq!(outcome["kind"], "failed");
    assert!(
        outcome["reason"]
            .as_str()
            .unwrap()
            .contains("check command failed"),
        "{outcome}"
    );
}

#[test]
fn what_is_captured_decides_where_the_output_holds_times() {
    if !has_tools(&["clang-19", "ld.lld-19", "readelf"]) {
        return;
    }
    let project = Project::new("\"thinlto\"");
    // The sum is the same under every variant, the time is not.
    project.edit(
        "hone.toml",
        "{binary} 200000007\"",
        "{binary} 200000007; date +%s%N\"\ncompare_pattern = '^(\\d{1,10})$'",
    );
    project.edit(
        "hone.toml",
        "{binary} 1000\"",
        "echo sections $(readelf -S {binary} | grep -c debug)\"\ncompare_pattern = 'sections (\\d+)'",
    );
    let output = project.optimize(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let outcome = outcome_of(&project.report(), "thinlto").clone();
    let reason = outcome["reason"].as_str().unwrap();
    for words in ["compare_pattern captures", "instead of '0'"] {
        assert!(reason.contains(words), "{reason}");
    }
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
    project.edit("main.c", "steps[i % 16 == 0]", "steps[argc > 2]");
    project.edit("hone.toml", "{binary} 200000007", "{binary} 12000007 x");
    project.edit("hone.toml", "{binary} 30000001", "{binary} 6000001");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
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
        ("{binary} 200000007", "{binary} 10", "less than 0.2 s"),
        (
            "{binary} 200000007",
            "{binary} 200000007; exit 3",
            "exit status 3",
        ),
        ("levers = [", "levers = [\"warp\", ", "warp"),
        (
            "{binary} 200000007\"",
            "{binary} 200000007\"\ncompare_pattern = 'nodes (\\d+)'",
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
fn a_missing_project_file_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = crate::common::hone(&["optimize", "nothing.toml"], directory.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nothing.toml") && stderr(&output).contains("next: "));
}
