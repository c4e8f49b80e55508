//! Profiles by probes as counters of instrumented PGO: against the counters of a program that was instrumented and run, and
//! in the hands of clang.

use crate::common::{Trace, compile_source, run};
use hone_fdo::counters::{self, Account, Counters, Flat};
use hone_fdo::{WALK_EVENT, convert_probes};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::has_tools;

const TOOLS: [&str; 5] = [
    "clang++-19",
    "ld.lld-19",
    "cc",
    "opt-19",
    "llvm-profdata-19",
];
/// Of all builds, so that names and blocks are the same.
const COMMON: [&str; 3] = [
    "-g1",
    "-fdebug-info-for-profiling",
    "-funique-internal-linkage-names",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/counters.cpp")
}

/// The IR of the source, unoptimised, with the names of its values.
fn ir(directory: &Path, level: &str) -> PathBuf {
    let file = directory.join("counters.bc");
    let wanted = [
        "-Xclang",
        "-disable-llvm-passes",
        "-fno-discard-value-names",
    ];
    run(Command::new("clang++-19")
        .arg(level)
        .args(COMMON)
        .args(["-c", "-emit-llvm", "-o"])
        .arg(&file)
        .args(wanted)
        .arg(source()));
    file
}

/// The module where counters are set.
fn module(ir: &Path, level: &str, with_probes: bool) -> counters::Module {
    let first = if with_probes { "pseudo-probe," } else { "" };
    let printed = ir.with_extension("printed");
    let status = Command::new("opt-19")
        .arg(format!("-passes={first}default<{}>", &level[1..]))
        .args(["-pgo-kind=pgo-instr-gen-pipeline", "-disable-preinline"])
        .args(["-print-after=pgo-instr-gen", "-print-before=instrprof"])
        .args(["-print-module-scope", "-disable-output"])
        .arg(ir)
        .stderr(File::create(&printed).unwrap())
        .status();
    assert!(status.unwrap().success());
    let module = counters::read(BufReader::new(File::open(printed).unwrap())).unwrap();
    assert!(module.is_whole());
    module
}

/// The profile, as the compiler reads it, of a program of which every instruction is known.
fn profile(directory: &Path, level: &str) -> (PathBuf, Account) {
    let flags = [&COMMON[..], &[level, "-fpseudo-probe-for-profiling"]].concat();
    let trace = Trace::of(&compile_source(&source(), "counters-probed", &flags));
    let bytes = fs::read(&trace.path).unwrap();
    let recorded = [trace.profile(WALK_EVENT, 32).into()];
    let converted = convert_probes(&recorded, trace.path.to_str(), &bytes).unwrap();
    let ir = ir(directory, level);
    let (probed, plain) = (module(&ir, level, true), module(&ir, level, false));
    let mut counters = Counters::default();
    let flat = Flat::of(&converted.attribution.samples, &converted.symbols);
    counters.take_in(&flat, &probed, &plain);
    counters.settle();
    let (text, made) = (directory.join("text"), directory.join("made.profdata"));
    fs::write(&text, counters::write(&counters)).unwrap();
    run(Command::new("llvm-profdata-19")
        .args(["merge", "-o"])
        .args([&made, &text]));
    (made, counters.account(&flat))
}

/// What the program counts itself.
fn truth(directory: &Path, level: &str) -> PathBuf {
    let raw = directory.join("raw.profraw");
    let flags = [
        &COMMON[..],
        &[level, "-fprofile-generate", "-mllvm", "-disable-preinline"],
    ]
    .concat();
    let binary = compile_source(&source(), "counters-instrumented", &flags);
    run(Command::new(binary).env("LLVM_PROFILE_FILE", &raw));
    let merged = directory.join("truth.profdata");
    run(Command::new("llvm-profdata-19")
        .args(["merge", "-o"])
        .args([&merged, &raw]));
    merged
}

/// A percentage or a number behind a label of `llvm-profdata overlap`.
fn figure(text: &str, label: &str) -> f64 {
    let line = text.lines().find(|line| line.trim().starts_with(label));
    let line = line.unwrap_or_else(|| panic!("no {label}: {text}"));
    let value = line.rsplit(' ').next().unwrap();
    value.trim_end_matches('%').parse().unwrap()
}

/// What is missing are selects that the recorded build has no branch for.
#[test]
fn counters_are_those_of_an_instrumented_run_at_every_level() {
    if !has_tools(&TOOLS) {
        return;
    }
    for level in ["-O1", "-O2", "-O3"] {
        let directory = tempfile::tempdir().unwrap();
        let (made, account) = profile(directory.path(), level);
        assert_eq!(
            (account.stale, account.unmatched),
            (0, 0),
            "{level}: {account:?}"
        );
        let never = run(Command::new("llvm-profdata-19")
            .args(["show", "--counts", "--function=_Z5neveri"])
            .arg(&made));
        assert!(never.contains("Block counts: [0, 0]"), "{level}: {never}");
        assert_eq!(account.unseen, 1, "{level}: {account:?}");
        let truth = truth(directory.path(), level);
        let overlap = run(Command::new("llvm-profdata-19")
            .arg("overlap")
            .args([&truth, &made]));
        assert!(!overlap.contains("mismatch"), "{level}: {overlap}");
        assert!(
            figure(&overlap, "# of functions overlap:") >= 8.0,
            "{level}: {overlap}"
        );
        assert!(
            figure(&overlap, "Edge profile overlap:") > 90.0,
            "{level}: {overlap}"
        );
        let calls = figure(&overlap, "IndirectCall profile overlap:");
        assert!(calls > 99.0, "{level}: {overlap}");
    }
}

#[test]
fn clang_takes_the_counters_for_those_of_its_own() {
    if !has_tools(&TOOLS) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (made, _) = profile(directory.path(), "-O2");
    let use_flag = format!("-fprofile-use={}", made.display());
    for more in [&[][..], &["-flto=thin"]] {
        let said = run(Command::new("clang++-19")
            .args(COMMON)
            .args(["-O2", &use_flag, "-mllvm", "-disable-preinline", "-c", "-o"])
            .arg(directory.path().join("used.o"))
            .args([
                "-Werror=profile-instr-out-of-date",
                "-Werror=backend-plugin",
            ])
            .args(["-Rpass=pgo-icall-prom"])
            .args(more)
            .arg(source()));
        assert!(
            said.contains("Promote indirect call to"),
            "{more:?}: {said}"
        );
        assert!(said.contains("twice"), "{more:?}: {said}");
    }
}
