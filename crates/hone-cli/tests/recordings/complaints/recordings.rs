//! Complaints about recordings that the tools cannot read, or not afford to read.

use super::{Made, PLAIN, WALK};
use crate::common::{has_tools, hone_with, stderr, stdout};
use std::fs;

/// Where a perf.data header says where its records stand: offset and length.
const DATA_SECTION: (usize, usize) = (40, 48);
const SAMPLE: u32 = 9;
/// Where the time stands in a sample of Hone: behind the header, the identifier, the address and the task.
const TIME: usize = 8 + 3 * 8;
/// A branch entry: from, to, flags.
const ENTRY_BYTES: usize = 24;

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The records of a perf.data file.
fn records(file: &[u8]) -> &[u8] {
    let start = word(file, DATA_SECTION.0) as usize;
    &file[start..start + word(file, DATA_SECTION.1) as usize]
}

/// Calls `change` for every sample among the records.
fn for_samples(records: &mut [u8], mut change: impl FnMut(&mut [u8])) {
    let mut at = 0;
    while at < records.len() {
        let kind = u32::from_le_bytes(records[at..at + 4].try_into().unwrap());
        let len = usize::from(u16::from_le_bytes([records[at + 6], records[at + 7]]));
        if kind == SAMPLE {
            change(&mut records[at..at + len]);
        }
        at += len;
    }
}

/// Where the branch entries of a sample start, which are its last field.
fn branch_entries(sample: &[u8]) -> Option<usize> {
    let counts = (TIME..sample.len()).step_by(8);
    counts.map(|at| at + 8).find(|&start| {
        let rest = sample.len().saturating_sub(start);
        rest > 0 && word(sample, start - 8) as usize * ENTRY_BYTES == rest
    })
}

/// llvm#82901, llvm#139763, autofdo#144, BOLT#34: no branch records, so no profile.
#[test]
fn plain_samples_of_perf_become_profiles_with_a_warning() {
    let Some(made) = Made::new(&[]) else { return };
    if made.perf_record("plain.data", &[]).is_none() {
        return;
    }
    for (form, expected) in [("autofdo-text", "main:"), ("bolt-fdata", "no_lbr cycles\n")] {
        let (profile, said) = made.profile("plain.data", form);
        assert!(profile.contains(expected), "{profile}");
        assert!(said.contains("no branch records"), "{said}");
        assert!(said.contains("--branches auto"), "{said}");
    }
    let output = made.hone(&["quality", "plain.data", "--binary", "p"]);
    assert!(
        stdout(&output).contains("9 % slower"),
        "{}",
        stdout(&output)
    );
    if has_tools(&["llvm-profgen-19"]) {
        let words = ["--perfdata=plain.data", "--binary=p", "--output=theirs"];
        let theirs = made.attempt("llvm-profgen-19", &words);
        println!("llvm-profgen-19: {} {}", theirs.status, stderr(&theirs));
    }
}

/// autofdo#91 (registers and stacks of --call-graph dwarf), autofdo#108 (TIME_CONV), "Unknown event type: 82" of
/// create_llvm_prof 0.19: what today's perf writes ends the conversion.
#[test]
fn every_kind_of_recording_of_the_installed_perf_is_read() {
    let Some(made) = Made::new(&[]) else { return };
    let kinds: [&[&str]; 4] = [
        &[],
        &["--call-graph", "dwarf"],
        &["-z", "-g"],
        &["-e", "page-faults", "--data", "--phys-data", "-s"],
    ];
    for kind in kinds {
        let Some(()) = made.perf_record("perf.data", kind) else {
            return;
        };
        let (profile, said) = made.profile("perf.data", "autofdo-text");
        assert!(profile.contains("_ZN3Mul3runEj:"), "{kind:?}: {profile}");
        assert!(!said.contains("missing at its end"), "{kind:?}: {said}");
        if has_tools(&["create_llvm_prof"]) {
            let words = [
                "--profile=perf.data",
                "--binary=p",
                "--out=x",
                "--use_lbr=false",
            ];
            let theirs = made.attempt("create_llvm_prof", &words);
            println!("create_llvm_prof {kind:?}: {}", theirs.status);
        }
    }
    let pipe = "perf record -q -e cpu-clock:u -F 997 -o - -- ./p 300000000 > pipe.data";
    made.run("sh", &["-c", pipe]);
    // The program prints into the pipe as well, behind the records.
    let (profile, _) = made.profile("pipe.data", "autofdo-text");
    assert!(profile.contains("_ZN3Mul3runEj:"), "{profile}");
}

/// autofdo#143, autofdo#177, autofdo#195: "Ignoring branch stack entry reserved bits", a million times.
#[test]
fn newer_bits_of_branch_entries_change_nothing_and_are_no_news() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("old.data", &WALK);
    let mut file = fs::read(made.path("old.data")).unwrap();
    let start = word(&file, DATA_SECTION.0) as usize;
    let len = records(&file).len();
    let mut entries = 0;
    for_samples(&mut file[start..start + len], |sample| {
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
    fs::write(made.path("new.data"), file).unwrap();
    let old = made.profile("old.data", "autofdo-text");
    let new = made.profile("new.data", "autofdo-text");
    assert_eq!(new, old);
    assert!(new.1.lines().count() <= 4, "{}", new.1);
}

/// autofdo#162, llvm#61711, llvm#62316: 30 GiB of memory for a recording of 1.8 GiB.
#[test]
fn memory_does_not_grow_with_the_recording() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("short.data", &WALK);
    let short = fs::read(made.path("short.data")).unwrap();
    let copies = (200 << 20) / records(&short).len();
    let long = lengthened(&short, copies as u64);
    assert!(long.len() > 150 << 20, "{} bytes", long.len());
    fs::write(made.path("long.data"), &long).unwrap();
    // The limit is on addresses, the program's own code and libraries included.
    let convert = format!(
        "ulimit -v {}; exec {} convert long.data --binary p --to autofdo-text",
        long.len() / 2 / 1024,
        env!("CARGO_BIN_EXE_hone")
    );
    let output = made.attempt("sh", &["-c", &convert]);
    assert!(output.status.success(), "{}", stderr(&output));
    let (once, _) = made.profile("short.data", "autofdo-text");
    let names = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(' '));
        let mut names: Vec<_> = lines
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&stdout(&output)), names(&once));
}

/// The same recording with its samples over and over, each time later.
fn lengthened(file: &[u8], copies: u64) -> Vec<u8> {
    let start = word(file, DATA_SECTION.0) as usize;
    let data = records(file);
    let mut samples = Vec::new();
    let (mut first, mut last) = (u64::MAX, 0);
    for_samples(&mut data.to_vec(), |sample| {
        first = first.min(word(sample, TIME));
        last = last.max(word(sample, TIME));
        samples.extend_from_slice(sample);
    });
    let mut long = file[..start + data.len()].to_vec();
    for copy in 1..=copies {
        let mut later = samples.clone();
        for_samples(&mut later, |sample| {
            let time = word(sample, TIME) + copy * (last - first + 1);
            sample[TIME..TIME + 8].copy_from_slice(&time.to_le_bytes());
        });
        long.extend(later);
        // FINISHED_ROUND: everything before it may be sorted and handed on.
        long.extend([68, 0, 0, 0, 0, 0, 8, 0]);
    }
    let len = (long.len() - start) as u64;
    long[DATA_SECTION.1..DATA_SECTION.1 + 8].copy_from_slice(&len.to_le_bytes());
    // The sections of features stood behind the records: without them.
    long[72..104].fill(0);
    long
}

/// Issue of truncated files: a recording cut short was converted as if it were whole.
#[test]
fn a_recording_that_was_cut_short_says_so() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("whole.data", &WALK);
    let whole = fs::read(made.path("whole.data")).unwrap();
    fs::write(made.path("cut.data"), &whole[..whole.len() / 2]).unwrap();
    let (profile, said) = made.profile("cut.data", "autofdo-text");
    assert!(profile.contains("_ZN3Mul3runEj:"), "{profile}");
    assert!(said.contains("cut short"), "{said}");
    assert!(said.contains("note: Copy the recording again"), "{said}");
    let (_, said) = made.profile("whole.data", "autofdo-text");
    assert!(!said.contains("cut short"), "{said}");
    let (table, _) = made.profile("cut.data", "text");
    assert!(table.contains("cut short"), "{table}");
    fs::write(made.path("head.data"), &whole[..60]).unwrap();
    let message = made.refused("head.data", "p", "autofdo-text");
    assert!(message.contains("head.data: the header"), "{message}");
}

/// autofdo#230: a script starts the binary many times, among other programs.
#[test]
fn every_process_of_the_binary_counts() {
    let Some(made) = Made::new(&[]) else { return };
    let script = "for i in 1 2 3; do ./p 150000000; /bin/true; done";
    let words = ["-o", "all.data", "--", "sh", "-c", script];
    let output = made.hone(&[&["record"], &PLAIN[..], &words].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let (json, _) = made.profile("all.data", "json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (all, here) = (
        &json["account"]["samples"],
        &json["account"]["samples_here"],
    );
    let (all, here) = (all.as_f64().unwrap(), here.as_f64().unwrap());
    assert!(here > 0.5 * all, "{here} of {all}");
    let bytes = fs::read(made.path("all.data")).unwrap();
    let profile = hone_profile::perf_data::read(&bytes).unwrap();
    let is_p = |name: &str| name == "p";
    let pids = profile.threads.iter().filter(|thread| is_p(&thread.name));
    assert!(pids.count() >= 3, "{:?}", profile.threads);
}

/// autofdo#87, #157, #179, #183: the tools do not build, or lack perf at run time.
#[test]
fn conversion_needs_no_other_program() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    for form in ["autofdo-text", "bolt-fdata"] {
        let words = ["convert", "walk.data", "--binary", "p", "--to", form];
        let alone = hone_with(&words, made.dir(), &[("PATH", "")]);
        assert!(alone.status.success(), "{}", stderr(&alone));
        assert_eq!(stdout(&alone), made.profile("walk.data", form).0);
    }
}
