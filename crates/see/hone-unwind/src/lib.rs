//! Finds the callers of user code without frame pointers: from registers, a copy of the stack, and the unwind information
//! that x86-64 programs carry for exceptions (`.eh_frame`, or `.debug_frame` where there is none).
//!
//! Constraints that shaped this crate:
//! - It is pure: files come as something to read from ([`Image::read`]), stacks as bytes. It opens no file and looks
//!   into no process, so a recording can be unwound anywhere, also after the fact.
//! - A wrong caller is worse than a missing one. A stack ends with the reason ([`Ended`]); nothing is guessed and no
//!   frame follows a gap.
//! - The rule for an instruction is found once per file and not per process: a file is unwound in its own addresses,
//!   wherever processes have mapped it.
//!
//! gimli reads the tables; `row.rs` applies their rules, `pointer.rs` handles code without tables, `signal.rs` recognises
//! signal frames that no table describes, and `switch.rs` where Go's run time changes the stack. framehop is not used, for the reasons in
//! `docs/decisions/0014-stacks-unwound-while-recorded.md`.
//!
//! The crate leaves out other architectures, 32-bit code, SFrame, and Go's own tables (Go keeps frame pointers).

#![forbid(unsafe_code)]

mod call;
mod image;
mod pointer;
mod row;
mod signal;
mod switch;
mod table;
mod unwinder;

pub use image::{Image, ImageError};
pub use unwinder::{Ended, Place, Process, Registers, Start, Unwinder, Unwound};
