//! Complaints about recordings that the tools cannot read.

use super::{Made, PLAIN};
use crate::common::{has_tools, stderr};
use std::fs;

/// autofdo#91 (registers and stacks of --call-graph dwarf), autofdo#108 (TIME_CONV), "Unknown event type: 82" of
/// create_llvm_prof 0.19: what today's perf writes ends the conversion.
#[test]
#[ignore = "finds by samples"]
fn every_kind_of_recording_of_the_installed_perf_is_read() {
    let Some(made) = Made::new(&[]) else { return };
    let kinds: [&[&str]; 4] = [
        &[],
        &["--call-graph", "dwarf"],
        &["-z", "-g"],
        &["-e", "page-faults", "--data", "--phys-data", "-s"],
    ];
    for kind in kinds {
        let Some(()) = made.perf_record("perf.data", kind) else {
            return;
        };
        let (profile, said) = made.profile("perf.data", "autofdo-text");
        assert!(profile.contains("_ZN3Mul3runEj:"), "{kind:?}: {profile}");
        assert!(!said.contains("missing at its end"), "{kind:?}: {said}");
        if has_tools(&["create_llvm_prof"]) {
            let words = [
                "--profile=perf.data",
                "--binary=p",
                "--out=x",
                "--use_lbr=false",
            ];
            let theirs = made.attempt("create_llvm_prof", &words);
            println!("create_llvm_prof {kind:?}: {}", theirs.status);
        }
    }
    let pipe = "perf record -q -e cpu-clock:u -F 997 -o - -- ./p 300000000 > pipe.data";
    made.run("sh", &["-c", pipe]);
    // The program prints into the pipe as well, behind the records.
    let (profile, _) = made.profile("pipe.data", "autofdo-text");
    assert!(profile.contains("_ZN3Mul3runEj:"), "{profile}");
}

/// autofdo#230: a script starts the binary many times, among other programs.
#[test]
#[ignore = "finds by samples"]
fn every_process_of_the_binary_counts() {
    let Some(made) = Made::new(&[]) else { return };
    let script = "for i in 1 2 3; do ./p 150000000; /bin/true; done";
    let words = ["-o", "all.data", "--", "sh", "-c", script];
    let output = made.hone(&[&["record"], &PLAIN[..], &words].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let (json, _) = made.profile("all.data", "json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (all, here) = (
        &json["account"]["samples"],
        &json["account"]["samples_here"],
    );
    let (all, here) = (all.as_f64().unwrap(), here.as_f64().unwrap());
    assert!(here > 0.5 * all, "{here} of {all}");
    let bytes = fs::read(made.path("all.data")).unwrap();
    let profile = hone_profile::perf_data::read(&bytes).unwrap();
    let is_p = |name: &str| name == "p";
    let pids = profile.threads.iter().filter(|thread| is_p(&thread.name));
    assert!(pids.count() >= 3, "{:?}", profile.threads);
}
