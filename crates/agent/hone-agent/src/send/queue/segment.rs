//! A file of the disk queue: records one after the other, each with its length and checksum.
//!
//! ```text
//! file    "HONEQ\0\0\x01"  record record ...
//! record  length u32  crc32 u32   then `length` bytes: points u64  samples u64  histograms u64  packing u8  level i8  body
//! ```
//!
//! Numbers are little endian; the checksum covers the length and the bytes. A record that is cut short or does not fit
//! its checksum ends the file for readers: a crash can only tear the last record.

use crate::compress::Compression;
use crate::send::Parcel;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

pub(super) const MAGIC: [u8; 8] = *b"HONEQ\0\0\x01";
pub(super) const RECORD_BYTES: usize = 8;
const FACTS_BYTES: usize = 26;

/// Encodes a parcel as a record.
pub(super) fn record(parcel: &Parcel) -> Vec<u8> {
    let (packing, level) = match parcel.compression {
        Compression::None => (0, 0),
        Compression::Snappy => (1, 0),
        Compression::Zstd(level) => (2, level as i8),
        Compression::Gzip(level) => (3, level as i8),
        Compression::Zlib(level) => (4, level as i8),
    };
    let length = FACTS_BYTES + parcel.body.len();
    let mut record = Vec::with_capacity(RECORD_BYTES + length);
    record.extend_from_slice(&(length as u32).to_le_bytes());
    record.extend_from_slice(&[0; 4]);
    for number in [parcel.points, parcel.samples, parcel.histograms] {
        record.extend_from_slice(&number.to_le_bytes());
    }
    record.extend_from_slice(&[packing, level as u8]);
    record.extend_from_slice(&parcel.body);
    let checksum = checksum(&record[..4], &record[RECORD_BYTES..]);
    record[4..RECORD_BYTES].copy_from_slice(&checksum.to_le_bytes());
    record
}

fn checksum(length: &[u8], bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(length);
    hasher.update(bytes);
    hasher.finalize()
}

/// Content of a file at a position.
pub(super) enum Found {
    /// A parcel, and the number of bytes of its record.
    Parcel(Parcel, u64),
    /// The file ends here, between records.
    End,
    /// Bytes that are no whole record.
    Damaged,
}

/// Reads the next record. Memory grows with the bytes read, not with the length in the header.
pub(super) fn next(from: &mut impl Read) -> io::Result<Found> {
    let mut header = Vec::new();
    from.take(RECORD_BYTES as u64).read_to_end(&mut header)?;
    match header.len() {
        0 => return Ok(Found::End),
        RECORD_BYTES => {}
        _ => return Ok(Found::Damaged),
    }
    let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    let length = u64::from(number(0));
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length || checksum(&header[..4], &bytes) != number(4) {
        return Ok(Found::Damaged);
    }
    Ok(match parcel(&bytes) {
        Some(parcel) => Found::Parcel(parcel, RECORD_BYTES as u64 + length),
        None => Found::Damaged,
    })
}

fn parcel(bytes: &[u8]) -> Option<Parcel> {
    let (facts, body) = bytes.split_at_checked(FACTS_BYTES)?;
    let number = |at: usize| u64::from_le_bytes(facts[at..at + 8].try_into().expect("eight bytes"));
    let level = facts[25] as i8;
    let compression = match facts[24] {
        0 => Compression::None,
        1 => Compression::Snappy,
        2 => Compression::Zstd(i32::from(level)),
        3 => Compression::Gzip(level as u8),
        4 => Compression::Zlib(level as u8),
        _ => return None,
    };
    Some(Parcel {
        body: body.into(),
        compression,
        points: number(0),
        samples: number(8),
        histograms: number(16),
    })
}

/// Summary of a file from a position on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Content {
    pub(super) points: u64,
    /// Position where the last whole record ends.
    pub(super) end: u64,
    /// True if bytes follow that are no record.
    pub(super) is_torn: bool,
}

/// Reads a file through. Records before `start` are not counted; a file of another format holds nothing.
pub(super) fn scan(path: &Path, start: u64) -> io::Result<Content> {
    let mut file = BufReader::new(File::open(path)?);
    let mut content = Content::default();
    let mut magic = Vec::new();
    (&mut file)
        .take(MAGIC.len() as u64)
        .read_to_end(&mut magic)?;
    if magic != MAGIC {
        content.is_torn = !magic.is_empty();
        return Ok(content);
    }
    content.end = MAGIC.len() as u64;
    loop {
        match next(&mut file)? {
            Found::Parcel(parcel, bytes) => {
                if content.end >= start {
                    content.points += parcel.points;
                }
                content.end += bytes;
            }
            Found::End => return Ok(content),
            Found::Damaged => {
                content.is_torn = true;
                return Ok(content);
            }
        }
    }
}
