//! `hone optimize` with the settings that a Go program is started with.

use std::fs;

use crate::common::{has_tools, hone, run_in};

/// A program that may say itself how often its collector runs.
const MAIN: &str = r#"package main

import "runtime/debug"

func main() {
	debug.FreeOSMemory()
}
"#;

/// Writes a project with this program and this line in its ladder's table.
fn project(main: &str, memory: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let toml = format!(
        "[program]\nname = \"work\"\nbinary = \"work\"\n[build]\ncommand = \"go build -o work .\"\n\
         [[train]]\nname = \"t\"\ncommand = \"{{binary}} train\"\n\
         [[measure]]\nname = \"m\"\ncommand = \"{{binary}}\"\n\
         [ladder]\nlevers = [\"gogc-200\", \"gogc-400\"]\nseconds_per_rung = 1\nduet = false\n{memory}\n"
    );
    let files = [
        ("go.mod", "module example.org/work\n\ngo 1.21\n"),
        ("main.go", main),
        ("hone.toml", &toml),
    ];
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

#[test]
fn without_a_limit_go_gets_no_memory_and_the_plan_says_what_to_write() {
    let project = project(MAIN, "");
    let output = hone(&["optimize", "--dry-run"], project.path());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("GOGC=400: skipped") && text.contains("memory = \"512MiB\""),
        "{text}"
    );
}

/// By this name the levers leave a program alone: debug.SetGCPercent itself is inlined.
#[test]
#[ignore = "builds whole modules"]
fn a_program_that_sets_its_own_pace_holds_the_function_that_does() {
    if !has_tools(&["go"]) {
        return;
    }
    for (pace, holds) in [("SetGCPercent(50)", true), ("FreeOSMemory()", false)] {
        let main = MAIN.replace("FreeOSMemory()", pace);
        let project = project(&main, "");
        run_in(project.path(), "go", &["build", "-o", "work", "."]);
        let bytes = fs::read(project.path().join("work")).unwrap();
        let binary = hone_symbols::Binary::parse(&bytes).unwrap();
        let found = binary.functions().by_name("runtime/debug.setGCPercent");
        assert_eq!(found.is_some(), holds, "{pace}");
    }
}
