//! Moves between vector registers, memory and general registers; inserts, extracts and broadcasts.

use super::lanes::{pick, second};
use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::{Kind, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Vmovdqu8 => Entry::masked(whole, 1),
        Vmovdqu16 => Entry::masked(whole, 2),
        Movups | Movaps | Movdqa | Movdqu | Lddqu | Movntdq | Movntps | Movntdqa | Vmovups
        | Vmovaps | Vmovdqa | Vmovdqu | Vlddqu | Vmovntdq | Vmovntps | Vmovntdqa | Vmovdqa32
        | Vmovdqu32 => Entry::masked(whole, 4),
        Movupd | Movapd | Movntpd | Vmovupd | Vmovapd | Vmovntpd | Vmovdqa64 | Vmovdqu64 => {
            Entry::masked(whole, 8)
        }
        Movd | Vmovd | Movq | Vmovq => Entry::plain(low),
        Movss | Vmovss => Entry::plain(scalar::<4>),
        Movsd | Vmovsd => Entry::plain(scalar::<8>),
        Movhps | Movhpd | Vmovhps | Vmovhpd => Entry::plain(|m, step| half(m, step, 1)),
        Movlps | Movlpd | Vmovlps | Vmovlpd => Entry::plain(|m, step| half(m, step, 0)),
        Movhlps | Vmovhlps => Entry::binary(high_to_low, 0),
        Movlhps | Vmovlhps => Entry::binary(low_to_high, 0),
        Pextrb | Vpextrb => Entry::plain(|m, step| extract_lane(m, step, 1)),
        Pextrw | Vpextrw => Entry::plain(|m, step| extract_lane(m, step, 2)),
        Pextrd | Vpextrd | Extractps | Vextractps => {
            Entry::plain(|m, step| extract_lane(m, step, 4))
        }
        Pextrq | Vpextrq => Entry::plain(|m, step| extract_lane(m, step, 8)),
        Pinsrb | Vpinsrb => Entry::binary(|m, step| insert_lane(m, step, 1), 0),
        Pinsrw | Vpinsrw => Entry::binary(|m, step| insert_lane(m, step, 2), 0),
        Pinsrd | Vpinsrd => Entry::binary(|m, step| insert_lane(m, step, 4), 0),
        Pinsrq | Vpinsrq => Entry::binary(|m, step| insert_lane(m, step, 8), 0),
        Insertps | Vinsertps => Entry::binary(insertps, 0),
        Vpbroadcastb => Entry::masked(|m, step| broadcast(m, step, 1), 1),
        Vpbroadcastw => Entry::masked(|m, step| broadcast(m, step, 2), 2),
        Vpbroadcastd | Vbroadcastss => Entry::masked(|m, step| broadcast(m, step, 4), 4),
        Vpbroadcastq | Vbroadcastsd => Entry::masked(|m, step| broadcast(m, step, 8), 8),
        Vbroadcastf32x2 | Vbroadcasti32x2 => Entry::masked(|m, step| broadcast(m, step, 8), 4),
        Vbroadcastf128 | Vbroadcasti128 | Vbroadcastf32x4 | Vbroadcasti32x4 => {
            Entry::masked(|m, step| broadcast(m, step, 16), 4)
        }
        Vbroadcastf64x2 | Vbroadcasti64x2 => Entry::masked(|m, step| broadcast(m, step, 16), 8),
        Vbroadcastf32x8 | Vbroadcasti32x8 => Entry::masked(|m, step| broadcast(m, step, 32), 4),
        Vbroadcastf64x4 | Vbroadcasti64x4 => Entry::masked(|m, step| broadcast(m, step, 32), 8),
        Vinsertf128 | Vinserti128 | Vinsertf32x4 | Vinserti32x4 => {
            Entry::masked(|m, step| insert(m, step, 16), 4)
        }
        Vinsertf64x2 | Vinserti64x2 => Entry::masked(|m, step| insert(m, step, 16), 8),
        Vinsertf32x8 | Vinserti32x8 => Entry::masked(|m, step| insert(m, step, 32), 4),
        Vinsertf64x4 | Vinserti64x4 => Entry::masked(|m, step| insert(m, step, 32), 8),
        Vextractf128 | Vextracti128 | Vextractf32x4 | Vextracti32x4 => {
            Entry::masked(|m, step| extract(m, step, 16), 4)
        }
        Vextractf64x2 | Vextracti64x2 => Entry::masked(|m, step| extract(m, step, 16), 8),
        Vextractf32x8 | Vextracti32x8 => Entry::masked(|m, step| extract(m, step, 32), 4),
        Vextractf64x4 | Vextracti64x4 => Entry::masked(|m, step| extract(m, step, 32), 8),
        Vzeroupper => Entry::plain(|m, _| zero_from(m, 16)),
        Vzeroall => Entry::plain(|m, _| zero_from(m, 0)),
        _ => None,
    }
}

fn whole(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = m.read_vector(step, 1)?;
    m.write_vector(step, &value)
}

fn vector_of(bits: Bits) -> Vector {
    let mut vector = Vector::ZERO;
    vector.bytes[..8].copy_from_slice(&bits.value.to_le_bytes());
    vector.known = !0xff | u64::from(crate::known_bits::bytes_of_bits(bits.known));
    vector
}

/// Runs `movd` or `movq`, which move the lowest lane, with zeros above it in a vector register.
fn low(m: &mut Machine<'_>, step: &Step) -> Flow {
    let [to, from, ..] = step.operands;
    if to.kind == Kind::Vector {
        let bytes = if from.kind == Kind::Vector {
            8
        } else {
            from.bytes
        };
        let bits = match from.kind {
            Kind::Vector => m.vector_lane(usize::from(from.index), 0, bytes),
            _ => m.read(step, 1)?,
        };
        return m.write_vector(step, &vector_of(bits));
    }
    let bits = m.vector_lane(usize::from(from.index), 0, to.bytes.min(8));
    m.write(step, 0, bits)
}

/// Runs `movss` or `movsd`: a load clears the lanes above, a move between registers keeps them.
fn scalar<const N: usize>(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.is_memory(0) {
        let bits = m.vector_lane(usize::from(step.operands[1].index), 0, N as u8);
        return m.write(step, 0, bits);
    }
    if step.is_memory(1) {
        let bits = m.read(step, 1)?;
        return m.write_vector(step, &vector_of(bits));
    }
    let sources = if step.operands[2].kind == Kind::Vector {
        (1, 2)
    } else {
        (0, 1)
    };
    let (a, b) = (
        m.read_vector(step, sources.0)?,
        m.read_vector(step, sources.1)?,
    );
    let result = pick::<N>(&a, &b, 16, |index| match index {
        0 => second::<N>(),
        index => index,
    });
    m.write_vector(step, &result)
}

/// Moves one 8-byte half from or to memory; the other half comes from the register.
fn half(m: &mut Machine<'_>, step: &Step, which: usize) -> Flow {
    if step.is_memory(0) {
        let bits = m.vector_lane(usize::from(step.operands[1].index), which, 8);
        return m.write(step, 0, bits);
    }
    let (register, memory) = if step.is_memory(1) { (0, 1) } else { (1, 2) };
    let a = m.read_vector(step, register)?;
    let b = m.read_vector(step, memory)?;
    let result = pick::<8>(&a, &b, 16, |index| {
        if index == which { second::<8>() } else { index }
    });
    m.write_vector(step, &result)
}

fn high_to_low(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let result = pick::<8>(&a, &b, 16, |index| [second::<8>() + 1, 1][index]);
    m.write_vector(step, &result)
}

fn low_to_high(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let result = pick::<8>(&a, &b, 16, |index| [0, second::<8>()][index]);
    m.write_vector(step, &result)
}

fn extract_lane(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let index = step.immediate as usize % usize::from(16 / bytes);
    let bits = m.vector_lane(usize::from(step.operands[1].index), index, bytes);
    m.write(step, 0, bits)
}

fn insert_lane(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let index = step.immediate as usize % usize::from(16 / bytes);
    let mut result = m.read_vector(step, 1)?;
    let bits = m.read(step, 2)?;
    let (at, size) = (index * usize::from(bytes), usize::from(bytes));
    result.bytes[at..at + size].copy_from_slice(&bits.value.to_le_bytes()[..size]);
    let mask = ((1_u64 << size) - 1) << at;
    let known = u64::from(crate::known_bits::bytes_of_bits(bits.known)) << at;
    result.known = (result.known & !mask) | (known & mask);
    m.write_vector(step, &result)
}

fn insertps(m: &mut Machine<'_>, step: &Step) -> Flow {
    let immediate = step.immediate as usize;
    let (a, b) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let from = if step.is_memory(2) {
        0
    } else {
        immediate >> 6 & 3
    };
    let to = immediate >> 4 & 3;
    let result = pick::<4>(&a, &b, 16, |index| {
        if immediate >> index & 1 != 0 {
            super::lanes::ZERO
        } else if index == to {
            second::<4>() + from
        } else {
            index
        }
    });
    m.write_vector(step, &result)
}

/// Repeats the lowest lane of `bytes` bytes.
fn broadcast(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let source = m.read_vector(step, 1)?;
    let mut result = Vector::ZERO;
    let unknown = !source.known & ((1 << bytes) - 1);
    for at in (0..64).step_by(bytes) {
        result.bytes[at..at + bytes].copy_from_slice(&source.bytes[..bytes]);
        result.known &= !(unknown << at);
    }
    m.write_vector(step, &result)
}

fn insert(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let mut result = m.read_vector(step, 1)?;
    let part = m.read_vector(step, 2)?;
    let lanes = usize::from(step.operands[0].bytes) / bytes;
    let at = step.immediate as usize % lanes * bytes;
    result.bytes[at..at + bytes].copy_from_slice(&part.bytes[..bytes]);
    let mask = ((1_u64 << bytes) - 1) << at;
    result.known = (result.known & !mask) | (part.known << at & mask);
    m.write_vector(step, &result)
}

fn extract(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let source = m.read_vector(step, 1)?;
    let lanes = usize::from(step.operands[1].bytes) / bytes;
    let at = step.immediate as usize % lanes * bytes;
    let mut result = Vector::ZERO;
    result.bytes[..bytes].copy_from_slice(&source.bytes[at..at + bytes]);
    let mask = (1_u64 << bytes) - 1;
    result.known = (source.known >> at) | !mask;
    m.write_vector(step, &result)
}

/// Runs `vzeroupper` or `vzeroall`, which clear the first 16 registers from byte `from` on.
fn zero_from(m: &mut Machine<'_>, from: usize) -> Flow {
    for vector in &mut m.state.vectors[..16] {
        vector.bytes[from..].fill(0);
        vector.known |= !((1_u64 << from) - 1);
    }
    Ok::<(), End>(())
}
