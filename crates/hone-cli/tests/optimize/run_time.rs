//! `hone optimize` with the settings that a Go program is started with.

use std::fs;

use crate::common::{has_tools, hone, report_in, stderr};

/// A program whose collector has much to do: it keeps a list of 16 MB, and drops what it allocates beside it.
const MAIN: &str = r#"package main

import (
	"os"
	"runtime/debug"
)

type node struct {
	next  *node
	value uint64
}

func list(length int) *node {
	var head *node
	for i := 0; i < length; i++ {
		head = &node{head, uint64(i)}
	}
	return head
}

var sink *node

func main() {
	kept := list(1000000)
	for i := 0; i < 500; i++ {
		sink = list(20000)
	}
	println("sum", kept.value+sink.value)
	if len(os.Args) > 5 {
		debug.FreeOSMemory()
	}
}
"#;

/// Memory between what a run of the program takes and a limit, in bytes: runs differ by a few megabytes, the setting adds 48.
const ROOM: u64 = 12 << 20;

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

/// The rung whose only lever has this id.
fn rung<'r>(report: &'r serde_json::Value, id: &str) -> &'r serde_json::Value {
    let mut rungs = report["rungs"].as_array().unwrap().iter();
    let found = rungs.find(|rung| rung["id"] == id);
    found.unwrap_or_else(|| panic!("no rung {id} in {report}"))
}

fn peaks(rung: &serde_json::Value) -> [u64; 2] {
    let workload = &rung["comparison"]["workloads"][0];
    ["old_rss_bytes", "new_rss_bytes"].map(|key| workload[key].as_u64().unwrap())
}

#[test]
fn go_gets_memory_within_the_limit_and_no_more() {
    if !has_tools(&["go"]) {
        return;
    }
    let ample = project(MAIN, "memory = \"1 GiB\"");
    let output = hone(&["optimize"], ample.path());
    assert!(output.status.success(), "{}", stderr(&output));
    let found = report_in(ample.path());
    let of_most = rung(&found, "gogc-400");
    let nine_tenths = ((1_u64 << 30) / 10 * 9).to_string();
    assert_eq!(
        of_most["flags"]["env"],
        serde_json::json!([["GOGC", "400"], ["GOMEMLIMIT", nine_tenths]])
    );
    // The list alone takes 16 MB: twice that is collected by default, and five times with the setting.
    let [before, after] = peaks(of_most);
    assert!(after > before + ROOM, "{before} {after}");
    let built = |name: &str| {
        let path = ample.path().join(".hone/variants").join(name).join("work");
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    assert!(built("gogc-400") == built("baseline"), "built again");

    // More than the program takes as it is, whenever its collector comes, and less than with the setting.
    let tight = project(MAIN, &format!("memory = {}", before + ROOM));
    let output = hone(&["optimize"], tight.path());
    assert!(output.status.success(), "{}", stderr(&output));
    let found = report_in(tight.path());
    let of_most = rung(&found, "gogc-400");
    let kind = of_most["outcome"]["kind"].as_str().unwrap();
    let [_, after] = peaks(of_most);
    assert!(
        kind != "kept" || after <= before + ROOM,
        "{kind}: {before} {after}"
    );
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

#[test]
fn a_program_that_sets_its_own_pace_is_left_alone() {
    if !has_tools(&["go"]) {
        return;
    }
    let main = MAIN.replace("debug.FreeOSMemory()", "debug.SetGCPercent(50)");
    let project = project(&main, "memory = \"1 GiB\"");
    let output = hone(&["optimize"], project.path());
    assert!(output.status.success(), "{}", stderr(&output));
    let found = report_in(project.path());
    let outcome = &rung(&found, "gogc-200")["outcome"];
    assert_eq!(outcome["kind"], "skipped", "{outcome}");
    let reason = outcome["reason"].as_str().unwrap();
    assert!(reason.contains("runtime/debug.setGCPercent"), "{reason}");
}
