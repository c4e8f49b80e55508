//! Which indirect calls become direct: what whole-program devirtualisation can reach is seen in a recording, and targets in other
//! files want ThinLTO beside the profile.

use crate::common::{MAIN_H, has_tools, hone, run_in, stderr};
use crate::optimize::wrapped::Builds;
use hone_build::{Inputs, Purpose};
use std::fs;

/// Of the two virtual functions that are hot, one has a single implementation.
const SHAPES_H: &str = "struct Shape {\n  virtual ~Shape();\n  virtual unsigned once(unsigned);\n  \
    virtual unsigned often(unsigned);\n};\nShape *make(int);\nunsigned step(unsigned);\n";

const SHAPES: &str = "#include \"shapes.h\"\nShape::~Shape() {}\n\
    unsigned Shape::once(unsigned x) { return x * 5 + 1; }\n\
    unsigned Shape::often(unsigned x) { return x * 3; }\n\
    struct Line : Shape { unsigned often(unsigned x) override { return x ^ 7; } };\n\
    Shape *make(int kind) { return kind ? new Line : new Shape; }\n\
    unsigned step(unsigned x) { return x + 1; }\n";

const MAIN: &str = "#include \"shapes.h\"\n#include \"main.h\"\n\
    static Shape *volatile shapes[2] = {make(0), make(1)};\n\
    unsigned work(unsigned n) {\n  unsigned sum = 1;\n  \
    for (unsigned i = 0; i < n; i++) {\n    for (int k = 0; k < 100; k++) sum = step(sum);\n    \
    sum = shapes[sum >> 3 & 1]->once(sum);\n    sum = shapes[sum >> 4 & 1]->often(sum);\n  }\n  \
    return sum;\n}\n";

#[test]
#[ignore = "finds by samples"]
fn the_virtual_calls_that_can_be_reached_are_counted() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for (name, text) in [
        ("main.h", MAIN_H),
        ("shapes.h", SHAPES_H),
        ("shapes.cc", SHAPES),
        ("main.cc", MAIN),
    ] {
        fs::write(root.join(name), text).unwrap();
    }
    let words = ["-O2", "-g", "main.cc", "shapes.cc", "-o", "prog"];
    run_in(root, "clang++-19", &words);
    let record = ["record", "--overhead", "20%", "--", "./prog", "100003", "2"];
    let recorded = hone(&record, root);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let recordings = [root.join("hone.data")];
    let reach = hone_convert::devirtualisable(&recordings, &root.join("prog")).unwrap();
    let counted = (reach.sites, reach.at_most, reach.at_least);
    assert_eq!(counted, (2, 1, 1), "{reach:?}");
}

/// A loop with an indirect call of functions in another file, one of which is the usual target.
const LOOP: &str = "#include \"main.h\"\ntypedef unsigned (*step)(unsigned);\nunsigned mix(unsigned), turn(unsigned);\n\
    static volatile step steps[2] = {mix, turn};\nunsigned work(unsigned n) {\n    unsigned sum = 1;\n    \
    for (unsigned i = 0; i < n; i++) sum += steps[i % 16 == 0](sum ^ i);\n    return sum;\n}\n";

const STEPS: &str = "unsigned mix(unsigned x) {\n    x ^= x >> 15;\n    if (x % 64 == 3) x = x * 7 + 1;\n    \
    x *= 0x2c1b3c6du;\n    return x ^ (x >> 12);\n}\nunsigned turn(unsigned x) { return x << 5 | x >> 27; }\n";

#[test]
#[ignore = "finds by samples"]
fn calls_of_functions_in_other_files_become_direct_by_a_profile_with_thinlto() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-ar-19"]) {
        return;
    }
    let files = [("main.h", MAIN_H), ("main.c", LOOP), ("steps.c", STEPS)];
    let command = "$CC -O2 -c main.c; $CC -O2 -c steps.c; $CC main.o steps.o -o prog";
    let builds = Builds::new(&files, command);
    let work = ["100003", "2"];
    let calls = |name: &str| {
        let recording = builds.record(name, &[], &work);
        let counted = hone_convert::indirect_calls(&[recording], &builds.program(name)).unwrap();
        counted.calls as f64 * 1000.0 / counted.instructions as f64
    };
    let plain = Builds::flags(&[], Purpose::Record, &Inputs::default());
    builds.build("plain", &plain, false);
    let before = calls("plain");
    let (binary, recording) = (builds.program("plain"), builds.path("hone/plain.data"));
    let profile = builds.path("hone/profile");
    let convert = [
        "convert",
        recording.to_str().unwrap(),
        "--binary",
        binary.to_str().unwrap(),
        "--to",
        "autofdo-extbinary",
        "-o",
        profile.to_str().unwrap(),
    ];
    let converted = hone(&convert, &builds.path("hone"));
    assert!(converted.status.success(), "{}", stderr(&converted));
    let inputs = Inputs {
        profiles: [("autofdo", profile)].into(),
        ..Inputs::default()
    };
    for (name, levers) in [
        ("alone", &["autofdo"][..]),
        ("together", &["thinlto", "autofdo"]),
    ] {
        builds.build(name, &Builds::flags(levers, Purpose::Use, &inputs), false);
    }
    // An indirect call in each round of the loop, whose usual target takes some twenty instructions.
    assert!(before > 20.0, "{before}");
    let (alone, together) = (calls("alone"), calls("together"));
    assert!(alone > before / 2.0, "{before} to {alone}");
    // Fifteen rounds in sixteen have the usual target.
    assert!(together < before / 4.0, "{before} to {together}");
}
