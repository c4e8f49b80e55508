//! The gap of another layout stays in the binary, whatever the linker collects.

use hone_build::layout::{gap_bytes, gap_source};
use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "__attribute__((noinline)) int twice(int x) { return 2 * x; } \
    int main(int n, char **v) { return twice(20 + n) - 42; }";

/// Where `twice` starts in a program with the gap of a seed in front; `None` where the compiler is absent.
fn start_of_twice(directory: &Path, compiler: &str, flags: &[&str], seed: u64) -> Option<u64> {
    fs::write(directory.join("gap.s"), gap_source(seed)).unwrap();
    let fixed = "-O2 -no-pie -ffunction-sections -Wl,--gc-sections gap.s p.c -o p";
    let built = Command::new(compiler)
        .args(fixed.split(' '))
        .args(flags)
        .current_dir(directory)
        .output();
    let Ok(built) = built else {
        println!("skipped: {compiler} is not there");
        return None;
    };
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{compiler} {flags:?}: {said}");
    let names = Command::new("nm").arg("p").current_dir(directory).output();
    let names = String::from_utf8(names.unwrap().stdout).unwrap();
    let twice = names.lines().find(|line| line.ends_with(" twice"));
    let address = twice.and_then(|line| line.split(' ').next()).unwrap();
    Some(u64::from_str_radix(address, 16).unwrap())
}

#[test]
fn a_gap_moves_the_program_where_sections_are_collected() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("p.c"), PROGRAM).unwrap();
    let small = (0..).find(|&seed| gap_bytes(seed) == 16).unwrap();
    let large = (0..).find(|&seed| gap_bytes(seed) == 2048).unwrap();
    for (compiler, flags) in [
        ("gcc", vec![]),
        ("clang-19", vec![]),
        ("clang-19", vec!["-fuse-ld=lld"]),
        ("clang-19", vec!["-fuse-ld=lld", "-flto"]),
    ] {
        let start = |seed| start_of_twice(directory.path(), compiler, &flags, seed);
        if let (Some(near), Some(far)) = (start(small), start(large)) {
            assert_ne!(near, far, "{compiler} {flags:?}");
        }
    }
}
