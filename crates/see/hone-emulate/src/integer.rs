//! Integer instructions, by what they do.

mod arithmetic;
mod bits;
mod clock;
mod control;
mod flags;
mod logic;
mod moves;
mod multiply;
mod shift;
mod stack;
mod string;
mod system;

use crate::decode::Entry;
use iced_x86::Mnemonic;

/// The handler of an integer instruction.
pub(crate) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    moves::entry(mnemonic)
        .or_else(|| arithmetic::entry(mnemonic))
        .or_else(|| logic::entry(mnemonic))
        .or_else(|| control::entry(mnemonic))
        .or_else(|| stack::entry(mnemonic))
        .or_else(|| shift::entry(mnemonic))
        .or_else(|| bits::entry(mnemonic))
        .or_else(|| multiply::entry(mnemonic))
        .or_else(|| string::entry(mnemonic))
        .or_else(|| system::entry(mnemonic))
        .or_else(|| clock::entry(mnemonic))
}
