//! Callers of code without unwind information.
//!
//! Frame pointers are believed if they lead to a possible caller. A program that is compiled without frame pointers uses
//! `rbp` for anything; that `rbp` then holds an address in the stack, with a return address beside it, has a chance of one in
//! very many.

use crate::row::{Frame, GENERAL, RBP, RSP};
use crate::unwinder::{Ended, Stack};

/// Maximum size of a frame in bytes; with a larger distance, the register holds no frame pointer.
const FRAME_BYTES_MAX: u64 = 8 << 20;

/// Finds the caller of code without unwind information.
///
/// `is_first`: no frame was found by a frame pointer before. `in_tables`: other code of the same file has unwind
/// information, so this code is written by hand, in all likelihood without a frame. `may_return_to` returns true if an
/// address can be a return address.
pub(crate) fn caller(
    frame: &Frame,
    is_first: bool,
    in_tables: bool,
    stack: &mut Stack<'_>,
    may_return_to: &mut dyn FnMut(u64) -> bool,
) -> Result<Frame, Ended> {
    let sp = frame.general[RSP].ok_or(Ended::Bad)?;
    let bp = frame.general[RBP].ok_or(Ended::NoUnwindInfo)?;
    let mut frameless = || {
        let address = stack.read(sp).filter(|_| frame.is_exact)?;
        may_return_to(address).then(|| found(address, sp.wrapping_add(8), bp))
    };
    if in_tables && let Some(caller) = frameless() {
        return Ok(caller);
    }
    // Zero ends a chain of frame pointers; without a chain, the register is merely zero.
    if bp == 0 && !is_first {
        return Err(Ended::Root);
    }
    let is_near =
        (sp..u64::MAX - 16).contains(&bp) && bp - sp <= FRAME_BYTES_MAX && bp.is_multiple_of(8);
    if is_near && let (Some(saved), Some(address)) = (stack.read(bp), stack.read(bp + 8)) {
        if address == 0 && saved == 0 && !is_first {
            return Err(Ended::Root);
        }
        // The return address of the outermost frame need not lie behind a call: Go's runtime writes `goexit` there by hand.
        let is_outermost = saved == 0 && !is_first;
        if is_outermost || may_return_to(address) {
            return Ok(found(address, bp + 16, saved));
        }
    } else if is_near && stack.is_beyond(bp + 8) && !is_first {
        return Err(Ended::Truncated);
    }
    let frameless = stack
        .read(sp)
        .filter(|&address| frame.is_exact && may_return_to(address));
    match frameless {
        Some(address) => Ok(found(address, sp.wrapping_add(8), bp)),
        None => Err(Ended::NoUnwindInfo),
    }
}

fn found(ip: u64, sp: u64, bp: u64) -> Frame {
    let mut general = [None; GENERAL];
    (general[RSP], general[RBP]) = (Some(sp), Some(bp));
    Frame {
        ip,
        general,
        is_exact: false,
    }
}
