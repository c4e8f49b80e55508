//! The profile for GCC: read back by code of its own, compared with create_gcov's, and used by GCC 12.

use crate::common::{Trace, compile_texts, run};
use hone_fdo::{Converted, Evidence, FunctionSamples, WALK_EVENT, convert, gcov};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::{fixture, has_tools};

/// A function or an inlined call, by numbers of the name table turned into names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Function {
    head: u64,
    /// place -> (count, targets), the last of several
    lines: BTreeMap<u32, (u64, BTreeMap<String, u64>)>,
    inlined: BTreeMap<(u32, String), Function>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    names: Vec<String>,
}

impl Reader<'_> {
    fn word(&mut self) -> u32 {
        let word = self.bytes[self.at..self.at + 4].try_into().unwrap();
        self.at += 4;
        u32::from_le_bytes(word)
    }

    fn counter(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }

    /// A name of `unit` bytes times the length that is stated.
    fn name(&mut self, unit: usize) -> String {
        let len = self.word() as usize * unit;
        let text = &self.bytes[self.at..self.at + len];
        self.at += len;
        let text = text.split(|&byte| byte == 0).next().unwrap();
        String::from_utf8_lossy(text).into_owned()
    }

    fn function(&mut self, head: u64) -> (String, Function) {
        let mut function = Function {
            head,
            ..Function::default()
        };
        let name = self.word() as usize;
        let (places, calls) = (self.word(), self.word());
        for _ in 0..places {
            let (place, targets, count) = (self.word(), self.word(), self.counter());
            let mut found = BTreeMap::new();
            for _ in 0..targets {
                assert_eq!(self.word() & !1, 6, "a kind of call target");
                let target = self.counter() as usize;
                found.insert(self.names[target].clone(), self.counter());
            }
            function.lines.insert(place, (count, found));
        }
        for _ in 0..calls {
            let place = self.word();
            let (callee, inlined) = self.function(0);
            assert!(function.inlined.insert((place, callee), inlined).is_none());
        }
        (self.names[name].clone(), function)
    }
}

/// Reads a profile; version 1 counts the length of names in words, version 2 in bytes.
fn read(bytes: &[u8], version: u32) -> BTreeMap<String, Function> {
    let mut reader = Reader {
        bytes,
        at: 0,
        names: Vec::new(),
    };
    assert_eq!(&bytes[..4], b"adcg");
    assert_eq!([reader.word(), reader.word(), reader.word()][1], version);
    assert_eq!(reader.word(), 0xaa00_0000);
    let words = reader.word() as usize;
    let end_of_names = reader.at + words * 4;
    for _ in 0..reader.word() {
        let name = reader.name(if version == 1 { 4 } else { 1 });
        reader.names.push(name);
    }
    assert!((reader.at..reader.at + 4).contains(&end_of_names));
    assert_eq!(reader.names[0], "");
    assert_eq!(reader.word(), 0xac00_0000);
    let words = reader.word() as usize;
    let end = reader.at + words * 4;
    let mut functions = BTreeMap::new();
    for _ in 0..reader.word() {
        let head = reader.counter();
        let (name, function) = reader.function(head);
        assert!(functions.insert(name, function).is_none());
    }
    assert_eq!(reader.at, end);
    assert_eq!(reader.word(), 0xae00_0000);
    assert_eq!(reader.word(), 1);
    assert_eq!(reader.word(), 0);
    functions
}

/// Line offset -> (largest count, sums of targets).
type Lines = BTreeMap<u32, (u64, BTreeMap<String, u64>)>;

fn by_line<'a>(places: impl Iterator<Item = (u32, u64, &'a BTreeMap<String, u64>)>) -> Lines {
    let mut lines = Lines::new();
    for (line, count, targets) in places {
        let sum = lines.entry(line).or_default();
        sum.0 = sum.0.max(count);
        for (target, calls) in targets {
            *sum.1.entry(target.clone()).or_default() += calls;
        }
    }
    lines
}

fn assert_same(path: &str, expected: &FunctionSamples, found: &Function) {
    let places = expected.body.iter();
    let expected_lines =
        by_line(places.map(|(key, line)| (key.line_offset << 16, line.count, &line.targets)));
    assert_eq!(expected_lines, found.lines, "{path}");
    let calls = expected.callsites.iter();
    let calls = calls.flat_map(|(key, callees)| callees.iter().map(move |call| (key, call)));
    let mut seen = 0;
    for (key, (name, callee)) in calls {
        let read = &found.inlined[&(key.line_offset << 16, name.clone())];
        assert_same(&format!("{path} > {name}"), callee, read);
        seen += 1;
    }
    assert_eq!(seen, found.inlined.len(), "{path}");
}

fn converted(recording: &Path, binary: &Path) -> Converted {
    let profile = hone_profile::perf_data::read(&std::fs::read(recording).unwrap()).unwrap();
    let bytes = std::fs::read(binary).unwrap();
    let recorded = [profile.into()];
    convert(&recorded, Evidence::Branches, binary.to_str(), &bytes).unwrap()
}

#[test]
fn the_fixture_reads_back_and_is_what_create_gcov_makes_of_it() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    let profile = converted(&recording, &binary).attribution.samples;
    let ours = read(&gcov::write(&profile), 2);
    assert_eq!(ours.len(), profile.functions.len());
    for (name, expected) in &profile.functions {
        assert_eq!(ours[name].head, expected.head, "{name}");
        assert_same(name, expected, &ours[name]);
    }
    if !has_tools(&["create_gcov"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    run(Command::new("create_gcov")
        .args(["--gcov_version=1"])
        .arg(format!("--profile={}", recording.display()))
        .arg(format!("--binary={}", binary.display()))
        .arg(format!("--gcov={}", out.display())));
    let theirs = read(&std::fs::read(out).unwrap(), 1);
    assert!(theirs.len() > 20);
    let (mut equal, mut different) = (0, Vec::new());
    for (name, theirs) in &theirs {
        let ours = &ours[name];
        // A function too small for create_gcov called it once.
        assert!(ours.head - theirs.head <= 1, "{name}");
        let places = theirs.lines.iter();
        let theirs = by_line(places.map(|(place, line)| (place & !0xffff, line.0, &line.1)));
        assert!(ours.lines.keys().eq(theirs.keys()), "{name}");
        for (place, theirs) in theirs {
            if ours.lines[&place] == theirs {
                equal += 1;
            } else {
                different.push((name, place, ours.lines[&place].clone(), theirs));
            }
        }
    }
    // Lines raised to their calls, and calls summed: docs/internals/create-llvm-prof.md.
    assert!(
        equal > 500 && different.len() < 40,
        "{equal} {different:#?}"
    );
    for (name, place, ours, theirs) in &different {
        let calls: u64 = ours.1.values().sum();
        assert!(
            ours.0 == calls.max(theirs.0),
            "{name} {place:#x}: {ours:?} {theirs:?}"
        );
    }
}

const PROGRAM: &str = r#"
#include <cstdio>
__attribute__((noinline, noclone)) int work(int n) {
    int sum = 0;
    for (int i = 0;
         i < n;
         i++) {
        if (i % 64 == 3)
            sum ^= sum << 3;
        else
            sum = sum * 31
                + (sum >> 5);
        asm volatile("" : "+r"(sum));
    }
    return sum;
}
__attribute__((noinline, noclone)) int never(int x) { return x / 7; }
int main(int argc, char **argv) {
    if (argc > 1) {
        char line[512];
        FILE *maps = fopen("/proc/self/maps", "r");
        while (fgets(line, sizeof line, maps)) fputs(line, stdout);
        return 0;
    }
    int sum = 0;
    for (int k = 0; k < 20; k++)
        sum += work(300);
    if (sum == 12345) sum = never(sum);
    printf("%d\n", sum);
    return 0;
}
"#;

#[test]
fn gcc_12_uses_the_profile() {
    if !has_tools(&["g++-12", "cc"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("p.cc"), PROGRAM).unwrap();
    let gcc = |arguments: &[&str]| {
        run(Command::new("g++-12")
            .args(["-O2", "p.cc"])
            .args(arguments)
            .current_dir(directory.path()))
    };
    let flags = ["-O2", "-gdwarf-4", "-Wl,-z,now"];
    let path = compile_texts("g++-12", &[("p.cc", PROGRAM)], &flags);
    let bytes = std::fs::read(&path).unwrap();
    let recorded = [Trace::of(&path).profile(WALK_EVENT, 16).into()];
    let converted = convert(&recorded, Evidence::Branches, path.to_str(), &bytes).unwrap();
    let profile = gcov::write(&converted.attribution.samples);
    std::fs::write(directory.path().join("p.afdo"), profile).unwrap();
    let said = gcc(&[
        "-fauto-profile=p.afdo",
        "-fdump-tree-optimized-all=optimized",
        "-c",
    ]);
    assert_eq!(said, "");
    let dump = std::fs::read_to_string(directory.path().join("optimized")).unwrap();
    let function = |name: &str| {
        let after = dump.split(&format!(";; Function {name} ")).nth(1);
        let body = after.unwrap_or_else(|| panic!("no {name} in {dump}"));
        body.split(";; Function ").next().unwrap()
    };
    let counts = |name: &str| -> Vec<u64> {
        let blocks = function(name)
            .lines()
            .filter(|line| line.contains("basic block"));
        let blocks = blocks.filter(|line| line.contains("(auto FDO)"));
        let counts = blocks.filter_map(|line| line.split(", count ").nth(1)?.split(' ').next());
        counts.map(|count| count.parse().unwrap()).collect()
    };
    let samples = &converted.attribution.samples.functions["_Z4worki"];
    let hot = samples.body.values().map(|line| line.count).max().unwrap();
    let work = counts("work");
    assert_eq!(work[0], samples.head, "{dump}");
    assert_eq!(work.iter().max(), Some(&hot), "{dump}");
    let rare = 20 * 5 * hot / 6000;
    assert!(
        work.iter().any(|count| count.abs_diff(rare) <= rare / 5),
        "{work:?}"
    );
    assert!(counts("never").is_empty(), "{dump}");
}
