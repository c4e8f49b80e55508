//! Comparisons whose result is a vector of all-ones lanes, and instructions that collect lanes into flags or bits.

use super::lanes::{get, put, signed, whole, zip_or};
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::Vector;
use crate::state::flag::{CF, STATUS, ZF};
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pcmpeqb | Vpcmpeqb => Entry::binary(equal::<1>, 1),
        Pcmpeqw | Vpcmpeqw => Entry::binary(equal::<2>, 2),
        Pcmpeqd | Vpcmpeqd => Entry::binary(equal::<4>, 4),
        Pcmpeqq | Vpcmpeqq => Entry::binary(equal::<8>, 8),
        Pcmpgtb | Vpcmpgtb => Entry::binary(greater::<1>, 1),
        Pcmpgtw | Vpcmpgtw => Entry::binary(greater::<2>, 2),
        Pcmpgtd | Vpcmpgtd => Entry::binary(greater::<4>, 4),
        Pcmpgtq | Vpcmpgtq => Entry::binary(greater::<8>, 8),
        Pmovmskb | Vpmovmskb => Entry::plain(|m, step| signs(m, step, 1)),
        Movmskps | Vmovmskps => Entry::plain(|m, step| signs(m, step, 4)),
        Movmskpd | Vmovmskpd => Entry::plain(|m, step| signs(m, step, 8)),
        Ptest | Vptest => Entry::plain(|m, step| test(m, step, u64::MAX)),
        Vtestps => Entry::plain(|m, step| test(m, step, 0x8000_0000_8000_0000)),
        Vtestpd => Entry::plain(|m, step| test(m, step, 1 << 63)),
        _ => None,
    }
}

/// Compares lanes for equality; EVEX forms write an opmask register.
fn equal<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.operands[0].kind == Kind::Mask {
        return super::mask_compare::equal::<N>(m, step);
    }
    if step.same(1, 2) {
        return m.write_vector(step, &Vector::known([0xff; 64]));
    }
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = Vector::ZERO;
    let known = a.known & b.known;
    result.known = whole::<N>(known);
    for index in 0..usize::from(step.width) / N {
        if get::<N>(&a.bytes, index) == get::<N>(&b.bytes, index) {
            put::<N>(&mut result.bytes, index, u64::MAX);
        }
    }
    if result.known != u64::MAX {
        // One known byte that differs settles its lane.
        for index in 0..64 {
            if known >> index & 1 != 0 && a.bytes[index] != b.bytes[index] {
                let lane = index / N;
                put::<N>(&mut result.bytes, lane, 0);
                result.known |= ((1_u64 << N) - 1) << (lane * N);
            }
        }
    }
    m.write_vector(step, &result)
}

fn greater<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.operands[0].kind == Kind::Mask {
        return super::mask_compare::signed::<N>(m, step, 6);
    }
    zip_or::<N>(m, step, 0, |a, b| {
        if signed::<N>(a) > signed::<N>(b) {
            u64::MAX
        } else {
            0
        }
    })
}

/// Collects the highest bit of every lane in a general register.
fn signs(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let source = m.read_vector(step, 1)?;
    let lanes = usize::from(step.width) / bytes;
    let bits = sign_bits(&source, bytes, lanes);
    m.write(step, 0, bits)
}

/// Returns the highest bit of each of the first `lanes` lanes of `bytes` bytes.
pub(super) fn sign_bits(source: &Vector, bytes: usize, lanes: usize) -> Bits {
    let mut value = 0_u64;
    if bytes == 1 {
        for (index, word) in source.bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            let signs = (word & 0x8080_8080_8080_8080) >> 7;
            value |= (signs.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (index * 8);
        }
        let mask = u64::MAX >> (64 - lanes);
        return Bits::partly(value & mask, source.known | !mask);
    }
    let mut known = u64::MAX;
    for lane in 0..lanes {
        let top = lane * bytes + bytes - 1;
        value |= u64::from(source.bytes[top] >> 7) << lane;
        known &= !((!source.known >> top & 1) << lane);
    }
    Bits::partly(value, known)
}

/// Sets ZF if the operands have no common bit, and CF if the second has no bit outside the first.
fn test(m: &mut Machine<'_>, step: &Step, mask: u64) -> Flow {
    let (a, b) = (m.read_vector(step, 0)?, m.read_vector(step, 1)?);
    let (mut common, mut outside) = (Bits::known(0), Bits::known(0));
    for index in 0..usize::from(step.width) / 8 {
        let (a, b) = (a.lane(index, 8), b.lane(index, 8));
        let b = b.and(Bits::known(mask));
        common = common.or(a.and(b));
        outside = outside.or(a.not().and(b));
    }
    m.set_flags(STATUS, 0);
    for (bits, flag) in [(common, ZF), (outside, CF)] {
        if bits.value != 0 {
            continue;
        }
        match bits.get() {
            Some(_) => m.set_flags(flag, flag),
            None => m.forget_flags(flag),
        }
    }
    Ok(())
}
