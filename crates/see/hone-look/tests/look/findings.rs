//! Findings on recordings whose samples lie where the rules look.

use hone_diagnose::{Diagnosis, diagnose};
use hone_look::names::named;
use hone_look::selection::Selection;
use hone_look::subject::inspected;
use testkit::recording::{Program, Recording};

use crate::common::{Case, look, pattern, program};

fn diagnosis(case: &Case, selection: &Selection) -> Diagnosis {
    let found = look(&case.path("p.data"), selection, |recording| {
        let named = named(recording, selection)?;
        Ok(diagnose(&inspected(recording, named.stacks)))
    });
    found.unwrap_or_else(|error| panic!("{error}"))
}

fn rules(diagnosis: &Diagnosis) -> Vec<&str> {
    let findings = diagnosis.findings.iter();
    findings.map(|finding| finding.rule).collect()
}

/// Address behind the division in `divide`, where samples of a division fall.
fn division(program: &Program) -> hone_profile::Svma {
    let start = program.function("divide");
    let offset = program.file_offset(start).0 as usize;
    // div %rcx and its like: REX.W f7 /6.
    let code = &program.bytes()[offset..offset + 200];
    let found = code
        .windows(3)
        .position(|bytes| bytes[0] & 0xf8 == 0x48 && bytes[1] == 0xf7 && bytes[2] >> 3 & 7 == 6);
    hone_profile::Svma(start.0 + found.expect("a division") as u64 + 3)
}

/// Two thousand samples, half of them at the division.
fn divides_and_mixes() -> Case {
    let program = program("mixes");
    let mut made = Recording::of(&program);
    let main = made.at(program.line("main", 13));
    let [divide, mix] = [division(&program), program.line("mix", 9)].map(|at| made.at(at));
    made.stack(1000, &[divide, main]);
    made.stack(1000, &[mix, main]);
    Case::with(&made)
}

#[test]
fn rules_about_code_see_only_what_focus_leaves() {
    let case = divides_and_mixes();
    for (pattern_, expected) in [("^(divide|mix)$", true), ("^mix$", false)] {
        let selection = Selection {
            focus: pattern(pattern_),
            ..Selection::default()
        };
        let found = diagnosis(&case, &selection);
        let is_found = rules(&found).contains(&"division");
        assert_eq!(is_found, expected, "{pattern_}: {:#?}", found.findings);
    }
}

/// A finding has what one needs to judge it.
#[test]
fn a_finding_has_its_share_its_gain_and_its_place() {
    let found = diagnosis(&divides_and_mixes(), &Selection::default());
    assert!(found.is_fit());
    let finding = found.findings.iter().find(|of| of.rule == "division");
    let finding = finding.unwrap_or_else(|| panic!("{:#?}", found.findings));
    let share = &finding.share;
    assert_eq!((share.share, share.samples), (0.5, 1000));
    assert!(finding.threshold < share.low && share.low < 0.5 && share.high > 0.5);
    assert!(finding.gain.as_ref().unwrap().speedup_estimate > 1.0);
    assert!(!finding.evidence.is_empty());
}

#[test]
fn a_recording_of_few_samples_gets_no_other_finding() {
    let program = program("mixes");
    let mut made = Recording::of(&program);
    let at = made.at(division(&program));
    made.stack(20, &[at]);
    let found = diagnosis(&Case::with(&made), &Selection::default());
    assert_eq!(rules(&found), ["unfit"]);
    assert!(!found.is_fit());
}

/// Text of `perf script`: a million mispredictions at 18 cycles in 100 million cycles, or a tenth of them.
#[test]
fn what_the_cpu_counted_beside_time_is_judged_too() {
    let program = program("steps-fixed");
    let main = program.function("main");
    let page = main.0 & !0xfff;
    let offset = program.file_offset(main).0 & !0xfff;
    let path = program.path().display();
    let mapping = format!(
        "p 7 0.000000: PERF_RECORD_MMAP2 7/7: [{page:#x}(0x1000) @ {offset:#x} 08:01 12 0]: r-xp {path}\n"
    );
    for (branch_misses, expected) in [(1000, true), (100, false)] {
        let sample = |index: usize, period: u64, event: &str| {
            format!(
                "p 7/7 {index}.000001: {period} {event}: {:x} main+0x0 ({path})\n",
                main.0
            )
        };
        let cycles = (0..1000).map(|index| sample(index, 100_000, "cycles:u"));
        let misses = (0..branch_misses).map(|index| sample(index, 1_000, "branch-misses:u"));
        let case = Case::new();
        let text = mapping.clone() + &misses.chain(cycles).collect::<String>();
        std::fs::write(case.path("p.data"), text).unwrap();
        let found = diagnosis(&case, &Selection::default());
        assert_eq!(found.event, "cycles:u", "time, though it comes second");
        let finding = found.findings.iter().find(|of| of.rule == "mispredicts");
        assert_eq!(finding.is_some(), expected, "{:#?}", found.findings);
        if let Some(finding) = finding {
            assert!((finding.share.share - 0.18).abs() < 1e-9, "{finding:#?}");
            assert_eq!(finding.evidence[0].what, "100 % of them in main");
        }
    }
}
