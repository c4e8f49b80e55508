//! The file's header: where the attributes, the records and the feature sections are.

use super::attr::{ATTR_BYTES_MIN, Attr};
use super::bytes::{Bytes, words};
use super::event_table::EventTable;
use super::facts::Facts;
use super::format::{FILE_HEADER_BYTES, MAGIC, MAGIC_SWAPPED, PIPE_HEADER_BYTES, feature};
use super::reader::ReadError;
use crate::limits::EVENTS_MAX;

/// Length of the header before perf had feature sections.
const OLD_HEADER_BYTES: u64 = 72;
/// Bytes of a (position, length) pair.
const SECTION_BYTES: usize = 16;

/// What stands before and after the records.
pub(crate) struct Header<'a> {
    /// The record section, as much of it as the file has.
    pub(crate) records: &'a [u8],
    /// How long the record section says it is, or the rest of the file where it does not say.
    pub(crate) records_promised: u64,
    /// The events; none yet if the file was written to a pipe.
    pub(crate) events: EventTable,
    /// What the feature sections say.
    pub(crate) facts: Facts,
    /// Feature sections and id lists that are not where the header says.
    pub(crate) missing_sections: u64,
}

/// A part of the file.
#[derive(Clone, Copy)]
struct Section {
    start: u64,
    len: u64,
}

impl Section {
    fn parse(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(Self {
            start: bytes.u64()?,
            len: bytes.u64()?,
        })
    }

    fn of<'a>(&self, file: &'a [u8]) -> Option<&'a [u8]> {
        let start = usize::try_from(self.start).ok()?;
        let len = usize::try_from(self.len).ok()?;
        file.get(start..start.checked_add(len)?)
    }
}

/// Reads the header of either form of file.
pub(crate) fn parse(file: &[u8]) -> Result<Header<'_>, ReadError> {
    let magic = file.first_chunk::<8>();
    match magic {
        _ if file.is_empty() => return Err(ReadError::Empty),
        Some(&MAGIC) => {}
        Some(&MAGIC_SWAPPED) => return Err(ReadError::BigEndian),
        _ => return Err(ReadError::NotPerfData(file[..file.len().min(8)].to_vec())),
    }
    let mut rest = Bytes(&file[MAGIC.len()..]);
    let cut = |needed| ReadError::HeaderCut {
        needed,
        len: file.len() as u64,
    };
    match rest.u64().ok_or(cut(PIPE_HEADER_BYTES))? {
        PIPE_HEADER_BYTES => Ok(Header {
            records: rest.0,
            records_promised: rest.0.len() as u64,
            events: EventTable::default(),
            facts: Facts::default(),
            missing_sections: 0,
        }),
        len => {
            let fields = Fields::parse(rest, len).ok_or(cut(len.max(OLD_HEADER_BYTES)))?;
            parse_seekable(file, fields)
        }
    }
}

/// The header of a seekable file.
struct Fields<'a> {
    attr_entry_len: u64,
    attrs: Section,
    data: Section,
    feature_bits: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Reads what follows the header's length.
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

fn parse_seekable<'a>(file: &'a [u8], fields: Fields<'a>) -> Result<Header<'a>, ReadError> {
    let Fields { attrs, data, .. } = fields;
    let mut missing_sections = 0;
    let mut events = parse_attrs(file, fields.attr_entry_len, attrs, &mut missing_sections)?;
    let start = usize::try_from(data.start)
        .ok()
        .filter(|&start| start <= file.len());
    let start = start.ok_or_else(|| outside("data", data, file))?;
    let available = (file.len() - start) as u64;
    // The length is filled in at the end of a recording. Zero means that there is no record, if the
    // feature sections follow at once; else that the recorder was killed.
    let is_finished = data.len != 0 || features_start_at(start, fields.feature_bits, file);
    let promised = if is_finished { data.len } else { available };
    let (records, after) = file[start..].split_at(promised.min(available) as usize);

    let mut facts = Facts::default();
    if is_finished && data.len <= available {
        let table = Bytes(after);
        missing_sections +=
            parse_features(file, fields.feature_bits, table, &mut facts, &mut events);
    }
    Ok(Header {
        records,
        records_promised: promised,
        events,
        facts,
        missing_sections,
    })
}

fn outside(name: &'static str, section: Section, file: &[u8]) -> ReadError {
    ReadError::SectionOutside {
        section: name,
        start: section.start,
        len: section.len,
        file_len: file.len() as u64,
    }
}

fn parse_attrs(
    file: &[u8],
    entry_len: u64,
    section: Section,
    missing_sections: &mut u64,
) -> Result<EventTable, ReadError> {
    let content = section
        .of(file)
        .ok_or_else(|| outside("attribute", section, file))?;
    if content.is_empty() {
        return Err(ReadError::NoEvents);
    }
    if entry_len < (ATTR_BYTES_MIN + SECTION_BYTES) as u64 || entry_len > content.len() as u64 {
        return Err(ReadError::AttributeLength { len: entry_len });
    }
    let mut events = EventTable::default();
    for entry in content.chunks_exact(entry_len as usize) {
        let (attr, ids) = entry.split_at(entry.len() - SECTION_BYTES);
        let ids = Section::parse(&mut Bytes(ids))
            .and_then(|ids| ids.of(file))
            .unwrap_or_else(|| {
                *missing_sections += 1;
                &[]
            });
        if !events.add(Attr::parse(attr), words(ids)) {
            return Err(ReadError::TooManyEvents { max: EVENTS_MAX });
        }
    }
    Ok(events)
}

/// Whether the table of the feature sections is here: its first section comes right after it.
fn features_start_at(position: usize, bits: &[u8], file: &[u8]) -> bool {
    let count: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
    let after_table = (position + count * SECTION_BYTES) as u64;
    let first = Section::parse(&mut Bytes(&file[position..]));
    count > 0 && first.is_some_and(|section| section.start == after_table)
}

/// Reads the sections whose bits are set; how many of them the file does not have.
fn parse_features(
    file: &[u8],
    bits: &[u8],
    mut table: Bytes<'_>,
    facts: &mut Facts,
    events: &mut EventTable,
) -> u64 {
    let mut missing = 0;
    for number in 0..bits.len() as u32 * 8 {
        if bits[number as usize / 8] & 1 << (number % 8) == 0 {
            continue;
        }
        let content = Section::parse(&mut table).and_then(|section| section.of(file));
        match content {
            Some(content) => facts.add(number, content, events),
            None => missing += 1,
        }
    }
    missing
}
