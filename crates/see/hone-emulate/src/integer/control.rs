//! Branches, calls and returns.

use super::stack::{push_value, top};
use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::{Machine, RCX, RSP};
use crate::state::flag::ZF;
use crate::step::{Kind, Step};
use hone_profile::BranchKind;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Ja | Jae | Jb | Jbe | Je | Jg | Jge | Jl | Jle | Jne | Jno | Jnp | Jns | Jo | Jp | Js => {
            jump_if
        }
        Jmp => jmp,
        Call => call,
        Ret => ret,
        Jrcxz => |m, step| jump_if_zero(m, step, u64::MAX),
        Jecxz => |m, step| jump_if_zero(m, step, 0xffff_ffff),
        Loop => |m, step| count_down(m, step, Some(true)),
        Loope => |m, step| {
            let zero = m.flag(ZF);
            count_down(m, step, zero)
        },
        Loopne => |m, step| {
            let zero = m.flag(ZF);
            count_down(m, step, zero.map(|zero| !zero))
        },
        Ud0 | Ud1 | Ud2 => |_, _| Err(End::Trap),
        _ => return None,
    })
}

fn jump_if(m: &mut Machine<'_>, step: &Step) -> Flow {
    match m.condition(step.condition) {
        Some(true) => m.branch(step, step.immediate, BranchKind::Conditional),
        Some(false) => {}
        None => return Err(End::UnknownBranch),
    }
    Ok(())
}

fn target(m: &mut Machine<'_>, step: &Step) -> Result<u64, End> {
    let to = m.read(step, 0)?.get().ok_or(End::UnknownBranch)?;
    Machine::check_target(to)?;
    Ok(to)
}

fn jmp(m: &mut Machine<'_>, step: &Step) -> Flow {
    let to = target(m, step)?;
    let direct = step.operands[0].kind == Kind::Immediate;
    let kind = if direct {
        BranchKind::Jump
    } else {
        BranchKind::IndirectJump
    };
    m.branch(step, to, kind);
    Ok(())
}

fn call(m: &mut Machine<'_>, step: &Step) -> Flow {
    let to = target(m, step)?;
    push_value(m, 8, Bits::known(step.next()))?;
    let direct = step.operands[0].kind == Kind::Immediate;
    let kind = if direct {
        BranchKind::Call
    } else {
        BranchKind::IndirectCall
    };
    m.branch(step, to, kind);
    Ok(())
}

fn ret(m: &mut Machine<'_>, step: &Step) -> Flow {
    let from = top(m)?;
    let to = m.load(from, 8)?.get().ok_or(End::UnknownBranch)?;
    Machine::check_target(to)?;
    let above = from.wrapping_add(8).wrapping_add(step.immediate & 0xffff);
    m.state.gprs[RSP] = Bits::known(above);
    m.branch(step, to, BranchKind::Return);
    Ok(())
}

fn jump_if_zero(m: &mut Machine<'_>, step: &Step, mask: u64) -> Flow {
    let count = m.state.gprs[RCX].low(mask);
    if count.value != 0 {
        return Ok(());
    }
    count.get().ok_or(End::UnknownBranch)?;
    m.branch(step, step.immediate, BranchKind::Conditional);
    Ok(())
}

fn count_down(m: &mut Machine<'_>, step: &Step, condition: Option<bool>) -> Flow {
    let count = m.state.gprs[RCX].get().ok_or(End::UnknownBranch)?;
    let count = count.wrapping_sub(1);
    let taken = count != 0 && condition.ok_or(End::UnknownBranch)?;
    m.state.gprs[RCX] = Bits::known(count);
    if taken {
        m.branch(step, step.immediate, BranchKind::Conditional);
    }
    Ok(())
}
