//! Blends: each lane from one of two operands.

use super::lanes::{pick, second};
use crate::decode::Entry;
use crate::end::Flow;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Pblendw | Vpblendw => Entry::binary(|m, s| by_immediate::<2>(m, s, 8), 0),
        Blendps | Vblendps | Vpblendd => Entry::binary(|m, s| by_immediate::<4>(m, s, 8), 0),
        Blendpd | Vblendpd => Entry::binary(|m, s| by_immediate::<8>(m, s, 8), 0),
        Pblendvb | Vpblendvb => Entry::binary(|m, s| by_sign(m, s, 1), 0),
        Blendvps | Vblendvps => Entry::binary(|m, s| by_sign(m, s, 4), 0),
        Blendvpd | Vblendvpd => Entry::binary(|m, s| by_sign(m, s, 8), 0),
        Vpblendmb => Entry::masked(|m, s| by_mask(m, s, 1), 1),
        Vpblendmw => Entry::masked(|m, s| by_mask(m, s, 2), 2),
        Vpblendmd | Vblendmps => Entry::masked(|m, s| by_mask(m, s, 4), 4),
        Vpblendmq | Vblendmpd => Entry::masked(|m, s| by_mask(m, s, 8), 8),
        _ => None,
    }
}

/// Chooses each lane by a bit of the immediate; after `period` lanes the bits repeat.
fn by_immediate<const N: usize>(m: &mut Machine<'_>, step: &Step, period: usize) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let choice = step.immediate as usize;
    let result = pick::<N>(&a, &b, step.width, |index| {
        if choice >> (index % period) & 1 != 0 {
            second::<N>() + index
        } else {
            index
        }
    });
    m.write_vector(step, &result)
}

/// Takes a lane of `b` if `choice` is true and of `a` if it is false; without a choice the lane is unknown.
fn merged(a: &Vector, b: &Vector, bytes: usize, choice: impl Fn(usize) -> Option<bool>) -> Vector {
    let mut result = *a;
    for lane in 0..64 / bytes {
        let at = lane * bytes;
        let mask = ((1_u64 << bytes) - 1) << at;
        match choice(lane) {
            Some(true) => {
                result.bytes[at..at + bytes].copy_from_slice(&b.bytes[at..at + bytes]);
                result.known = (result.known & !mask) | (b.known & mask);
            }
            Some(false) => {}
            None => result.known &= !mask,
        }
    }
    result
}

/// Chooses each lane by the highest bit of the lane in the fourth operand, which is xmm0 in the legacy form.
fn by_sign(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let signs = if step.operands[3].kind == Kind::Vector {
        m.read_vector(step, 3)?
    } else {
        m.state.vectors[0]
    };
    let result = merged(&a, &b, bytes, |lane| {
        let top = lane * bytes + bytes - 1;
        (signs.known >> top & 1 != 0).then_some(signs.bytes[top] & 0x80 != 0)
    });
    m.write_vector(step, &result)
}

/// Runs `vpblendm`: the opmask chooses between the operands, instead of keeping the old value of the target.
fn by_mask(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    if step.mask == 0 || step.zeroing {
        return m.write_vector(step, &b);
    }
    let mask = m.state.masks[usize::from(step.mask & 7)];
    let result = merged(&a, &b, bytes, |lane| mask.bit(lane as u32));
    m.write_whole(step, &result)
}
