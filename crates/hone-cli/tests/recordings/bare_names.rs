//! Functions that merely share a name: methods of debug information that names no class (`-g1`), and `static` functions of
//! several files.

use crate::common::{hone, run_in, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        println!("skipped: no {tool} here");
    }
    found
}

fn recorded(directory: &Path, program: &str) {
    let words = "record --branches none -F 4000 -o p.data --".split(' ');
    let words: Vec<&str> = words.chain([program]).collect();
    let output = hone(&words, directory);
    assert!(output.status.success(), "{}", stderr(&output));
}

fn json(directory: &Path, command: &str) -> Value {
    let output = hone(&[command, "p.data", "--json"], directory);
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

/// The functions that `hone top` tells of whose name has this in it.
fn rows(directory: &Path, part: &str) -> Vec<String> {
    let top = json(directory, "top");
    let rows = top["rows"].as_array().unwrap().iter();
    let names = rows.map(|row| row["name"].as_str().unwrap().to_owned());
    names.filter(|name| name.contains(part)).collect()
}

#[test]
fn vectors_of_bits_are_found_where_inlined_names_are_bare() {
    let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/planted");
    for compiler in ["g++", "clang++-19"] {
        if !has(compiler) {
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        let build = format!(
            "PLANTED_CXX={compiler} {} . bare-names",
            planted.join("build").display()
        );
        run_in(directory.path(), "sh", &["-c", &build]);
        for which in ["odd", "clean"] {
            recorded(directory.path(), &format!("./bare-names-{which}"));
            let found = json(directory.path(), "diagnose");
            let findings = found["findings"].as_array().unwrap();
            let rules: Vec<_> = findings.iter().map(|finding| &finding["rule"]).collect();
            if rules.iter().any(|rule| **rule == "unfit") {
                println!("skipped: the recording is not fit to judge here: {found:#}");
                continue;
            }
            let is_found = rules.iter().any(|rule| **rule == "vector-bool");
            assert_eq!(is_found, which == "odd", "{compiler}: {found:#}");
            // A vector's is not taken for theirs.
            let assigned = rows(directory.path(), "operator=");
            let is_bare = |name: &String| name == "operator=";
            assert!(!assigned.iter().any(is_bare), "{compiler}: {assigned:?}");
        }
    }
}

const MAIN: &str = "#include <time.h>\nunsigned long one(unsigned long), two(unsigned long);\n\
    int main(void) { unsigned long x = 1; while (clock() < CLOCKS_PER_SEC / 2) x = one(two(x)); return x == 0; }\n";

/// A `static` function of this name that is not inlined.
fn file(function: &str) -> String {
    format!(
        "static __attribute__((noinline)) unsigned long step(unsigned long x) {{\n    \
         for (int i = 0; i < 9000; i++) x = (x ^ x >> 13) * 2862933555777941757ul + i;\n    return x;\n}}\n\
         unsigned long {function}(unsigned long x) {{ return step(x) + 1; }}\n"
    )
}

#[test]
fn static_functions_of_two_files_are_told_apart() {
    if !has("cc") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("main.c", MAIN);
    write("one.c", &file("one"));
    write("two.c", &file("two"));
    for (debug, expected) in [("-g", "one.c]"), ("-g0", "[at 0x")] {
        let words = ["-O1", debug, "main.c", "one.c", "two.c", "-o", "p"];
        run_in(directory.path(), "cc", &words);
        recorded(directory.path(), "./p");
        let steps = rows(directory.path(), "step");
        assert_eq!(steps.len(), 2, "{debug}: {steps:?}");
        let is_told = steps.iter().any(|name| name.contains(expected));
        assert!(is_told, "{debug}: {steps:?}");
    }
}
