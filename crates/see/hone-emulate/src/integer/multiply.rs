//! Multiplication and division.

use crate::decode::Entry;
use crate::end::{End, Flow};
use crate::known_bits::{Bits, mask_of};
use crate::machine::{Machine, RAX, RDX};
use crate::state::flag::{AF, CF, OF, PF, SF, STATUS, ZF};
use crate::step::Step;
use iced_x86::Mnemonic;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::Mul => |m, step| multiply(m, step, false),
        Mnemonic::Imul => imul,
        Mnemonic::Div => div,
        Mnemonic::Idiv => idiv,
        Mnemonic::Mulx => mulx,
        _ => return None,
    })
}

fn signed(value: u64, bytes: u8) -> i64 {
    let shift = 64 - u32::from(bytes) * 8;
    (value << shift) as i64 >> shift
}

fn product(a: u64, b: u64, bytes: u8, is_signed: bool) -> u128 {
    if is_signed {
        (i128::from(signed(a, bytes)) * i128::from(signed(b, bytes))) as u128
    } else {
        u128::from(a) * u128::from(b)
    }
}

/// Returns true if a product does not fit in one operand.
fn overflows(product: u128, bytes: u8, is_signed: bool) -> bool {
    let bits = u32::from(bytes) * 8;
    if is_signed {
        i128::from(signed(product as u64, bytes)) != product as i128
    } else {
        product >> bits != 0
    }
}

fn set_flags(m: &mut Machine<'_>, overflow: Option<bool>) {
    m.forget_flags(SF | ZF | AF | PF);
    match overflow {
        Some(overflow) => m.set_flags(CF | OF, if overflow { CF | OF } else { 0 }),
        None => m.forget_flags(CF | OF),
    }
}

/// Sets rdx:rax (or ax) to the product of rax and the operand.
fn multiply(m: &mut Machine<'_>, step: &Step, is_signed: bool) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let factor = m.read(step, 0)?;
    let (low, high, overflow) = match (factor.within(mask), m.state.gprs[RAX].within(mask)) {
        (Some(a), Some(b)) => {
            let product = product(a, b, bytes, is_signed);
            let high = (product >> (u32::from(bytes) * 8)) as u64 & mask;
            let low = product as u64 & mask;
            let overflow = overflows(product, bytes, is_signed);
            (Bits::known(low), Bits::known(high), Some(overflow))
        }
        _ => (Bits::UNKNOWN, Bits::UNKNOWN, None),
    };
    set_pair(m, bytes, low, high);
    set_flags(m, overflow);
    Ok(())
}

/// Sets rdx:rax, or ah:al for bytes.
fn set_pair(m: &mut Machine<'_>, bytes: u8, low: Bits, high: Bits) {
    m.set_gpr(RAX, bytes, low);
    if bytes == 1 {
        let high = Bits {
            value: high.value << 8,
            known: high.known << 8,
        };
        m.state.gprs[RAX] = m.state.gprs[RAX].replaced(0xff00, high);
    } else {
        m.set_gpr(RDX, bytes, high);
    }
}

fn imul(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let (a, b) = match step.operands {
        [_, second, _, _] if second.bytes == 0 => return multiply(m, step, true),
        [_, _, third, _] if third.bytes == 0 => (m.read(step, 0)?, m.read(step, 1)?),
        _ => (m.read(step, 1)?, m.read(step, 2)?),
    };
    match (a.within(mask), b.within(mask)) {
        (Some(a), Some(b)) => {
            let product = product(a, b, bytes, true);
            m.write(step, 0, Bits::known(product as u64 & mask))?;
            set_flags(m, Some(overflows(product, bytes, true)));
        }
        _ => {
            m.write(step, 0, Bits::unknown_below(mask))?;
            set_flags(m, None);
        }
    }
    Ok(())
}

fn mulx(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let factor = m.read(step, 2)?;
    let (low, high) = match (factor.within(mask), m.state.gprs[RDX].within(mask)) {
        (Some(a), Some(b)) => {
            let product = u128::from(a) * u128::from(b);
            let high = (product >> (u32::from(bytes) * 8)) as u64;
            (Bits::known(product as u64 & mask), Bits::known(high))
        }
        _ => (Bits::unknown_below(mask), Bits::unknown_below(mask)),
    };
    // If both targets are the same register, the register gets the high half.
    m.write(step, 1, low)?;
    m.write(step, 0, high)
}

/// Returns the divisor and the dividend. Ends the walk if either is unknown, because the division may then trap.
fn division(m: &mut Machine<'_>, step: &Step) -> Result<(u64, u128), End> {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let divisor = m.read(step, 0)?.within(mask).ok_or(End::UnknownTrap)?;
    if divisor == 0 {
        return Err(End::Trap);
    }
    let (low, high) = if bytes == 1 {
        let both = m.state.gprs[RAX];
        (both.within(0xff), both.shifted_right(8).within(0xff))
    } else {
        (
            m.state.gprs[RAX].within(mask),
            m.state.gprs[RDX].within(mask),
        )
    };
    let (low, high) = low.zip(high).ok_or(End::UnknownTrap)?;
    let dividend = u128::from(high) << (u32::from(bytes) * 8) | u128::from(low);
    Ok((divisor, dividend))
}

fn div(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let (divisor, dividend) = division(m, step)?;
    let divisor = u128::from(divisor);
    let quotient = dividend / divisor;
    if quotient > u128::from(mask_of(bytes)) {
        return Err(End::Trap);
    }
    let remainder = (dividend % divisor) as u64;
    set_pair(
        m,
        bytes,
        Bits::known(quotient as u64),
        Bits::known(remainder),
    );
    m.forget_flags(STATUS);
    Ok(())
}

fn idiv(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let (divisor, dividend) = division(m, step)?;
    let shift = 128 - u32::from(bytes) * 16;
    let dividend = (dividend << shift) as i128 >> shift;
    let divisor = i128::from(signed(divisor, bytes));
    let (Some(quotient), Some(remainder)) =
        (dividend.checked_div(divisor), dividend.checked_rem(divisor))
    else {
        return Err(End::Trap);
    };
    if i128::from(signed(quotient as u64, bytes)) != quotient {
        return Err(End::Trap);
    }
    let low = Bits::known(quotient as u64 & mask);
    set_pair(m, bytes, low, Bits::known(remainder as u64 & mask));
    m.forget_flags(STATUS);
    Ok(())
}
