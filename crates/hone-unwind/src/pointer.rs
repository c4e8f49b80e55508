//! Code without unwind information: what can be believed there.
//!
//! Frame pointers, if they lead to what can be a caller. A program that is compiled without them uses `rbp` for
//! anything; that it holds a place in the stack, beside which stands the address behind a call, is then a chance of
//! one in very many.

use crate::row::{Frame, GENERAL, RBP, RSP};
use crate::unwinder::{Ended, Stack};

/// A frame that is larger is not one: the register holds something else.
const FRAME_BYTES_MAX: u64 = 8 << 20;

/// The caller of such code.
///
/// `is_first`: no frame was found by a frame pointer before. `in_tables`: other code of the same file has unwind
/// information, so this is written by hand, in all likelihood without a frame. `may_return_to` says whether an
/// address can be where a call returns to.
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
    // The outermost frame of a chain; without a chain, the register is merely zero.
    if bp == 0 && !is_first {
        return Err(Ended::Root);
    }
    let is_near =
        (sp..u64::MAX - 16).contains(&bp) && bp - sp <= FRAME_BYTES_MAX && bp.is_multiple_of(8);
    if is_near && let (Some(saved), Some(address)) = (stack.read(bp), stack.read(bp + 8)) {
        if address == 0 && saved == 0 && !is_first {
            return Err(Ended::Root);
        }
        // Who starts a chain need not have called: Go's runtime writes `goexit` there by hand.
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
