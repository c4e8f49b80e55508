//! AutoFDO in the form of instrumented PGO, by `hone optimize` and by hand.

use crate::common::{Project, has_tools, hone, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

const TOOLS: &[&str] = &["clang-19", "ld.lld-19", "llvm-profdata-19", "opt-19"];

/// Names, hashes and counts of all functions.
fn counts(profile: &Path) -> String {
    let mut show = Command::new("llvm-profdata-19");
    let shown = show
        .args(["show", "--all-functions", "--counts"])
        .arg(profile)
        .output();
    let shown = shown.unwrap();
    assert!(shown.status.success(), "{}", stderr(&shown));
    String::from_utf8(shown.stdout).unwrap()
}

#[test]
#[ignore = "builds whole modules"]
fn counters_come_from_samples_alone_and_by_hand_the_same() {
    if !has_tools(TOOLS) {
        return;
    }
    let project = Project::new("\"autofdo-counters\", \"thinlto+autofdo-counters\"");
    let output = project.optimize(&["--sampling-only"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for rung in project.report()["rungs"].as_array().unwrap().iter().skip(1) {
        assert!(rung["comparison"].is_object(), "{}", rung["outcome"]);
    }
    let profiles = [
        ".hone/profiles/profiling.autofdo-counters.profdata",
        ".hone/profiles/thinlto.autofdo-counters.profdata",
    ];
    for profile in profiles {
        let all = counts(&project.path(profile));
        for function in ["  work:", "  mix:"] {
            assert!(all.contains(function), "no {function} in {profile}: {all}");
        }
    }

    // By hand, with what the report says of files.
    fs::remove_file(project.path("prog")).ok();
    let root = project.path(".");
    let flags = "-gline-tables-only -fdebug-info-for-profiling -funique-internal-linkage-names";
    let build = format!("CC='clang-19 {flags}' sh build.sh");
    let wrapped = hone(&["wrap", "--ir", "ir", "--", "sh", "-c", &build], &root);
    assert!(wrapped.status.success(), "{}", stderr(&wrapped));
    assert!(
        stderr(&wrapped).contains("the IR of 2 sources is in"),
        "{}",
        stderr(&wrapped)
    );
    let recordings = fs::read_dir(project.path(".hone/recordings"))
        .unwrap()
        .flatten();
    let mut recordings: Vec<_> = recordings
        .filter(|file| {
            file.file_name()
                .to_string_lossy()
                .starts_with("profiling.probed.")
        })
        .map(|file| file.path().to_str().unwrap().to_owned())
        .collect();
    recordings.sort();
    let words = "convert --binary .hone/variants/profiling.probed/prog --to profdata --probes --ir ir -o by-hand";
    let mut words: Vec<_> = words.split(' ').collect();
    words.extend(recordings.iter().map(String::as_str));
    let converted = hone(&words, &root);
    assert!(converted.status.success(), "{}", stderr(&converted));
    assert_eq!(
        counts(&project.path("by-hand")),
        counts(&project.path(profiles[0]))
    );

    let again = hone(&["wrap", "--ir", "ir", "--", "sh", "build.sh"], &root);
    assert!(
        stderr(&again).contains("is not empty"),
        "{}",
        stderr(&again)
    );
    without_what_it_needs(&root, &words);

    // A later run has the builds of this one, and not their IR.
    project.edit("hone.toml", "30000001", "30000003");
    project.measure_no_variant();
    project.optimize(&["--levers", "autofdo-counters"]);
    let outcome = project.report()["rungs"][1]["outcome"].to_string();
    let built = "workload measure under autofdo-counters";
    assert!(outcome.contains(built), "{outcome}");
}

/// What is said where a part is not there.
fn without_what_it_needs(root: &Path, words: &[&str]) {
    let without = |left_out: &[&str]| {
        let kept = words.iter().filter(|word| !left_out.contains(word));
        let kept: Vec<_> = kept.copied().collect();
        let output = hone(&kept, root);
        assert!(!output.status.success());
        stderr(&output)
    };
    let said = without(&["--probes"]);
    assert!(said.contains("add --probes"), "{said}");
    let said = without(&["--ir", "ir"]);
    assert!(said.contains("hone wrap --ir DIR"), "{said}");
    fs::remove_dir_all(root.join("ir")).unwrap();
    fs::create_dir(root.join("ir")).unwrap();
    let said = without(&[]);
    assert!(
        said.contains("no function of the profile was found in the IR in ir"),
        "{said}"
    );
    fs::write(root.join("ir/x.O2.bc"), "BC").unwrap();
    let said = without(&[]);
    for part in ["ir/x.O2.bc", "opt ended before", "error: expected"] {
        assert!(said.contains(part), "no {part} in {said}");
    }
}
