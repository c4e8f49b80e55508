//! The code of one function with the time that went there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use hone_profile::{BinaryKind, Svma};
use hone_symbols::{DebugInfo, Function, canonical_name, demangle};
use hone_views::{AnnotatedInstruction, annotate, weights_in, weights_of_functions};
use rustc_hash::FxHashMap;

use crate::binaries::Opened;
use crate::function_pattern::is_called;
use crate::names::named;
use crate::recording::Recording;
use crate::selection::Selection;

/// A function's code and its weight.
pub struct Annotated {
    /// Name of the function.
    pub name: String,
    /// File that was read.
    pub binary: PathBuf,
    /// Weight of the function's own instructions.
    pub weight: u64,
    /// The instructions, each with its weight.
    pub instructions: Vec<AnnotatedInstruction>,
}

/// Finds the heaviest of all functions with a name, which may lack the arguments.
pub fn heaviest(
    recording: &Recording<'_>,
    selection: &Selection,
    wanted: &str,
) -> Result<Option<Annotated>> {
    // Naming all stacks is expensive, and the names serve only to choose some of the stacks.
    let kept = match selection.filters().as_slice() {
        [] => None,
        _ => Some(named(recording, selection)?.stacks),
    };
    let mut heaviest: Option<Annotated> = None;
    for id in recording.binaries() {
        let recorded = recording.profile().binary(id);
        if recorded.kind != BinaryKind::File {
            continue;
        }
        // A file that is gone, or is another build, has no code to show.
        let Ok(opened) = recording.open(recorded) else {
            continue;
        };
        let event = recording.event();
        let (profile, tally) = (recording.profile(), recording.tally());
        let weights = weights_in(opened.binary, profile, id, tally, event, kept.as_ref());
        let Some(found) = heaviest_in(opened, &weights, wanted)? else {
            continue;
        };
        if heaviest
            .as_ref()
            .is_none_or(|so_far| found.weight > so_far.weight)
        {
            heaviest = Some(found);
        }
    }
    Ok(heaviest)
}

fn heaviest_in(
    opened: Opened<'_>,
    weights: &FxHashMap<Svma, u64>,
    wanted: &str,
) -> Result<Option<Annotated>> {
    if weights.is_empty() {
        return Ok(None);
    }
    let (binary, debug) = (opened.binary, opened.debug()?);
    let by_start = weights_of_functions(binary, weights).into_iter();
    let named = by_start.filter_map(|(start, weight)| {
        let function = binary.functions().starting_at(start)?;
        let name = wanted_name(function, debug, wanted)?;
        Some((weight, function, name))
    });
    let heaviest = named.max_by_key(|(weight, function, _)| (*weight, Reverse(function.start)));
    let Some((weight, function, name)) = heaviest else {
        return Ok(None);
    };
    Ok(Some(Annotated {
        name,
        binary: opened.path().to_owned(),
        weight,
        instructions: annotate(binary, debug, function, weights),
    }))
}

/// Returns the name by which a function is the wanted one: its name in the debug information, or one of its symbols.
fn wanted_name(function: &Function<'_>, debug: &DebugInfo<'_>, wanted: &str) -> Option<String> {
    let stack = debug.inline_stack(function.start);
    let own = stack.last().map(|frame| frame.function);
    let symbols = std::iter::once(function.name).chain(function.aliases.iter().copied());
    let all = own.into_iter().chain(symbols);
    let mut names = all.map(|name| demangle(canonical_name(name)));
    names.find(|name| is_called(name, wanted))
}

/// Source files, read when the first of their lines is asked for.
#[derive(Default)]
pub struct Sources {
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// Returns the line, counted from 1; empty if the file or the line is missing.
    pub fn line(&mut self, path: &str, line: u32) -> &str {
        let lines = self.files.entry(path.to_owned()).or_insert_with(|| {
            let text = fs::read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(str::to_owned).collect()
        });
        lines.get(line as usize - 1).map_or("", String::as_str)
    }
}
