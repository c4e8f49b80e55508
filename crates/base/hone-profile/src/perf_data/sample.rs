//! One sample record, parsed as its event's attribute says.

use super::attr::Attr;
use super::bytes::{Bytes, words};
use super::encode::read_field_words;
use super::format::{attr_flag, sample_type};
use super::user_copy::Copied;
use crate::profile::BranchKind;
use crate::third_argument::ThirdArgument;

/// Fields of a sample, in the form of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawSample<'a> {
    pub(crate) ip: u64,
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) time_ns: u64,
    pub(crate) weight: u64,
    /// Words of the call chain, with context markers.
    call_chain: &'a [u8],
    /// Entries of the branch stack, three words each.
    branches: &'a [u8],
    pub(crate) copied: Copied<'a>,
}

/// One entry of a branch stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawBranch {
    pub(crate) from: u64,
    pub(crate) to: u64,
    flags: u64,
}

impl<'a> RawSample<'a> {
    /// Parses the record without its header; `None` if the record is shorter than it says.
    pub(crate) fn parse(attr: &Attr, body: &'a [u8]) -> Option<Self> {
        let mut rest = Bytes(body);
        let mut sample = Self {
            ip: 0,
            pid: -1,
            tid: -1,
            time_ns: 0,
            weight: default_weight(attr),
            call_chain: &[],
            branches: &[],
            copied: Copied::Nothing,
        };
        sample.parse_head(attr, &mut rest)?;
        if attr.has(sample_type::READ) {
            let first = Bytes(rest.0).u64()?;
            rest.words(read_field_words(attr.read_format, first)?)?;
        }
        if attr.has(sample_type::CALLCHAIN) {
            sample.call_chain = rest.counted_words()?;
        }
        if attr.has(sample_type::RAW) {
            let len = rest.u32()?;
            rest.take(len as usize)?;
        }
        if attr.has(sample_type::BRANCH_STACK) {
            let entries = rest.u64()?;
            if attr.has_hw_index() {
                rest.u64()?;
            }
            sample.branches = rest.words(entries.checked_mul(3)?)?;
        }
        let registers = attr.has(sample_type::REGS_USER);
        sample.copied = Copied::parse(
            &mut rest,
            registers.then_some(attr.user_registers),
            attr.has(sample_type::STACK_USER),
        )?;
        Some(sample)
    }

    /// Parses the fields of one word each.
    fn parse_head(&mut self, attr: &Attr, rest: &mut Bytes<'a>) -> Option<()> {
        if attr.has(sample_type::IDENTIFIER) {
            rest.u64()?;
        }
        if attr.has(sample_type::IP) {
            self.ip = rest.u64()?;
        }
        if attr.has(sample_type::TID) {
            self.pid = rest.i32()?;
            self.tid = rest.i32()?;
        }
        if attr.has(sample_type::TIME) {
            self.time_ns = rest.u64()?;
        }
        for field in [
            sample_type::ADDR,
            sample_type::ID,
            sample_type::STREAM_ID,
            sample_type::CPU,
        ] {
            if attr.has(field) {
                rest.u64()?;
            }
        }
        if attr.has(sample_type::PERIOD) {
            self.weight = rest.u64()?;
        }
        Some(())
    }

    /// Returns the words of the call chain with its markers, leaf first.
    pub(crate) fn call_chain(&self) -> impl DoubleEndedIterator<Item = u64> + use<'a> {
        words(self.call_chain)
    }

    /// Returns the number of words in the call chain.
    pub(crate) fn call_chain_len(&self) -> usize {
        self.call_chain.len() / 8
    }

    /// Returns the branch stack, newest first.
    pub(crate) fn branches(&self) -> impl Iterator<Item = RawBranch> + use<'a> {
        let (entries, _) = self.branches.as_chunks::<24>();
        entries.iter().map(|entry| {
            let mut fields = words(entry);
            let mut next = || fields.next().unwrap_or_default();
            RawBranch {
                from: next(),
                to: next(),
                flags: next(),
            }
        })
    }
}

/// Returns the weight of a sample that states none itself.
fn default_weight(attr: &Attr) -> u64 {
    if attr.flags & attr_flag::FREQ == 0 {
        attr.sample_period.max(1)
    } else {
        1
    }
}

impl RawBranch {
    pub(crate) fn mispredicted(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns the kind of the branch, from the kernel's `PERF_BR_*` number in bits 20 to 23 of the flags.
    pub(crate) fn kind(&self) -> BranchKind {
        match self.flags >> 20 & 0xf {
            1 => BranchKind::Conditional,
            2 => BranchKind::Jump,
            3 => BranchKind::IndirectJump,
            4 | 9 => BranchKind::Call,
            5 => BranchKind::IndirectCall,
            6 | 10 => BranchKind::Return,
            7 | 8 | 11 | 12 | 13 => BranchKind::System,
            _ => BranchKind::Unknown,
        }
    }

    pub(crate) fn third_argument(&self) -> ThirdArgument {
        ThirdArgument::from_flags(self.flags)
    }
}

/// Returns the time of a sample without parsing the whole sample.
pub(crate) fn time_of_sample(attr: &Attr, body: &[u8]) -> Option<u64> {
    if !attr.has(sample_type::TIME) {
        return None;
    }
    let before = sample_type::IDENTIFIER | sample_type::IP | sample_type::TID;
    let offset = 8 * (attr.sample_type & before).count_ones() as usize;
    Bytes(body.get(offset..)?).u64()
}

/// Returns the time of another record from its trailing sample id, if it has one.
pub(crate) fn time_of_other(attr: &Attr, body: &[u8]) -> Option<u64> {
    if !attr.sample_id_all() || !attr.has(sample_type::TIME) {
        return None;
    }
    let after = sample_type::TIME
        | sample_type::ID
        | sample_type::STREAM_ID
        | sample_type::CPU
        | sample_type::IDENTIFIER;
    let from_end = 8 * (attr.sample_type & after).count_ones() as usize;
    Bytes(body.get(body.len().checked_sub(from_end)?..)?).u64()
}
