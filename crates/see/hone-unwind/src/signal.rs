//! The frame that the kernel makes for a signal handler, in code that no table describes.
//!
//! A handler returns to a few bytes of the C library, or of Go's run time, that do nothing but the system call
//! `rt_sigreturn`. glibc describes these bytes in `.eh_frame`, by expressions with the same offsets as here; musl and Go do
//! not describe them, or describe them as a function that was called. The bytes are recognised by their code, which cannot
//! mean anything else.
//!
//! At these bytes the stack pointer leads to the kernel's `struct ucontext` (arch/x86/include/uapi/asm/ucontext.h and
//! sigcontext.h) with all registers of the interrupted code, which did not call. If the handler runs on a stack of its own
//! (sigaltstack), the registers lead to a stack that was not copied, and the interrupted function is the last known frame.

use crate::row::{Frame, GENERAL, RSP};

/// `mov $15, %rax; syscall` and `mov $15, %eax; syscall`.
const TRAMPOLINES: [&[u8]; 2] = [
    &[0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05],
    &[0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05],
];
/// Offsets of the registers in the context, in the order of [`Frame::general`].
const REGISTERS: [u64; GENERAL] = [
    144, 136, 152, 128, 112, 104, 120, 160, 40, 48, 56, 64, 72, 80, 88, 96,
];
/// Offset of the instruction pointer in the context.
const IP: u64 = 168;
/// Offsets in the context of the start and the size of the handlers' stack.
const STACK: [u64; 2] = [16, 32];

/// Code that signal handlers return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trampoline {
    start: u64,
    /// Address behind the system call.
    end: u64,
}

impl Trampoline {
    /// Finds all trampolines in a range of code.
    pub(crate) fn all(code: &[u8], svma: u64) -> Vec<Self> {
        // Both forms end with the same two bytes.
        let calls = code.windows(2).enumerate();
        let calls = calls.filter(|(_, pair)| *pair == [0x0f, 0x05]);
        let found = calls.filter_map(|(at, _)| {
            let end = at + 2;
            let is_here = |bytes: &&&[u8]| code[..end].ends_with(bytes);
            let bytes = TRAMPOLINES.iter().find(is_here)?;
            Some(Self {
                start: svma + (end - bytes.len()) as u64,
                end: svma + end as u64,
            })
        });
        found.collect()
    }

    /// Returns true if a frame with this instruction pointer is in the trampoline. A handler returns to the first byte; only a
    /// thread that was just executing the trampoline is at a later byte.
    pub(crate) fn holds(&self, ip: u64, is_exact: bool) -> bool {
        ip == self.start || is_exact && (self.start..=self.end).contains(&ip)
    }
}

/// Reads the interrupted frame from the context.
pub(crate) fn interrupted(
    frame: &Frame,
    read: &mut dyn FnMut(u64) -> Option<u64>,
) -> Option<Frame> {
    let context = frame.general[RSP]?;
    let mut word = |offset| read(context.checked_add(offset)?);
    let mut caller = Frame {
        ip: word(IP)?,
        general: [None; GENERAL],
        is_exact: true,
    };
    for (register, offset) in caller.general.iter_mut().zip(REGISTERS) {
        *register = Some(word(offset)?);
    }
    Some(caller)
}

/// Returns true if a handler had a stack of its own (sigaltstack) and the interrupted code another stack: the stack pointer of
/// the handler's frame leads to the context, which holds the bounds of the handler's stack.
pub(crate) fn leaves_stack(
    frame: &Frame,
    interrupted: &Frame,
    read: &mut dyn FnMut(u64) -> Option<u64>,
) -> bool {
    let mut look = || {
        let context = frame.general[RSP]?;
        let [start, size] = STACK.map(|offset| read(context.checked_add(offset)?));
        let (start, size) = (start?, size?);
        let is_in = |address: u64| address.wrapping_sub(start) < size;
        Some(is_in(context) && !is_in(interrupted.general[RSP]?))
    };
    look().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_found_and_nothing_else() {
        let mut code = vec![0x90; 3];
        code.extend_from_slice(TRAMPOLINES[0]);
        // exit_group(15): 15 is the argument, and the call has another number.
        code.extend_from_slice(&[0xbf, 0x0f, 0, 0, 0, 0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05]);
        code.extend_from_slice(TRAMPOLINES[1]);
        let found = Trampoline::all(&code, 0x1000);
        let places: Vec<_> = found.iter().map(|found| (found.start, found.end)).collect();
        assert_eq!(places, [(0x1003, 0x100c), (0x1018, 0x101f)]);
        assert!(found[0].holds(0x1003, false) && found[0].holds(0x100a, true));
        assert!(!found[0].holds(0x100a, false) && !found[0].holds(0x1002, true));
    }

    #[test]
    fn registers_come_from_the_kernels_context() {
        let mut frame = Frame {
            ip: 0x1003,
            general: [None; GENERAL],
            is_exact: false,
        };
        frame.general[RSP] = Some(0x8000);
        // Each word is its own offset.
        let found = interrupted(&frame, &mut |address| Some(address - 0x8000)).unwrap();
        assert_eq!((found.ip, found.is_exact), (168, true));
        assert_eq!(found.general[RSP], Some(160));
        assert_eq!(found.general[crate::row::RBP], Some(120));
        assert_eq!(interrupted(&frame, &mut |_| None), None);
    }
}
