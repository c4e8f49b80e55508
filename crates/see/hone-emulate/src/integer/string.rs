//! String instructions, alone and repeated.
//!
//! A repeated string instruction counts as one instruction. Each round is complete in itself, so a walk that ends
//! between two rounds leaves the registers as the CPU would.

use super::arithmetic::compare;
use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::{Bits, mask_of};
use crate::machine::{Machine, RAX, RCX, RDI, RSI};
use crate::memory::Pages;
use crate::state::flag::{DF, ZF};
use crate::step::{Repeat, Step};
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Movsb | Movsw | Movsd | Movsq => movs,
        Stosb | Stosw | Stosd | Stosq => stos,
        Lodsb | Lodsw | Lodsd | Lodsq => lods,
        Scasb | Scasw | Scasd | Scasq => scas,
        Cmpsb | Cmpsw | Cmpsd | Cmpsq => cmps,
        _ => return None,
    })
}

/// Size of an element in bytes: the size of the first operand, which is in memory or in rax.
fn size_of(step: &Step) -> u8 {
    step.operands[0].bytes
}

/// Returns the distance in bytes by which the pointers move in a round.
fn stride(m: &Machine<'_>, step: &Step) -> Result<u64, End> {
    if step.address.narrow {
        return Err(End::UnsupportedInstruction(Movsb));
    }
    let size = u64::from(size_of(step));
    match m.flag(DF) {
        Some(false) => Ok(size),
        Some(true) => Ok(size.wrapping_neg()),
        None => Err(End::UnknownAddress),
    }
}

fn pointer(m: &Machine<'_>, register: usize) -> Result<u64, End> {
    m.state.gprs[register].get().ok_or(End::UnknownAddress)
}

/// Returns the address of the source; only the source has a segment.
fn source(m: &Machine<'_>, step: &Step) -> Result<u64, End> {
    Ok(pointer(m, RSI)?.wrapping_add(m.segment_base(step.address.segment)?))
}

fn advance(m: &mut Machine<'_>, register: usize, by: u64) {
    let pointer = m.state.gprs[register].value;
    m.state.gprs[register] = Bits::known(pointer.wrapping_add(by));
}

/// Runs the rounds: `round` gets the number of rounds left and returns the number of rounds it did.
fn repeat(
    m: &mut Machine<'_>,
    step: &Step,
    mut round: impl FnMut(&mut Machine<'_>, u64) -> Result<u64, End>,
) -> Flow {
    if step.repeat == Repeat::No {
        round(m, 1)?;
        return Ok(());
    }
    let mut left = m.state.gprs[RCX].get().ok_or(End::UnknownTrap)?;
    while left != 0 {
        left -= round(m, left)?;
        m.state.gprs[RCX] = Bits::known(left);
    }
    Ok(())
}

/// Runs the rounds as `repeat` does, for instructions that also stop at a comparison.
fn repeat_while(
    m: &mut Machine<'_>,
    step: &Step,
    mut round: impl FnMut(&mut Machine<'_>) -> Flow,
) -> Flow {
    let go_on = match step.repeat {
        Repeat::No => return round(m),
        Repeat::Equal => true,
        Repeat::NotEqual => false,
    };
    let mut left = m.state.gprs[RCX].get().ok_or(End::UnknownTrap)?;
    while left != 0 {
        round(m)?;
        left -= 1;
        m.state.gprs[RCX] = Bits::known(left);
        if m.flag(ZF) != Some(go_on) {
            break;
        }
    }
    Ok(())
}

fn movs(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (stride, size) = (stride(m, step)?, size_of(step));
    repeat(m, step, |m, left| {
        let (from, to) = (source(m, step)?, pointer(m, RDI)?);
        let mut rounds = 1;
        let bytes = left.saturating_mul(u64::from(size)).min(1 << 16) as usize;
        let copied = if left > 1 && stride == u64::from(size) {
            // Only whole elements are copied; an element that crosses the end of a page is moved alone.
            let whole = Pages::copy_room(to, from, bytes) / usize::from(size) * usize::from(size);
            m.pages.copy(m.memory, to, from, whole)?
        } else {
            0
        };
        if copied == 0 {
            let value = m.load(from, size)?;
            m.store(to, size, value)?;
        } else {
            rounds = copied as u64 / u64::from(size);
        }
        advance(m, RSI, stride.wrapping_mul(rounds));
        advance(m, RDI, stride.wrapping_mul(rounds));
        Ok(rounds)
    })
}

fn stos(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (stride, size) = (stride(m, step)?, size_of(step));
    let value = m.state.gprs[RAX].low(mask_of(size));
    repeat(m, step, |m, left| {
        let to = pointer(m, RDI)?;
        let rounds = 64 / u64::from(size);
        let uniform = value.within(mask_of(size));
        if let Some(value) = uniform
            && left >= rounds
            && stride == u64::from(size)
        {
            let mut bytes = [0; 64];
            for element in bytes.chunks_exact_mut(usize::from(size)) {
                element.copy_from_slice(&value.to_le_bytes()[..usize::from(size)]);
            }
            m.pages.store_bytes(m.memory, to, &bytes, u64::MAX)?;
            advance(m, RDI, 64);
            return Ok(rounds);
        }
        m.store(to, size, value)?;
        advance(m, RDI, stride);
        Ok(1)
    })
}

fn lods(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (stride, size) = (stride(m, step)?, size_of(step));
    repeat(m, step, |m, _| {
        let from = source(m, step)?;
        let value = m.load(from, size)?;
        m.set_gpr(RAX, size, value);
        advance(m, RSI, stride);
        Ok(1)
    })
}

fn scas(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (stride, size) = (stride(m, step)?, size_of(step));
    repeat_while(m, step, |m| {
        let at = pointer(m, RDI)?;
        let value = m.load(at, size)?;
        let wanted = m.state.gprs[RAX].low(mask_of(size));
        compare_round(m, step, wanted, value)?;
        advance(m, RDI, stride);
        Ok(())
    })
}

fn cmps(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (stride, size) = (stride(m, step)?, size_of(step));
    repeat_while(m, step, |m| {
        let (left, right) = (source(m, step)?, pointer(m, RDI)?);
        let left = m.load(left, size)?;
        let right = m.load(right, size)?;
        compare_round(m, step, left, right)?;
        advance(m, RSI, stride);
        advance(m, RDI, stride);
        Ok(())
    })
}

/// Compares two elements; a repeated instruction must know whether to go on before it moves its pointers.
fn compare_round(m: &mut Machine<'_>, step: &Step, left: Bits, right: Bits) -> Flow {
    let flags = m.state.rflags;
    compare(m, left, right, size_of(step));
    if step.repeat != Repeat::No && m.flag(ZF).is_none() {
        m.state.rflags = flags;
        return Err(End::UnknownTrap);
    }
    Ok(())
}
