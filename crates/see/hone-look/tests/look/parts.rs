//! Directories that `perf record --threads` writes.

use std::fs;

use hone_look::selection::Selection;
use testkit::recorded;

use crate::common::{Case, folded_lines, stacks_of};

/// Types of records: a sample, and one that says nothing of samples.
const SAMPLE: u32 = 9;
const FINISHED_INIT: u32 = 82;

fn word(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

/// Moves the samples of a recording to two files in turn, latest first; what is left keeps its length.
fn split(recording: &mut [u8]) -> [Vec<u8>; 2] {
    let (start, len) = (word(recording, 40), word(recording, 48));
    let mut samples: Vec<Vec<u8>> = Vec::new();
    let mut at = start;
    while at < start + len {
        let kind = u32::from_le_bytes(recording[at..at + 4].try_into().unwrap());
        let end = at + usize::from(u16::from_le_bytes([recording[at + 6], recording[at + 7]]));
        if kind == SAMPLE {
            samples.push(recording[at..end].to_vec());
            recording[at..at + 4].copy_from_slice(&FINISHED_INIT.to_le_bytes());
        }
        at = end;
    }
    assert!(samples.len() > 10, "{}", samples.len());
    let mut parts = [Vec::new(), Vec::new()];
    for (turn, sample) in samples.into_iter().rev().enumerate() {
        parts[turn % 2].extend(sample);
    }
    parts
}

#[test]
fn the_files_of_a_directory_are_one_recording() {
    let whole = recorded("filters-perf.data");
    let all = Selection::default();
    let expected = stacks_of(&whole, &all).unwrap();
    let case = Case::new();
    let directory = case.path("p.data");
    fs::create_dir(&directory).unwrap();
    let mut first = fs::read(&whole).unwrap();
    let parts = split(&mut first);
    fs::write(directory.join("data"), first).unwrap();
    for (number, part) in parts.iter().enumerate() {
        fs::write(directory.join(format!("data.{number}")), part).unwrap();
    }
    let named = case.named(&all).unwrap();
    assert_eq!(folded_lines(&named), folded_lines(&expected));
    assert_eq!(named.stacks.samples(), expected.stacks.samples());

    // Without the other files there are no samples; a directory of something else is refused.
    fs::remove_file(directory.join("data")).unwrap();
    let refused = case.named(&all).err().unwrap();
    assert!(
        refused.contains("not one that perf record --threads makes"),
        "{refused}"
    );
}
