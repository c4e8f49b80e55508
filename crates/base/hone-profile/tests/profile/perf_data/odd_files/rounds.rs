//! Marks of finished rounds: what may wait, and that nothing else changes.

use super::super::raw::{FIELDS, event, file, mmap, record, sample, sample_places};
use hone_profile::perf_data::{read, stream};
use std::io::Cursor;

const FINISHED_ROUND: u32 = 68;

fn round() -> Vec<u8> {
    record(FINISHED_ROUND, 0, &[])
}

/// Two CPUs in turns, as perf writes them: each buffer is in order, the file is not; the code at one address
/// changes between samples of both.
fn turns(with_marks: bool) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    for turn in 0..50 {
        let now = turn * 100;
        for cpu in 0..2 {
            if cpu == 1 {
                let path = format!("/bin/file-{}", turn % 7);
                records.push(mmap(2, 1, (0x1000, 0x1000, 0), &path, now + 50));
            }
            for step in 0..10 {
                let time_ns = now + step * 10 + cpu;
                records.push(sample(2, 0x1000 + step, 1, time_ns, &[]));
            }
        }
        if with_marks {
            records.push(round());
        }
    }
    records
}

#[test]
fn marks_change_nothing_but_the_memory_it_takes() {
    let plain = read(&file(event(FIELDS), &turns(false))).expect("readable");
    let marked = read(&file(event(FIELDS), &turns(true))).expect("readable");
    assert_eq!(plain.samples.len(), 1_000);
    assert_eq!(sample_places(&plain), sample_places(&marked));
    assert!(plain.samples.is_sorted_by_key(|sample| sample.time_ns));
    assert_eq!(plain.samples, marked.samples);
    assert_eq!(plain.losses, marked.losses);
}

#[test]
fn a_stream_gives_every_sample_and_keeps_none() {
    let all = |with_marks| {
        let bytes = file(event(FIELDS), &turns(with_marks));
        let mut seen = 0;
        let profile = stream(Cursor::new(bytes), |profile, sample, branches| {
            assert!(profile.samples.is_empty() && branches.is_empty());
            assert!(sample.ip.index() < profile.location_count());
            seen += 1;
        });
        assert!(profile.expect("readable").samples.is_empty());
        seen
    };
    assert_eq!((all(false), all(true)), (1_000, 1_000));
}

/// A round that does not keep its promise costs order, never a sample.
#[test]
fn a_record_that_comes_too_late_is_still_taken() {
    let records = [
        sample(2, 0x1000, 1, 100, &[]),
        round(),
        sample(2, 0x1001, 1, 200, &[]),
        round(),
        sample(2, 0x1002, 1, 50, &[]),
        round(),
        round(),
    ];
    let profile = read(&file(event(FIELDS), &records)).expect("readable");
    let times: Vec<u64> = profile.samples.iter().map(|s| s.time_ns).collect();
    assert_eq!(times, [100, 50, 200]);
}
