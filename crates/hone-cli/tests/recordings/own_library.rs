//! `hone convert --library`: one profile of a program and of a library that was built with it.

use crate::common::{c_compiler, hone, run_in, stderr, stdout};
use std::fs;
use std::path::Path;

/// With an argument it does all the work by itself.
const PROGRAM: &str = r#"
#include <stdio.h>
unsigned mix(unsigned);
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (unsigned i = 0; i < 30000000; i++) sum = argc > 1 ? sum * 3 + (sum >> 7) : sum + mix(sum ^ i);
    printf("%u %s\n", sum, argv[0]);
    return 0;
}
"#;

/// Leaves all the work to the library.
const THIN: &str = "unsigned all(void);\nint main(void) { return all() == 1; }\n";

const LIBRARY: &str = r#"
unsigned mix(unsigned x) {
    for (int i = 0; i < 8; i++) x = (x ^ x >> 3) * 22695477u;
    return x;
}
unsigned all(void) {
    unsigned sum = 1;
    for (unsigned i = 0; i < 30000000; i++) sum += mix(sum ^ i);
    return sum;
}
"#;

fn built() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [("p.c", PROGRAM), ("thin.c", THIN), ("mix.c", LIBRARY)] {
        fs::write(directory.path().join(name), text).unwrap();
    }
    let library = ["-O1", "-g", "-fPIC", "-shared", "mix.c", "-o", "libmix.so"];
    run_in(directory.path(), c_compiler(), &library);
    for program in ["p", "thin"] {
        let source = format!("{program}.c");
        let words = ["-O1", "-g", &source, "-L.", "-lmix", "-Wl,-rpath,$ORIGIN"];
        run_in(
            directory.path(),
            c_compiler(),
            &[&words[..], &["-o", program]].concat(),
        );
    }
    directory
}

fn record(directory: &Path, file: &str, command: &[&str]) {
    let words = ["record", "--branches", "none", "-o", file, "--"];
    let recorded = hone(&[&words[..], command].concat(), directory);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
}

#[test]
fn a_profile_holds_the_functions_of_a_library_too() {
    let directory = built();
    let directory = directory.path();
    record(directory, "both.data", &["./p"]);
    record(directory, "alone.data", &["./p", "alone"]);
    record(directory, "thin.data", &["./thin"]);
    let converted = |recordings: &[&str], binary: &str, words: &[&str]| {
        let line = ["--binary", binary, "--ip-samples", "--to"];
        hone(
            &[&["convert"], recordings, &line, words].concat(),
            directory,
        )
    };
    let with_library = ["autofdo-text", "--library", "libmix.so"];
    for (recordings, binary, functions) in [
        (&["both.data"][..], "p", &["main:", "mix:"][..]),
        // Not every recording needs to have seen the library, nor one the program.
        (&["alone.data", "both.data"], "p", &["main:", "mix:"]),
        (&["thin.data"], "thin", &["all:"]),
    ] {
        let output = converted(recordings, binary, &with_library);
        let profile = stdout(&output);
        for function in functions {
            let is_there = profile.lines().any(|line| line.starts_with(function));
            assert!(is_there, "{recordings:?} {profile}{}", stderr(&output));
        }
    }
    let program_alone = converted(&["both.data"], "p", &["autofdo-text"]);
    assert!(!stdout(&program_alone).contains("mix:"));
    let of_one_file = converted(
        &["both.data"],
        "p",
        &["bolt-fdata", "--library", "libmix.so"],
    );
    assert_eq!(of_one_file.status.code(), Some(2));
    let said = stderr(&of_one_file);
    assert!(said.contains("next: leave --library out"), "{said}");
    let unseen = converted(&["alone.data"], "p", &with_library);
    let said = stderr(&unseen);
    assert!(
        said.contains("libmix.so is left out of the profile: none of the"),
        "{said}"
    );
}
