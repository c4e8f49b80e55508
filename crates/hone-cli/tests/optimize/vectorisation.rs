//! A winner that is faster, although a hot loop lost its vectorisation.

use crate::common::{Project, has_tools, stderr};

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
fn a_hot_loop_that_training_left_out_is_told() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let project = Project::new("\"pgo\"");
    std::fs::write(project.path("main.c"), PROGRAM).unwrap();
    project.edit("hone.toml", "duet = false", "duet = true");
    project.edit("hone.toml", "{binary} 100003", "{binary} 3000000");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let notes = report["notes"].to_string();
    let mut lines = PROGRAM.lines();
    let line = 1 + lines.position(|line| line.contains("sum += from")).unwrap();
    let told = format!(
        "\"main.c:{line} (squares(unsigned int const*, unsigned int)) is vectorised in the baseline and not in the winner"
    );
    assert!(notes.contains(&told), "{notes} {}", report["remarks"]);
}
