//! `hone merge` end to end: against llvm-profdata, with weights, ages and a thousand files.

use crate::common::{fixture, has_tools, hone, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Runs hone merge and expects it to succeed; returns what it said.
fn merge(arguments: &[&str], directory: &Path) -> String {
    let output = hone(&[&["merge"], arguments].concat(), directory);
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_real_profile_and_its_parts_add_up_to_what_llvm_profdata_says() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    for (form, file) in [("autofdo-text", "a"), ("autofdo-extbinary", "b")] {
        let recording = recording.to_str().unwrap();
        let binary = binary.to_str().unwrap();
        let arguments = [
            "convert", recording, "--binary", binary, "--to", form, "-o", file,
        ];
        let output = hone(&arguments, dir);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    // A part of it, with other functions missing.
    let text = fs::read_to_string(dir.join("a")).unwrap();
    let second = text.match_indices('\n').map(|(at, _)| at + 1);
    let second = second.filter(|&at| text[at..].starts_with(|c: char| c != ' '));
    let cut: Vec<usize> = second.collect();
    fs::write(dir.join("c"), &text[cut[1]..cut[cut.len() / 2]]).unwrap();

    let said = merge(
        &[
            "a", "b", "c", "-o", "ours", "--weight", "b=3", "--weight", "c=1000",
        ],
        dir,
    );
    assert!(said.contains("3 profiles"), "{said}");
    let profdata = |arguments: &[&str]| {
        let output = Command::new("llvm-profdata-19")
            .args(["merge", "--sample"])
            .args(arguments)
            .current_dir(dir)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    let weighted = ["--weighted-input=3,b", "--weighted-input=1000,c"];
    profdata(&[&["a", "--text", "-o", "theirs.txt"], &weighted[..]].concat());
    profdata(&["ours", "--text", "-o", "ours.txt"]);
    let sorted = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    assert_eq!(sorted("ours.txt"), sorted("theirs.txt"));
    // The list of functions without samples is kept as well.
    profdata(&[&["a", "--extbinary", "-o", "theirs"], &weighted[..]].concat());
    let listed = |name: &str| {
        let output = Command::new("llvm-profdata-19")
            .args(["show", "--sample", "--show-prof-sym-list", name])
            .current_dir(dir)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let at = text.find("Dump profile symbol list").expect(&text);
        let mut names: Vec<String> = text[at..].lines().skip(1).map(str::to_owned).collect();
        names.sort();
        names
    };
    assert!(listed("ours").len() > 50);
    assert_eq!(listed("ours"), listed("theirs"));

    // Its own text form says the same.
    merge(&["a", "b", "-o", "ab.txt", "--to", "autofdo-text"], dir);
    merge(&["b", "a", "-o", "ba.txt", "--to", "autofdo-text"], dir);
    assert_eq!(sorted("ab.txt"), sorted("ba.txt"));
}

#[test]
fn old_files_count_less_and_normalised_ones_alike() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::write(dir.join("new"), "f:1000:0\n 1: 1000\n").unwrap();
    fs::write(dir.join("old"), "f:1000:0\n 2: 1000\n").unwrap();
    fs::write(dir.join("more"), "f:9000:0\n 3: 9000\n").unwrap();
    let days = |n: u64| SystemTime::now() - Duration::from_secs(n * 86_400);
    let newest = days(3);
    let set = |name: &str, time| {
        let file = fs::File::options()
            .write(true)
            .open(dir.join(name))
            .unwrap();
        file.set_modified(time).unwrap();
    };
    set("new", newest);
    set("old", newest - Duration::from_secs(14 * 86_400));
    let read = || fs::read_to_string(dir.join("out")).unwrap();
    let form = ["-o", "out", "--to", "autofdo-text"];
    merge(
        &[&["new", "old", "--half-life", "7d"], &form[..]].concat(),
        dir,
    );
    assert_eq!(read(), "f:1250:0\n 1: 1000\n 2: 250\n");
    let said = merge(&[&["new", "more", "--normalize"], &form[..]].concat(), dir);
    assert!(said.contains("scaled to a total of"), "{said}");
    assert_eq!(
        read(),
        "f:2000000000000:0\n 1: 1000000000000\n 3: 1000000000000\n"
    );
    set("old", newest - Duration::from_secs(7000 * 86_400));
    let said = merge(
        &[&["new", "old", "--half-life", "1w"], &form[..]].concat(),
        dir,
    );
    assert!(said.contains("1 files are so old"), "{said}");
    assert_eq!(read(), "f:1000:0\n 1: 1000\n");
}

#[test]
fn fdata_without_branches_is_merged() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::write(dir.join("a"), "no_lbr cycles\n1 main 10 5\n").unwrap();
    fs::write(dir.join("b"), "no_lbr cycles\n1 main 10 6\n1 f 0 1\n").unwrap();
    merge(&["a", "b", "-o", "out"], dir);
    let sum = fs::read_to_string(dir.join("out")).unwrap();
    assert_eq!(sum, "no_lbr cycles\n1 f 0 1\n1 main 10 11\n");
}

#[test]
fn what_cannot_be_merged_is_refused_with_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    for (name, text) in [
        ("lines", "f:1:0\n 1: 1\n"),
        ("probes", "f:1:0\n 1: 1\n !CFGChecksum: 5\n"),
        ("contexts", "[main:1 @ f]:1:0\n 1: 1\n"),
        ("fdata", "1 main 3fb 1 main 0 2 7\n"),
        ("noise", "what is this\n"),
        ("empty", ""),
        ("recording", "PERFILE2........"),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
    for (arguments, expected) in [
        (
            &["lines", "probes"][..],
            "probes: it is keyed by pseudo probes",
        ),
        (&["lines", "fdata"], "cannot be added up"),
        (&["lines", "contexts"], "context-sensitive"),
        (&["lines", "noise"], "noise: line 1"),
        (&["lines", "missing"], "missing"),
        (&["lines", "recording"], "hone convert"),
        (&["empty"], "none of the profiles"),
        (&["lines", "--weight", "other=2"], "not merged"),
    ] {
        let output = hone(&[&["merge", "-o", "out"], arguments].concat(), dir);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(message.contains("next: "), "{arguments:?}: {message}");
        assert!(!dir.join("out").exists());
    }
}

const NEW_BUILD: &str = r#"
extern int one(int), two(int);
__attribute__((noinline)) int one(int x) { return x ^ 5; }
__attribute__((noinline)) int two(int x) { return x * 7; }
__attribute__((noinline)) int moved(int x) {
    // These two lines
    // are new.
    x += one(x);
    x += two(x);
    return x;
}
__attribute__((noinline)) int new_name(int x) {
    x = one(x);
    return two(x) + 1;
}
int main(int argc, char **argv) { return moved(argc) + new_name(argc); }
"#;

#[test]
fn an_old_profile_is_fitted_to_a_new_build_by_its_calls() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::write(dir.join("new.cc"), NEW_BUILD).unwrap();
    let status = Command::new("clang++-19")
        .args(["-O1", "-gline-tables-only", "-fdebug-info-for-profiling"])
        .args(["new.cc", "-o", "new"])
        .current_dir(dir)
        .status();
    assert!(status.unwrap().success());
    let old = "_Z5movedi:30:10\n 1: 10 _Z3onei:10\n 2: 10 _Z3twoi:10\n 3: 10\n_Z8old_namei:20:10\n \
               1: 10 _Z3onei:10\n 2: 10 _Z3twoi:10\n";
    fs::write(dir.join("old"), old).unwrap();
    let arguments = [
        "old",
        "-o",
        "out",
        "--to",
        "autofdo-text",
        "--for-build",
        "new",
    ];
    let said = merge(&arguments, dir);
    let fitted = old
        .replace(" 3: 10\n", " 5: 10\n")
        .replacen(" 1: 10", " 3: 10", 1)
        .replacen(" 2: 10", " 4: 10", 1)
        .replace("_Z8old_namei", "_Z8new_namei");
    assert_eq!(fs::read_to_string(dir.join("out")).unwrap(), fitted);
    assert!(said.contains("0.0 % of the weight is where"), "{said}");
    assert!(said.contains("100.0 % was found elsewhere"), "{said}");
    assert!(
        said.contains("_Z8old_namei looks like _Z8new_namei"),
        "{said}"
    );
    // Fitted again, nothing moves.
    fs::rename(dir.join("out"), dir.join("old")).unwrap();
    let said = merge(&arguments, dir);
    assert!(said.contains("100.0 % of the weight is where"), "{said}");
    assert_eq!(fs::read_to_string(dir.join("out")).unwrap(), fitted);
}
