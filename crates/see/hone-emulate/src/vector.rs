//! Vector, opmask and floating-point instructions, by what they do.
//!
//! All forms of an operation share a handler: the legacy, VEX and EVEX forms differ only in their operands (settled
//! when decoding) and in the rest of the register (settled when the result is written).

mod access;
mod aes;
mod arithmetic;
mod blend;
mod compare;
mod convert;
mod float;
mod float_compare;
mod fused_multiply;
mod lanes;
mod logic;
mod mask;
mod mask_compare;
mod moves;
mod pack;
mod permute;
mod shift;
mod shuffle;
mod text;
mod widen;

use crate::decode::Entry;
use iced_x86::Mnemonic;

/// The handler of a vector instruction.
pub(crate) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    moves::entry(mnemonic)
        .or_else(|| logic::entry(mnemonic))
        .or_else(|| compare::entry(mnemonic))
        .or_else(|| mask::entry(mnemonic))
        .or_else(|| mask_compare::entry(mnemonic))
        .or_else(|| arithmetic::entry(mnemonic))
        .or_else(|| shift::entry(mnemonic))
        .or_else(|| shuffle::entry(mnemonic))
        .or_else(|| permute::entry(mnemonic))
        .or_else(|| blend::entry(mnemonic))
        .or_else(|| pack::entry(mnemonic))
        .or_else(|| widen::entry(mnemonic))
        .or_else(|| float::entry(mnemonic))
        .or_else(|| float_compare::entry(mnemonic))
        .or_else(|| fused_multiply::entry(mnemonic))
        .or_else(|| convert::entry(mnemonic))
        .or_else(|| text::entry(mnemonic))
        .or_else(|| aes::entry(mnemonic))
}
