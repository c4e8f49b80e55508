//! `hone convert --to ...`: every form end to end, from real recordings of a real program.

use crate::common::{c_compiler, compiled, has_tools, hone, record_stacks, run_in, stderr, stdout};
use std::fs;
use std::process::{Command, Output};

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static inline unsigned inner(unsigned x) {
    for (int i = 0; i < 40; i++) { x = x * 31 + (x >> 5); __asm__ volatile("" : "+r"(x)); }
    return x;
}
__attribute__((noinline)) static unsigned outer(unsigned x) { return inner(x) + 1; }
__attribute__((noinline)) unsigned never(unsigned x) { return x / 3; }
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), sum = 0;
    for (unsigned i = 0; i < n; i++) sum += outer(i);
    if (sum == 42) sum = never(sum);
    printf("%u\n", sum);
    return 0;
}
"#;

struct Recorded {
    directory: tempfile::TempDir,
}

impl Recorded {
    /// Compiles with these flags and records as `hone.data`.
    fn new(flags: &[&str], options: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("prog.c"), PROGRAM).unwrap();
        let status = Command::new("clang-19")
            .args(["-O2", "-fno-omit-frame-pointer", "prog.c", "-o", "prog"])
            .args(["-fuse-ld=lld-19", "-Wl,--build-id=sha1", "-Wl,-q"])
            .args(flags)
            .current_dir(directory.path())
            .status();
        assert!(status.unwrap().success());
        let mut arguments = vec!["record"];
        arguments.extend(options);
        arguments.extend(["--", "./prog", "12000000"]);
        let output = hone(&arguments, directory.path());
        assert!(output.status.success(), "{}", stderr(&output));
        Self { directory }
    }

    fn convert(&self, to: &str, more: &[&str]) -> Output {
        let mut arguments = vec!["convert", "hone.data", "--binary", "prog", "--to", to];
        arguments.extend(more);
        hone(&arguments, self.directory.path())
    }

    /// The call stacks as text, as other viewers read them.
    fn folded(&self) -> Output {
        let words = ["view", "hone.data", "--to", "folded", "-o", "-"];
        hone(&words, self.directory.path())
    }

    /// The text of a form.
    fn text(&self, to: &str) -> String {
        let output = self.convert(to, &[]);
        assert!(output.status.success(), "{to}: {}", stderr(&output));
        stdout(&output)
    }

    fn expect_refusal(&self, to: &str, more: &[&str], expected: &str) {
        let output = self.convert(to, more);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        let is_explained = message.contains(expected) && message.contains("next: ");
        assert!(is_explained, "{message}");
        assert_eq!(stdout(&output), "");
    }
}

const WALK: [&str; 4] = ["--branches", "walk", "--overhead", "20%"];

#[test]
fn forms_by_address_need_no_debug_info() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let recorded = Recorded::new(&[], &WALK);
    let fdata = recorded.text("bolt-fdata");
    let calls = |line: &&str| line.starts_with("1 main ") && line.contains(" 1 outer/prog.c/1 0 ");
    assert_eq!(fdata.lines().filter(calls).count(), 1, "{fdata}");
    let aggregated = recorded.text("bolt-preaggregated");
    assert!(aggregated.starts_with("B "), "{aggregated}");
    assert!(aggregated.contains("\nF "), "{aggregated}");
    // Behind them may stand what a long walk saw at the program's end.
    let order = recorded.text("symbol-order");
    assert!(order.starts_with("main\nouter\n"), "{order}");
    let sections = recorded.text("section-order");
    assert!(
        sections.contains(".text.hot.outer\n.text.outer\n"),
        "{sections}"
    );
    let json: serde_json::Value = serde_json::from_str(&recorded.text("json")).unwrap();
    assert_eq!(json["functions"][0]["name"], "outer");
    assert_eq!(json["unit"], "executed bytes");
    assert!(json["account"]["ranges_used"].as_u64().unwrap() > 0);
    assert_eq!(json["losses"]["truncated_bytes"], 0);
    let table = recorded.text("text");
    let outer = table.find("  outer\n").unwrap_or(usize::MAX);
    assert!(outer < table.find("  main\n").unwrap(), "{table}");
    assert!(!table.contains("never"), "{table}");
    recorded.expect_refusal("gcc-gcov", &[], "no debug info");
    recorded.expect_refusal("bolt-fdata", &["--probes"], "--probes");
}

#[test]
fn plain_samples_become_bolts_other_mode_and_folded_stacks() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let options = ["--branches", "none", "--call-graph", "fp"];
    let recorded = Recorded::new(&["-g"], &options);
    let fdata = recorded.text("bolt-fdata");
    assert!(fdata.starts_with("no_lbr cycles\n1 "), "{fdata}");
    assert!(fdata.contains("1 outer/prog.c/1 "), "{fdata}");
    recorded.expect_refusal("bolt-preaggregated", &[], "no branch records");
    let folded = stdout(&recorded.folded());
    let hot = folded
        .lines()
        .find(|line| line.contains("main;outer;inner "));
    let weight = hot.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    assert!(weight.is_some_and(|weight| weight > 1_000_000), "{folded}");
    let gcov = recorded.convert("gcc-gcov", &["-o", "prog.afdo"]);
    assert!(gcov.status.success(), "{}", stderr(&gcov));
    let bytes = fs::read(recorded.directory.path().join("prog.afdo")).unwrap();
    assert!(bytes.starts_with(b"adcg\x02\0\0\0"));
}

#[test]
fn recordings_with_walks_fold_their_plain_samples() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let recorded = Recorded::new(&["-g"], &WALK);
    let output = recorded.folded();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("have no call stacks"),
        "{}",
        stderr(&output)
    );
    assert!(
        stdout(&output).contains("outer;inner "),
        "{}",
        stdout(&output)
    );
}

/// A program with nearly all of its work in a library of its own.
const IN_TWO_FILES: &str = r#"
#include <stdio.h>
unsigned in_library(unsigned x);
#ifdef LIBRARY
unsigned in_library(unsigned x) {
    for (int i = 0; i < 4000; i++) { x = x * 31 + (x >> 5); __asm__ volatile("" : "+r"(x)); }
    return x + 1;
}
#else
int main() {
    unsigned sum = 1;
    for (unsigned i = 0; i < 100000; i++) sum += in_library(sum);
    printf("%u\n", sum);
    return 0;
}
#endif
"#;

#[test]
fn folded_stacks_have_the_names_of_every_file() {
    let directory = compiled(IN_TWO_FILES, &["-DLIBRARY", "-fPIC", "-shared"]);
    let path = directory.path();
    fs::rename(path.join("p"), path.join("libown.so")).unwrap();
    let link = "p.c -o p -fno-omit-frame-pointer -L. -lown -Wl,-rpath,$ORIGIN";
    run_in(path, c_compiler(), &link.split(' ').collect::<Vec<_>>());
    record_stacks(path, "p.data", &["./p"]);
    let words = ["view", "p.data", "--to", "folded", "-o", "-"];
    let folded = stdout(&hone(&words, path));
    assert!(folded.contains("main;in_library "), "{folded}");
    // What is gone is called by its file.
    fs::remove_file(path.join("libown.so")).unwrap();
    let output = hone(&words, path);
    let folded = stdout(&output);
    assert!(folded.contains("main;[libown.so] "), "{folded}");
    assert!(stderr(&output).contains("no names for"), "{folded}");
}
