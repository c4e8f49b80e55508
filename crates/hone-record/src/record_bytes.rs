//! Fields of records as they come out of a ring.
//!
//! All counters are opened with one set of sample fields ([`SAMPLE_TYPE`]), so every field of interest
//! stands at a known place. Bytes that are not there count as zero.

use hone_profile::perf_data::sample_type;

pub(crate) const LOST: u32 = 2;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const MMAP2: u32 = 10;
pub(crate) const LOST_SAMPLES: u32 = 13;

/// The fields of every sample, but for call chain and branch stack, which come behind them.
pub(crate) const SAMPLE_TYPE: u64 = sample_type::IDENTIFIER
    | sample_type::IP
    | sample_type::TID
    | sample_type::TIME
    | sample_type::CPU
    | sample_type::PERIOD;

const IDENTIFIER_AT: usize = 8;
const TID_AT: usize = 28;
const TIME_AT: usize = 32;
/// Where the call chain is, or without one the branch stack.
const TAIL_AT: usize = 56;
/// Bytes from a non-sample record's end back to its time: time, CPU, identifier.
const TIME_BEFORE_END: usize = 24;
const MMAP2_PROTECTION_AT: usize = 64;
const MMAP2_PATH_AT: usize = 72;
const LOST_COUNT_AT: usize = 16;
const LOST_SAMPLES_COUNT_AT: usize = 8;

fn u32_at(record: &[u8], offset: usize) -> u32 {
    record
        .get(offset..offset + 4)
        .map_or(0, |b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]))
}

fn u64_at(record: &[u8], offset: usize) -> u64 {
    let Some(field) = record.get(offset..offset + 8) else {
        return 0;
    };
    let mut word = [0; 8];
    word.copy_from_slice(field);
    u64::from_ne_bytes(word)
}

/// The record's type.
pub(crate) fn kind(record: &[u8]) -> u32 {
    u32_at(record, 0)
}

/// When it happened.
pub(crate) fn time_ns(record: &[u8]) -> u64 {
    match kind(record) {
        SAMPLE => u64_at(record, TIME_AT),
        _ => u64_at(record, record.len().saturating_sub(TIME_BEFORE_END)),
    }
}

/// The thread of a sample.
pub(crate) fn sample_tid(record: &[u8]) -> i32 {
    u32_at(record, TID_AT) as i32
}

/// The counter of a sample; that of an inherited one is its origin's.
pub(crate) fn sample_id(record: &[u8]) -> u64 {
    u64_at(record, IDENTIFIER_AT)
}

/// How many records a loss record says were lost.
pub(crate) fn lost(record: &[u8]) -> u64 {
    match kind(record) {
        LOST_SAMPLES => u64_at(record, LOST_SAMPLES_COUNT_AT),
        _ => u64_at(record, LOST_COUNT_AT),
    }
}

/// Process and path of a mapping, if it is executable.
pub(crate) fn executable_mapping(record: &[u8]) -> Option<(i32, String)> {
    if u32_at(record, MMAP2_PROTECTION_AT) & libc::PROT_EXEC as u32 == 0 {
        return None;
    }
    let path = record
        .get(MMAP2_PATH_AT..)?
        .split(|byte| *byte == 0)
        .next()?;
    Some((
        u32_at(record, 8) as i32,
        String::from_utf8_lossy(path).into_owned(),
    ))
}

/// The sample with a branch stack of no entries at its end.
pub(crate) fn with_empty_branch_stack(sample: &[u8]) -> Vec<u8> {
    let mut longer = sample.to_vec();
    longer.extend_from_slice(&0_u64.to_ne_bytes());
    let len = longer.len() as u16;
    longer[6..8].copy_from_slice(&len.to_ne_bytes());
    longer
}

/// Entries of the branch stack of a sample that has one, behind a call chain or not.
pub(crate) fn branch_count(sample: &[u8], call_chain: bool) -> u64 {
    if !call_chain {
        return u64_at(sample, TAIL_AT);
    }
    let frames = u64_at(sample, TAIL_AT) as usize;
    let at = frames
        .checked_mul(8)
        .and_then(|len| len.checked_add(TAIL_AT + 8));
    at.map_or(0, |at| u64_at(sample, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(frames: &[u64]) -> Vec<u8> {
        let mut record = Vec::new();
        record.extend_from_slice(&SAMPLE.to_ne_bytes());
        record.extend_from_slice(&[2, 0, 0, 0]);
        for word in [77, 0x1000] {
            record.extend_from_slice(&u64::to_ne_bytes(word));
        }
        record.extend_from_slice(&5_i32.to_ne_bytes());
        record.extend_from_slice(&6_i32.to_ne_bytes());
        for word in [123, 1, 1_000_000, frames.len() as u64] {
            record.extend_from_slice(&u64::to_ne_bytes(word));
        }
        frames
            .iter()
            .for_each(|frame| record.extend_from_slice(&frame.to_ne_bytes()));
        let len = record.len() as u16;
        record[6..8].copy_from_slice(&len.to_ne_bytes());
        record
    }

    #[test]
    fn fields_of_a_sample_stand_where_they_are_read() {
        let record = sample(&[1, 2, 3]);
        assert_eq!(
            (sample_id(&record), sample_tid(&record), time_ns(&record)),
            (77, 6, 123)
        );
    }

    #[test]
    fn an_empty_branch_stack_is_added_at_the_end() {
        let record = with_empty_branch_stack(&sample(&[1, 2]));
        assert_eq!(
            usize::from(u16::from_ne_bytes([record[6], record[7]])),
            record.len()
        );
        assert_eq!(branch_count(&record, true), 0);
        let mut full = sample(&[1, 2]);
        full.extend_from_slice(&9_u64.to_ne_bytes());
        assert_eq!(branch_count(&full, true), 9);
        assert_eq!(branch_count(&sample(&[])[..64], false), 0);
    }

    #[test]
    fn cut_records_read_as_zero() {
        assert_eq!(time_ns(&[0; 3]), 0);
        assert_eq!(branch_count(&sample(&[])[..30], true), 0);
        assert_eq!(executable_mapping(&[0xff; 70]), None);
    }
}
