//! Every operation of the storage fails once, in every way: what was taken is there, whole, and nothing else.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use hone_hub::store::objects::Objects;
use hone_hub::symbols::limits::{LOOK_AGAIN_S, Limits};
use hone_hub::symbols::{Artifact, Symbols, SymbolsError};
use hone_profile::{BuildId, FileOffset};

use super::asked::start_of;
use super::common::{NOON_S, SMALL, Split, TENANT, build_of, split, symbols};
use crate::disk::{Disk, Fault, Kind};

const DAY_S: u64 = 86_400;

/// The files of the story.
struct Story {
    parts: Split,
    build: BuildId,
    offset: FileOffset,
}

impl Story {
    fn new(directory: &Path) -> Option<Self> {
        let parts = split(SMALL, directory)?;
        let build = build_of(&parts.whole);
        let offset = FileOffset(start_of(&parts.whole, "twice"));
        Some(Self {
            parts,
            build,
            offset,
        })
    }

    /// Takes a step of the story, which any number of times come to the same.
    fn take(&self, step: u64, symbols: &Symbols) -> Result<(), SymbolsError> {
        let now_s = NOON_S + step * LOOK_AGAIN_S;
        let upload = |path: &Path| {
            let file = File::open(path).unwrap();
            symbols.take(TENANT, &file, now_s).map(|_| ())
        };
        match step {
            0 => upload(&self.parts.debug),
            1 => upload(&self.parts.stripped),
            2 | 4 => {
                let names = symbols.name_offset(TENANT, &self.build, self.offset, now_s)?;
                assert_eq!(names.last().unwrap().function, "twice");
                Ok(())
            }
            3 => upload(&self.parts.whole),
            _ => symbols.retain(TENANT, now_s + DAY_S).map(|_| ()),
        }
    }

    /// Makes sure that a stored file is there as a whole, or not at all.
    fn check(&self, symbols: &Symbols, artifact: Artifact, wanted: &[&Path], place: &str) {
        let Some(mut stored) = symbols.get(TENANT, &self.build, artifact).unwrap() else {
            assert!(wanted.is_empty(), "{place}: lost");
            return;
        };
        let mut bytes = Vec::new();
        stored.read_to_end(&mut bytes).unwrap();
        let all = [&self.parts.debug, &self.parts.stripped, &self.parts.whole];
        let is_one = all.iter().any(|path| std::fs::read(path).unwrap() == bytes);
        assert!(is_one, "{place}: not as it was sent");
        let mut wanted = wanted.iter();
        assert!(
            wanted.all(|path| std::fs::read(path).unwrap() == bytes),
            "{place}: another file"
        );
    }
}

/// Tells the story with one fault; returns false if the story has no such operation.
fn tell(story: &Story, operation: u64, fault: Fault) -> bool {
    let place = format!("{fault:?} at operation {operation}");
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let open = || symbols(disk.clone(), Limits::default());
    let mut symbols = open();
    disk.plan(operation, fault);
    for step in 0..6 {
        if story.take(step, &symbols).is_ok() {
            continue;
        }
        if matches!(fault, Fault::CrashBefore | Fault::CrashAfter) {
            disk.restart();
            symbols = open();
        }
        let debug: &[&Path] = if step > 0 { &[&story.parts.debug] } else { &[] };
        let stripped: &[&Path] = if step > 1 {
            &[&story.parts.stripped]
        } else {
            &[]
        };
        story.check(&symbols, Artifact::DebugInfo, debug, &place);
        story.check(&symbols, Artifact::Executable, stripped, &place);
        story.take(step, &symbols).unwrap();
    }
    let has_failed = disk.has_failed();
    disk.restart();
    let symbols = open();
    story.check(&symbols, Artifact::DebugInfo, &[&story.parts.debug], &place);
    symbols.retain(TENANT, NOON_S + 3 * DAY_S).unwrap();
    story.take(4, &symbols).unwrap();
    // Three files, a table, and the mark of the day, each with its one part and its manifest.
    let left = disk.list("acme/symbols/").unwrap();
    assert_eq!(left.len(), 9, "{place}: {left:?}");
    has_failed
}

fn tell_with_each(fault: Fault) {
    let directory = tempfile::tempdir().unwrap();
    let Some(story) = Story::new(directory.path()) else {
        return;
    };
    let operations = (0..).take_while(|operation| tell(&story, *operation, fault));
    let operations = operations.count();
    assert!(operations > 25, "only {operations} operations");
}

#[test]
fn a_crash_before_any_operation_loses_no_file_and_leaves_nothing() {
    tell_with_each(Fault::CrashBefore);
}

#[test]
fn a_crash_after_any_operation_loses_no_file_and_leaves_nothing() {
    tell_with_each(Fault::CrashAfter);
}

#[test]
fn a_request_that_fails_loses_no_file_and_leaves_nothing() {
    tell_with_each(Fault::Fail);
}

#[test]
fn a_request_that_times_out_after_success_loses_no_file_and_leaves_nothing() {
    tell_with_each(Fault::FailAfter);
}
