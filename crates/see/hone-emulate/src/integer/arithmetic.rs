//! Addition, subtraction and comparison.
//!
//! Where operands are partly unknown, the bits below the lowest unknown one are still known.

use super::flags::{of_result, set_of_result};
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::{Bits, below_unknown, mask_of};
use crate::machine::{Machine, RAX, RBX, RCX, RDX};
use crate::state::flag::{AF, CF, OF, PF, STATUS, ZF};
use crate::step::Step;
use iced_x86::Mnemonic;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::Add => add,
        Mnemonic::Sub => sub,
        Mnemonic::Cmp => cmp,
        Mnemonic::Adc => adc,
        Mnemonic::Sbb => sbb,
        Mnemonic::Inc => inc,
        Mnemonic::Dec => dec,
        Mnemonic::Neg => neg,
        Mnemonic::Adcx => adcx,
        Mnemonic::Adox => adox,
        Mnemonic::Xadd => xadd,
        Mnemonic::Cmpxchg => cmpxchg,
        Mnemonic::Cmpxchg8b => cmpxchg8b,
        Mnemonic::Cmpxchg16b => cmpxchg16b,
        _ => return None,
    })
}

/// A sum or difference, and its flags.
struct Outcome {
    result: Bits,
    flags: u64,
    known: bool,
}

impl Outcome {
    #[inline(always)]
    fn set_flags(&self, m: &mut Machine<'_>, bytes: u8) {
        if self.known {
            m.set_flags(STATUS, self.flags);
        } else {
            m.forget_flags(CF | OF | AF);
            set_of_result(m, self.result, bytes);
        }
    }
}

#[inline(always)]
fn sum(a: Bits, b: Bits, carry: u64, bytes: u8) -> Outcome {
    let mask = mask_of(bytes);
    if a.known & b.known & mask == mask {
        let (a, b) = (a.value & mask, b.value & mask);
        let result = a.wrapping_add(b).wrapping_add(carry) & mask;
        let carries = (a & b) | ((a | b) & !result);
        let overflow = (a ^ result) & (b ^ result);
        let flags =
            of_result(result, bytes) | common_flags(carries, overflow, a ^ b ^ result, bytes);
        return Outcome {
            result: Bits::known(result),
            flags,
            known: true,
        };
    }
    partly(
        a,
        b,
        a.value.wrapping_add(b.value).wrapping_add(carry),
        mask,
    )
}

#[inline(always)]
fn difference(a: Bits, b: Bits, borrow: u64, bytes: u8) -> Outcome {
    let mask = mask_of(bytes);
    if a.known & b.known & mask == mask {
        let (a, b) = (a.value & mask, b.value & mask);
        let result = a.wrapping_sub(b).wrapping_sub(borrow) & mask;
        let borrows = (!a & b) | ((!a | b) & result);
        let overflow = (a ^ b) & (a ^ result);
        let flags =
            of_result(result, bytes) | common_flags(borrows, overflow, a ^ b ^ result, bytes);
        return Outcome {
            result: Bits::known(result),
            flags,
            known: true,
        };
    }
    partly(
        a,
        b,
        a.value.wrapping_sub(b.value).wrapping_sub(borrow),
        mask,
    )
}

#[inline(always)]
fn common_flags(carries: u64, overflow: u64, halves: u64, bytes: u8) -> u64 {
    let top = u32::from(bytes) * 8 - 1;
    (carries >> top & 1) | (overflow >> top & 1) << 11 | (halves & AF)
}

#[cold]
fn partly(a: Bits, b: Bits, value: u64, mask: u64) -> Outcome {
    Outcome {
        result: Bits::partly(value, below_unknown(a.known & b.known)).low(mask),
        flags: 0,
        known: false,
    }
}

#[inline(always)]
fn binary(
    m: &mut Machine<'_>,
    step: &Step,
    combine: impl Fn(Bits, Bits, u64, u8) -> Outcome,
) -> Flow {
    let bytes = step.operands[0].bytes;
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    let outcome = combine(a, b, 0, bytes);
    m.write(step, 0, outcome.result)?;
    outcome.set_flags(m, bytes);
    Ok(())
}

fn add(m: &mut Machine<'_>, step: &Step) -> Flow {
    binary(m, step, sum)
}

fn sub(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(0, 1) {
        m.write(step, 0, Bits::known(0))?;
        m.set_flags(STATUS, ZF | PF);
        return Ok(());
    }
    binary(m, step, difference)
}

fn cmp(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(0, 1) {
        m.set_flags(STATUS, ZF | PF);
        return Ok(());
    }
    let bytes = step.operands[0].bytes;
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    difference(a, b, 0, bytes).set_flags(m, bytes);
    Ok(())
}

#[inline(always)]
fn with_carry(
    m: &mut Machine<'_>,
    step: &Step,
    combine: impl Fn(Bits, Bits, u64, u8) -> Outcome,
) -> Flow {
    let bytes = step.operands[0].bytes;
    let (mut a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    let carry = m.flag(CF);
    if carry.is_none() {
        a = Bits::unknown_below(mask_of(bytes));
    }
    let outcome = combine(a, b, u64::from(carry.unwrap_or(false)), bytes);
    m.write(step, 0, outcome.result)?;
    outcome.set_flags(m, bytes);
    Ok(())
}

fn adc(m: &mut Machine<'_>, step: &Step) -> Flow {
    with_carry(m, step, sum)
}

fn sbb(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(0, 1)
        && let Some(borrow) = m.flag(CF)
    {
        let bytes = step.operands[0].bytes;
        let outcome = difference(Bits::known(0), Bits::known(0), u64::from(borrow), bytes);
        m.write(step, 0, outcome.result)?;
        outcome.set_flags(m, bytes);
        return Ok(());
    }
    with_carry(m, step, difference)
}

/// Runs `inc` or `dec`, which leave CF unchanged.
#[inline(always)]
fn by_one(
    m: &mut Machine<'_>,
    step: &Step,
    combine: impl Fn(Bits, Bits, u64, u8) -> Outcome,
) -> Flow {
    let bytes = step.operands[0].bytes;
    let outcome = combine(m.read(step, 0)?, Bits::known(1), 0, bytes);
    m.write(step, 0, outcome.result)?;
    let carry = m.state.rflags;
    outcome.set_flags(m, bytes);
    m.set_flags_partly(CF, carry);
    Ok(())
}

fn inc(m: &mut Machine<'_>, step: &Step) -> Flow {
    by_one(m, step, sum)
}

fn dec(m: &mut Machine<'_>, step: &Step) -> Flow {
    by_one(m, step, difference)
}

fn neg(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let outcome = difference(Bits::known(0), m.read(step, 0)?, 0, bytes);
    m.write(step, 0, outcome.result)?;
    outcome.set_flags(m, bytes);
    Ok(())
}

/// Runs `adcx` or `adox`, which change one flag only.
fn add_with(m: &mut Machine<'_>, step: &Step, carry: u64) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    let (Some(a), Some(b), Some(carried)) = (a.within(mask), b.within(mask), m.flag(carry)) else {
        m.write(step, 0, Bits::unknown_below(mask))?;
        m.forget_flags(carry);
        return Ok(());
    };
    let total = u128::from(a) + u128::from(b) + u128::from(carried);
    m.write(step, 0, Bits::known(total as u64 & mask))?;
    let out = total >> (u32::from(bytes) * 8) != 0;
    m.set_flags(carry, if out { carry } else { 0 });
    Ok(())
}

fn adcx(m: &mut Machine<'_>, step: &Step) -> Flow {
    add_with(m, step, CF)
}

fn adox(m: &mut Machine<'_>, step: &Step) -> Flow {
    add_with(m, step, OF)
}

fn xadd(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    let outcome = sum(a, b, 0, bytes);
    if step.is_memory(0) {
        m.write(step, 0, outcome.result)?;
        m.write(step, 1, a)?;
    } else {
        // If both operands are the same register, the register ends with the sum.
        m.write(step, 1, a)?;
        m.write(step, 0, outcome.result)?;
    }
    outcome.set_flags(m, bytes);
    Ok(())
}

fn cmpxchg(m: &mut Machine<'_>, step: &Step) -> Flow {
    let bytes = step.operands[0].bytes;
    let mask = mask_of(bytes);
    let old = m.read(step, 0)?;
    let expected = m.state.gprs[RAX].low(mask);
    let outcome = difference(expected, old, 0, bytes);
    let new = m.read(step, 1)?;
    let equal = if outcome.known {
        Some(outcome.flags & ZF != 0)
    } else if (expected.value ^ old.value) & expected.known & old.known != 0 {
        Some(false)
    } else {
        None
    };
    match equal {
        Some(true) => m.write(step, 0, new)?,
        Some(false) => {
            if step.is_memory(0) {
                // The old value is written back.
                m.write(step, 0, old)?;
            } else {
                keep_but_upper(m, step);
            }
            m.set_gpr(RAX, bytes, old);
        }
        None => {
            if step.is_memory(0) {
                m.write(step, 0, new.agreed(old))?;
            } else {
                let before = m.state.gprs[usize::from(step.operands[0].index & 15)];
                m.write(step, 0, new.agreed(old))?;
                let after = &mut m.state.gprs[usize::from(step.operands[0].index & 15)];
                *after = after.replaced(!mask, after.agreed(before));
            }
            // A failed exchange of 32 bits clears the upper half of rax, a successful one need not.
            let (kept, mut replaced) = (m.state.gprs[RAX], m.state.gprs[RAX]);
            replaced = match bytes {
                4 => old.low(mask),
                8 => old,
                _ => replaced.replaced(mask, old),
            };
            m.state.gprs[RAX] = kept.agreed(replaced);
        }
    }
    outcome.set_flags(m, bytes);
    Ok(())
}

/// Keeps a 32-bit register after a failed exchange. CPUs differ in whether the upper half of the register is
/// cleared.
fn keep_but_upper(m: &mut Machine<'_>, step: &Step) {
    let operand = step.operands[0];
    if operand.bytes == 4 {
        let register = &mut m.state.gprs[usize::from(operand.index & 15)];
        *register = register.agreed(register.low(0xffff_ffff));
    }
}

/// Runs the pair forms, which compare and exchange two halves of `half` bytes and set ZF only.
fn cmpxchg_pair(m: &mut Machine<'_>, step: &Step, half: u8) -> Flow {
    let address = m.address(step)?;
    let high_address = address.wrapping_add(u64::from(half));
    let mask = mask_of(half);
    let low = m.load(address, half)?;
    let high = m.load(high_address, half)?;
    let known = [low, high, m.state.gprs[RAX], m.state.gprs[RDX]]
        .iter()
        .all(|bits| bits.within(mask).is_some());
    if !known {
        return Err(crate::end::End::UnknownTrap);
    }
    let equal =
        low.value == m.state.gprs[RAX].value & mask && high.value == m.state.gprs[RDX].value & mask;
    let (new_low, new_high) = if equal {
        (m.state.gprs[RBX], m.state.gprs[RCX])
    } else {
        (low, high)
    };
    // Touch the second half first, so that a page that may not be written ends the walk before any change.
    m.store(high_address, half, high)?;
    m.store(address, half, new_low)?;
    m.store(high_address, half, new_high)?;
    if !equal {
        m.set_gpr(RAX, half, low);
        m.set_gpr(RDX, half, high);
    }
    m.set_flags(ZF, if equal { ZF } else { 0 });
    Ok(())
}

fn cmpxchg8b(m: &mut Machine<'_>, step: &Step) -> Flow {
    cmpxchg_pair(m, step, 4)
}

fn cmpxchg16b(m: &mut Machine<'_>, step: &Step) -> Flow {
    cmpxchg_pair(m, step, 8)
}

/// Sets the flags of a comparison, for the string instructions.
pub(super) fn compare(m: &mut Machine<'_>, a: Bits, b: Bits, bytes: u8) {
    difference(a, b, 0, bytes).set_flags(m, bytes);
}
