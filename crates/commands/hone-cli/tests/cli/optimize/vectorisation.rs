//! A build with a profile, in which a hot loop that training left out lost its vectorisation.

use crate::common::{MAIN_H, has_tools, run_in};
use crate::optimize::wrapped::Builds;
use hone_build::{Inputs, Purpose};
use hone_fdo::vectorised;
use std::process::Command;

/// A loop of indirect calls, which gains from a profile on any machine, and a loop over an array, which training may
/// leave out.
const PROGRAM: &str = r#"
#include "main.h"
typedef unsigned (*step)(unsigned);
static unsigned square(unsigned x) { return x * x; }
static unsigned twice(unsigned x) { return x + x; }
static step steps[2] = {square, twice};
static unsigned data[40000];
__attribute__((noinline)) static unsigned squares(const unsigned *from, unsigned count) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += from[i] * from[i] ^ i;
    return sum;
}
unsigned work(unsigned n) {
    unsigned sum = 1, rounds = n % 2 ? 0 : n / 33333;
    step chosen = steps[n == 1000];
    for (unsigned i = 0; i < n; i++) sum ^= chosen(i);
    if (n == 7) steps[0] = twice;
    for (unsigned i = 0; i < 40000; i++) data[i] = i * sum;
    for (unsigned i = 0; i < rounds; i++) {
        data[i % 40000] = i;
        sum += squares(data, 40000 - rounds % 2);
    }
    return sum;
}
"#;

#[test]
#[ignore = "finds by samples"]
fn a_hot_loop_that_training_left_out_is_found() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let files = [("main.h", MAIN_H), ("main.c", PROGRAM)];
    let builds = Builds::new(&files, "$CC -O2 main.c -o prog");
    let flags = |levers: &[&str], purpose, inputs: &Inputs| Builds::flags(levers, purpose, inputs);
    let none = Inputs::default();
    builds.build("baseline", &flags(&[], Purpose::Record, &none), false);
    builds.build("counting", &flags(&[], Purpose::Instrument, &none), false);
    let counts = builds.path("hone/counts.profraw");
    let trained = Command::new(builds.program("counting"))
        .arg("30000001")
        .env("LLVM_PROFILE_FILE", &counts)
        .output();
    assert!(trained.unwrap().status.success());
    let profile = builds.path("hone/profile");
    let merge = [&profile, &counts].map(|path| path.to_str().unwrap());
    let merge = ["merge", "-o", merge[0], merge[1]];
    run_in(&builds.path("hone"), "llvm-profdata-19", &merge);
    let inputs = Inputs {
        profiles: [("pgo", profile)].into(),
        ..Inputs::default()
    };
    builds.build("pgo", &flags(&["pgo"], Purpose::Use, &inputs), false);
    let lines = |name: &str| {
        let recording = builds.record(name, &["--branches", "none"], &["3000000", "1"]);
        hone_convert::lines(&[recording], &builds.program(name)).unwrap()
    };
    let lost = vectorised::lost(&lines("baseline"), &lines("pgo"));
    let [lost] = &lost[..] else {
        panic!("{lost:?}");
    };
    let mut source = PROGRAM.lines();
    let line = 1 + source
        .position(|line| line.contains("sum += from"))
        .unwrap();
    assert!(
        lost.file.ends_with("main.c") && lost.line as usize == line,
        "{lost:?}"
    );
    assert!(lost.function.contains("squares"), "{lost:?}");
}
