//! Operations on opmask registers.

use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::{Bits, below_unknown, mask_of};
use crate::machine::Machine;
use crate::state::Vector;
use crate::state::flag::{CF, STATUS, ZF};
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    moves_and_logic(mnemonic)
        .or_else(|| shifts_and_tests(mnemonic))
        .or_else(|| with_vectors(mnemonic))
}

fn moves_and_logic(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Kmovb => |m, step| mov(m, step, 1),
        Kmovw => |m, step| mov(m, step, 2),
        Kmovd => |m, step| mov(m, step, 4),
        Kmovq => |m, step| mov(m, step, 8),
        Knotb => |m, step| not(m, step, 1),
        Knotw => |m, step| not(m, step, 2),
        Knotd => |m, step| not(m, step, 4),
        Knotq => |m, step| not(m, step, 8),
        Kandb => |m, step| binary(m, step, 1, Bits::and),
        Kandw => |m, step| binary(m, step, 2, Bits::and),
        Kandd => |m, step| binary(m, step, 4, Bits::and),
        Kandq => |m, step| binary(m, step, 8, Bits::and),
        Kandnb => |m, step| binary(m, step, 1, |a, b| a.not().and(b)),
        Kandnw => |m, step| binary(m, step, 2, |a, b| a.not().and(b)),
        Kandnd => |m, step| binary(m, step, 4, |a, b| a.not().and(b)),
        Kandnq => |m, step| binary(m, step, 8, |a, b| a.not().and(b)),
        Korb => |m, step| binary(m, step, 1, Bits::or),
        Korw => |m, step| binary(m, step, 2, Bits::or),
        Kord => |m, step| binary(m, step, 4, Bits::or),
        Korq => |m, step| binary(m, step, 8, Bits::or),
        Kxorb => |m, step| xor(m, step, 1, 0),
        Kxorw => |m, step| xor(m, step, 2, 0),
        Kxord => |m, step| xor(m, step, 4, 0),
        Kxorq => |m, step| xor(m, step, 8, 0),
        Kxnorb => |m, step| xor(m, step, 1, u64::MAX),
        Kxnorw => |m, step| xor(m, step, 2, u64::MAX),
        Kxnord => |m, step| xor(m, step, 4, u64::MAX),
        Kxnorq => |m, step| xor(m, step, 8, u64::MAX),
        Kaddb => |m, step| binary(m, step, 1, add),
        Kaddw => |m, step| binary(m, step, 2, add),
        Kaddd => |m, step| binary(m, step, 4, add),
        Kaddq => |m, step| binary(m, step, 8, add),
        _ => return None,
    })
}

fn shifts_and_tests(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Kshiftlb => |m, step| shift(m, step, 1, true),
        Kshiftlw => |m, step| shift(m, step, 2, true),
        Kshiftld => |m, step| shift(m, step, 4, true),
        Kshiftlq => |m, step| shift(m, step, 8, true),
        Kshiftrb => |m, step| shift(m, step, 1, false),
        Kshiftrw => |m, step| shift(m, step, 2, false),
        Kshiftrd => |m, step| shift(m, step, 4, false),
        Kshiftrq => |m, step| shift(m, step, 8, false),
        Kunpckbw => |m, step| unpack(m, step, 1),
        Kunpckwd => |m, step| unpack(m, step, 2),
        Kunpckdq => |m, step| unpack(m, step, 4),
        Kortestb => |m, step| or_test(m, step, 1),
        Kortestw => |m, step| or_test(m, step, 2),
        Kortestd => |m, step| or_test(m, step, 4),
        Kortestq => |m, step| or_test(m, step, 8),
        Ktestb => |m, step| test(m, step, 1),
        Ktestw => |m, step| test(m, step, 2),
        Ktestd => |m, step| test(m, step, 4),
        Ktestq => |m, step| test(m, step, 8),
        _ => return None,
    })
}

fn with_vectors(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Vpmovb2m => |m, step| from_vector(m, step, 1),
        Vpmovw2m => |m, step| from_vector(m, step, 2),
        Vpmovd2m => |m, step| from_vector(m, step, 4),
        Vpmovq2m => |m, step| from_vector(m, step, 8),
        Vpmovm2b => |m, step| to_vector(m, step, 1),
        Vpmovm2w => |m, step| to_vector(m, step, 2),
        Vpmovm2d => |m, step| to_vector(m, step, 4),
        Vpmovm2q => |m, step| to_vector(m, step, 8),
        _ => return None,
    })
}

fn mov(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let value = m.read(step, 1)?.low(mask_of(bytes));
    m.write(step, 0, value)
}

fn not(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let value = m.read(step, 1)?.not().low(mask_of(bytes));
    m.write(step, 0, value)
}

fn binary(m: &mut Machine<'_>, step: &Step, bytes: u8, combine: fn(Bits, Bits) -> Bits) -> Flow {
    let (a, b) = (m.read(step, 1)?, m.read(step, 2)?);
    m.write(step, 0, combine(a, b).low(mask_of(bytes)))
}

/// Runs `kxor` or `kxnor`. A register combined with itself gives a constant: compilers make constants this way.
fn xor(m: &mut Machine<'_>, step: &Step, bytes: u8, flip: u64) -> Flow {
    let value = if step.same(1, 2) {
        Bits::known(flip)
    } else {
        m.read(step, 1)?
            .xor(m.read(step, 2)?)
            .xor(Bits::known(flip))
    };
    m.write(step, 0, value.low(mask_of(bytes)))
}

fn add(a: Bits, b: Bits) -> Bits {
    Bits::partly(
        a.value.wrapping_add(b.value),
        below_unknown(a.known & b.known),
    )
}

fn shift(m: &mut Machine<'_>, step: &Step, bytes: u8, left: bool) -> Flow {
    let mask = mask_of(bytes);
    let value = m.read(step, 1)?.low(mask);
    let count = step.immediate as u32 & 0xff;
    let result = match count {
        0 => value,
        64.. => Bits::known(0),
        _ if left => value.shifted_left(count).low(mask),
        _ => value.shifted_right(count),
    };
    m.write(step, 0, result)
}

/// Combines the lower halves of two masks, the second below the first.
fn unpack(m: &mut Machine<'_>, step: &Step, half: u8) -> Flow {
    let mask = mask_of(half);
    let high = m.read(step, 1)?.low(mask).shifted_left(u32::from(half) * 8);
    let low = m.read(step, 2)?.low(mask);
    m.write(step, 0, high.or(low))
}

fn or_test(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let mask = mask_of(bytes);
    let either = m.read(step, 0)?.or(m.read(step, 1)?).low(mask);
    let missing = either.not().low(mask);
    set_flags(m, either, missing);
    Ok(())
}

fn test(m: &mut Machine<'_>, step: &Step, bytes: u8) -> Flow {
    let mask = mask_of(bytes);
    let (a, b) = (m.read(step, 0)?, m.read(step, 1)?);
    set_flags(m, a.and(b).low(mask), a.not().and(b).low(mask));
    Ok(())
}

/// Sets ZF if `zero` is zero and CF if `carry` is zero; one known bit that is set settles a flag.
fn set_flags(m: &mut Machine<'_>, zero: Bits, carry: Bits) {
    m.set_flags(STATUS, 0);
    for (bits, flag) in [(zero, ZF), (carry, CF)] {
        if bits.value != 0 {
            continue;
        }
        match bits.get() {
            Some(_) => m.set_flags(flag, flag),
            None => m.forget_flags(flag),
        }
    }
}

fn from_vector(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let source = m.read_vector(step, 1)?;
    let lanes = usize::from(step.width) / bytes;
    let bits = super::compare::sign_bits(&source, bytes, lanes);
    m.write(step, 0, bits)
}

fn to_vector(m: &mut Machine<'_>, step: &Step, bytes: usize) -> Flow {
    let mask = m.read(step, 1)?;
    let mut result = Vector::ZERO;
    for lane in 0..usize::from(step.width) / bytes {
        let at = lane * bytes;
        match mask.bit(lane as u32) {
            Some(true) => result.bytes[at..at + bytes].fill(0xff),
            Some(false) => {}
            None => result.known &= !(((1_u64 << bytes) - 1) << at),
        }
    }
    m.write_vector(step, &result)
}
