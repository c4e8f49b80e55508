//! `hone top`, `callers`, `callees`, `annotate`, `diff` and `view` as they print: a recording made by hand, whose samples are
//! known. What the views hold is tested in hone-look and hone-views.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use testkit::compiled;
use testkit::recording::{Program, Recording};

use crate::common::{go, hone, stderr, stdout};

/// A directory with the program `p`, compiled of `p.c`, and recordings of it.
struct Made {
    directory: tempfile::TempDir,
}

impl Made {
    /// With `hone.data`, a hundred samples as [`Recording::views`] says.
    fn new() -> Self {
        let source = fs::read_to_string(testkit::recorded("sources/views.c")).unwrap();
        let made = Self {
            directory: compiled(&source, &["-g", "-Wl,--build-id"]),
        };
        made.recording().write(&made.dir().join("hone.data"));
        made
    }

    fn program(&self) -> Program {
        Program::read(&self.dir().join("p"))
    }

    fn recording(&self) -> Recording {
        let program = self.program();
        let mut made = Recording::of(&program);
        made.views(&program);
        made
    }

    fn dir(&self) -> &Path {
        self.directory.path()
    }

    fn hone(&self, words: &str) -> Output {
        hone(&words.split(' ').collect::<Vec<_>>(), self.dir())
    }

    /// What a command prints, which must succeed.
    fn said(&self, words: &str) -> String {
        let output = self.hone(words);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
        stdout(&output)
    }

    /// Expects a refusal that says this.
    fn refused(&self, words: &str, expected: &str) {
        let output = self.hone(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        let said = stderr(&output);
        assert!(
            said.contains(expected) && said.contains("\nnext: "),
            "{words}: {said}"
        );
    }

    fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.said(&format!("{words} --json"))).unwrap()
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
fn tables_are_printed_with_shares_and_errors() {
    let made = Made::new();
    let top = made.said("top -n 3");
    let expected = [
        "hone.data: 100 samples of cpu-clock, 0.10 s of CPU time",
        "  45.0 %   5.0    45.0 %   5.0  light  (p)",
        "  40.0 %   4.9    40.0 %   4.9  small  (p)",
        "  10.0 %   3.0    50.0 %   5.0  heavy  (p)",
        "   5.0 %        in 2 more rows; see them with -n 0",
        "stacks: 100.0 % whole, 0.0 % truncated, 0.0 % broken",
    ];
    for line in expected {
        assert!(top.lines().any(|of| of == line), "{line}: {top}");
    }
    let json = made.json("top --sort total");
    assert_eq!(number(named(&json["rows"], "heavy"), "total_share"), 0.5);
    assert_eq!(json["rows"][0]["total_share"], 1.0);
    let lines = made.said("top --by line");
    assert!(
        lines.contains("p.c:13") && lines.contains("p.c:5"),
        "{lines}"
    );
    made.refused("top --focus nobody", "none is left");
    made.refused("top nothing.data", "nothing.data");
    made.refused("top p.c", "p.c: ");
    made.refused("top --event cache-misses", "name one of cpu-clock");
}

#[test]
fn calls_are_printed_as_trees() {
    let made = Made::new();
    let callers = made.said("callers small");
    let expected = "  40.0 % +- 4.9  small, called by:\n  40.0 %  heavy\n  40.0 %    work\n  40.0 %      main\n";
    assert!(callers.contains(expected.trim_start()), "{callers}");
    let callees = made.json("callees work");
    let calls = &named(&callees, "work")["calls"];
    assert_eq!(number(named(calls, "heavy"), "share"), 0.5);
    assert_eq!(number(named(calls, "light"), "share"), 0.45);
    made.refused("callers smal", "there is small");
    let by_pattern = made.said("callers /^sm/");
    assert!(by_pattern.contains("small, called by:"), "{by_pattern}");
}

#[test]
fn a_change_is_told_from_none() {
    let made = Made::new();
    let mut more = made.recording();
    let program = made.program();
    let light = more.at(program.line("light", 13));
    more.stack(500, &[light]);
    more.write(&made.dir().join("new.data"));
    let changes = made.said("diff hone.data new.data");
    for (row, sign) in [("* light", '+'), ("* heavy", '-')] {
        let is_there = |line: &str| line.contains(row) && line.contains(sign);
        assert!(changes.lines().any(is_there), "{changes}");
    }
    let same = made.hone("diff hone.data hone.data");
    assert_eq!(same.status.code(), Some(1), "no change, as --help says");
    assert!(
        stdout(&same).contains("Nothing changed"),
        "{}",
        stdout(&same)
    );
}

/// Notes on names stand on standard error of every view.
#[test]
fn files_without_names_and_files_of_no_use_are_told() {
    let made = Made::new();
    let at = |name: &str| made.dir().join(name);
    for directory in ["kept", "other"] {
        fs::create_dir(at(directory)).unwrap();
    }
    fs::rename(at("p"), at("kept/p")).unwrap();
    let gone = made.hone("top");
    assert!(stdout(&gone).contains("[p]"), "{}", stdout(&gone));
    assert!(
        stderr(&gone).contains("note: no names for 100.0 % of the time"),
        "{}",
        stderr(&gone)
    );
    let rebuilt = testkit::recorded("programs/views-rebuilt");
    fs::copy(&rebuilt, at("p")).unwrap();
    let other = made.hone("top");
    assert!(
        stderr(&other).contains("another build"),
        "{}",
        stderr(&other)
    );
    for name in ["other/p", "other/q"] {
        fs::copy(&rebuilt, at(name)).unwrap();
    }
    let other_build = "note: other/p, given with --binary, is not used: it is another build (";
    let not_recorded = "note: other/q, given with --binary, is not used: no file of its name or build was recorded";
    for (words, expected) in [
        ("top --binary other/p", other_build),
        ("top --binary other/q", not_recorded),
        ("callers heavy --binary other/p", other_build),
        ("annotate heavy --binary other/q", not_recorded),
        (
            "view hone.data --no-findings --binary other/q",
            not_recorded,
        ),
    ] {
        let said = stderr(&made.hone(words));
        assert!(said.contains(expected), "{words}: {said}");
        let is_of_a_function = said.contains("in a function");
        let as_known = said.contains("in a function heavy, as far as names are known");
        assert_eq!(is_of_a_function, as_known, "{said}");
    }
    let both = made.hone("top --binary other/p --binary kept/p");
    assert!(stdout(&both).contains("heavy"), "{}", stderr(&both));
    assert!(stderr(&both).contains(other_build), "{}", stderr(&both));
    // Of two recordings, a file may be of either.
    fs::rename(at("hone.data"), at("old.data")).unwrap();
    let program = made.program();
    let mut new = Recording::of(&program);
    let main = new.at(program.function("main"));
    new.stack(10, &[main]);
    new.write(&at("new.data"));
    let diff = made.hone("diff old.data new.data --binary kept/p");
    assert!(!stderr(&diff).contains("--binary"), "{}", stderr(&diff));
    assert!(!stdout(&diff).contains("[p]"), "{}", stdout(&diff));
    let words = "diff old.data new.data --binary kept/p --binary other/q --binary kept/q";
    let said = stderr(&made.hone(words));
    assert!(
        said.contains("kept/q, given with --binary, is not used: No such file"),
        "{said}"
    );
}

#[test]
fn samples_without_stacks_say_so() {
    let made = Made::new();
    let program = made.program();
    let mut plain = Recording::with_events(&program, &[("cpu-clock", Some(0))]);
    let small = plain.at(program.line("heavy", 5));
    plain.plain(0, 10, small);
    plain.write(&made.dir().join("hone.data"));
    let top = made.hone("top");
    assert!(stderr(&top).contains("no call stacks"), "{}", stderr(&top));
}

#[test]
fn code_is_shown_with_its_source_and_its_time() {
    let made = Made::new();
    let code = made.json("annotate light");
    let hot = code.as_array().unwrap().iter().find(|of| of["weight"] != 0);
    assert_eq!(hot.unwrap()["line"], 13);
    let text = made.said("annotate heavy");
    assert!(
        text.contains("p.c:5 (small)") && text.contains("1664525u"),
        "{text}"
    );
    assert!(text.contains("  80.0 %  "), "{text}");
    made.refused("annotate small", "always inlined");
}

#[test]
fn other_viewers_read_the_same_stacks() {
    let made = Made::new();
    let written = |to: &str, file: &str| {
        made.said(&format!("view hone.data --to {to}"));
        fs::read(made.dir().join(file)).unwrap()
    };
    let folded = String::from_utf8(written("folded", "hone.folded")).unwrap();
    let small = "main;work;heavy;small 40000000";
    assert!(folded.lines().any(|line| line == small), "{folded}");

    let file: Value =
        serde_json::from_slice(&written("speedscope", "hone.speedscope.json")).unwrap();
    let profile = &file["profiles"][0];
    assert_eq!(profile["unit"], "nanoseconds");
    assert_eq!(profile["samples"].as_array().unwrap().len(), 100);
    let weights = profile["weights"].as_array().unwrap();
    let weights: u64 = weights.iter().filter_map(Value::as_u64).sum();
    assert_eq!(profile["endValue"], weights);
    let frames = file["shared"]["frames"].as_array().unwrap();
    let heavy_frame = frames.iter().find(|frame| frame["name"] == "heavy");
    let source = heavy_frame.unwrap()["file"].as_str().unwrap();
    assert!(source.ends_with("p.c"), "{source}");

    let file: Value = serde_json::from_slice(&written("firefox", "hone.firefox.json")).unwrap();
    let thread = &file["threads"][0];
    assert_eq!(thread["samples"]["length"], 100);
    assert_eq!(thread["name"], "p");

    made.refused(
        "view hone.data hone.data --to pprof",
        "next: name one recording",
    );

    written("pprof", "hone.pb.gz");
    for file in ["folded", "speedscope.json", "firefox.json", "pb.gz"] {
        let rows = made.said(&format!("top hone.{file}"));
        assert!(
            rows.contains("heavy") && rows.contains("small"),
            "{file}: {rows}"
        );
    }
    let Some(go) = go() else { return };
    let read = Command::new(go)
        .args("tool pprof -top -sample_index=cpu hone.pb.gz".split(' '))
        .current_dir(made.dir())
        .output();
    let read = stdout(&read.unwrap());
    let has_small = read.contains(" small (inline)") || read.contains(" small\n");
    assert!(has_small && read.contains(" main\n"), "{read}");
}

/// Labels of a committed profile of Go; without labels, what has them.
#[test]
fn labels_that_are_not_there_are_told_with_those_that_are() {
    let made = Made::new();
    let profile = testkit::recorded("labels.pprof");
    fs::copy(profile, made.dir().join("cpu.pprof")).unwrap();
    let by_method = made.said("top cpu.pprof --by label:method");
    let heavy = by_method.find("method=Heavy").expect("a row");
    assert!(
        heavy < by_method.find("method=Light").unwrap(),
        "{by_method}"
    );
    let roots = made.said("view cpu.pprof --root label:service,method --to folded -o -");
    assert!(roots.contains("service=shop.Shop;method=Light;"), "{roots}");
    let unknown = made.hone("top cpu.pprof --by label:customer");
    assert_eq!(unknown.status.code(), Some(2));
    let expected = "cpu.pprof: no sample has a label customer\nnext: name one of method, service\n";
    assert!(stderr(&unknown).ends_with(expected), "{}", stderr(&unknown));
    for words in [
        "top hone.data --by label",
        "top hone.data --by label:method",
        "view hone.data --root label -o r.html",
    ] {
        made.refused(words, "its samples have no labels\nnext: ");
        made.refused(words, "net/http/pprof");
    }
    for words in ["top --by labels", "view --root method"] {
        let output = made.hone(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(stderr(&output).contains("label"), "{}", stderr(&output));
    }
}
