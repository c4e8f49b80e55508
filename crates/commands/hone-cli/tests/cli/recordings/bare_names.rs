//! Functions that merely share a name: methods of debug information that names no class (`-g1`).

use crate::common::{has_tools, hone, run_in, stderr, stdout};
use serde_json::Value;
use std::path::Path;

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
#[ignore = "finds by samples"]
fn vectors_of_bits_are_found_where_inlined_names_are_bare() {
    let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/planted");
    for compiler in ["g++", "clang++-19"] {
        if !has_tools(&[compiler]) {
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
