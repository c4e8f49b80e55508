//! The machine code of one function with the weight of each instruction, and the source lines beside it.
//!
//! A sample's address is where the CPU was interrupted: without precise events (PEBS, IBS) that is often one or
//! a few instructions after the one that took the time.

use crate::stacks::Stacks;
use crate::tally::{Key, StackTally};
use hone_profile::{BinaryId, EventId, FileOffset, Profile, Svma};
use hone_symbols::{Binary, DebugInfo, Function};
use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter, Instruction};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// An instruction with its weight and its source line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnnotatedInstruction {
    /// Address in the file's own view.
    pub address: u64,
    /// Text in AT&T syntax, as in perf and objdump.
    pub text: String,
    /// Weight of the samples at the instruction.
    pub weight: u64,
    /// Source file of the innermost function at the address; empty where unknown.
    pub file: String,
    /// The line; 0 where unknown.
    pub line: u32,
    /// Name of the innermost function at the address, if it is inlined; empty otherwise.
    pub inlined: String,
}

/// Returns the weight of the samples at each address of a binary. With `kept`, which are stacks of the event, only the
/// samples that their filter left are counted.
pub fn weights_in(
    binary: &Binary<'_>,
    profile: &Profile,
    id: BinaryId,
    tally: &StackTally,
    event: EventId,
    kept: Option<&Stacks>,
) -> FxHashMap<Svma, u64> {
    let mut weights = FxHashMap::default();
    for (key, count) in tally.counts(event) {
        if kept.is_some_and(|stacks| stacks.position_of(key).is_none()) {
            continue;
        }
        if let Some(svma) = address_in(binary, profile, id, key) {
            *weights.entry(svma).or_default() += count.weight;
        }
    }
    weights
}

/// Returns the samples in a binary that are in the stacks: the position of the stack, the address and the weight.
pub fn samples_in(
    binary: &Binary<'_>,
    profile: &Profile,
    id: BinaryId,
    tally: &StackTally,
    event: EventId,
    stacks: &Stacks,
) -> Vec<(u32, Svma, u64)> {
    let counts = tally.counts(event);
    let samples = counts.filter_map(|(key, count)| {
        let position = stacks.position_of(key)?;
        let svma = address_in(binary, profile, id, key)?;
        Some((position, svma, count.weight))
    });
    samples.collect()
}

/// Returns the address at which samples of a row of the tally fell, if it is in the binary.
fn address_in(binary: &Binary<'_>, profile: &Profile, id: BinaryId, key: &Key) -> Option<Svma> {
    let location = profile.location(key.leaf(profile)?);
    (location.binary == id).then(|| binary.svma_of(FileOffset(location.offset.0)))?
}

/// Adds up weights of addresses ([`weights_in`]) by the start of the function that contains the address.
pub fn weights_of_functions(
    binary: &Binary<'_>,
    weights: &FxHashMap<Svma, u64>,
) -> FxHashMap<Svma, u64> {
    let mut by_start = FxHashMap::default();
    for (&svma, &weight) in weights {
        if let Some(function) = binary.function_at(svma) {
            *by_start.entry(function.start).or_default() += weight;
        }
    }
    by_start
}

/// Returns the instructions of a function.
pub fn annotate(
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    function: &Function<'_>,
    weights: &FxHashMap<Svma, u64>,
) -> Vec<AnnotatedInstruction> {
    let code = binary.bytes_at(function.start, function.size());
    let mut decoder = Decoder::with_ip(
        64,
        code.unwrap_or_default(),
        function.start.0,
        DecoderOptions::NONE,
    );
    let mut formatter = GasFormatter::new();
    let mut instruction = Instruction::default();
    let mut lines = Vec::new();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let address = Svma(instruction.ip());
        let mut text = String::new();
        formatter.format(&instruction, &mut text);
        let stack = debug.inline_stack(address);
        let innermost = stack.first();
        lines.push(AnnotatedInstruction {
            address: address.0,
            text,
            weight: weights.get(&address).copied().unwrap_or(0),
            file: innermost.map_or(String::new(), |frame| frame.file.to_owned()),
            line: innermost.map_or(0, |frame| frame.line),
            inlined: match innermost {
                Some(frame) if stack.len() > 1 => frame.function.to_owned(),
                _ => String::new(),
            },
        });
    }
    lines
}
