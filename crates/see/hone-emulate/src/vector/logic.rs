//! Bitwise logic. A known zero settles an `and`, known ones settle an `or`.

use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pxor | Xorps | Vpxor | Vxorps | Vpxord => Entry::binary(xor, 4),
        Xorpd | Vxorpd | Vpxorq => Entry::binary(xor, 8),
        Pand | Andps | Vpand | Vandps | Vpandd => Entry::binary(and, 4),
        Andpd | Vandpd | Vpandq => Entry::binary(and, 8),
        Por | Orps | Vpor | Vorps | Vpord => Entry::binary(or, 4),
        Orpd | Vorpd | Vporq => Entry::binary(or, 8),
        Pandn | Andnps | Vpandn | Vandnps | Vpandnd => Entry::binary(and_not, 4),
        Andnpd | Vandnpd | Vpandnq => Entry::binary(and_not, 8),
        Vpternlogd => Entry::masked(ternary, 4),
        Vpternlogq => Entry::masked(ternary, 8),
        _ => None,
    }
}

/// Applies `compute` to 8 bytes at a time.
#[inline(always)]
fn words(a: &Vector, b: &Vector, compute: impl Fn(u64, u64) -> u64) -> Vector {
    let mut result = Vector::ZERO;
    for index in 0..8 {
        let value = compute(
            super::lanes::get::<8>(&a.bytes, index),
            super::lanes::get::<8>(&b.bytes, index),
        );
        super::lanes::put::<8>(&mut result.bytes, index, value);
    }
    result.known = a.known & b.known;
    result
}

/// Returns a mask of the bytes that are known and equal `value`.
fn bytes_that_are(vector: &Vector, value: u8) -> u64 {
    let equal = vector
        .bytes
        .iter()
        .enumerate()
        .fold(0, |mask, (index, &byte)| {
            mask | u64::from(byte == value) << index
        });
    equal & vector.known
}

/// Makes bytes known that one operand alone settles.
fn settle(result: &mut Vector, settled: u64, value: u8) {
    for index in 0..64 {
        if settled >> index & 1 != 0 {
            result.bytes[index] = value;
        }
    }
    result.known |= settled;
}

fn xor(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(1, 2) {
        return m.write_vector(step, &Vector::ZERO);
    }
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let result = words(&a, &b, |a, b| a ^ b);
    m.write_vector(step, &result)
}

fn and(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = words(&a, &b, |a, b| a & b);
    if result.known != u64::MAX {
        let settled = bytes_that_are(&a, 0) | bytes_that_are(&b, 0);
        settle(&mut result, settled, 0);
    }
    m.write_vector(step, &result)
}

fn or(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = words(&a, &b, |a, b| a | b);
    if result.known != u64::MAX {
        let settled = bytes_that_are(&a, 0xff) | bytes_that_are(&b, 0xff);
        settle(&mut result, settled, 0xff);
    }
    m.write_vector(step, &result)
}

fn and_not(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(1, 2) {
        return m.write_vector(step, &Vector::ZERO);
    }
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = words(&a, &b, |a, b| !a & b);
    if result.known != u64::MAX {
        let settled = bytes_that_are(&a, 0xff) | bytes_that_are(&b, 0);
        settle(&mut result, settled, 0);
    }
    m.write_vector(step, &result)
}

/// Computes any function of three bits, given as its truth table; operands that the function ignores need not be
/// known.
fn ternary(m: &mut Machine<'_>, step: &Step) -> Flow {
    let table = step.immediate as u8;
    let operands = [
        m.read_vector(step, 0)?,
        m.read_vector(step, 1)?,
        m.read_vector(step, 2)?,
    ];
    let ignored = [
        table >> 4 == table & 0x0f,
        (table >> 2) & 0x33 == table & 0x33,
        (table >> 1) & 0x55 == table & 0x55,
    ];
    let mut result = Vector::ZERO;
    for index in 0..8 {
        let [a, b, c] = [0, 1, 2].map(|n: usize| super::lanes::get::<8>(&operands[n].bytes, index));
        let value = (0..8)
            .filter(|row| table >> row & 1 != 0)
            .fold(0, |value, row| {
                let of = |word: u64, bit: u8| if row & bit != 0 { word } else { !word };
                value | (of(a, 4) & of(b, 2) & of(c, 1))
            });
        super::lanes::put::<8>(&mut result.bytes, index, value);
    }
    for (operand, ignored) in operands.iter().zip(ignored) {
        if !ignored {
            result.known &= operand.known;
        }
    }
    m.write_vector(step, &result)
}
