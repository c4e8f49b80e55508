//! Limits of a walk, its branches, and the reason why it ended.

use hone_profile::{Avma, BranchKind, ThirdArgument};
use iced_x86::Mnemonic;

/// A taken branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Address of the branch instruction.
    pub from: Avma,
    /// Target of the branch.
    pub to: Avma,
    /// Kind of the branch.
    pub kind: BranchKind,
    /// Value of `rdx` at a call or an unconditional jump, where known.
    pub third_argument: ThirdArgument,
}

/// Limits of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Largest number of taken branches.
    pub branches_max: usize,
    /// Largest number of instructions; a repeated string instruction counts as one.
    pub instructions_max: u64,
    /// Largest number of pages of memory fetched.
    pub pages_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            branches_max: 1024,
            instructions_max: 100_000,
            pages_max: 1024,
        }
    }
}

/// Reason why a walk ended. `state.rip` is then the address of the instruction that was not executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The walk has as many branches as asked for.
    BranchLimit,
    /// The walk has as many instructions as asked for.
    InstructionLimit,
    /// The walk needs more pages than allowed.
    PageLimit,
    /// A branch whose condition or target is unknown.
    UnknownBranch,
    /// Memory at an unknown address.
    UnknownAddress,
    /// An unknown value decides whether the instruction traps, or how much it does.
    UnknownTrap,
    /// Memory that could not be read.
    UnreadableMemory(Avma),
    /// A store to memory that may not be written.
    ReadOnlyMemory(Avma),
    /// The code itself could not be read, or may not be executed.
    UnreadableCode(Avma),
    /// The walk wrote to a page that holds code it has decoded, or reached code it wrote.
    CodeWritten(Avma),
    /// Bytes that are no instruction.
    InvalidInstruction,
    /// An instruction that is not followed and cannot be passed over either.
    UnsupportedInstruction(Mnemonic),
    /// A system call.
    Syscall,
    /// The instruction traps: division by zero, `ud2`, `int3`, a misaligned vector.
    Trap,
}

/// Result of a handler; the error ends the walk before the instruction has changed anything.
pub(crate) type Flow = Result<(), End>;
