//! pprof: the profile format of Go and of many other profilers, read and written.
//!
//! The layout is that of `proto/profile.proto` of github.com/google/pprof; `docs/internals/pprof.md` says
//! what of it is used. The few messages are coded here by hand, because so the reader
//! never holds more than a small multiple of the file: a general decoder builds a large value for each
//! empty message that two bytes can claim.
//!
//! [`Pprof`] holds what the format has, functions without addresses included. [`read`] makes a
//! [`Profile`] of it, for which addresses and mappings are needed.

mod decode;
mod encode;
mod to_profile;
mod wire;

use crate::profile::Profile;
use rustc_hash::FxHashMap;

pub use decode::parse;
pub use encode::write;

/// Why a file could not be read as pprof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PprofError {
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,
    /// The gzip stream is broken or was cut.
    #[error("its gzip stream cannot be unpacked: {0}")]
    Gzip(String),
    /// More than [`crate::limits::PPROF_BYTES_MAX`] bytes.
    #[error("unpacked it has more than {max} bytes")]
    TooLarge {
        /// The limit.
        max: usize,
    },
    /// A field reaches beyond the end of the file or of its message.
    #[error("it was cut short, or is no pprof profile")]
    Cut,
    /// A field of a type that protobuf does not have, or no longer has.
    #[error("a field of type {kind}, which pprof does not have")]
    FieldType {
        /// The type.
        kind: u64,
    },
    /// A number of more than ten bytes.
    #[error("a number of more than 64 bits")]
    LongNumber,
    /// No sample types, so no value of a sample means anything.
    #[error("it does not say what its values are (no sample types)")]
    NoSampleTypes,
    /// It names functions and has no addresses, so it cannot be laid over a binary.
    #[error("its {locations} locations have no addresses, only names")]
    NoAddresses {
        /// Locations in the file.
        locations: usize,
    },
}

/// Index of a text in [`Pprof::text`]. The default is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextId(u32);

/// What a value counts, such as (`cpu`, `nanoseconds`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValueType {
    /// What.
    pub kind: TextId,
    /// In which unit.
    pub unit: TextId,
}

/// A stretch of memory that showed a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mapping {
    /// Its first address.
    pub start: u64,
    /// The first address after it.
    pub limit: u64,
    /// Offset of its first byte in the file.
    pub file_offset: u64,
    /// The file.
    pub file: TextId,
    /// The build id, mostly in hexadecimal digits.
    pub build_id: TextId,
    /// Whether its locations have functions.
    pub has_functions: bool,
    /// Whether its locations have lines and inlined functions.
    pub has_lines: bool,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Function {
    /// Its name for people.
    pub name: TextId,
    /// Its name for linkers.
    pub system_name: TextId,
    /// The file it is in.
    pub file: TextId,
    /// The line it starts on; 0 where unknown.
    pub start_line: i64,
}

/// A line of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// Index into [`Pprof::functions`].
    pub function: u32,
    /// The line; 0 where unknown.
    pub line: i64,
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Location {
    /// Index into [`Pprof::mappings`].
    pub mapping: Option<u32>,
    /// The address; 0 where unknown.
    pub address: u64,
    /// Its lines: several where functions are inlined, the innermost first.
    pub lines: Vec<Line>,
}

/// A stack and its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sample {
    /// Indices into [`Pprof::locations`], leaf first.
    pub stack: Vec<u32>,
    /// One value for each of [`Pprof::value_types`].
    pub values: Vec<i64>,
}

/// What is in the file and not in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PprofLosses {
    /// Labels of samples, such as thread ids.
    pub labels: u64,
    /// Samples that name a location that is not there, or have another number of values than there are types.
    pub malformed_samples: u64,
    /// Locations, functions and mappings without an id, or that name something that is not there.
    pub malformed_entries: u64,
}

/// A pprof profile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pprof {
    /// What the values of every sample count.
    pub value_types: Vec<ValueType>,
    /// What was counted between two samples.
    pub period_type: ValueType,
    /// How much of it.
    pub period: i64,
    /// When it began, in nanoseconds since 1970; 0 where unknown.
    pub time_ns: i64,
    /// How long it took; 0 where unknown.
    pub duration_ns: i64,
    /// Stretches of memory.
    pub mappings: Vec<Mapping>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Places.
    pub locations: Vec<Location>,
    /// Samples.
    pub samples: Vec<Sample>,
    /// Remarks for people.
    pub comments: Vec<TextId>,
    /// What was left out of the file.
    pub losses: PprofLosses,
    texts: Vec<String>,
    ids: FxHashMap<String, TextId>,
}

impl Pprof {
    /// The text behind its id.
    pub fn text(&self, id: TextId) -> &str {
        let index = id.0.checked_sub(1);
        index
            .and_then(|index| self.texts.get(index as usize))
            .map_or("", String::as_str)
    }

    /// The id of a text, new or known.
    pub fn intern(&mut self, text: &str) -> TextId {
        if text.is_empty() {
            return TextId::default();
        }
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        self.texts.push(text.to_owned());
        let id = TextId(self.texts.len() as u32);
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// What a value counts, from words.
    pub fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
        ValueType {
            kind: self.intern(kind),
            unit: self.intern(unit),
        }
    }

    /// The values that a profile for a compiler should rest on: time on a CPU in nanoseconds; else the
    /// number of samples; else the first.
    pub fn preferred_value(&self) -> Option<usize> {
        let is = |wanted: (&str, &str)| {
            let mut types = self.value_types.iter();
            types.position(|own| (self.text(own.kind), self.text(own.unit)) == wanted)
        };
        is(("cpu", "nanoseconds"))
            .or_else(|| is(("samples", "count")))
            .or_else(|| (!self.value_types.is_empty()).then_some(0))
    }
}

/// Reads a pprof file whose locations have addresses.
///
/// The one event of the profile is named after the values taken ([`Pprof::preferred_value`]), such as
/// `cpu/nanoseconds`. Addresses of callers lie in the call in pprof and after it in a [`Profile`].
pub fn read(bytes: &[u8]) -> Result<Profile, PprofError> {
    parse(bytes)?.to_profile()
}
