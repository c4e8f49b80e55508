//! Instructions on single flags, fences, hints, control words and segment bases.

use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::{Bits, mask_of};
use crate::machine::{Machine, RAX, RCX, RDX};
use crate::state::flag::{CF, DF};
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Nop | Endbr64 | Endbr32 | Pause | Lfence | Mfence | Sfence | Prefetchnta | Prefetcht0
        | Prefetcht1 | Prefetcht2 | Prefetch | Prefetchw | Prefetchwt1 | Reservednop | Clflush
        | Clflushopt | Clwb | Cldemote | Serialize => nothing,
        Clc => |m, _| set(m, CF, 0),
        Stc => |m, _| set(m, CF, CF),
        Cld => |m, _| set(m, DF, 0),
        Std => |m, _| set(m, DF, DF),
        Cmc => cmc,
        Fnstcw => fnstcw,
        Fldcw => fldcw,
        Stmxcsr | Vstmxcsr => stmxcsr,
        Ldmxcsr | Vldmxcsr => ldmxcsr,
        Rdfsbase => |m, step| {
            let base = m.state.fs_base;
            m.write(step, 0, base.low(mask_of(step.operands[0].bytes)))
        },
        Wrfsbase => |m, step| {
            m.state.fs_base = new_base(m, step)?;
            Ok(())
        },
        Wrgsbase => |m, step| {
            m.state.gs_base = new_base(m, step)?;
            Ok(())
        },
        Xgetbv => |m, _| read_extended(m, 1),
        Rdpkru => |m, _| read_extended(m, 0),
        Rdgsbase => |m, step| {
            let base = m.state.gs_base;
            m.write(step, 0, base.low(mask_of(step.operands[0].bytes)))
        },
        _ => return None,
    })
}

fn nothing(_: &mut Machine<'_>, _: &Step) -> Flow {
    Ok(())
}

fn set(m: &mut Machine<'_>, which: u64, value: u64) -> Flow {
    m.set_flags(which, value);
    Ok(())
}

fn cmc(m: &mut Machine<'_>, _: &Step) -> Flow {
    let flipped = m.state.rflags.not();
    m.set_flags_partly(CF, flipped);
    Ok(())
}

/// Reads a new segment base; a base outside the user's half of the address space may trap.
fn new_base(m: &mut Machine<'_>, step: &Step) -> Result<Bits, End> {
    let base = m.read(step, 0)?;
    if base.within(!0 << 47) == Some(0) {
        Ok(base)
    } else {
        Err(End::UnknownTrap)
    }
}

/// Runs `xgetbv` or `rdpkru`: unknown results for a number in ecx that exists, a trap for others.
fn read_extended(m: &mut Machine<'_>, last: u64) -> Flow {
    match m.state.gprs[RCX].within(0xffff_ffff) {
        Some(number) if number <= last => {}
        Some(_) => return Err(End::Trap),
        None => return Err(End::UnknownTrap),
    }
    m.set_gpr(RAX, 4, Bits::UNKNOWN);
    m.set_gpr(RDX, 4, Bits::UNKNOWN);
    Ok(())
}

fn fnstcw(m: &mut Machine<'_>, step: &Step) -> Flow {
    let word = m.state.x87_control.low(0xffff);
    let address = m.address(step)?;
    m.store(address, 2, word)
}

fn fldcw(m: &mut Machine<'_>, step: &Step) -> Flow {
    let address = m.address(step)?;
    let word = m.load(address, 2)?;
    // With an exception unmasked, a pending exception would trap.
    if word.within(0x3f) != Some(0x3f) {
        return Err(End::UnknownTrap);
    }
    // Bit 6 always reads as 1 and the reserved bits above 12 as 0.
    m.state.x87_control = Bits::known(0x40).replaced(0x1f3f, word);
    Ok(())
}

fn stmxcsr(m: &mut Machine<'_>, step: &Step) -> Flow {
    let word = m.state.mxcsr.low(0xffff_ffff);
    let address = m.address(step)?;
    m.store(address, 4, word)
}

fn ldmxcsr(m: &mut Machine<'_>, step: &Step) -> Flow {
    let address = m.address(step)?;
    let word = m.load(address, 4)?;
    // Reserved bits trap, and bit 17 is reserved on most CPUs.
    if word.within(0xffff_0000) != Some(0) {
        return Err(End::UnknownTrap);
    }
    m.state.mxcsr = word;
    Ok(())
}
