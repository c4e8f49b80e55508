//! Reads the table of sections of an extensible binary profile, and the bytes of the sections, decompressed.

use super::CheckError;
use super::input::{Input, Rigour};
use std::borrow::Cow;
use std::io::Read;

const HEADER_BYTES: usize = 32;
/// Maximum size of a section after decompression, and of all decompressed sections together, in bytes.
const SECTION_BYTES_MAX: u64 = 1 << 30;
const FLAG_COMPRESSED: u64 = 1;

pub(super) const SUMMARY: u64 = 1;
pub(super) const NAMES: u64 = 2;
pub(super) const SYMBOL_LIST: u64 = 3;
pub(super) const OFFSETS: u64 = 4;
pub(super) const METADATA: u64 = 5;
pub(super) const CONTEXT_NAMES: u64 = 6;
pub(super) const FUNCTIONS: u64 = 32;

/// A section of the profile.
pub(super) struct Section<'a> {
    pub(super) kind: u64,
    /// Flags that only this kind of section has.
    pub(super) flags: u64,
    bytes: Cow<'a, [u8]>,
    start: usize,
    rigour: Rigour,
}

impl Section<'_> {
    pub(super) fn input(&self) -> Input<'_> {
        Input::new(&self.bytes, self.start, self.rigour)
    }
}

/// Reads the table and the sections; `input` must be just behind magic and version.
pub(super) fn read<'a>(
    file: &'a [u8],
    input: &mut Input<'a>,
    rigour: Rigour,
) -> Result<Vec<Section<'a>>, CheckError> {
    let count = input.fixed()? as usize;
    if count > input.rest().len() / HEADER_BYTES {
        return Err(input.fail("more sections than bytes"));
    }
    let mut sections = Vec::new();
    let mut expected = input.at + count * HEADER_BYTES;
    let mut room = SECTION_BYTES_MAX;
    for _ in 0..count {
        let (kind, flags) = (input.fixed()?, input.fixed()?);
        let (start, size) = (input.fixed()? as usize, input.fixed()? as usize);
        let end = start.checked_add(size).filter(|&end| end <= file.len());
        let end = end.ok_or_else(|| input.fail("a section beyond the end of the file"))?;
        if start != expected {
            input.odd("sections do not follow each other")?;
        }
        expected = end;
        let mut bytes = Cow::Borrowed(&file[start..end]);
        if flags & FLAG_COMPRESSED != 0 && size > 0 {
            input.odd("a compressed section")?;
            let whole = decompress(&mut Input::new(&bytes, start, rigour), room)?;
            room -= whole.len() as u64;
            bytes = Cow::Owned(whole);
        }
        sections.push(Section {
            kind,
            flags: flags >> 32,
            bytes,
            start,
            rigour,
        });
    }
    if expected != file.len() {
        input.odd("bytes after the last section")?;
    }
    Ok(sections)
}

/// Decompresses a section: size before compression, size after, and a zlib stream.
fn decompress(input: &mut Input<'_>, room: u64) -> Result<Vec<u8>, CheckError> {
    let (size, compressed) = (input.number()?, input.number()?);
    if size > room {
        return Err(input.fail("sections of more than a gigabyte"));
    }
    let rest = input.rest();
    let stream = usize::try_from(compressed)
        .ok()
        .and_then(|length| rest.get(..length));
    let stream = stream.ok_or_else(|| input.fail("a compressed section that is cut off"))?;
    let mut whole = Vec::new();
    let mut decoder = flate2::read::ZlibDecoder::new(stream).take(size.saturating_add(1));
    let read = decoder.read_to_end(&mut whole);
    if read.is_err() || whole.len() as u64 != size {
        return Err(input.fail("a compressed section that does not decompress to its size"));
    }
    Ok(whole)
}
