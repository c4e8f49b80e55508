//! A chunk of a table, read and asked for addresses.

use std::sync::Arc;

use hone_profile::Svma;
use hone_profile::protobuf::varint;
use hone_views::NamedFrame;

use super::super::limits::{CHUNK_BYTES_MAX, INLINED_MAX};

/// An unpacked chunk. Rows stay in their encoded form, since few of them are asked for.
pub(in super::super) struct Chunk {
    text: String,
    /// End of each text.
    ends: Vec<u32>,
    /// (address, position in `rows`), sorted.
    restarts: Vec<(u64, u32)>,
    rows: Vec<u8>,
}

/// Frames of an address, innermost first.
pub(in super::super) type Frames = Arc<[NamedFrame]>;

/// A frame as the rows have it.
#[derive(Clone, Copy)]
struct RowFrame {
    function: u32,
    file: u32,
    line: u32,
    is_inlined: bool,
}

impl Chunk {
    /// Unpacks a chunk; `None` if it is damaged.
    pub(in super::super) fn read(packed: &[u8]) -> Option<Self> {
        let content = zstd::bulk::decompress(packed, CHUNK_BYTES_MAX).ok()?;
        let mut rest = content.as_slice();
        let mut next = || varint(&mut rest).ok();
        let mut ends = Vec::new();
        let mut end = 0_u32;
        for _ in 0..next()? {
            end = end.checked_add(next()?.try_into().ok()?)?;
            ends.push(end);
        }
        let mut restarts = Vec::new();
        let (mut address, mut position) = (0_u64, 0_u32);
        for _ in 0..next()? {
            address = address.checked_add(next()?)?;
            position = position.checked_add(next()?.try_into().ok()?)?;
            restarts.push((address, position));
        }
        let (text, rows) = rest.split_at_checked(end as usize)?;
        let text = std::str::from_utf8(text).ok()?;
        let is_cut = |end: &u32| text.is_char_boundary(*end as usize);
        (ends.iter().all(is_cut)).then(|| Self {
            text: text.to_owned(),
            ends,
            restarts,
            rows: rows.to_vec(),
        })
    }

    /// Bytes in memory.
    pub(in super::super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.text.len()
            + self.rows.len()
            + self.ends.len() * 4
            + self.restarts.len() * 16
    }

    /// Returns the frames at sorted addresses, innermost first; `None` if the chunk is damaged.
    pub(in super::super) fn frames_at(&self, sorted: &[Svma]) -> Option<Vec<Frames>> {
        let mut found: Vec<Frames> = Vec::with_capacity(sorted.len());
        let mut cursor = Cursor::default();
        for svma in sorted {
            let is_other_row = cursor.go_to(self, svma.0)?;
            match found.last() {
                Some(before) if !is_other_row => found.push(before.clone()),
                _ => {
                    let innermost_first = cursor.frames.iter().rev();
                    let named = innermost_first.map(|frame| self.named(*frame));
                    found.push(named.collect::<Option<Vec<_>>>()?.into());
                }
            }
        }
        Some(found)
    }

    fn named(&self, frame: RowFrame) -> Option<NamedFrame> {
        Some(NamedFrame {
            function: self.text_of(frame.function)?.to_owned(),
            file: self.text_of(frame.file)?.to_owned(),
            line: frame.line,
            is_inlined: frame.is_inlined,
        })
    }

    fn text_of(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..*self.ends.get(number)? as usize)
    }
}

/// A row of a chunk, from which the rows behind it can be read.
#[derive(Default)]
struct Cursor<'c> {
    /// Number of the next restart; 0 before the first one.
    next_restart: usize,
    address: u64,
    /// Outermost first.
    frames: Vec<RowFrame>,
    /// Rows behind this one, up to the next restart.
    rows: &'c [u8],
}

impl<'c> Cursor<'c> {
    /// Goes on to the row for an address; returns true if it is another row.
    fn go_to(&mut self, chunk: &'c Chunk, address: u64) -> Option<bool> {
        let next = chunk
            .restarts
            .partition_point(|(start, _)| *start <= address);
        let mut is_other = false;
        if next != self.next_restart {
            let (start, from) = chunk.restarts[next - 1];
            let to = chunk.restarts.get(next).map(|(_, to)| *to as usize);
            self.rows = chunk
                .rows
                .get(from as usize..to.unwrap_or(chunk.rows.len()))?;
            self.next_restart = next;
            self.address = start;
            self.frames.clear();
        }
        while !self.rows.is_empty() {
            let mut rest = self.rows;
            let row = self.address.checked_add(varint(&mut rest).ok()?)?;
            if row > address {
                break;
            }
            change(&mut self.frames, &mut rest)?;
            (self.address, self.rows, is_other) = (row, rest, true);
        }
        Some(is_other)
    }
}

/// Reads what a row changes of the frames before it, outermost first.
fn change(frames: &mut Vec<RowFrame>, rows: &mut &[u8]) -> Option<()> {
    let mut next = || varint(rows).ok();
    match next()? {
        0 => {
            let difference = unzigzag(next()?);
            let innermost = frames.last_mut()?;
            let line = i64::from(innermost.line).checked_add(difference)?;
            innermost.line = line.try_into().ok()?;
        }
        kept => {
            frames.truncate(usize::try_from(kept - 1).ok()?);
            for _ in 0..next()? {
                if frames.len() == INLINED_MAX {
                    return None;
                }
                let function = next()?;
                frames.push(RowFrame {
                    function: (function >> 1).try_into().ok()?,
                    file: next()?.try_into().ok()?,
                    line: next()?.try_into().ok()?,
                    is_inlined: function & 1 == 1,
                });
            }
        }
    }
    Some(())
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}
