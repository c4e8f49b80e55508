//! Bit tests, bit scans, counts, BMI1 and BMI2, crc32.

use super::flags::{of_result, sign_of};
use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::{Bits, mask_of};
use crate::machine::Machine;
use crate::state::flag::{AF, CF, OF, PF, SF, STATUS, ZF};
use crate::step::{Kind, Step};
use iced_x86::Mnemonic;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::Bt => |m, step| bit_test(m, step, None),
        Mnemonic::Bts => |m, step| bit_test(m, step, Some(|value, bit| value | bit)),
        Mnemonic::Btr => |m, step| bit_test(m, step, Some(|value, bit| value & !bit)),
        Mnemonic::Btc => |m, step| bit_test(m, step, Some(|value, bit| value ^ bit)),
        Mnemonic::Bsf => |m, step| scan(m, step, u64::trailing_zeros),
        Mnemonic::Bsr => |m, step| scan(m, step, |value| 63 - value.leading_zeros()),
        Mnemonic::Tzcnt => {
            |m, step| count_zeros(m, step, |value, bits| value.trailing_zeros().min(bits))
        }
        Mnemonic::Lzcnt => {
            |m, step| count_zeros(m, step, |value, bits| value.leading_zeros() - (64 - bits))
        }
        Mnemonic::Popcnt => popcnt,
        Mnemonic::Blsi => {
            |m, step| lowest(m, step, |value| (value & value.wrapping_neg(), value != 0))
        }
        Mnemonic::Blsr => {
            |m, step| lowest(m, step, |value| (value & value.wrapping_sub(1), value == 0))
        }
        Mnemonic::Blsmsk => {
            |m, step| lowest(m, step, |value| (value ^ value.wrapping_sub(1), value == 0))
        }
        Mnemonic::Bextr => bextr,
        Mnemonic::Bzhi => bzhi,
        Mnemonic::Pdep => |m, step| scatter(m, step, deposit),
        Mnemonic::Pext => |m, step| scatter(m, step, extract),
        Mnemonic::Crc32 => crc32,
        _ => return None,
    })
}

type Change = fn(u64, u64) -> u64;

fn bit_test(m: &mut Machine<'_>, step: &Step, change: Option<Change>) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u64::from(bytes) * 8;
    let Some(index) = m.read(step, 1)?.within(mask_of(step.operands[1].bytes)) else {
        return unknown_index(m, step, change.is_some());
    };
    let bit = 1 << (index % bits);
    let (value, address) = if step.is_memory(0) {
        let mut address = m.address(step)?;
        if step.operands[1].kind == Kind::Gpr {
            // An index in a register reaches beyond the operand, in both directions.
            let shift = 64 - u32::from(step.operands[1].bytes) * 8;
            let index = (index << shift) as i64 >> shift;
            let offset = index.div_euclid(bits as i64) * i64::from(bytes);
            address = address.wrapping_add(offset as u64);
        }
        (m.load(address, bytes)?, Some(address))
    } else {
        (m.read(step, 0)?, None)
    };
    if let Some(change) = change {
        // Setting or clearing makes the bit known; flipping does not.
        let certain = change(0, bit) == change(bit, bit);
        let known = value.known | if certain { bit } else { 0 };
        let changed = Bits::partly(change(value.value, bit), known);
        match address {
            Some(address) => m.store(address, bytes, changed)?,
            None => m.write(step, 0, changed)?,
        }
    }
    m.forget_flags(OF | SF | AF | PF | CF);
    if let Some(found) = value.within(bit) {
        m.set_flags(CF, if found != 0 { CF } else { 0 });
    }
    Ok(())
}

fn unknown_index(m: &mut Machine<'_>, step: &Step, changes: bool) -> Flow {
    if step.is_memory(0) {
        return Err(End::UnknownAddress);
    }
    if changes {
        m.write(
            step,
            0,
            Bits::unknown_below(mask_of(step.operands[0].bytes)),
        )?;
    }
    m.forget_flags(OF | SF | AF | PF | CF);
    Ok(())
}

/// Runs `bsf` or `bsr`. For a source of zero the target keeps its value, though a 32-bit target may lose its upper
/// half.
fn scan(m: &mut Machine<'_>, step: &Step, find: fn(u64) -> u32) -> Flow {
    let mask = mask_of(step.operands[0].bytes);
    let source = m.read(step, 1)?;
    let index = usize::from(step.operands[0].index);
    let old = m.state.gprs[index & 15];
    m.forget_flags(STATUS);
    match source.within(mask) {
        Some(0) => {
            if mask == 0xffff_ffff {
                let zeroed = old.low(mask);
                m.state.gprs[index & 15] = old.agreed(zeroed);
            }
            m.set_flags(ZF, ZF);
        }
        Some(value) => {
            m.write(step, 0, Bits::known(u64::from(find(value))))?;
            m.set_flags(ZF, 0);
        }
        None => {
            let touched = if mask == 0xffff { mask } else { u64::MAX };
            m.state.gprs[index & 15] = old.replaced(touched, Bits::UNKNOWN);
            if source.value != 0 {
                m.set_flags(ZF, 0);
            }
        }
    }
    Ok(())
}

fn count_zeros(m: &mut Machine<'_>, step: &Step, count: fn(u64, u32) -> u32) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u32::from(bytes) * 8;
    let mask = mask_of(bytes);
    let source = m.read(step, 1)?.within(mask);
    m.forget_flags(STATUS);
    let Some(value) = source else {
        return m.write(step, 0, Bits::unknown_below(0x7f));
    };
    let count = count(value, bits);
    m.write(step, 0, Bits::known(u64::from(count)))?;
    let zero = if count == 0 { ZF } else { 0 };
    let carry = if count == bits { CF } else { 0 };
    m.set_flags(ZF | CF, zero | carry);
    Ok(())
}

fn popcnt(m: &mut Machine<'_>, step: &Step) -> Flow {
    let mask = mask_of(step.operands[0].bytes);
    let source = m.read(step, 1)?;
    m.set_flags(STATUS, 0);
    let Some(value) = source.within(mask) else {
        m.forget_flags(ZF);
        return m.write(step, 0, Bits::unknown_below(0x7f));
    };
    m.set_flags(ZF, if value == 0 { ZF } else { 0 });
    m.write(step, 0, Bits::known(u64::from(value.count_ones())))
}

/// Runs the bls family, which computes a result and CF from one operand.
fn lowest(m: &mut Machine<'_>, step: &Step, compute: fn(u64) -> (u64, bool)) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let source = m.read(step, 1)?.within(mask);
    m.forget_flags(STATUS);
    let Some(value) = source else {
        return m.write(step, 0, Bits::unknown_below(mask));
    };
    let (result, carry) = compute(value);
    let result = result & mask;
    m.write(step, 0, Bits::known(result))?;
    let flags = of_result(result, bytes) | u64::from(carry);
    m.set_flags(ZF | SF | CF | OF, flags);
    Ok(())
}

fn bextr(m: &mut Machine<'_>, step: &Step) -> Flow {
    let mask = mask_of(step.operands[0].bytes);
    let (source, control) = (m.read(step, 1)?, m.read(step, 2)?.within(0xffff));
    m.forget_flags(STATUS);
    let result = match control {
        Some(control) => {
            let (start, length) = ((control & 0xff) as u32, (control >> 8) as u32);
            let shifted = match start {
                0..64 => source.shifted_right(start),
                _ => Bits::known(0),
            };
            match length {
                0..64 => shifted.low((1 << length) - 1),
                _ => shifted,
            }
        }
        None => Bits::unknown_below(mask),
    };
    m.write(step, 0, result)?;
    if let Some(result) = result.get() {
        m.set_flags(ZF, if result == 0 { ZF } else { 0 });
        m.set_flags(CF | OF, 0);
    }
    Ok(())
}

fn bzhi(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u64::from(bytes) * 8;
    let mask = mask_of(bytes);
    let (source, index) = (m.read(step, 1)?, m.read(step, 2)?.within(0xff));
    m.forget_flags(STATUS);
    let Some(index) = index else {
        return m.write(step, 0, Bits::unknown_below(mask));
    };
    let result = if index < bits {
        source.low((1 << index) - 1)
    } else {
        source
    };
    m.write(step, 0, result)?;
    m.set_flags(OF, 0);
    m.set_flags(CF, if index >= bits { CF } else { 0 });
    if let Some(result) = result.within(mask) {
        m.set_flags(ZF | SF, of_result(result, bytes));
    } else if let Some(sign) = result.within(sign_of(bytes)) {
        m.set_flags(SF, if sign != 0 { SF } else { 0 });
    }
    Ok(())
}

fn scatter(m: &mut Machine<'_>, step: &Step, compute: fn(u64, u64) -> u64) -> Flow {
    let mask = mask_of(step.operands[0].bytes);
    let (source, selector) = (m.read(step, 1)?, m.read(step, 2)?);
    let result = match (source.within(mask), selector.within(mask)) {
        (Some(source), Some(selector)) => Bits::known(compute(source, selector)),
        _ => Bits::unknown_below(mask),
    };
    m.write(step, 0, result)
}

fn deposit(source: u64, mut selector: u64) -> u64 {
    let mut result = 0;
    let mut next = 0;
    while selector != 0 {
        let bit = selector & selector.wrapping_neg();
        if source >> next & 1 != 0 {
            result |= bit;
        }
        next += 1;
        selector ^= bit;
    }
    result
}

fn extract(source: u64, mut selector: u64) -> u64 {
    let mut result = 0;
    let mut next = 0;
    while selector != 0 {
        let bit = selector & selector.wrapping_neg();
        if source & bit != 0 {
            result |= 1 << next;
        }
        next += 1;
        selector ^= bit;
    }
    result
}

/// Computes CRC-32C, least significant bit first.
fn crc32(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[1].bytes;
    let (crc, data) = (m.read(step, 0)?, m.read(step, 1)?);
    let result = match (crc.within(0xffff_ffff), data.within(mask_of(bytes))) {
        (Some(crc), Some(data)) => {
            let mut state = crc ^ data;
            for _ in 0..u32::from(bytes) * 8 {
                state = (state >> 1) ^ if state & 1 != 0 { 0x82f6_3b78 } else { 0 };
            }
            Bits::known(state)
        }
        _ => Bits::unknown_below(0xffff_ffff),
    };
    m.write(step, 0, result)
}
