//! What cannot be read or written at all, and what is said then.

use super::super::raw::{FIELDS, event, file, finish, mapping, pipe, record, sample, writer};
use hone_profile::Avma;
use hone_profile::perf_data::{ReadError, WalkSample, WalkedBranch, Writer, read, sample_type};
use std::io::{Cursor, ErrorKind};

fn error_of(bytes: &[u8]) -> ReadError {
    read(bytes).expect_err("this cannot be read")
}

/// A small valid file whose header's word at `offset` has been overwritten.
fn with_header_word(offset: usize, value: u64) -> Vec<u8> {
    let mut bytes = file(event(FIELDS), &[sample(2, 0x10, 1, 1, &[])]);
    bytes[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
    bytes
}

#[test]
fn other_files() {
    assert_eq!(error_of(b""), ReadError::Empty);
    assert_eq!(
        error_of(b"\x7fELF"),
        ReadError::NotPerfData(b"\x7fELF".to_vec())
    );
    assert_eq!(
        error_of(b"PERFILE1 and more"),
        ReadError::NotPerfData(b"PERFILE1".to_vec())
    );
    assert_eq!(error_of(b"PERFFILE and more"), ReadError::Version1);
    assert_eq!(
        error_of(b"2ELIFREP\0\0\0\0\0\0\0\x68"),
        ReadError::BigEndian
    );
}

#[test]
fn headers_that_cannot_be() {
    let len = file(event(FIELDS), &[sample(2, 0x10, 1, 1, &[])]).len() as u64;
    assert_eq!(
        error_of(b"PERFILE2"),
        ReadError::HeaderCut { needed: 16, len: 8 }
    );
    assert_eq!(
        error_of(&with_header_word(8, 17)),
        ReadError::HeaderCut { needed: 72, len }
    );
    assert_eq!(
        error_of(&with_header_word(16, 0)),
        ReadError::AttributeLength { len: 0 }
    );
    assert_eq!(
        error_of(&with_header_word(16, 1 << 40)),
        ReadError::AttributeLength { len: 1 << 40 }
    );
    assert_eq!(error_of(&with_header_word(32, 0)), ReadError::NoEvents);
    for (offset, section) in [(24, "attribute"), (40, "data")] {
        let error = error_of(&with_header_word(offset, u64::MAX));
        assert!(
            matches!(error, ReadError::SectionOutside { section: which, .. } if which == section),
            "{error:?}"
        );
    }
}

#[test]
fn a_pipe_without_events() {
    assert_eq!(error_of(&pipe(&[], &[])), ReadError::NoEvents);
    assert_eq!(
        error_of(&pipe(&[], &[record(9, 2, &[0; 64])])),
        ReadError::NoEvents
    );
}

#[test]
fn more_events_than_the_limit() {
    let events = vec![event(FIELDS); 1025];
    assert_eq!(
        error_of(&pipe(&events, &[])),
        ReadError::TooManyEvents { max: 1024 }
    );
    let error = Writer::new(Cursor::new(Vec::new()), events)
        .err()
        .expect("too many");
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(Writer::new(Cursor::new(Vec::new()), vec![]).is_err());
}

#[test]
fn records_that_cannot_be_written() {
    let kind = |result: std::io::Result<()>| result.expect_err("this cannot be written").kind();
    let mut writer = writer(vec![event(FIELDS | sample_type::BRANCH_STACK)]);
    let len = writer.len();
    let branches = vec![WalkedBranch::from((Avma(1), Avma(2))); 3000];
    let too_long = WalkSample {
        event: 0,
        pid: 1,
        tid: 1,
        cpu: 0,
        ip: Avma(1),
        time_ns: 1,
        period: 1,
        call_chain: &[],
        branches: &branches,
    };
    assert_eq!(kind(writer.walk_sample(&too_long)), ErrorKind::InvalidInput);
    let no_event = WalkSample {
        event: 1,
        branches: &[],
        ..too_long.clone()
    };
    assert_eq!(kind(writer.walk_sample(&no_event)), ErrorKind::InvalidInput);
    assert_eq!(kind(writer.raw(&[0; 4])), ErrorKind::InvalidInput);
    assert_eq!(kind(writer.raw(&[0; 16])), ErrorKind::InvalidInput);
    assert_eq!(
        kind(writer.comm(1, 1, "a\0b", false, 0)),
        ErrorKind::InvalidInput
    );
    let long_path = mapping(1, 0, 1, &"x".repeat(1 << 17), 0);
    assert_eq!(kind(writer.mmap2(&long_path)), ErrorKind::InvalidInput);
    assert_eq!(writer.len(), len, "nothing of them is in the file");
    assert!(writer.is_empty());

    let fits = WalkSample {
        branches: &branches[..2700],
        ..too_long
    };
    writer.walk_sample(&fits).expect("this one fits");
    let profile = read(&finish(writer)).expect("a readable file");
    assert_eq!(profile.branches.len(), 2700);
}

#[test]
fn a_sample_type_that_cannot_be_written() {
    let mut writer = writer(vec![event(FIELDS | sample_type::READ)]);
    let sample = WalkSample {
        event: 0,
        pid: 1,
        tid: 1,
        cpu: 0,
        ip: Avma(1),
        time_ns: 1,
        period: 1,
        call_chain: &[],
        branches: &[],
    };
    let error = writer
        .walk_sample(&sample)
        .expect_err("no counter values are known");
    assert_eq!(error.to_string(), "sample fields 0x10 cannot be written");
}
