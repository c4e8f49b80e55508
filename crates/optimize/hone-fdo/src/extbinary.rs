//! Writes the extensible binary form of LLVM's sample profile.
//!
//! ```text
//! ULEB magic, ULEB version, u64 sections, then for each: u64 type, flags, offset, size
//! summary · names · offsets of functions · functions · symbol list · checksums, where keys are pseudo probes
//! ```
//!
//! Advantages over text: the compiler loads only the functions of its own module, the summary need not be
//! computed in every compilation, and the file can hold the list of all functions of the binary, by which the
//! compiler tells a function that never ran from a new function.

use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile, sorted_targets};
use crate::summary::ProfileSummary;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// "SPROF42" and the number of this format.
const MAGIC: u64 = u64::from_be_bytes(*b"SPROF42\x04");
const VERSION: u64 = 103;

const SECTION_SUMMARY: u64 = 1;
const SECTION_NAMES: u64 = 2;
const SECTION_SYMBOL_LIST: u64 = 3;
const SECTION_OFFSETS: u64 = 4;
const SECTION_CHECKSUMS: u64 = 5;
const SECTION_FUNCTIONS: u64 = 32;

/// Flag for names that contain `.__uniq.`: the compiler must not cut this suffix off when it compares names.
const FLAG_UNIQUE_SUFFIX: u64 = 4 << 32;
const UNIQUE_SUFFIX: &str = ".__uniq.";

/// Flag for keys that are pseudo probes: the section holds a checksum for each function.
const FLAG_PROBE_BASED: u64 = 1 << 32;

/// Writes the profile, uncompressed.
///
/// `symbol_list` holds the names of all functions of the binary. With this list the compiler treats a listed function
/// without samples as cold, and a function that is not listed as new (of unknown heat).
/// Without the list every function without samples is of unknown heat.
pub fn write(profile: &SampleProfile, symbol_list: Option<&[String]>) -> Vec<u8> {
    let names = profile.names();
    let index: FxHashMap<&str, u64> = names.iter().copied().zip(0..).collect();
    let (functions, offsets) = functions_section(profile, &index);
    let flags = names.iter().any(|name| name.contains(UNIQUE_SUFFIX));
    let mut sections = vec![
        (
            SECTION_SUMMARY,
            0,
            summary_section(&ProfileSummary::of(profile)),
        ),
        (
            SECTION_NAMES,
            u64::from(flags) * FLAG_UNIQUE_SUFFIX,
            names_section(&names),
        ),
        (SECTION_OFFSETS, 0, offsets_section(&offsets)),
        (SECTION_FUNCTIONS, 0, functions),
    ];
    if let Some(list) = symbol_list.filter(|list| !list.is_empty()) {
        sections.push((SECTION_SYMBOL_LIST, 0, symbol_list_section(list)));
    }
    if profile.is_probe_based() {
        let checksums = checksums_section(profile, &index);
        sections.push((SECTION_CHECKSUMS, FLAG_PROBE_BASED, checksums));
    }
    assemble(&sections)
}

fn assemble(sections: &[(u64, u64, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    uleb(MAGIC, &mut out);
    uleb(VERSION, &mut out);
    out.extend((sections.len() as u64).to_le_bytes());
    let mut offset = (out.len() + sections.len() * 32) as u64;
    for (kind, flags, data) in sections {
        for field in [*kind, *flags, offset, data.len() as u64] {
            out.extend(field.to_le_bytes());
        }
        offset += data.len() as u64;
    }
    for (_, _, data) in sections {
        out.extend(data);
    }
    out
}

fn summary_section(summary: &ProfileSummary) -> Vec<u8> {
    let mut out = Vec::new();
    for field in [
        summary.total_count,
        summary.max_count,
        summary.max_function_count,
        summary.counts,
        summary.functions,
        summary.entries.len() as u64,
    ] {
        uleb(field, &mut out);
    }
    for entry in &summary.entries {
        uleb(u64::from(entry.cutoff), &mut out);
        uleb(entry.min_count, &mut out);
        uleb(entry.counts, &mut out);
    }
    out
}

fn names_section(names: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    uleb(names.len() as u64, &mut out);
    for name in names {
        out.extend(name.as_bytes());
        out.push(0);
    }
    out
}

/// Returns the section of the functions, and the start of each function: (name index, offset).
fn functions_section(
    profile: &SampleProfile,
    index: &FxHashMap<&str, u64>,
) -> (Vec<u8>, Vec<(u64, u64)>) {
    let mut out = Vec::new();
    let mut offsets = Vec::new();
    for (name, function) in profile.by_total() {
        offsets.push((index[name], out.len() as u64));
        uleb(function.head, &mut out);
        write_function(name, function, index, &mut out);
    }
    (out, offsets)
}

/// Returns the section of the checksums, in the same tree as the functions.
fn checksums_section(profile: &SampleProfile, index: &FxHashMap<&str, u64>) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, function) in profile.by_total() {
        write_checksum(name, function, index, &mut out);
    }
    out
}

fn write_checksum(
    name: &str,
    function: &FunctionSamples,
    index: &FxHashMap<&str, u64>,
    out: &mut Vec<u8>,
) {
    uleb(index[name], out);
    uleb(function.checksum.unwrap_or(0), out);
    uleb(inlined_calls(function), out);
    for (key, callees) in &function.callsites {
        for (callee, samples) in callees {
            write_key(*key, out);
            write_checksum(callee, samples, index, out);
        }
    }
}

fn inlined_calls(function: &FunctionSamples) -> u64 {
    let callees = function.callsites.values();
    callees.map(|callees| callees.len() as u64).sum()
}

fn write_function(
    name: &str,
    function: &FunctionSamples,
    index: &FxHashMap<&str, u64>,
    out: &mut Vec<u8>,
) {
    uleb(index[name], out);
    uleb(function.total, out);
    uleb(function.body.len() as u64, out);
    for (key, line) in &function.body {
        write_key(*key, out);
        uleb(line.count, out);
        uleb(line.targets.len() as u64, out);
        for (target, count) in sorted_targets(&line.targets) {
            uleb(index[target], out);
            uleb(count, out);
        }
    }
    uleb(inlined_calls(function), out);
    for (key, callees) in &function.callsites {
        for (callee, samples) in callees {
            write_key(*key, out);
            write_function(callee, samples, index, out);
        }
    }
}

fn write_key(key: LineKey, out: &mut Vec<u8>) {
    uleb(u64::from(key.line_offset), out);
    uleb(u64::from(key.discriminator), out);
}

fn offsets_section(offsets: &[(u64, u64)]) -> Vec<u8> {
    let mut out = Vec::new();
    uleb(offsets.len() as u64, &mut out);
    for &(name, offset) in offsets {
        uleb(name, &mut out);
        uleb(offset, &mut out);
    }
    out
}

fn symbol_list_section(list: &[String]) -> Vec<u8> {
    let sorted: BTreeSet<&str> = list.iter().map(String::as_str).collect();
    let mut out = Vec::new();
    for name in sorted {
        out.extend(name.as_bytes());
        out.push(0);
    }
    out
}

fn uleb(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
