//! Functions in parts: coroutines, blocks in sections of their own, flow-sensitive discriminators. What comes out must
//! be what LLVM's own producer makes of the same branches, and what clang looks for.

use crate::common::{
    Trace, comparable_llvm_profgen, compile_source, discarded, run, source_with_parts,
};
use hone_fdo::WALK_EVENT;
use hone_fdo::check::{self, ParsedFunction};
use hone_fdo::{Converted, Evidence, convert, convert_probes, extbinary};
use std::collections::BTreeMap;
use std::process::Command;
use testkit::has_tools;

const TOOLS: [&str; 3] = ["clang++-19", "ld.lld-19", "cc"];
const PROFILING: [&str; 3] = ["-O2", "-g1", "-fdebug-info-for-profiling"];
const PROBES: &str = "-fpseudo-probe-for-profiling";
const FLOW_SENSITIVE: [&str; 2] = ["-mllvm", "-enable-fs-discriminator=1"];
/// From its callers down, which is the default, clang 19 never comes to a coroutine.
const NOT_TOP_DOWN: [&str; 2] = ["-mllvm", "-sample-profile-top-down-load=0"];
/// As in the source of the program.
const COUNT: u64 = 300;
const COROUTINE: &str = "_Z7numbersj";

fn traced(name: &str, flags: &[&str]) -> Trace {
    let flags = [&["-std=c++20"], &PROFILING[..], flags].concat();
    let source = source_with_parts();
    Trace::of(&compile_source(&source, &format!("parts-{name}"), &flags))
}

fn converted(trace: &Trace, event: &str) -> Converted {
    let bytes = std::fs::read(&trace.path).unwrap();
    let recorded = [trace.profile(event, 32).into()];
    convert(&recorded, Evidence::Branches, trace.path.to_str(), &bytes).unwrap()
}

fn converted_probes(trace: &Trace, event: &str) -> Converted {
    let bytes = std::fs::read(&trace.path).unwrap();
    let recorded = [trace.profile(event, 32).into()];
    convert_probes(&recorded, trace.path.to_str(), &bytes).unwrap()
}

/// Compiles the program with the profile; what clang says of it.
fn applied(converted: &Converted, flags: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let profile = dir.path().join("profile");
    let bytes = extbinary::write(&converted.attribution.samples, Some(&converted.symbols));
    std::fs::write(&profile, bytes).unwrap();
    run(Command::new("clang++-19")
        .args(PROFILING)
        .args(flags)
        .args(["-std=c++20", "-c", "-Rpass-analysis=sample-profile"])
        .args(["-mllvm", "-report-profile-staleness"])
        .arg(format!("-fprofile-sample-use={}", profile.display()))
        .arg(source_with_parts())
        .arg("-o")
        .arg(dir.path().join("object")))
}

/// What clang applied at a line of the program.
fn applied_at<'o>(output: &'o str, code: &str) -> Vec<&'o str> {
    let source = std::fs::read_to_string(source_with_parts()).unwrap();
    let line = source.lines().position(|line| line.contains(code)).unwrap() + 1;
    let place = format!("parts.cpp:{line}:");
    let lines = output.lines().filter(|text| text.contains(&place));
    lines.filter(|text| text.contains("Applied ")).collect()
}

#[test]
fn what_a_coroutine_is_cut_into_belongs_to_it() {
    if !has_tools(&TOOLS) {
        return;
    }
    let trace = traced("coroutine", &[]);
    let converted = converted(&trace, WALK_EVENT);
    let samples = &converted.attribution.samples;
    let parts = samples.functions.keys().filter(|name| name.contains('.'));
    assert_eq!(parts.collect::<Vec<_>>(), [""; 0]);
    let function = &samples.functions[COROUTINE];
    let most = function.body.values().map(|line| line.count).max();
    assert_eq!(most, Some(8 * COUNT));
    // Going on is no call: promoted, it would be a call of the function that makes the coroutine.
    assert_eq!(function.head, 1);
    let called = |function: &ParsedFunction| {
        let lines = function.lines.values();
        lines
            .map(|line| line.1.get(COROUTINE).copied().unwrap_or(0))
            .sum::<u64>()
    };
    let read = check::read_extbinary(&extbinary::write(samples, None)).unwrap();
    let drain = read
        .functions
        .iter()
        .find(|(name, _)| name.contains("5drain"));
    assert_eq!(
        drain.unwrap().1.inlined.values().map(called).sum::<u64>(),
        0
    );
    if has_tools(&["llvm-profgen-19"]) {
        let stacks = self::converted(&trace, "cycles");
        let theirs = comparable_llvm_profgen(&trace, &stacks.attribution.samples);
        assert_eq!(check::compare(&stacks.attribution.samples, &theirs), []);
    }
    let output = applied(&converted, &NOT_TOP_DOWN);
    let inner = applied_at(&output, "k < 8");
    let wanted = format!("Applied {} samples", 8 * COUNT);
    assert!(inner.iter().any(|text| text.contains(&wanted)), "{output}");
}

#[test]
fn probes_of_a_coroutine_belong_to_it() {
    if !has_tools(&TOOLS) {
        return;
    }
    let converted = converted_probes(&traced("coroutine-probes", &[PROBES]), WALK_EVENT);
    let samples = &converted.attribution.samples;
    assert!(
        !samples
            .functions
            .keys()
            .any(|name| name.ends_with(".resume"))
    );
    let function = &samples.functions[COROUTINE];
    let most = function.body.values().map(|line| line.count).max();
    assert_eq!((function.head, most), (1, Some(9 * COUNT)));
    let output = applied(&converted, &[&[PROBES], &NOT_TOP_DOWN[..]].concat());
    let (discarded, all) = discarded(&output);
    assert!(discarded * 100 <= all, "{discarded} of {all}");
}

#[test]
fn blocks_in_sections_of_their_own_belong_to_their_function() {
    if !has_tools(&TOOLS) {
        return;
    }
    // If told so, the linker takes away the jumps from one part to the next, so that control runs on. (It does not
    // mend the line tables, of which llvm-profgen then makes something else.)
    for jumps in ["-Wl,--no-optimize-bb-jumps", "-Wl,--optimize-bb-jumps"] {
        let trace = traced("blocks", &["-fbasic-block-sections=all", jumps]);
        let converted = converted(&trace, WALK_EVENT);
        let counted = &converted.counts.report;
        assert_eq!(counted.ranges_dropped(), 0, "{jumps}: {counted:?}");
        let report = &converted.attribution.report;
        assert!(report.attributed * 10 > report.weight * 9, "{report:?}");
        let samples = &converted.attribution.samples;
        let work = &samples.functions["_Z4workj"];
        let most = work.body.values().map(|line| line.count).max();
        assert!(most >= Some(COUNT), "{jumps}: {most:?}");
        if jumps.starts_with("-Wl,--no") && has_tools(&["llvm-profgen-19"]) {
            let stacks = self::converted(&trace, "cycles");
            let theirs = comparable_llvm_profgen(&trace, &stacks.attribution.samples);
            assert_eq!(check::compare(&stacks.attribution.samples, &theirs), []);
        }
    }
}

/// The profile as the compiler's reader makes it of one with flow-sensitive discriminators.
fn with_base_discriminators(function: ParsedFunction) -> ParsedFunction {
    let mut lines: BTreeMap<(u32, u32), (u64, BTreeMap<String, u64>)> = BTreeMap::new();
    for ((line, discriminator), (count, targets)) in function.lines {
        let sum = lines.entry((line, discriminator & 0xff)).or_default();
        sum.0 += count;
        for (target, calls) in targets {
            *sum.1.entry(target).or_default() += calls;
        }
    }
    ParsedFunction {
        lines,
        inlined: function
            .inlined
            .into_iter()
            .map(|((line, discriminator, name), callee)| {
                let place = (line, discriminator & 0xff, name);
                (place, with_base_discriminators(callee))
            })
            .collect(),
        ..function
    }
}

#[test]
fn flow_sensitive_discriminators_are_read_as_such() {
    if !has_tools(&TOOLS) {
        return;
    }
    let trace = traced("flow-sensitive", &FLOW_SENSITIVE);
    let converted = converted(&trace, WALK_EVENT);
    let samples = &converted.attribution.samples;
    let mut most = 0;
    for function in samples.functions.values() {
        function.visit(&mut |level| {
            most = most.max(
                level
                    .body
                    .values()
                    .map(|line| line.count)
                    .max()
                    .unwrap_or(0),
            );
        });
    }
    assert!((COUNT..=3 * COUNT).contains(&most), "{most}");
    if has_tools(&["llvm-profgen-19"]) {
        let stacks = self::converted(&trace, "cycles");
        let mut theirs = comparable_llvm_profgen(&trace, &stacks.attribution.samples);
        let functions = std::mem::take(&mut theirs.functions).into_iter();
        theirs.functions = functions
            .map(|(name, function)| (name, with_base_discriminators(function)))
            .collect();
        assert_eq!(check::compare(&stacks.attribution.samples, &theirs), []);
    }
    // A build that has such discriminators takes the profile, and one that has none.
    for flags in [&FLOW_SENSITIVE[..], &[]] {
        let output = applied(&converted, flags);
        let inner = applied_at(&output, "x += checked(x)");
        let wanted = format!("Applied {COUNT} samples");
        assert!(inner.iter().any(|text| text.contains(&wanted)), "{output}");
    }
}
