//! pprof: the profile format of Go and of many other profilers, read and written.
//!
//! The layout is `proto/profile.proto` of github.com/google/pprof; `docs/internals/pprof.md` lists
//! the parts that are used. The few messages are coded here by hand, so that the reader
//! never holds more than a small multiple of the file: a general decoder builds a large value for each
//! empty message that two bytes can claim.
//!
//! [`Pprof`] holds the content of a file. [`read`] makes a [`Profile`] of the content: places by addresses and mappings, with
//! the file's own names of functions, which may also stand alone.

mod decode;
mod encode;
mod to_profile;

use crate::profile::Profile;
use crate::protobuf::ProtobufError;
use rustc_hash::FxHashMap;

pub use decode::parse;
pub use encode::write;

/// Reason why a file could not be read as pprof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PprofError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The gzip stream is broken or was cut.
    #[error("its gzip stream cannot be unpacked: {0}")]
    Gzip(String),
    /// The unpacked file has more than [`crate::limits::PPROF_BYTES_MAX`] bytes.
    #[error("unpacked it has more than {max} bytes")]
    TooLarge {
        /// The limit.
        max: usize,
    },
    /// The fields are broken.
    #[error("it was cut short, or is not a pprof profile: {0}")]
    Encoding(#[from] ProtobufError),
    /// The file has no sample types, so no value of a sample has a meaning.
    #[error("it does not say what its values are (no sample types)")]
    NoSampleTypes,
}

/// Index of a text in [`Pprof::text`]. The default is the empty text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextId(u32);

/// Quantity that a value counts, such as (`cpu`, `nanoseconds`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValueType {
    /// Name of the quantity.
    pub kind: TextId,
    /// Unit of the quantity.
    pub unit: TextId,
}

/// A range of memory that showed a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// First address after the mapping.
    pub limit: u64,
    /// Offset of the first byte in the file.
    pub file_offset: u64,
    /// Path of the file.
    pub file: TextId,
    /// Build id, mostly in hexadecimal digits.
    pub build_id: TextId,
    /// True if the mapping's locations have functions.
    pub has_functions: bool,
    /// True if the mapping's locations have lines and inlined functions.
    pub has_lines: bool,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Function {
    /// Name for people.
    pub name: TextId,
    /// Name for linkers.
    pub system_name: TextId,
    /// Source file.
    pub file: TextId,
    /// First line; 0 if unknown.
    pub start_line: i64,
}

/// A line of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// Index into [`Pprof::functions`].
    pub function: u32,
    /// Line in the source file; 0 if unknown.
    pub line: i64,
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Location {
    /// Index into [`Pprof::mappings`].
    pub mapping: Option<u32>,
    /// Address; 0 if unknown.
    pub address: u64,
    /// Lines of the location: several if functions are inlined, the innermost first.
    pub lines: Vec<Line>,
}

/// A label of a sample whose value is a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// Name of what the value tells; not empty.
    pub key: TextId,
    /// Value; not empty.
    pub value: TextId,
}

/// A stack and its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sample {
    /// Indices into [`Pprof::locations`], leaf first.
    pub stack: Vec<u32>,
    /// One value for each of [`Pprof::value_types`].
    pub values: Vec<i64>,
    /// Labels in the order of the file.
    pub labels: Vec<Label>,
}

/// Numbers of entries in the file that are not in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PprofLosses {
    /// Labels of samples that are numbers, such as sizes of objects, or are beyond the limits.
    pub labels: u64,
    /// Samples that refer to a missing location, or whose number of values is not the number of types.
    pub malformed_samples: u64,
    /// Locations, functions and mappings without an id, and lines that refer to a missing function.
    pub malformed_entries: u64,
}

/// A pprof profile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pprof {
    /// Quantities that the values of every sample count.
    pub value_types: Vec<ValueType>,
    /// Quantity that was counted between two samples.
    pub period_type: ValueType,
    /// Amount of that quantity between two samples.
    pub period: i64,
    /// Start of the recording, in nanoseconds since 1970; 0 if unknown.
    pub time_ns: i64,
    /// Duration of the recording in nanoseconds; 0 if unknown.
    pub duration_ns: i64,
    /// Ranges of memory.
    pub mappings: Vec<Mapping>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Locations.
    pub locations: Vec<Location>,
    /// Samples.
    pub samples: Vec<Sample>,
    /// Remarks for people.
    pub comments: Vec<TextId>,
    /// Losses of reading the file.
    pub losses: PprofLosses,
    texts: Vec<String>,
    ids: FxHashMap<String, TextId>,
}

impl Pprof {
    /// Returns the text with this id.
    pub fn text(&self, id: TextId) -> &str {
        let index = id.0.checked_sub(1);
        index
            .and_then(|index| self.texts.get(index as usize))
            .map_or("", String::as_str)
    }

    /// Returns the id of a text; a new text is added.
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

    /// Returns the type of a value, given as words.
    pub fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
        ValueType {
            kind: self.intern(kind),
            unit: self.intern(unit),
        }
    }

    /// Returns the index of the values that weigh the samples: time on a CPU in nanoseconds; else what was counted between two
    /// samples; else the number of samples; else the first values.
    pub fn preferred_value(&self) -> Option<usize> {
        self.value_of("cpu", "nanoseconds")
            .or_else(|| self.counted_between())
            .or_else(|| self.value_of("samples", "count"))
            .or_else(|| (!self.value_types.is_empty()).then_some(0))
    }

    /// Returns the index of the values of an event that was counted between two samples, such as cycles.
    fn counted_between(&self) -> Option<usize> {
        let between = self.period_type;
        let mut types = self.value_types.iter();
        types
            .position(|own| *own == between)
            .filter(|_| self.text(between.unit) == "count")
    }

    /// Returns the index of the values of a type.
    fn value_of(&self, kind: &str, unit: &str) -> Option<usize> {
        let mut types = self.value_types.iter();
        types.position(|own| (self.text(own.kind), self.text(own.unit)) == (kind, unit))
    }
}

/// Reads a pprof file.
///
/// The only event of the profile is named after the values taken ([`Pprof::preferred_value`]), such as
/// `cpu/nanoseconds`. Addresses of callers lie in the call in pprof and after the call in a [`Profile`].
pub fn read(bytes: &[u8]) -> Result<Profile, PprofError> {
    parse(bytes)?.to_profile()
}
