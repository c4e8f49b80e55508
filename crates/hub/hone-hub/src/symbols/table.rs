//! The table of names of a build: which functions, inlined calls, files and lines belong to each address.
//!
//! Debug information is parsed once, when a file is uploaded; questions only read the table made then. A table has a row
//! for each address at which the frames change, sorted by address, in chunks that are read and unpacked one by one:
//!
//! ```text
//! "HONT", version, length of the head, head, its CRC-32     segments; first address and length of each chunk
//! chunk, chunk, ...                                          a zstd frame each: texts, index of rows, rows
//! ```
//!
//! `docs/internals/hub-symbols.md` has the bytes, and says why it is no other format.

mod chunk;
mod make;
#[cfg(test)]
mod tests;
mod write;

use hone_profile::protobuf::{Message, varint};
use hone_profile::{FileOffset, Svma};
use hone_symbols::Segment;

pub(super) use chunk::{Chunk, Frames};
pub use make::tabulate;

/// First bytes of a table.
const MAGIC: [u8; 4] = *b"HONT";
/// Version of tables, which is part of their names in the store too.
pub(super) const VERSION: u8 = 1;
/// Bytes before the head.
const PREFIX_BYTES: usize = 9;
/// Bytes after the head.
const CHECKSUM_BYTES: usize = 4;

/// The first part of a table: where its chunks are, and which addresses the bytes of the file have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Head {
    /// Parts of the file that are loaded, the executable ones first.
    pub(super) segments: Vec<Segment>,
    /// Number of rows.
    pub(super) rows: u64,
    /// Chunks by address.
    pub(super) chunks: Vec<ChunkPlace>,
    /// Bytes of the table before the first chunk.
    pub(super) bytes: u64,
}

/// Where a chunk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChunkPlace {
    /// Address of its first row.
    pub(super) first: Svma,
    /// First byte, behind the head.
    pub(super) start: u64,
    /// Bytes of its zstd frame.
    pub(super) bytes: u64,
}

/// What the first bytes of a table tell.
pub(super) enum HeadRead {
    /// The head.
    Whole(Head),
    /// The head needs so many bytes from the start of the table.
    Needs(u64),
}

impl Head {
    /// Reads the head from the first bytes of a table; `None` if they are damaged, or of another version.
    pub(super) fn read(table: &[u8]) -> Option<HeadRead> {
        let (prefix, rest) = table.split_first_chunk::<PREFIX_BYTES>()?;
        let [m0, m1, m2, m3, version, length @ ..] = *prefix;
        if [m0, m1, m2, m3] != MAGIC || version != VERSION {
            return None;
        }
        let length = u32::from_le_bytes(length) as usize;
        let bytes = PREFIX_BYTES + length + CHECKSUM_BYTES;
        let Some((head, rest)) = rest.split_at_checked(length) else {
            return Some(HeadRead::Needs(bytes as u64));
        };
        let Some(sum) = rest.first_chunk::<CHECKSUM_BYTES>() else {
            return Some(HeadRead::Needs(bytes as u64));
        };
        if u32::from_le_bytes(*sum) != crc32fast::hash(head) {
            return None;
        }
        let mut read = Self::fields(head)?;
        read.bytes = bytes as u64;
        Some(HeadRead::Whole(read))
    }

    fn fields(mut head: &[u8]) -> Option<Self> {
        let rest = &mut head;
        let mut next = || varint(rest).ok();
        let mut read = Self {
            rows: next()?,
            ..Self::default()
        };
        for _ in 0..next()? {
            read.segments.push(Segment {
                offset: FileOffset(next()?),
                svma: Svma(next()?),
                file_size: next()?,
                executable: next()? == 1,
            });
        }
        let (mut first, mut start) = (0_u64, 0_u64);
        for _ in 0..next()? {
            first = first.checked_add(next()?)?;
            let bytes = next()?;
            read.chunks.push(ChunkPlace {
                first: Svma(first),
                start,
                bytes,
            });
            start = start.checked_add(bytes)?;
        }
        Some(read)
    }

    /// Writes the head, with all that comes before the first chunk.
    fn write(&self) -> Vec<u8> {
        let mut head = Message::default();
        head.put(self.rows);
        head.put(self.segments.len() as u64);
        for segment in &self.segments {
            head.put(segment.offset.0);
            head.put(segment.svma.0);
            head.put(segment.file_size);
            head.put(segment.executable.into());
        }
        head.put(self.chunks.len() as u64);
        let mut first = 0;
        for chunk in &self.chunks {
            head.put(chunk.first.0 - first);
            head.put(chunk.bytes);
            first = chunk.first.0;
        }
        let head = head.0;
        let length = (head.len() as u32).to_le_bytes();
        let sum = crc32fast::hash(&head).to_le_bytes();
        [&MAGIC[..], &[VERSION], &length, &head, &sum].concat()
    }

    /// Returns the address of a byte of the file, as [`hone_symbols::Binary::svma_of`] does.
    pub(super) fn svma_of(&self, offset: FileOffset) -> Option<Svma> {
        self.segments.iter().find_map(|segment| {
            let delta = offset.0.checked_sub(segment.offset.0)?;
            let is_in = delta < segment.file_size;
            is_in.then_some(Svma(segment.svma.0.checked_add(delta)?))
        })
    }

    /// Returns the number of the chunk that has the row for an address.
    pub(super) fn chunk_at(&self, svma: Svma) -> Option<usize> {
        let next = self.chunks.partition_point(|chunk| chunk.first <= svma);
        next.checked_sub(1)
    }

    /// Bytes in memory.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.segments.len() * size_of::<Segment>()
            + self.chunks.len() * size_of::<ChunkPlace>()
    }
}
