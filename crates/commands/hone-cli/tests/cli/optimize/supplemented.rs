//! A recording from production: AutoFDO by it, and instrumented counts that it corrects where the training did not run.

use crate::common::{Project, has_tools, hone, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

/// An even number of rounds is production, which spends its time elsewhere than training. llvm-profdata corrects functions of
/// ten counters or more.
const MAIN: &str = r#"
#include "main.h"
__attribute__((noinline)) unsigned production(unsigned x) {
    for (int k = 0; k < 8; k++) {
        if (x & 1) x += 3; else x ^= 5;
        if (x & 2) x *= 7;
        if (x & 4) x -= 11;
        if (x & 8) x = x << 3 | x >> 29;
        if (x & 16) x += k;
        if (x & 32) x ^= x >> 7;
        if (x & 64) x *= 3;
        if (x & 128) x += 17;
        if (x & 256) x ^= 0x55;
        if (x & 512) x -= k;
    }
    return x;
}
unsigned mix(unsigned);
unsigned work(unsigned n) {
    unsigned sum = 1;
    for (unsigned i = 0; i < n; i++) sum += n % 2 == 0 ? production(sum ^ i) : mix(sum ^ i);
    return sum;
}
"#;

/// What llvm-profdata says of a function.
fn shown(profile: &Path, function: &str) -> String {
    let mut show = Command::new("llvm-profdata-19");
    show.args(["show", "--counts", "--function", function])
        .arg(profile);
    let output = show.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let named = format!("{function}:");
    let lines = text.lines().skip_while(|line| line.trim() != named).skip(1);
    let own = lines.take_while(|line| line.starts_with("    "));
    own.map(|line| format!("{line}\n")).collect()
}

#[test]
#[ignore = "builds whole modules"]
fn a_recording_from_production_takes_the_place_of_recording_here_and_warms_what_training_left_cold()
{
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"pgo-sampled\"");
    fs::write(project.path("main.c"), MAIN).unwrap();
    let production = tempfile::tempdir().unwrap();
    let mut compile = Command::new("clang-19");
    compile.args([
        "-O2",
        "-gline-tables-only",
        "-fdebug-info-for-profiling",
        "-o",
        "prog",
    ]);
    compile.args(["main.c", "steps.c"].map(|name| project.path(name)));
    assert!(
        compile
            .current_dir(production.path())
            .status()
            .unwrap()
            .success()
    );
    let run = ["record", "--overhead", "20%", "--", "./prog", "8000000"];
    let recorded = hone(&run, production.path());
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let recording = production.path().join("hone.data");
    let output = project.optimize(&["--profile", recording.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    for id in ["autofdo", "pgo-sampled"] {
        let rung = rungs.iter().find(|rung| rung["id"] == id).unwrap();
        assert!(rung["comparison"].is_object(), "{}", rung["outcome"]);
    }
    let of_production = fs::read(project.path(".hone/profiles/profiling.autofdo.prof")).unwrap();
    assert!(
        of_production
            .windows(10)
            .any(|bytes| bytes == b"production")
    );
    let profile = |lever: &str| project.path(&format!(".hone/profiles/profiling.{lever}.profdata"));
    let counts = |lever: &str, function: &str| shown(&profile(lever), function);
    assert!(counts("pgo", "production").contains("counts: [0, 0"));
    assert_ne!(
        counts("pgo", "production"),
        counts("pgo-sampled", "production")
    );
    assert_eq!(counts("pgo", "mix"), counts("pgo-sampled", "mix"));
}
