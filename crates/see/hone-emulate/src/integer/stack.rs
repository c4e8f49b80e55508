//! push, pop, enter, leave, and the flags on the stack.

use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::{Machine, RAX, RBP, RSP};
use crate::state::flag::{AC, AF, CF, DF, PF, SF, TF, ZF};
use crate::step::Step;
use iced_x86::Mnemonic;

/// The ID flag, which is not in `flag`.
const ID: u64 = 1 << 21;
/// The NT flag.
const NT: u64 = 1 << 14;
/// Flags that `popf` can change in user mode.
const POPPED: u64 = crate::state::flag::STATUS | TF | DF | NT | AC | ID;
/// RF and VM, which `pushf` pushes as 0.
const NOT_PUSHED: u64 = 0x3_0000;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::Push => push,
        Mnemonic::Pop => pop,
        Mnemonic::Leave => leave,
        Mnemonic::Enter => enter,
        Mnemonic::Pushfq => pushf,
        Mnemonic::Popfq => popf,
        Mnemonic::Lahf => lahf,
        Mnemonic::Sahf => sahf,
        _ => return None,
    })
}

/// The stack pointer.
#[inline(always)]
pub(super) fn top(m: &Machine<'_>) -> Result<u64, End> {
    m.state.gprs[RSP].get().ok_or(End::UnknownAddress)
}

#[inline(always)]
pub(super) fn push_value(m: &mut Machine<'_>, bytes: u8, value: Bits) -> Flow {
    let to = top(m)?.wrapping_sub(u64::from(bytes));
    m.store(to, bytes, value)?;
    m.state.gprs[RSP] = Bits::known(to);
    Ok(())
}

fn push(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = m.read(step, 0)?;
    push_value(m, step.operands[0].bytes, value)
}

fn pop(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let from = top(m)?;
    let value = m.load(from, bytes)?;
    let above = Bits::known(from.wrapping_add(u64::from(bytes)));
    // An address in rsp is computed after the increment; `pop rsp` keeps what was popped.
    m.state.gprs[RSP] = above;
    let written = m.write(step, 0, value);
    if written.is_err() {
        m.state.gprs[RSP] = Bits::known(from);
    }
    written
}

fn leave(m: &mut Machine<'_>, _: &Step) -> Flow {
    let frame = m.state.gprs[RBP].get().ok_or(End::UnknownAddress)?;
    let value = m.load(frame, 8)?;
    m.state.gprs[RBP] = value;
    m.state.gprs[RSP] = Bits::known(frame.wrapping_add(8));
    Ok(())
}

fn enter(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.operands[1].index != 0 {
        return Err(End::UnsupportedInstruction(Mnemonic::Enter));
    }
    let frame = m.state.gprs[RBP];
    push_value(m, 8, frame)?;
    let base = top(m)?;
    m.state.gprs[RBP] = Bits::known(base);
    m.state.gprs[RSP] = Bits::known(base.wrapping_sub(step.immediate & 0xffff));
    Ok(())
}

fn pushf(m: &mut Machine<'_>, _: &Step) -> Flow {
    let flags = m.state.rflags;
    let pushed = Bits {
        value: flags.value & !NOT_PUSHED,
        known: flags.known | NOT_PUSHED,
    };
    push_value(m, 8, pushed)
}

fn popf(m: &mut Machine<'_>, _: &Step) -> Flow {
    let from = top(m)?;
    let value = m.load(from, 8)?;
    // Single-stepping and alignment checks would trap from here on.
    if value.within(TF | AC) != Some(0) {
        return Err(End::UnknownTrap);
    }
    m.set_flags_partly(POPPED, value);
    m.state.gprs[RSP] = Bits::known(from.wrapping_add(8));
    Ok(())
}

const LOW_FLAGS: u64 = SF | ZF | AF | PF | CF;

fn lahf(m: &mut Machine<'_>, _: &Step) -> Flow {
    let fixed = Bits::known(2).replaced(LOW_FLAGS, m.state.rflags);
    let high = Bits {
        value: fixed.value << 8,
        known: fixed.known << 8,
    };
    m.state.gprs[RAX] = m.state.gprs[RAX].replaced(0xff00, high);
    Ok(())
}

fn sahf(m: &mut Machine<'_>, _: &Step) -> Flow {
    let high = m.state.gprs[RAX].shifted_right(8);
    m.set_flags_partly(LOW_FLAGS, high);
    Ok(())
}
