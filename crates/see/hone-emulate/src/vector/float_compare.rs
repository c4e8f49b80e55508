//! Floating-point comparisons: into flags, lanes or opmask bits.

use super::float::{Real, unknown_vector};
use super::lanes::{get, is_known, zip};
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::flag::{CF, PF, STATUS, ZF};
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};
use std::cmp::Ordering;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Ucomiss | Comiss | Vucomiss | Vcomiss => Entry::plain(into_flags::<f32, 4>),
        Ucomisd | Comisd | Vucomisd | Vcomisd => Entry::plain(into_flags::<f64, 8>),
        Cmpps | Vcmpps => Entry::binary(packed::<f32, 4>, 4),
        Cmppd | Vcmppd => Entry::binary(packed::<f64, 8>, 8),
        Cmpss | Vcmpss => Entry::binary(scalar::<f32, 4>, 4),
        Cmpsd | Vcmpsd => Entry::binary(scalar::<f64, 8>, 8),
        _ => None,
    }
}

fn order<T: Real>(a: u64, b: u64) -> Option<Ordering> {
    T::from_lane(a).partial_cmp(&T::from_lane(b))
}

fn into_flags<T: Real, const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let exact = m.floats_are_exact()?;
    let (a, b) = (m.read_vector(step, 0)?, m.read_vector(step, 1)?);
    m.set_flags(STATUS, 0);
    if !(exact && is_known::<N>(a.known & b.known, 0)) {
        m.forget_flags(ZF | PF | CF);
        return Ok(());
    }
    let flags = match order::<T>(get::<N>(&a.bytes, 0), get::<N>(&b.bytes, 0)) {
        None => ZF | PF | CF,
        Some(Ordering::Less) => CF,
        Some(Ordering::Equal) => ZF,
        Some(Ordering::Greater) => 0,
    };
    m.set_flags(ZF | PF | CF, flags);
    Ok(())
}

/// Returns the predicate of the immediate; the legacy forms know the first eight only.
fn predicate_of(step: &Step) -> u64 {
    step.immediate & if step.clears_upper { 15 } else { 7 }
}

/// Evaluates a predicate of the immediate, whose fifth bit only says which NaNs signal.
fn holds<T: Real>(predicate: u64, a: u64, b: u64) -> bool {
    let order = order::<T>(a, b);
    let equal = order == Some(Ordering::Equal);
    let less = order == Some(Ordering::Less);
    let unordered = order.is_none();
    match predicate {
        0 => equal,
        1 => less,
        2 => less || equal,
        3 => unordered,
        4 => !equal,
        5 => !less,
        6 => !(less || equal),
        7 => !unordered,
        8 => equal || unordered,
        9 => less || unordered,
        10 => less || equal || unordered,
        11 => false,
        12 => !equal && !unordered,
        13 => !less && !unordered,
        14 => !less && !equal && !unordered,
        _ => true,
    }
}

fn packed<T: Real, const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let exact = m.floats_are_exact()?;
    let predicate = predicate_of(step);
    if step.operands[0].kind == Kind::Mask {
        return into_mask::<T, N>(m, step, exact, usize::from(step.width) / N);
    }
    if !exact {
        return unknown_vector(m, step, 2);
    }
    zip::<N>(m, step, |a, b| {
        if holds::<T>(predicate, a, b) {
            u64::MAX
        } else {
            0
        }
    })
}

fn scalar<T: Real, const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let predicate = predicate_of(step);
    if step.operands[0].kind == Kind::Mask {
        let exact = m.floats_are_exact()?;
        return into_mask::<T, N>(m, step, exact, 1);
    }
    super::float::scalar::<N>(m, step, |a, b| {
        if holds::<T>(predicate, a, b) {
            u64::MAX
        } else {
            0
        }
    })
}

fn into_mask<T: Real, const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    exact: bool,
    lanes: usize,
) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let mut result = Bits::known(0);
    for index in 0..lanes {
        let (x, y) = (get::<N>(&a.bytes, index), get::<N>(&b.bytes, index));
        if exact && is_known::<N>(a.known & b.known, index) {
            result.value |= u64::from(holds::<T>(predicate_of(step), x, y)) << index;
        } else {
            result.known &= !(1 << index);
        }
    }
    m.write_mask(step, result)
}
