//! Rows become the chunks of a table.

use std::io::{self, Write};

use hone_profile::Svma;
use hone_profile::protobuf::Message;
use hone_symbols::Segment;
use rustc_hash::FxHashMap;

use super::super::limits::CHUNK_BYTES;
use super::{ChunkPlace, Head};

/// Level of compression: tables are written once.
const LEVEL: i32 = 9;

/// Rows between two from which reading can begin.
pub(super) const RESTART_ROWS: usize = 32;

/// A frame of a row, with the numbers of its texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct RowFrame {
    pub(super) function: u32,
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) is_inlined: bool,
}

/// Writer of a table; rows come sorted by address.
pub(super) struct TableWriter<'t> {
    /// Texts by number.
    texts: &'t [String],
    head: Head,
    chunks: Vec<u8>,
    chunk: ChunkWriter,
}

/// The chunk that is being written.
#[derive(Default)]
struct ChunkWriter {
    /// Numbers of texts in the chunk, by their numbers in the table.
    numbers: FxHashMap<u32, u32>,
    lengths: Vec<usize>,
    text: String,
    /// (address, position in `rows`) of rows that do not need those before.
    restarts: Vec<(u64, usize)>,
    rows: Message,
    row_count: usize,
    /// Address and frames of the row before, outermost first.
    address: u64,
    frames: Vec<RowFrame>,
}

impl<'t> TableWriter<'t> {
    pub(super) fn new(texts: &'t [String], segments: &[Segment]) -> Self {
        let (code, data): (Vec<Segment>, Vec<Segment>) = segments
            .iter()
            .copied()
            .partition(|segment| segment.executable);
        Self {
            texts,
            head: Head {
                segments: [code, data].concat(),
                ..Head::default()
            },
            chunks: Vec::new(),
            chunk: ChunkWriter::default(),
        }
    }

    /// Adds a row: from this address on, these are the frames, outermost first.
    pub(super) fn add(&mut self, svma: Svma, frames: &[RowFrame]) -> io::Result<()> {
        let is_restart = self.chunk.row_count.is_multiple_of(RESTART_ROWS);
        if is_restart && self.chunk.bytes() >= CHUNK_BYTES {
            self.finish_chunk()?;
        }
        self.head.rows += 1;
        self.chunk.add(svma.0, frames, self.texts);
        Ok(())
    }

    /// Returns the bytes of the table.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        self.finish_chunk()?;
        let mut table = self.head.write();
        table.append(&mut self.chunks);
        Ok(table)
    }

    fn finish_chunk(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.chunk);
        let Some((first, _)) = chunk.restarts.first() else {
            return Ok(());
        };
        let start = self.chunks.len() as u64;
        let first = Svma(*first);
        let content = chunk.finish();
        let mut encoder = zstd::Encoder::new(&mut self.chunks, LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(content.len() as u64))?;
        encoder.write_all(&content)?;
        encoder.finish()?;
        self.head.chunks.push(ChunkPlace {
            first,
            start,
            bytes: self.chunks.len() as u64 - start,
        });
        Ok(())
    }
}

impl ChunkWriter {
    fn bytes(&self) -> usize {
        self.text.len() + self.rows.0.len()
    }

    fn add(&mut self, address: u64, frames: &[RowFrame], texts: &[String]) {
        if self.row_count.is_multiple_of(RESTART_ROWS) {
            self.restarts.push((address, self.rows.0.len()));
            self.address = address;
            self.frames.clear();
        }
        self.row_count += 1;
        self.rows.put(address - self.address);
        self.address = address;
        if let Some(line) = self.other_line(frames) {
            self.rows.put(0);
            self.rows.put(zigzag(line));
        } else {
            self.put_frames(frames, texts);
        }
        self.frames.clear();
        self.frames.extend_from_slice(frames);
    }

    /// Returns the difference of lines, if the rows differ in the innermost frame's line alone.
    fn other_line(&self, frames: &[RowFrame]) -> Option<i64> {
        let (innermost, others) = frames.split_last()?;
        let (before, others_before) = self.frames.split_last()?;
        let line = RowFrame {
            line: innermost.line,
            ..*before
        };
        let is_line = others == others_before && line == *innermost;
        is_line.then(|| i64::from(innermost.line) - i64::from(before.line))
    }

    fn put_frames(&mut self, frames: &[RowFrame], texts: &[String]) {
        let pairs = self.frames.iter().zip(frames);
        let kept = pairs.take_while(|(before, now)| before == now).count();
        self.rows.put(kept as u64 + 1);
        self.rows.put((frames.len() - kept) as u64);
        for frame in &frames[kept..] {
            let function = self.number(frame.function, texts);
            let file = self.number(frame.file, texts);
            self.rows
                .put(u64::from(function) << 1 | u64::from(frame.is_inlined));
            self.rows.put(file.into());
            self.rows.put(frame.line.into());
        }
    }

    fn number(&mut self, text: u32, texts: &[String]) -> u32 {
        let next = self.lengths.len() as u32;
        *self.numbers.entry(text).or_insert_with(|| {
            let text = &texts[text as usize];
            self.lengths.push(text.len());
            self.text.push_str(text);
            next
        })
    }

    fn finish(self) -> Vec<u8> {
        let mut content = Message::default();
        content.put(self.lengths.len() as u64);
        for length in self.lengths {
            content.put(length as u64);
        }
        content.put(self.restarts.len() as u64);
        let (mut address, mut position) = (0, 0);
        for (restart, at) in self.restarts {
            content.put(restart - address);
            content.put((at - position) as u64);
            (address, position) = (restart, at);
        }
        let mut content = content.0;
        content.extend_from_slice(self.text.as_bytes());
        content.extend(self.rows.0);
        content
    }
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}
