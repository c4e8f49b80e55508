//! Floating-point arithmetic, in the default modes only: round to nearest, denormals honoured.
//!
//! NaNs follow the CPU's rules, not the compiler's: the result is the first operand that is a NaN, made quiet, or
//! the "indefinite" NaN if the operation itself is invalid.

use super::lanes::{get, is_known, map, put, zip};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};
use std::ops::{Add, Div, Mul, Sub};

/// `f32` or `f64`.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The bit that makes a NaN quiet.
    const QUIET: u64;
    /// Result of an invalid operation.
    const INDEFINITE: u64;
    fn from_lane(bits: u64) -> Self;
    fn to_lane(self) -> u64;
    fn is_nan(self) -> bool;
    fn square_root(self) -> Self;
    fn rounded(self, mode: u64) -> Self;
    fn fused(self, factor: Self, addend: Self) -> Self;
    fn negated(self) -> Self;
}

macro_rules! real {
    ($type:ty, $bits:ty, $quiet:expr, $indefinite:expr) => {
        impl Real for $type {
            const QUIET: u64 = $quiet;
            const INDEFINITE: u64 = $indefinite;
            fn from_lane(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn to_lane(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn is_nan(self) -> bool {
                self != self
            }
            fn square_root(self) -> Self {
                self.sqrt()
            }
            fn rounded(self, mode: u64) -> Self {
                match mode {
                    1 => self.floor(),
                    2 => self.ceil(),
                    3 => self.trunc(),
                    _ => self.round_ties_even(),
                }
            }
            fn fused(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }
            fn negated(self) -> Self {
                -self
            }
        }
    };
}

real!(f32, u32, 1 << 22, 0xffc0_0000);
real!(f64, u64, 1 << 51, 0xfff8_0000_0000_0000);

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    packed_entry(mnemonic)
        .or_else(|| scalar_entry(mnemonic))
        .or_else(|| unary_entry(mnemonic))
}

fn packed_entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Addps | Vaddps => Entry::binary(|m, s| packed::<4>(m, s, with::<f32>(Add::add)), 4),
        Addpd | Vaddpd => Entry::binary(|m, s| packed::<8>(m, s, with::<f64>(Add::add)), 8),
        Subps | Vsubps => Entry::binary(|m, s| packed::<4>(m, s, with::<f32>(Sub::sub)), 4),
        Subpd | Vsubpd => Entry::binary(|m, s| packed::<8>(m, s, with::<f64>(Sub::sub)), 8),
        Mulps | Vmulps => Entry::binary(|m, s| packed::<4>(m, s, with::<f32>(Mul::mul)), 4),
        Mulpd | Vmulpd => Entry::binary(|m, s| packed::<8>(m, s, with::<f64>(Mul::mul)), 8),
        Divps | Vdivps => Entry::binary(|m, s| packed::<4>(m, s, with::<f32>(Div::div)), 4),
        Divpd | Vdivpd => Entry::binary(|m, s| packed::<8>(m, s, with::<f64>(Div::div)), 8),
        Minps | Vminps => Entry::binary(|m, s| packed::<4>(m, s, least::<f32>), 4),
        Minpd | Vminpd => Entry::binary(|m, s| packed::<8>(m, s, least::<f64>), 8),
        Maxps | Vmaxps => Entry::binary(|m, s| packed::<4>(m, s, greatest::<f32>), 4),
        Maxpd | Vmaxpd => Entry::binary(|m, s| packed::<8>(m, s, greatest::<f64>), 8),
        Haddps | Vhaddps => Entry::binary(|m, s| pairs::<4>(m, s, with::<f32>(Add::add)), 0),
        Haddpd | Vhaddpd => Entry::binary(|m, s| pairs::<8>(m, s, with::<f64>(Add::add)), 0),
        _ => None,
    }
}

fn scalar_entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Addss | Vaddss => Entry::binary(|m, s| scalar::<4>(m, s, with::<f32>(Add::add)), 0),
        Addsd | Vaddsd => Entry::binary(|m, s| scalar::<8>(m, s, with::<f64>(Add::add)), 0),
        Subss | Vsubss => Entry::binary(|m, s| scalar::<4>(m, s, with::<f32>(Sub::sub)), 0),
        Subsd | Vsubsd => Entry::binary(|m, s| scalar::<8>(m, s, with::<f64>(Sub::sub)), 0),
        Mulss | Vmulss => Entry::binary(|m, s| scalar::<4>(m, s, with::<f32>(Mul::mul)), 0),
        Mulsd | Vmulsd => Entry::binary(|m, s| scalar::<8>(m, s, with::<f64>(Mul::mul)), 0),
        Divss | Vdivss => Entry::binary(|m, s| scalar::<4>(m, s, with::<f32>(Div::div)), 0),
        Divsd | Vdivsd => Entry::binary(|m, s| scalar::<8>(m, s, with::<f64>(Div::div)), 0),
        Minss | Vminss => Entry::binary(|m, s| scalar::<4>(m, s, least::<f32>), 0),
        Minsd | Vminsd => Entry::binary(|m, s| scalar::<8>(m, s, least::<f64>), 0),
        Maxss | Vmaxss => Entry::binary(|m, s| scalar::<4>(m, s, greatest::<f32>), 0),
        Maxsd | Vmaxsd => Entry::binary(|m, s| scalar::<8>(m, s, greatest::<f64>), 0),
        _ => None,
    }
}

fn unary_entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Sqrtss | Vsqrtss => Entry::binary(|m, s| replaced::<4>(m, s, root::<f32>), 0),
        Sqrtsd | Vsqrtsd => Entry::binary(|m, s| replaced::<8>(m, s, root::<f64>), 0),
        Sqrtps | Vsqrtps => Entry::masked(|m, s| unary::<4>(m, s, root::<f32>), 4),
        Sqrtpd | Vsqrtpd => Entry::masked(|m, s| unary::<8>(m, s, root::<f64>), 8),
        Roundss | Vroundss | Vrndscaless => Entry::binary(round_scalar::<f32, 4>, 0),
        Roundsd | Vroundsd | Vrndscalesd => Entry::binary(round_scalar::<f64, 8>, 0),
        Roundps | Vroundps | Vrndscaleps => Entry::masked(round_packed::<f32, 4>, 4),
        Roundpd | Vroundpd | Vrndscalepd => Entry::masked(round_packed::<f64, 8>, 8),
        _ => None,
    }
}

/// Wraps an operation on lanes with the CPU's rules for NaNs.
#[inline(always)]
fn with<T: Real>(operation: impl Fn(T, T) -> T) -> impl Fn(u64, u64) -> u64 {
    move |a, b| {
        let (x, y) = (T::from_lane(a), T::from_lane(b));
        if x.is_nan() {
            return a | T::QUIET;
        }
        if y.is_nan() {
            return b | T::QUIET;
        }
        settled(operation(x, y))
    }
}

/// Returns the lane of a result whose operands were not NaNs.
#[inline(always)]
pub(super) fn settled<T: Real>(result: T) -> u64 {
    if result.is_nan() {
        T::INDEFINITE
    } else {
        result.to_lane()
    }
}

/// Returns the second operand wherever the first is not less, also for NaNs and for two zeros.
fn least<T: Real>(a: u64, b: u64) -> u64 {
    if T::from_lane(a) < T::from_lane(b) {
        a
    } else {
        b
    }
}

fn greatest<T: Real>(a: u64, b: u64) -> u64 {
    if T::from_lane(a) > T::from_lane(b) {
        a
    } else {
        b
    }
}

fn root<T: Real>(a: u64) -> u64 {
    let value = T::from_lane(a);
    if value.is_nan() {
        return a | T::QUIET;
    }
    settled(value.square_root())
}

#[inline(always)]
fn packed<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    if !m.floats_are_exact()? {
        return unknown_vector(m, step, 2);
    }
    zip::<N>(m, step, compute)
}

#[inline(always)]
fn unary<const N: usize>(m: &mut Machine<'_>, step: &Step, compute: fn(u64) -> u64) -> Flow {
    if !m.floats_are_exact()? {
        return unknown_vector(m, step, 1);
    }
    map::<N>(m, step, 1, compute)
}

/// Makes the result unknown. The source is still read, because it may be unreadable memory.
pub(super) fn unknown_vector(m: &mut Machine<'_>, step: &Step, source: usize) -> Flow {
    m.read_vector(step, source)?;
    m.write_vector(step, &Vector::UNKNOWN)
}

/// Computes the lowest lane from operands 1 and 2; the other lanes come from operand 1.
#[inline(always)]
pub(super) fn scalar<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    let exact = m.floats_are_exact()?;
    let (mut a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    if exact && is_known::<N>(a.known & b.known, 0) {
        let value = compute(get::<N>(&a.bytes, 0), get::<N>(&b.bytes, 0));
        put::<N>(&mut a.bytes, 0, value);
    } else {
        a.known &= !((1_u64 << N) - 1);
    }
    m.write_vector(step, &a)
}

/// Computes the lowest lane from operand 2 alone; the other lanes come from operand 1.
#[inline(always)]
fn replaced<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64) -> u64,
) -> Flow {
    let exact = m.floats_are_exact()?;
    let (mut a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let lane = (1_u64 << N) - 1;
    a.known &= !lane;
    if exact && is_known::<N>(b.known, 0) {
        put::<N>(&mut a.bytes, 0, compute(get::<N>(&b.bytes, 0)));
        a.known |= lane;
    }
    m.write_vector(step, &a)
}

/// Returns the rounding mode of the immediate; `None` for scaling (AVX-512), which is not followed.
fn rounding(step: &Step) -> Option<u64> {
    let immediate = step.immediate;
    (immediate & 0xf0 == 0).then_some(if immediate & 4 != 0 { 0 } else { immediate & 3 })
}

fn rounded<T: Real>(a: u64, mode: u64) -> u64 {
    let value = T::from_lane(a);
    if value.is_nan() {
        return a | T::QUIET;
    }
    value.rounded(mode).to_lane()
}

fn round_scalar<T: Real, const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    match rounding(step) {
        Some(mode) => replaced::<N>(m, step, |value| rounded::<T>(value, mode)),
        None => {
            m.floats_are_exact()?;
            unknown_vector(m, step, 2)
        }
    }
}

fn round_packed<T: Real, const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    match rounding(step) {
        Some(mode) if m.floats_are_exact()? => {
            map::<N>(m, step, 1, |value| rounded::<T>(value, mode))
        }
        _ => {
            m.floats_are_exact()?;
            unknown_vector(m, step, 1)
        }
    }
}

/// Adds neighbouring lanes, in each 16 bytes first of operand 1, then of operand 2.
#[inline(always)]
fn pairs<const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    compute: impl Fn(u64, u64) -> u64,
) -> Flow {
    if !m.floats_are_exact()? {
        return unknown_vector(m, step, 2);
    }
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
