//! BOLT's fdata: the same lines as BOLT's own aggregator makes of the same counts, and taken by llvm-bolt.
//!
//! The program has what makes naming hard: two local functions of one name in two files, a local variable of
//! that name, an alias, and a cold fragment.

use crate::common::perf_data::perf_data;
use crate::common::{Trace, compile_texts, run};
use hone_fdo::{Code, Counted, Counts, Evidence, bolt_fdata, bolt_preaggregated, count_binary};
use hone_symbols::Binary;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::has_tools;

const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
unsigned other(unsigned);
static unsigned twice = 2;
__attribute__((noinline)) static unsigned step(unsigned x) {
    if (__builtin_expect(x % 1024 == 7, 0)) { printf("%u\n", x); x = x * 31 + twice; }
    switch (x % 8) {
        case 0: return x + 1; case 1: return x ^ 3; case 2: return x * 3; case 3: return x - 7;
        case 4: return x / 3; case 5: return x + 11; case 6: return x ^ 77; default: return x << 1;
    }
}
__attribute__((noinline)) unsigned fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1) + 1; }
unsigned named(unsigned) __attribute__((alias("fact")));
int main(int argc, char **argv) {
    if (argc > 1) {
        char line[512];
        FILE *maps = fopen("/proc/self/maps", "r");
        while (fgets(line, sizeof line, maps)) fputs(line, stdout);
        return 0;
    }
    unsigned sum = 1;
    for (unsigned i = 0; i < 300; i++) sum += step(sum ^ i) + other(i) + named(i % 7);
    printf("%u\n", sum);
    return 0;
}
"#;

const OTHER: &str = r#"
static volatile unsigned noted;
__attribute__((noinline, cold)) void note(unsigned x) { noted += x; }
__attribute__((noinline)) static unsigned step(unsigned x) {
    unsigned n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
__attribute__((noinline)) static unsigned twice(unsigned x) { return step(x) * 2; }
unsigned other(unsigned x) {
    if (x % 64 == 5) { note(x); x += 3; }
    return x % 3 ? step(x) : twice(x);
}
"#;

struct Program {
    path: PathBuf,
    bytes: Vec<u8>,
    directory: tempfile::TempDir,
}

impl Program {
    fn compile(compiler: &str, flags: &[&str]) -> Self {
        let own = ["-O2", "-Wl,-q", "-Wl,-z,now", "-Wl,--build-id=sha1"];
        let sources = [("main.c", MAIN), ("other.c", OTHER)];
        let path = compile_texts(compiler, &sources, &[&own, flags].concat());
        let directory = tempfile::tempdir().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        Self {
            path,
            bytes,
            directory,
        }
    }

    fn counts(&self, evidence: Evidence) -> Counts {
        let trace = Trace::of(&self.path);
        let binary = Binary::parse(&self.bytes).unwrap();
        let code = Code::new(&binary);
        let recorded = [trace.profile("branches", 16).into()];
        let Counted { counts, .. } =
            count_binary(&recorded, evidence, self.path.to_str(), &code).unwrap();
        counts
    }

    /// The program's run as perf would have recorded it, with 16 branches a sample.
    fn recording(&self) -> Vec<u8> {
        let trace = Trace::of(&self.path);
        let binary = Binary::parse(&self.bytes).unwrap();
        let stacks = trace.stacks(16, false);
        perf_data(&trace, "branches", &stacks, binary.build_id())
    }

    fn fdata(&self, counts: &Counts) -> String {
        let binary = Binary::parse(&self.bytes).unwrap();
        let fdata = bolt_fdata::write(counts, &Code::new(&binary));
        fdata.text
    }

    /// What BOLT makes of the pre-aggregated form of the counts.
    fn aggregated_by_bolt(&self, counts: &Counts) -> String {
        let binary = Binary::parse(&self.bytes).unwrap();
        let text = bolt_preaggregated::write_with_origins(counts, &Code::new(&binary));
        let input = self.directory.path().join("preaggregated");
        let output = self.directory.path().join("theirs.fdata");
        std::fs::write(&input, text).unwrap();
        run(Command::new("llvm-bolt-19")
            .arg(&self.path)
            .args(["-aggregate-only", "-pa", "-p"])
            .arg(input)
            .arg("-o")
            .arg(&output));
        std::fs::read_to_string(output).unwrap()
    }

    /// Lets llvm-bolt optimise by the profile; what it says.
    fn optimised_by_bolt(&self, fdata: &str) -> String {
        optimise(&self.path, fdata, self.directory.path())
    }
}

fn optimise(binary: &Path, fdata: &str, directory: &Path) -> String {
    let input = directory.join("ours.fdata");
    let output = directory.join("optimised");
    std::fs::write(&input, fdata).unwrap();
    let said = run(Command::new("llvm-bolt-19")
        .arg(binary)
        .arg(format!("-data={}", input.display()))
        .args([
            "-reorder-blocks=ext-tsp",
            "-reorder-functions=hfsort",
            "-v=1",
        ])
        .arg("-o")
        .arg(&output));
    // The start files of C hold code that BOLT does not understand, whatever the profile.
    let complains = |line: &&str| {
        let is_of_start_files = line.contains("failed to post-process indirect branches");
        let is_warning = line.starts_with("BOLT-WARNING") || line.starts_with("BOLT-ERROR");
        // One "object" is what perf2bolt too calls [unknown]: the other binaries.
        let is_ignored = line.contains("was ignored") && !line.contains("for 1 objects");
        is_warning && !is_of_start_files || is_ignored
    };
    let complaints: Vec<_> = said.lines().filter(complains).collect();
    assert!(complaints.is_empty(), "{complaints:?}\n{fdata}");
    said
}

/// (from, to) -> (mispredicted, taken)
fn lines(fdata: &str) -> BTreeMap<String, (u64, u64)> {
    let mut found = BTreeMap::new();
    for line in fdata.lines() {
        let mut fields = line.rsplitn(3, ' ');
        let taken = fields.next().unwrap().parse().unwrap();
        let mispredicted = fields.next().unwrap().parse().unwrap();
        let ends = fields.next().unwrap().to_owned();
        assert!(
            found.insert(ends, (mispredicted, taken)).is_none(),
            "{line} twice"
        );
    }
    found
}

/// BOLT answers to both names of a local symbol. It writes the one that is only numbered, and we the one with the
/// file, which stays the same when another file gets a function of that name.
fn with_files(fdata: &str) -> String {
    let names = [
        (" step/1 ", " step/main.c/1 "),
        (" step/2 ", " step/other.c/1 "),
        (" twice/1 ", " twice/other.c/1 "),
        (
            "deregister_tm_clones/1 ",
            "deregister_tm_clones/crtstuff.c/1 ",
        ),
        (
            " register_tm_clones/1 ",
            " register_tm_clones/crtstuff.c/1 ",
        ),
        ("frame_dummy/1 ", "frame_dummy/crtstuff.c/1 "),
        ("dtors_aux/1 ", "dtors_aux/crtstuff.c/1 "),
        ("other.cold/1 ", "other.cold/other.c/1 "),
    ];
    let replace = |text: String, (plain, file): (&str, &str)| text.replace(plain, file);
    names.into_iter().fold(fdata.to_owned(), replace)
}

#[test]
fn fdata_has_the_lines_that_bolt_makes_of_the_same_counts() {
    if !has_tools(&["llvm-bolt-19", "cc", "clang-19", "gcc"]) {
        return;
    }
    for compiler in ["clang-19", "gcc"] {
        let program = Program::compile(compiler, &[]);
        let counts = program.counts(Evidence::Branches);
        let mut ours = lines(&program.fdata(&counts));
        let runs_cold_part = ours.keys().any(|ends| ends.contains("other.cold"));
        assert_eq!(runs_cold_part, compiler == "gcc", "{ours:#?}");
        // The pre-aggregated form has no place for branches from and to other binaries.
        ours.retain(|ends, _| !ends.contains("[unknown]"));
        let theirs = lines(&with_files(&program.aggregated_by_bolt(&counts)));
        assert!(ours.len() > 20, "{ours:?}");
        for end in ["step/main.c/1", "step/other.c/1", "twice/other.c/1"] {
            assert!(
                ours.keys().any(|ends| ends.contains(end)),
                "{compiler}: {ours:#?}"
            );
        }
        let different = differences(&ours, &theirs);
        assert!(different.is_empty(), "{compiler}: {different:#?}");
    }
}

/// Lines with (ours, theirs) where they are not alike.
fn differences(
    ours: &BTreeMap<String, (u64, u64)>,
    theirs: &BTreeMap<String, (u64, u64)>,
) -> Vec<String> {
    let ends: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    ends.into_iter()
        .filter(|ends| ours.get(*ends) != theirs.get(*ends))
        .map(|ends| format!("{ends}: {:?} {:?}", ours.get(ends), theirs.get(ends)))
        .collect()
}

#[test]
fn perf2bolt_makes_the_same_of_the_same_recording() {
    // Under the name perf2bolt-19 it does not know what it is.
    let perf2bolt = Path::new("/usr/lib/llvm-19/bin/perf2bolt");
    if !has_tools(&["perf", "cc", "clang-19", "gcc"]) || !perf2bolt.exists() {
        println!("skipped: {} is not there", perf2bolt.display());
        return;
    }
    for compiler in ["clang-19", "gcc"] {
        // A jump that a table leads to the next instruction is not in the trace.
        let program = Program::compile(compiler, &["-fno-jump-tables"]);
        let recording = program.recording();
        let profile = hone_profile::perf_data::read(&recording).unwrap();
        let binary = Binary::parse(&program.bytes).unwrap();
        let counted = count_binary(
            &[profile.into()],
            Evidence::Branches,
            program.path.to_str(),
            &Code::new(&binary),
        );
        let ours = lines(&program.fdata(&counted.unwrap().counts));
        let file = program.directory.path().join("perf.data");
        let output = program.directory.path().join("theirs.fdata");
        std::fs::write(&file, &recording).unwrap();
        run(Command::new(perf2bolt)
            .arg(&program.path)
            .arg("-p")
            .arg(&file)
            .arg("-o")
            .arg(&output));
        let theirs = std::fs::read_to_string(output).unwrap();
        let different = differences(&ours, &lines(&with_files(&theirs)));
        assert!(different.is_empty(), "{compiler}: {different:#?}");
    }
}

#[test]
fn llvm_bolt_takes_both_modes_without_complaint() {
    if !has_tools(&["llvm-bolt-19", "cc", "clang-19"]) {
        return;
    }
    let program = Program::compile("clang-19", &[]);
    let said = program.optimised_by_bolt(&program.fdata(&program.counts(Evidence::Branches)));
    assert!(!said.contains("no LBR"), "{said}");
    assert!(said.contains("have non-empty execution profile"), "{said}");
    let plain = program.fdata(&program.counts(Evidence::IpSamples));
    assert!(plain.starts_with("no_lbr cycles\n1 "), "{plain}");
    let said = program.optimised_by_bolt(&plain);
    assert!(
        said.contains("normalizing samples by instruction count"),
        "{said}"
    );
    assert!(said.contains("have non-empty execution profile"), "{said}");
}
