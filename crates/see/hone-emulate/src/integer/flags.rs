//! The flags that follow from a result.

use crate::known_bits::{Bits, mask_of};
use crate::machine::Machine;
use crate::state::flag::{PF, SF, ZF};

/// Value of PF for every byte.
const PARITY: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).count_ones().is_multiple_of(2) {
            table[byte] = PF as u8;
        }
        byte += 1;
    }
    table
};

/// The highest bit of `bytes` bytes.
#[inline(always)]
pub(super) fn sign_of(bytes: u8) -> u64 {
    1 << (u32::from(bytes) * 8 - 1)
}

/// ZF, SF and PF of a known result, already cut to its size.
#[inline(always)]
pub(super) fn of_result(result: u64, bytes: u8) -> u64 {
    let zero = u64::from(result == 0) << 6;
    let sign = (result >> (u32::from(bytes) * 8 - 1) & 1) << 7;
    zero | sign | u64::from(PARITY[usize::from(result as u8)])
}

/// Sets ZF, SF and PF of a result that may be partly unknown.
pub(super) fn set_of_result(m: &mut Machine<'_>, result: Bits, bytes: u8) {
    let mask = mask_of(bytes);
    if let Some(result) = result.within(mask) {
        m.set_flags(ZF | SF | PF, of_result(result, bytes));
        return;
    }
    m.forget_flags(ZF | SF | PF);
    if result.value & mask != 0 {
        m.set_flags(ZF, 0);
    }
    if let Some(sign) = result.within(sign_of(bytes)) {
        m.set_flags(SF, if sign != 0 { SF } else { 0 });
    }
    if let Some(low) = result.within(0xff) {
        m.set_flags(PF, of_result(low, 1));
    }
}
