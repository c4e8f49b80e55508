//! Shuffles whose pattern is data: a lane is known if its index and the lane that the index chooses are known.

use super::lanes::{get, is_known, pick, put};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pshufb | Vpshufb => Entry::binary(bytes, 1),
        Vpermq | Vpermpd => Entry::masked(quads, 8),
        Vpermd | Vpermps => Entry::masked(across::<4>, 4),
        Vpermb => Entry::masked(across::<1>, 1),
        Vpermw => Entry::masked(across::<2>, 2),
        Vpermilps => Entry::masked(within::<4>, 4),
        Vpermilpd => Entry::masked(within::<8>, 8),
        Vpermt2b => Entry::masked(|m, s| of_two::<1>(m, s, true), 1),
        Vpermt2w => Entry::masked(|m, s| of_two::<2>(m, s, true), 2),
        Vpermt2d | Vpermt2ps => Entry::masked(|m, s| of_two::<4>(m, s, true), 4),
        Vpermt2q | Vpermt2pd => Entry::masked(|m, s| of_two::<8>(m, s, true), 8),
        Vpermi2b => Entry::masked(|m, s| of_two::<1>(m, s, false), 1),
        Vpermi2w => Entry::masked(|m, s| of_two::<2>(m, s, false), 2),
        Vpermi2d | Vpermi2ps => Entry::masked(|m, s| of_two::<4>(m, s, false), 4),
        Vpermi2q | Vpermi2pd => Entry::masked(|m, s| of_two::<8>(m, s, false), 8),
        _ => None,
    }
}

/// Chooses lanes by index; `choose` turns a lane's position and index into a source and its lane.
#[inline(always)]
fn chosen<'a, const N: usize>(
    indexes: &Vector,
    width: u8,
    choose: impl Fn(usize, u64) -> Option<(&'a Vector, usize)>,
) -> Vector {
    let mut result = Vector::ZERO;
    for at in 0..usize::from(width) / N {
        let lane = ((1_u64 << N) - 1) << (at * N);
        if !is_known::<N>(indexes.known, at) {
            result.known &= !lane;
            continue;
        }
        let Some((source, from)) = choose(at, get::<N>(&indexes.bytes, at)) else {
            continue;
        };
        put::<N>(&mut result.bytes, at, get::<N>(&source.bytes, from));
        let unknown = !source.known >> (from * N) & ((1 << N) - 1);
        result.known &= !(unknown << (at * N));
    }
    result
}

/// Runs `pshufb` within 16 bytes; an index with its highest bit set gives zero.
fn bytes(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let result = chosen::<1>(&b, step.width, |at, index| {
        (index & 0x80 == 0).then_some((&a, at / 16 * 16 + (index & 15) as usize))
    });
    m.write_vector(step, &result)
}

/// Runs `vpermq`, which has its pattern in the immediate or in a vector.
fn quads(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.operands[2].kind != Kind::Immediate {
        return across::<8>(m, step);
    }
    let a = m.read_vector(step, 1)?;
    let order = step.immediate as usize;
    let result = pick::<8>(&a, &a, step.width, |index| {
        index / 4 * 4 + (order >> (index % 4 * 2) & 3)
    });
    m.write_vector(step, &result)
}

/// Chooses any lane of the whole register; the indexes are operand 1.
fn across<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (indexes, source) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let lanes = usize::from(step.width) / N;
    let result = chosen::<N>(&indexes, step.width, |_, index| {
        Some((&source, index as usize % lanes))
    });
    m.write_vector(step, &result)
}

/// Chooses lanes of the same 16 bytes; the pattern is the immediate or operand 2.
fn within<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    let a = m.read_vector(step, 1)?;
    let lanes = 16 / N;
    if step.operands[2].kind == Kind::Immediate {
        let order = step.immediate as usize;
        let result = pick::<N>(&a, &a, step.width, |at| {
            let choice = match N {
                4 => order >> (at % 4 * 2) & 3,
                _ => order >> at & 1,
            };
            at / lanes * lanes + choice
        });
        return m.write_vector(step, &result);
    }
    let indexes = m.read_vector(step, 2)?;
    let result = chosen::<N>(&indexes, step.width, |at, index| {
        let choice = if N == 4 { index & 3 } else { index >> 1 & 1 };
        Some((&a, at / lanes * lanes + choice as usize))
    });
    m.write_vector(step, &result)
}

/// Chooses lanes of two tables. `vpermt2` overwrites the first table, `vpermi2` the indexes.
fn of_two<const N: usize>(m: &mut Machine<'_>, step: &Step, overwrites_table: bool) -> Flow {
    let (first, second) = (m.read_vector(step, 0)?, m.read_vector(step, 1)?);
    let last = m.read_vector(step, 2)?;
    let (table, indexes) = if overwrites_table {
        (&first, &second)
    } else {
        (&second, &first)
    };
    let lanes = usize::from(step.width) / N;
    let result = chosen::<N>(indexes, step.width, |_, index| {
        let index = index as usize % (lanes * 2);
        Some(if index < lanes {
            (table, index)
        } else {
            (&last, index - lanes)
        })
    });
    m.write_vector(step, &result)
}
