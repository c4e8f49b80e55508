//! `hone top`, `callers`, `callees` and `diff` on recordings of a real program.

use crate::common::{c_compiler, compiled, go, hone, record_stacks, run_in, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Time in `heavy` and `light`, which `work` calls, by the second argument to one; `small` is inlined.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) unsigned small(unsigned x) {
    for (unsigned i = 0; i < 300; i++) x = x * 1664525u + 1013904223u;
    return x;
}
__attribute__((noinline)) unsigned heavy(unsigned x) {
    for (unsigned i = 0; i < 3; i++) x ^= small(x);
    return x;
}
__attribute__((noinline)) unsigned light(unsigned x) {
    for (unsigned i = 0; i < 300; i++) x = (x ^ i) * 22695477u + 1;
    return x;
}
__attribute__((noinline)) unsigned work(unsigned x, unsigned lights) {
    unsigned y = heavy(x);
    for (unsigned i = 0; i < lights; i++) y += light(y);
    return y + 1;
}
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), lights = strtoul(argv[2], 0, 10), sum = argc;
    for (unsigned i = 0; i < n; i++) sum += work(sum, lights);
    printf("%u\n", sum);
    return 0;
}
"#;

/// A directory with the program `p`, and recordings of it.
struct Made {
    directory: tempfile::TempDir,
}

impl Made {
    fn new(flags: &[&str]) -> Self {
        Self {
            directory: compiled(PROGRAM, flags),
        }
    }

    fn dir(&self) -> &Path {
        self.directory.path()
    }

    fn hone(&self, words: &[&str]) -> Output {
        hone(words, self.dir())
    }

    /// Records the program with so many calls of `light` to one of `heavy`.
    fn record(&self, name: &str, lights: &str) {
        record_stacks(self.dir(), name, &["./p", "400000", lights]);
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.hone(&[words, &["--json"]].concat());
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    }
}

/// The row or node of a name.
fn named<'j>(rows: &'j Value, name: &str) -> &'j Value {
    let mut rows = rows.as_array().unwrap().iter();
    let found = rows.find(|row| row["name"] == name || row["function"] == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap()
}

#[test]
fn time_is_shown_by_function_line_and_binary() {
    let made = Made::new(&["-g"]);
    made.record("hone.data", "1");
    let top = made.json(&["top"]);
    let (rows, all) = (&top["rows"], number(&top, "weight"));
    // An inlined function has its own time, and its caller only what is left.
    assert!(number(named(rows, "small"), "self_share") > 0.4, "{rows}");
    let heavy = named(rows, "heavy");
    assert!(number(heavy, "total_share") > number(heavy, "self_share") + 0.4);
    assert!(number(named(rows, "work"), "total_share") > 0.9);
    let sum: f64 = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| number(row, "self_weight"))
        .sum();
    assert!((sum / all - 1.0).abs() < 1e-9, "{sum} of {all}");
    let errors = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| number(row, "self_error"));
    assert!(errors.into_iter().all(|error| (0.0..0.2).contains(&error)));

    let lines = made.json(&["top", "--by", "line"]);
    let hottest = lines["rows"][0]["name"].as_str().unwrap().to_owned();
    // One of the two loops' bodies.
    assert!(
        hottest.ends_with("p.c:5") || hottest.ends_with("p.c:13"),
        "{hottest}"
    );
    let binaries = made.json(&["top", "--by", "binary"]);
    assert!(
        binaries["rows"][0]["name"]
            .as_str()
            .unwrap()
            .ends_with("/p")
    );

    let text = stdout(&made.hone(&["top", "-n", "2"]));
    assert!(
        text.contains("of CPU time") && text.contains("more rows; see them with -n 0"),
        "{text}"
    );
}

#[test]
fn focus_and_ignore_choose_stacks() {
    let made = Made::new(&["-g"]);
    made.record("hone.data", "1");
    let all = number(&made.json(&["top"]), "weight");
    let light = number(&made.json(&["top", "--focus", "^light$"]), "weight");
    let rest = number(&made.json(&["top", "--ignore", "^light$"]), "weight");
    assert!(
        light > 0.0 && (light + rest - all).abs() < 1.0,
        "{light} and {rest} of {all}"
    );
    let output = made.hone(&["top", "--focus", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("none is left"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn calls_are_followed_both_ways() {
    let made = Made::new(&["-g"]);
    made.record("hone.data", "1");
    let callers = made.json(&["callers", "small"]);
    let heavy = named(&named(&callers, "small")["calls"], "heavy");
    let work = named(&heavy["calls"], "work");
    named(&work["calls"], "main");
    let callees = made.json(&["callees", "work"]);
    let calls = &named(&callees, "work")["calls"];
    let (heavy, light) = (named(calls, "heavy"), named(calls, "light"));
    assert!(
        number(heavy, "share") + number(light, "share") > 0.9,
        "{calls}"
    );

    let output = made.hone(&["callers", "smal"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("there is small"),
        "{}",
        stderr(&output)
    );
    let by_pattern = stdout(&made.hone(&["callers", "/^sm/"]));
    assert!(by_pattern.contains("small, called by:"), "{by_pattern}");
}

#[test]
fn a_change_is_told_from_none() {
    let made = Made::new(&[]);
    made.record("old.data", "1");
    made.record("new.data", "6");
    let output = made.hone(&["diff", "old.data", "new.data"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.lines()
            .any(|line| line.contains("* light") && line.contains('+')),
        "{text}"
    );
    assert!(
        text.lines()
            .any(|line| line.contains("* heavy") && line.contains('-')),
        "{text}"
    );
    let same = made.hone(&["diff", "old.data", "old.data"]);
    assert_eq!(same.status.code(), Some(1));
    assert!(
        stdout(&same).contains("Nothing changed"),
        "{}",
        stdout(&same)
    );
}

#[test]
fn a_program_that_was_rebuilt_has_no_names_and_the_old_file_can_be_given() {
    let made = Made::new(&["-Wl,--build-id"]);
    made.record("hone.data", "1");
    fs::create_dir(made.dir().join("kept")).unwrap();
    fs::rename(made.dir().join("p"), made.dir().join("kept/p")).unwrap();
    let gone = made.hone(&["top"]);
    assert!(gone.status.success(), "{}", stderr(&gone));
    assert!(stdout(&gone).contains("[p]"), "{}", stdout(&gone));
    assert!(stderr(&gone).contains("no names for"), "{}", stderr(&gone));
    let other = ["-O2", "-Wl,--build-id", "p.c", "-o", "p"];
    run_in(made.dir(), c_compiler(), &other);
    let rebuilt = made.hone(&["top"]);
    assert!(
        stderr(&rebuilt).contains("another build"),
        "{}",
        stderr(&rebuilt)
    );
    let given = made.hone(&["top", "--binary", "kept/p"]);
    assert!(stdout(&given).contains("heavy"), "{}", stdout(&given));
    assert!(
        !stderr(&given).contains("another build"),
        "{}",
        stderr(&given)
    );
}

/// Files given with `--binary` are told apart by their build ids, and one that is of no use is told.
#[test]
fn a_file_that_was_not_recorded_is_told() {
    let made = Made::new(&["-Wl,--build-id"]);
    made.record("hone.data", "1");
    for directory in ["kept", "other"] {
        fs::create_dir(made.dir().join(directory)).unwrap();
    }
    fs::rename(made.dir().join("p"), made.dir().join("kept/p")).unwrap();
    let other = ["-O2", "-Wl,--build-id", "p.c", "-o", "other/p"];
    run_in(made.dir(), c_compiler(), &other);
    fs::copy(made.dir().join("other/p"), made.dir().join("other/q")).unwrap();
    let other_build = "note: other/p, given with --binary, is not used: it is another build (";
    // The recorded build is found among others of its name, whatever their order.
    let both = made.hone(&["top", "--binary", "other/p", "--binary", "kept/p"]);
    assert!(stdout(&both).contains("heavy"), "{}", stderr(&both));
    assert!(stderr(&both).contains(other_build), "{}", stderr(&both));
    let not_recorded = "note: other/q, given with --binary, is not used: no file of its name or build was recorded";
    for (words, expected) in [
        (&["top", "--binary", "other/p"][..], other_build),
        (&["top", "--binary", "other/q"], not_recorded),
        (&["callers", "heavy", "--binary", "other/p"], other_build),
        (&["annotate", "heavy", "--binary", "other/q"], not_recorded),
        (
            &["view", "hone.data", "--no-findings", "--binary", "other/q"],
            not_recorded,
        ),
    ] {
        let said = stderr(&made.hone(words));
        assert!(said.contains(expected), "{words:?}: {said}");
        let is_of_a_function = said.contains("in a function");
        assert_eq!(
            is_of_a_function,
            said.contains("in a function heavy, as far as names are known"),
            "{said}"
        );
    }
    // Of two recordings, a file may be of either.
    fs::rename(made.dir().join("hone.data"), made.dir().join("old.data")).unwrap();
    fs::rename(made.dir().join("other/p"), made.dir().join("p")).unwrap();
    made.record("new.data", "1");
    let words = ["diff", "old.data", "new.data", "--binary", "kept/p"];
    let diff = made.hone(&words);
    assert!(!stderr(&diff).contains("--binary"), "{}", stderr(&diff));
    assert!(!stdout(&diff).contains("[p]"), "{}", stdout(&diff));
    let with_other = [&words[..], &["--binary", "other/q", "--binary", "kept/q"]].concat();
    let said = stderr(&made.hone(&with_other));
    assert!(
        said.contains("kept/q, given with --binary, is not used: No such file"),
        "{said}"
    );
}

#[test]
fn what_is_no_recording_or_has_no_samples_is_named() {
    let made = Made::new(&[]);
    let missing = made.hone(&["top", "nothing.data"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("nothing.data"),
        "{}",
        stderr(&missing)
    );
    let source = made.hone(&["top", "p.c"]);
    assert_eq!(source.status.code(), Some(2));
    assert!(stderr(&source).contains("next:"), "{}", stderr(&source));
    made.record("hone.data", "1");
    let event = made.hone(&["top", "--event", "cache-misses"]);
    assert!(
        stderr(&event).contains("name one of cpu-clock"),
        "{}",
        stderr(&event)
    );
}

#[test]
fn samples_without_stacks_say_so() {
    let made = Made::new(&["-g"]);
    let words = [
        "record",
        "--branches",
        "none",
        "--call-graph",
        "none",
        "--",
        "./p",
        "200000",
        "1",
    ];
    let output = made.hone(&words);
    assert!(output.status.success(), "{}", stderr(&output));
    let top = made.hone(&["top"]);
    assert!(stderr(&top).contains("no call stacks"), "{}", stderr(&top));
    // Inlined calls are known all the same.
    let rows = &made.json(&["top"])["rows"];
    assert!(number(named(rows, "heavy"), "total_share") > 0.4);
}

#[test]
fn code_is_shown_with_its_source_and_its_time() {
    let made = Made::new(&["-g"]);
    made.record("hone.data", "1");
    let code = made.json(&["annotate", "light"]);
    let code = code.as_array().unwrap();
    let weights = code.iter().map(|line| line["weight"].as_u64().unwrap());
    let weight: u64 = weights.sum();
    let own = number(named(&made.json(&["top"])["rows"], "light"), "self_weight");
    assert_eq!(weight as f64, own);
    // The multiplication of the loop is line 13.
    let of_loop = code.iter().filter(|line| line["line"] == 13);
    let of_loop: u64 = of_loop.map(|line| line["weight"].as_u64().unwrap()).sum();
    assert!(of_loop * 2 > weight, "{of_loop} of {weight}");
    let text = stdout(&made.hone(&["annotate", "heavy"]));
    assert!(
        text.contains("p.c:5 (small)") && text.contains("1664525u"),
        "{text}"
    );
    let inlined = made.hone(&["annotate", "small"]);
    assert_eq!(inlined.status.code(), Some(2));
    assert!(
        stderr(&inlined).contains("always inlined"),
        "{}",
        stderr(&inlined)
    );
}

#[test]
fn other_viewers_read_the_same_stacks() {
    let made = Made::new(&["-g", "-fno-omit-frame-pointer"]);
    made.record("r.data", "1");
    let written = |to: &str, file: &str| {
        let output = made.hone(&["view", "r.data", "--to", to]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read(made.dir().join(file)).unwrap()
    };
    let top = made.json(&["top", "r.data"]);
    let samples = top["samples"].as_u64().unwrap();
    let heavy = number(named(&top["rows"], "heavy"), "total_share");

    let folded = String::from_utf8(written("folded", "r.folded")).unwrap();
    let stacks = folded.lines().map(|line| line.rsplit_once(' ').unwrap());
    let sum = |is_counted: &dyn Fn(&str) -> bool| {
        let counted = stacks.clone().filter(|(stack, _)| is_counted(stack));
        let weights = counted.map(|(_, weight)| weight.parse::<f64>().unwrap());
        weights.sum::<f64>()
    };
    // The kernel may have interrupted it anywhere.
    let share = sum(&|stack| stack.split(';').any(|frame| frame == "heavy")) / sum(&|_| true);
    assert!((share - heavy).abs() < 1e-9, "{share} {heavy}");
    assert!(folded.contains(";heavy;small"), "{folded}");

    let file: Value = serde_json::from_slice(&written("speedscope", "r.speedscope.json")).unwrap();
    let profile = &file["profiles"][0];
    assert_eq!(profile["unit"], "nanoseconds");
    let stacks = profile["samples"].as_array().unwrap();
    assert_eq!(stacks.len() as u64, samples);
    let weights = profile["weights"].as_array().unwrap();
    let weights: u64 = weights.iter().filter_map(Value::as_u64).sum();
    assert_eq!(profile["endValue"], weights);
    let frames = file["shared"]["frames"].as_array().unwrap();
    let heavy_frame = frames.iter().find(|frame| frame["name"] == "heavy");
    let source = heavy_frame.unwrap()["file"].as_str().unwrap();
    assert!(source.ends_with("p.c"), "{source}");

    let file: Value = serde_json::from_slice(&written("firefox", "r.firefox.json")).unwrap();
    let thread = &file["threads"][0];
    assert_eq!(thread["samples"]["length"], samples);
    assert_eq!(thread["name"], "p");

    let refused = made.hone(&["view", "r.data", "r.data", "--to", "pprof"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("next: name one recording"));

    written("pprof", "r.pb.gz");
    let reader = ["tool", "pprof", "-top", "-sample_index=cpu", "r.pb.gz"];
    let Some(go) = go() else { return };
    let read = Command::new(go)
        .args(reader)
        .current_dir(made.dir())
        .output();
    let read = stdout(&read.unwrap());
    assert!(
        read.contains(" small (inline)") || read.contains(" small\n"),
        "{read}"
    );
    assert!(read.contains(" main\n"), "{read}");
}
