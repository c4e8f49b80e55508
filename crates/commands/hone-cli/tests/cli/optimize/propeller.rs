//! Propeller end to end: the layout by `hone convert`, and the lever in `hone optimize`, with the real compiler and
//! linker.

use crate::common::{Project, has_tools, hone, stderr, stdout};
use hone_symbols::Binary;
use std::fs;
use std::path::Path;
use std::process::Command;

const TOOLS: [&str; 2] = ["clang-19", "ld.lld-19"];

/// Both hot functions have a block that never runs, and `cold` is never called. Neither is inlined.
const STEPS: &str = r#"
#include <stdio.h>
unsigned cold(unsigned x) { return x * 3 + 1; }
unsigned mix(unsigned x) {
    if (x == 0x12345) { puts("never"); x = cold(x); }
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ (x >> 12);
}
unsigned turn(unsigned x) {
    if (x == 0x54321) { puts("never"); x = cold(x); }
    return x << 5 | x >> 27;
}
"#;

fn project(levers: &str) -> Project {
    let project = Project::new(levers);
    fs::write(project.path("steps.c"), STEPS).unwrap();
    project
}

/// Where the functions lie, and the parts that were split off them.
fn address(binary: &Path, name: &str) -> u64 {
    let bytes = fs::read(binary).unwrap();
    let parsed = Binary::parse(&bytes).unwrap();
    let function = parsed.functions().by_name(name);
    let function = function.unwrap_or_else(|| panic!("{} has no {name}", binary.display()));
    function.start.0
}

/// Whether the functions lie in the order of the file, and their cold parts behind them.
fn follows(binary: &Path, order: &str) {
    let hot: Vec<u64> = order.lines().map(|name| address(binary, name)).collect();
    assert!(hot.is_sorted(), "{order}: {hot:x?}");
    for name in ["mix", "turn"] {
        assert!(order.lines().any(|line| line == name), "{order}");
        let part = address(binary, &format!("{name}.cold"));
        assert!(hot.iter().all(|hot| *hot < part), "{name}: {hot:x?}");
    }
}

#[test]
#[ignore = "finds by samples"]
fn two_files_make_clang_and_lld_split_and_order_the_program() {
    if !has_tools(&TOOLS) {
        return;
    }
    let project = project("\"propeller\"");
    let directory = project.path("");
    let build = |name: &str, flags: &[&str]| {
        let mut compile = Command::new("clang-19");
        compile.args(["-O2", "-fuse-ld=lld", "main.c", "steps.c", "-o", name]);
        let output = compile.args(flags).current_dir(&directory).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
    };
    let convert = |binary: &str, more: &[&str]| {
        let arguments = [
            &[
                "convert",
                "hone.data",
                "--to",
                "propeller",
                "--binary",
                binary,
            ],
            more,
        ];
        hone(&arguments.concat(), &directory)
    };
    build("plain", &[]);
    build("prog", &["-fbasic-block-address-map"]);
    let record = ["record", "--overhead", "20%", "--", "./prog", "60000007"];
    let recorded = hone(&record, &directory);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    for (binary, more, words) in [
        ("prog", &[][..], "-o DIRECTORY"),
        ("plain", &["-o", "x"], "-fbasic-block-address-map"),
        ("prog", &["-o", "x", "--ip-samples"], "--ip-samples"),
    ] {
        let refused = convert(binary, more);
        assert_eq!(refused.status.code(), Some(2), "{words}");
        let message = stderr(&refused);
        assert!(
            message.contains(words) && message.contains("next: "),
            "{message}"
        );
        assert!(!project.path("x").exists());
    }
    let converted = convert("prog", &["-o", "made"]);
    assert!(converted.status.success(), "{}", stderr(&converted));
    assert_eq!(stdout(&converted), "");
    let said = stderr(&converted);
    assert!(said.contains("of the steps between blocks"), "{said}");
    let clusters = fs::read_to_string(project.path("made/clusters")).unwrap();
    assert!(clusters.starts_with("v1\nf "), "{clusters}");
    assert!(!clusters.contains("f cold\n"), "{clusters}");
    let order = fs::read_to_string(project.path("made/order")).unwrap();
    let flags = [
        "-fbasic-block-sections=list=made/clusters",
        "-Wl,--symbol-ordering-file=made/order",
        "-Wl,--no-warn-symbol-ordering",
    ];
    build("again", &flags);
    follows(&project.path("again"), &order);
    let run = |name: &str| {
        let output = Command::new(project.path(name)).arg("1000").output();
        stdout(&output.unwrap())
    };
    assert_eq!(run("plain"), run("again"));
}

#[test]
#[ignore = "builds whole modules"]
fn the_lever_records_a_build_with_a_map_and_builds_in_its_order() {
    if !has_tools(&TOOLS) {
        return;
    }
    let project = project("\"propeller\"");
    // With LTO the linker makes the code. The lever itself is of no interest here.
    project.edit("build.sh", "-O2", "-O2 -flto=thin -fno-inline -fuse-ld=lld");
    let before = project.source_files();
    let output = project.optimize(&["--dry-run"]);
    let plan = stdout(&output);
    assert!(
        plan.contains("build the rung below with a map of its blocks"),
        "{plan}"
    );
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    let rung = rungs.iter().find(|rung| rung["id"] == "propeller").unwrap();
    assert!(rung["comparison"].is_object(), "{}", rung["outcome"]);
    let profile = ".hone/profiles/profiling.propeller";
    let order = fs::read_to_string(project.path(profile).join("order")).unwrap();
    let variant = project.path(".hone/variants/propeller/prog");
    follows(&variant, &order);
    let names = |name: &str| {
        let log = fs::read_to_string(project.path(".hone/logs").join(name));
        log.unwrap()
    };
    assert!(names("profiling.mapped.calls.log").contains("--lto-basic-block-address-map"));
    assert!(names("propeller.calls.log").contains("/clusters"));
    let recorded = report["recordings"].to_string();
    assert!(recorded.contains("profiling.mapped"), "{recorded}");
    assert_eq!(
        project.source_files(),
        before,
        "the user's tree was changed"
    );
}
