//! `hone quality` end to end: figures of real and made-up profiles, and the exit status for pipelines.

use crate::common::{fixture, has_tools, hone, stderr, stdout};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The figures as JSON, and the exit status.
fn judged(arguments: &[&str], directory: &Path) -> (Value, i32) {
    let output = hone(&[&["quality", "--json"], arguments].concat(), directory);
    let text = stdout(&output);
    let json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(&output)));
    (json, output.status.code().unwrap())
}

fn figure<'j>(json: &'j Value, name: &str) -> &'j Value {
    let figures = json["figures"].as_array().unwrap();
    let found = figures.iter().find(|figure| figure["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {json:#}"))
}

fn value(json: &Value, name: &str) -> f64 {
    figure(json, name)["value"].as_f64().unwrap()
}

#[test]
fn a_real_recording_is_judged() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let (recording, binary) = (recording.to_str().unwrap(), binary.to_str().unwrap());
    let (json, status) = judged(&[recording, "--binary", binary], dir);
    assert_eq!(status, 0, "{json:#}");
    // A short recording: it could be a little denser.
    assert!((40.0..50.0).contains(&value(&json, "density")), "{json:#}");
    assert_eq!(json["verdict"], "poor");
    assert_eq!(figure(&json, "branch records")["value"], 1.0);
    assert_eq!(value(&json, "broken ranges"), 0.0);
    assert!((0.0..0.5).contains(&value(&json, "outside")), "{json:#}");
    assert!((0.01..0.9).contains(&value(&json, "code seen")), "{json:#}");
    // A tighter limit makes it unfit, and the reason is said.
    let output = hone(
        &[
            "quality",
            recording,
            "--binary",
            binary,
            "--min-density",
            "1e12",
        ],
        dir,
    );
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("unfit density"), "{text}");
    assert!(
        text.contains("-> Record") && text.ends_with("verdict: unfit\n"),
        "{text}"
    );

    // The profile made of it is not stale for the same build, and is the same as itself.
    let convert = [
        "convert",
        recording,
        "--binary",
        binary,
        "--to",
        "autofdo-extbinary",
    ];
    let output = hone(&[&convert[..], &["-o", "a.prof"]].concat(), dir);
    assert!(output.status.success(), "{}", stderr(&output));
    let arguments = [
        "a.prof",
        "--for-build",
        binary,
        "--binary",
        binary,
        "--against",
        recording,
    ];
    let (json, status) = judged(&arguments, dir);
    assert_eq!(status, 0, "{json:#}");
    assert_eq!(
        (value(&json, "gone"), value(&json, "changed")),
        (0.0, 0.0),
        "{json:#}"
    );
    assert!(value(&json, "block overlap") > 0.999_999, "{json:#}");
    assert!(value(&json, "function overlap") > 0.999_999, "{json:#}");
}

#[test]
fn overlap_agrees_with_llvm_profdata() {
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let (mut a, mut b) = (String::new(), String::new());
    for function in 0..40u64 {
        // Both have the same total; every third function moves weight from one line to the other.
        let moved = if function % 3 == 0 { 400 } else { 0 };
        let _ = writeln!(a, "f{function}:2000:10\n 1: 1000\n 2: 1000");
        let _ = writeln!(
            b,
            "f{function}:2000:10\n 1: {}\n 2: {}",
            1000 - moved,
            1000 + moved
        );
    }
    fs::write(dir.join("a"), a).unwrap();
    fs::write(dir.join("b"), b).unwrap();
    let (json, _) = judged(&["a", "--against", "b"], dir);
    let ours = value(&json, "block overlap");
    assert!(
        (ours - (1.0 - 14.0 * 400.0 / 80_000.0)).abs() < 1e-9,
        "{ours}"
    );
    let output = Command::new("llvm-profdata-19")
        .args(["overlap", "--sample", "a", "b"])
        .current_dir(dir)
        .output()
        .unwrap();
    let text = stdout(&output) + &stderr(&output);
    let percent = |what: &str| -> f64 {
        let line = text.lines().find(|line| line.contains(what)).expect(&text);
        let number = line.rsplit(' ').next().unwrap().trim_end_matches('%');
        number.parse().unwrap()
    };
    // Theirs in percent with three places.
    assert!(
        (percent("profile similarity") - 100.0 * ours).abs() < 0.001,
        "{text}"
    );
    // The same without shares: what both have, by what either has.
    let theirs = percent("sample overlap");
    assert!(
        (theirs - 100.0 * ours / (2.0 - ours)).abs() < 0.001,
        "{text}"
    );
}

#[test]
fn plain_samples_are_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let mut text = String::new();
    for function in 0..5 {
        let _ = writeln!(text, "f{function}:900:0\n 1: 500\n 2: 400");
    }
    fs::write(dir.join("plain"), &text).unwrap();
    let (json, status) = judged(&["plain"], dir);
    assert_eq!(status, 0);
    assert_eq!(json["verdict"], "poor");
    let advice = figure(&json, "branch records")["advice"].as_str().unwrap();
    assert!(
        advice.contains("9 %") && advice.contains("--branches"),
        "{advice}"
    );
    // What its counts are is not known, so nothing is said of their number.
    assert_eq!(figure(&json, "density")["threshold"], Value::Null);
    // With entries of functions it is of branch records, and then they can be too few.
    let thin = text.replace(":0\n", ":1\n").replace("00", "0");
    fs::write(dir.join("thin"), &thin).unwrap();
    let (json, status) = judged(&["thin"], dir);
    assert_eq!((status, &json["verdict"]), (0, &Value::from("poor")));
    let thinner = thin.replace("50", "1").replace("40", "1");
    fs::write(dir.join("thinner"), thinner).unwrap();
    let (json, status) = judged(&["thinner"], dir);
    assert_eq!((status, &json["verdict"]), (1, &Value::from("unfit")));
}

const OLD: &str = r#"
#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) unsigned kept(unsigned x) {
    if (x % 3)
        x = x * 5;
    return x + 1;
}
__attribute__((noinline)) unsigned moved(unsigned x) {
    unsigned y = x ^ 77;
    for (unsigned i = 0; i < x % 7; i++)
        y += i * x;
    return y;
}
__attribute__((noinline)) unsigned dropped(unsigned x) { return x * 7 + 3; }
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], nullptr, 10), sum = argc;
    for (unsigned i = 0; i < n; i++) sum = kept(moved(dropped(sum)));
    printf("%u\n", sum);
}
"#;

fn compile(dir: &Path, name: &str, source: &str, flags: &[&str]) {
    fs::write(dir.join(format!("{name}.cc")), source).unwrap();
    let status = Command::new("clang++-19")
        .args(["-O2", "-gline-tables-only", "-fdebug-info-for-profiling"])
        .args(flags)
        .args([&format!("{name}.cc"), "-o", name])
        .current_dir(dir)
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_new_build_shows_how_stale_a_profile_is() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    // Not optimised, so that every line has code.
    compile(dir, "old", OLD, &["-O0"]);
    let new = OLD
        .replace(
            "    unsigned y = x ^ 77;",
            "    // One.\n    // Two.\n    unsigned y = x ^ 77;",
        )
        .replace("dropped", "renamed");
    compile(dir, "new", &new, &["-O0"]);
    // By hand, so that the shares are known; lines count from the function's first.
    let profile = "_Z4keptj:400:100\n 1: 100\n 2: 100\n 3: 100\n_Z5movedj:600:100\n 1: 100\n 2: 100\n 3: 100\n \
                   4: 100\n_Z7droppedj:100:100\n 0: 100\n";
    fs::write(dir.join("p"), profile).unwrap();
    let (json, status) = judged(&["p", "--for-build", "old"], dir);
    assert_eq!(
        (value(&json, "gone"), value(&json, "changed")),
        (0.0, 0.0),
        "{json:#}"
    );
    assert_eq!(status, 0);
    let (json, status) = judged(&["p", "--for-build", "new"], dir);
    assert_eq!(value(&json, "gone"), 0.125, "{json:#}");
    let details = figure(&json, "gone")["details"][0].as_str().unwrap();
    assert_eq!(details, "_Z7droppedj");
    let details = figure(&json, "changed")["details"].to_string();
    assert!(
        details.contains("_Z5movedj, which looks moved by +2 lines"),
        "{details}"
    );
    assert_eq!(status, 0, "poor, but not unfit");
    let (json, status) = judged(&["p", "--for-build", "new", "--max-stale", "0.1"], dir);
    assert_eq!((status, &json["verdict"]), (1, &Value::from("unfit")));
}

#[test]
fn probes_are_compared_by_checksum() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    compile(dir, "new", OLD, &["-g1", "-fpseudo-probe-for-profiling"]);
    fs::write(
        dir.join("p"),
        "_Z4keptj:30:1\n 1: 30\n !CFGChecksum: 12345\ngone:10:1\n 1: 10\n !CFGChecksum: 1\n",
    )
    .unwrap();
    let (json, status) = judged(&["p", "--for-build", "new"], dir);
    assert_eq!(
        (value(&json, "gone"), value(&json, "changed")),
        (0.25, 0.75),
        "{json:#}"
    );
    assert_eq!(status, 1);
}

#[test]
fn bad_input_of_quality_is_refused_with_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::write(dir.join("lines"), "f:1:0\n 1: 1\n").unwrap();
    fs::write(dir.join("probes"), "f:1:0\n 1: 1\n !CFGChecksum: 5\n").unwrap();
    fs::write(dir.join("noise"), "int main() {}\n").unwrap();
    fs::write(dir.join("fdata"), "1 main 3fb 1 main 0 2 7\n").unwrap();
    fs::write(dir.join("recording"), "PERFILE2........").unwrap();
    let script = "  401136  0x401136/0x401120/P/-/-/1 \n";
    fs::write(dir.join("script"), script).unwrap();
    for (arguments, expected) in [
        (&["missing"][..], "missing"),
        (&["fdata"], "fdata"),
        (&["recording"], "--binary"),
        (&["script"], "--binary"),
        (&["noise"], "noise: line 1"),
        (&["lines", "--against", "probes"], "pseudo probes"),
        (&["lines", "--for-build", "lines"], "lines"),
        (&["lines", "--binary", "b"], "--for-build b"),
        (&["recording", "--for-build", "b"], "--binary"),
        (&["lines", "--for-build", "nowhere"], "nowhere"),
    ] {
        let output = hone(&[&["quality"], arguments].concat(), dir);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(message.contains("next: "), "{arguments:?}: {message}");
    }
}
