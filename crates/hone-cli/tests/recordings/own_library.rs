//! `hone convert --library`: one profile of a program and of a library that was built with it.

use crate::common::{c_compiler, hone, run_in, stderr, stdout};
use std::fs;

const PROGRAM: &str = "#include <stdio.h>\nunsigned mix(unsigned);\nint main(void) {\n    unsigned sum = 1;\n    \
    for (unsigned i = 0; i < 30000000; i++) sum += mix(sum ^ i);\n    printf(\"%u\\n\", sum);\n    return 0;\n}\n";

const LIBRARY: &str = "unsigned mix(unsigned x) {\n    for (int i = 0; i < 8; i++) x = (x ^ x >> 3) * 22695477u;\n    \
    return x;\n}\n";

#[test]
fn a_profile_holds_the_functions_of_a_library_too() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.c"), PROGRAM).unwrap();
    fs::write(directory.join("mix.c"), LIBRARY).unwrap();
    let library = ["-O1", "-g", "-fPIC", "-shared", "mix.c", "-o", "libmix.so"];
    run_in(directory, c_compiler(), &library);
    let program = [
        "-O1",
        "-g",
        "p.c",
        "-L.",
        "-lmix",
        "-Wl,-rpath,$ORIGIN",
        "-o",
        "p",
    ];
    run_in(directory, c_compiler(), &program);
    let recorded = hone(&["record", "--branches", "none", "--", "./p"], directory);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let convert = |words: &[&str]| {
        let line = ["convert", "hone.data", "--binary", "p", "--ip-samples"];
        hone(&[&line[..], words].concat(), directory)
    };
    let text = ["--to", "autofdo-text"];
    let both = convert(&[&text[..], &["--library", "libmix.so"]].concat());
    let profile = stdout(&both);
    for function in ["main:", "mix:"] {
        let is_there = profile.lines().any(|line| line.starts_with(function));
        assert!(is_there, "{profile}{}", stderr(&both));
    }
    assert!(!stdout(&convert(&text)).contains("mix:"));
    let of_one_file = convert(&["--to", "bolt-fdata", "--library", "libmix.so"]);
    assert_eq!(of_one_file.status.code(), Some(2));
    assert!(
        stderr(&of_one_file).contains("next: leave --library out"),
        "{}",
        stderr(&of_one_file)
    );
}
