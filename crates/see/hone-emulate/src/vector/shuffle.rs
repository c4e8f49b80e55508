//! Shuffles whose pattern is fixed or in the immediate.

use super::lanes::{pick, second};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pshufd | Vpshufd => Entry::masked(shuffle_dwords, 4),
        Pshuflw | Vpshuflw => Entry::masked(|m, s| shuffle_words(m, s, 0), 2),
        Pshufhw | Vpshufhw => Entry::masked(|m, s| shuffle_words(m, s, 4), 2),
        Shufps | Vshufps => Entry::binary(shufps, 4),
        Shufpd | Vshufpd => Entry::binary(shufpd, 8),
        Punpcklbw | Vpunpcklbw => Entry::binary(|m, s| unpack::<1>(m, s, false), 1),
        Punpcklwd | Vpunpcklwd => Entry::binary(|m, s| unpack::<2>(m, s, false), 2),
        Punpckldq | Unpcklps | Vpunpckldq | Vunpcklps => {
            Entry::binary(|m, s| unpack::<4>(m, s, false), 4)
        }
        Punpcklqdq | Unpcklpd | Vpunpcklqdq | Vunpcklpd => {
            Entry::binary(|m, s| unpack::<8>(m, s, false), 8)
        }
        Punpckhbw | Vpunpckhbw => Entry::binary(|m, s| unpack::<1>(m, s, true), 1),
        Punpckhwd | Vpunpckhwd => Entry::binary(|m, s| unpack::<2>(m, s, true), 2),
        Punpckhdq | Unpckhps | Vpunpckhdq | Vunpckhps => {
            Entry::binary(|m, s| unpack::<4>(m, s, true), 4)
        }
        Punpckhqdq | Unpckhpd | Vpunpckhqdq | Vunpckhpd => {
            Entry::binary(|m, s| unpack::<8>(m, s, true), 8)
        }
        Movddup | Vmovddup => Entry::masked(|m, s| repeat::<8>(m, s, 0), 8),
        Movsldup | Vmovsldup => Entry::masked(|m, s| repeat::<4>(m, s, 0), 4),
        Movshdup | Vmovshdup => Entry::masked(|m, s| repeat::<4>(m, s, 1), 4),
        Vperm2f128 | Vperm2i128 => Entry::plain(halves),
        Vshuff32x4 | Vshufi32x4 => Entry::masked(blocks, 4),
        Vshuff64x2 | Vshufi64x2 => Entry::masked(blocks, 8),
        _ => None,
    }
}

fn shuffle_dwords(m: &mut Machine<'_>, step: &Step) -> Flow {
    let a = m.read_vector(step, 1)?;
    let order = step.immediate as usize;
    let result = pick::<4>(&a, &a, step.width, |index| {
        index / 4 * 4 + (order >> (index % 4 * 2) & 3)
    });
    m.write_vector(step, &result)
}

/// Shuffles four words from `first` on in each 16 bytes; the other words stay.
fn shuffle_words(m: &mut Machine<'_>, step: &Step, first: usize) -> Flow {
    let a = m.read_vector(step, 1)?;
    let order = step.immediate as usize;
    let result = pick::<2>(&a, &a, step.width, |index| {
        let (block, within) = (index / 8 * 8, index % 8);
        if (first..first + 4).contains(&within) {
            block + first + (order >> ((within - first) * 2) & 3)
        } else {
            index
        }
    });
    m.write_vector(step, &result)
}

fn shufps(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let order = step.immediate as usize;
    let result = pick::<4>(&a, &b, step.width, |index| {
        let (block, within) = (index / 4 * 4, index % 4);
        let lane = block + (order >> (within * 2) & 3);
        if within < 2 {
            lane
        } else {
            second::<4>() + lane
        }
    });
    m.write_vector(step, &result)
}

fn shufpd(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let order = step.immediate as usize;
    let result = pick::<8>(&a, &b, step.width, |index| {
        let lane = index / 2 * 2 + (order >> index & 1);
        if index % 2 == 0 {
            lane
        } else {
            second::<8>() + lane
        }
    });
    m.write_vector(step, &result)
}

/// Interleaves the lanes of the lower or upper halves of each 16 bytes.
fn unpack<const N: usize>(m: &mut Machine<'_>, step: &Step, high: bool) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let lanes = 16 / N;
    let start = if high { lanes / 2 } else { 0 };
    let result = pick::<N>(&a, &b, step.width, |index| {
        let (block, within) = (index / lanes * lanes, index % lanes);
        let lane = block + start + within / 2;
        if within % 2 == 0 {
            lane
        } else {
            second::<N>() + lane
        }
    });
    m.write_vector(step, &result)
}

/// Writes every other lane twice.
fn repeat<const N: usize>(m: &mut Machine<'_>, step: &Step, which: usize) -> Flow {
    let a = m.read_vector(step, 1)?;
    let result = pick::<N>(&a, &a, step.width, |index| index / 2 * 2 + which);
    m.write_vector(step, &result)
}

/// Runs `vperm2i128`: each half of the result is one of four halves, or zero.
fn halves(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let order = step.immediate as usize;
    let result = pick::<8>(&a, &b, 32, |index| {
        let choice = order >> (index / 2 * 4) & 0xf;
        if choice & 8 != 0 {
            return super::lanes::ZERO;
        }
        let from = if choice & 2 != 0 { second::<8>() } else { 0 };
        from + (choice & 1) * 2 + index % 2
    });
    m.write_vector(step, &result)
}

/// Runs `vshufi32x4`: chooses 16-byte blocks, the lower half of the result from the first operand.
fn blocks(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let order = step.immediate as usize;
    let count = usize::from(step.width) / 16;
    let bits = count.trailing_zeros() as usize;
    let result = pick::<8>(&a, &b, step.width, |index| {
        let block = index / 2;
        let choice = order >> (block * bits) & (count - 1);
        let from = if block < count / 2 { 0 } else { second::<8>() };
        from + choice * 2 + index % 2
    });
    m.write_vector(step, &result)
}
