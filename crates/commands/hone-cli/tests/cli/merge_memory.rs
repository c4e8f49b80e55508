//! Merging needs memory for the sum, not for the number of profiles. Alone in its file: the peak is that of all
//! children of the process.

use crate::common::{hone, stderr};
use nix::sys::resource::{UsageWho, getrusage};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A profile of 400 functions with 20 lines each; the same places in all, with other counts.
fn generated(seed: u64) -> String {
    let mut text = String::new();
    for function in 0..400u64 {
        let total = 20 * seed;
        let _ = writeln!(
            text,
            "_ZN7project9subsystem8function{function:04}Ev:{total}:{seed}"
        );
        for line in 0..20 {
            let _ = writeln!(text, " {line}: {}", seed * (function + line) % 9973);
        }
    }
    text
}

/// Merges and returns the peak of all merges so far, in bytes.
fn peak_of_merging(names: &[&str], directory: &Path) -> i64 {
    let output = hone(&[&["merge", "-o", "out"], names].concat(), directory);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("profiles -> 400 functions"), "{said}");
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * 1024
}

#[test]
fn a_thousand_profiles_need_the_memory_of_one() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let names: Vec<String> = (1..=1000).map(|seed| format!("{seed}.prof")).collect();
    for (name, seed) in names.iter().zip(1..) {
        fs::write(dir.join(name), generated(seed)).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let one = peak_of_merging(&names[..1], dir);
    let all = peak_of_merging(&names, dir);
    println!(
        "peak {one} bytes for one profile, {all} for {}",
        names.len()
    );
    assert!(all < one * 3 / 2, "{one} {all}");
}
