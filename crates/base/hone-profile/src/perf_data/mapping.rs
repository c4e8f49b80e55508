//! Mapping records: MMAP, MMAP2, and MMAP2 with a build id.

use super::bytes::{Bytes, text};
use super::format::{BUILD_ID_BYTES, misc, record_type};
use super::source::RawRecord;
use crate::address::{Avma, BuildId, FileOffset};
use crate::binary_kind::only_looks_like_a_file;
use crate::profile::BinaryKind;

/// Content of a mapping record.
pub(crate) struct MapRecord {
    pub(crate) pid: i32,
    pub(crate) start: Avma,
    pub(crate) end: Avma,
    pub(crate) file_offset: FileOffset,
    pub(crate) build_id: Option<BuildId>,
    pub(crate) path: String,
    /// True if the memory is not executable: it holds no code, but replaces earlier mappings.
    pub(crate) is_data: bool,
    is_kernel: bool,
}

/// Parses any mapping record; `None` if the record is too short.
pub(crate) fn parse(record: RawRecord<'_>) -> Option<MapRecord> {
    let mut rest = Bytes(record.body);
    let pid = rest.i32()?;
    let _tid = rest.i32()?;
    let start = rest.u64()?;
    let len = rest.u64()?;
    let file_offset = rest.u64()?;
    let mut build_id = None;
    if record.kind == record_type::MMAP2 {
        // Device, inode and its generation; or length and bytes of a build id.
        let who = rest.take(24)?;
        let _protection_and_flags = rest.u64()?;
        if record.misc & misc::MMAP_BUILD_ID != 0 {
            let (len, bytes) = (usize::from(who[0]), &who[4..]);
            build_id = BuildId::new(&bytes[..len.min(BUILD_ID_BYTES)]);
        }
    }
    let is_kernel = pid == -1 || record.misc & misc::CPUMODE_MASK == misc::KERNEL;
    let path = text(rest.0);
    Some(MapRecord {
        pid,
        start: Avma(start),
        end: Avma(start.saturating_add(len)),
        file_offset: FileOffset(file_offset),
        build_id,
        path: if is_kernel { kernel_path(path) } else { path },
        is_data: record.misc & misc::MMAP_DATA != 0 && !is_kernel,
        is_kernel,
    })
}

impl MapRecord {
    /// Returns the kind of the mapping, by its name.
    pub(crate) fn kind(&self) -> BinaryKind {
        if self.is_kernel {
            return BinaryKind::Kernel;
        }
        if self.path == "[vdso]" {
            return BinaryKind::Vdso;
        }
        if self.path.starts_with('/') && !only_looks_like_a_file(&self.path) {
            BinaryKind::File
        } else {
            BinaryKind::Anonymous
        }
    }
}

/// Cuts the symbol off the kernel's path: perf adds the symbol by which the image was found, `[kernel.kallsyms]_text`.
fn kernel_path(mut path: String) -> String {
    if path.starts_with('[')
        && let Some(end) = path.find(']')
    {
        path.truncate(end + 1);
    }
    path
}
