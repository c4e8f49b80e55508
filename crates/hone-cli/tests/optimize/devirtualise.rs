//! Which indirect calls become direct: what whole-program devirtualisation can reach is said before it is built, and
//! targets in other files want ThinLTO beside the profile.

use crate::common::{Project, has_tools, stderr};
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
fn the_virtual_calls_that_can_be_reached_are_counted_before_the_build() {
    if !has_tools(&["clang++-19", "ld.lld-19", "llvm-ar-19"]) {
        return;
    }
    let project = Project::new("\"thinlto+wpd\"");
    for (name, text) in [
        ("shapes.h", SHAPES_H),
        ("shapes.cc", SHAPES),
        ("main.cc", MAIN),
    ] {
        fs::write(project.path(name), text).unwrap();
    }
    let build = "set -e\n$CXX -O2 -g -c main.cc\n$CXX -O2 -g -c shapes.cc\n$CXX -O2 main.o shapes.o -o prog\n";
    fs::write(project.path("build.sh"), build).unwrap();
    project.edit("hone.toml", "CC = \"clang-19\"", "CXX = \"clang++-19\"");
    project.edit("hone.toml", "{binary} 30000001", "{binary} 2000001");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    let wpd = rungs.iter().find(|rung| rung["id"] == "thinlto+wpd");
    let wpd = wpd.unwrap_or_else(|| panic!("{report}"));
    assert!(wpd["comparison"].is_object(), "{}", wpd["outcome"]);
    let said = "reaches at most 1 of 2 hot virtual call sites";
    let notes = report["notes"].to_string();
    assert!(
        notes.contains(said) && notes.contains("; 1 even where"),
        "{notes}"
    );
    let text = stderr(&output);
    let place =
        |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(place(&text, said) < place(&text, "devirtualisation: building"));
}

#[test]
fn calls_of_functions_in_other_files_become_direct_by_a_profile_with_thinlto() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-ar-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"thinlto+autofdo\"");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    let calls = |id: &str| {
        let rung = rungs.iter().find(|rung| rung["id"] == id).unwrap();
        let counted = &rung["indirect_calls"]["per_1000_instructions"];
        counted.as_f64().unwrap_or_else(|| panic!("{id}: {rung}"))
    };
    // An indirect call in each round of the loop, whose usual target takes some twenty instructions.
    let baseline = calls("baseline");
    assert!(baseline > 20.0, "{baseline}");
    let (alone, together) = (calls("autofdo"), calls("thinlto+autofdo"));
    assert!(alone > baseline / 2.0, "{baseline} to {alone}");
    // Fifteen rounds in sixteen have the usual target.
    assert!(together < baseline / 4.0, "{baseline} to {together}");
}
