//! The one pass over the records: learns the events, puts the records in order, and hands them to the assembly.
//!
//! Compressed parts are unpacked on the way. In a pipe, records take the place of the header and the feature sections.

use super::assemble::{Assembly, Take};
use super::attr::{ATTR_BYTES_MIN, Attr};
use super::bytes::{Bytes, text};
use super::decompress::Decompressor;
use super::event_table::EventTable;
use super::facts::Facts;
use super::format::record_type;
use super::header::{Header, State};
use super::order::Order;
use super::reader::ReadError;
use super::sample::{time_of_other, time_of_sample};
use super::source::{Cut, RawRecord, Section, Source};
use super::user_copy::Unwind;
use crate::limits::EVENTS_MAX;
use crate::profile::{Losses, Profile};
use std::io::{Read, Seek};

/// Reads the records once; each sample goes to `take`. `parts` hold further records and no headers.
pub(crate) fn run<'t, R: Read + Seek>(
    source: Source<R>,
    parts: Vec<Source<R>>,
    header: Header,
    unwind: Option<&'t mut dyn Unwind>,
    take: &'t mut Take<'_>,
) -> Result<Profile, ReadError> {
    let mut pass = Pass {
        assembly: Assembly::new(&header.events, &header.facts, unwind, take),
        events: header.events,
        facts: header.facts,
        losses: Losses {
            malformed_records: header.missing_sections,
            unfinished: header.state == State::Unfinished,
            ..Losses::default()
        },
        order: Order::default(),
        is_alone: parts.is_empty(),
        lost_records: 0,
        lost_samples: 0,
        decompressor: Decompressor::default(),
    };
    // If the file has every byte of the section, a record that ends beyond the section has a wrong length.
    let is_finished = header.state == State::Finished;
    pass.section(source, header.records, header.records_promised, is_finished)?;
    for part in parts {
        let section = Section {
            start: 0,
            len: part.len(),
        };
        pass.section(part, section, section.len, false)?;
    }
    pass.finish()
}

struct Pass<'t, 'f> {
    assembly: Assembly<'t, 'f>,
    events: EventTable,
    facts: Facts,
    losses: Losses,
    order: Order,
    /// True if all records are in one file, whose marks tell when earlier records may go.
    is_alone: bool,
    lost_records: u64,
    lost_samples: u64,
    decompressor: Decompressor,
}

impl Pass<'_, '_> {
    /// Processes the records of a file's section. The file has as much of the section as `section` says, of the promised bytes.
    fn section<R: Read + Seek>(
        &mut self,
        source: Source<R>,
        section: Section,
        promised: u64,
        is_finished: bool,
    ) -> Result<(), ReadError> {
        let mut records = source.records(section)?;
        let is_whole = is_finished && promised == section.len;
        loop {
            let rest = records.rest();
            let is_corrupt = match records.next()? {
                Ok((record, bytes)) => self.file_record(record, bytes)?,
                Err(Cut::AtTheEnd) if is_whole && rest > 0 => true,
                Err(Cut::AtTheEnd) => break,
                Err(Cut::Broken) => true,
            };
            if is_corrupt {
                self.losses.malformed_records += 1;
                let at = section.start + section.len - rest;
                self.losses.corrupt_at.get_or_insert(at);
                break;
            }
        }
        // Each file is compressed by itself.
        let decompressor = std::mem::take(&mut self.decompressor);
        let covered = section.len - records.rest();
        self.losses.truncated_bytes += promised - covered + decompressor.output().len() as u64;
        Ok(())
    }

    /// Processes a record of the file itself; returns true if it is so corrupt that nothing behind it can be read.
    fn file_record(&mut self, record: RawRecord<'_>, bytes: &[u8]) -> Result<bool, ReadError> {
        match record.kind {
            record_type::COMPRESSED => return self.unpack(record.body),
            record_type::COMPRESSED2 => match Bytes(record.body).sized() {
                Some(piece) => return self.unpack(piece),
                None => self.losses.malformed_records += 1,
            },
            _ => self.record(record, bytes)?,
        }
        Ok(false)
    }

    /// Unpacks a piece and processes the records that are complete now; returns true if one of these records has an
    /// impossible length.
    fn unpack(&mut self, piece: &[u8]) -> Result<bool, ReadError> {
        let mut decompressor = std::mem::take(&mut self.decompressor);
        if !decompressor.push(piece) {
            self.losses.malformed_records += 1;
        }
        let mut at = 0;
        let is_corrupt = loop {
            match RawRecord::parse(&decompressor.output()[at..]) {
                Ok(record) => {
                    let bytes = &decompressor.output()[at..at + record.len()];
                    at += record.len();
                    self.record(record, bytes)?;
                }
                Err(cut) => break matches!(cut, Cut::Broken),
            }
        };
        decompressor.take(at);
        self.decompressor = decompressor;
        Ok(is_corrupt)
    }

    /// Processes one record; `bytes` is the record with its header.
    fn record(&mut self, record: RawRecord<'_>, bytes: &[u8]) -> Result<(), ReadError> {
        let understood = match record.kind {
            record_type::SAMPLE => self.sample(record, bytes),
            record_type::MMAP | record_type::MMAP2 | record_type::COMM | record_type::FORK => {
                self.other(record, bytes)
            }
            record_type::FINISHED_ROUND if !self.is_alone => Some(()),
            record_type::FINISHED_ROUND => {
                let Self {
                    order,
                    assembly,
                    events,
                    ..
                } = self;
                order.round(|record| assembly.record(record, events));
                Some(())
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

    fn sample(&mut self, record: RawRecord<'_>, bytes: &[u8]) -> Option<()> {
        let attr = &self.events.entries()[self.events.of_sample(record.body)?].attr;
        self.order.push(time_of_sample(attr, record.body), bytes);
        Some(())
    }

    fn other(&mut self, record: RawRecord<'_>, bytes: &[u8]) -> Option<()> {
        let attr = &self.events.entries()[self.events.of_other(record.body)?].attr;
        self.order.push(time_of_other(attr, record.body), bytes);
        Some(())
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

    /// Adds an attribute from a pipe; its own size field says where its ids start.
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
        self.assembly.set_events(&self.events);
        Ok(Some(()))
    }

    /// Updates an event from a pipe, such as its name.
    fn event_update(&mut self, body: &[u8]) -> Option<()> {
        const NAME: u64 = 2;
        let mut rest = Bytes(body);
        let what = rest.u64()?;
        let id = rest.u64()?;
        if what == NAME {
            self.events.set_name([id].into_iter(), None, text(rest.0));
            self.assembly.set_events(&self.events);
        }
        Some(())
    }

    /// Adds a feature section from a pipe.
    fn header_feature(&mut self, body: &[u8]) -> Option<()> {
        let mut rest = Bytes(body);
        let number = u32::try_from(rest.u64()?).ok()?;
        self.facts.add(number, rest.0, &mut self.events);
        self.assembly.set_events(&self.events);
        Some(())
    }

    fn finish(mut self) -> Result<Profile, ReadError> {
        if self.events.entries().is_empty() {
            return Err(ReadError::NoEvents);
        }
        let Self {
            order,
            assembly,
            events,
            ..
        } = &mut self;
        order.finish(|record| assembly.record(record, events));
        // The kernel counts a lost sample twice: in the buffer's LOST record, and in the counter itself,
        // which perf writes as LOST_SAMPLES at the end.
        self.losses.lost_samples = self.lost_records.max(self.lost_samples);
        Ok(self.assembly.finish(self.facts, self.losses))
    }
}
