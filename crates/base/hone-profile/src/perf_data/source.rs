//! The bytes of a recording: sections by their place, records one after the other.

use super::format::{RECORD_HEADER_BYTES, record_type};
use super::reader::ReadError;
use crate::limits::RECORD_BYTES_MAX;
use std::io::{Read, Seek, SeekFrom};

/// Number of bytes read at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// A part of the file.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    pub(crate) start: u64,
    pub(crate) len: u64,
}

/// A file that can be read anywhere.
pub(crate) struct Source<R> {
    file: R,
    len: u64,
}

impl<R: Read + Seek> Source<R> {
    pub(crate) fn new(mut file: R) -> Result<Self, ReadError> {
        let len = file.seek(SeekFrom::End(0)).map_err(ReadError::io)?;
        Ok(Self { file, len })
    }

    /// Returns the number of bytes in the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the whole section lies in the file.
    pub(crate) fn has(&self, section: Section) -> bool {
        section
            .start
            .checked_add(section.len)
            .is_some_and(|end| end <= self.len)
    }

    /// Reads `len` bytes from `start` on, or as many as there are.
    pub(crate) fn bytes(&mut self, start: u64, len: u64) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(start))
            .map_err(ReadError::io)?;
        let mut part = Read::by_ref(&mut self.file).take(len);
        part.read_to_end(&mut bytes).map_err(ReadError::io)?;
        Ok(bytes)
    }

    /// Reads a section; `None` if the section does not lie in the file.
    pub(crate) fn section(&mut self, section: Section) -> Result<Option<Vec<u8>>, ReadError> {
        match self.has(section) {
            true => self.bytes(section.start, section.len).map(Some),
            false => Ok(None),
        }
    }

    /// Returns the records of a section that lies in the file.
    pub(crate) fn records(mut self, section: Section) -> Result<Records<R>, ReadError> {
        self.file
            .seek(SeekFrom::Start(section.start))
            .map_err(ReadError::io)?;
        Ok(Records {
            file: self.file,
            buffer: Vec::new(),
            at: 0,
            unread: section.len,
        })
    }
}

/// A record: the fields of its header, and its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRecord<'a> {
    pub(crate) kind: u32,
    pub(crate) misc: u16,
    pub(crate) body: &'a [u8],
}

/// Reason why there is no further record.
pub(crate) enum Cut {
    /// The bytes end within the record.
    AtTheEnd,
    /// The length of the record cannot be true, so the start of the next record is unknown.
    Broken,
}

impl<'a> RawRecord<'a> {
    /// Parses the record at the start of the bytes.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Cut> {
        let header = bytes
            .first_chunk::<RECORD_HEADER_BYTES>()
            .ok_or(Cut::AtTheEnd)?;
        let len = usize::from(u16::from_le_bytes([header[6], header[7]]));
        if len < RECORD_HEADER_BYTES {
            return Err(Cut::Broken);
        }
        Ok(Self {
            kind: u32::from_le_bytes([header[0], header[1], header[2], header[3]]),
            misc: u16::from_le_bytes([header[4], header[5]]),
            body: bytes.get(RECORD_HEADER_BYTES..len).ok_or(Cut::AtTheEnd)?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        RECORD_HEADER_BYTES + self.body.len()
    }

    /// Returns the number of bytes that follow the record without being part of it; `None` if the record does not state it.
    fn payload_len(&self) -> Option<u64> {
        match self.kind {
            record_type::AUXTRACE => super::bytes::Bytes(self.body).u64(),
            record_type::TRACING_DATA => super::bytes::Bytes(self.body).u32().map(u64::from),
            _ => Some(0),
        }
    }
}

/// The records of a file, one at a time.
pub(crate) struct Records<R> {
    file: R,
    buffer: Vec<u8>,
    /// Place in the buffer where the next record starts.
    at: usize,
    /// Bytes of the section that are not in the buffer yet.
    unread: u64,
}

impl<R: Read + Seek> Records<R> {
    /// Returns the next record and its bytes, header included. Bytes that follow the record without being part of it are
    /// skipped.
    pub(crate) fn next(&mut self) -> Result<Result<(RawRecord<'_>, &[u8]), Cut>, ReadError> {
        if self.buffer.len() - self.at < RECORD_BYTES_MAX && self.unread > 0 {
            self.fill()?;
        }
        let (len, payload) = match RawRecord::parse(&self.buffer[self.at..]) {
            Ok(record) => (record.len(), record.payload_len()),
            Err(cut) => return Ok(Err(cut)),
        };
        let after = (self.buffer.len() - self.at - len) as u64 + self.unread;
        let Some(payload) = payload.filter(|&payload| payload <= after) else {
            return Ok(Err(Cut::AtTheEnd));
        };
        let start = self.at;
        self.at += len;
        self.skip(payload)?;
        let bytes = &self.buffer[start..start + len];
        Ok(RawRecord::parse(bytes).map(|record| (record, bytes)))
    }

    /// Returns the number of bytes of the section that no record has covered.
    pub(crate) fn rest(&self) -> u64 {
        (self.buffer.len() - self.at) as u64 + self.unread
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let wanted = self.unread.min(CHUNK_BYTES as u64);
        let mut part = Read::by_ref(&mut self.file).take(wanted);
        let got = part.read_to_end(&mut self.buffer).map_err(ReadError::io)? as u64;
        // With fewer bytes than wanted, the file has become shorter meanwhile.
        self.unread = if got < wanted { 0 } else { self.unread - got };
        Ok(())
    }

    /// Skips bytes; the buffer keeps the bytes that the caller may still look at.
    fn skip(&mut self, len: u64) -> Result<(), ReadError> {
        let buffered = len.min((self.buffer.len() - self.at) as u64);
        self.at += buffered as usize;
        let beyond = len - buffered;
        if beyond > 0 {
            // The target lies within the file, so the distance fits.
            let offset = i64::try_from(beyond).unwrap_or(i64::MAX);
            self.file
                .seek(SeekFrom::Current(offset))
                .map_err(ReadError::io)?;
            self.unread -= beyond;
        }
        Ok(())
    }
}
