//! Comparisons of AVX-512, whose result is one bit per lane in an opmask register.

use super::lanes::{get, is_known};
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Vpcmpb => Entry::masked(|m, step| signed::<1>(m, step, step.immediate as u8), 1),
        Vpcmpw => Entry::masked(|m, step| signed::<2>(m, step, step.immediate as u8), 2),
        Vpcmpd => Entry::masked(|m, step| signed::<4>(m, step, step.immediate as u8), 4),
        Vpcmpq => Entry::masked(|m, step| signed::<8>(m, step, step.immediate as u8), 8),
        Vpcmpub => Entry::masked(unsigned::<1>, 1),
        Vpcmpuw => Entry::masked(unsigned::<2>, 2),
        Vpcmpud => Entry::masked(unsigned::<4>, 4),
        Vpcmpuq => Entry::masked(unsigned::<8>, 8),
        Vptestmb => Entry::masked(|m, step| test::<1>(m, step, true), 1),
        Vptestmw => Entry::masked(|m, step| test::<2>(m, step, true), 2),
        Vptestmd => Entry::masked(|m, step| test::<4>(m, step, true), 4),
        Vptestmq => Entry::masked(|m, step| test::<8>(m, step, true), 8),
        Vptestnmb => Entry::masked(|m, step| test::<1>(m, step, false), 1),
        Vptestnmw => Entry::masked(|m, step| test::<2>(m, step, false), 2),
        Vptestnmd => Entry::masked(|m, step| test::<4>(m, step, false), 4),
        Vptestnmq => Entry::masked(|m, step| test::<8>(m, step, false), 8),
        _ => None,
    }
}

/// Evaluates one of the eight predicates of the immediate.
#[inline(always)]
fn holds<T: Ord>(predicate: u8, a: T, b: T) -> bool {
    match predicate & 7 {
        0 => a == b,
        1 => a < b,
        2 => a <= b,
        3 => false,
        4 => a != b,
        5 => a >= b,
        6 => a > b,
        _ => true,
    }
}

/// Computes one bit per lane from operands 1 and 2: `compare` decides lanes that are known, `undecided` may decide the
/// others.
#[inline(always)]
fn collect<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compare: impl Fn(u64, u64) -> bool,
    undecided: impl Fn(u64, u64, u64) -> Option<bool>,
) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let both = a.known & b.known;
    let mut result = Bits::known(0);
    for index in 0..usize::from(step.width) / N {
        let (x, y) = (get::<N>(&a.bytes, index), get::<N>(&b.bytes, index));
        let truth = if is_known::<N>(both, index) {
            Some(compare(x, y))
        } else {
            let known = crate::known_bits::bits_of_bytes((both >> (index * N)) as u8);
            undecided(x, y, known)
        };
        match truth {
            Some(truth) => result.value |= u64::from(truth) << index,
            None => result.known &= !(1 << index),
        }
    }
    m.write_mask(step, result)
}

pub(super) fn equal<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    collect::<N>(
        m,
        step,
        |a, b| a == b,
        |a, b, known| ((a ^ b) & known & crate::known_bits::mask_of(N as u8) != 0).then_some(false),
    )
}

pub(super) fn signed<const N: usize>(m: &mut Machine<'_>, step: &Step, predicate: u8) -> Flow {
    let compare = |a, b| {
        holds(
            predicate,
            super::lanes::signed::<N>(a),
            super::lanes::signed::<N>(b),
        )
    };
    collect::<N>(m, step, compare, |_, _, _| None)
}

fn unsigned<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let predicate = step.immediate as u8;
    collect::<N>(m, step, |a, b| holds(predicate, a, b), |_, _, _| None)
}

/// Tests whether lanes have a common bit (`any`) or no common bit.
fn test<const N: usize>(m: &mut Machine<'_>, step: &Step, any: bool) -> Flow {
    collect::<N>(
        m,
        step,
        |a, b| (a & b != 0) == any,
        |a, b, known| (a & b & known & crate::known_bits::mask_of(N as u8) != 0).then_some(any),
    )
}
