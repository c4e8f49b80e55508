//! What users of other converters complain about: recordings that they cannot read. docs/internals/complaints.md lists all of it.

use std::fs;

use hone_convert::Form;
use testkit::recorded;
use testkit::recording::Recording;

use crate::common::{Case, jumps, program};

/// Where a perf.data header says where its records stand: offset and length.
const DATA_SECTION: (usize, usize) = (40, 48);
const SAMPLE: u32 = 9;
/// A branch entry: from, to, flags.
const ENTRY_BYTES: usize = 24;

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Calls `change` for every sample among the records.
fn for_samples(file: &mut [u8], mut change: impl FnMut(&mut [u8])) {
    let start = word(file, DATA_SECTION.0) as usize;
    let end = start + word(file, DATA_SECTION.1) as usize;
    let mut at = start;
    while at < end {
        let kind = u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        let len = usize::from(u16::from_le_bytes([file[at + 6], file[at + 7]]));
        if kind == SAMPLE {
            change(&mut file[at..at + len]);
        }
        at += len;
    }
}

/// Where the branch entries of a sample start, which are its last field.
fn branch_entries(sample: &[u8]) -> Option<usize> {
    let counts = (8..sample.len()).step_by(8);
    counts.map(|at| at + 8).find(|&start| {
        let rest = sample.len().saturating_sub(start);
        rest > 0 && word(sample, start - 8) as usize * ENTRY_BYTES == rest
    })
}

/// llvm#82901, llvm#139763, autofdo#144, BOLT#34: no branch records, so no profile.
#[test]
fn plain_samples_of_perf_become_profiles_with_a_warning() {
    let case = Case::of("filters");
    let input = recorded("filters-perf.data");
    for (form, expected) in [
        (Form::AutofdoText, "_ZN3Mul3runEj:"),
        (Form::BoltFdata, "no_lbr cycles\n"),
    ] {
        let (profile, said) = case.convert(&input, form);
        assert!(profile.contains(expected), "{profile}");
        assert!(said.contains("no branch records"), "{said}");
        assert!(said.contains("--branches auto"), "{said}");
    }
}

/// autofdo#91 (registers and stacks of --call-graph dwarf), autofdo#108 (TIME_CONV), "Unknown event type: 82" of
/// create_llvm_prof 0.19: what today's perf writes ends the conversion.
#[test]
fn every_kind_of_recording_of_perf_is_read() {
    let case = Case::of("filters");
    for kind in ["perf", "dwarf", "packed", "faults", "pipe"] {
        let input = recorded(&format!("filters-{kind}.data"));
        let (profile, said) = case.convert(input, Form::AutofdoText);
        assert!(profile.contains("_ZN3Mul3runEj:"), "{kind}: {profile}");
        // The program printed into the pipe as well, behind the records.
        let is_cut = said.contains("missing at its end");
        assert!(!is_cut || kind == "pipe", "{kind}: {said}");
    }
}

/// autofdo#143, autofdo#177, autofdo#195: "Ignoring branch stack entry reserved bits", a million times.
#[test]
fn newer_bits_of_branch_entries_change_nothing_and_are_no_news() {
    let case = Case::of("filters");
    let old = fs::read(recorded("filters-walk.data")).unwrap();
    let (mut new, mut entries) = (old.clone(), 0);
    for_samples(&mut new, |sample| {
        let Some(start) = branch_entries(sample) else {
            return;
        };
        for entry in sample[start..].chunks_exact_mut(ENTRY_BYTES) {
            // Cycles, speculation, the extended type, the privilege level, and all that is still reserved.
            let flags = word(entry, 16) | 0xffff << 4 | !0 << 24;
            entry[16..].copy_from_slice(&flags.to_le_bytes());
            entries += 1;
        }
    });
    assert!(entries > 1000, "{entries}");
    case.write("old", old);
    case.write("new", new);
    let [old, new] = ["old", "new"].map(|input| case.convert(input, Form::AutofdoText));
    assert_eq!(new, old);
    assert!(new.1.lines().count() <= 4, "{}", new.1);
}

/// autofdo#230: a script starts the binary many times, among other programs.
#[test]
fn every_process_of_the_binary_counts() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let mut recording = Recording::of(&steps);
    let turn = recording.at(steps.function("turn"));
    let elsewhere = hone_profile::Avma(0xffff_ffff_8100_0000);
    for pid in [11, 12, 13] {
        recording.thread(pid, pid, "steps");
        recording.stack_of((pid, pid), 10, &[turn]);
        recording.stack_of((pid, pid), 2, &[elsewhere]);
    }
    recording.write(&case.path("p.data"));
    let json = case.profile("p.data", Form::Json);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["account"]["samples"], 36);
    assert_eq!(json["account"]["samples_here"], 30);
}

/// The same recording twice counts twice.
#[test]
fn several_recordings_are_added_up() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    jumps(&steps, 7).write(&case.path("once"));
    jumps(&steps, 14).write(&case.path("twice"));
    for form in [Form::AutofdoText, Form::BoltFdata, Form::GccGcov] {
        let mut request = case.request("once", form);
        request.recordings.push(case.path("once"));
        let (both, _) = crate::common::text(crate::common::try_convert(&request));
        assert_eq!(both, case.profile("twice", form), "{}", form.name());
    }
}
