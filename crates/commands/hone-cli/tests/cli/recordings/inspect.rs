//! `hone inspect` on real programs: what it says of their code, and of the cache beside cachegrind.

use crate::common::{c_compiler, has_tools, hone, is_refused, stderr, stdout};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use testkit::recorded;

/// A loop that passes rare blocks; with COLD they are calls of functions that lie elsewhere.
const SPARSE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#ifdef COLD
#define RARE __attribute__((noinline, cold))
#else
#define RARE inline __attribute__((always_inline))
#endif
volatile unsigned out[64];
static RARE void rare(unsigned x) {
#define S(i) out[i] = x * (i * 2654435761u + 77u) ^ (x >> (i % 31));
#define S8(i) S(i) S(i + 1) S(i + 2) S(i + 3) S(i + 4) S(i + 5) S(i + 6) S(i + 7)
    S8(0) S8(8) S8(16) S8(24)
}
__attribute__((noinline)) unsigned work(unsigned x, unsigned never, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
#define STEP(k) x = x * 1664525u + k; if ((x | 1) == never) goto r##k; b##k: x ^= x >> 7;
#define AWAY(k) if (0) { r##k: rare(x + k); goto b##k; }
        STEP(2) AWAY(2) STEP(4) AWAY(4) STEP(6) AWAY(6) STEP(8) AWAY(8)
    }
    return x;
}
int main(int argc, char **argv) {
    if (argc < 2) abort();
    printf("%u\n", work(1, argc - 2, strtoul(argv[1], 0, 10)));
    return 0;
}
"#;

/// Functions of straight code that are called in turn, each with so many statements.
fn in_turn(functions: usize, statements: usize) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\nunsigned a[16];\n");
    for function in 0..functions {
        let _ = writeln!(
            text,
            "__attribute__((noinline, aligned(64))) unsigned f{function}(unsigned x) {{"
        );
        for statement in 0..statements {
            let number = function * statements + statement;
            let _ = writeln!(
                text,
                "x = x * {}u + a[{}];",
                number * 8 + 100_005,
                number % 16
            );
        }
        text += "return x; }\n";
    }
    text +=
        "int main(int argc, char **argv) { unsigned x = 1, n = strtoul(argv[argc - 1], 0, 10);\n";
    text += "for (unsigned i = 0; i < n; i++) {\n";
    for function in 0..functions {
        let _ = writeln!(text, "x = f{function}(x);");
    }
    text += "}\nprintf(\"%u\\n\", x); return 0; }\n";
    text
}

fn build(directory: &Path, compiler: &str, name: &str, source: &str, flags: &[&str]) {
    let file = format!("{name}.c");
    fs::write(directory.join(&file), source).unwrap();
    let output = Command::new(compiler)
        .args(["-O2", "-g", &file, "-o", name])
        .args(flags)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Records a run and looks at the layout.
fn inspect(directory: &Path, name: &str, branches: &str, rounds: &str) -> Value {
    let program = format!("./{name}");
    let data = format!("{name}-{branches}.data");
    let record = [
        "record",
        "--branches",
        branches,
        "--overhead",
        "20%",
        "-o",
        &data,
        "--",
        &program,
        rounds,
    ];
    let output = hone(&record, directory);
    assert!(output.status.success(), "{}", stderr(&output));
    let look = ["inspect", "--binary", name, &data, "--l1i", "32K,8,64"];
    let shown = hone(&look, directory);
    assert!(shown.status.success(), "{}", stderr(&shown));
    println!("{}", stdout(&shown));
    let output = hone(&[&look[..], &["--json"]].concat(), directory);
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn function<'l>(layout: &'l Value, name: &str) -> &'l Value {
    let functions = layout["functions"].as_array().unwrap();
    let found = functions.iter().find(|function| function["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {layout:#}"))
}

/// Likely misses in 1,000 instructions.
fn misses(layout: &Value) -> f64 {
    let model = &layout["model"];
    let touches = &model["l1i_touches"];
    let likely = touches["misses"].as_f64().unwrap() + touches["guessed_misses"].as_f64().unwrap();
    likely * 1000.0 / model["instructions"].as_f64().unwrap()
}

/// Committed recordings of one program: walked, and plain.
#[test]
fn layouts_are_printed_with_what_the_recording_tells() {
    let directory = tempfile::tempdir().unwrap();
    let program = recorded("programs/filters");
    let inspect = |recording: &str, more: &[&str]| {
        let recording = recorded(recording);
        let files = [program.to_str().unwrap(), recording.to_str().unwrap()];
        let words = ["inspect", "--l1i", "32K,8,64", "--binary"];
        hone(&[&words[..], &files, more].concat(), directory.path())
    };
    let json = |recording: &str| -> Value {
        let output = inspect(recording, &["--json"]);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let walked = json("filters-walk.data");
    assert!(misses(&walked) < 0.5, "a small loop: {:#}", walked["model"]);
    assert!(
        walked["footprint"][0]["lines"].as_u64().unwrap() < 10,
        "{walked:#}"
    );
    let main = function(&walked, "main");
    let number = |what: &str| main[what].as_u64().unwrap();
    assert!(
        (1..number("bytes")).contains(&number("hot_bytes")),
        "{main:#}"
    );
    let plain = json("filters-plain.data");
    assert!(plain["model"].is_null(), "{plain:#}");
    let shown = stdout(&inspect("filters-walk.data", &[]));
    assert!(
        shown.contains("main") && shown.contains("Mul::run"),
        "{shown}"
    );
    let none = inspect("filters-plain.data", &["--function", "nowhere"]);
    is_refused(&none, "no function nowhere that ran", "--function");
}

#[test]
#[ignore = "finds by samples"]
fn cold_blocks_between_hot_ones_are_told_from_those_elsewhere() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    // Blocks where the source has them.
    let in_order = ["-fno-reorder-blocks", "-fno-guess-branch-probability"];
    build(directory, "gcc", "sparse", SPARSE, &in_order);
    build(
        directory,
        "gcc",
        "dense",
        SPARSE,
        &[&in_order[..], &["-DCOLD"]].concat(),
    );
    for branches in ["walk", "none"] {
        let sparse = inspect(directory, "sparse", branches, "100000000");
        let work = function(&sparse, "work");
        let number = |of: &Value, what: &str| of[what].as_u64().unwrap();
        let (hot, inside) = (number(work, "hot_bytes"), number(work, "cold_bytes_inside"));
        assert!(
            inside > 3 * hot && number(work, "cold_blocks_inside") >= 3,
            "{branches}: {work:#}"
        );
        let dense = inspect(directory, "dense", branches, "100000000");
        let work = function(&dense, "work");
        assert!(
            number(work, "cold_bytes_inside") < number(work, "hot_bytes"),
            "{branches}: {work:#}"
        );
        if branches == "walk" {
            assert!(misses(&sparse) < 0.5, "a small loop: {:#}", sparse["model"]);
            assert!(sparse["footprint"][0]["lines"].as_u64().unwrap() < 100);
        } else {
            assert!(sparse["model"].is_null());
        }
    }
}

#[test]
#[ignore = "finds by samples"]
fn a_large_footprint_is_found_and_misses_as_in_cachegrind() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    build(directory, c_compiler(), "large", &in_turn(200, 90), &[]);
    let layout = inspect(directory, "large", "walk", "400000");
    // The functions are alike: 90 % of the work is in 90 % of their bytes.
    let functions = layout["functions"].as_array().unwrap();
    let of_turn = functions
        .iter()
        .filter(|of| of["name"].as_str().unwrap().starts_with('f'));
    let bytes: u64 = of_turn.map(|of| of["hot_bytes"].as_u64().unwrap()).sum();
    let found = layout["footprint"][0]["bytes"].as_f64().unwrap();
    assert!(bytes > 150_000, "{bytes}");
    assert!(
        (found / (0.9 * bytes as f64) - 1.0).abs() < 0.1,
        "{found} of {bytes}"
    );
    let modelled = misses(&layout);
    assert!(modelled > 20.0, "{:#}", layout["model"]);

    if !has_tools(&["valgrind"]) {
        return;
    }
    let output = Command::new("valgrind")
        .args([
            "--tool=cachegrind",
            "--cache-sim=yes",
            "--I1=32768,8,64",
            "--cachegrind-out-file=/dev/null",
        ])
        .args(["./large", "100"])
        .current_dir(directory)
        .output()
        .unwrap();
    let said = stderr(&output);
    let number = |label: &str| {
        let line = said.lines().find(|line| line.contains(label));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        let digits = line.rsplit(':').next().unwrap().replace(',', "");
        digits.trim().parse::<f64>().unwrap()
    };
    let simulated = number("I1  misses") * 1000.0 / number("I   refs");
    println!("misses in 1,000 instructions: {modelled:.2} modelled, {simulated:.2} in cachegrind");
    assert!(
        modelled < 3.0 * simulated && simulated < 3.0 * modelled,
        "{modelled} and {simulated}"
    );
}
