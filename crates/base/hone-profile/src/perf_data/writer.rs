//! Writes the seekable form of perf.data, which every tool reads.
//!
//! Constraints that shaped the writer:
//! - The file is valid at every moment: the header says "data up to the end of the file" until
//!   [`Writer::finish`] completes it, so the recording of a killed recorder can still be read.
//! - Records of the kernel pass through as they are ([`Writer::raw`]), and the records made here look
//!   like the kernel's, so both may be mixed.
//! - Records need no order in time: readers sort them, which takes memory for all records unless the recorder can promise
//!   an order ([`Writer::finished_round`]). Records with time 0 come first.

use super::attr::{self, Attr};
use super::encode::{Record, SampleId, check_raw, invalid};
use super::event_table::EventTable;
use super::format::{
    FILE_HEADER_BYTES, MAGIC, RECORD_HEADER_BYTES, feature, record_type, sample_type,
};
use super::sample::time_of_sample;
use super::write_features::{Written, sections};
use crate::address::{Avma, BuildId, FileOffset};
use crate::code_names::CodeMap;
use crate::limits::EVENTS_MAX;
use crate::operands::Operands;
use crate::resources::{CpuQuota, CpuTime, MemoryUse};
use crate::third_argument::ThirdArgument;
use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes of a (position, length) pair.
const SECTION_BYTES: u64 = 16;

/// One event of the file: the content of its `perf_event_attr`.
#[derive(Clone, Debug)]
pub struct EventDescription {
    /// Name in the EVENT_DESC feature.
    pub name: String,
    /// The kernel's `perf_event_attr` as it was opened, in its native byte order.
    pub attr: Vec<u8>,
    /// Ids of the opened counters (`PERF_EVENT_IOC_ID`), which samples carry. If the list is empty, the
    /// writer makes up an id.
    pub ids: Vec<u64>,
}

/// A file mapping of a process.
#[derive(Clone, Debug)]
pub struct Mmap2 {
    /// Process id; -1 for the kernel.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// Start of the mapping.
    pub start: Avma,
    /// Length in bytes.
    pub len: u64,
    /// Offset of the first byte in the file.
    pub file_offset: FileOffset,
    /// `PROT_*` bits.
    pub protection: u32,
    /// `MAP_*` bits.
    pub flags: u32,
    /// Device and inode of the file (major, minor, inode), zero if unknown.
    pub device: (u32, u32, u64),
    /// Path, or `[vdso]`, `//anon` and the like.
    pub path: String,
    /// Time on the recording's clock; 0 for a mapping from before the recording.
    pub time_ns: u64,
}

/// A taken branch of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WalkedBranch {
    /// The branch instruction.
    pub from: Avma,
    /// Target of the branch.
    pub to: Avma,
    /// Third argument, if the branch is a call and the walk knew the argument.
    pub third_argument: ThirdArgument,
}

impl From<(Avma, Avma)> for WalkedBranch {
    /// Makes a branch with these two ends, of which nothing else is known.
    fn from((from, to): (Avma, Avma)) -> Self {
        Self {
            from,
            to,
            third_argument: ThirdArgument::UNKNOWN,
        }
    }
}

/// A sample that carries walked branch records.
#[derive(Clone, Debug)]
pub struct WalkSample<'a> {
    /// Index of the event in the list given to [`Writer::new`].
    pub event: usize,
    /// Process id.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// CPU that the thread ran on.
    pub cpu: u32,
    /// Instruction pointer.
    pub ip: Avma,
    /// Time on the recording's clock.
    pub time_ns: u64,
    /// Weight.
    pub period: u64,
    /// Call chain, leaf first (without context markers); may be empty.
    pub call_chain: &'a [Avma],
    /// Taken branches, newest first.
    pub branches: &'a [WalkedBranch],
}

/// Content of the trailing feature sections.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Host name.
    pub host: String,
    /// Kernel release.
    pub kernel: String,
    /// Architecture.
    pub arch: String,
    /// CPU description.
    pub cpu: String,
    /// Number of CPUs online.
    pub cpus_online: u32,
    /// The recorder's command line.
    pub command: Vec<String>,
    /// Build ids of the files that samples fell in: path, id, and true for the kernel. The format holds
    /// 20 bytes of an id; longer ids are cut, as perf does.
    pub build_ids: Vec<(String, BuildId, bool)>,
    /// The CPU quota under which the recorded processes ran, if there was one.
    pub cpu_quota: Option<CpuQuota>,
    /// Memory that the recorded Go programs used: [`crate::limits::MEMORY_USES_MAX`] entries at most.
    pub memory: Vec<MemoryUse>,
    /// CPU time that the recorded processes used; `None` if the recorder does not tell.
    pub cpu_time: Option<CpuTime>,
    /// Operands that walks met: [`crate::limits::OPERANDS_MAX`] instructions at most; `None` if no walk looked.
    pub operands: Option<Operands>,
    /// Names of code without a file by process: [`crate::limits::CODE_MAPS_MAX`] processes at most.
    pub code_names: BTreeMap<i32, CodeMap>,
}

/// Writer of a perf.data file to a seekable sink, from its start.
///
/// The samples of an event have the layout of the event's own attribute, and records about processes have the layout of
/// the first event's attribute. If the attributes differ in their `sample_type`, all must have
/// [`sample_type::IDENTIFIER`], so that readers can tell the event of a sample.
///
/// If perf2bolt 19 and llvm-profgen 19 are to read the file, leave out [`sample_type::CALLCHAIN`] in
/// every event: both misread the call chains that `perf script` prints. For create_llvm_prof 0.19, leave out
/// [`super::branch_type::HW_INDEX`].
pub struct Writer<W: Write + Seek> {
    sink: W,
    events: Vec<EventDescription>,
    table: EventTable,
    attr_bytes: usize,
    data_offset: u64,
    len: u64,
    times: Option<(u64, u64)>,
    record: Record,
}

impl<W: Write + Seek> Writer<W> {
    /// Starts the file. At least one event is needed.
    pub fn new(mut sink: W, mut events: Vec<EventDescription>) -> io::Result<Self> {
        if events.is_empty() || events.len() > EVENTS_MAX {
            return Err(invalid(format!(
                "{} events: 1 to {EVENTS_MAX} can be written",
                events.len()
            )));
        }
        let attr_bytes = events
            .iter()
            .map(|event| attr::needed_bytes(&event.attr))
            .max()
            .unwrap_or(0);
        for event in &mut events {
            event.attr = attr::resize(std::mem::take(&mut event.attr), attr_bytes);
        }
        add_missing_ids(&mut events);
        let ids: usize = events.iter().map(|event| event.ids.len()).sum();
        let attrs_len = events.len() as u64 * (attr_bytes as u64 + SECTION_BYTES);
        let data_offset = FILE_HEADER_BYTES + ids as u64 * 8 + attrs_len;

        let mut table = EventTable::default();
        for event in &events {
            table.add(Attr::parse(&event.attr), event.ids.iter().copied());
        }
        sink.seek(SeekFrom::Start(0))?;
        let mut writer = Self {
            sink,
            events,
            table,
            attr_bytes,
            data_offset,
            len: data_offset,
            times: None,
            record: Record::default(),
        };
        writer.write_header(0, &[])?;
        writer.write_attrs()?;
        Ok(writer)
    }

    /// Appends one record exactly as the kernel wrote it into the ring buffer, header included.
    pub fn raw(&mut self, record: &[u8]) -> io::Result<()> {
        check_raw(record)?;
        if let Some(time_ns) = self.time_of_raw_sample(record) {
            self.note_time(time_ns);
        }
        append(&mut self.sink, &mut self.len, record)
    }

    /// Appends a mapping.
    pub fn mmap2(&mut self, mapping: &Mmap2) -> io::Result<()> {
        let id = self.sample_id(mapping.pid, mapping.tid, mapping.time_ns);
        let record = self
            .record
            .mmap2(&self.table.entries()[0].attr, mapping, id)?;
        append(&mut self.sink, &mut self.len, record)
    }

    /// Appends a command name; `exec` is true if the name came with an exec.
    pub fn comm(
        &mut self,
        pid: i32,
        tid: i32,
        name: &str,
        exec: bool,
        time_ns: u64,
    ) -> io::Result<()> {
        let id = self.sample_id(pid, tid, time_ns);
        let record = self
            .record
            .comm(&self.table.entries()[0].attr, name, exec, id)?;
        append(&mut self.sink, &mut self.len, record)
    }

    /// Appends the start of a process or thread, with its (pid, tid) and those of its parent.
    pub fn fork(&mut self, child: (i32, i32), parent: (i32, i32), time_ns: u64) -> io::Result<()> {
        self.task(record_type::FORK, child, parent, time_ns)
    }

    /// Appends the end of a process or thread, with its (pid, tid) and those of its parent.
    pub fn exit(&mut self, child: (i32, i32), parent: (i32, i32), time_ns: u64) -> io::Result<()> {
        self.task(record_type::EXIT, child, parent, time_ns)
    }

    /// Appends a mark: later records are no older than the newest record before the previous mark. Readers that
    /// sort by time then need not keep older records in memory.
    pub fn finished_round(&mut self) -> io::Result<()> {
        let mut record = [0; RECORD_HEADER_BYTES];
        record[..4].copy_from_slice(&record_type::FINISHED_ROUND.to_le_bytes());
        record[6..].copy_from_slice(&(RECORD_HEADER_BYTES as u16).to_le_bytes());
        append(&mut self.sink, &mut self.len, &record)
    }

    /// Appends a report that samples of an event were lost; readers count these samples.
    pub fn lost(&mut self, event: usize, count: u64, time_ns: u64) -> io::Result<()> {
        let id = SampleId {
            id: self.event_id(event)?,
            ..self.sample_id(0, 0, time_ns)
        };
        let record = self.record.lost(&self.table.entries()[0].attr, count, id)?;
        append(&mut self.sink, &mut self.len, record)
    }

    /// Appends a sample with branch records.
    ///
    /// A record has at most 64 KB, which is about 2,700 branches: more are refused, so a longer walk has
    /// to be split into several samples.
    pub fn walk_sample(&mut self, sample: &WalkSample<'_>) -> io::Result<()> {
        let id = self.event_id(sample.event)?;
        let record = self
            .record
            .sample(&self.table.entries()[sample.event].attr, id, sample)?;
        append(&mut self.sink, &mut self.len, record)?;
        self.note_time(sample.time_ns);
        Ok(())
    }

    /// Returns the number of bytes written so far.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if no record has been written yet.
    pub fn is_empty(&self) -> bool {
        self.len == self.data_offset
    }

    /// Writes the feature sections and the final header, and returns the flushed sink.
    pub fn finish(mut self, features: &Features) -> io::Result<W> {
        let data_len = self.len - self.data_offset;
        let written = Written {
            events: &self.events,
            attr_bytes: self.attr_bytes,
            all_have_branches: self
                .table
                .entries()
                .iter()
                .all(|event| event.attr.has(sample_type::BRANCH_STACK)),
            times: self.times,
        };
        let sections = sections(features, &written)?;
        let mut position = self.len + sections.len() as u64 * SECTION_BYTES;
        for (_, content) in &sections {
            self.sink.write_all(&position.to_le_bytes())?;
            self.sink.write_all(&(content.len() as u64).to_le_bytes())?;
            position += content.len() as u64;
        }
        for (_, content) in &sections {
            self.sink.write_all(content)?;
        }
        let numbers: Vec<u32> = sections.iter().map(|(number, _)| *number).collect();
        self.sink.seek(SeekFrom::Start(0))?;
        self.write_header(data_len, &numbers)?;
        self.sink.seek(SeekFrom::End(0))?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn write_header(&mut self, data_len: u64, features: &[u32]) -> io::Result<()> {
        let attrs_len = self.events.len() as u64 * (self.attr_bytes as u64 + SECTION_BYTES);
        let mut header = MAGIC.to_vec();
        let words = [
            FILE_HEADER_BYTES,
            self.attr_bytes as u64 + SECTION_BYTES,
            self.data_offset - attrs_len,
            attrs_len,
            self.data_offset,
            data_len,
            0, // event types: a section that no perf has written since 3.10
            0,
        ];
        for word in words {
            header.extend_from_slice(&word.to_le_bytes());
        }
        let mut bits = [0; feature::BITS as usize / 8];
        for number in features {
            bits[*number as usize / 8] |= 1 << (number % 8);
        }
        header.extend_from_slice(&bits);
        self.sink.write_all(&header)
    }

    /// Writes the ids of all events, then their attributes, each with the place of its ids.
    fn write_attrs(&mut self) -> io::Result<()> {
        for event in &self.events {
            for id in &event.ids {
                self.sink.write_all(&id.to_le_bytes())?;
            }
        }
        let mut ids_position = FILE_HEADER_BYTES;
        for event in &self.events {
            let ids_len = event.ids.len() as u64 * 8;
            self.sink.write_all(&event.attr)?;
            self.sink.write_all(&ids_position.to_le_bytes())?;
            self.sink.write_all(&ids_len.to_le_bytes())?;
            ids_position += ids_len;
        }
        Ok(())
    }

    fn task(
        &mut self,
        kind: u32,
        child: (i32, i32),
        parent: (i32, i32),
        time_ns: u64,
    ) -> io::Result<()> {
        let id = self.sample_id(child.0, child.1, time_ns);
        let record = self
            .record
            .task(&self.table.entries()[0].attr, kind, parent, id)?;
        append(&mut self.sink, &mut self.len, record)
    }

    fn sample_id(&self, pid: i32, tid: i32, time_ns: u64) -> SampleId {
        SampleId {
            pid,
            tid,
            time_ns,
            cpu: 0,
            id: self.events[0].ids[0],
        }
    }

    fn event_id(&self, event: usize) -> io::Result<u64> {
        let event = self.events.get(event).ok_or_else(|| {
            invalid(format!(
                "event {event} of {} does not exist",
                self.events.len()
            ))
        })?;
        Ok(event.ids[0])
    }

    fn note_time(&mut self, time_ns: u64) {
        let (first, last) = self.times.unwrap_or((time_ns, time_ns));
        self.times = Some((first.min(time_ns), last.max(time_ns)));
    }

    fn time_of_raw_sample(&self, record: &[u8]) -> Option<u64> {
        let (header, body) = record.split_at_checked(RECORD_HEADER_BYTES)?;
        if header[..4] != record_type::SAMPLE.to_le_bytes() {
            return None;
        }
        time_of_sample(
            &self.table.entries()[self.table.of_sample(body)?].attr,
            body,
        )
    }
}

fn append<W: Write>(sink: &mut W, len: &mut u64, record: &[u8]) -> io::Result<()> {
    sink.write_all(record)?;
    *len += record.len() as u64;
    Ok(())
}

/// Gives each event without ids an id that no other event has, so that samples can name their event.
fn add_missing_ids(events: &mut [EventDescription]) {
    let largest = events
        .iter()
        .flat_map(|event| &event.ids)
        .max()
        .copied()
        .unwrap_or(0);
    let unused = (1..).map(|step: u64| largest.wrapping_add(step));
    for (event, id) in events
        .iter_mut()
        .filter(|event| event.ids.is_empty())
        .zip(unused)
    {
        event.ids.push(id);
    }
}
