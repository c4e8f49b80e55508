//! The walk from the registers of a sample to the root of its stack, frame by frame.

use crate::call::{CALL_BYTES_MAX, ends_with_call};
use crate::image::{Image, Kind};
use crate::pointer;
use crate::row::{Frame, GENERAL, RSP};
use crate::signal;
use gimli::UnwindContext;
use rustc_hash::FxHashMap;

/// Maximum number of frames of one stack; a copy of 64 KiB can hold no more useful frames.
const FRAMES_MAX: usize = 4_096;
/// Maximum number of frames whose stack pointer did not grow: signals handled on a stack of their own.
const TURNS_MAX: usize = 8;

/// Registers of user code; `None` if not recorded. The order is DWARF's: ax, dx, cx, bx, si, di, bp, sp, r8 to r15.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Registers {
    /// The instruction pointer.
    pub ip: u64,
    /// The general registers.
    pub general: [Option<u64>; GENERAL],
}

/// State of a thread at which unwinding starts.
#[derive(Clone, Copy, Debug)]
pub struct Start<'s> {
    /// Registers of the thread; without a stack pointer there is no caller.
    pub registers: Registers,
    /// Memory from the stack pointer upwards.
    pub stack: &'s [u8],
    /// Number of bytes that were to be copied. The kernel copies fewer where the memory ends, and where a page of a large frame
    /// is not present yet.
    pub wanted: usize,
}

/// Place of an address of a process in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the file, the same throughout one [`Unwinder`]. `None` for code without a file.
    pub file: Option<u32>,
    /// Byte offset in the file.
    pub offset: u64,
}

/// The process whose stack is unwound.
pub trait Process {
    /// Returns the place of an address; `None` if the address is not in executable memory.
    fn find(&self, address: u64) -> Option<Place>;

    /// Loads the file with this number; called once for each file. `None` if the file is not available.
    fn load(&mut self, file: u32) -> Option<Image>;
}

/// Reason why there is no further frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The outermost frame was reached.
    Root,
    /// Go's run time works on the stack of its thread. The last frame is where it changed the stack; for some of its work, the
    /// goroutine's frames follow on a stack that was not copied.
    Switched,
    /// The caller lies beyond the copied part of the stack.
    Truncated,
    /// The code has no unwind information, and frame pointers lead to no caller.
    NoUnwindInfo,
    /// The next frame is not possible.
    Bad,
    /// A signal was handled on a stack of its own, and the interrupted code used a stack that was not copied. The
    /// interrupted function is still known.
    OtherStack,
}

/// Result of unwinding a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwound {
    /// Reason for the end of the stack.
    pub ended: Ended,
    /// Number of frames found by frame pointers, where there was no unwind information.
    pub by_frame_pointer: u32,
    /// Number of bytes of the copied stack up to the last byte that was read.
    pub reached: usize,
}

/// Unwinder of the stacks of a recording; keeps files and the rules found in them.
pub struct Unwinder {
    images: FxHashMap<u32, Option<Image>>,
    context: Box<UnwindContext<usize>>,
}

impl std::fmt::Debug for Unwinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unwinder")
            .field("images", &self.images)
            .finish_non_exhaustive()
    }
}

impl Default for Unwinder {
    fn default() -> Self {
        Self {
            images: FxHashMap::default(),
            context: Box::new(UnwindContext::new()),
        }
    }
}

/// The copied part of a stack.
pub(crate) struct Stack<'s> {
    start: u64,
    bytes: &'s [u8],
    wanted: usize,
    /// Last address that was asked for in vain.
    missed: Option<u64>,
    /// Number of bytes up to the last byte that was read.
    reached: usize,
}

impl Stack<'_> {
    pub(crate) fn read(&mut self, address: u64) -> Option<u64> {
        let offset = address
            .checked_sub(self.start)
            .and_then(|offset| usize::try_from(offset).ok());
        let word = offset.and_then(|offset| self.bytes.get(offset..)?.first_chunk());
        match (word, offset) {
            (Some(_), Some(offset)) => self.reached = self.reached.max(offset + 8),
            _ => self.missed = Some(address),
        }
        word.map(|word| u64::from_le_bytes(*word))
    }

    /// Returns the reason why no frame was found at the missed address.
    fn why(&self) -> Ended {
        match self.missed {
            Some(address) if self.is_beyond(address) => Ended::Truncated,
            _ => Ended::Bad,
        }
    }

    /// Returns true if an address lies behind the copied part, where the stack may go on: anywhere behind a full copy, and in
    /// the missing part of a shorter copy.
    pub(crate) fn is_beyond(&self, address: u64) -> bool {
        let end_of = |bytes: usize| self.start.saturating_add(bytes as u64);
        let is_full = self.bytes.len() >= self.wanted;
        address.saturating_add(8) > end_of(self.bytes.len())
            && (is_full || address < end_of(self.wanted))
    }
}

/// State of unwinding one stack.
struct Walk<'w> {
    stack: Stack<'w>,
    process: &'w mut dyn Process,
    by_frame_pointer: u32,
    turns: usize,
    /// True if a handler's own stack was left.
    has_left: bool,
}

impl Walk<'_> {
    /// Returns the reason why no frame was found in the copied part of the stack.
    fn why(&self) -> Ended {
        match self.has_left {
            true => Ended::OtherStack,
            false => self.stack.why(),
        }
    }
}

impl Unwinder {
    /// Adds the frames of a thread to `frames`, leaf first: the instruction pointer, then the return addresses.
    pub fn unwind(
        &mut self,
        start: &Start<'_>,
        process: &mut dyn Process,
        frames: &mut Vec<u64>,
    ) -> Unwound {
        let mut walk = Walk {
            stack: Stack {
                start: start.registers.general[RSP].unwrap_or(0),
                bytes: start.stack,
                wanted: start.wanted,
                missed: None,
                reached: 0,
            },
            process,
            by_frame_pointer: 0,
            turns: 0,
            has_left: false,
        };
        let mut frame = Frame {
            ip: start.registers.ip,
            general: start.registers.general,
            is_exact: true,
        };
        frames.push(frame.ip);
        let mut place = walk.process.find(frame.ip);
        let mut ended = Ended::Truncated;
        for _ in 1..FRAMES_MAX {
            let Some(here) = place else {
                // Only the first frame can have no place.
                ended = Ended::NoUnwindInfo;
                break;
            };
            match self.caller(&frame, here, &mut walk) {
                Ok((caller, there)) => {
                    frame = caller;
                    place = Some(there);
                    frames.push(frame.ip);
                }
                Err(why) => {
                    ended = why;
                    break;
                }
            }
        }
        Unwound {
            ended,
            by_frame_pointer: walk.by_frame_pointer,
            reached: walk.stack.reached,
        }
    }

    /// Returns the caller of a frame and the place of the caller's code.
    fn caller(
        &mut self,
        frame: &Frame,
        here: Place,
        walk: &mut Walk<'_>,
    ) -> Result<(Frame, Place), Ended> {
        walk.stack.missed = None;
        if !frame.is_exact && self.has_switched(here, walk.process) {
            return Err(Ended::Switched);
        }
        let kind = match self.is_trampoline(frame, here, walk.process) {
            true => Kind::Signal,
            false => self.kind_at(here, walk.process),
        };
        let caller = match kind {
            Kind::Root => return Err(Ended::Root),
            Kind::Signal => {
                let stack = &mut walk.stack;
                let caller = signal::interrupted(frame, &mut |address| stack.read(address));
                caller.ok_or_else(|| walk.why())?
            }
            Kind::Row(row) => {
                let stack = &mut walk.stack;
                let caller = row.caller(frame, &mut |address| stack.read(address));
                caller.ok_or_else(|| walk.why())?
            }
            Kind::Uncovered => {
                let in_tables = self
                    .image(here, walk.process)
                    .is_some_and(|image| image.describes_around(here.offset));
                let is_first = walk.by_frame_pointer == 0;
                let process = &mut *walk.process;
                let found = pointer::caller(
                    frame,
                    is_first,
                    in_tables,
                    &mut walk.stack,
                    &mut |address| self.may_return_to(address, process),
                );
                let found = found.map_err(|ended| match ended {
                    Ended::Root => ended,
                    _ if walk.has_left => Ended::OtherStack,
                    _ => ended,
                })?;
                walk.by_frame_pointer += 1;
                found
            }
        };
        if caller.ip == 0 {
            return Err(Ended::Root);
        }
        let lookup = caller.ip - u64::from(!caller.is_exact);
        let there = walk.process.find(lookup).ok_or(Ended::Bad)?;
        if caller.is_exact {
            let stack = &mut walk.stack;
            walk.has_left |= signal::leaves_stack(frame, &caller, &mut |at| stack.read(at));
        }
        if caller.general[RSP] <= frame.general[RSP] {
            walk.turns += 1;
            if !caller.is_exact || walk.turns > TURNS_MAX {
                return Err(Ended::Bad);
            }
        }
        Ok((caller, there))
    }

    fn image(&mut self, place: Place, process: &mut dyn Process) -> Option<&mut Image> {
        let file = place.file?;
        let image = self.images.entry(file);
        image.or_insert_with(|| process.load(file)).as_mut()
    }

    /// Returns true if a return address is where signal handlers return to. What the handler interrupted has not called it, and frame
    /// pointers lead past it.
    pub fn is_of_a_handler(&mut self, address: u64, process: &mut dyn Process) -> bool {
        let before = address.checked_sub(1);
        let Some(here) = before.and_then(|before| process.find(before)) else {
            return false;
        };
        let frame = Frame {
            ip: address,
            general: [None; GENERAL],
            is_exact: false,
        };
        self.is_trampoline(&frame, here, process)
    }

    /// Returns true if a frame is in code that signal handlers return to.
    fn is_trampoline(&mut self, frame: &Frame, here: Place, process: &mut dyn Process) -> bool {
        let Some(image) = self.image(here, process) else {
            return false;
        };
        let lookup = image.svma_of(here.offset);
        let ip = lookup.and_then(|svma| svma.checked_add(u64::from(!frame.is_exact)));
        ip.is_some_and(|ip| image.is_trampoline(ip, frame.is_exact))
    }

    /// Returns true if a frame is that of a function which went on another stack before its call.
    fn has_switched(&mut self, here: Place, process: &mut dyn Process) -> bool {
        let Some(image) = self.image(here, process) else {
            return false;
        };
        let behind = image.svma_of(here.offset);
        let behind = behind.and_then(|svma| svma.checked_add(1));
        behind.is_some_and(|svma| image.has_switched(svma))
    }

    fn kind_at(&mut self, place: Place, process: &mut dyn Process) -> Kind {
        // Loads the file if it is not loaded yet.
        let _ = self.image(place, process);
        let Some(Some(image)) = place.file.and_then(|file| self.images.get_mut(&file)) else {
            return Kind::Uncovered;
        };
        match image.svma_of(place.offset) {
            Some(svma) => image.kind_at(svma, &mut self.context),
            None => Kind::Uncovered,
        }
    }

    /// Returns true if an address can be a return address: in code without a file, in code with unwind information, or behind
    /// a call in code that has none, such as the built-in functions of V8 and the Go code of a program with cgo.
    fn may_return_to(&mut self, address: u64, process: &mut dyn Process) -> bool {
        let Some(place) = address.checked_sub(1).and_then(|call| process.find(call)) else {
            return false;
        };
        let Some(image) = self.image(place, process) else {
            return true;
        };
        let has_tables = image.has_tables();
        let behind = image
            .svma_of(place.offset)
            .and_then(|svma| svma.checked_add(1));
        let code = behind.and_then(|svma| image.code_before(svma, CALL_BYTES_MAX));
        match code.map(ends_with_call) {
            Some(true) => true,
            _ if has_tables => !matches!(self.kind_at(place, process), Kind::Uncovered),
            is_call => is_call.unwrap_or(true),
        }
    }
}
