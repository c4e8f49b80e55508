//! Shifts and rotations. A known count moves the known bits along; an unknown count makes all bits unknown.

use super::flags::set_of_result;
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::{Bits, Truth, mask_of};
use crate::machine::Machine;
use crate::state::flag::{AF, CF, OF, STATUS};
use crate::step::Step;
use iced_x86::Mnemonic;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::Shl | Mnemonic::Sal => |m, step| shift(m, step, left),
        Mnemonic::Shr => |m, step| shift(m, step, right),
        Mnemonic::Sar => |m, step| shift(m, step, right_signed),
        Mnemonic::Rol => |m, step| rotate(m, step, true),
        Mnemonic::Ror => |m, step| rotate(m, step, false),
        Mnemonic::Rcl => |m, step| rotate_through(m, step, true),
        Mnemonic::Rcr => |m, step| rotate_through(m, step, false),
        Mnemonic::Shld => |m, step| double(m, step, true),
        Mnemonic::Shrd => |m, step| double(m, step, false),
        Mnemonic::Shlx => |m, step| without_flags(m, step, left),
        Mnemonic::Shrx => |m, step| without_flags(m, step, right),
        Mnemonic::Sarx => |m, step| without_flags(m, step, right_signed),
        Mnemonic::Rorx => rorx,
        _ => return None,
    })
}

/// A result, the last bit shifted out, and OF as it is for a count of one.
struct Shifted {
    result: Bits,
    carry: Truth,
    overflow: Truth,
}

type Shift = fn(Bits, u32, u8) -> Shifted;

fn differ(a: Truth, b: Truth) -> Truth {
    Some(a? != b?)
}

/// Shifts left by 1 to 63 bits.
fn left(value: Bits, count: u32, bytes: u8) -> Shifted {
    let bits = u32::from(bytes) * 8;
    let result = value.shifted_left(count).low(mask_of(bytes));
    let carry = if count < bits {
        value.bit(bits - count)
    } else {
        None
    };
    Shifted {
        result,
        carry,
        overflow: differ(result.bit(bits - 1), carry),
    }
}

fn right(value: Bits, count: u32, bytes: u8) -> Shifted {
    let bits = u32::from(bytes) * 8;
    let carry = if count < bits {
        value.bit(count - 1)
    } else {
        None
    };
    Shifted {
        result: value.shifted_right(count),
        carry,
        overflow: value.bit(bits - 1),
    }
}

fn right_signed(value: Bits, count: u32, bytes: u8) -> Shifted {
    let extended = value.sign_extended(bytes);
    let result = Bits {
        value: ((extended.value as i64) >> count) as u64,
        known: ((extended.known as i64) >> count) as u64,
    };
    Shifted {
        result: result.low(mask_of(bytes)),
        carry: extended.bit(count - 1),
        overflow: Some(false),
    }
}

/// Returns the count of a shift, masked as the CPU does.
#[inline(always)]
fn count_of(
    m: &mut Machine<'_>,
    step: &Step,
    operand: usize,
) -> Result<Option<u32>, crate::end::End> {
    let mask = if step.operands[0].bytes == 8 { 63 } else { 31 };
    let count = m.read(step, operand)?.within(mask);
    Ok(count.map(|count| count as u32))
}

fn set_flag(m: &mut Machine<'_>, which: u64, truth: Truth) {
    match truth {
        Some(truth) => m.set_flags(which, if truth { which } else { 0 }),
        None => m.forget_flags(which),
    }
}

fn shift(m: &mut Machine<'_>, step: &Step, shift: Shift) -> Flow {
    let bytes = step.operands[0].bytes;
    let value = m.read(step, 0)?;
    match count_of(m, step, 1)? {
        Some(0) => m.write(step, 0, value),
        Some(count) => {
            let shifted = shift(value, count, bytes);
            m.write(step, 0, shifted.result)?;
            m.forget_flags(AF);
            set_flag(m, CF, shifted.carry);
            set_flag(m, OF, shifted.overflow.filter(|_| count == 1));
            set_of_result(m, shifted.result, bytes);
            Ok(())
        }
        None => {
            m.write(step, 0, Bits::unknown_below(mask_of(bytes)))?;
            m.forget_flags(STATUS);
            Ok(())
        }
    }
}

fn without_flags(m: &mut Machine<'_>, step: &Step, shift: Shift) -> Flow {
    let value = m.read(step, 1)?;
    let bytes = step.operands[0].bytes;
    let result = match count_of(m, step, 2)? {
        Some(0) => value,
        Some(count) => shift(value, count, bytes).result,
        None => Bits::unknown_below(mask_of(bytes)),
    };
    m.write(step, 0, result)
}

/// Rotates right by `count`, which is less than the size.
fn rotated(value: Bits, count: u32, bytes: u8) -> Bits {
    let bits = u32::from(bytes) * 8;
    if count == 0 {
        return value;
    }
    let turn = |word: u64| (word >> count) | (word << (bits - count));
    Bits {
        value: turn(value.value),
        known: turn(value.known & mask_of(bytes)),
    }
    .low(mask_of(bytes))
}

fn rotate(m: &mut Machine<'_>, step: &Step, to_left: bool) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u32::from(bytes) * 8;
    let value = m.read(step, 0)?;
    let Some(count) = count_of(m, step, 1)? else {
        m.write(step, 0, Bits::unknown_below(mask_of(bytes)))?;
        m.forget_flags(CF | OF);
        return Ok(());
    };
    let turns = count % bits;
    let right = if to_left {
        (bits - turns) % bits
    } else {
        turns
    };
    let result = rotated(value, right, bytes);
    m.write(step, 0, result)?;
    if count == 0 {
        return Ok(());
    }
    let top = result.bit(bits - 1);
    let (carry, overflow) = if to_left {
        let carry = result.bit(0);
        (carry, differ(carry, top))
    } else {
        (top, differ(top, result.bit(bits - 2)))
    };
    set_flag(m, CF, carry);
    set_flag(m, OF, overflow.filter(|_| count == 1));
    Ok(())
}

/// Runs `rcl` or `rcr`, in which the carry is one more bit of the ring.
fn rotate_through(m: &mut Machine<'_>, step: &Step, to_left: bool) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u32::from(bytes) * 8;
    let mask = mask_of(bytes);
    let value = m.read(step, 0)?;
    let count = count_of(m, step, 1)?;
    if count == Some(0) {
        return m.write(step, 0, value);
    }
    let (Some(value), Some(count), Some(carry)) = (value.within(mask), count, m.flag(CF)) else {
        m.write(step, 0, Bits::unknown_below(mask))?;
        m.forget_flags(CF | OF);
        return Ok(());
    };
    let ring = bits + 1;
    let turns = count % ring;
    let turns = if to_left {
        turns
    } else {
        (ring - turns) % ring
    };
    let whole = u128::from(value) | u128::from(carry) << bits;
    let turned = whole << turns | whole >> (ring - turns);
    let result = turned as u64 & mask;
    let carry = turned >> bits & 1 != 0;
    m.write(step, 0, Bits::known(result))?;
    let top = result >> (bits - 1) & 1 != 0;
    let below = result >> (bits - 2) & 1 != 0;
    let overflow = if to_left { top != carry } else { top != below };
    set_flag(m, CF, Some(carry));
    set_flag(m, OF, Some(overflow).filter(|_| count == 1));
    Ok(())
}

/// Runs `shld` or `shrd`.
fn double(m: &mut Machine<'_>, step: &Step, to_left: bool) -> Flow {
    let bytes = step.operands[0].bytes;
    let bits = u32::from(bytes) * 8;
    let mask = mask_of(bytes);
    let (value, filler) = (m.read(step, 0)?, m.read(step, 1)?);
    let count = count_of(m, step, 2)?;
    if count == Some(0) {
        return m.write(step, 0, value);
    }
    let known = value.within(mask).zip(filler.within(mask));
    let (Some((value, filler)), Some(count)) = (known, count.filter(|&count| count < bits)) else {
        // The result is also undefined if the count is larger than a 16-bit operand.
        m.write(step, 0, Bits::unknown_below(mask))?;
        m.forget_flags(STATUS);
        return Ok(());
    };
    let (result, carry) = if to_left {
        let result = value << count | filler >> (bits - count);
        (result & mask, value >> (bits - count) & 1)
    } else {
        let result = value >> count | filler << (bits - count);
        (result & mask, value >> (count - 1) & 1)
    };
    m.write(step, 0, Bits::known(result))?;
    m.forget_flags(AF);
    set_flag(m, CF, Some(carry != 0));
    let overflow = (value ^ result) >> (bits - 1) & 1 != 0;
    set_flag(m, OF, Some(overflow).filter(|_| count == 1));
    set_of_result(m, Bits::known(result), bytes);
    Ok(())
}

fn rorx(m: &mut Machine<'_>, step: &Step) -> Flow {
    let value = m.read(step, 1)?;
    let bytes = step.operands[0].bytes;
    let mask = if bytes == 8 { 63 } else { 31 };
    let count = step.immediate as u32 & mask;
    m.write(step, 0, rotated(value, count, bytes))
}
