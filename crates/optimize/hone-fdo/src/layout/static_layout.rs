//! Layout of functions from their machine code alone: the code between the entry and the last return of ordinary work.

use super::blocks::{Block, Blocks};
use super::errors::{ErrorCalls, for_errors};
use super::function::as_number;
use hone_profile::Svma;
use hone_symbols::{Binary, Function, demangle};
use serde::Serialize;

/// Maximum size of a function in bytes; larger functions are left out.
const FUNCTION_BYTES_MAX: u64 = 16 << 20;

/// Layout of the code of one function, without any recording.
///
/// The hot range is from the function's entry to the end of the last return that ordinary work reaches; if no return is
/// reached, to the end of the ordinary code.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StaticLayout {
    /// Demangled name.
    pub name: String,
    /// Symbol of the function.
    pub symbol: String,
    /// Address of the first byte.
    #[serde(serialize_with = "as_number")]
    pub start: Svma,
    /// Bytes of code.
    pub bytes: u64,
    /// Bytes in the hot range, without code for errors and without filling.
    pub hot_bytes: u64,
    /// Bytes behind the hot range, without filling.
    pub cold_bytes: u64,
    /// Bytes of blocks for errors only.
    pub error_bytes: u64,
    /// Bytes of blocks for errors in the hot range.
    pub error_bytes_inside: u64,
    /// Number of blocks for errors in the hot range.
    pub error_blocks_inside: u64,
    /// Number of calls in the hot range that make or report an error.
    pub error_calls_inside: u64,
}

/// Returns the layouts of the functions whose readable names are wanted, in the order of their addresses.
pub fn static_layout(binary: &Binary<'_>, is_wanted: impl Fn(&str) -> bool) -> Vec<StaticLayout> {
    let errors = ErrorCalls::new(binary);
    let functions = binary.functions().iter();
    let wanted = functions.filter_map(|function| {
        let name = demangle(function.canonical_name());
        let is_looked_at = is_wanted(&name) && function.size() <= FUNCTION_BYTES_MAX;
        let code = binary.bytes_at(function.start, function.size());
        let code = code.filter(|_| is_looked_at)?;
        let blocks = Blocks::of(code, function.start, &errors);
        Some(look_at(function, name, &blocks))
    });
    wanted.collect()
}

fn look_at(function: &Function<'_>, name: String, blocks: &Blocks) -> StaticLayout {
    let is_error = for_errors(blocks);
    let all = || blocks.all.iter().zip(&is_error);
    let is_ordinary = |(block, is_error): &(&Block, &bool)| !**is_error && !block.is_padding;
    let ordinary = || all().filter(is_ordinary);
    let last_return = ordinary().rfind(|(block, _)| block.returns);
    let last = last_return.or_else(|| ordinary().next_back());
    let end = last.map_or(function.start.0, |(block, _)| block.end);
    let bytes = |blocks: &mut dyn Iterator<Item = (&Block, &bool)>| -> u64 {
        blocks.map(|(block, _)| block.bytes()).sum()
    };
    let is_inside = |(block, _): &(&Block, &bool)| block.start < end;
    let errors = || all().filter(|(_, is_error)| **is_error);
    let inside = || errors().filter(is_inside);
    let ends = inside().filter(|(block, _)| block.is_error_end);
    StaticLayout {
        name,
        symbol: function.name.to_owned(),
        start: function.start,
        bytes: function.size(),
        hot_bytes: bytes(&mut ordinary().filter(is_inside)),
        cold_bytes: bytes(&mut all().filter(|of| !is_inside(of) && !of.0.is_padding)),
        error_bytes: bytes(&mut errors()),
        error_bytes_inside: bytes(&mut inside()),
        error_blocks_inside: inside().count() as u64,
        error_calls_inside: ends.count() as u64,
    }
}
