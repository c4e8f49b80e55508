//! From `hone record` to Go's compiler: branch records of a Go program become `default.pgo`.

use crate::common::{go, hone, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the compiler says of its decisions.
fn build(go: &Path, directory: &Path, name: &str, options: &[&str]) -> String {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../optimize/hone-fdo/tests/programs/hot.go");
    let output = Command::new(go)
        .args(["build", "-gcflags=-m=2", "-o", name])
        .args(options)
        .arg(source)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output)
}

#[test]
#[ignore = "finds by samples"]
fn branch_records_make_go_inline_and_devirtualise() {
    let Some(go) = go() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    build(&go, directory, "p", &[]);
    let walk = ["--branches", "walk", "--overhead", "20%"];
    let record = [
        &["record", "-o", "hone.data"][..],
        &walk,
        &["--", "./p", "100000"],
    ]
    .concat();
    let recorded = hone(&record, directory);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let convert = |to: &str, from: &str| {
        let arguments = [
            "convert", from, "--binary", "./p", "--to", "go-pgo", "-o", to,
        ];
        hone(&arguments, directory)
    };
    let converted = convert("hone.pgo", "hone.data");
    assert!(converted.status.success(), "{}", stderr(&converted));
    let said = stderr(&converted);
    assert!(said.contains("samples with branch records -> "), "{said}");
    let with = build(&go, directory, "with", &["-pgo=hone.pgo"]);
    for decision in [
        "PGO devirtualizing interface call s.area to square.area",
        "inlining call to step",
    ] {
        assert!(with.contains(decision), "no {decision:?} in {with}");
    }

    fs::write(directory.join("preaggregated"), "B 401000 401010 7 0\n").unwrap();
    let refused = convert("x", "preaggregated");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("next: "), "{}", stderr(&refused));
    fs::write(
        directory.join("script"),
        "    7f0000401136\n    7f0000401140\n",
    )
    .unwrap();
    let refused = stderr(&convert("x", "script"));
    assert!(refused.contains("--show-mmap-events"), "{refused}");
}
