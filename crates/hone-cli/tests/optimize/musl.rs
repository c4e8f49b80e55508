//! The lever `static-musl` on a real C program.

use crate::common::{Project, has_tools, stderr};
use std::fs;

/// Whether musl is here as the lever wants it.
fn has_musl() -> bool {
    let has = crate::common::is_in_path("musl-gcc");
    if !has {
        println!("skipped: musl-tools is not installed");
    }
    has && has_tools(&["clang-19", "ld.lld-19"])
}

fn outcome(project: &Project) -> serde_json::Value {
    let output = project.optimize(&[]);
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    let of_musl = rungs
        .iter()
        .find(|rung| rung["levers"] == serde_json::json!(["static-musl"]));
    of_musl.unwrap_or_else(|| panic!("{}", stderr(&output)))["outcome"].clone()
}

#[test]
fn a_c_program_becomes_one_file_with_musl() {
    if !has_musl() {
        return;
    }
    let project = Project::new("\"static-musl\"");
    // What libc it was compiled for is no part of its output.
    let main = "#include <stdio.h>\n#ifdef __GLIBC__\nconst char libc[] = \"libc: glibc\";\n#else\n\
        const char libc[] = \"libc: another\";\n#endif\n";
    let text = fs::read_to_string(project.path("main.c")).unwrap();
    fs::write(project.path("main.c"), format!("{main}{text}")).unwrap();
    let outcome = outcome(&project);
    let measured = ["kept", "not_proven", "slower"];
    assert!(
        measured.contains(&outcome["kind"].as_str().unwrap()),
        "{outcome}"
    );
    let binary = |name: &str| {
        let bytes = fs::read(project.path(&format!(".hone/variants/{name}/prog"))).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    assert!(binary("baseline").contains("libc: glibc") && binary("baseline").contains("ld-linux"));
    let with_musl = binary("static-musl");
    assert!(with_musl.contains("libc: another") && !with_musl.contains("ld-linux"));
}
