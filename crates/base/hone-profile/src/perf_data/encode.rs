//! Records as bytes: header, content and the trailing sample id.

use super::attr::Attr;
use super::format::{
    BUILD_ID_BYTES, KERNEL_HALF, PROT_EXEC, RECORD_HEADER_BYTES, context, misc, read_format,
    record_type, sample_type,
};
use super::writer::{Mmap2, WalkSample};
use crate::address::BuildId;
use crate::limits::{RECORD_BYTES_MAX, STRING_BYTES_MAX};
use std::io;

/// Sample fields that [`sample`] can write.
const SAMPLE_FIELDS: u64 = sample_type::IP
    | sample_type::TID
    | sample_type::TIME
    | sample_type::ADDR
    | sample_type::CALLCHAIN
    | sample_type::ID
    | sample_type::CPU
    | sample_type::PERIOD
    | sample_type::STREAM_ID
    | sample_type::BRANCH_STACK
    | sample_type::REGS_USER
    | sample_type::STACK_USER
    | sample_type::IDENTIFIER;

/// Trailing sample id of a record: thread, time, CPU and counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleId {
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) time_ns: u64,
    pub(crate) cpu: u32,
    pub(crate) id: u64,
}

/// A record under construction.
#[derive(Default, Debug)]
pub(crate) struct Record {
    bytes: Vec<u8>,
}

impl Record {
    fn start(&mut self, kind: u32, misc: u16) {
        self.bytes.clear();
        self.u32(kind);
        self.bytes.extend_from_slice(&misc.to_le_bytes());
        self.bytes.extend_from_slice(&[0, 0]);
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends a string, its terminating zero, and zeros up to a multiple of eight bytes.
    fn string(&mut self, text: &str) -> io::Result<()> {
        if text.len() > STRING_BYTES_MAX || text.contains('\0') {
            return Err(invalid(format!(
                "a name of {} bytes cannot be written to perf.data",
                text.len()
            )));
        }
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        Ok(())
    }

    fn sample_id(&mut self, attr: &Attr, id: SampleId) {
        if !attr.sample_id_all() {
            return;
        }
        if attr.has(sample_type::TID) {
            self.i32(id.pid);
            self.i32(id.tid);
        }
        if attr.has(sample_type::TIME) {
            self.u64(id.time_ns);
        }
        if attr.has(sample_type::ID) {
            self.u64(id.id);
        }
        if attr.has(sample_type::STREAM_ID) {
            self.u64(id.id);
        }
        if attr.has(sample_type::CPU) {
            self.u32(id.cpu);
            self.u32(0);
        }
        if attr.has(sample_type::IDENTIFIER) {
            self.u64(id.id);
        }
    }

    /// Fills in the length and returns the finished record.
    fn finish(&mut self) -> io::Result<&[u8]> {
        let len = u16::try_from(self.bytes.len()).map_err(|_| {
            invalid(format!(
                "a record of {} bytes is longer than the {RECORD_BYTES_MAX} that perf.data allows",
                self.bytes.len()
            ))
        })?;
        self.bytes[6..8].copy_from_slice(&len.to_le_bytes());
        Ok(&self.bytes)
    }

    pub(crate) fn mmap2(
        &mut self,
        attr: &Attr,
        mapping: &Mmap2,
        id: SampleId,
    ) -> io::Result<&[u8]> {
        let mode = if mapping.pid == -1 {
            misc::KERNEL
        } else {
            misc::USER
        };
        let data = if mapping.protection & PROT_EXEC == 0 {
            misc::MMAP_DATA
        } else {
            0
        };
        self.start(record_type::MMAP2, mode | data);
        self.i32(mapping.pid);
        self.i32(mapping.tid);
        self.u64(mapping.start.0);
        self.u64(mapping.len);
        self.u64(mapping.file_offset.0);
        let (major, minor, inode) = mapping.device;
        self.u32(major);
        self.u32(minor);
        self.u64(inode);
        self.u64(0); // inode generation
        self.u32(mapping.protection);
        self.u32(mapping.flags);
        self.string(&mapping.path)?;
        self.sample_id(attr, id);
        self.finish()
    }

    pub(crate) fn comm(
        &mut self,
        attr: &Attr,
        name: &str,
        exec: bool,
        id: SampleId,
    ) -> io::Result<&[u8]> {
        self.start(
            record_type::COMM,
            misc::USER | if exec { misc::COMM_EXEC } else { 0 },
        );
        self.i32(id.pid);
        self.i32(id.tid);
        self.string(name)?;
        self.sample_id(attr, id);
        self.finish()
    }

    /// Writes a fork or an exit: both hold the task and its parent.
    pub(crate) fn task(
        &mut self,
        attr: &Attr,
        kind: u32,
        parent: (i32, i32),
        id: SampleId,
    ) -> io::Result<&[u8]> {
        self.start(kind, misc::USER);
        self.i32(id.pid);
        self.i32(parent.0);
        self.i32(id.tid);
        self.i32(parent.1);
        self.u64(id.time_ns);
        self.sample_id(attr, id);
        self.finish()
    }

    pub(crate) fn lost(&mut self, attr: &Attr, count: u64, id: SampleId) -> io::Result<&[u8]> {
        self.start(record_type::LOST, 0);
        self.u64(id.id);
        self.u64(count);
        self.sample_id(attr, id);
        self.finish()
    }

    pub(crate) fn sample(
        &mut self,
        attr: &Attr,
        id: u64,
        sample: &WalkSample<'_>,
    ) -> io::Result<&[u8]> {
        if attr.sample_type & !SAMPLE_FIELDS != 0 {
            return Err(invalid(format!(
                "sample fields {:#x} cannot be written",
                attr.sample_type & !SAMPLE_FIELDS
            )));
        }
        let mode = if sample.ip.0 >= KERNEL_HALF {
            misc::KERNEL
        } else {
            misc::USER
        };
        self.start(record_type::SAMPLE, mode);
        self.sample_head(attr, id, sample);
        if attr.has(sample_type::CALLCHAIN) {
            self.call_chain(sample);
        }
        if attr.has(sample_type::BRANCH_STACK) {
            self.branch_stack(attr, sample);
        }
        if attr.has(sample_type::REGS_USER) {
            self.u64(0); // PERF_SAMPLE_REGS_ABI_NONE: no registers follow
        }
        if attr.has(sample_type::STACK_USER) {
            self.u64(0); // no stack bytes, hence no length of the used part either
        }
        self.finish()
    }

    /// Appends the fields of one word each, in the kernel's order.
    fn sample_head(&mut self, attr: &Attr, id: u64, sample: &WalkSample<'_>) {
        if attr.has(sample_type::IDENTIFIER) {
            self.u64(id);
        }
        if attr.has(sample_type::IP) {
            self.u64(sample.ip.0);
        }
        if attr.has(sample_type::TID) {
            self.i32(sample.pid);
            self.i32(sample.tid);
        }
        if attr.has(sample_type::TIME) {
            self.u64(sample.time_ns);
        }
        if attr.has(sample_type::ADDR) {
            self.u64(0);
        }
        if attr.has(sample_type::ID) {
            self.u64(id);
        }
        if attr.has(sample_type::STREAM_ID) {
            self.u64(id);
        }
        if attr.has(sample_type::CPU) {
            self.u32(sample.cpu);
            self.u32(0);
        }
        if attr.has(sample_type::PERIOD) {
            self.u64(sample.period);
        }
    }

    fn call_chain(&mut self, sample: &WalkSample<'_>) {
        let markers = usize::from(!sample.call_chain.is_empty());
        self.u64((sample.call_chain.len() + markers) as u64);
        if markers == 1 {
            self.u64(context::USER);
        }
        for address in sample.call_chain {
            self.u64(address.0);
        }
    }

    fn branch_stack(&mut self, attr: &Attr, sample: &WalkSample<'_>) {
        self.u64(sample.branches.len() as u64);
        if attr.has_hw_index() {
            self.u64(u64::MAX); // the kernel's word for "unknown"
        }
        for branch in sample.branches {
            self.u64(branch.from.0);
            self.u64(branch.to.0);
            // Neither "mispredicted" nor "predicted": not known.
            self.u64(branch.third_argument.to_flags());
        }
    }

    /// Writes an entry of the BUILD_ID feature, which has the form of a record.
    pub(crate) fn build_id(&mut self, path: &str, id: &BuildId, kernel: bool) -> io::Result<&[u8]> {
        let mode = if kernel { misc::KERNEL } else { misc::USER };
        self.start(0, mode | misc::BUILD_ID_SIZE); // perf gives these entries no type
        self.i32(-1); // perf's pid of the host, as against its virtual machines
        let bytes = id.as_bytes();
        let bytes = &bytes[..bytes.len().min(BUILD_ID_BYTES)];
        let mut field = [0; BUILD_ID_BYTES + 4];
        field[..bytes.len()].copy_from_slice(bytes);
        field[BUILD_ID_BYTES] = bytes.len() as u8;
        self.bytes.extend_from_slice(&field);
        self.string(path)?;
        self.finish()
    }
}

/// Returns the number of words in the READ field of a sample, given the first word of the field.
///
/// The first word of a group is the number of its members.
pub(crate) fn read_field_words(format: u64, first: u64) -> Option<u64> {
    let times = u64::from(format & read_format::TOTAL_TIME_ENABLED != 0)
        + u64::from(format & read_format::TOTAL_TIME_RUNNING != 0);
    let per_counter =
        1 + u64::from(format & read_format::ID != 0) + u64::from(format & read_format::LOST != 0);
    if format & read_format::GROUP == 0 {
        return Some(times + per_counter);
    }
    first.checked_mul(per_counter)?.checked_add(1 + times)
}

/// Checks that the bytes are one whole record.
pub(crate) fn check_raw(record: &[u8]) -> io::Result<()> {
    let claimed = record.get(6..RECORD_HEADER_BYTES).map_or(0, |size| {
        usize::from(u16::from_le_bytes([size[0], size[1]]))
    });
    if record.len() < RECORD_HEADER_BYTES || claimed != record.len() {
        return Err(invalid(format!(
            "a record of {} bytes says that it has {claimed}",
            record.len()
        )));
    }
    Ok(())
}

pub(crate) fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
