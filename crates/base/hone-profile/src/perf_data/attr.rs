//! `perf_event_attr`: the parts that decide the layout of records, read and written.
//!
//! The structure has grown with the kernel, and each file states its size. So the fields are read at fixed offsets of the
//! bytes that are there, and fields beyond the end are zero, as the kernel defines.

use super::format::{attr_flag, branch_type, sample_type};
use crate::branch_stacks::BranchStacks;

/// Size of the first published structure.
pub(crate) const ATTR_BYTES_MIN: usize = 64;
/// Size that holds every field this crate knows, and that every perf since 4.7 takes.
pub(crate) const ATTR_BYTES_USUAL: usize = 112;

const OFFSET_TYPE: usize = 0;
const OFFSET_SIZE: usize = 4;
const OFFSET_CONFIG: usize = 8;
const OFFSET_PERIOD: usize = 16;
const OFFSET_SAMPLE_TYPE: usize = 24;
const OFFSET_READ_FORMAT: usize = 32;
const OFFSET_FLAGS: usize = 40;
const OFFSET_BRANCH_TYPE: usize = 72;
const OFFSET_REGISTERS: usize = 80;

/// `PERF_TYPE_SOFTWARE`.
const TYPE_SOFTWARE: u32 = 1;

/// Fields of an attribute that decide the layout of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Attr {
    pub(crate) kind: u32,
    pub(crate) config: u64,
    pub(crate) sample_period: u64,
    pub(crate) sample_type: u64,
    pub(crate) read_format: u64,
    pub(crate) flags: u64,
    pub(crate) branch_sample_type: u64,
    /// Bits of the registers of user code that samples hold, if any.
    pub(crate) user_registers: u64,
}

impl Attr {
    /// Parses the bytes of an attribute; fields beyond the end are zero.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        Self {
            kind: u64_at(bytes, OFFSET_TYPE) as u32,
            config: u64_at(bytes, OFFSET_CONFIG),
            sample_period: u64_at(bytes, OFFSET_PERIOD),
            sample_type: u64_at(bytes, OFFSET_SAMPLE_TYPE),
            read_format: u64_at(bytes, OFFSET_READ_FORMAT),
            flags: u64_at(bytes, OFFSET_FLAGS),
            branch_sample_type: u64_at(bytes, OFFSET_BRANCH_TYPE),
            user_registers: u64_at(bytes, OFFSET_REGISTERS),
        }
    }

    /// Returns true if samples have the fields of `bits`.
    pub(crate) fn has(&self, bits: u64) -> bool {
        self.sample_type & bits == bits
    }

    /// Returns true if records other than samples end with a sample id (thread, time and CPU).
    pub(crate) fn sample_id_all(&self) -> bool {
        self.flags & attr_flag::SAMPLE_ID_ALL != 0
    }

    /// Returns the content of the branch stacks of the event's samples.
    pub(crate) fn branch_stacks(&self) -> BranchStacks {
        match self.has(sample_type::BRANCH_STACK) {
            true => BranchStacks::recorded_with(self.branch_sample_type),
            false => BranchStacks::None,
        }
    }

    /// Returns true if a branch stack starts with the hardware's index.
    pub(crate) fn has_hw_index(&self) -> bool {
        self.branch_sample_type & branch_type::HW_INDEX != 0
    }
}

/// A software event to be written to a file, whether or not the kernel has such a counter open.
///
/// Recorders without perf events describe their samples with this event, and so do writers of walked samples.
/// The event's name is in [`super::EventDescription::name`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoftwareEvent {
    /// Counter of the event.
    pub counter: SoftwareCounter,
    /// Samples per second if `is_frequency`, else units (nanoseconds) per sample.
    pub period: u64,
    /// True if `period` is a frequency.
    pub is_frequency: bool,
    /// Bits of [`mod@super::sample_type`].
    pub sample_type: u64,
    /// Bits of [`mod@super::branch_type`]; zero without a branch stack.
    pub branch_sample_type: u64,
}

/// Software counters, by their number in the kernel.
///
/// `PERF_COUNT_SW_DUMMY` is left out on purpose: `perf script` 6.1 ignores dummy events when it sets
/// up its output, and then prints no instruction pointers, so perf2bolt and others fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SoftwareCounter {
    /// Wall time of a CPU.
    CpuClock = 0,
    /// CPU time of a task.
    TaskClock = 1,
}

impl SoftwareEvent {
    /// Returns the bytes of the attribute: user code only, with mappings, command names and forks recorded and
    /// `sample_id_all` set.
    pub fn attr(&self) -> Vec<u8> {
        let mut bytes = vec![0; ATTR_BYTES_USUAL];
        let mut flags = attr_flag::EXCLUDE_KERNEL
            | attr_flag::EXCLUDE_HV
            | attr_flag::MMAP
            | attr_flag::COMM
            | attr_flag::TASK
            | attr_flag::SAMPLE_ID_ALL
            | attr_flag::MMAP2
            | attr_flag::COMM_EXEC;
        if self.is_frequency {
            flags |= attr_flag::FREQ;
        }
        put(&mut bytes, OFFSET_TYPE, &TYPE_SOFTWARE.to_le_bytes());
        put(
            &mut bytes,
            OFFSET_CONFIG,
            &(self.counter as u64).to_le_bytes(),
        );
        put(&mut bytes, OFFSET_PERIOD, &self.period.to_le_bytes());
        put(
            &mut bytes,
            OFFSET_SAMPLE_TYPE,
            &self.sample_type.to_le_bytes(),
        );
        put(&mut bytes, OFFSET_FLAGS, &flags.to_le_bytes());
        put(
            &mut bytes,
            OFFSET_BRANCH_TYPE,
            &self.branch_sample_type.to_le_bytes(),
        );
        resize(bytes, ATTR_BYTES_USUAL)
    }
}

/// Returns the length to which an attribute can be cut without losing anything, at least the usual length.
///
/// perf refuses attributes longer than those of its own kernel version, so a recording made on a new
/// kernel stays readable for an older perf as long as the attribute uses no new field.
pub(crate) fn needed_bytes(attr: &[u8]) -> usize {
    let used = attr
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    used.next_multiple_of(8).max(ATTR_BYTES_USUAL)
}

/// Returns the attribute cut or filled up to `len` bytes, with the new length in its size field.
pub(crate) fn resize(mut attr: Vec<u8>, len: usize) -> Vec<u8> {
    attr.resize(len, 0);
    put(&mut attr, OFFSET_SIZE, &(len as u32).to_le_bytes());
    attr
}

fn put(bytes: &mut [u8], offset: usize, value: &[u8]) {
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

/// Returns eight little-endian bytes at an offset; bytes beyond the end of the slice are zero.
fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let mut value = [0; 8];
    for (to, from) in value.iter_mut().zip(bytes.iter().skip(offset)) {
        *to = *from;
    }
    u64::from_le_bytes(value)
}
