//! A winner that is faster, although a hot loop lost its vectorisation.

use crate::common::{Project, has_tools, stderr};

/// A loop of indirect calls, which gains from a profile on any machine, and a loop over an array, which training may
/// leave out.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
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
int main(int argc, char **argv) {
    unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 1, sum = 1;
    unsigned rounds = argc > 2 ? strtoul(argv[2], 0, 10) : 0;
    step chosen = steps[n % 2];
    for (unsigned i = 0; i < n; i++) sum ^= chosen(i);
    if (n == 7) steps[0] = twice;
    for (unsigned i = 0; i < 40000; i++) data[i] = i * sum;
    for (unsigned i = 0; i < rounds; i++) {
        data[i % 40000] = i;
        sum += squares(data, 40000 - rounds % 2);
    }
    printf("%u\n", sum);
    return 0;
}
"#;

fn report(train: &str) -> serde_json::Value {
    let project = Project::new("\"pgo\"");
    std::fs::write(project.path("main.c"), PROGRAM).unwrap();
    project.edit("hone.toml", "{binary} 30000001", train);
    project.edit("hone.toml", "duet = false", "duet = true");
    project.edit("hone.toml", "{binary} 200000007", "{binary} 300000007 9001");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    project.report()
}

#[test]
fn a_hot_loop_that_training_left_out_is_told_and_one_that_it_ran_is_not() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let left_out = report("{binary} 30000001");
    let notes = left_out["notes"].to_string();
    let line = 1 + PROGRAM
        .lines()
        .position(|line| line.contains("sum += from"))
        .unwrap();
    assert!(
        notes.contains(&format!(
            "\"main.c:{line} (squares(unsigned int const*, unsigned int)) is vectorised in the baseline and not in the winner"
        )),
        "{notes} {}",
        left_out["remarks"]
    );
    let ran = report("{binary} 30000001 301");
    let remarks = ran["remarks"].to_string();
    assert!(
        remarks.contains("No hot loop of the measured workloads lost"),
        "{remarks} {}",
        ran["notes"]
    );
    assert!(
        !ran["notes"]
            .to_string()
            .contains("is vectorised in the baseline")
    );
}
