//! What a walk is given, what it yields, and why it ended.

use hone_profile::{Avma, BranchKind, ThirdArgument};
use iced_x86::Mnemonic;

/// One taken branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The branch instruction.
    pub from: Avma,
    /// Where it went.
    pub to: Avma,
    /// What it was.
    pub kind: BranchKind,
    /// Of a call or an unconditional jump, `rdx`, where it is known.
    pub third_argument: ThirdArgument,
}

/// How far a walk may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Taken branches.
    pub branches_max: usize,
    /// Instructions; a repeated string instruction counts as one.
    pub instructions_max: u64,
    /// Pages of memory fetched.
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

/// Why a walk ended. The state then stands before the instruction that was not executed, at `state.rip`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// As many branches as asked for.
    BranchLimit,
    /// As many instructions as asked for.
    InstructionLimit,
    /// More pages than allowed.
    PageLimit,
    /// A branch whose condition or target is unknown.
    UnknownBranch,
    /// Memory at an unknown address.
    UnknownAddress,
    /// Whether the instruction traps, or how much it does, hangs on something unknown.
    UnknownTrap,
    /// Memory that could not be read.
    UnreadableMemory(Avma),
    /// A store to memory that may not be written.
    ReadOnlyMemory(Avma),
    /// The code itself could not be read, or may not be executed.
    UnreadableCode(Avma),
    /// The walk wrote to a page that holds code it has decoded, or came to code it wrote.
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

/// What handlers return; the error ends the walk before the instruction has changed anything.
pub(crate) type Flow = Result<(), End>;
