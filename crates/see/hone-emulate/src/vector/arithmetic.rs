//! Integer arithmetic on lanes.

use super::lanes::{get, is_known, map, put, signed, zip, zip_or};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    sums(mnemonic)
        .or_else(|| extremes(mnemonic))
        .or_else(|| products(mnemonic))
        .or_else(|| unary(mnemonic))
}

fn sums(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Paddb | Vpaddb => Entry::binary(|m, s| zip::<1>(m, s, u64::wrapping_add), 1),
        Paddw | Vpaddw => Entry::binary(|m, s| zip::<2>(m, s, u64::wrapping_add), 2),
        Paddd | Vpaddd => Entry::binary(|m, s| zip::<4>(m, s, u64::wrapping_add), 4),
        Paddq | Vpaddq => Entry::binary(|m, s| zip::<8>(m, s, u64::wrapping_add), 8),
        Psubb | Vpsubb => Entry::binary(|m, s| zip_or::<1>(m, s, 0, u64::wrapping_sub), 1),
        Psubw | Vpsubw => Entry::binary(|m, s| zip_or::<2>(m, s, 0, u64::wrapping_sub), 2),
        Psubd | Vpsubd => Entry::binary(|m, s| zip_or::<4>(m, s, 0, u64::wrapping_sub), 4),
        Psubq | Vpsubq => Entry::binary(|m, s| zip_or::<8>(m, s, 0, u64::wrapping_sub), 8),
        Paddsb | Vpaddsb => Entry::binary(|m, s| zip::<1>(m, s, add_signed::<1>), 1),
        Paddsw | Vpaddsw => Entry::binary(|m, s| zip::<2>(m, s, add_signed::<2>), 2),
        Psubsb | Vpsubsb => Entry::binary(|m, s| zip::<1>(m, s, sub_signed::<1>), 1),
        Psubsw | Vpsubsw => Entry::binary(|m, s| zip::<2>(m, s, sub_signed::<2>), 2),
        Paddusb | Vpaddusb => Entry::binary(|m, s| zip::<1>(m, s, |a, b| (a + b).min(0xff)), 1),
        Paddusw | Vpaddusw => Entry::binary(|m, s| zip::<2>(m, s, |a, b| (a + b).min(0xffff)), 2),
        Psubusb | Vpsubusb => Entry::binary(|m, s| zip::<1>(m, s, u64::saturating_sub), 1),
        Psubusw | Vpsubusw => Entry::binary(|m, s| zip::<2>(m, s, u64::saturating_sub), 2),
        Pavgb | Vpavgb => Entry::binary(|m, s| zip::<1>(m, s, |a, b| (a + b + 1) >> 1), 1),
        Pavgw | Vpavgw => Entry::binary(|m, s| zip::<2>(m, s, |a, b| (a + b + 1) >> 1), 2),
        Phaddw | Vphaddw => Entry::binary(|m, s| pairs::<2>(m, s, u64::wrapping_add), 0),
        Phaddd | Vphaddd => Entry::binary(|m, s| pairs::<4>(m, s, u64::wrapping_add), 0),
        Phsubw | Vphsubw => Entry::binary(|m, s| pairs::<2>(m, s, u64::wrapping_sub), 0),
        Phsubd | Vphsubd => Entry::binary(|m, s| pairs::<4>(m, s, u64::wrapping_sub), 0),
        Phaddsw | Vphaddsw => Entry::binary(|m, s| pairs::<2>(m, s, add_signed::<2>), 0),
        Phsubsw | Vphsubsw => Entry::binary(|m, s| pairs::<2>(m, s, sub_signed::<2>), 0),
        _ => None,
    }
}

fn extremes(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pminub | Vpminub => Entry::binary(|m, s| zip::<1>(m, s, u64::min), 1),
        Pminuw | Vpminuw => Entry::binary(|m, s| zip::<2>(m, s, u64::min), 2),
        Pminud | Vpminud => Entry::binary(|m, s| zip::<4>(m, s, u64::min), 4),
        Vpminuq => Entry::binary(|m, s| zip::<8>(m, s, u64::min), 8),
        Pmaxub | Vpmaxub => Entry::binary(|m, s| zip::<1>(m, s, u64::max), 1),
        Pmaxuw | Vpmaxuw => Entry::binary(|m, s| zip::<2>(m, s, u64::max), 2),
        Pmaxud | Vpmaxud => Entry::binary(|m, s| zip::<4>(m, s, u64::max), 4),
        Vpmaxuq => Entry::binary(|m, s| zip::<8>(m, s, u64::max), 8),
        Pminsb | Vpminsb => Entry::binary(|m, s| zip::<1>(m, s, min_signed::<1>), 1),
        Pminsw | Vpminsw => Entry::binary(|m, s| zip::<2>(m, s, min_signed::<2>), 2),
        Pminsd | Vpminsd => Entry::binary(|m, s| zip::<4>(m, s, min_signed::<4>), 4),
        Vpminsq => Entry::binary(|m, s| zip::<8>(m, s, min_signed::<8>), 8),
        Pmaxsb | Vpmaxsb => Entry::binary(|m, s| zip::<1>(m, s, max_signed::<1>), 1),
        Pmaxsw | Vpmaxsw => Entry::binary(|m, s| zip::<2>(m, s, max_signed::<2>), 2),
        Pmaxsd | Vpmaxsd => Entry::binary(|m, s| zip::<4>(m, s, max_signed::<4>), 4),
        Vpmaxsq => Entry::binary(|m, s| zip::<8>(m, s, max_signed::<8>), 8),
        Psignb | Vpsignb => Entry::binary(|m, s| zip::<1>(m, s, sign::<1>), 0),
        Psignw | Vpsignw => Entry::binary(|m, s| zip::<2>(m, s, sign::<2>), 0),
        Psignd | Vpsignd => Entry::binary(|m, s| zip::<4>(m, s, sign::<4>), 0),
        Phminposuw | Vphminposuw => Entry::plain(smallest),
        _ => None,
    }
}

fn products(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pmullw | Vpmullw => Entry::binary(|m, s| zip::<2>(m, s, u64::wrapping_mul), 2),
        Pmulld | Vpmulld => Entry::binary(|m, s| zip::<4>(m, s, u64::wrapping_mul), 4),
        Vpmullq => Entry::binary(|m, s| zip::<8>(m, s, u64::wrapping_mul), 8),
        Pmulhuw | Vpmulhuw => Entry::binary(|m, s| zip::<2>(m, s, |a, b| (a * b) >> 16), 2),
        Pmulhw | Vpmulhw => Entry::binary(
            |m, s| zip::<2>(m, s, |a, b| ((short(a) * short(b)) >> 16) as u64),
            2,
        ),
        Pmulhrsw | Vpmulhrsw => Entry::binary(
            |m, s| {
                zip::<2>(m, s, |a, b| {
                    ((((short(a) * short(b)) >> 14) + 1) >> 1) as u64
                })
            },
            2,
        ),
        Pmuludq | Vpmuludq => Entry::binary(
            |m, s| zip::<8>(m, s, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
            8,
        ),
        Pmuldq | Vpmuldq => Entry::binary(
            |m, s| zip::<8>(m, s, |a, b| (signed::<4>(a) * signed::<4>(b)) as u64),
            8,
        ),
        Pmaddwd | Vpmaddwd => Entry::binary(|m, s| zip::<4>(m, s, multiply_add), 4),
        Pmaddubsw | Vpmaddubsw => Entry::binary(|m, s| zip::<2>(m, s, multiply_add_bytes), 2),
        Psadbw | Vpsadbw => Entry::binary(|m, s| zip::<8>(m, s, differences), 0),
        Pclmulqdq => Entry::binary(carryless, 0),
        Vpclmulqdq => Entry::binary(carryless, 0),
        _ => None,
    }
}

fn unary(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pabsb | Vpabsb => Entry::masked(|m, s| map::<1>(m, s, 1, absolute::<1>), 1),
        Pabsw | Vpabsw => Entry::masked(|m, s| map::<2>(m, s, 1, absolute::<2>), 2),
        Pabsd | Vpabsd => Entry::masked(|m, s| map::<4>(m, s, 1, absolute::<4>), 4),
        Vpabsq => Entry::masked(|m, s| map::<8>(m, s, 1, absolute::<8>), 8),
        Vpopcntb => Entry::masked(|m, s| map::<1>(m, s, 1, ones), 1),
        Vpopcntw => Entry::masked(|m, s| map::<2>(m, s, 1, ones), 2),
        Vpopcntd => Entry::masked(|m, s| map::<4>(m, s, 1, ones), 4),
        Vpopcntq => Entry::masked(|m, s| map::<8>(m, s, 1, ones), 8),
        Vplzcntd => Entry::masked(
            |m, s| map::<4>(m, s, 1, |a| u64::from(a.leading_zeros()) - 32),
            4,
        ),
        Vplzcntq => Entry::masked(
            |m, s| map::<8>(m, s, 1, |a| u64::from(a.leading_zeros())),
            8,
        ),
        _ => None,
    }
}

fn ones(a: u64) -> u64 {
    u64::from(a.count_ones())
}

fn short(value: u64) -> i64 {
    signed::<2>(value)
}

/// Clamps a value to the signed range of a lane of `N` bytes.
fn saturated<const N: usize>(value: i64) -> u64 {
    let limit = 1_i64 << (N * 8 - 1);
    value.clamp(-limit, limit - 1) as u64
}

fn add_signed<const N: usize>(a: u64, b: u64) -> u64 {
    saturated::<N>(signed::<N>(a) + signed::<N>(b))
}

fn sub_signed<const N: usize>(a: u64, b: u64) -> u64 {
    saturated::<N>(signed::<N>(a) - signed::<N>(b))
}

fn min_signed<const N: usize>(a: u64, b: u64) -> u64 {
    signed::<N>(a).min(signed::<N>(b)) as u64
}

fn max_signed<const N: usize>(a: u64, b: u64) -> u64 {
    signed::<N>(a).max(signed::<N>(b)) as u64
}

fn absolute<const N: usize>(a: u64) -> u64 {
    signed::<N>(a).unsigned_abs()
}

fn sign<const N: usize>(a: u64, b: u64) -> u64 {
    match signed::<N>(b) {
        0 => 0,
        1.. => a,
        _ => a.wrapping_neg(),
    }
}

/// Adds two products of 16-bit numbers.
fn multiply_add(a: u64, b: u64) -> u64 {
    let low = short(a) * short(b);
    let high = short(a >> 16) * short(b >> 16);
    low.wrapping_add(high) as u64
}

/// Adds two products of an unsigned and a signed byte, with saturation.
fn multiply_add_bytes(a: u64, b: u64) -> u64 {
    let low = (a & 0xff) as i64 * signed::<1>(b);
    let high = (a >> 8 & 0xff) as i64 * signed::<1>(b >> 8);
    saturated::<2>(low + high)
}

/// Returns the sum of the absolute differences of eight bytes.
fn differences(a: u64, b: u64) -> u64 {
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.map(|(a, b)| u64::from(a.abs_diff(b))).sum()
}

/// Combines neighbouring lanes of the first operand, then of the second, in each 16 bytes.
fn pairs<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = Vector::ZERO;
    let lanes = 16 / N;
    for index in 0..usize::from(step.width) / N {
        let (block, within) = (index / lanes * lanes, index % lanes);
        let source = if within < lanes / 2 { &a } else { &b };
        let first = block + within % (lanes / 2) * 2;
        let value = compute(
            get::<N>(&source.bytes, first),
            get::<N>(&source.bytes, first + 1),
        );
        put::<N>(&mut result.bytes, index, value);
        if !(is_known::<N>(source.known, first) && is_known::<N>(source.known, first + 1)) {
            result.known &= !(((1_u64 << N) - 1) << (index * N));
        }
    }
    m.write_vector(step, &result)
}

/// Finds the smallest of eight words and its position.
fn smallest(m: &mut Machine<'_>, step: &Step) -> Flow {
    let source = m.read_vector(step, 1)?;
    let found = (0..8)
        .map(|index| (get::<2>(&source.bytes, index), index as u64))
        .min();
    let (value, index) = found.unwrap_or_default();
    let mut result = Vector::ZERO;
    put::<4>(&mut result.bytes, 0, value | index << 16);
    if source.known & 0xffff != 0xffff {
        result.known &= !0xf;
    }
    m.write_vector(step, &result)
}

fn carryless(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let (from_a, from_b) = (
        step.immediate as usize & 1,
        step.immediate as usize >> 4 & 1,
    );
    let mut result = Vector::ZERO;
    for block in 0..usize::from(step.width) / 16 {
        let (first, second) = (block * 2 + from_a, block * 2 + from_b);
        let (x, y) = (get::<8>(&a.bytes, first), get::<8>(&b.bytes, second));
        let product = (0..64)
            .filter(|bit| y >> bit & 1 != 0)
            .fold(0, |product, bit| product ^ u128::from(x) << bit);
        put::<8>(&mut result.bytes, block * 2, product as u64);
        put::<8>(&mut result.bytes, block * 2 + 1, (product >> 64) as u64);
        if !(is_known::<8>(a.known, first) && is_known::<8>(b.known, second)) {
            result.known &= !(0xffff << (block * 16));
        }
    }
    m.write_vector(step, &result)
}
