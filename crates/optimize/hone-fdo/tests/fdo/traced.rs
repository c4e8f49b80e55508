//! Programs whose every instruction is known: what comes out must be exactly what ran, and exactly what
//! LLVM's own producer makes of the same branches.

use crate::common::{
    LAYOUTS, PROFILING, Trace, comparable_llvm_profgen, discarded, run, shapes, source,
};
use hone_fdo::check;
use hone_fdo::{
    Converted, Evidence, Warning, autofdo_text, bolt_preaggregated, convert, extbinary,
};
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

/// The index of the static layout, which is the last.
const STATIC: usize = LAYOUTS.len() - 1;
const TOOLS: [&str; 3] = ["clang++-19", "ld.lld-19", "cc"];
/// Calls of `hot`, and of the two virtual functions in it, as the source of the program has them.
const HOT_CALLS: u64 = 24;
const SQUARES: u64 = 30 * HOT_CALLS;
const TRIANGLES: u64 = 10 * HOT_CALLS;

/// The trace of the program in one layout.
fn traced(layout: usize) -> Trace {
    Trace::of(&shapes(layout))
}

fn converted(trace: &Trace, event: &str) -> Converted {
    let bytes = std::fs::read(&trace.path).unwrap();
    convert(
        &[trace.profile(event, 32).into()],
        Evidence::Branches,
        trace.path.to_str(),
        &bytes,
    )
    .unwrap()
}

/// Bytes of the program's instructions between the first and the last taken branch.
fn executed_bytes(trace: &Trace) -> u64 {
    let is_taken =
        |pair: &[(u64, u64)]| pair[1].0 != pair[0].0 + pair[0].1 && pair[1].0 != pair[0].0;
    let pairs = || trace.instructions.windows(2);
    let first = pairs().position(is_taken).unwrap() + 1;
    let last = pairs().rposition(is_taken).unwrap();
    let mut run = trace.instructions[first..=last].to_vec();
    // Repetitions of a string instruction are one execution of the instruction.
    run.dedup();
    run.iter()
        .filter(|(address, _)| trace.offset(*address).is_some())
        .map(|(_, length)| length)
        .sum()
}

#[test]
fn a_walk_accounts_for_every_instruction_in_every_layout() {
    if !has_tools(&TOOLS) {
        return;
    }
    for (layout, (name, _)) in LAYOUTS.iter().enumerate() {
        let trace = &traced(layout);
        let converted = converted(trace, hone_fdo::WALK_EVENT);
        let report = &converted.attribution.report;
        assert_eq!(converted.counts.report.ranges_dropped(), 0, "{name}");
        assert_eq!(report.misaligned_ranges, 0, "{name}");
        assert_eq!(report.weight, executed_bytes(trace), "{name}");
        assert_eq!(
            report.attributed + report.no_symbol + report.no_source,
            report.weight,
            "{name}"
        );
        let functions = &converted.attribution.samples.functions;
        let head = |part: &str| {
            let mut named = functions.iter().filter(|(name, _)| name.contains(part));
            let (_, function) = named.next().unwrap_or_else(|| panic!("{name}: no {part}"));
            assert!(named.next().is_none(), "{name}: two functions with {part}");
            function.head
        };
        assert_eq!(head("3hot"), HOT_CALLS, "{name}");
        assert_eq!(head("Square4area"), SQUARES, "{name}");
        assert_eq!(head("Triangle4area"), TRIANGLES, "{name}");
        assert_eq!(
            converted.warnings.len(),
            1,
            "{name}: {:?}",
            converted.warnings
        );
        assert!(
            matches!(converted.warnings[0], Warning::MatchedByName { .. }),
            "{name}"
        );
    }
}

#[test]
fn what_is_written_is_read_back_and_taken_by_llvm_profdata() {
    if !has_tools(&TOOLS) || !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let converted = converted(&traced(0), "cycles");
    let samples = &converted.attribution.samples;
    let text = autofdo_text::write(samples);
    let binary = extbinary::write(samples, Some(&converted.symbols));
    let (from_text, from_binary) = (
        check::read_text(&text).unwrap(),
        check::read_extbinary(&binary).unwrap(),
    );
    assert_eq!(from_text.functions, from_binary.functions);
    assert_eq!(check::compare(samples, &from_text), []);
    assert_eq!(
        check::conservation(&converted.attribution, &from_binary),
        []
    );
    assert!(
        from_binary.unique_suffix,
        "the program has internal functions with unique names"
    );
    assert_eq!(from_binary.symbol_list, converted.symbols);

    let (text_path, binary_path) = (dir.path().join("text"), dir.path().join("binary"));
    std::fs::write(&text_path, &text).unwrap();
    std::fs::write(&binary_path, &binary).unwrap();
    let show = |path: &Path, form: &str| {
        run(Command::new("llvm-profdata-19")
            .args(["show", "--sample", form])
            .arg(path))
    };
    for form in ["--all-functions", "--detailed-summary"] {
        assert_eq!(show(&text_path, form), show(&binary_path, form));
    }
    for (name, function) in &samples.functions {
        let line = format!("Function: {name}: {}, {}, ", function.total, function.head);
        assert!(
            show(&text_path, "--all-functions").contains(&line),
            "{line}"
        );
    }
    // The summary that LLVM computes from the text is the one that we wrote.
    let rewritten = dir.path().join("rewritten");
    run(Command::new("llvm-profdata-19")
        .args(["merge", "--sample", "--text", "-o"])
        .args([&rewritten, &binary_path]));
    assert_eq!(std::fs::read_to_string(rewritten).unwrap(), text);
}

#[test]
fn the_profile_is_that_of_llvm_profgen() {
    if !has_tools(&TOOLS) || !has_tools(&["llvm-profgen-19"]) {
        return;
    }
    // The static one has thousands of functions without debug info, whose names llvm-profgen does not use.
    for (layout, (name, _)) in LAYOUTS[..STATIC].iter().enumerate() {
        let trace = &traced(layout);
        let samples = converted(trace, "cycles").attribution.samples;
        let theirs = comparable_llvm_profgen(trace, &samples);
        assert!(
            theirs.functions.len() >= 5,
            "{name}: {:?}",
            theirs.functions.keys()
        );
        assert_eq!(check::compare(&samples, &theirs), [], "{name}");
    }
}

#[test]
fn clang_applies_the_profile() {
    if !has_tools(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let converted = converted(&traced(0), "cycles");
    let profile = dir.path().join("profile");
    let samples = &converted.attribution.samples;
    let binary_form = extbinary::write(samples, Some(&converted.symbols));
    for bytes in [autofdo_text::write(samples).into_bytes(), binary_form] {
        std::fs::write(&profile, bytes).unwrap();
        let output = run(Command::new("clang++-19")
            .args(PROFILING)
            .args([
                "-std=c++17",
                "-fpie",
                "-c",
                "-Wall",
                "-Rpass-analysis=sample-profile",
            ])
            .args(["-mllvm", "-report-profile-staleness"])
            .arg(format!("-fprofile-sample-use={}", profile.display()))
            .arg(source())
            .arg("-o")
            .arg(dir.path().join("object")));
        assert!(!output.contains("warning:"), "{output}");
        // The line of the virtual call, offset 4 from the first line of `hot`.
        let applied = format!("Applied {} samples from profile", SQUARES + TRIANGLES);
        let mut remarks = output
            .lines()
            .filter(|line| line.contains("shapes.cpp:47:"));
        assert!(remarks.any(|line| line.contains(&applied)), "{output}");
        let (discarded, all) = discarded(&output);
        assert!(
            discarded * 100 <= all,
            "{discarded} of {all} samples discarded"
        );
    }
}

#[test]
fn bolt_takes_the_preaggregated_counts() {
    if !has_tools(&TOOLS) || !has_tools(&["perf2bolt-19", "llvm-bolt-19"]) {
        return;
    }
    for (layout, (name, _)) in LAYOUTS[..STATIC].iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let trace = &traced(layout);
        let counts = converted(trace, "cycles").counts;
        let (input, fdata) = (dir.path().join("counts"), dir.path().join("fdata"));
        std::fs::write(&input, bolt_preaggregated::write(&counts)).unwrap();
        let output = run(Command::new("perf2bolt-19")
            .args(["-aggregate-only", "-pa", "-p"])
            .arg(input)
            .arg("-o")
            .arg(&fdata)
            .arg(&trace.path));
        for problem in [
            "traces mismatching disassembled function contents: ",
            "Out of range traces involving unknown regions: ",
        ] {
            let (_, number) = output
                .split_once(problem)
                .unwrap_or_else(|| panic!("{output}"));
            assert!(number.starts_with('0'), "{name}: {output}");
        }
        let fdata_text = std::fs::read_to_string(&fdata).unwrap();
        let calls = fdata_text
            .lines()
            .filter(|line| line.contains("main") && line.contains("3hot"));
        let calls: Vec<&str> = calls.filter(|line| line.starts_with("1 main")).collect();
        assert!(
            calls
                .iter()
                .any(|line| line.ends_with(&format!(" 0 {HOT_CALLS}"))),
            "{name}: {calls:?}"
        );
        let optimised = dir.path().join("optimised");
        run(Command::new("llvm-bolt-19")
            .arg(&trace.path)
            .args(["-reorder-blocks=ext-tsp", "-data"])
            .arg(fdata)
            .arg("-o")
            .arg(&optimised));
        let (before, after) = (
            run(&mut Command::new(&trace.path)),
            run(&mut Command::new(optimised)),
        );
        assert_eq!(before, after, "{name}");
    }
}

#[test]
fn indirect_calls_are_counted_at_their_line() {
    if !has_tools(&TOOLS) {
        return;
    }
    let trace = &traced(0);
    let bytes = std::fs::read(&trace.path).unwrap();
    let binary = hone_symbols::Binary::parse(&bytes).unwrap();
    let debug = hone_symbols::DebugInfo::parse(&binary).unwrap();
    let counts = converted(trace, hone_fdo::WALK_EVENT).counts;
    let code = hone_fdo::Code::new(&binary);
    let found = hone_fdo::indirect::indirect_calls(&counts, &code, Some(&debug));
    let site = &found.sites[0];
    assert!(site.file.ends_with("shapes.cpp"), "{site:?}");
    assert_eq!((site.line, site.calls), (47, SQUARES + TRIANGLES));
    assert!(site.function.starts_with("hot("), "{site:?}");
    let targets: Vec<(bool, u64)> = site
        .targets
        .iter()
        .map(|(name, count)| (name.contains("Square::area"), *count))
        .collect();
    assert_eq!(targets, [(true, SQUARES), (false, TRIANGLES)]);
    assert_eq!(
        found.calls,
        found.sites.iter().map(|site| site.calls).sum::<u64>()
    );
    let own = trace
        .instructions
        .iter()
        .filter(|(address, _)| trace.offset(*address).is_some());
    let own = own.count() as u64;
    let counted = found.instructions + found.plt_instructions;
    // Without the instructions before the first and after the last branch, and repetitions.
    assert!(counted <= own && counted + 200 > own, "{counted} of {own}");
    assert!(found.per_1000_instructions().unwrap() > 20.0);
}
