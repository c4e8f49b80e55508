//! Sizes of copies: from what walks know of calls to the table for people and the headers for the compiler.

use std::fs;

use hone_convert::{Form, Program as Files, Request, memops_headers, write_headers};
use hone_fdo::WALK_EVENT;
use hone_files::advice::render;
use hone_profile::perf_data::WalkedBranch;
use hone_profile::{Avma, Svma, ThirdArgument};
use testkit::recording::{Program, Recording};

use crate::common::{Case, jumps, program, refusal};

/// Address of the call of a stub in a function.
fn call_of(program: &Program, function: &str, stub: Svma) -> Svma {
    let start = program.function(function);
    let offset = program.file_offset(start).0 as usize;
    let mut places = (0..200).filter(|at| program.bytes()[offset + at] == 0xe8);
    let found = places.find(|&at| {
        let distance = &program.bytes()[offset + at + 1..offset + at + 5];
        let distance = i32::from_le_bytes(distance.try_into().unwrap());
        let end = start.0 + at as u64 + 5;
        end.wrapping_add_signed(i64::from(distance)) == stub.0
    });
    Svma(start.0 + found.expect("a call of the stub") as u64)
}

/// Walks in which `put` copies so many bytes so often, and `same` compares so often.
fn walks(case: &Case, copies: &[(Option<u64>, u64)], compares: u64) {
    let program = program("copies");
    let mut recording = Recording::with_branches(&program, WALK_EVENT);
    let libc = Avma(0x7f00_0000_0000);
    let mut calls = |function: &str, callee: &str, size: Option<u64>, times| {
        let stub = program.stub(callee);
        let call = WalkedBranch {
            from: recording.at(call_of(&program, function, stub)),
            to: recording.at(stub),
            third_argument: size.map_or(ThirdArgument::UNKNOWN, ThirdArgument::of),
        };
        let into_libc = WalkedBranch::from((recording.at(stub), libc));
        recording.walk(0, times, libc, vec![into_libc, call]);
    };
    for &(size, times) in copies {
        calls("put", "memcpy", size, times);
    }
    calls("same", "bcmp", Some(8), compares);
    recording.write(&case.path("walk.data"));
}

/// Three of four calls copy 8 bytes and the fourth 24.
const USUAL: [(Option<u64>, u64); 3] = [(Some(8), 300), (Some(24), 100), (None, 7)];

#[test]
fn usual_sizes_are_told_by_place_and_become_headers() {
    let case = Case::of("copies");
    walks(&case, &USUAL, 50);
    let (table, said) = case.convert("walk.data", Form::Memops);
    let line = |place: &str| {
        let found = table.lines().find(|line| line.contains(place));
        found
            .unwrap_or_else(|| panic!("no {place}: {table}"))
            .to_owned()
    };
    let put = line("copies.c:4 put");
    let words: Vec<&str> = put.split_whitespace().collect();
    assert_eq!(words[..2], ["407", "copy"], "{put}");
    assert!(put.contains("8: ") && put.contains("24: "), "{put}");
    assert!(!put.contains("others"), "{put}");
    let same = line("copies.c:8 same");
    let words: Vec<&str> = same.split_whitespace().collect();
    assert_eq!(words[..2], ["50", "compare"], "{same}");
    let expected = "450 walked calls of memcpy, memmove, memset, memcmp or bcmp with their size, 7 without -> 2 places";
    assert!(said.contains(expected), "{said}");

    let request = case.request("walk.data", Form::MemopsHeaders);
    let said = write_headers(&request, &case.path("sizes")).unwrap();
    assert!(
        said.contains("copies.c: copy of 8, 24 bytes, 400 of 400 calls"),
        "{said}"
    );
    let header = fs::read_to_string(case.path("sizes/hone-memops.h")).unwrap();
    assert!(header.contains("HONE_UNIT(\"copies.c\")"), "{header}");
}

#[test]
fn recordings_without_sizes_are_told_and_leave_no_headers() {
    let steps = program("steps");
    for (name, expected) in [
        ("none", "--branches walk"),
        ("spread", "no file of the program has most of its copies"),
    ] {
        let case = match name {
            "none" => {
                let case = Case::of("steps");
                jumps(&steps, 20).write(&case.path("walk.data"));
                case
            }
            _ => {
                let case = Case::of("copies");
                let spread: Vec<_> = (1..200).map(|size| (Some(size * 3), 2)).collect();
                walks(&case, &spread, 0);
                case
            }
        };
        let request = case.request("walk.data", Form::MemopsHeaders);
        let made = write_headers(&request, &case.path("sizes"));
        let refused = refusal(made.map_err(|error| render(&error)));
        assert!(refused.contains(expected), "{refused}");
        assert!(!case.path("sizes").exists());

        // A ladder goes on without them, and the headers of a former recording are no longer there.
        fs::create_dir(case.path("sizes")).unwrap();
        fs::write(case.path("sizes/old.h"), "").unwrap();
        let files = Files::alone(&case.binary);
        let reason = memops_headers(&[case.path("walk.data")], &files, &case.path("sizes"));
        let reason = reason.unwrap().expect("a reason");
        assert!(
            reason.contains("knows no sizes") || reason.contains("no file of"),
            "{reason}"
        );
        assert!(!case.path("sizes").exists());
    }
    let hub = Request::new(
        &["hub:shop".into()],
        &Files::alone(steps.path()),
        Form::Memops,
    );
    let refused = refusal(crate::common::try_convert(&hub));
    assert!(
        refused.contains("not their sizes\nnext: name a recording"),
        "{refused}"
    );
}

#[test]
fn headers_take_the_place_of_older_ones() {
    let case = Case::of("copies");
    walks(&case, &USUAL, 50);
    fs::create_dir(case.path("sizes")).unwrap();
    fs::write(case.path("sizes/old.h"), "").unwrap();
    let files = Files::alone(&case.binary);
    let reason = memops_headers(&[case.path("walk.data")], &files, &case.path("sizes")).unwrap();
    assert_eq!(reason, None);
    assert!(case.path("sizes/hone-memops.h").exists());
    assert!(!case.path("sizes/old.h").exists());
}
