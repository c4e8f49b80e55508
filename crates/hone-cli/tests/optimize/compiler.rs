//! A program whose build calls another compiler than clang, and levers that cannot be tried on it.

use crate::common::{Project, has_tools, stderr};
use std::fs;

#[test]
fn the_change_of_compiler_is_a_rung_of_its_own_and_what_clashes_is_left_out_with_its_reason() {
    if !has_tools(&["clang-19", "ld.lld-19", "gcc"]) {
        return;
    }
    let project = Project::new("\"static\", \"wpd\", \"codegen-units\"");
    project.edit("hone.toml", "CC = \"clang-19\"", "CC = \"gcc\"");
    let main = fs::read_to_string(project.path("main.c")).unwrap();
    let looks_up = "#include <pwd.h>\n#include <unistd.h>\nint looked_up(void) { return getpwuid(getuid()) != 0; }\n";
    fs::write(project.path("main.c"), format!("{looks_up}{main}")).unwrap();
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    let title = rungs[1]["title"].as_str().unwrap();
    assert!(title.starts_with("clang instead of "), "{title}");
    assert_eq!(rungs[1]["comparison"]["old"], "baseline");
    let notes = report["notes"].to_string();
    assert!(notes.contains(title), "{notes}");
    let id = rungs[1]["id"].as_str().unwrap();
    let calls = fs::read_to_string(project.path(&format!(".hone/logs/{id}.calls.log"))).unwrap();
    assert!(calls.contains("clang"), "{calls}");
    for (lever, fact) in [
        ("static", "getpwuid"),
        ("wpd", "needs thinlto"),
        // It was named; where none is, a default of Rust programs is no news to those in C.
        ("codegen-units", "clang has no such lever"),
    ] {
        let is_it = |rung: &&serde_json::Value| rung["levers"] == serde_json::json!([lever]);
        let rung = rungs.iter().find(is_it).unwrap();
        assert_eq!(rung["outcome"]["kind"], "skipped", "{lever}");
        let reason = rung["outcome"]["reason"].as_str().unwrap();
        assert!(reason.contains(fact), "{lever}: {reason}");
    }
}
