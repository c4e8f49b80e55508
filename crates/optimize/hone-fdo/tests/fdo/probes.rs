//! Profiles keyed by pseudo probes: against the truth of a traced program, against `llvm-profgen-19`, and in
//! the hands of clang.

use crate::common::{
    Builder, LAYOUTS, Place, Trace, compile, discarded, llvm_profgen, raise_to_calls, run, source,
};
use hone_fdo::WALK_EVENT;
use hone_fdo::check::{self, ParsedFunction};
use hone_fdo::{Converted, FdoError, Warning, autofdo_text, convert_probes, extbinary};
use hone_profile::{FileOffset, Profile, Svma};
use hone_symbols::{Binary, Probes};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

const TOOLS: [&str; 3] = ["clang++-19", "ld.lld-19", "cc"];
/// Without debug info clang makes no probes for calls. The third is for `llvm-profgen`, which finds functions by
/// their names in it.
const WITH_PROBES: [&str; 4] = [
    "-O2",
    "-g1",
    "-fdebug-info-for-profiling",
    "-fpseudo-probe-for-profiling",
];
/// As in the source of the program.
const HOT_CALLS: u64 = 24;
const SQUARES: u64 = 30 * HOT_CALLS;
const TRIANGLES: u64 = 10 * HOT_CALLS;

/// The trace of the program in one layout.
fn traced(layout: usize) -> Trace {
    let flags = [&WITH_PROBES, LAYOUTS[layout].1].concat();
    Trace::of(&compile(&format!("probes-{layout}"), &flags))
}

fn converted(trace: &Trace, event: &str) -> Converted {
    let bytes = std::fs::read(&trace.path).unwrap();
    convert_probes(
        &[trace.profile(event, 32).into()],
        trace.path.to_str(),
        &bytes,
    )
    .unwrap()
}

#[test]
fn every_execution_of_a_probe_is_in_the_profile() {
    if !has_tools(&TOOLS) {
        return;
    }
    for (layout, (name, _)) in LAYOUTS.iter().enumerate() {
        let trace = &traced(layout);
        let converted = converted(trace, WALK_EVENT);
        let bytes = std::fs::read(&trace.path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let probes = Probes::parse(&binary).unwrap().unwrap();
        assert_eq!(probes.losses().sum(), 0, "{name}");
        let text = autofdo_text::write(&converted.attribution.samples);
        let read = check::read_text(&text).unwrap();
        let conservation = |read| {
            check::conservation_of_probes(&converted.counts, &probes, &converted.attribution, read)
        };
        assert_eq!(conservation(&read), [], "{name}");
        let mut changed = read.clone();
        changed.functions.values_mut().next().unwrap().total += 1;
        assert_eq!(conservation(&changed).len(), 1);
        assert_eq!(
            read.total(),
            executed_probes(trace, &binary, &probes),
            "{name}"
        );

        let by_name = matches!(converted.warnings[..], [Warning::MatchedByName { .. }]);
        assert!(by_name, "{name}: {:?}", converted.warnings);
        let functions = &converted.attribution.samples.functions;
        let named = |part: &str| {
            let mut named = functions.iter().filter(|(name, _)| name.contains(part));
            named
                .next()
                .unwrap_or_else(|| panic!("{name}: no {part}"))
                .1
        };
        assert_eq!(named("3hot").head, HOT_CALLS, "{name}");
        assert_eq!(named("Square4area").head, SQUARES, "{name}");
        assert_eq!(named("Triangle4area").head, TRIANGLES, "{name}");
        let calls = named("3hot").body.values();
        let targets: Vec<_> = calls.flat_map(|place| place.targets.values()).collect();
        assert_eq!(targets, [&SQUARES, &TRIANGLES], "{name}");
    }
}

/// How often a probe stood at an instruction between the first and the last taken branch.
fn executed_probes(trace: &Trace, binary: &Binary<'_>, probes: &Probes<'_>) -> u64 {
    let is_taken =
        |pair: &[(u64, u64)]| pair[1].0 != pair[0].0 + pair[0].1 && pair[1].0 != pair[0].0;
    let pairs = || trace.instructions.windows(2);
    let first = pairs().position(is_taken).unwrap() + 1;
    let last = pairs().rposition(is_taken).unwrap();
    let mut at: BTreeMap<u64, u64> = BTreeMap::new();
    for (address, _) in &trace.instructions[first..=last] {
        let svma = trace
            .offset(*address)
            .and_then(|offset| binary.svma_of(offset));
        if let Some(Svma(svma)) = svma {
            *at.entry(svma).or_default() += 1;
        }
    }
    at.iter()
        .map(|(&svma, count)| count * probes.at(Svma(svma)).len() as u64)
        .sum()
}

/// Whether anything in it ran.
fn ran(function: &ParsedFunction) -> bool {
    function.lines.values().any(|(count, _)| *count > 0) || function.inlined.values().any(ran)
}

#[test]
fn the_profile_is_that_of_llvm_profgen() {
    if !has_tools(&TOOLS) || !has_tools(&["llvm-profgen-19"]) {
        return;
    }
    // The static one has functions without debug info, which llvm-profgen does not name as targets.
    let dynamic = &LAYOUTS[..LAYOUTS.len() - 1];
    for (layout, (name, _)) in dynamic.iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let trace = &traced(layout);
        let mut theirs = llvm_profgen(trace, dir.path());
        theirs.functions.values_mut().for_each(raise_to_calls);
        // llvm-profgen also lists functions none of whose probes ran.
        theirs.functions.retain(|_, function| ran(function));
        let samples = converted(trace, "cycles").attribution.samples;
        assert!(
            theirs.functions.len() >= 5,
            "{name}: {:?}",
            theirs.functions.keys()
        );
        assert_eq!(check::compare(&samples, &theirs), [], "{name}");
    }
}

#[test]
fn both_forms_are_taken_by_llvm_profdata() {
    if !has_tools(&TOOLS) || !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let converted = converted(&traced(0), "cycles");
    let samples = &converted.attribution.samples;
    let text = autofdo_text::write(samples);
    let binary = extbinary::write(samples, Some(&converted.symbols));
    let from_text = check::read_text(&text).unwrap();
    assert_eq!(check::compare(samples, &from_text), []);
    assert_eq!(
        from_text.functions,
        check::read_extbinary(&binary).unwrap().functions
    );
    assert!(
        from_text
            .functions
            .values()
            .all(|function| function.checksum.is_some())
    );

    let (text_path, binary_path) = (dir.path().join("text"), dir.path().join("binary"));
    std::fs::write(&text_path, &text).unwrap();
    std::fs::write(&binary_path, &binary).unwrap();
    let profdata = || Command::new("llvm-profdata-19");
    let show = |path: &Path| {
        run(profdata()
            .args(["show", "--sample", "--all-functions"])
            .arg(path))
    };
    assert_eq!(show(&text_path), show(&binary_path));
    let sections = run(profdata()
        .args(["show", "--sample", "--show-sec-info-only"])
        .arg(&binary_path));
    assert!(
        sections.contains("FunctionMetadata") && sections.contains("{probe}"),
        "{sections}"
    );
    let rewritten = dir.path().join("rewritten");
    run(profdata()
        .args(["merge", "--sample", "--text", "-o"])
        .args([&rewritten, &binary_path]));
    assert_eq!(std::fs::read_to_string(rewritten).unwrap(), text);
}

#[test]
fn clang_applies_the_profile_and_sees_where_it_is_stale() {
    if !has_tools(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let converted = converted(&traced(0), "cycles");
    let samples = &converted.attribution.samples;
    let forms = [
        autofdo_text::write(samples).into_bytes(),
        extbinary::write(samples, Some(&converted.symbols)),
    ];
    for form in forms {
        let profile = dir.path().join("profile");
        std::fs::write(&profile, form).unwrap();
        let output = rebuild(&source(), &profile, dir.path());
        assert!(!output.contains("warning:"), "{output}");
        // The virtual call in `hot`.
        let applied = format!(
            "Applied {} samples from profile (ProbeId=",
            SQUARES + TRIANGLES
        );
        let mut remarks = output
            .lines()
            .filter(|line| line.contains("shapes.cpp:47:"));
        assert!(remarks.any(|line| line.contains(&applied)), "{output}");
        assert_eq!(discarded(&output).0, 0, "{output}");

        // Another block in `hot`, and its checksum is another.
        let text = std::fs::read_to_string(source()).unwrap();
        let changed = text.replace("seed = mix(seed);", "if (seed != 0) seed = mix(seed);");
        assert_ne!(changed, text);
        let path = dir.path().join("shapes.cpp");
        std::fs::write(&path, changed).unwrap();
        let output = rebuild(&path, &profile, dir.path());
        let (stale, all) = discarded(&output);
        assert!(stale > 0 && stale <= all, "{stale} of {all}: {output}");
    }
}

/// Compiles with the profile; returns what the compiler says.
fn rebuild(path: &Path, profile: &Path, dir: &Path) -> String {
    // The names of internal functions are made of the path.
    let (own, original) = (path.parent().unwrap(), source());
    let original = original.parent().unwrap();
    run(Command::new("clang++-19")
        .args(WITH_PROBES)
        .args(["-std=c++17", "-fpie", "-c", "-Wall"])
        .args([
            "-Rpass-analysis=sample-profile",
            "-mllvm",
            "-report-profile-staleness",
        ])
        .arg(format!("-fprofile-sample-use={}", profile.display()))
        .arg(format!(
            "-fmacro-prefix-map={}={}",
            own.display(),
            original.display()
        ))
        .arg(path)
        .arg("-o")
        .arg(dir.join("object")))
}

#[test]
fn a_build_without_debug_info_has_no_probes_for_calls() {
    if !has_tools(&TOOLS) {
        return;
    }
    let flags = ["-O2", "-fpseudo-probe-for-profiling", "-fpie", "-pie"];
    let trace = Trace::of(&compile("no-calls", &flags));
    let converted = converted(&trace, WALK_EVENT);
    assert!(converted.warnings.contains(&Warning::NoCallProbes));
    let functions = &converted.attribution.samples.functions;
    let hot = functions.iter().find(|(name, _)| name.contains("3hot"));
    assert_eq!(hot.map(|(_, hot)| hot.head), Some(HOT_CALLS));
}

#[test]
fn what_is_missing_is_named() {
    if !has_tools(&TOOLS) {
        return;
    }
    let trace = &traced(0);
    let path = trace.path.to_str().unwrap();
    let convert =
        |profile: Profile, bytes: &[u8]| convert_probes(&[profile.into()], Some(path), bytes);
    let bytes = std::fs::read(path).unwrap();
    let mut plain = Builder::new("cycles", false, path);
    let start = Binary::parse(&bytes)
        .unwrap()
        .functions()
        .by_name("main")
        .unwrap()
        .start;
    let offset = Binary::parse(&bytes).unwrap().file_offset_of(start);
    plain.add_ip(Place::Program(offset.unwrap()), 1);
    assert_eq!(
        convert(plain.profile, &bytes),
        Err(FdoError::ProbesNeedBranches)
    );

    let mut elsewhere = Builder::new("cycles", true, path);
    elsewhere.add_ip(Place::Other(FileOffset(0)), 1);
    let error = convert(elsewhere.profile, &bytes).unwrap_err();
    assert!(
        matches!(error, FdoError::NoSamplesInBinary { .. }),
        "{error}"
    );

    let without = compile("without", &["-O2", "-fpie", "-pie"]);
    let without = std::fs::read(without).unwrap();
    let profile = trace.profile("cycles", 32);
    assert_eq!(convert(profile, &without), Err(FdoError::NoProbes));
}
