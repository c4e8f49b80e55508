//! Instructions that make lanes wider, with their sign or with zeros.

use super::lanes::{get, is_known, put, signed};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pmovzxbw | Vpmovzxbw => Entry::masked(|m, s| widen::<1, 2>(m, s, false), 2),
        Pmovzxbd | Vpmovzxbd => Entry::masked(|m, s| widen::<1, 4>(m, s, false), 4),
        Pmovzxbq | Vpmovzxbq => Entry::masked(|m, s| widen::<1, 8>(m, s, false), 8),
        Pmovzxwd | Vpmovzxwd => Entry::masked(|m, s| widen::<2, 4>(m, s, false), 4),
        Pmovzxwq | Vpmovzxwq => Entry::masked(|m, s| widen::<2, 8>(m, s, false), 8),
        Pmovzxdq | Vpmovzxdq => Entry::masked(|m, s| widen::<4, 8>(m, s, false), 8),
        Pmovsxbw | Vpmovsxbw => Entry::masked(|m, s| widen::<1, 2>(m, s, true), 2),
        Pmovsxbd | Vpmovsxbd => Entry::masked(|m, s| widen::<1, 4>(m, s, true), 4),
        Pmovsxbq | Vpmovsxbq => Entry::masked(|m, s| widen::<1, 8>(m, s, true), 8),
        Pmovsxwd | Vpmovsxwd => Entry::masked(|m, s| widen::<2, 4>(m, s, true), 4),
        Pmovsxwq | Vpmovsxwq => Entry::masked(|m, s| widen::<2, 8>(m, s, true), 8),
        Pmovsxdq | Vpmovsxdq => Entry::masked(|m, s| widen::<4, 8>(m, s, true), 8),
        _ => None,
    }
}

fn widen<const FROM: usize, const TO: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    with_sign: bool,
) -> Flow {
    let source = m.read_vector(step, 1)?;
    let mut result = Vector::ZERO;
    for index in 0..usize::from(step.operands[0].bytes) / TO {
        let value = get::<FROM>(&source.bytes, index);
        let value = if with_sign {
            signed::<FROM>(value) as u64
        } else {
            value
        };
        put::<TO>(&mut result.bytes, index, value);
        if !is_known::<FROM>(source.known, index) {
            result.known &= !(((1_u64 << TO) - 1) << (index * TO));
        }
    }
    m.write_vector(step, &result)
}
