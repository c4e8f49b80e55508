//! The file's header: places of the attributes, the records and the feature sections.

use super::attr::{ATTR_BYTES_MIN, Attr};
use super::bytes::{Bytes, words};
use super::event_table::EventTable;
use super::facts::Facts;
use super::format::{FILE_HEADER_BYTES, MAGIC, MAGIC_1, MAGIC_SWAPPED, PIPE_HEADER_BYTES, feature};
use super::reader::ReadError;
use super::source::{Section, Source};
use crate::limits::{EVENT_IDS_MAX, EVENTS_MAX};
use std::io::{Read, Seek};

/// Length of the header before perf had feature sections.
const OLD_HEADER_BYTES: u64 = 72;
/// Bytes of a (position, length) pair.
const SECTION_BYTES: usize = 16;
/// Longest list of counter ids that is read.
const ID_BYTES_MAX: u64 = EVENT_IDS_MAX as u64 * 8;

/// Content of a file before and after the records.
pub(crate) struct Header {
    /// Record section, as far as the file reaches.
    pub(crate) records: Section,
    /// Length that the header states for the record section, or length of the rest of the file if no length is stated.
    pub(crate) records_promised: u64,
    /// State in which the recorder left the header.
    pub(crate) state: State,
    /// Events; none yet if the file was written to a pipe.
    pub(crate) events: EventTable,
    /// Facts from the feature sections.
    pub(crate) facts: Facts,
    /// Number of feature sections and id lists that are not where the header says.
    pub(crate) missing_sections: u64,
}

/// State of a header: whether it states the length of the records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// The header states the length.
    Finished,
    /// The recorder did not reach its end, where the length is filled in.
    Unfinished,
    /// A pipe has no field for the length.
    Pipe,
}

impl Section {
    fn parse(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(Self {
            start: bytes.u64()?,
            len: bytes.u64()?,
        })
    }
}

/// Reads the header of either form of file.
pub(crate) fn parse<R: Read + Seek>(file: &mut Source<R>) -> Result<Header, ReadError> {
    let start = file.bytes(0, FILE_HEADER_BYTES)?;
    match start.first_chunk::<8>() {
        _ if start.is_empty() => return Err(ReadError::Empty),
        Some(&MAGIC) => {}
        Some(&MAGIC_SWAPPED) => return Err(ReadError::BigEndian),
        Some(&MAGIC_1) => return Err(ReadError::Version1),
        _ => return Err(ReadError::NotPerfData(start[..start.len().min(8)].to_vec())),
    }
    let mut rest = Bytes(&start[MAGIC.len()..]);
    let file_len = file.len();
    let cut = |needed| ReadError::HeaderCut {
        needed,
        len: file_len,
    };
    match rest.u64().ok_or(cut(PIPE_HEADER_BYTES))? {
        PIPE_HEADER_BYTES => {
            let len = file_len - PIPE_HEADER_BYTES;
            Ok(Header {
                records: Section {
                    start: PIPE_HEADER_BYTES,
                    len,
                },
                records_promised: len,
                state: State::Pipe,
                events: EventTable::default(),
                facts: Facts::default(),
                missing_sections: 0,
            })
        }
        len => {
            let fields = Fields::parse(rest, len).ok_or(cut(len.max(OLD_HEADER_BYTES)))?;
            parse_seekable(file, fields)
        }
    }
}

/// Fields of the header of a seekable file.
struct Fields<'a> {
    attr_entry_len: u64,
    attrs: Section,
    data: Section,
    feature_bits: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Parses the fields behind the header's length.
    fn parse(mut rest: Bytes<'a>, header_len: u64) -> Option<Self> {
        if header_len < OLD_HEADER_BYTES {
            return None;
        }
        let attr_entry_len = rest.u64()?;
        let attrs = Section::parse(&mut rest)?;
        let data = Section::parse(&mut rest)?;
        let _event_types = Section::parse(&mut rest)?;
        let has_features = header_len >= FILE_HEADER_BYTES;
        let feature_bits = if has_features {
            rest.take(feature::BITS as usize / 8)?
        } else {
            &[]
        };
        Some(Self {
            attr_entry_len,
            attrs,
            data,
            feature_bits,
        })
    }
}

fn parse_seekable<R: Read + Seek>(
    file: &mut Source<R>,
    fields: Fields<'_>,
) -> Result<Header, ReadError> {
    let Fields { attrs, data, .. } = fields;
    let mut missing_sections = 0;
    let mut events = parse_attrs(file, fields.attr_entry_len, attrs, &mut missing_sections)?;
    if data.start > file.len() {
        return Err(outside("data", data, file.len()));
    }
    let available = file.len() - data.start;
    // The length is filled in at the end of a recording. If it is zero, there is no record if the
    // feature sections follow at once; otherwise the recorder was killed.
    let is_finished = data.len != 0 || features_start_at(data.start, fields.feature_bits, file)?;
    let promised = if is_finished { data.len } else { available };
    let records = Section {
        start: data.start,
        len: promised.min(available),
    };
    let mut facts = Facts::default();
    if is_finished && data.len <= available {
        let table = records.start + records.len;
        missing_sections +=
            parse_features(file, fields.feature_bits, table, &mut facts, &mut events)?;
    }
    Ok(Header {
        records,
        records_promised: promised,
        state: match is_finished {
            true => State::Finished,
            false => State::Unfinished,
        },
        events,
        facts,
        missing_sections,
    })
}

fn outside(name: &'static str, section: Section, file_len: u64) -> ReadError {
    ReadError::SectionOutside {
        section: name,
        start: section.start,
        len: section.len,
        file_len,
    }
}

fn parse_attrs<R: Read + Seek>(
    file: &mut Source<R>,
    entry_len: u64,
    section: Section,
    missing_sections: &mut u64,
) -> Result<EventTable, ReadError> {
    let content = file
        .section(section)?
        .ok_or_else(|| outside("attribute", section, file.len()))?;
    if content.is_empty() {
        return Err(ReadError::NoEvents);
    }
    if entry_len < (ATTR_BYTES_MIN + SECTION_BYTES) as u64 || entry_len > content.len() as u64 {
        return Err(ReadError::AttributeLength { len: entry_len });
    }
    let mut events = EventTable::default();
    for entry in content.chunks_exact(entry_len as usize) {
        let (attr, ids) = entry.split_at(entry.len() - SECTION_BYTES);
        let place = Section::parse(&mut Bytes(ids)).filter(|&ids| file.has(ids));
        let ids = match place {
            Some(ids) => file.bytes(ids.start, ids.len.min(ID_BYTES_MAX))?,
            None => {
                *missing_sections += 1;
                Vec::new()
            }
        };
        if !events.add(Attr::parse(attr), words(&ids)) {
            return Err(ReadError::TooManyEvents { max: EVENTS_MAX });
        }
    }
    Ok(events)
}

/// Returns true if the table of the feature sections is at a position: its first section follows the table directly.
fn features_start_at<R: Read + Seek>(
    position: u64,
    bits: &[u8],
    file: &mut Source<R>,
) -> Result<bool, ReadError> {
    let count: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
    let after_table = position + count * SECTION_BYTES as u64;
    let first = file.bytes(position, SECTION_BYTES as u64)?;
    let first = Section::parse(&mut Bytes(&first));
    Ok(count > 0 && first.is_some_and(|section| section.start == after_table))
}

/// Reads the sections whose bits are set, from the table at a position; returns how many of them the file does not have.
fn parse_features<R: Read + Seek>(
    file: &mut Source<R>,
    bits: &[u8],
    table: u64,
    facts: &mut Facts,
    events: &mut EventTable,
) -> Result<u64, ReadError> {
    let mut missing = 0;
    let table = file.bytes(table, u64::from(feature::BITS) * SECTION_BYTES as u64)?;
    let mut table = Bytes(&table);
    for number in 0..bits.len() as u32 * 8 {
        if bits[number as usize / 8] & 1 << (number % 8) == 0 {
            continue;
        }
        match Section::parse(&mut table).filter(|&section| file.has(section)) {
            None => missing += 1,
            Some(_) if !Facts::has_use_for(number) => {}
            Some(section) => {
                let content = file.bytes(section.start, section.len)?;
                facts.add(number, &content, events);
            }
        }
    }
    Ok(missing)
}
