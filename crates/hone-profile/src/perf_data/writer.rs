//! Writing (skeleton; signatures are fixed, bodies come).

use crate::address::{Avma, BuildId, FileOffset};
use std::io::{self, Seek, Write};

/// One event of the file: what goes into its `perf_event_attr`.
#[derive(Clone, Debug)]
pub struct EventDescription {
    /// Name in the EVENT_DESC feature.
    pub name: String,
    /// The kernel's `perf_event_attr` as it was opened, in its native byte order.
    pub attr: Vec<u8>,
    /// The ids of the opened counters (`PERF_EVENT_IOC_ID`), which samples carry.
    pub ids: Vec<u64>,
}

/// A file mapping of a process.
#[derive(Clone, Debug)]
pub struct Mmap2 {
    /// Process id.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// Where the mapping starts.
    pub start: Avma,
    /// Its length in bytes.
    pub len: u64,
    /// Offset of its first byte in the file.
    pub file_offset: FileOffset,
    /// `PROT_*` bits.
    pub protection: u32,
    /// `MAP_*` bits.
    pub flags: u32,
    /// Device and inode of the file (major, minor, inode), zero where unknown.
    pub device: (u32, u32, u64),
    /// Path, or `[vdso]`, `//anon` and the like.
    pub path: String,
    /// When, on the recording's clock; 0 for what existed before.
    pub time_ns: u64,
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
    /// CPU it ran on.
    pub cpu: u32,
    /// Instruction pointer.
    pub ip: Avma,
    /// When, on the recording's clock.
    pub time_ns: u64,
    /// Weight.
    pub period: u64,
    /// Call chain, leaf first (without context markers); may be empty.
    pub call_chain: &'a [Avma],
    /// Taken branches (from, to), newest first.
    pub branches: &'a [(Avma, Avma)],
}

/// What the trailing feature sections say.
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
    /// CPUs online.
    pub cpus_online: u32,
    /// The recorder's command line.
    pub command: Vec<String>,
    /// Build ids of the files that samples fell in: path, id, whether it is the kernel.
    pub build_ids: Vec<(String, BuildId, bool)>,
}

/// Writes a perf.data file to a seekable sink.
///
/// All events share one `sample_type`, read from the first attribute, since `perf script` and
/// llvm-profgen want the same fields of every sample.
pub struct Writer<W: Write + Seek> {
    sink: W,
}

impl<W: Write + Seek> Writer<W> {
    /// Starts the file.
    pub fn new(sink: W, _events: Vec<EventDescription>) -> io::Result<Self> {
        Ok(Self { sink })
    }

    /// Appends one record exactly as the kernel wrote it into the ring buffer, header included.
    pub fn raw(&mut self, _record: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Appends a mapping.
    pub fn mmap2(&mut self, _mapping: &Mmap2) -> io::Result<()> {
        Ok(())
    }

    /// Appends a command name; `exec` where it came with an exec.
    pub fn comm(&mut self, _pid: i32, _tid: i32, _name: &str, _exec: bool, _time_ns: u64) -> io::Result<()> {
        Ok(())
    }

    /// Appends a sample with branch records.
    pub fn walk_sample(&mut self, _sample: &WalkSample<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Bytes written so far.
    pub fn len(&self) -> u64 {
        0
    }

    /// Writes the feature sections and the final header, and gives the sink back.
    pub fn finish(self, _features: &Features) -> io::Result<W> {
        Ok(self.sink)
    }
}
