//! Tells whether two builds of a program have the same instructions, function by function.
//!
//! A build that is recorded should run the code that production runs. Flags that only shall write debug information can change what is
//! inlined, and nobody sees it. Addresses differ between two builds, so branches and addresses in memory count by their kind alone;
//! padding does not count.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use hone_profile::Svma;
use hone_symbols::{Binary, BinaryType, Function, canonical_name, demangle};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use rustc_hash::FxHasher;

/// What two builds have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SameCode {
    /// Number of functions in the first build.
    pub functions: usize,
    /// Number of functions of either build that the other has with other instructions, or not at all.
    pub changed: usize,
    /// Number of bytes of instructions of the first build, and of the second.
    pub bytes: [u64; 2],
}

/// Compares the functions of two builds by their names in the source.
pub fn same_code(one: &Binary<'_>, other: &Binary<'_>) -> SameCode {
    let known = [one, other].map(by_name);
    let mut same = SameCode {
        functions: known[0].values().map(Vec::len).sum(),
        changed: 0,
        bytes: [one, other].map(|binary| binary.functions().iter().map(Function::size).sum()),
    };
    let nothing = Vec::new();
    let names = known[0]
        .keys()
        .chain(known[1].keys().filter(|name| !known[0].contains_key(*name)));
    for name in names {
        let [ones, others] = [0, 1].map(|build| known[build].get(name).unwrap_or(&nothing));
        let mut left = others.clone();
        let is_there = |code: &&u64| {
            let place = left.iter().position(|known| known == *code);
            place.map(|place| left.swap_remove(place)).is_some()
        };
        let alike = ones.iter().filter(is_there).count();
        same.changed += ones.len().max(others.len()) - alike;
    }
    same
}

/// Returns what stands for the instructions of each function, by the function's name.
fn by_name(binary: &Binary<'_>) -> BTreeMap<String, Vec<u64>> {
    let mut known: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for function in binary.functions().iter() {
        let bytes = binary.bytes_at(function.start, function.size());
        let code = instructions(bytes.unwrap_or_default(), function.start, binary);
        known
            .entry(source_name(function.name))
            .or_default()
            .push(code);
    }
    known
}

/// Returns a function's name as in the source, without arguments. With `-funique-internal-linkage-names` clang mangles static functions of C
/// too.
pub fn source_name(name: &str) -> String {
    let name = canonical_name(name);
    let own = name.split(".__uniq.").next().unwrap_or(name);
    let plain = demangle(own);
    let plain = plain.split('(').next().unwrap_or(&plain);
    plain.to_owned()
}

fn instructions(bytes: &[u8], start: Svma, binary: &Binary<'_>) -> u64 {
    let mut hash = FxHasher::default();
    let mut decoder = Decoder::with_ip(64, bytes, start.0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if instruction.mnemonic() != Mnemonic::Nop {
            add(&instruction, binary, &mut hash);
        }
    }
    hash.finish()
}

fn add(instruction: &Instruction, binary: &Binary<'_>, hash: &mut FxHasher) {
    instruction.mnemonic().hash(hash);
    for operand in 0..instruction.op_count() {
        match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).hash(hash),
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => 1_u8.hash(hash),
            OpKind::Memory => {
                let (base, index) = (instruction.memory_base(), instruction.memory_index());
                (base, index, instruction.memory_index_scale()).hash(hash);
                let is_absolute = base == Register::RIP || base == Register::None;
                let value = instruction.memory_displacement64();
                if !is_absolute && !is_address(value, binary) {
                    value.hash(hash);
                }
            }
            kind => {
                // Immediates, and operands that the instruction implies.
                let value = instruction.try_immediate(operand).unwrap_or_default();
                if !is_address(value, binary) {
                    (kind, value).hash(hash);
                }
            }
        }
    }
}

/// Returns true if a value can be an address in a binary that is loaded where it was linked.
fn is_address(value: u64, binary: &Binary<'_>) -> bool {
    let mut sections = binary.sections().iter().filter(|section| section.loaded);
    binary.kind() == BinaryType::Fixed
        && sections.any(|section| value.wrapping_sub(section.svma.0) < section.size)
}
