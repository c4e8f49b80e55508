//! Decoder from bytes to the table. References are resolved at the end, because a file may refer to an entry before the
//! entry itself.

use super::{
    Function, Label, Line, Location, Mapping, Pprof, PprofError, Sample, TextId, ValueType,
};
use crate::limits::{LABEL_BYTES_MAX, LABELS_MAX, PPROF_BYTES_MAX};
use crate::protobuf::{Fields, Value};
use flate2::read::MultiGzDecoder;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io::Read;

/// Reads any pprof file, compressed or not.
pub fn parse(bytes: &[u8]) -> Result<Pprof, PprofError> {
    if bytes.is_empty() {
        return Err(PprofError::Empty);
    }
    let bytes = unpacked(bytes)?;
    let mut raw = Raw::default();
    for field in Fields(&bytes) {
        let (number, value) = field?;
        raw.field(number, value)?;
    }
    raw.resolve()
}

fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, PprofError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.into());
    }
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(PPROF_BYTES_MAX as u64 + 1)
        .read_to_end(&mut whole)
        .map_err(|error| PprofError::Gzip(error.to_string()))?;
    if whole.len() > PPROF_BYTES_MAX {
        return Err(PprofError::TooLarge {
            max: PPROF_BYTES_MAX,
        });
    }
    Ok(whole.into())
}

/// Entries as read from the file, with the file's own ids, which become indices at the end.
#[derive(Default)]
struct Raw<'b> {
    out: Pprof,
    texts: Vec<&'b [u8]>,
    value_types: Vec<[u64; 2]>,
    period_type: [u64; 2],
    comments: Vec<u64>,
    mappings: Vec<RawMapping>,
    functions: Vec<RawFunction>,
    locations: Vec<RawLocation>,
    samples: Vec<RawSample>,
}

#[derive(Default)]
struct RawMapping {
    id: u64,
    file: u64,
    build_id: u64,
    table: Mapping,
}

#[derive(Default)]
struct RawFunction {
    id: u64,
    name: u64,
    system_name: u64,
    file: u64,
    start_line: i64,
}

#[derive(Default)]
struct RawLocation {
    id: u64,
    mapping: u64,
    address: u64,
    /// (function, line)
    lines: Vec<(u64, i64)>,
}

#[derive(Default)]
struct RawSample {
    stack: Vec<u64>,
    values: Vec<u64>,
    /// (key, value)
    labels: Vec<[u64; 2]>,
}

impl<'b> Raw<'b> {
    fn field(&mut self, number: u64, value: Value<'b>) -> Result<(), PprofError> {
        match number {
            1 => self.value_types.push(pair(value.bytes())?),
            2 => self.sample(value.bytes())?,
            3 => self.mapping(value.bytes())?,
            4 => self.location(value.bytes())?,
            5 => self.function(value.bytes())?,
            6 => self.texts.push(value.bytes()),
            9 => self.out.time_ns = value.signed(),
            10 => self.out.duration_ns = value.signed(),
            11 => self.period_type = pair(value.bytes())?,
            12 => self.out.period = value.signed(),
            13 => value.append_to(&mut self.comments)?,
            _ => {}
        }
        Ok(())
    }

    fn sample(&mut self, bytes: &[u8]) -> Result<(), PprofError> {
        let mut sample = RawSample::default();
        for field in Fields(bytes) {
            match field? {
                (1, value) => value.append_to(&mut sample.stack)?,
                (2, value) => value.append_to(&mut sample.values)?,
                (3, value) => match pair(value.bytes())? {
                    // The value is a number.
                    [_, 0] => self.out.losses.labels += 1,
                    label => sample.labels.push(label),
                },
                _ => {}
            }
        }
        if sample.stack.is_empty() || sample.values.is_empty() {
            self.out.losses.malformed_samples += 1;
        } else {
            self.samples.push(sample);
        }
        Ok(())
    }

    fn mapping(&mut self, bytes: &[u8]) -> Result<(), PprofError> {
        let mut found = RawMapping::default();
        for field in Fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => found.id = value.number(),
                2 => found.table.start = value.number(),
                3 => found.table.limit = value.number(),
                4 => found.table.file_offset = value.number(),
                5 => found.file = value.number(),
                6 => found.build_id = value.number(),
                7 => found.table.has_functions = value.number() != 0,
                9 => found.table.has_lines = value.number() != 0,
                _ => {}
            }
        }
        let id = found.id;
        self.keep(id, |raw| raw.mappings.push(found));
        Ok(())
    }

    fn location(&mut self, bytes: &[u8]) -> Result<(), PprofError> {
        let mut found = RawLocation::default();
        for field in Fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => found.id = value.number(),
                2 => found.mapping = value.number(),
                3 => found.address = value.number(),
                4 => found.lines.push(line(value.bytes())?),
                _ => {}
            }
        }
        let id = found.id;
        self.keep(id, |raw| raw.locations.push(found));
        Ok(())
    }

    fn function(&mut self, bytes: &[u8]) -> Result<(), PprofError> {
        let mut found = RawFunction::default();
        for field in Fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => found.id = value.number(),
                2 => found.name = value.number(),
                3 => found.system_name = value.number(),
                4 => found.file = value.number(),
                5 => found.start_line = value.signed(),
                _ => {}
            }
        }
        let id = found.id;
        self.keep(id, |raw| raw.functions.push(found));
        Ok(())
    }

    /// Keeps an entry; an entry with id 0 is counted as malformed.
    fn keep(&mut self, id: u64, keep: impl FnOnce(&mut Self)) {
        if id == 0 {
            self.out.losses.malformed_entries += 1;
        } else {
            keep(self);
        }
    }

    fn resolve(mut self) -> Result<Pprof, PprofError> {
        if self.value_types.is_empty() {
            return Err(PprofError::NoSampleTypes);
        }
        let mut texts = Texts {
            texts: &self.texts,
            known: FxHashMap::default(),
        };
        let out = &mut self.out;
        for &[kind, unit] in &self.value_types {
            let own = texts.value_type(kind, unit, out);
            out.value_types.push(own);
        }
        let [kind, unit] = self.period_type;
        out.period_type = texts.value_type(kind, unit, out);
        for &comment in &self.comments {
            let text = texts.get(comment, out);
            out.comments.push(text);
        }
        let mut mapping_ids = FxHashMap::default();
        for raw in self.mappings {
            mapping_ids.insert(raw.id, out.mappings.len() as u32);
            let mapping = Mapping {
                file: texts.get(raw.file, out),
                build_id: texts.get(raw.build_id, out),
                ..raw.table
            };
            out.mappings.push(mapping);
        }
        let mut function_ids = FxHashMap::default();
        for raw in self.functions {
            function_ids.insert(raw.id, out.functions.len() as u32);
            let function = Function {
                name: texts.get(raw.name, out),
                system_name: texts.get(raw.system_name, out),
                file: texts.get(raw.file, out),
                start_line: raw.start_line,
            };
            out.functions.push(function);
        }
        let mut location_ids = FxHashMap::default();
        for raw in self.locations {
            location_ids.insert(raw.id, out.locations.len() as u32);
            let known = |&(function, line): &(u64, i64)| {
                let function = *function_ids.get(&function)?;
                Some(Line { function, line })
            };
            let lines: Vec<Line> = raw.lines.iter().filter_map(known).collect();
            out.losses.malformed_entries += (raw.lines.len() - lines.len()) as u64;
            out.locations.push(Location {
                mapping: mapping_ids.get(&raw.mapping).copied(),
                address: raw.address,
                lines,
            });
        }
        let types = out.value_types.len();
        for raw in self.samples {
            let stack = raw.stack.iter().map(|id| location_ids.get(id).copied());
            match stack.collect::<Option<Vec<u32>>>() {
                Some(stack) if raw.values.len() == types => {
                    let labels = texts.labels(&raw.labels, out);
                    out.samples.push(Sample {
                        stack,
                        values: raw.values.iter().map(|value| value.cast_signed()).collect(),
                        labels,
                    });
                }
                _ => out.losses.malformed_samples += 1,
            }
        }
        Ok(self.out)
    }
}

/// Texts of the file; texts that are used enter the table.
struct Texts<'t, 'b> {
    texts: &'t [&'b [u8]],
    known: FxHashMap<u64, TextId>,
}

impl Texts<'_, '_> {
    fn get(&mut self, index: u64, out: &mut Pprof) -> TextId {
        if let Some(&id) = self.known.get(&index) {
            return id;
        }
        let bytes = usize::try_from(index).ok().and_then(|i| self.texts.get(i));
        let id = out.intern(&String::from_utf8_lossy(bytes.unwrap_or(&&[][..])));
        self.known.insert(index, id);
        id
    }

    fn value_type(&mut self, kind: u64, unit: u64, out: &mut Pprof) -> ValueType {
        ValueType {
            kind: self.get(kind, out),
            unit: self.get(unit, out),
        }
    }

    /// Returns the labels of a sample; labels beyond the limits, or without a text, are counted.
    fn labels(&mut self, raw: &[[u64; 2]], out: &mut Pprof) -> Vec<Label> {
        let mut labels = Vec::new();
        for &[key, value] in raw {
            let (key, value) = (self.get(key, out), self.get(value, out));
            let fits = |text| (1..=LABEL_BYTES_MAX).contains(&out.text(text).len());
            if labels.len() < LABELS_MAX && fits(key) && fits(value) {
                labels.push(Label { key, value });
            } else {
                out.losses.labels += 1;
            }
        }
        labels
    }
}

/// Reads two texts: kind and unit of a value, or key and value of a label.
fn pair(bytes: &[u8]) -> Result<[u64; 2], PprofError> {
    let mut found = [0; 2];
    for field in Fields(bytes) {
        match field? {
            (1, value) => found[0] = value.number(),
            (2, value) => found[1] = value.number(),
            _ => {}
        }
    }
    Ok(found)
}

fn line(bytes: &[u8]) -> Result<(u64, i64), PprofError> {
    let mut found = (0, 0);
    for field in Fields(bytes) {
        match field? {
            (1, value) => found.0 = value.number(),
            (2, value) => found.1 = value.signed(),
            _ => {}
        }
    }
    Ok(found)
}
