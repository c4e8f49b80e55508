//! Conversions between integers and floats, and between their sizes.

use super::float::Real;
use super::lanes::{get, is_known, put, signed};
use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::{Bits, mask_of};
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    scalar_entry(mnemonic)
        .or_else(|| from_integers(mnemonic))
        .or_else(|| from_floats(mnemonic))
}

fn scalar_entry(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Cvtsi2ss | Vcvtsi2ss => Entry::binary(|m, s| from_gpr::<4>(m, s, signed_to_f32), 0),
        Cvtsi2sd | Vcvtsi2sd => Entry::binary(|m, s| from_gpr::<8>(m, s, signed_to_f64), 0),
        Vcvtusi2ss => Entry::binary(|m, s| from_gpr::<4>(m, s, |a, _| unsigned_to_f32(a)), 0),
        Vcvtusi2sd => Entry::binary(|m, s| from_gpr::<8>(m, s, |a, _| unsigned_to_f64(a)), 0),
        Cvtss2sd | Vcvtss2sd => Entry::binary(|m, s| resize::<4, 8>(m, s, f32_to_f64), 0),
        Cvtsd2ss | Vcvtsd2ss => Entry::binary(|m, s| resize::<8, 4>(m, s, f64_to_f32), 0),
        Cvtss2si | Vcvtss2si => Entry::plain(|m, s| to_gpr::<f32, 4>(m, s, NEAREST, true)),
        Cvtsd2si | Vcvtsd2si => Entry::plain(|m, s| to_gpr::<f64, 8>(m, s, NEAREST, true)),
        Cvttss2si | Vcvttss2si => Entry::plain(|m, s| to_gpr::<f32, 4>(m, s, TOWARDS_ZERO, true)),
        Cvttsd2si | Vcvttsd2si => Entry::plain(|m, s| to_gpr::<f64, 8>(m, s, TOWARDS_ZERO, true)),
        Vcvtss2usi => Entry::plain(|m, s| to_gpr::<f32, 4>(m, s, NEAREST, false)),
        Vcvtsd2usi => Entry::plain(|m, s| to_gpr::<f64, 8>(m, s, NEAREST, false)),
        Vcvttss2usi => Entry::plain(|m, s| to_gpr::<f32, 4>(m, s, TOWARDS_ZERO, false)),
        Vcvttsd2usi => Entry::plain(|m, s| to_gpr::<f64, 8>(m, s, TOWARDS_ZERO, false)),
        _ => None,
    }
}

fn from_integers(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Cvtdq2ps | Vcvtdq2ps => {
            Entry::masked(|m, s| lanes::<4, 4>(m, s, |a| signed_to_f32(a, 4)), 4)
        }
        Cvtdq2pd | Vcvtdq2pd => {
            Entry::masked(|m, s| lanes::<4, 8>(m, s, |a| signed_to_f64(a, 4)), 8)
        }
        Vcvtqq2pd => Entry::masked(|m, s| lanes::<8, 8>(m, s, |a| signed_to_f64(a, 8)), 8),
        Vcvtqq2ps => Entry::masked(|m, s| lanes::<8, 4>(m, s, |a| signed_to_f32(a, 8)), 4),
        Vcvtudq2ps => Entry::masked(|m, s| lanes::<4, 4>(m, s, unsigned_to_f32), 4),
        Vcvtudq2pd => Entry::masked(|m, s| lanes::<4, 8>(m, s, unsigned_to_f64), 8),
        Vcvtuqq2pd => Entry::masked(|m, s| lanes::<8, 8>(m, s, unsigned_to_f64), 8),
        Vcvtuqq2ps => Entry::masked(|m, s| lanes::<8, 4>(m, s, unsigned_to_f32), 4),
        _ => None,
    }
}

fn from_floats(mnemonic: Mnemonic) -> Option<Entry> {
    match mnemonic {
        Cvtps2pd | Vcvtps2pd => Entry::masked(|m, s| lanes::<4, 8>(m, s, f32_to_f64), 8),
        Cvtpd2ps | Vcvtpd2ps => Entry::masked(|m, s| lanes::<8, 4>(m, s, f64_to_f32), 4),
        Cvtps2dq | Vcvtps2dq => Entry::masked(
            |m, s| lanes::<4, 4>(m, s, |a| integer::<f32>(a, NEAREST, 4)),
            4,
        ),
        Cvttps2dq | Vcvttps2dq => Entry::masked(
            |m, s| lanes::<4, 4>(m, s, |a| integer::<f32>(a, TOWARDS_ZERO, 4)),
            4,
        ),
        Cvtpd2dq | Vcvtpd2dq => Entry::masked(
            |m, s| lanes::<8, 4>(m, s, |a| integer::<f64>(a, NEAREST, 4)),
            4,
        ),
        Cvttpd2dq | Vcvttpd2dq => Entry::masked(
            |m, s| lanes::<8, 4>(m, s, |a| integer::<f64>(a, TOWARDS_ZERO, 4)),
            4,
        ),
        Vcvtpd2qq => Entry::masked(
            |m, s| lanes::<8, 8>(m, s, |a| integer::<f64>(a, NEAREST, 8)),
            8,
        ),
        Vcvttpd2qq => Entry::masked(
            |m, s| lanes::<8, 8>(m, s, |a| integer::<f64>(a, TOWARDS_ZERO, 8)),
            8,
        ),
        _ => None,
    }
}

const NEAREST: u64 = 0;
const TOWARDS_ZERO: u64 = 3;

fn signed_of(value: u64, bytes: u8) -> i64 {
    if bytes == 4 {
        signed::<4>(value)
    } else {
        value as i64
    }
}

fn signed_to_f32(value: u64, bytes: u8) -> u64 {
    (signed_of(value, bytes) as f32).to_lane()
}

fn signed_to_f64(value: u64, bytes: u8) -> u64 {
    (signed_of(value, bytes) as f64).to_lane()
}

fn unsigned_to_f32(value: u64) -> u64 {
    (value as f32).to_lane()
}

fn unsigned_to_f64(value: u64) -> u64 {
    (value as f64).to_lane()
}

/// Converts to `f32`; a NaN keeps the upper bits of its payload and becomes quiet.
fn f64_to_f32(a: u64) -> u64 {
    let value = f64::from_lane(a);
    if value.is_nan() {
        return (a >> 32 & 0x8000_0000) | 0x7fc0_0000 | (a >> 29 & 0x003f_ffff);
    }
    (value as f32).to_lane()
}

fn f32_to_f64(a: u64) -> u64 {
    let value = f32::from_lane(a);
    if value.is_nan() {
        return (a & 0x8000_0000) << 32 | 0x7ff8_0000_0000_0000 | (a & 0x003f_ffff) << 29;
    }
    f64::from(value).to_lane()
}

/// Converts to a signed integer of `bytes` bytes; a value out of range gives the smallest integer.
fn integer<T: Real + std::convert::Into<f64>>(a: u64, mode: u64, bytes: u8) -> u64 {
    let value: f64 = T::from_lane(a).into();
    let value = value.rounded(mode);
    let limit = if bytes == 4 {
        2_147_483_648.0
    } else {
        9_223_372_036_854_775_808.0
    };
    if value >= -limit && value < limit {
        value as i64 as u64 & mask_of(bytes)
    } else {
        1 << (u32::from(bytes) * 8 - 1)
    }
}

/// Converts to an unsigned integer of `bytes` bytes; a value out of range gives all ones.
fn natural<T: Real + std::convert::Into<f64>>(a: u64, mode: u64, bytes: u8) -> u64 {
    let value: f64 = T::from_lane(a).into();
    let value = value.rounded(mode);
    let limit = if bytes == 4 {
        4_294_967_296.0
    } else {
        18_446_744_073_709_551_616.0
    };
    if value >= 0.0 && value < limit {
        value as u64
    } else {
        mask_of(bytes)
    }
}

/// Converts an integer register or memory to the lowest lane; the other lanes come from operand 1.
fn from_gpr<const N: usize>(m: &mut Machine<'_>, step: &Step, convert: fn(u64, u8) -> u64) -> Flow {
    let exact = m.floats_are_exact()?;
    let mut result = m.read_vector(step, 1)?;
    let bytes = step.operands[2].bytes;
    let source = m.read(step, 2)?.within(mask_of(bytes));
    let lane = (1_u64 << N) - 1;
    match source.filter(|_| exact) {
        Some(value) => {
            put::<N>(&mut result.bytes, 0, convert(value, bytes));
            result.known |= lane;
        }
        None => result.known &= !lane,
    }
    m.write_vector(step, &result)
}

fn to_gpr<T: Real + std::convert::Into<f64>, const N: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    mode: u64,
    with_sign: bool,
) -> Flow {
    let exact = m.floats_are_exact()?;
    let source = m.read_vector(step, 1)?;
    let bytes = step.operands[0].bytes;
    let value = if exact && is_known::<N>(source.known, 0) {
        let lane = get::<N>(&source.bytes, 0);
        Bits::known(if with_sign {
            integer::<T>(lane, mode, bytes)
        } else {
            natural::<T>(lane, mode, bytes)
        })
    } else {
        Bits::unknown_below(mask_of(bytes))
    };
    m.write(step, 0, value)
}

/// Converts the lowest lane to another size; the other lanes come from operand 1.
fn resize<const FROM: usize, const TO: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    convert: fn(u64) -> u64,
) -> Flow {
    let exact = m.floats_are_exact()?;
    let (mut result, source) = (m.read_vector(step, 1)?, m.read_vector(step, 2)?);
    let lane = (1_u64 << TO) - 1;
    result.known &= !lane;
    if exact && is_known::<FROM>(source.known, 0) {
        put::<TO>(&mut result.bytes, 0, convert(get::<FROM>(&source.bytes, 0)));
        result.known |= lane;
    }
    m.write_vector(step, &result)
}

/// Converts lane by lane.
#[inline(always)]
fn lanes<const FROM: usize, const TO: usize>(
    m: &mut Machine<'_>,
    step: &Step,
    convert: impl Fn(u64) -> u64,
) -> Flow {
    let exact = m.floats_are_exact()?;
    // In other modes the result is unknown; with a repeated element, the operands do not give the number of lanes.
    if !exact || (step.broadcast && FROM > TO) {
        m.read_vector(step, 1)?;
        return m.write_whole(step, &Vector::UNKNOWN);
    }
    let source = m.read_vector(step, 1)?;
    let count = if FROM > TO {
        usize::from(step.operands[1].bytes) / FROM
    } else {
        usize::from(step.operands[0].bytes) / TO
    };
    let mut result = Vector::ZERO;
    for index in 0..count {
        put::<TO>(
            &mut result.bytes,
            index,
            convert(get::<FROM>(&source.bytes, index)),
        );
        if !is_known::<FROM>(source.known, index) {
            result.known &= !(((1_u64 << TO) - 1) << (index * TO));
        }
    }
    m.write_narrow(step, &result, count * TO)
}
