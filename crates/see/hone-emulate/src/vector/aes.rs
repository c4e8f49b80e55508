//! The AES rounds. Hash functions of language runtimes (Go's maps, for example) use these rounds, so a walk through
//! a hash table needs them.

use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Aesenc | Vaesenc => Entry::binary(|m, s| round(m, s, encrypt), 0),
        Aesenclast | Vaesenclast => Entry::binary(|m, s| round(m, s, encrypt_last), 0),
        Aesdec | Vaesdec => Entry::binary(|m, s| round(m, s, decrypt), 0),
        Aesdeclast | Vaesdeclast => Entry::binary(|m, s| round(m, s, decrypt_last), 0),
        Aesimc | Vaesimc => Entry::plain(|m, s| single(m, s, inverse_mixed)),
        Aeskeygenassist | Vaeskeygenassist => Entry::plain(key_assist),
        _ => None,
    }
}

/// Sixteen bytes, column after column.
type Block = [u8; 16];

/// Multiplies in the field of the cipher.
const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 != 0 {
            product ^= a;
        }
        let carry = a & 0x80 != 0;
        a <<= 1;
        if carry {
            a ^= 0x1b;
        }
        b >>= 1;
    }
    product
}

/// The substitution: the inverse in the field (a to the 254th), then an affine map.
const SUBSTITUTION: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let a = index as u8;
        let mut inverse = 1;
        let mut round = 0;
        while round < 254 {
            inverse = times(inverse, a);
            round += 1;
        }
        table[index] = inverse
            ^ inverse.rotate_left(1)
            ^ inverse.rotate_left(2)
            ^ inverse.rotate_left(3)
            ^ inverse.rotate_left(4)
            ^ 0x63;
        index += 1;
    }
    table
};

const INVERSE: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        table[SUBSTITUTION[index] as usize] = index as u8;
        index += 1;
    }
    table
};

/// Moves row `r` by `r` columns, in the direction given by `back`, and substitutes every byte.
fn substituted(block: Block, back: bool) -> Block {
    std::array::from_fn(|index| {
        let (column, row) = (index / 4, index % 4);
        let from = if back { column + 4 - row } else { column + row };
        let byte = usize::from(block[from % 4 * 4 + row]);
        if back {
            INVERSE[byte]
        } else {
            SUBSTITUTION[byte]
        }
    })
}

/// Multiplies each column by a circulant matrix.
fn mixed_by(block: Block, factors: [u8; 4]) -> Block {
    std::array::from_fn(|index| {
        let (column, row) = (index / 4 * 4, index % 4);
        (0..4).fold(0, |sum, term| {
            sum ^ times(block[column + (row + term) % 4], factors[term])
        })
    })
}

fn inverse_mixed(block: Block) -> Block {
    mixed_by(block, [14, 11, 13, 9])
}

fn encrypt(block: Block) -> Block {
    mixed_by(substituted(block, false), [2, 3, 1, 1])
}

fn encrypt_last(block: Block) -> Block {
    substituted(block, false)
}

fn decrypt(block: Block) -> Block {
    inverse_mixed(substituted(block, true))
}

fn decrypt_last(block: Block) -> Block {
    substituted(block, true)
}

/// Applies `compute` to the blocks of a vector; a block is known if all of its bytes are known.
fn blocks(source: &Vector, width: u8, compute: impl Fn(Block) -> Block) -> Vector {
    let mut result = Vector::ZERO;
    for at in (0..usize::from(width)).step_by(16) {
        let mut block = [0; 16];
        block.copy_from_slice(&source.bytes[at..at + 16]);
        result.bytes[at..at + 16].copy_from_slice(&compute(block));
        if source.known >> at & 0xffff != 0xffff {
            result.known &= !(0xffff << at);
        }
    }
    result
}

/// Runs one round, then applies the round key.
fn round(m: &mut Machine<'_>, step: &Step, compute: fn(Block) -> Block) -> Flow {
    let (state, key) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = blocks(&state, step.width, compute);
    for (byte, key) in result.bytes.iter_mut().zip(key.bytes) {
        *byte ^= key;
    }
    result.known &= key.known;
    m.write_vector(step, &result)
}

fn single(m: &mut Machine<'_>, step: &Step, compute: fn(Block) -> Block) -> Flow {
    let source = m.read_vector(step, 1)?;
    m.write_vector(step, &blocks(&source, 16, compute))
}

fn key_assist(m: &mut Machine<'_>, step: &Step) -> Flow {
    let source = m.read_vector(step, 1)?;
    let constant = step.immediate as u32 & 0xff;
    let compute = |block: Block| {
        let word = |at: usize| {
            let bytes: [u8; 4] =
                std::array::from_fn(|byte| SUBSTITUTION[usize::from(block[at + byte])]);
            u32::from_le_bytes(bytes)
        };
        let (low, high) = (word(4), word(12));
        let words = [
            low,
            low.rotate_right(8) ^ constant,
            high,
            high.rotate_right(8) ^ constant,
        ];
        std::array::from_fn(|index| words[index / 4].to_le_bytes()[index % 4])
    };
    m.write_vector(step, &blocks(&source, 16, compute))
}
