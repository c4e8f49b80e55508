//! Fused multiply-add with one rounding. A NaN makes the result unknown: the choice among several NaNs is not followed.

use super::float::{Real, settled, unknown_vector};
use super::lanes::{get, is_known, put};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    packed_entry(mnemonic).or_else(|| scalar_entry(mnemonic))
}

fn packed_entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Vfmadd132ps => Entry::masked(packed::<f32, 4, 132, 0>, 4),
        Vfmadd213ps => Entry::masked(packed::<f32, 4, 213, 0>, 4),
        Vfmadd231ps => Entry::masked(packed::<f32, 4, 231, 0>, 4),
        Vfmadd132pd => Entry::masked(packed::<f64, 8, 132, 0>, 8),
        Vfmadd213pd => Entry::masked(packed::<f64, 8, 213, 0>, 8),
        Vfmadd231pd => Entry::masked(packed::<f64, 8, 231, 0>, 8),
        Vfmsub132ps => Entry::masked(packed::<f32, 4, 132, 1>, 4),
        Vfmsub213ps => Entry::masked(packed::<f32, 4, 213, 1>, 4),
        Vfmsub231ps => Entry::masked(packed::<f32, 4, 231, 1>, 4),
        Vfmsub132pd => Entry::masked(packed::<f64, 8, 132, 1>, 8),
        Vfmsub213pd => Entry::masked(packed::<f64, 8, 213, 1>, 8),
        Vfmsub231pd => Entry::masked(packed::<f64, 8, 231, 1>, 8),
        Vfnmadd132ps => Entry::masked(packed::<f32, 4, 132, 2>, 4),
        Vfnmadd213ps => Entry::masked(packed::<f32, 4, 213, 2>, 4),
        Vfnmadd231ps => Entry::masked(packed::<f32, 4, 231, 2>, 4),
        Vfnmadd132pd => Entry::masked(packed::<f64, 8, 132, 2>, 8),
        Vfnmadd213pd => Entry::masked(packed::<f64, 8, 213, 2>, 8),
        Vfnmadd231pd => Entry::masked(packed::<f64, 8, 231, 2>, 8),
        Vfnmsub132ps => Entry::masked(packed::<f32, 4, 132, 3>, 4),
        Vfnmsub213ps => Entry::masked(packed::<f32, 4, 213, 3>, 4),
        Vfnmsub231ps => Entry::masked(packed::<f32, 4, 231, 3>, 4),
        Vfnmsub132pd => Entry::masked(packed::<f64, 8, 132, 3>, 8),
        Vfnmsub213pd => Entry::masked(packed::<f64, 8, 213, 3>, 8),
        Vfnmsub231pd => Entry::masked(packed::<f64, 8, 231, 3>, 8),
        _ => None,
    }
}

fn scalar_entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Vfmadd132ss => scalar::<f32, 4, 132, 0>,
        Vfmadd213ss => scalar::<f32, 4, 213, 0>,
        Vfmadd231ss => scalar::<f32, 4, 231, 0>,
        Vfmadd132sd => scalar::<f64, 8, 132, 0>,
        Vfmadd213sd => scalar::<f64, 8, 213, 0>,
        Vfmadd231sd => scalar::<f64, 8, 231, 0>,
        Vfmsub132ss => scalar::<f32, 4, 132, 1>,
        Vfmsub213ss => scalar::<f32, 4, 213, 1>,
        Vfmsub231ss => scalar::<f32, 4, 231, 1>,
        Vfmsub132sd => scalar::<f64, 8, 132, 1>,
        Vfmsub213sd => scalar::<f64, 8, 213, 1>,
        Vfmsub231sd => scalar::<f64, 8, 231, 1>,
        Vfnmadd132ss => scalar::<f32, 4, 132, 2>,
        Vfnmadd213ss => scalar::<f32, 4, 213, 2>,
        Vfnmadd231ss => scalar::<f32, 4, 231, 2>,
        Vfnmadd132sd => scalar::<f64, 8, 132, 2>,
        Vfnmadd213sd => scalar::<f64, 8, 213, 2>,
        Vfnmadd231sd => scalar::<f64, 8, 231, 2>,
        Vfnmsub132ss => scalar::<f32, 4, 132, 3>,
        Vfnmsub213ss => scalar::<f32, 4, 213, 3>,
        Vfnmsub231ss => scalar::<f32, 4, 231, 3>,
        Vfnmsub132sd => scalar::<f64, 8, 132, 3>,
        Vfnmsub213sd => scalar::<f64, 8, 213, 3>,
        Vfnmsub231sd => scalar::<f64, 8, 231, 3>,
        _ => return None,
    })
}

/// Computes one lane: `ORDER` says which operands are multiplied, bit 0 of `SIGNS` negates the addend and bit 1 the
/// product.
fn compute<T: Real, const ORDER: u16, const SIGNS: u8>(lanes: [u64; 3]) -> Option<u64> {
    let [first, second, third] = lanes.map(T::from_lane);
    if first.is_nan() || second.is_nan() || third.is_nan() {
        return None;
    }
    let (x, y, addend) = match ORDER {
        132 => (first, third, second),
        213 => (second, first, third),
        _ => (second, third, first),
    };
    let x = if SIGNS & 2 != 0 { x.negated() } else { x };
    let addend = if SIGNS & 1 != 0 {
        addend.negated()
    } else {
        addend
    };
    Some(settled(x.fused(y, addend)))
}

fn lanes_of<const N: usize>(operands: &[Vector; 3], index: usize) -> Option<[u64; 3]> {
    let all = operands
        .iter()
        .all(|vector| is_known::<N>(vector.known, index));
    all.then(|| operands.map(|vector| get::<N>(&vector.bytes, index)))
}

fn packed<T: Real, const N: usize, const ORDER: u16, const SIGNS: u8>(
    m: &mut Machine<'_>,
    step: &Step,
) -> Flow {
    if !m.floats_are_exact()? {
        return unknown_vector(m, step, 2);
    }
    let operands = read(m, step)?;
    let mut result = Vector::ZERO;
    for index in 0..usize::from(step.width) / N {
        let lanes = lanes_of::<N>(&operands, index);
        match lanes.and_then(compute::<T, ORDER, SIGNS>) {
            Some(value) => put::<N>(&mut result.bytes, index, value),
            None => result.known &= !(((1_u64 << N) - 1) << (index * N)),
        }
    }
    m.write_vector(step, &result)
}

fn scalar<T: Real, const N: usize, const ORDER: u16, const SIGNS: u8>(
    m: &mut Machine<'_>,
    step: &Step,
) -> Flow {
    let exact = m.floats_are_exact()?;
    let operands = read(m, step)?;
    let mut result = operands[0];
    let lanes = lanes_of::<N>(&operands, 0).filter(|_| exact);
    match lanes.and_then(compute::<T, ORDER, SIGNS>) {
        Some(value) => put::<N>(&mut result.bytes, 0, value),
        None => result.known &= !((1_u64 << N) - 1),
    }
    m.write_vector(step, &result)
}

fn read(m: &mut Machine<'_>, step: &Step) -> Result<[Vector; 3], crate::end::End> {
    Ok([
        m.read_vector(step, 0)?,
        m.read_vector(step, 1)?,
        m.read_vector(step, 2)?,
    ])
}
