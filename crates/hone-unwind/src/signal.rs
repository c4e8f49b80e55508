//! The frame that the kernel makes for a signal's handler, where no table describes it.
//!
//! A handler returns to a few bytes of the C library, or of Go's run time, that do nothing but the system call
//! `rt_sigreturn`. glibc describes them in `.eh_frame`, by expressions that say what stands here; musl and Go do not, or
//! as if they were a function that was called. They are known by their code, which cannot mean anything else.
//!
//! Behind them lies the kernel's `struct ucontext` (arch/x86/include/uapi/asm/ucontext.h and sigcontext.h) with all
//! registers of the interrupted code: those of a frame that did not call. If the handler runs on a stack of its own
//! (sigaltstack), they lead to a stack that was not copied, and the interrupted function is the last that is known.

use crate::row::{Frame, GENERAL, RSP};

/// `mov $15, %rax; syscall` and `mov $15, %eax; syscall`.
const TRAMPOLINES: [&[u8]; 2] = [
    &[0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05],
    &[0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05],
];
/// Where in the context the registers stand, in the order of [`Frame::general`].
const REGISTERS: [u64; GENERAL] = [
    144, 136, 152, 128, 112, 104, 120, 160, 40, 48, 56, 64, 72, 80, 88, 96,
];
/// Where in the context the instruction pointer stands.
const IP: u64 = 168;
/// Where in the context the stack for handlers begins, and its size.
const STACK: [u64; 2] = [16, 32];

/// A place that handlers return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trampoline {
    start: u64,
    /// Behind the system call.
    end: u64,
}

impl Trampoline {
    /// All in a stretch of code.
    pub(crate) fn all(code: &[u8], svma: u64) -> Vec<Self> {
        // Both end alike.
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

    /// Whether a frame with this instruction pointer is in it. A handler returns to its first byte; only a thread that
    /// was just there stands further on.
    pub(crate) fn holds(&self, ip: u64, is_exact: bool) -> bool {
        ip == self.start || is_exact && (self.start..=self.end).contains(&ip)
    }
}

/// The interrupted frame.
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

/// Whether a handler had a stack of its own (sigaltstack) and the interrupted code another: the stack pointer of the
/// handler's frame leads to the context, which tells.
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
        // exit_group(15), and the call of another number.
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
        // Each word tells its offset.
        let found = interrupted(&frame, &mut |address| Some(address - 0x8000)).unwrap();
        assert_eq!((found.ip, found.is_exact), (168, true));
        assert_eq!(found.general[RSP], Some(160));
        assert_eq!(found.general[crate::row::RBP], Some(120));
        assert_eq!(interrupted(&frame, &mut |_| None), None);
    }
}
