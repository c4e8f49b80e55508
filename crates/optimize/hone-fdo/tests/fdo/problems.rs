//! Recordings and binaries that do not fit: each gives an error or a warning that states the fact.

use crate::common::{Builder, Place, compile};
use hone_fdo::{Code, Converted, Evidence, FdoError, Warning, aggregate, convert, find_binaries};
use hone_profile::{BuildId, FileOffset, Profile, Svma};
use hone_symbols::{Binary, DebugInfo};
use std::path::PathBuf;
use testkit::has_tools;

struct Program {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Program {
    fn compile(name: &str, flags: &[&str]) -> Option<Self> {
        if !has_tools(&["clang++-19", "ld.lld-19"]) {
            return None;
        }
        let path = compile(name, &[&["-O2"], flags].concat());
        let bytes = std::fs::read(&path).unwrap();
        Some(Self { path, bytes })
    }

    fn convert(&self, profile: Profile) -> Result<Converted, FdoError> {
        convert(
            &[profile.into()],
            Evidence::Branches,
            self.path.to_str(),
            &self.bytes,
        )
    }

    fn binary(&self) -> Binary<'_> {
        Binary::parse(&self.bytes).unwrap()
    }

    fn offset(&self, svma: Svma) -> Place {
        Place::Program(self.binary().file_offset_of(svma).unwrap())
    }

    /// The first instruction of `hot`, as a place of a recording.
    fn hot(&self) -> Svma {
        let binary = self.binary();
        let hot = binary
            .functions()
            .iter()
            .find(|function| function.name.contains("3hot"));
        hot.unwrap().start
    }

    /// A recording of plain samples in `hot`.
    fn samples(&self) -> Builder {
        let mut builder = Builder::new("cpu-clock", false, self.path.to_str().unwrap());
        builder.add_ip(self.offset(self.hot()), 7);
        builder
    }
}

const DEBUG: [&str; 2] = ["-g", "-fdebug-info-for-profiling"];

#[test]
fn plain_samples_weigh_lines_and_are_warned_of() {
    let Some(program) = Program::compile("plain", &DEBUG) else {
        return;
    };
    let mut recording = program.samples();
    recording.add_ip(program.offset(program.hot()), 5);
    recording.add_ip(Place::Other(FileOffset(0x100)), 1000);
    let converted = program.convert(recording.profile).unwrap();
    assert!(converted.warnings.contains(&Warning::NoBranches));
    let (name, function) = converted
        .attribution
        .samples
        .functions
        .iter()
        .next()
        .unwrap();
    assert!(name.contains("3hot"), "{name}");
    assert_eq!((function.total, function.head), (12, 0));
    let binary = program.binary();
    let debug = DebugInfo::parse(&binary).unwrap();
    let depth = debug.inline_stack(program.hot()).len();
    let mut counts = Vec::new();
    function.visit(&mut |level| counts.extend(level.body.values().map(|line| line.count)));
    assert_eq!(
        counts.iter().filter(|&&count| count == 12).count(),
        1,
        "at depth {depth}"
    );
    assert!(
        counts.iter().all(|&count| count == 0 || count == 12),
        "{counts:?}"
    );
    assert!(
        counts.len() > 3,
        "lines that were not sampled are listed with 0: {counts:?}"
    );
    assert_eq!(converted.counts.report.ip_weight, 1012);
    assert_eq!(converted.counts.report.ip_weight_here, 12);
}

#[test]
fn an_empty_recording_and_one_of_other_programs_are_told_apart() {
    let Some(program) = Program::compile("foreign", &DEBUG) else {
        return;
    };
    let path = program.path.to_str().unwrap();
    let mut recording = Builder::new("cpu-clock", false, path);
    assert_eq!(
        program.convert(recording.profile.clone()),
        Err(FdoError::NoSamples)
    );
    recording.add_ip(Place::Other(FileOffset(0x10)), 1);
    let Err(error) = program.convert(recording.profile) else {
        panic!("converted")
    };
    assert!(error.to_string().contains("libother.so (1)"), "{error}");
    let other = convert(
        &[Builder::new("cpu-clock", false, "/bin/other")
            .profile
            .into()],
        Evidence::Branches,
        Some(path),
        &program.bytes,
    );
    assert_eq!(other, Err(FdoError::NoSamples));
}

#[test]
fn another_build_of_the_program_is_refused_and_the_right_one_found_under_any_name() {
    let Some(program) = Program::compile("build", &DEBUG) else {
        return;
    };
    let own = program.binary().build_id().unwrap().clone();
    let mut recording = program.samples().profile;
    let other = BuildId::new(&[7; 20]).unwrap();
    recording.binaries[0].build_id = Some(other.clone());
    let path = program.path.to_str().unwrap().to_owned();
    assert_eq!(
        program.convert(recording.clone()),
        Err(FdoError::BuildIdDiffers {
            path,
            recorded: other,
            binary: own.clone()
        })
    );
    recording.binaries[0].build_id = Some(own);
    recording.binaries[0].path = "/deployed/elsewhere".into();
    let converted = program.convert(recording).unwrap();
    assert_eq!(
        converted.warnings,
        [Warning::NoBranches],
        "no word of a match by name"
    );
}

#[test]
fn binaries_without_what_is_needed_are_named() {
    for (flags, expected) in [
        (&["-g0"][..], FdoError::NoDebugInfo),
        (
            &["-g", "-s", "-static", "-fno-pie", "-no-pie"],
            FdoError::NoFunctions,
        ),
    ] {
        let Some(program) = Program::compile("bare", flags) else {
            return;
        };
        let mut recording = Builder::new("cpu-clock", false, program.path.to_str().unwrap());
        recording.add_ip(program.offset(program.binary().entry()), 1);
        assert_eq!(
            program.convert(recording.profile),
            Err(expected),
            "{flags:?}"
        );
    }
    let Some(program) = Program::compile("plain-debug", &["-g"]) else {
        return;
    };
    let converted = program.convert(program.samples().profile).unwrap();
    assert!(converted.warnings.contains(&Warning::NotBuiltForProfiling));
    let text = convert(
        &[program.samples().profile.into()],
        Evidence::Branches,
        None,
        b"#!/bin/sh\n",
    );
    assert_eq!(
        text,
        Err(FdoError::Symbols(hone_symbols::SymbolError::NotElf))
    );
}

#[test]
fn ranges_that_cannot_have_run_are_counted_as_lost() {
    let Some(program) = Program::compile("broken", &DEBUG) else {
        return;
    };
    let binary = program.binary();
    let code = Code::new(&binary);
    let hot = binary.function_at(program.hot()).unwrap();
    let main = binary.functions().by_name("main").unwrap();
    let (lower, upper) = if hot.start < main.start {
        (hot, main)
    } else {
        (main, hot)
    };
    let instructions = code.of_function(main);
    let last_of_main = instructions.address(instructions.len() - 1);
    let mut recording = Builder::new("cycles", true, program.path.to_str().unwrap());
    let outside = Place::Other(FileOffset(1));
    let here = |svma: Svma| program.offset(svma);
    // Newest first: the range runs from the target of the second record to the branch of the first.
    let mut range = |first: Place, last: Place| {
        recording.add_stack(&[(last, here(main.start)), (here(main.start), first)]);
    };
    range(here(hot.start), here(hot.start));
    range(here(Svma(hot.start.0 + 1)), here(hot.start));
    range(here(lower.start), here(upper.start));
    range(here(main.start), here(last_of_main));
    range(here(hot.start), outside);
    range(outside, outside);
    let recorded = recording.profile.into();
    let ids = find_binaries(&recorded, &binary, program.path.to_str()).unwrap();
    let counts = aggregate(&recorded, &ids, &code, Evidence::Branches);
    let report = &counts.report;
    assert_eq!(
        counts.ranges.into_iter().collect::<Vec<_>>(),
        [((hot.start, hot.start), 1)]
    );
    assert_eq!((report.ranges, report.ranges_used), (6, 1));
    assert_eq!((report.ranges_broken, report.ranges_foreign), (2, 1));
    assert_eq!(
        (report.ranges_across_functions, report.ranges_through_jump),
        (1, 1)
    );
    assert_eq!(report.ranges_dropped(), 4);
}

#[test]
fn weights_beyond_all_measure_stop_at_the_largest_number() {
    let Some(program) = Program::compile("heavy", &DEBUG) else {
        return;
    };
    let mut recording = program.samples();
    for _ in 0..3 {
        recording.add_ip(program.offset(program.hot()), u64::MAX);
    }
    let converted = program.convert(recording.profile).unwrap();
    assert_eq!(converted.attribution.samples.total(), u64::MAX);
    let summary = hone_fdo::ProfileSummary::of(&converted.attribution.samples);
    assert_eq!(
        (summary.max_count, summary.total_count),
        (u64::MAX, u64::MAX)
    );
}
