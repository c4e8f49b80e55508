//! Writes the profile that GCC 12 reads for `-fauto-profile`, in place of create_gcov's profile.
//!
//! Little-endian words of 32 bits: a header, the table of names, the functions as trees of inlined calls, and
//! an empty table of modules. Totals are not stored, GCC adds the counts up. A place is the line offset in
//! the upper half of a word; the lower half is for discriminators, which GCC 12 cuts off, so a line here is one
//! place with its largest count.
//!
//! Later versions of GCC read the same file. But these versions tell the blocks of a line apart by discriminators, as
//! GCC numbers them; a [`SampleProfile`] holds discriminators as LLVM does, which loses some of GCC's.
//!
//! Debian's create_gcov 0.19 writes names in the form of version 1 even for a file of version 2, and GCC 12
//! crashes on such a file.

use crate::counts::add;
use crate::sample_profile::{FunctionSamples, LineSamples, SampleProfile, sorted_targets};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// "gcda", as a number.
const MAGIC: u32 = 0x6763_6461;
const VERSION: u32 = 2;
const TAG_NAMES: u32 = 0xaa00_0000;
const TAG_FUNCTIONS: u32 = 0xac00_0000;
const TAG_MODULES: u32 = 0xae00_0000;
/// Number for call targets among the kinds of values; GCC ignores it.
const INDIRECT_CALL: u32 = 7;

/// Writes the profile.
pub fn write(profile: &SampleProfile) -> Vec<u8> {
    let names = names(profile);
    let mut out = Words::default();
    out.word(MAGIC);
    out.word(VERSION);
    out.word(0);
    out.section(TAG_NAMES, |out| {
        out.word(names.len() as u32);
        for name in names.keys() {
            out.string(name);
        }
    });
    out.section(TAG_FUNCTIONS, |out| {
        out.word(profile.functions.len() as u32);
        for (name, function) in &profile.functions {
            out.counter(function.head);
            write_function(name, function, &names, out);
        }
    });
    out.section(TAG_MODULES, |out| out.word(0));
    out.bytes
}

fn write_function(
    name: &str,
    function: &FunctionSamples,
    names: &BTreeMap<Cow<'_, str>, u32>,
    out: &mut Words,
) {
    let index = |name: &str| names.get(&gcc_name(name)).copied().unwrap_or(0);
    let lines = lines(function);
    let calls = function.callsites.values().map(BTreeMap::len);
    out.word(index(name));
    out.word(lines.len() as u32);
    out.word(calls.sum::<usize>() as u32);
    for (line_offset, line) in lines {
        out.word(line_offset << 16);
        out.word(line.targets.len() as u32);
        out.counter(line.count);
        for (target, count) in sorted_targets(&line.targets) {
            out.word(INDIRECT_CALL);
            out.counter(index(target).into());
            out.counter(count);
        }
    }
    for (key, callees) in &function.callsites {
        for (callee, samples) in callees {
            out.word(key.line_offset << 16);
            write_function(callee, samples, names, out);
        }
    }
}

/// Returns the samples of each line, with all places of the line as one.
fn lines(function: &FunctionSamples) -> BTreeMap<u32, LineSamples> {
    let mut lines: BTreeMap<u32, LineSamples> = BTreeMap::new();
    for (key, samples) in &function.body {
        let line = lines.entry(key.line_offset).or_default();
        line.count = line.count.max(samples.count);
        for (target, &count) in &samples.targets {
            add(line.targets.entry(target.clone()).or_default(), count);
        }
    }
    lines
}

/// Returns all names with their numbers. Number 0 belongs to no function.
fn names(profile: &SampleProfile) -> BTreeMap<Cow<'_, str>, u32> {
    let mut names: BTreeMap<Cow<'_, str>, u32> = BTreeMap::from([(Cow::Borrowed(""), 0)]);
    names.extend(profile.names().into_iter().map(|name| (gcc_name(name), 0)));
    for (number, index) in names.values_mut().enumerate() {
        *index = number as u32;
    }
    names
}

/// Returns the name as GCC looks it up: without anything from the first dot on, and for a constructor or destructor
/// the name in symbol tables (DWARF may use the unified name, `C4` or `D4`).
fn gcc_name(name: &str) -> Cow<'_, str> {
    let name = name.split('.').next().unwrap_or(name);
    for (unified, base) in [("C4Ev", "C2Ev"), ("D4Ev", "D2Ev")] {
        if let Some(start) = name.strip_suffix(unified) {
            return Cow::Owned(format!("{start}{base}"));
        }
    }
    Cow::Borrowed(name)
}

#[derive(Default)]
struct Words {
    bytes: Vec<u8>,
}

impl Words {
    fn word(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Writes a number of 64 bits: the low word first.
    fn counter(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Writes a length in bytes, and the bytes with a zero at the end.
    fn string(&mut self, text: &str) {
        self.word(text.len() as u32 + 1);
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    /// Writes a tag, the length of the section in words, and the section.
    fn section(&mut self, tag: u32, write: impl FnOnce(&mut Self)) {
        self.word(tag);
        let length_at = self.bytes.len();
        self.word(0);
        write(self);
        let words = (self.bytes.len() - length_at - 4).div_ceil(4) as u32;
        self.bytes[length_at..length_at + 4].copy_from_slice(&words.to_le_bytes());
    }
}
