//! and, or, xor, not, test, andn: bit by bit, so known zeros and ones survive unknown partners.

use super::flags::set_of_result;
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::flag::{AF, CF, OF};
use crate::step::Step;
use iced_x86::Mnemonic;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Mnemonic::And => and,
        Mnemonic::Or => or,
        Mnemonic::Xor => xor,
        Mnemonic::Not => not,
        Mnemonic::Test => test,
        Mnemonic::Andn => andn,
        _ => return None,
    })
}

#[inline(always)]
fn set_flags(m: &mut Machine<'_>, result: Bits, bytes: u8) {
    m.set_flags(CF | OF, 0);
    m.forget_flags(AF);
    set_of_result(m, result, bytes);
}

#[inline(always)]
fn binary(m: &mut Machine<'_>, step: &Step, combine: impl Fn(Bits, Bits) -> Bits) -> Flow {
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    let result = combine(a, b);
    m.write(step, 0, result)?;
    set_flags(m, result, step.operands[0].bytes);
    Ok(())
}

fn and(m: &mut Machine<'_>, step: &Step) -> Flow {
    binary(m, step, Bits::and)
}

fn or(m: &mut Machine<'_>, step: &Step) -> Flow {
    binary(m, step, Bits::or)
}

fn xor(m: &mut Machine<'_>, step: &Step) -> Flow {
    if step.same(0, 1) {
        m.write(step, 0, Bits::known(0))?;
        set_flags(m, Bits::known(0), step.operands[0].bytes);
        return Ok(());
    }
    binary(m, step, Bits::xor)
}

fn not(m: &mut Machine<'_>, step: &Step) -> Flow {
    let result = m.read(step, 0)?.not();
    m.write(step, 0, result)
}

fn test(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    set_flags(m, a.and(b), step.operands[0].bytes);
    Ok(())
}

fn andn(m: &mut Machine<'_>, step: &Step) -> Flow {
    let (a, b) = (m.read(step, 1)?, m.read(step, 2)?);
    let result = a.not().and(b);
    m.write(step, 0, result)?;
    set_flags(m, result, step.operands[0].bytes);
    m.forget_flags(crate::state::flag::PF);
    Ok(())
}
