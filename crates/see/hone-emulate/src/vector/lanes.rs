//! Loops over lanes, of which most vector instructions consist.
//!
//! `N` is the size of a lane in bytes. A lane of the result is known if all of its source lanes are known.

use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;

/// Mask with the bit of the lowest byte of every lane of `N` bytes.
const fn lowest<const N: usize>() -> u64 {
    match N {
        1 => u64::MAX,
        2 => 0x5555_5555_5555_5555,
        4 => 0x1111_1111_1111_1111,
        8 => 0x0101_0101_0101_0101,
        _ => 0x0001_0001_0001_0001,
    }
}

/// Returns the bytes of `known` whose whole lane is known.
#[inline(always)]
pub(super) fn whole<const N: usize>(known: u64) -> u64 {
    if known == u64::MAX || N == 1 {
        return known;
    }
    let mut lanes = known;
    let mut shift = 1;
    while shift < N {
        lanes &= lanes >> shift;
        shift *= 2;
    }
    spread::<N>(lanes & lowest::<N>())
}

/// Spreads one bit per lane, at its lowest byte, to the bits of all bytes of the lane.
#[inline(always)]
fn spread<const N: usize>(lanes: u64) -> u64 {
    lanes.wrapping_mul(((1_u128 << N) - 1) as u64)
}

#[inline(always)]
pub(super) fn get<const N: usize>(bytes: &[u8; 64], index: usize) -> u64 {
    let at = index * N;
    let mut word = [0; 8];
    word[..N].copy_from_slice(&bytes[at..at + N]);
    u64::from_le_bytes(word)
}

#[inline(always)]
pub(super) fn put<const N: usize>(bytes: &mut [u8; 64], index: usize, value: u64) {
    let at = index * N;
    bytes[at..at + N].copy_from_slice(&value.to_le_bytes()[..N]);
}

/// A lane's value with its sign.
#[inline(always)]
pub(super) fn signed<const N: usize>(value: u64) -> i64 {
    let shift = 64 - N as u32 * 8;
    (value << shift) as i64 >> shift
}

/// Returns true if all bytes of a lane are known.
#[inline(always)]
pub(super) fn is_known<const N: usize>(known: u64, index: usize) -> bool {
    let mask = ((1_u64 << N) - 1) << (index * N);
    known & mask == mask
}

/// Computes each lane of the result from a lane of one operand.
#[inline(always)]
pub(super) fn map<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    source: usize,
    compute: impl Fn(u64) -> u64,
) -> Flow {
    let a = m.read_vector(step, source)?;
    let mut result = Vector::ZERO;
    for index in 0..usize::from(step.width) / N {
        put::<N>(&mut result.bytes, index, compute(get::<N>(&a.bytes, index)));
    }
    result.known = whole::<N>(a.known);
    m.write_vector(step, &result)
}

/// Computes each lane of the result from the lanes of operands 1 and 2.
#[inline(always)]
pub(super) fn zip<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = Vector::ZERO;
    for index in 0..usize::from(step.width) / N {
        let value = compute(get::<N>(&a.bytes, index), get::<N>(&b.bytes, index));
        put::<N>(&mut result.bytes, index, value);
    }
    result.known = whole::<N>(a.known & b.known);
    m.write_vector(step, &result)
}

/// Works as [`zip`], but gives a fixed result if both operands are the same register.
#[inline(always)]
pub(super) fn zip_or<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    if_same: u8,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    if step.same(1, 2) {
        return m.write_vector(step, &Vector::known([if_same; 64]));
    }
    zip::<N>(m, step, compute)
}

/// Moves lanes: lane `i` of the result is lane `from(i)` of `a`, or of `b` counted from 64 / N on, or zero
/// for [`ZERO`].
#[inline(always)]
pub(super) fn pick<const N: usize>(
    a: &Vector,
    b: &Vector,
    width: u8,
    from: impl Fn(usize) -> usize,
) -> Vector {
    let mut result = Vector::ZERO;
    let count = 64 / N;
    for index in 0..usize::from(width) / N {
        let lane = from(index);
        if lane == ZERO {
            continue;
        }
        let source = if lane < count { a } else { b };
        let lane = lane % count;
        put::<N>(&mut result.bytes, index, get::<N>(&source.bytes, lane));
        let unknown = !source.known >> (lane * N) & ((1 << N) - 1);
        result.known &= !(unknown << (index * N));
    }
    result
}

/// Index for a lane that is zero whatever the operands.
pub(super) const ZERO: usize = usize::MAX;

/// Index of the first lane of `N` bytes of the second operand.
pub(super) const fn second<const N: usize>() -> usize {
    64 / N
}
