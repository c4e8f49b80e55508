//! Complaints about branch records themselves, with recordings of runs of which every branch is known.
//!
//! docs/internals/complaints.md lists all complaints and their tests.

use crate::common::perf_data::perf_data;
use crate::common::{Trace, shapes};
use hone_fdo::overlap::overlap;
use hone_fdo::{Converted, Evidence, convert};
use testkit::has_tools;

/// Where interrupts lead.
const KERNEL: u64 = 0xffff_ffff_8160_0000;

/// The trace of one program.
fn traced() -> Option<Trace> {
    has_tools(&["clang++-19", "ld.lld-19", "cc"]).then(|| Trace::of(&shapes(0)))
}

type Stack = Vec<(u64, u64)>;

fn converted(trace: &Trace, event: &str, stacks: &[Stack]) -> Converted {
    let file = perf_data(trace, event, stacks, None);
    let profile = hone_profile::perf_data::read(&file).unwrap();
    let binary = std::fs::read(&trace.path).unwrap();
    let path = trace.path.to_str();
    convert(&[profile.into()], Evidence::Branches, path, &binary[..]).unwrap()
}

/// llvm#63077: Zen 3 has 16 records and an event of its own, `branch-brs`, where others have 32 of any event.
#[test]
fn depth_and_event_of_branch_stacks_do_not_matter() {
    let Some(trace) = &traced() else { return };
    let deep = converted(trace, "cycles:u", &trace.stacks(32, false));
    let shallow = converted(trace, "cpu/branch-brs/", &trace.stacks(16, false));
    let found = overlap(&deep.attribution.samples, &shallow.attribution.samples);
    assert!(found.blocks > 0.99, "{found:?}");
    assert_eq!(shallow.counts.branches, deep.counts.branches);
    assert_eq!(shallow.counts.report.ranges_dropped(), 0);
}

/// autofdo#256: kernel addresses among the records (Zen 4, `-b` as root) make "Bogus LBR data" and an empty profile.
#[test]
fn interrupts_among_the_records_break_no_ranges() {
    let Some(trace) = &traced() else { return };
    let stacks = trace.stacks(30, false);
    let interrupted: Vec<Stack> = stacks
        .iter()
        .map(|stack| {
            let mut stack = stack.clone();
            // Before the branch in the middle, an interrupt: there, within the kernel, and back. Newest first.
            let at = stack.len() / 2;
            let before = stack[at].0;
            let kernel = [
                (KERNEL + 0x90, before),
                (KERNEL + 0x20, KERNEL + 0x80),
                (before, KERNEL),
            ];
            stack.splice(at + 1..at + 1, kernel);
            stack
        })
        .collect();
    let clean = converted(trace, "cycles", &stacks);
    let found = converted(trace, "cycles", &interrupted);
    assert_eq!(found.counts.branches, clean.counts.branches);
    assert_eq!(found.counts.report.ranges_dropped(), 0);
    let report = &found.counts.report;
    // That within the kernel.
    assert!(report.branches_foreign >= stacks.len() as u64, "{report:?}");
    assert!(found.counts.has_branches() && found.warnings == clean.warnings);
    let found = overlap(&found.attribution.samples, &clean.attribution.samples);
    assert!(found.blocks > 0.98, "{found:?}");
}
