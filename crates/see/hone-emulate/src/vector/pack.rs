//! Instructions that make lanes narrower, by saturation or by cutting.

use super::lanes::{get, is_known, put, signed};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Packsswb | Vpacksswb => Entry::binary(|m, s| pack::<2, 1>(m, s, to_signed::<2, 1>), 1),
        Packssdw | Vpackssdw => Entry::binary(|m, s| pack::<4, 2>(m, s, to_signed::<4, 2>), 2),
        Packuswb | Vpackuswb => Entry::binary(|m, s| pack::<2, 1>(m, s, to_unsigned::<2, 1>), 1),
        Packusdw | Vpackusdw => Entry::binary(|m, s| pack::<4, 2>(m, s, to_unsigned::<4, 2>), 2),
        Vpmovwb => Entry::masked(|m, s| narrow::<2, 1>(m, s, cut), 1),
        Vpmovdb => Entry::masked(|m, s| narrow::<4, 1>(m, s, cut), 1),
        Vpmovqb => Entry::masked(|m, s| narrow::<8, 1>(m, s, cut), 1),
        Vpmovdw => Entry::masked(|m, s| narrow::<4, 2>(m, s, cut), 2),
        Vpmovqw => Entry::masked(|m, s| narrow::<8, 2>(m, s, cut), 2),
        Vpmovqd => Entry::masked(|m, s| narrow::<8, 4>(m, s, cut), 4),
        Vpmovswb => Entry::masked(|m, s| narrow::<2, 1>(m, s, to_signed::<2, 1>), 1),
        Vpmovsdb => Entry::masked(|m, s| narrow::<4, 1>(m, s, to_signed::<4, 1>), 1),
        Vpmovsqb => Entry::masked(|m, s| narrow::<8, 1>(m, s, to_signed::<8, 1>), 1),
        Vpmovsdw => Entry::masked(|m, s| narrow::<4, 2>(m, s, to_signed::<4, 2>), 2),
        Vpmovsqw => Entry::masked(|m, s| narrow::<8, 2>(m, s, to_signed::<8, 2>), 2),
        Vpmovsqd => Entry::masked(|m, s| narrow::<8, 4>(m, s, to_signed::<8, 4>), 4),
        Vpmovuswb => Entry::masked(|m, s| narrow::<2, 1>(m, s, clipped::<1>), 1),
        Vpmovusdb => Entry::masked(|m, s| narrow::<4, 1>(m, s, clipped::<1>), 1),
        Vpmovusqb => Entry::masked(|m, s| narrow::<8, 1>(m, s, clipped::<1>), 1),
        Vpmovusdw => Entry::masked(|m, s| narrow::<4, 2>(m, s, clipped::<2>), 2),
        Vpmovusqw => Entry::masked(|m, s| narrow::<8, 2>(m, s, clipped::<2>), 2),
        Vpmovusqd => Entry::masked(|m, s| narrow::<8, 4>(m, s, clipped::<4>), 4),
        _ => None,
    }
}

fn cut(value: u64) -> u64 {
    value
}

fn to_signed<const FROM: usize, const TO: usize>(value: u64) -> u64 {
    let limit = 1_i64 << (TO * 8 - 1);
    signed::<FROM>(value).clamp(-limit, limit - 1) as u64
}

fn to_unsigned<const FROM: usize, const TO: usize>(value: u64) -> u64 {
    signed::<FROM>(value).clamp(0, (1 << (TO * 8)) - 1) as u64
}

fn clipped<const TO: usize>(value: u64) -> u64 {
    value.min((1 << (TO * 8)) - 1)
}

/// Packs in each 16 bytes the lanes of the first operand, then those of the second.
fn pack<const FROM: usize, const TO: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    convert: fn(u64) -> u64,
) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = Vector::ZERO;
    let (lanes, half) = (16 / TO, 16 / FROM);
    for index in 0..usize::from(step.width) / TO {
        let (block, within) = (index / lanes, index % lanes);
        let source = if within < half { &a } else { &b };
        let from = block * half + within % half;
        put::<TO>(
            &mut result.bytes,
            index,
            convert(get::<FROM>(&source.bytes, from)),
        );
        if !is_known::<FROM>(source.known, from) {
            result.known &= !(((1_u64 << TO) - 1) << (index * TO));
        }
    }
    m.write_vector(step, &result)
}

/// Packs all lanes of the only operand side by side at the bottom.
fn narrow<const FROM: usize, const TO: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    convert: fn(u64) -> u64,
) -> Flow {
    let source = m.read_vector(step, 1)?;
    let mut result = Vector::ZERO;
    let count = usize::from(step.operands[1].bytes) / FROM;
    for index in 0..count {
        put::<TO>(
            &mut result.bytes,
            index,
            convert(get::<FROM>(&source.bytes, index)),
        );
        if !is_known::<FROM>(source.known, index) {
            result.known &= !(((1_u64 << TO) - 1) << (index * TO));
        }
    }
    m.write_narrow(step, &result, count * TO)
}
