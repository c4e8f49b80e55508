//! Code that is not what stood there before, or that stands in no file: walked rightly, or not at all.

use super::alone;
use super::recording::{Recorded, Recording, ways};
use super::target::Running;
use super::truth;
use crate::common::compile;
use hone_profile::{BinaryKind, LocationId};
use std::collections::BTreeMap;

/// Where `swapped.c` puts its code.
const AT: u64 = 0x5a5a_0000_0000;

/// A time in which one piece of code stood there.
struct Stretch {
    began_ns: u64,
    ended_ns: u64,
    /// Where its `jnz` stands; its `ret` stands two bytes behind.
    jump: u64,
    /// The file, or `memory`.
    path: String,
}

fn stretch(line: &str) -> Option<Stretch> {
    let mut fields = line.splitn(4, ' ');
    let mut number = || fields.next()?.parse().ok();
    let (began_ns, ended_ns, jump) = (number()?, number()?, number()?);
    Some(Stretch {
        began_ns,
        ended_ns,
        jump,
        path: fields.next()?.to_owned(),
    })
}

/// The place of a location in the code that is swapped: its path and offset there.
fn swapped(recorded: &Recorded, directory: &str, id: LocationId) -> Option<(String, u64)> {
    let location = recorded.profile.location(id);
    let binary = recorded.profile.binary(location.binary);
    match binary.kind {
        BinaryKind::File => {
            let name = binary.path.strip_prefix(directory)?;
            (name != "/program").then(|| (binary.path.clone(), location.offset.0))
        }
        BinaryKind::Anonymous | BinaryKind::Unmapped => {
            let offset = location.offset.0.checked_sub(AT)?;
            (offset < 4096).then(|| ("memory".to_owned(), offset))
        }
        _ => None,
    }
}

/// Checks every walk against what stood there in its time; how many branches of each path there were.
fn check(recorded: &Recorded, directory: &str, stretches: &[Stretch]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for sample in &recorded.profile.samples {
        let during = |s: &&Stretch| (s.began_ns..s.ended_ns).contains(&sample.time_ns);
        let Some(stretch) = stretches.iter().find(during) else {
            continue;
        };
        for branch in recorded.profile.branches_of(sample) {
            let Some((path, offset)) = swapped(recorded, directory, branch.from) else {
                continue;
            };
            let expected = [stretch.jump, stretch.jump + 2];
            assert!(
                path == stretch.path && expected.contains(&offset),
                "a branch at {offset} of {path}, when {} had its jump at {}",
                stretch.path,
                stretch.jump
            );
            if let Some((to, offset)) = swapped(recorded, directory, branch.to) {
                assert_eq!((to, offset), (path.clone(), 0), "its target");
            }
            *counts.entry(path).or_default() += 1;
        }
    }
    counts
}

#[test]
#[ignore = "finds by samples"]
fn code_that_others_follow_at_its_address_is_never_taken_for_them() {
    let _alone = alone();
    let Some(program) = compile("swapped.c", &[]) else {
        return;
    };
    let directory = program.directory.path().to_str().expect("a path in UTF-8");
    for snapshot in ways() {
        let mut target = Running::start(&program.binary, &[directory, "90"]);
        let recording = Recording::of(target.pid, snapshot).until_it_records();
        target.open();
        let (output, status) = target.end();
        assert_eq!(status.code(), Some(0));
        let recorded = recording
            .ended()
            .unwrap_or_else(|error| panic!("{snapshot:?}: {error}"));
        let stretches: Vec<_> = output.lines().filter_map(stretch).collect();
        assert_eq!(stretches.len(), 90);
        let counts = check(recorded.has_walks(), directory, &stretches);
        for file in ["code0", "code1"] {
            let path = format!("{directory}/{file}");
            assert!(
                counts.get(&path) > Some(&100),
                "{snapshot:?}: {counts:?} {:?}",
                recorded.summary
            );
        }
        // Code in memory is left out, and that is told.
        let summary = &recorded.summary;
        let told = summary
            .walk_ends
            .get("code without a file")
            .copied()
            .unwrap_or(0);
        assert!(
            told > 0 || counts.contains_key("memory"),
            "{snapshot:?}: {summary:?}"
        );
        truth::check(&recorded.profile, &BTreeMap::new());
    }
}
