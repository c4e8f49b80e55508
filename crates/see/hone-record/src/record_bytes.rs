//! Fields of records as read from a ring.
//!
//! All counters are opened with one set of sample fields ([`SAMPLE_TYPE`]), so every field of interest
//! lies at a known offset. Missing bytes count as zero.

use crate::procfs::Mapping;
use hone_profile::perf_data::{UserCopy, UserRegisters, sample_type};
use std::ops::Range;

pub(crate) const LOST: u32 = 2;
pub(crate) const COMM: u32 = 3;
pub(crate) const EXIT: u32 = 4;
pub(crate) const FORK: u32 = 7;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const MMAP2: u32 = 10;
pub(crate) const LOST_SAMPLES: u32 = 13;

/// The fields of every sample, except call chain and branch stack, which follow the other fields.
pub(crate) const SAMPLE_TYPE: u64 = sample_type::IDENTIFIER
    | sample_type::IP
    | sample_type::TID
    | sample_type::TIME
    | sample_type::CPU
    | sample_type::PERIOD;

/// The general registers, by their number in the kernel's `asm/perf_regs.h`: ax, bx, cx, dx, si, di, bp, sp,
/// ip, flags, cs, and r8 to r15.
pub(crate) const REGISTERS: u64 = 0x7ff | 0xff << 16;
pub(crate) const REGISTERS_COUNT: usize = REGISTERS.count_ones() as usize;
/// The registers that perf asks for with copied stacks: all except segments that 64-bit code does not use.
pub(crate) const COPIED_REGISTERS: u64 = 0xff_0fff;
/// Marker between the kernel's and the user's part of a call chain.
const CONTEXT_USER: u64 = -512_i64 as u64;
/// Marker that 64-bit registers follow.
const REGISTERS_64_BIT: u64 = 2;

const MODE_AT: usize = 4;
const MODE_MASK: u8 = 7;
const MODE_USER: u8 = 2;
const IDENTIFIER_AT: usize = 8;
const IP_AT: usize = 16;
const PID_AT: usize = 24;
const CPU_AT: usize = 40;
const PERIOD_AT: usize = 48;
const TID_AT: usize = 28;
const TIME_AT: usize = 32;
/// Offset of the call chain or, without a call chain, of the branch stack.
const TAIL_AT: usize = 56;
/// Bytes from a non-sample record's end back to its time: time, CPU, identifier.
const TIME_BEFORE_END: usize = 24;
/// Flag of a command name that an exec has set.
const MISC_EXEC: u16 = 1 << 13;
const MMAP2_START_AT: usize = 16;
const MMAP2_LEN_AT: usize = 24;
const MMAP2_OFFSET_AT: usize = 32;
const MMAP2_DEVICE_AT: usize = 40;
const MMAP2_PROTECTION_AT: usize = 64;
const MMAP2_PATH_AT: usize = 72;
const LOST_COUNT_AT: usize = 16;
const LOST_SAMPLES_COUNT_AT: usize = 8;

fn u32_at(record: &[u8], offset: usize) -> u32 {
    let field = record.get(offset..).and_then(<[u8]>::first_chunk);
    field.map_or(0, |field| u32::from_ne_bytes(*field))
}

fn u64_at(record: &[u8], offset: usize) -> u64 {
    let field = record.get(offset..).and_then(<[u8]>::first_chunk);
    field.map_or(0, |field| u64::from_ne_bytes(*field))
}

/// The record's type.
pub(crate) fn kind(record: &[u8]) -> u32 {
    u32_at(record, 0)
}

/// A sample of user code, as the walker needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UserSample {
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) cpu: u32,
    pub(crate) ip: u64,
    pub(crate) time_ns: u64,
}

/// Returns the sample, if it fell into user code.
pub(crate) fn user_sample(record: &[u8]) -> Option<UserSample> {
    let mode = record.get(MODE_AT)? & MODE_MASK;
    (kind(record) == SAMPLE && mode == MODE_USER).then(|| UserSample {
        pid: u32_at(record, PID_AT) as i32,
        tid: sample_tid(record),
        cpu: u32_at(record, CPU_AT),
        ip: u64_at(record, IP_AT),
        time_ns: time_ns(record),
    })
}

/// Returns the time that a sample represents.
pub(crate) fn sample_period(record: &[u8]) -> u64 {
    u64_at(record, PERIOD_AT)
}

/// Registers of user code, in the order of [`REGISTERS`]' bits.
pub(crate) type Registers = [u64; REGISTERS_COUNT];

/// Returns the offset of the registers or the branch stack of a sample: behind the call chain, if there is one.
fn behind_call_chain(sample: &[u8], call_chain: bool) -> usize {
    if !call_chain {
        return TAIL_AT;
    }
    let frames = u64_at(sample, TAIL_AT) as usize;
    frames.saturating_mul(8).saturating_add(TAIL_AT + 8)
}

/// Returns the registers of a sample that was asked for [`REGISTERS`], if they are those of 64-bit code.
pub(crate) fn registers(sample: &[u8], call_chain: bool) -> Option<Registers> {
    let at = behind_call_chain(sample, call_chain);
    let complete = sample.len() >= at.checked_add(8 + REGISTERS_COUNT * 8)?;
    (complete && u64_at(sample, at) == REGISTERS_64_BIT)
        .then(|| std::array::from_fn(|index| u64_at(sample, at + 8 + index * 8)))
}

/// Returns the record without its registers, if it is a sample.
pub(crate) fn without_registers(record: &[u8], call_chain: bool) -> Vec<u8> {
    let mut shorter = record.to_vec();
    if kind(record) == SAMPLE {
        shorter.truncate(behind_call_chain(record, call_chain));
        let len = shorter.len() as u16;
        shorter[6..8].copy_from_slice(&len.to_ne_bytes());
    }
    shorter
}

/// Returns true if the record says that a process has become another program.
pub(crate) fn is_exec(record: &[u8]) -> bool {
    kind(record) == COMM && u32_at(record, 4) as u16 & MISC_EXEC != 0
}

/// Returns the process of a record about a mapping, a name, a birth or an end.
pub(crate) fn process(record: &[u8]) -> i32 {
    u32_at(record, 8) as i32
}

/// Returns process and thread of a birth.
pub(crate) fn birth(record: &[u8]) -> Option<(i32, i32)> {
    (kind(record) == FORK).then(|| (process(record), u32_at(record, 16) as i32))
}

/// Returns parent and child, if the record is about a new child process.
pub(crate) fn fork(record: &[u8]) -> Option<(i32, i32)> {
    let (child, parent) = (process(record), u32_at(record, 12) as i32);
    (kind(record) == FORK && child != parent).then_some((parent, child))
}

/// Returns process and range if the code differs before and after this record: a file was mapped, or the
/// process is another program or a new process.
pub(crate) fn changed_code(record: &[u8]) -> Option<(i32, Range<u64>)> {
    let pid = process(record);
    match kind(record) {
        _ if maps_code(record) => {
            let (start, len) = (u64_at(record, MMAP2_START_AT), u64_at(record, MMAP2_LEN_AT));
            Some((pid, start..start.saturating_add(len)))
        }
        COMM if is_exec(record) => Some((pid, 0..u64::MAX)),
        // A new thread has the code of its process.
        FORK if fork(record).is_some() => Some((pid, 0..u64::MAX)),
        _ => None,
    }
}

/// Returns the time of the record.
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

/// Returns the counter of a sample; for an inherited counter, the counter it was inherited from.
pub(crate) fn sample_id(record: &[u8]) -> u64 {
    u64_at(record, IDENTIFIER_AT)
}

/// Sets the id of the counter of a record.
pub(crate) fn set_id(record: &mut [u8], id: u64) {
    let at = match kind(record) {
        SAMPLE => IDENTIFIER_AT,
        _ => record.len().saturating_sub(8),
    };
    if let Some(field) = record.get_mut(at..at + 8) {
        field.copy_from_slice(&id.to_ne_bytes());
    }
}

/// Sets the time that a sample represents.
pub(crate) fn set_period(sample: &mut [u8], period: u64) {
    if let Some(field) = sample.get_mut(PERIOD_AT..PERIOD_AT + 8) {
        field.copy_from_slice(&period.to_ne_bytes());
    }
}

/// Returns the number of lost records that a loss record reports.
pub(crate) fn lost(record: &[u8]) -> u64 {
    match kind(record) {
        LOST_SAMPLES => u64_at(record, LOST_SAMPLES_COUNT_AT),
        _ => u64_at(record, LOST_COUNT_AT),
    }
}

fn maps_code(mapping: &[u8]) -> bool {
    kind(mapping) == MMAP2 && u32_at(mapping, MMAP2_PROTECTION_AT) & libc::PROT_EXEC as u32 != 0
}

/// Returns process and path of a mapping, if the mapping is executable.
pub(crate) fn executable_mapping(record: &[u8]) -> Option<(i32, String)> {
    if !maps_code(record) {
        return None;
    }
    let path = record
        .get(MMAP2_PATH_AT..)?
        .split(|byte| *byte == 0)
        .next()?;
    Some((process(record), String::from_utf8_lossy(path).into_owned()))
}

/// Reads a mapping record, if the mapping is executable.
pub(crate) fn mapping(record: &[u8]) -> Option<(i32, Mapping)> {
    let (pid, path) = executable_mapping(record)?;
    let start = u64_at(record, MMAP2_START_AT);
    let mapping = Mapping {
        start,
        end: start.checked_add(u64_at(record, MMAP2_LEN_AT))?,
        file_offset: u64_at(record, MMAP2_OFFSET_AT),
        protection: u32_at(record, MMAP2_PROTECTION_AT),
        flags: u32_at(record, MMAP2_PROTECTION_AT + 4),
        device: (
            u32_at(record, MMAP2_DEVICE_AT),
            u32_at(record, MMAP2_DEVICE_AT + 4),
            u64_at(record, MMAP2_DEVICE_AT + 8),
        ),
        path,
    };
    Some((pid, mapping))
}

/// User registers and stack of a sample with [`COPIED_REGISTERS`] and a copied stack.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CopiedSample<'r> {
    /// The sample is of a thread of the kernel.
    Nothing,
    /// The sampled code is not 64-bit.
    Foreign,
    Copy(UserCopy<'r>),
}

/// Reads registers and stack, which lie behind the call chain.
pub(crate) fn copied(sample: &[u8]) -> CopiedSample<'_> {
    let at = behind_call_chain(sample, true);
    match u64_at(sample, at) {
        0 => return CopiedSample::Nothing,
        REGISTERS_64_BIT => {}
        _ => return CopiedSample::Foreign,
    }
    let values_at = at.saturating_add(8);
    let stack_at = values_at.saturating_add(COPIED_REGISTERS.count_ones() as usize * 8);
    let size = u64_at(sample, stack_at) as usize;
    let bytes_at = stack_at.saturating_add(8);
    let filled = match size {
        0 => 0,
        _ => u64_at(sample, bytes_at.saturating_add(size)) as usize,
    };
    let stack = sample.get(bytes_at..bytes_at.saturating_add(filled.min(size)));
    CopiedSample::Copy(UserCopy {
        registers: UserRegisters::new(
            COPIED_REGISTERS,
            sample.get(values_at..stack_at).unwrap_or_default(),
        ),
        stack: stack.unwrap_or_default(),
        wanted: size,
    })
}

/// Returns the number of bytes of the stack in a sample that was asked for a copy.
pub(crate) fn copied_bytes(sample: &[u8]) -> usize {
    match copied(sample) {
        CopiedSample::Copy(copy) => copy.stack.len(),
        CopiedSample::Nothing | CopiedSample::Foreign => 0,
    }
}

/// Returns the words of a call chain: those before the marker of the user's part, and those behind the marker.
fn parts_of_call_chain(sample: &[u8]) -> (&[[u8; 8]], &[[u8; 8]]) {
    let end = behind_call_chain(sample, true).min(sample.len());
    let words = sample.get(TAIL_AT + 8..end).unwrap_or_default();
    let words = words.as_chunks().0;
    let mut parts = words.splitn(2, |word| *word == CONTEXT_USER.to_ne_bytes());
    let mut part = || parts.next().unwrap_or_default();
    (part(), part())
}

/// Returns the user's frames in the call chain of a sample.
pub(crate) fn user_frames(sample: &[u8]) -> impl Iterator<Item = u64> {
    let (_, user) = parts_of_call_chain(sample);
    user.iter().copied().map(u64::from_ne_bytes)
}

/// Returns the sample with these user frames after the kernel's part of its call chain, and nothing after them.
pub(crate) fn with_callers(sample: &[u8], frames: &[u64]) -> Vec<u8> {
    let kernel = parts_of_call_chain(sample).0.as_flattened();
    let room = (usize::from(u16::MAX) - TAIL_AT - 16 - kernel.len()) / 8;
    let frames = &frames[..frames.len().min(room)];
    let mut words = (kernel.len() / 8) as u64;
    if !frames.is_empty() {
        words += 1 + frames.len() as u64;
    }
    let mut shorter = sample.get(..TAIL_AT).unwrap_or_default().to_vec();
    shorter.extend_from_slice(&words.to_ne_bytes());
    shorter.extend_from_slice(kernel);
    if !frames.is_empty() {
        shorter.extend_from_slice(&CONTEXT_USER.to_ne_bytes());
        for frame in frames {
            shorter.extend_from_slice(&frame.to_ne_bytes());
        }
    }
    let len = shorter.len() as u16;
    shorter[6..8].copy_from_slice(&len.to_ne_bytes());
    shorter
}

/// The process of a sample.
pub(crate) fn sample_pid(record: &[u8]) -> i32 {
    u32_at(record, PID_AT) as i32
}

/// Returns the user addresses of a sample: its instruction and, with call chains, its frames.
pub(crate) fn sample_addresses(sample: &[u8], call_chain: bool) -> impl Iterator<Item = u64> {
    let end = behind_call_chain(sample, call_chain).min(sample.len());
    let frames = sample.get(TAIL_AT + 8..end).unwrap_or_default();
    let frames = frames.as_chunks().0.iter().copied().map(u64::from_ne_bytes);
    let is_user = |address: &u64| *address < 1 << 63;
    std::iter::once(u64_at(sample, IP_AT))
        .chain(frames)
        .filter(is_user)
}

/// Returns the sample with an empty branch stack at its end.
pub(crate) fn with_empty_branch_stack(sample: &[u8]) -> Vec<u8> {
    let mut longer = sample.to_vec();
    longer.extend_from_slice(&0_u64.to_ne_bytes());
    let len = longer.len() as u16;
    longer[6..8].copy_from_slice(&len.to_ne_bytes());
    longer
}

/// Returns the number of entries of a sample's branch stack, which lies behind the call chain, if there is one.
pub(crate) fn branch_count(sample: &[u8], call_chain: bool) -> u64 {
    u64_at(sample, behind_call_chain(sample, call_chain))
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
    fn a_record_becomes_one_of_another_counter() {
        let mut record = sample(&[1, 2]);
        set_id(&mut record, 5);
        assert_eq!((sample_id(&record), sample_tid(&record)), (5, 6));
        let mut end = [0; 56];
        end[0] = FORK as u8;
        set_id(&mut end, 9);
        assert_eq!(u64_at(&end, 48), 9);
        set_id(&mut [0; 3], 9);
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
    fn a_copied_stack_becomes_callers() {
        let mut record = sample(&[u64::MAX - 127, 0xffff_8000_0000_1000]);
        let registers = 1..=u64::from(COPIED_REGISTERS.count_ones());
        let copied_stack = [16, 0xaa, 0xbb, 8];
        for word in [2].into_iter().chain(registers).chain(copied_stack) {
            record.extend_from_slice(&u64::to_ne_bytes(word));
        }
        let CopiedSample::Copy(copy) = copied(&record) else {
            panic!("there is a copy");
        };
        assert_eq!(
            (copy.registers.get(8), copy.registers.get(16)),
            (Some(9), Some(13))
        );
        assert_eq!((copy.stack, copy.wanted), (&0xaa_u64.to_ne_bytes()[..], 16));
        let shorter = with_callers(&record, &[7, 8]);
        assert_eq!(
            usize::from(u16::from_ne_bytes([shorter[6], shorter[7]])),
            shorter.len()
        );
        let chain: Vec<u64> = (0..6)
            .map(|index| u64_at(&shorter, TAIL_AT + index * 8))
            .collect();
        let kernel = [5, u64::MAX - 127, 0xffff_8000_0000_1000];
        assert_eq!(chain, [&kernel[..], &[CONTEXT_USER, 7, 8]].concat());
        assert_eq!(with_callers(&sample(&[]), &[]), sample(&[]));
        let followed = sample(&[u64::MAX - 127, 0xffff_8000_0000_1000, CONTEXT_USER, 5, 6]);
        assert_eq!(user_frames(&followed).collect::<Vec<_>>(), [5, 6]);
        assert_eq!(user_frames(&shorter).collect::<Vec<_>>(), [7, 8]);
        assert_eq!(user_frames(&record).count(), 0);
        assert_eq!(with_callers(&followed, &[7, 8]), shorter);
        for len in 0..record.len() {
            // Nothing is read beyond the end, whatever is cut off.
            let _ = copied(&record[..len]);
        }
    }

    #[test]
    fn the_users_addresses_of_a_sample_are_its_instruction_and_its_frames() {
        let record = sample(&[u64::MAX - 127, 1 << 63, CONTEXT_USER, 7, 8]);
        let addresses = |record: &[u8], call_chain| -> Vec<u64> {
            sample_addresses(record, call_chain).collect()
        };
        assert_eq!(addresses(&record, true), [0x1000, 7, 8]);
        assert_eq!(addresses(&record, false), [0x1000]);
        for len in 0..record.len() {
            let _ = addresses(&record[..len], true);
        }
    }

    #[test]
    fn cut_records_read_as_zero() {
        assert_eq!(time_ns(&[0; 3]), 0);
        assert_eq!(branch_count(&sample(&[])[..30], true), 0);
        assert_eq!(executable_mapping(&[0xff; 70]), None);
    }
}
