//! Damaged files and damaged tables: an error, or fewer names; never a panic, and never more memory than is allowed.

use std::io::Cursor;
use std::process::Command;
use std::sync::Arc;

use hone_hub::store::objects::Objects;
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{inspect, tabulate};
use hone_profile::FileOffset;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::asked::start_of;
use super::common::{COMPRESSED, NOON_S, SMALL, TENANT, build_of, file_with, split, symbols};
use crate::disk::{Disk, Kind};

/// Set in the process that has little memory.
const INSIDE: &str = "HONE_TEST_IN_LITTLE_MEMORY";
/// Address space of that process, in KiB.
const MEMORY_KIB: u64 = 1 << 20;

/// Reads bytes as an upload is read; returns true if they are taken.
fn upload(bytes: &[u8]) -> bool {
    let limits = Limits {
        unpacked_bytes: 64 << 20,
        ..Limits::default()
    };
    inspect(Cursor::new(bytes), &limits).is_ok() && tabulate(bytes, None).is_ok()
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let mut number = [0; 8];
    number[..length].copy_from_slice(&bytes[at..at + length]);
    u64::from_le_bytes(number) as usize
}

/// Returns positions of the headers of sections, and of those of segments.
fn headers(bytes: &[u8]) -> (Vec<usize>, Vec<usize>) {
    let list = |start: usize, count: usize, size: usize| {
        let headers = (0..count).map(|index| start + index * size);
        headers.collect()
    };
    (
        list(number(bytes, 40, 8), number(bytes, 60, 2), 64),
        list(number(bytes, 32, 8), number(bytes, 56, 2), 56),
    )
}

/// Runs a test once more, in a process with little memory; returns true in that process.
fn is_in_little_memory(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let limited = format!("ulimit -v {MEMORY_KIB} && exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let passed = String::from_utf8_lossy(&output.stdout);
    assert!(passed.contains("1 passed"), "{passed}");
    false
}

#[test]
fn files_that_were_cut_at_any_section_do_no_harm() {
    if !is_in_little_memory("symbols::damage::files_that_were_cut_at_any_section_do_no_harm") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for recipe in [SMALL, COMPRESSED] {
        let Some(parts) = split(recipe, directory.path()) else {
            return;
        };
        for path in [&parts.whole, &parts.debug, &parts.stripped] {
            let whole = std::fs::read(path).unwrap();
            assert!(upload(&whole));
            let (sections, segments) = headers(&whole);
            let mut ends = vec![0, 4, 63, 64, whole.len() - 1];
            for at in sections {
                let (offset, size) = (number(&whole, at + 24, 8), number(&whole, at + 32, 8));
                ends.extend([
                    at,
                    at + 63,
                    offset,
                    offset + 1,
                    offset + size / 2,
                    offset + size,
                ]);
            }
            ends.extend(segments);
            for end in ends {
                upload(&whole[..end.min(whole.len())]);
            }
        }
    }
}

#[test]
fn headers_that_point_anywhere_do_no_harm() {
    if !is_in_little_memory("symbols::damage::headers_that_point_anywhere_do_no_harm") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(COMPRESSED, directory.path()) else {
        return;
    };
    for path in [&parts.whole, &parts.debug] {
        let whole = std::fs::read(path).unwrap();
        let (sections, segments) = headers(&whole);
        let places = |headers: Vec<usize>, length: usize| {
            let fields = move |at: usize| (at..at + length).step_by(8);
            headers.into_iter().flat_map(fields)
        };
        let header = (16..64).step_by(8);
        let all = header
            .chain(places(sections, 64))
            .chain(places(segments, 56));
        for at in all {
            for wild in [0, 1, whole.len() as u64 - 1, 1 << 33, 1 << 62, u64::MAX] {
                let mut bytes = whole.clone();
                bytes[at..at + 8].copy_from_slice(&wild.to_le_bytes());
                upload(&bytes);
            }
        }
    }
}

#[test]
fn files_with_flipped_bytes_do_no_harm() {
    if !is_in_little_memory("symbols::damage::files_with_flipped_bytes_do_no_harm") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let code = std::fs::read(&parts.stripped).unwrap();
    for path in [&parts.whole, &parts.debug] {
        let whole = std::fs::read(path).unwrap();
        let flips = prop::collection::vec((0..whole.len(), any::<u8>()), 1..30);
        let mut runner = TestRunner::new(Config::with_cases(300));
        let tried = runner.run(&flips, |flips| {
            let mut bytes = whole.clone();
            for (at, byte) in flips {
                bytes[at] ^= byte;
            }
            upload(&bytes);
            // As the debug file of a program that is whole.
            let _ = tabulate(&code, Some(&bytes));
            Ok(())
        });
        tried.unwrap();
    }
}

#[test]
fn a_damaged_table_gives_no_wrong_names() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let bytes = std::fs::read(&program).unwrap();
    let uploads = symbols(disk.clone(), Limits::default());
    uploads.take(TENANT, &file_with(&bytes), NOON_S).unwrap();
    let offset = FileOffset(start_of(&program, "twice"));
    let ask = || {
        let asked = symbols(disk.clone(), Limits::default());
        asked
            .name_offset(TENANT, &build_of(&program), offset, NOON_S)
            .unwrap()
    };
    let right = ask();
    assert!(!right.is_empty());
    let listed = disk.list("acme/symbols/").unwrap();
    let mut tables = listed
        .iter()
        .filter(|file| file.name.ends_with("/00000") && file.name.contains("/names-"));
    let name = &tables.next().unwrap().name;
    let whole = disk.get(name).unwrap().unwrap();
    let mut wrong = 0;
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        disk.put(name, &damaged).unwrap();
        let names = ask();
        assert!(names.is_empty() || names == right, "byte {at}: {names:?}");
        wrong += usize::from(names.is_empty());
    }
    assert!(wrong > whole.len() / 2, "{wrong} of {}", whole.len());
    for end in 0..whole.len() {
        disk.put(name, &whole[..end]).unwrap();
        assert_eq!(ask(), []);
    }
}
