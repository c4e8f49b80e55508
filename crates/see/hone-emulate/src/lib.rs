//! Follows an x86-64 thread forward from a snapshot of its registers, to learn its taken branches.
//!
//! Constraints that shaped this crate:
//! - **Exact or unknown, never wrong.** Every register bit, flag, vector byte and memory byte says whether
//!   it is known. Results that an instruction leaves undefined, and results of instructions that are not
//!   understood, become unknown; a branch on something unknown ends the walk.
//! - **The target is never written to.** Memory is read a page at a time through [`Memory`] and changed in
//!   a private copy only.
//! - **Pure.** No system call and no unsafe code: the owner of the target (hone-record) brings registers
//!   and pages, and a test can bring recorded ones.
//! - **Fast.** Code is decoded once into blocks of ready handlers that outlive a walk ([`Walker`]).
//!
//! The only estimate is the time stamp counter, and only where the owner gives its first value. Every value that
//! the thread could have read there is equally valid, and without a value no walk could follow a program that asks
//! for the time.
//!
//! Left out are system calls, signals and other threads. A walk ends at a system call, and cannot see signals and
//! other threads. x87 arithmetic and MMX are passed over with unknown results.

#![forbid(unsafe_code)]

mod block;
mod decode;
mod end;
mod integer;
mod known_bits;
mod machine;
mod memory;
mod observe;
mod opaque;
mod state;
mod step;
mod vector;
mod walk;

pub use end::{Branch, End, Limits};
pub use known_bits::Bits;
pub use memory::{Memory, PAGE_BYTES, WrittenPage};
pub use observe::{LINES_ONE_OF, Met};
pub use state::{State, Vector};
pub use walk::{Counts, Cpu, Walker, is_understood};
