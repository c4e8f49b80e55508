//! Moves, extensions, conditional moves and exchanges.

use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::{Machine, RAX, RBX, RDX};
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mov | Movzx | Movnti => mov,
        Movsx | Movsxd => movsx,
        Lea => lea,
        Xchg => xchg,
        Cmova | Cmovae | Cmovb | Cmovbe | Cmove | Cmovg | Cmovge | Cmovl | Cmovle | Cmovne
        | Cmovno | Cmovnp | Cmovns | Cmovo | Cmovp | Cmovs => cmov,
        Seta | Setae | Setb | Setbe | Sete | Setg | Setge | Setl | Setle | Setne | Setno
        | Setnp | Setns | Seto | Setp | Sets => set,
        Bswap => bswap,
        Movbe => movbe,
        Cbw => |m, _| extend(m, 1, 2),
        Cwde => |m, _| extend(m, 2, 4),
        Cdqe => |m, _| extend(m, 4, 8),
        Cwd => |m, _| spread_sign(m, 2),
        Cdq => |m, _| spread_sign(m, 4),
        Cqo => |m, _| spread_sign(m, 8),
        Xlatb => xlatb,
        _ => return None,
    })
}

fn mov(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = m.read(step, 1)?;
    m.write(step, 0, value)
}

fn movsx(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = m.read(step, 1)?.sign_extended(step.operands[1].bytes);
    m.write(step, 0, value)
}

fn lea(m: &mut Machine<'_>, step: &Step) -> Flow {
    let address = m.offset(step);
    m.write(step, 0, address)
}

fn xchg(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    if step.is_memory(1) {
        m.write(step, 1, a)?;
        m.write(step, 0, b)
    } else {
        m.write(step, 0, b)?;
        m.write(step, 1, a)
    }
}

fn cmov(m: &mut Machine<'_>, step: &Step) -> Flow {
    // The source is read whatever the condition; the upper half of a 32-bit target is always cleared.
    let (old, new) = (m.read(step, 0)?, m.read(step, 1)?);
    let value = match m.condition(step.condition) {
        Some(true) => new,
        Some(false) => old,
        None => new.agreed(old),
    };
    m.write(step, 0, value)
}

fn set(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = match m.condition(step.condition) {
        Some(truth) => Bits::known(u64::from(truth)),
        None => Bits::unknown_below(1),
    };
    m.write(step, 0, value)
}

fn swapped(bits: Bits, bytes: u8) -> Bits {
    let shift = 64 - u32::from(bytes) * 8;
    Bits {
        value: bits.value.swap_bytes() >> shift,
        known: bits.known.swap_bytes() >> shift,
    }
}

fn bswap(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let value = match bytes {
        // The result of the 16-bit form is undefined.
        2 => Bits::UNKNOWN,
        _ => swapped(m.read(step, 0)?, bytes),
    };
    m.write(step, 0, value)
}

fn movbe(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = swapped(m.read(step, 1)?, step.operands[0].bytes);
    m.write(step, 0, value)
}

/// Sign-extends the lower half of rax into rax (the cbw family).
fn extend(m: &mut Machine<'_>, from: u8, to: u8) -> Flow {
    let value = m.state.gprs[RAX].sign_extended(from);
    m.set_gpr(RAX, to, value);
    Ok(())
}

/// Fills rdx with the sign of rax (the cwd family).
fn spread_sign(m: &mut Machine<'_>, bytes: u8) -> Flow {
    let sign = m.state.gprs[RAX].shifted_right(u32::from(bytes) * 8 - 8);
    let value = sign.sign_extended(1);
    let spread = Bits {
        value: ((value.value as i64) >> 63) as u64,
        known: ((value.known as i64) >> 63) as u64,
    };
    m.set_gpr(RDX, bytes, spread);
    Ok(())
}

fn xlatb(m: &mut Machine<'_>, step: &Step) -> Flow {
    let index = m.state.gprs[RAX].within(0xff).ok_or(End::UnknownAddress)?;
    let table = m.state.gprs[RBX].get().ok_or(End::UnknownAddress)?;
    if step.address.narrow {
        return Err(End::UnsupportedInstruction(Xlatb));
    }
    let base = m.segment_base(step.address.segment)?;
    let value = m.load(table.wrapping_add(index).wrapping_add(base), 1)?;
    m.set_gpr(RAX, 1, value);
    Ok(())
}
