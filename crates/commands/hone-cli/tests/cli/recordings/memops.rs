//! Sizes of copies, from the walker's registers to the compiler's comparison.

use crate::common::{Project, has_tools, hone, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies 8 bytes in three of four calls and 24 in the fourth; which, the compiler cannot know.
const COPIES: &str = r#"
#include <string.h>
struct part { unsigned char bytes[64]; size_t size; };
__attribute__((noinline)) void put(unsigned char *to, const struct part *part) {
    memcpy(to, part->bytes, part->size);
    to[part->size] = 1;
}
__attribute__((noinline)) int same(const struct part *a, const unsigned char *b) {
    return memcmp(a->bytes, b, a->size) == 0;
}
"#;

const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct part { unsigned char bytes[64]; size_t size; };
void put(unsigned char *to, const struct part *part);
int same(const struct part *a, const unsigned char *b);
int main(int argc, char **argv) {
    unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 1, sum = 0;
    struct part parts[4] = {{{1}, 8}, {{2}, 8}, {{3}, 24}, {{4}, 8}};
    unsigned char to[80] = {0};
    for (unsigned i = 0; i < n; i++) {
        struct part *part = &parts[(i ^ sum) % 4];
        put(to, part);
        part->bytes[i % 8] ^= sum;
        sum = sum * 5 + to[i % 24] + same(part, to);
    }
    printf("%u\n", sum);
    return 0;
}
"#;

fn write(directory: &Path) {
    fs::write(directory.join("copies.c"), COPIES).unwrap();
    fs::write(directory.join("main.c"), MAIN).unwrap();
}

fn build(directory: &Path, compiler: &str, flags: &[&str], program: &str) {
    let output = Command::new(compiler)
        .args(["-O2", "-g", "copies.c", "main.c", "-o", program])
        .args(flags)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Records a run; gives what it printed.
fn record(directory: &Path, program: &str, recording: &str) -> String {
    let options = [
        "record",
        "--branches",
        "walk",
        "--overhead",
        "20%",
        "-o",
        recording,
    ];
    let mut arguments = options.to_vec();
    arguments.extend(["--", program, "40000000"]);
    let output = hone(&arguments, directory);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn convert(directory: &Path, recording: &str, program: &str, to: &str) -> String {
    let output = hone(
        &["convert", recording, "--binary", program, "--to", to],
        directory,
    );
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Calls of an operation that the table has at a place.
fn calls(table: &str, operation: &str, place: &str) -> u64 {
    let is_it =
        |line: &&str| line.split_whitespace().nth(1) == Some(operation) && line.contains(place);
    let lines = table.lines().filter(is_it);
    lines
        .map(|line| {
            line.split_whitespace()
                .next()
                .unwrap()
                .parse::<u64>()
                .unwrap()
        })
        .sum()
}

#[test]
#[ignore = "finds by samples"]
fn usual_sizes_are_seen_and_then_no_longer_call() {
    for (compiler, flags) in [
        ("clang-19", &[][..]),
        ("clang-19", &["-fno-plt", "-fuse-ld=lld"]),
        ("clang-19", &["-static"]),
        ("gcc", &[]),
    ] {
        if !has_tools(&[compiler, "clang-19", "ld.lld-19"]) {
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        write(directory);
        build(directory, compiler, flags, "before");
        let printed = record(directory, "./before", "before.data");
        let table = convert(directory, "before.data", "before", "memops");
        let line = table.lines().find(|line| line.contains("copies.c:5 put"));
        let line = line.unwrap_or_else(|| panic!("{compiler} {flags:?}: {table}"));
        assert!(line.contains("8: ") && line.contains("24: "), "{line}");
        assert!(!line.contains("others"), "{line}");
        let copies = calls(&table, "copy", "put");
        assert!(
            copies > 200 && calls(&table, "compare", "same") > 200,
            "{table}"
        );
        assert_eq!(table, convert(directory, "before.data", "before", "memops"));

        let to_headers = [
            "convert",
            "before.data",
            "--binary",
            "before",
            "--to",
            "memops-headers",
        ];
        let refused = hone(&to_headers, directory);
        assert!(stderr(&refused).contains("-o DIR"), "{}", stderr(&refused));
        let output = hone(&[&to_headers[..], &["-o", "sizes"]].concat(), directory);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("copies.c: copy of 8, 24 bytes"),
            "{}",
            stderr(&output)
        );

        build(
            directory,
            compiler,
            &[flags, &["-isystem", "sizes"]].concat(),
            "after",
        );
        assert_eq!(record(directory, "./after", "after.data"), printed);
        let output = hone(
            &[
                "convert",
                "after.data",
                "--binary",
                "after",
                "--to",
                "memops",
            ],
            directory,
        );
        let table = stdout(&output);
        assert_eq!(
            calls(&table, "copy", "put"),
            0,
            "{compiler} {flags:?}: {table}"
        );
        assert_eq!(
            calls(&table, "compare", "same"),
            0,
            "{compiler} {flags:?}: {table}"
        );
    }
}

#[test]
#[ignore = "builds whole modules"]
fn without_copies_there_is_no_rung_for_their_sizes() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"memops+autofdo\"");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rung = |id: &str| {
        let mut rungs = report["rungs"].as_array().unwrap().iter();
        rungs.find(|rung| rung["id"] == id).unwrap()
    };
    assert!(rung("autofdo")["comparison"].is_object(), "{report}");
    let reason = rung("memops+autofdo")["outcome"]["reason"]
        .as_str()
        .unwrap();
    assert!(reason.contains("knows no sizes"), "{reason}");
    assert!(!project.path(".hone/variants/memops+autofdo").exists());
}

#[test]
#[ignore = "builds whole modules"]
fn the_lever_takes_the_sizes_to_the_build() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"memops+autofdo\", \"memops+autofdo-probes\"");
    fs::write(project.path("steps.c"), COPIES).unwrap();
    fs::write(project.path("main.c"), MAIN).unwrap();
    project.measure_by("{binary} 20000007");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    for id in ["memops+autofdo", "memops+autofdo-probes"] {
        let rung = rungs.iter().find(|rung| rung["id"] == id).unwrap();
        assert!(rung["comparison"].is_object(), "{rung}");
        // Headers were found before libc's, and the profile is of the build with them.
        let flags = rung["flags"]["compile"].to_string();
        assert!(flags.contains("profiling.memops.headers"), "{flags}");
        let profile = id.replace('+', ".");
        assert!(
            flags.contains(&format!("profiles/{profile}.prof")),
            "{flags}"
        );
        assert!(rung["profile"].is_string(), "{rung}");
    }
    let header = project.path(".hone/profiles/profiling.memops.headers/hone-memops.h");
    let text = fs::read_to_string(header).unwrap();
    assert!(text.contains("HONE_UNIT(\"steps.c\")"), "{text}");
}
