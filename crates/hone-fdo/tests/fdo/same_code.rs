//! Builds for recordings have the instructions of the production build, or Hone says by how much they do not.

use hone_fdo::same_code::{SameCode, same_code};
use hone_symbols::Binary;
use std::fs;
use std::path::Path;
use testkit::{has_tools, run_in};

/// Small functions that are called from few places: what an inliner that puts off calls decides otherwise.
const PROGRAM: &str = r"
__attribute__((noinline)) int sink(int n) { __asm__ volatile(``); return n; }
static int leaf(int *a, int n) {
    int s = n;
    if (a[0] > 0) s = sink(s + 0);
    if (a[1] > 3) s = sink(s + 1);
    return s;
}
static int middle(int *a, int n) {
    if (a[0] == 1) sink(0);
    if (a[1] == 6) sink(1);
    if (a[2] == 11) sink(2);
    if (a[3] == 16) sink(3);
    return leaf(a, n) + 1;
}
int first(int *a, int n) { return middle(a + 0, n) * 3; }
int second(int *a, int n) { return middle(a + 1, n) * 4; }
int third(int *a) { return leaf(a + 9, 3) - leaf(a + 20, 4); }
int main(int argc, char **argv) {
    int numbers[64] = {argc};
    return first(numbers, argc) + second(numbers, argc) + third(numbers);
}
";

fn built(directory: &Path, name: &str, flags: &[&str]) -> Vec<u8> {
    let own = ["-O2", "-g", "p.c", "-o", name];
    run_in(directory, "clang-19", &[&own, flags].concat());
    fs::read(directory.join(name)).unwrap()
}

#[test]
fn what_flags_for_profiling_change_is_counted() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.c"), PROGRAM.replace("``", "\"\"")).unwrap();
    let production = built(directory, "production", &[]);
    let compared = |name: &str, flags: &[&str]| -> SameCode {
        let other = built(directory, name, flags);
        same_code(
            &Binary::parse(&production[..]).unwrap(),
            &Binary::parse(&other[..]).unwrap(),
        )
    };
    let lines = [
        "-fdebug-info-for-profiling",
        "-funique-internal-linkage-names",
    ];
    let as_production = ["-mllvm", "-enable-npm-pgo-inline-deferral=false"];
    let same = compared("same", &[&lines[..], &as_production].concat());
    assert!(same.functions > 5, "{same:?}");
    assert_eq!(
        (same.changed, same.bytes[0]),
        (0, same.bytes[1]),
        "{same:?}"
    );
    let changed = compared("changed", &lines);
    assert!(changed.changed >= 2, "{changed:?}");
    let fixed = compared("fixed", &["-no-pie", "-fno-pie"]);
    assert!(fixed.changed < fixed.functions, "{fixed:?}");
}
