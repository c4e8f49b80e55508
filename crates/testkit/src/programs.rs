//! Programs and recordings that tests look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::tools::{c_compiler, run_in};

/// A program in C of small functions that are called from few places: what an inliner that puts off calls decides otherwise.
pub const DEFERRED_CALLS: &str = r#"
__attribute__((noinline)) int sink(int n) { __asm__ volatile(""); return n; }
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
"#;

/// A directory with a program `p` of this C source, which keeps its frame pointers.
pub fn compiled(source: &str, flags: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("p.c"), source).expect("a source file");
    let own = ["-O1", "-fno-omit-frame-pointer", "p.c", "-o", "p"];
    run_in(directory.path(), c_compiler(), &[&own, flags].concat());
    directory
}

/// Copies a program by another process: a file that this one has open for writing cannot be run by a child of another thread.
pub fn copy_program(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("cp starts").success(), "{}", to.display());
}

/// A file of the recording with hardware branch records, `testdata/lbr`.
pub fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("testdata/lbr").join(name);
    path.canonicalize().expect("a file of testdata/lbr")
}

/// A file of `testdata/recordings`: a program that is there in several builds, or a recording of one.
pub fn recorded(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("testdata/recordings").join(name);
    path.canonicalize().expect("a file of testdata/recordings")
}
