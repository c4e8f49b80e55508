//! Reads the binary forms: the extensible form, section by section, and the raw form of older tools.

use super::input::{Input, Rigour};
use super::sections::{self, Section};
use super::{CheckError, Marks, ParsedFunction, ParsedProfile};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Maximum depth of inlining that is read.
const DEPTH_MAX: usize = 1000;
/// Bytes of "SPROF42", read as the upper bytes of a number; the lowest byte tells the form.
const MAGIC: u64 = 0x5350_524f_4634_3200;
const FORM_EXTENSIBLE: u64 = 4;
const FORM_COMPACT: u64 = 2;
const FORM_RAW: u64 = 0xff;
const VERSION: u64 = 103;

/// Marks in the summary's flags.
const PARTIAL: u64 = 1;
const CONTEXTS: u64 = 1 << 1;
const FLOW_SENSITIVE: u64 = 1 << 2;
const PRE_INLINED: u64 = 1 << 4;
const VTABLES: u64 = 1 << 5;
/// Marks in the names' flags.
const MD5: u64 = 1;
const MD5_FIXED: u64 = 1 << 1;
const UNIQUE_SUFFIX: u64 = 1 << 2;
/// Marks in the metadata's flags.
const PROBES: u64 = 1;
const ATTRIBUTES: u64 = 1 << 1;

/// Returns true if the bytes start as one of the binary forms.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let start = Input::new(bytes, 0, Rigour::Foreign).number();
    start.is_ok_and(|number| number & !0xff == MAGIC)
}

pub(super) fn read(bytes: &[u8], rigour: Rigour) -> Result<ParsedProfile, CheckError> {
    let mut input = Input::new(bytes, 0, rigour);
    let magic = input.number()?;
    match magic ^ MAGIC {
        FORM_EXTENSIBLE => {}
        FORM_RAW => input.odd("the raw binary form")?,
        FORM_COMPACT => {
            return Err(CheckError::Refused(
                "the compact binary form, which LLVM dropped after version 16",
            ));
        }
        _ => return Err(input.fail("not an extensible binary sample profile")),
    }
    if input.number()? != VERSION {
        return Err(input.fail("not version 103 of the sample profile"));
    }
    if magic ^ MAGIC == FORM_RAW {
        return read_raw(&mut input);
    }
    let sections = sections::read(bytes, &mut input, rigour)?;
    read_sections(&sections, rigour)
}

/// Reads the raw form: summary, names and functions, one after the other.
fn read_raw(input: &mut Input<'_>) -> Result<ParsedProfile, CheckError> {
    let summary = read_summary(input)?;
    let mut names = Vec::new();
    for _ in 0..input.number()? {
        names.push(input.text()?);
    }
    let mut functions = Functions::new();
    read_functions(input, &names, &mut functions)?;
    Ok(ParsedProfile {
        functions,
        summary: Some(summary),
        ..ParsedProfile::default()
    })
}

fn read_sections(sections: &[Section<'_>], rigour: Rigour) -> Result<ParsedProfile, CheckError> {
    let missing = CheckError::Binary {
        offset: 0,
        problem: "a section is missing",
    };
    let find = |kind| sections.iter().find(|section| section.kind == kind);
    let summary = find(sections::SUMMARY).ok_or_else(|| missing.clone())?;
    let names = find(sections::NAMES).ok_or_else(|| missing.clone())?;
    let marks = marks_of(summary, names, find(sections::CONTEXT_NAMES))?;
    let unique_suffix = names.flags & UNIQUE_SUFFIX != 0;
    let names = read_names(&mut names.input(), names.flags)?;
    let (mut functions, mut starts) = (Functions::new(), BTreeMap::new());
    for section in sections.iter().filter(|s| s.kind == sections::FUNCTIONS) {
        starts = read_functions(&mut section.input(), &names, &mut functions)?;
    }
    if let Some(metadata) = find(sections::METADATA) {
        read_metadata(metadata, &names, &mut functions)?;
    }
    match find(sections::OFFSETS) {
        Some(offsets) if rigour == Rigour::Own => {
            check_offsets(&mut offsets.input(), &names, &starts)?;
        }
        None if rigour == Rigour::Own => return Err(missing),
        _ => {}
    }
    let mut summary = summary.input();
    let fields = read_summary(&mut summary)?;
    if !summary.is_at_end() {
        summary.odd("bytes after the summary")?;
    }
    let symbol_list = match find(sections::SYMBOL_LIST) {
        Some(list) => list.input().texts()?,
        None => Vec::new(),
    };
    Ok(ParsedProfile {
        functions,
        symbol_list,
        unique_suffix,
        summary: Some(fields),
        marks,
    })
}

/// Returns the marks that the flags set; an error if their meaning would be lost.
fn marks_of(
    summary: &Section<'_>,
    names: &Section<'_>,
    contexts: Option<&Section<'_>>,
) -> Result<Marks, CheckError> {
    let has_contexts = contexts.is_some_and(|section| section.input().number().unwrap_or(0) > 0);
    if summary.flags & CONTEXTS != 0 || has_contexts {
        return Err(CheckError::Refused(super::CONTEXTS_REFUSED));
    }
    if summary.flags & PRE_INLINED != 0 {
        return Err(CheckError::Refused(super::PRE_INLINED_REFUSED));
    }
    if summary.flags & VTABLES != 0 {
        return Err(CheckError::Refused(super::VTABLES_REFUSED));
    }
    Ok(Marks {
        md5_names: names.flags & (MD5 | MD5_FIXED) != 0,
        partial: summary.flags & PARTIAL != 0,
        flow_sensitive: summary.flags & FLOW_SENSITIVE != 0,
    })
}

/// Reads the names; a name that is only present as an MD5 sum becomes a decimal number, as LLVM's tools print it.
fn read_names(input: &mut Input<'_>, flags: u64) -> Result<Vec<String>, CheckError> {
    let count = input.number()?;
    let mut names = Vec::new();
    while !input.is_at_end() {
        names.push(match flags {
            flags if flags & MD5_FIXED != 0 => input.fixed()?.to_string(),
            flags if flags & MD5 != 0 => input.number()?.to_string(),
            _ => input.text()?,
        });
    }
    if names.len() as u64 != count {
        return Err(input.fail("another number of names than stated"));
    }
    Ok(names)
}

type Functions = BTreeMap<String, ParsedFunction>;

/// Adds the functions of a section, and returns the offset in the section at which each function starts.
fn read_functions(
    input: &mut Input<'_>,
    names: &[String],
    functions: &mut Functions,
) -> Result<BTreeMap<String, usize>, CheckError> {
    let mut starts = BTreeMap::new();
    let first = input.at;
    while !input.is_at_end() {
        let start = input.at - first;
        let head = input.number()?;
        let (name, mut function) = read_function(input, names, 0)?;
        function.head = head;
        starts.insert(name.clone(), start);
        match functions.entry(name) {
            Entry::Vacant(place) => {
                place.insert(function);
            }
            Entry::Occupied(mut before) => {
                input.odd("the function before occurs twice")?;
                before.get_mut().absorb(function);
            }
        }
    }
    Ok(starts)
}

fn read_function(
    input: &mut Input<'_>,
    names: &[String],
    depth: usize,
) -> Result<(String, ParsedFunction), CheckError> {
    if depth > DEPTH_MAX {
        return Err(input.fail("inlined too deep"));
    }
    let name = input.name(names)?;
    let mut function = ParsedFunction {
        total: input.number()?,
        ..ParsedFunction::default()
    };
    for _ in 0..input.number()? {
        let place = (input.small()?, input.small()?);
        let count = input.number()?;
        let mut targets = BTreeMap::new();
        for _ in 0..input.number()? {
            let target = input.name(names)?;
            let calls: &mut u64 = targets.entry(target).or_default();
            *calls = calls.saturating_add(input.number()?);
        }
        if function.lines.contains_key(&place) {
            input.odd("the place occurs twice")?;
        }
        function.add_line(place, (count, targets));
    }
    for _ in 0..input.number()? {
        let (line, discriminator) = (input.small()?, input.small()?);
        let (callee, samples) = read_function(input, names, depth + 1)?;
        match function.inlined.entry((line, discriminator, callee)) {
            Entry::Vacant(place) => {
                place.insert(samples);
            }
            Entry::Occupied(mut before) => {
                input.odd("the inlined call occurs twice")?;
                before.get_mut().absorb(samples);
            }
        }
    }
    Ok((name, function))
}

/// Reads the checksums; in a profile of Hone each function must have exactly one checksum.
fn read_metadata(
    section: &Section<'_>,
    names: &[String],
    functions: &mut Functions,
) -> Result<(), CheckError> {
    let mut input = section.input();
    if section.flags & ATTRIBUTES != 0 {
        return Err(CheckError::Refused(super::PRE_INLINED_REFUSED));
    }
    if section.flags != PROBES {
        input.odd("not of pseudo probes")?;
    }
    if section.flags & PROBES == 0 {
        return Ok(());
    }
    let mut left = functions.len();
    while !input.is_at_end() {
        let name = input.name(names)?;
        let function = functions.get_mut(&name);
        if function.is_none() {
            input.odd("a checksum of no function")?;
        }
        read_checksum(&mut input, names, function, 0)?;
        left = left.saturating_sub(1);
    }
    if left > 0 {
        input.odd("functions without a checksum")?;
    }
    Ok(())
}

/// Reads the checksum of one function and of the calls inlined into it.
fn read_checksum(
    input: &mut Input<'_>,
    names: &[String],
    mut function: Option<&mut ParsedFunction>,
    depth: usize,
) -> Result<(), CheckError> {
    if depth > DEPTH_MAX {
        return Err(input.fail("inlined too deep"));
    }
    let checksum = input.number()?;
    let calls = input.number()?;
    if let Some(function) = &mut function {
        if function.checksum.replace(checksum).is_some() {
            input.odd("the function has two checksums")?;
        }
        if calls != function.inlined.len() as u64 {
            input.odd("checksums of another number of inlined calls")?;
        }
    }
    for _ in 0..calls {
        let place = (input.small()?, input.small()?, input.name(names)?);
        let inlined = function.as_deref_mut();
        let inlined = inlined.and_then(|function| function.inlined.get_mut(&place));
        if inlined.is_none() {
            input.odd("a checksum of no inlined call")?;
        }
        read_checksum(input, names, inlined, depth + 1)?;
    }
    Ok(())
}

fn check_offsets(
    input: &mut Input<'_>,
    names: &[String],
    starts: &BTreeMap<String, usize>,
) -> Result<(), CheckError> {
    let count = input.number()?;
    if count != starts.len() as u64 {
        return Err(input.fail("another number of offsets than of functions"));
    }
    for _ in 0..count {
        let name = input.name(names)?;
        let offset = input.number()?;
        if starts.get(&name).map(|&start| start as u64) != Some(offset) {
            return Err(input.fail("an offset that is not the function's"));
        }
    }
    Ok(())
}

fn read_summary(input: &mut Input<'_>) -> Result<[u64; 5], CheckError> {
    let mut fields = [0; 5];
    for field in &mut fields {
        *field = input.number()?;
    }
    for _ in 0..input.number()? {
        let (cutoff, _minimum, _counts) = (input.number()?, input.number()?, input.number()?);
        if cutoff > 999_999 {
            input.odd("a cut-off above one")?;
        }
    }
    Ok(fields)
}
