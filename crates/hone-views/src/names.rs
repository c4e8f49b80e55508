//! Names of places in one binary: functions with the calls inlined into them, files and lines.

use crate::tally::Place;
use hone_profile::{FileOffset, Profile, Svma};
use hone_symbols::{Binary, DebugInfo};
use rustc_hash::FxHashMap;

/// One function at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct NamedFrame {
    /// Name as the symbol table or the debug information has it; empty where unknown.
    pub function: String,
    /// Source file; empty where unknown.
    pub file: String,
    /// Line; 0 where unknown.
    pub line: u32,
    /// Whether it was inlined into the next frame.
    pub is_inlined: bool,
}

/// The frames of each place, innermost first; places without a name are not in it.
pub type Names = FxHashMap<Place, Vec<NamedFrame>>;

/// Names of these places, which all lie in this binary.
pub fn names_in(
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    profile: &Profile,
    places: &[Place],
) -> Names {
    let named = places.iter().filter_map(|&place| {
        let offset = profile.location(place.location).offset.0;
        let offset = FileOffset(offset.saturating_sub(u64::from(place.is_return)));
        let frames = frames_at(binary, debug, binary.svma_of(offset)?);
        (!frames.is_empty()).then_some((place, frames))
    });
    named.collect()
}

fn frames_at(binary: &Binary<'_>, debug: &DebugInfo<'_>, svma: Svma) -> Vec<NamedFrame> {
    let stack = debug.inline_stack(svma);
    let last = stack.len().saturating_sub(1);
    let mut frames: Vec<NamedFrame> = stack
        .iter()
        .enumerate()
        .map(|(depth, frame)| NamedFrame {
            function: frame.function.to_owned(),
            file: frame.file.to_owned(),
            line: frame.line,
            is_inlined: depth < last,
        })
        .collect();
    let symbol = || symbol_at(binary, svma);
    match frames.last_mut() {
        // The symbol table knows what debug information leaves out.
        Some(outermost) if outermost.function.is_empty() => {
            outermost.function = symbol().unwrap_or_default();
        }
        Some(_) => {}
        None => frames.extend(symbol().map(|function| NamedFrame {
            function,
            ..NamedFrame::default()
        })),
    }
    frames.retain(|frame| !frame.function.is_empty());
    frames
}

fn symbol_at(binary: &Binary<'_>, svma: Svma) -> Option<String> {
    if let Some(function) = binary.function_at(svma) {
        return Some(function.canonical_name().to_owned());
    }
    let stub = binary.plt_entry_at(svma)?;
    Some(format!("{}@plt", stub.symbol.unwrap_or("?")))
}
