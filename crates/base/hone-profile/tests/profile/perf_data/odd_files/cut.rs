//! Files that end too early, and lengths that lie.

use super::super::raw::{
    AUXTRACE, COMPRESSED, COMPRESSED2, FIELDS, event, file, pipe, record, sample, sample_places,
    words,
};
use hone_profile::Profile;
use hone_profile::perf_data::{Writer, read};
use std::io::{Cursor, Write};

fn samples(count: u64) -> Vec<Vec<u8>> {
    (0..count)
        .map(|index| sample(2, 0x1000 + index, 1, 100 + index, &[]))
        .collect()
}

fn read_ok(bytes: &[u8]) -> Profile {
    read(bytes).expect("a readable file")
}

#[test]
fn a_file_cut_anywhere_gives_the_samples_before_the_cut() {
    let records = samples(10);
    let whole = file(event(FIELDS), &records);
    let record_len = records[0].len();
    // The feature sections hold the event's name, the attributes come before the data.
    let data = 104 + 8 + 112 + 16;
    let data_end = data + 10 * record_len;
    for cut in data..whole.len() {
        let profile = read_ok(&whole[..cut]);
        let expected = (cut - data).min(10 * record_len) / record_len;
        assert_eq!(profile.samples.len(), expected, "cut at {cut}");
        let missing = (data_end - data - expected * record_len) as u64;
        assert_eq!(profile.losses.truncated_bytes, missing, "cut at {cut}");
        if cut >= data_end {
            assert!(
                profile.losses.malformed_records > 0,
                "feature sections are missing"
            );
        }
    }
    for cut in 0..data {
        assert!(read(&whole[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn a_pipe_cut_anywhere_gives_the_samples_before_the_cut() {
    let records = samples(10);
    let whole = pipe(&[event(FIELDS)], &records);
    let data = whole.len() - 10 * records[0].len();
    for cut in data..=whole.len() {
        let profile = read_ok(&whole[..cut]);
        assert_eq!(profile.samples.len(), (cut - data) / records[0].len());
        let rest = (cut - data) % records[0].len();
        assert_eq!(profile.losses.truncated_bytes, rest as u64);
    }
}

#[test]
fn a_recorder_that_was_killed_leaves_a_readable_file() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Cursor::new(&mut bytes), vec![event(FIELDS)]).expect("a writer");
    for record in samples(10) {
        writer.raw(&record).expect("a whole record");
    }
    drop(writer);
    let profile = read_ok(&bytes);
    assert_eq!(profile.samples.len(), 10);
    assert_eq!(profile.losses.truncated_bytes, 0);
    assert!(profile.losses.unfinished);
    bytes.truncate(bytes.len() - 5);
    let profile = read_ok(&bytes);
    assert_eq!(profile.samples.len(), 9);
    assert_eq!(profile.losses.truncated_bytes, 27);
}

#[test]
fn a_recording_without_records_has_lost_nothing() {
    let profile = read_ok(&file(event(FIELDS), &[]));
    assert_eq!(profile.losses, Default::default());
    assert_eq!(
        profile.events[0].name, "an-event",
        "the feature sections were read"
    );
}

#[test]
fn a_record_without_length_ends_the_reading() {
    let mut bytes = pipe(&[event(FIELDS)], &samples(3));
    bytes.extend([0; 40]);
    let profile = read_ok(&bytes);
    assert_eq!(profile.samples.len(), 3);
    assert_eq!(profile.losses.malformed_records, 1);
    assert_eq!(profile.losses.truncated_bytes, 40);
    assert_eq!(profile.losses.corrupt_at, Some(bytes.len() as u64 - 40));
}

#[test]
fn a_length_that_cannot_be_is_corruption_and_no_cut() {
    let records = samples(3);
    let whole = file(event(FIELDS), &records);
    let data = 104 + 8 + 112 + 16;
    let second = data + records[0].len();
    let size = second + 6;
    for wrong in [0u16, 7, 0xffff] {
        let mut bytes = whole.clone();
        bytes[size..size + 2].copy_from_slice(&wrong.to_le_bytes());
        let profile = read_ok(&bytes);
        assert_eq!(profile.samples.len(), 1, "{wrong}");
        assert_eq!(profile.losses.corrupt_at, Some(second as u64), "{wrong}");
        let rest = 2 * records[0].len() as u64;
        assert_eq!(profile.losses.truncated_bytes, rest, "{wrong}");
        assert!(!profile.losses.unfinished);
    }
    // The same within what was compressed: the place is that of the piece.
    let mut plain = records.concat();
    plain[6..8].copy_from_slice(&[0, 0]);
    let piece = record(COMPRESSED, 0, &compress(&[&plain])[0]);
    let profile = read_ok(&file(event(FIELDS), &[piece, samples(1).concat()]));
    assert_eq!(profile.losses.corrupt_at, Some(data as u64));
    assert!(profile.samples.is_empty());
    // A record that ends behind a cut is no such thing.
    let profile = read_ok(&whole[..second + 10]);
    assert_eq!(profile.losses.corrupt_at, None);
}

#[test]
fn the_payload_of_a_hardware_trace_is_not_taken_for_records() {
    let trap = samples(2).concat();
    let header = record(AUXTRACE, 0, &words(&[trap.len() as u64, 0, 0, 0, 0]));
    let records = [header.clone(), trap, samples(1).concat()];
    let profile = read_ok(&pipe(&[event(FIELDS)], &records));
    assert_eq!(profile.samples.len(), 1);
    assert_eq!(profile.losses.unknown_records[&AUXTRACE], 1);

    let lie = record(AUXTRACE, 0, &words(&[u64::MAX, 0, 0, 0, 0]));
    let profile = read_ok(&pipe(&[event(FIELDS)], &[samples(1).concat(), lie]));
    assert_eq!(profile.samples.len(), 1);
    assert_eq!(profile.losses.truncated_bytes, header.len() as u64);
}

/// One zstd stream, flushed after each piece, as `perf record -z` makes it.
fn compress(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    let mut cut = 0;
    let mut compressed = Vec::new();
    for piece in pieces {
        encoder.write_all(piece).expect("room in memory");
        encoder.flush().expect("room in memory");
        compressed.push(encoder.get_ref()[cut..].to_vec());
        cut = encoder.get_ref().len();
    }
    compressed
}

#[test]
fn a_compressed_record_may_be_cut_in_two() {
    let plain = samples(100).concat();
    let (first, second) = plain.split_at(32 * 40 + 13);
    let pieces = compress(&[first, second]);

    let records: Vec<_> = pieces
        .iter()
        .map(|piece| record(COMPRESSED, 0, piece))
        .collect();
    let profile = read_ok(&file(event(FIELDS), &records));
    let expected: Vec<_> = (0..100)
        .map(|index| ("[unmapped]", 0x1000 + index))
        .collect();
    assert_eq!(sample_places(&profile), expected);
    assert_eq!(profile.losses.truncated_bytes, 0);

    let profile = read_ok(&file(event(FIELDS), &records[..1]));
    assert_eq!(profile.samples.len(), 40);
    assert_eq!(profile.losses.truncated_bytes, 13);
}

#[test]
fn the_newer_compressed_record_says_its_length_and_is_padded() {
    let plain = samples(100).concat();
    let piece = &compress(&[&plain])[0];
    let mut body = [&words(&[piece.len() as u64])[..], piece].concat();
    body.resize(body.len().next_multiple_of(8), 0xff);
    let profile = read_ok(&file(event(FIELDS), &[record(COMPRESSED2, 0, &body)]));
    assert_eq!(profile.samples.len(), 100);
    assert_eq!(profile.losses.malformed_records, 0);
    assert_eq!(profile.losses.truncated_bytes, 0);
}

#[test]
fn a_broken_stream_is_counted() {
    let records = [record(COMPRESSED, 0, &[0x55; 64]), samples(1).concat()];
    let profile = read_ok(&file(event(FIELDS), &records));
    assert_eq!(profile.samples.len(), 1);
    assert_eq!(profile.losses.malformed_records, 1);
}

#[test]
fn a_stream_that_grows_without_end_is_stopped() {
    let bomb = compress(&[&vec![0; 64 << 20]]);
    assert!(bomb[0].len() < 20_000, "{} bytes", bomb[0].len());
    let profile = read_ok(&file(event(FIELDS), &[record(COMPRESSED, 0, &bomb[0])]));
    assert!(profile.samples.is_empty());
    assert!(profile.losses.malformed_records > 0);
    assert!(profile.losses.truncated_bytes < 32 << 20);
}
