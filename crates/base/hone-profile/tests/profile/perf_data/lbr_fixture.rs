//! A recording of perf 3.3 with hardware branch records, read by us and by the perf of today.

use crate::tools::text_of;
use hone_profile::perf_data::read;
use hone_profile::{BinaryKind, BranchStacks, Profile};
use std::path::PathBuf;
use std::process::Command;
use testkit::has_tools;

fn fixture() -> (PathBuf, Profile) {
    let path = testkit::fixture("test.lbr");
    let bytes = std::fs::read(&path).unwrap();
    (path, read(&bytes).expect("a readable recording"))
}

#[test]
fn every_sample_has_its_sixteen_branches() {
    let (_, profile) = fixture();
    assert_eq!(profile.samples.len(), 9232);
    assert!(
        profile
            .samples
            .iter()
            .all(|sample| profile.branches_of(sample).len() == 16)
    );
    assert!(
        profile
            .samples
            .iter()
            .all(|sample| sample.weight == 500_000)
    );
    assert_eq!(profile.losses, Default::default());
    assert_eq!(profile.events.len(), 1);
    assert_eq!(profile.events[0].name, "br_inst_exec:taken");
    assert_eq!(profile.events[0].branches, BranchStacks::Whole);
    assert_eq!(profile.meta.host, "lpm42");
    assert_eq!(profile.meta.command[1..4], ["record", "-c", "500000"]);
    assert_eq!(profile.threads.len(), 1);
    assert_eq!(
        (profile.threads[0].tid, profile.threads[0].name.as_str()),
        (25532, "test.binary")
    );
    assert!(profile.samples.is_sorted_by_key(|sample| sample.time_ns));
}

/// perf's word for every end of every branch: which file it is in, and whether it was predicted.
#[test]
fn perf_script_agrees_on_every_branch() {
    let (path, profile) = fixture();
    if !has_tools(&["perf"]) {
        return;
    }
    let script = text_of(
        Command::new("perf")
            .args(["script", "-F", "ip,dso,brstack", "-i"])
            .arg(path),
    );
    let lines: Vec<&str> = script
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    assert_eq!(lines.len(), profile.samples.len());
    let name = |id| {
        let location = profile.location(id);
        let binary = profile.binary(location.binary);
        (format!("({})", binary.path), binary.kind, location.offset.0)
    };
    for (sample, line) in profile.samples.iter().zip(lines) {
        let mut words = line.split_whitespace();
        words.next().expect("an address");
        assert_eq!(words.next(), Some(name(sample.ip).0.as_str()));
        let ours = profile.branches_of(sample).iter().map(|branch| {
            let end = |id| {
                let (path, kind, offset) = name(id);
                // Only the kernel's addresses are in the profile; those of files are offsets.
                (path, (kind == BinaryKind::Kernel).then_some(offset))
            };
            (end(branch.from), end(branch.to), branch.mispredicted)
        });
        assert!(ours.eq(words.map(parse_branch)), "{line}");
    }
}

type End = (String, Option<u64>);

/// `0xFROM(FILE)/0xTO(FILE)/P/-/-/0/`, where the file names have slashes too.
fn parse_branch(word: &str) -> (End, End, bool) {
    let (from, rest) = word.split_once(")/").expect("a branch");
    let (to, flags) = rest.split_once(")/").expect("a branch");
    let end = |text: &str| {
        let (address, file) = text.split_once('(').expect("an address and a file");
        let address = u64::from_str_radix(&address[2..], 16).expect("hexadecimal digits");
        (format!("({file})"), (address >> 63 == 1).then_some(address))
    };
    (end(from), end(to), flags.starts_with('M'))
}
