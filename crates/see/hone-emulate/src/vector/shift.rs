//! Shifts and rotations of lanes.

use super::lanes::{ZERO, map, pick, second, signed, zip};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Psllw | Vpsllw => Entry::binary(|m, s| uniform::<2>(m, s, left::<2>), 2),
        Pslld | Vpslld => Entry::binary(|m, s| uniform::<4>(m, s, left::<4>), 4),
        Psllq | Vpsllq => Entry::binary(|m, s| uniform::<8>(m, s, left::<8>), 8),
        Psrlw | Vpsrlw => Entry::binary(|m, s| uniform::<2>(m, s, right::<2>), 2),
        Psrld | Vpsrld => Entry::binary(|m, s| uniform::<4>(m, s, right::<4>), 4),
        Psrlq | Vpsrlq => Entry::binary(|m, s| uniform::<8>(m, s, right::<8>), 8),
        Psraw | Vpsraw => Entry::binary(|m, s| uniform::<2>(m, s, right_signed::<2>), 2),
        Psrad | Vpsrad => Entry::binary(|m, s| uniform::<4>(m, s, right_signed::<4>), 4),
        Vpsraq => Entry::binary(|m, s| uniform::<8>(m, s, right_signed::<8>), 8),
        Vpsllvw => Entry::binary(|m, s| zip::<2>(m, s, left::<2>), 2),
        Vpsllvd => Entry::binary(|m, s| zip::<4>(m, s, left::<4>), 4),
        Vpsllvq => Entry::binary(|m, s| zip::<8>(m, s, left::<8>), 8),
        Vpsrlvw => Entry::binary(|m, s| zip::<2>(m, s, right::<2>), 2),
        Vpsrlvd => Entry::binary(|m, s| zip::<4>(m, s, right::<4>), 4),
        Vpsrlvq => Entry::binary(|m, s| zip::<8>(m, s, right::<8>), 8),
        Vpsravw => Entry::binary(|m, s| zip::<2>(m, s, right_signed::<2>), 2),
        Vpsravd => Entry::binary(|m, s| zip::<4>(m, s, right_signed::<4>), 4),
        Vpsravq => Entry::binary(|m, s| zip::<8>(m, s, right_signed::<8>), 8),
        Vprold => Entry::binary(|m, s| by_immediate::<4>(m, s, turn_left::<4>), 4),
        Vprolq => Entry::binary(|m, s| by_immediate::<8>(m, s, turn_left::<8>), 8),
        Vprord => Entry::binary(|m, s| by_immediate::<4>(m, s, turn_right::<4>), 4),
        Vprorq => Entry::binary(|m, s| by_immediate::<8>(m, s, turn_right::<8>), 8),
        Vprolvd => Entry::binary(|m, s| zip::<4>(m, s, turn_left::<4>), 4),
        Vprolvq => Entry::binary(|m, s| zip::<8>(m, s, turn_left::<8>), 8),
        Vprorvd => Entry::binary(|m, s| zip::<4>(m, s, turn_right::<4>), 4),
        Vprorvq => Entry::binary(|m, s| zip::<8>(m, s, turn_right::<8>), 8),
        Pslldq | Vpslldq => Entry::binary(bytes_left, 0),
        Psrldq | Vpsrldq => Entry::binary(bytes_right, 0),
        Palignr | Vpalignr => Entry::binary(align, 1),
        Valignd => Entry::binary(align_lanes::<4>, 4),
        Valignq => Entry::binary(align_lanes::<8>, 8),
        _ => None,
    }
}

fn left<const N: usize>(value: u64, count: u64) -> u64 {
    if count < N as u64 * 8 {
        value << count
    } else {
        0
    }
}

fn right<const N: usize>(value: u64, count: u64) -> u64 {
    if count < N as u64 * 8 {
        value >> count
    } else {
        0
    }
}

fn right_signed<const N: usize>(value: u64, count: u64) -> u64 {
    let count = count.min(N as u64 * 8 - 1);
    (signed::<N>(value) >> count) as u64
}

fn turn_left<const N: usize>(value: u64, count: u64) -> u64 {
    let bits = N as u64 * 8;
    let count = count % bits;
    if count == 0 {
        return value;
    }
    value << count | value >> (bits - count)
}

fn turn_right<const N: usize>(value: u64, count: u64) -> u64 {
    let bits = N as u64 * 8;
    turn_left::<N>(value, bits - count % bits)
}

fn by_immediate<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    shift: fn(u64, u64) -> u64,
) -> Flow {
    let count = step.immediate & 0xff;
    map::<N>(m, step, 1, |value| shift(value, count))
}

/// Shifts all lanes by one count: the immediate, or the lowest 8 bytes of the third operand.
#[inline(always)]
fn uniform<const N: usize>(m: &mut Machine<'_>, step: &Step, shift: fn(u64, u64) -> u64) -> Flow {
    if step.operands[2].kind == Kind::Immediate {
        let count = step.immediate & 0xff;
        return map::<N>(m, step, 1, |value| shift(value, count));
    }
    let counts = m.read_vector(step, 2)?;
    match counts.lane(0, 8).get() {
        Some(count) => map::<N>(m, step, 1, |value| shift(value, count)),
        None => m.write_vector(step, &Vector::UNKNOWN),
    }
}

fn bytes_left(m: &mut Machine<'_>, step: &Step) -> Flow {
    let a = m.read_vector(step, 1)?;
    let count = (step.immediate as usize & 0xff).min(16);
    let result = pick::<1>(&a, &a, step.width, |index| {
        if index % 16 < count {
            ZERO
        } else {
            index - count
        }
    });
    m.write_vector(step, &result)
}

fn bytes_right(m: &mut Machine<'_>, step: &Step) -> Flow {
    let a = m.read_vector(step, 1)?;
    let count = (step.immediate as usize & 0xff).min(16);
    let result = pick::<1>(&a, &a, step.width, |index| {
        if index % 16 + count < 16 {
            index + count
        } else {
            ZERO
        }
    });
    m.write_vector(step, &result)
}

/// Places in each 16 bytes the first operand above the second, and moves both down.
fn align(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let count = step.immediate as usize & 0xff;
    let result = pick::<1>(&a, &b, step.width, |index| {
        let (block, at) = (index / 16 * 16, index % 16 + count);
        match at {
            0..16 => second::<1>() + block + at,
            16..32 => block + at - 16,
            _ => ZERO,
        }
    });
    m.write_vector(step, &result)
}

fn align_lanes<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let lanes = usize::from(step.width) / N;
    let count = step.immediate as usize % lanes;
    let result = pick::<N>(&a, &b, step.width, |index| {
        let at = index + count;
        if at < lanes {
            second::<N>() + at
        } else {
            at - lanes
        }
    });
    m.write_vector(step, &result)
}
