//! Names of places in one binary: functions with the calls inlined into them, files and lines.

use crate::tally::Place;
use hone_profile::{Profile, Svma};
use hone_symbols::{Binary, DebugInfo, Function, SourceFrame, canonical_name, demangle};
use rustc_hash::FxHashMap;

/// A function at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct NamedFrame {
    /// Name as in the symbol table or the debug information; empty where unknown.
    pub function: String,
    /// Source file; empty where unknown.
    pub file: String,
    /// Line; 0 where unknown.
    pub line: u32,
    /// True if the function was inlined into the next frame.
    pub is_inlined: bool,
}

/// Frames of each place, innermost first; places without a name are left out.
pub type Names = FxHashMap<Place, Vec<NamedFrame>>;

/// Returns the names of places that all lie in `binary`.
pub fn names_in(
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    profile: &Profile,
    places: &[Place],
) -> Names {
    let named = places.iter().filter_map(|&place| {
        let svma = place.svma_in(binary, profile)?;
        let frames = named_stack(binary, debug, svma, &debug.inline_stack(svma));
        (!frames.is_empty()).then_some((place, frames))
    });
    named.collect()
}

/// Returns the frames of an instruction, innermost first, from its inline stack in the debug information; empty if neither
/// debug information nor symbols name the function.
pub fn named_stack(
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    svma: Svma,
    stack: &[SourceFrame<'_>],
) -> Vec<NamedFrame> {
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
    if let Some(function) = binary.function_at(svma) {
        let lines = stack.iter().map(|frame| frame.start_line);
        tell_apart(&mut frames, lines, binary, debug, function);
    }
    frames.retain(|frame| !frame.function.is_empty());
    frames
}

/// Gives functions that merely share a name distinct names: the file is added in brackets, with the line on which the
/// function begins if that line is known: `operator= [src/text.cpp:14]`.
///
/// Debug information of line tables alone (`-g1`) names C++ and Rust functions without class, namespace and parameters,
/// and `static` functions of several files may have the same name. C++ functions that are not inlined have their whole
/// name in the symbol table.
fn tell_apart(
    frames: &mut [NamedFrame],
    lines: impl Iterator<Item = u32>,
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    function: &Function<'_>,
) {
    let Some((outermost, inlined)) = frames.split_last_mut() else {
        return;
    };
    if is_mangled(function.name) || is_source_with_classes(&outermost.file) {
        for (frame, line) in inlined.iter_mut().zip(lines) {
            let has_name = !frame.function.is_empty() && !frame.file.is_empty();
            if has_name && !is_mangled(&frame.function) {
                let line = if line > 0 {
                    format!(":{line}")
                } else {
                    String::new()
                };
                let place = format!("{}{line}", short(&frame.file));
                frame.function = with(&frame.function, &place);
            }
        }
    }
    let name = function.canonical_name();
    let bare = outermost.function.split(['<', '(']).next();
    let bare = bare.filter(|bare| !is_mangled(bare) && is_mangled(name));
    if bare.is_some_and(|bare| demangle(name).contains(bare)) {
        outermost.function = name.to_owned();
    }
    if outermost.function == name && binary.functions().is_shared(function.name) {
        let start = debug.inline_stack(function.start);
        let file = start.last().map_or("", |frame| frame.file);
        outermost.function = match file {
            "" => with(name, &format!("at {:#x}", function.start.0)),
            file => with(name, short(file)),
        };
    }
}

fn with(name: &str, place: &str) -> String {
    format!("{name} [{place}]")
}

/// Splits a name from the place in brackets behind it, if any; the place keeps the space before the bracket.
pub fn name_and_place(name: &str) -> (&str, &str) {
    match name.rfind(" [") {
        Some(at) if name.ends_with(']') => name.split_at(at),
        _ => (name, ""),
    }
}

/// Returns the name of a [`NamedFrame`]'s function for people: demangled, without the suffixes of parts and copies.
pub fn readable(function: &str) -> String {
    let (name, place) = name_and_place(function);
    demangle(canonical_name(name)) + place
}

/// True if the name contains class and namespace, as mangled by compilers of C++ and Rust.
fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// True if functions of the same name in the file may belong to several classes.
fn is_source_with_classes(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "rs"].contains(&ending)
}

/// Returns the last directory and the file: `bits/stl_bvector.h`.
fn short(path: &str) -> &str {
    let second = path.rmatch_indices('/').nth(1);
    second.map_or(path, |(at, _)| &path[at + 1..])
}

fn symbol_at(binary: &Binary<'_>, svma: Svma) -> Option<String> {
    if let Some(function) = binary.function_at(svma) {
        return Some(function.canonical_name().to_owned());
    }
    let stub = binary.plt_entry_at(svma)?;
    Some(format!("{}@plt", stub.symbol.unwrap_or("?")))
}
