//! First pass over the records: find them, put them in order, learn the events.
//!
//! perf writes the buffers of the CPUs one after the other, so a file is in order of time only in
//! stretches; mappings have to be known before the samples that fell in them. This pass notes the time
//! and place of each record that matters (16 bytes each) and sorts them. A record without a time keeps
//! its place behind the record before it, which came from the same buffer.
//!
//! Compressed stretches are unpacked on the way, and the records of a pipe that stand for the header
//! and the feature sections are taken in.

use super::attr::{ATTR_BYTES_MIN, Attr};
use super::bytes::{Bytes, text};
use super::decompress::Decompressor;
use super::event_table::EventTable;
use super::facts::Facts;
use super::format::{RECORD_HEADER_BYTES, record_type};
use super::header::Header;
use super::reader::ReadError;
use super::sample::{time_of_other, time_of_sample};
use crate::limits::EVENTS_MAX;
use crate::profile::Losses;

/// Marks places in the unpacked part.
const UNPACKED: u64 = 1 << 63;

/// A record: its header's fields and what follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRecord<'a> {
    pub(crate) kind: u32,
    pub(crate) misc: u16,
    pub(crate) body: &'a [u8],
}

impl<'a> RawRecord<'a> {
    /// The record at the start of the bytes.
    fn parse(bytes: &'a [u8]) -> Result<Self, Cut> {
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

    fn len(&self) -> usize {
        RECORD_HEADER_BYTES + self.body.len()
    }

    /// Bytes that follow the record without being part of it; `None` if it does not say how many.
    fn payload_len(&self) -> Option<u64> {
        match self.kind {
            record_type::AUXTRACE => Bytes(self.body).u64(),
            record_type::TRACING_DATA => Bytes(self.body).u32().map(u64::from),
            _ => Some(0),
        }
    }
}

/// Why there is no further record.
enum Cut {
    /// The bytes end within it.
    AtTheEnd,
    /// Its length cannot be true, so nobody knows where the next one starts.
    Broken,
}

/// When and where a record is.
#[derive(Clone, Copy, Debug)]
struct Place {
    time_ns: u64,
    at: u64,
}

/// All that the second pass needs.
pub(crate) struct Scanned<'a> {
    pub(crate) events: EventTable,
    pub(crate) facts: Facts,
    pub(crate) losses: Losses,
    places: Vec<Place>,
    records: &'a [u8],
    unpacked: Vec<u8>,
}

impl Scanned<'_> {
    /// Samples and what they need, in order of time.
    pub(crate) fn records(&self) -> impl Iterator<Item = RawRecord<'_>> {
        self.places.iter().filter_map(|place| {
            let bytes = if place.at & UNPACKED == 0 {
                self.records.get(place.at as usize..)?
            } else {
                self.unpacked.get((place.at & !UNPACKED) as usize..)?
            };
            RawRecord::parse(bytes).ok()
        })
    }
}

/// Goes over the records once.
pub(crate) fn scan(header: Header<'_>) -> Result<Scanned<'_>, ReadError> {
    let mut scan = Scan {
        events: header.events,
        facts: header.facts,
        losses: Losses {
            malformed_records: header.missing_sections,
            ..Losses::default()
        },
        places: Vec::new(),
        last_time_ns: 0,
        lost_records: 0,
        lost_samples: 0,
        decompressor: Decompressor::default(),
        unpacked_until: 0,
    };
    let covered = scan.file_records(header.records)?;
    if scan.events.entries().is_empty() {
        return Err(ReadError::NoEvents);
    }
    let unpacked = scan.decompressor.into_output();
    let rest_of_unpacked = (unpacked.len() - scan.unpacked_until) as u64;
    scan.losses.truncated_bytes = header.records_promised - covered as u64 + rest_of_unpacked;
    // The kernel counts a lost sample twice: in the buffer's LOST record, and in the counter itself,
    // which perf writes as LOST_SAMPLES at the end.
    scan.losses.lost_samples = scan.lost_records.max(scan.lost_samples);
    if !scan.places.is_sorted_by_key(|place| place.time_ns) {
        scan.places.sort_by_key(|place| place.time_ns);
    }
    Ok(Scanned {
        events: scan.events,
        facts: scan.facts,
        losses: scan.losses,
        places: scan.places,
        records: header.records,
        unpacked,
    })
}

struct Scan {
    events: EventTable,
    facts: Facts,
    losses: Losses,
    places: Vec<Place>,
    last_time_ns: u64,
    lost_records: u64,
    lost_samples: u64,
    decompressor: Decompressor,
    /// End of the last whole record in the unpacked bytes.
    unpacked_until: usize,
}

impl Scan {
    /// The records of the file itself; how many bytes they cover.
    fn file_records(&mut self, bytes: &[u8]) -> Result<usize, ReadError> {
        let mut at = 0;
        while at < bytes.len() {
            let record = match RawRecord::parse(&bytes[at..]) {
                Ok(record) => record,
                Err(Cut::AtTheEnd) => break,
                Err(Cut::Broken) => {
                    self.losses.malformed_records += 1;
                    break;
                }
            };
            let end = at + record.len();
            let payload = record
                .payload_len()
                .and_then(|len| usize::try_from(len).ok());
            let Some(payload) = payload.filter(|&len| len <= bytes.len() - end) else {
                break;
            };
            match record.kind {
                record_type::COMPRESSED => self.unpack(record.body)?,
                record_type::COMPRESSED2 => match Bytes(record.body).sized() {
                    Some(piece) => self.unpack(piece)?,
                    None => self.losses.malformed_records += 1,
                },
                _ => self.record(record, at as u64)?,
            }
            at = end + payload;
        }
        Ok(at)
    }

    /// Unpacks a piece, and takes in the records that are whole with it.
    fn unpack(&mut self, piece: &[u8]) -> Result<(), ReadError> {
        let mut decompressor = std::mem::take(&mut self.decompressor);
        if !decompressor.push(piece) {
            self.losses.malformed_records += 1;
        }
        let bytes = decompressor.output();
        let mut result = Ok(());
        while result.is_ok()
            && let Ok(record) = RawRecord::parse(&bytes[self.unpacked_until..])
        {
            let at = self.unpacked_until as u64 | UNPACKED;
            self.unpacked_until += record.len();
            result = self.record(record, at);
        }
        self.decompressor = decompressor;
        result
    }

    /// Takes in one record.
    fn record(&mut self, record: RawRecord<'_>, at: u64) -> Result<(), ReadError> {
        let understood = match record.kind {
            record_type::SAMPLE => self.note_sample(record, at),
            record_type::MMAP | record_type::MMAP2 | record_type::COMM | record_type::FORK => {
                self.note_other(record, at)
            }
            record_type::LOST | record_type::LOST_SAMPLES => self.count_lost(record),
            record_type::HEADER_ATTR => self.header_attr(record.body)?,
            record_type::EVENT_UPDATE => self.event_update(record.body),
            record_type::HEADER_FEATURE => self.header_feature(record.body),
            record_type::BUILD_ID => self.facts.add_build_id(record.misc, record.body),
            kind => {
                if !record_type::is_of_no_interest(kind) {
                    *self.losses.unknown_records.entry(kind).or_default() += 1;
                }
                Some(())
            }
        };
        if understood.is_none() {
            self.losses.malformed_records += 1;
        }
        Ok(())
    }

    fn note_sample(&mut self, record: RawRecord<'_>, at: u64) -> Option<()> {
        let attr = &self.events.entries()[self.events.of_sample(record.body)?].attr;
        let time_ns = time_of_sample(attr, record.body);
        self.note(time_ns, at);
        Some(())
    }

    fn note_other(&mut self, record: RawRecord<'_>, at: u64) -> Option<()> {
        let attr = &self.events.entries()[self.events.of_other(record.body)?].attr;
        let time_ns = time_of_other(attr, record.body);
        self.note(time_ns, at);
        Some(())
    }

    fn note(&mut self, time_ns: Option<u64>, at: u64) {
        let time_ns = time_ns.unwrap_or(self.last_time_ns);
        self.last_time_ns = time_ns;
        self.places.push(Place { time_ns, at });
    }

    fn count_lost(&mut self, record: RawRecord<'_>) -> Option<()> {
        let mut rest = Bytes(record.body);
        if record.kind == record_type::LOST {
            let _id = rest.u64()?;
            self.lost_records = self.lost_records.saturating_add(rest.u64()?);
        } else {
            self.lost_samples = self.lost_samples.saturating_add(rest.u64()?);
        }
        Some(())
    }

    /// In a pipe: an attribute, whose own size field says where its ids start.
    fn header_attr(&mut self, body: &[u8]) -> Result<Option<()>, ReadError> {
        let size = body
            .get(4..8)
            .and_then(|size| Bytes(size).u32())
            .unwrap_or(0) as usize;
        let size = if size == 0 { ATTR_BYTES_MIN } else { size };
        let Some((attr, ids)) = body.split_at_checked(size) else {
            return Ok(None);
        };
        if !self
            .events
            .add(Attr::parse(attr), Bytes(ids).rest_as_words())
        {
            return Err(ReadError::TooManyEvents { max: EVENTS_MAX });
        }
        Ok(Some(()))
    }

    /// In a pipe: something more about an event, such as its name.
    fn event_update(&mut self, body: &[u8]) -> Option<()> {
        const NAME: u64 = 2;
        let mut rest = Bytes(body);
        let what = rest.u64()?;
        let id = rest.u64()?;
        if what == NAME {
            self.events.set_name([id].into_iter(), None, text(rest.0));
        }
        Some(())
    }

    /// In a pipe: a feature section.
    fn header_feature(&mut self, body: &[u8]) -> Option<()> {
        let mut rest = Bytes(body);
        let number = u32::try_from(rest.u64()?).ok()?;
        self.facts.add(number, rest.0, &mut self.events);
        Some(())
    }
}
