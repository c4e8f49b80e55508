//! Branch records made in software: a thread is stopped now and then and followed for a while.
//!
//! Each method to follow a thread is a sibling file: [`emulate`] interprets the program's code from a snapshot of the
//! thread, which hardly stops; [`step`] lets the processor execute the code, one instruction at a time, which is slow
//! and the reference for [`emulate`].

pub(crate) mod budget;
pub(crate) mod code;
pub(crate) mod emulate;
pub(crate) mod kernel_data;
pub(crate) mod per_cpu;
pub(crate) mod precedence;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod stop;
pub(crate) mod watch;

use crate::operands::MetInFile;
use crate::reorder_buffer::OwnSample;
use hone_profile::perf_data::WalkedBranch;
use hone_profile::{Avma, ThirdArgument};

/// A taken branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) third_argument: ThirdArgument,
    pub(crate) time_ns: u64,
}

/// Reason why a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The walk has as many steps as asked for.
    Length,
    /// The walk took as long as the budget of so young a recording pays for.
    Budget,
    /// A system call, which may take any time.
    SystemCall,
    /// A signal that came and was delivered.
    Signal,
    /// A stop of the thread by job control.
    Stopped,
    /// The end of the thread, or its exec of another program.
    Gone,
    /// An instruction that would show the program its trace flag.
    ReadsFlags,
    /// A hardware transaction, which single steps always abort.
    Transaction,
    /// An interrupt, a far transfer or a trap of the program's own.
    Special,
    /// Bytes that are no instruction, or are not readable.
    Undecodable,
    /// A jump of the thread without a branch, as the kernel makes it for rseq.
    Jumped,
    /// Code that no file holds, such as a JIT compiler's.
    NoFile,
    /// The reason of the emulator.
    Emulated(hone_emulate::End),
}

impl End {
    /// Returns true if the walk ended on something unknown that a better snapshot might have contained.
    pub(crate) fn is_unknown(self) -> bool {
        use hone_emulate::End as E;
        matches!(
            self,
            Self::Emulated(E::UnknownBranch | E::UnknownAddress | E::UnknownTrap)
        )
    }

    pub(crate) fn name(self) -> &'static str {
        use hone_emulate::End as E;
        match self {
            Self::Length => "full length",
            Self::Budget => "kept short",
            Self::SystemCall => "system call",
            Self::Signal => "signal",
            Self::Stopped => "job control",
            Self::Gone => "thread gone",
            Self::ReadsFlags => "flags read",
            Self::Transaction => "transaction",
            Self::Special => "special instruction",
            Self::Undecodable => "undecodable",
            Self::Jumped => "moved by the kernel",
            Self::NoFile => "code without a file",
            Self::Emulated(E::BranchLimit | E::InstructionLimit) => Self::Length.name(),
            Self::Emulated(E::Syscall) => Self::SystemCall.name(),
            Self::Emulated(E::PageLimit) => "too many pages",
            Self::Emulated(E::UnknownBranch) => "unknown branch",
            Self::Emulated(E::UnknownAddress) => "unknown address",
            Self::Emulated(E::UnknownTrap) => "unknown trap",
            Self::Emulated(E::UnreadableMemory(_)) => "unreadable memory",
            Self::Emulated(E::ReadOnlyMemory(_)) => "store to read-only memory",
            Self::Emulated(E::UnreadableCode(_)) => "unreadable code",
            Self::Emulated(E::CodeWritten(_)) => "code written",
            Self::Emulated(E::InvalidInstruction) => Self::Undecodable.name(),
            Self::Emulated(E::UnsupportedInstruction(_)) => "unsupported instruction",
            Self::Emulated(E::Trap) => "trap",
        }
    }
}

/// A walk.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) cpu: u32,
    /// Branches, oldest first.
    pub(crate) branches: Vec<Taken>,
    pub(crate) steps: u32,
    pub(crate) end: End,
    /// Operands that the walk met; `None` if it did not look.
    pub(crate) met: Option<Vec<MetInFile>>,
    /// Time since when the code has been the same, as far as the walk knew.
    pub(crate) code_since_ns: u64,
}

impl Walk {
    /// Cuts the walk into branch stacks of at most `depth` entries, oldest stack first.
    ///
    /// The oldest entry of each stack but the first repeats the newest entry of the stack before. So a reader
    /// that uses the oldest entry of every stack only as the start of a range counts each branch
    /// and each range once, the walk's first branch excepted.
    pub(crate) fn pieces(&self, event: usize, depth: usize) -> Vec<OwnSample> {
        let mut pieces = Vec::new();
        let mut first = 0;
        while first < self.branches.len() {
            let end = (first + depth.max(2)).min(self.branches.len());
            let piece = &self.branches[first..end];
            let newest = piece[piece.len() - 1];
            pieces.push(OwnSample {
                event,
                pid: self.pid,
                tid: self.tid,
                cpu: self.cpu,
                ip: Avma(newest.to),
                time_ns: newest.time_ns,
                period: 1,
                call_chain: Vec::new(),
                branches: piece
                    .iter()
                    .rev()
                    .map(|b| WalkedBranch {
                        from: Avma(b.from),
                        to: Avma(b.to),
                        third_argument: b.third_argument,
                    })
                    .collect(),
            });
            if end == self.branches.len() {
                break;
            }
            first = end - 1;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(len: u64) -> Walk {
        let branches = (0..len).map(|i| Taken {
            from: i * 16 + 4,
            to: i * 16 + 16,
            third_argument: ThirdArgument::of(i),
            time_ns: 100 + i,
        });
        Walk {
            pid: 1,
            tid: 2,
            cpu: 0,
            branches: branches.collect(),
            steps: 9,
            end: End::Length,
            met: None,
            code_since_ns: 0,
        }
    }

    #[test]
    fn pieces_overlap_by_one_branch_and_lose_none() {
        for len in [1, 2, 3, 31, 32, 33, 63, 64, 125, 126] {
            let walk = walk(len);
            let pieces = walk.pieces(1, 32);
            let mut counted = vec![pieces[0].branches[pieces[0].branches.len() - 1]];
            for (index, piece) in pieces.iter().enumerate() {
                assert!(piece.branches.len() <= 32);
                let oldest_first: Vec<_> = piece.branches.iter().rev().copied().collect();
                if index > 0 {
                    assert_eq!(
                        oldest_first[0],
                        pieces[index - 1].branches[0],
                        "{len} branches"
                    );
                    assert!(
                        oldest_first.len() > 1,
                        "{len} branches: a piece that says nothing new"
                    );
                    assert!(piece.time_ns > pieces[index - 1].time_ns);
                }
                assert_eq!(piece.ip, piece.branches[0].to);
                counted.extend(&oldest_first[1..]);
            }
            let expected: Vec<_> = walk
                .branches
                .iter()
                .map(|b| WalkedBranch {
                    from: Avma(b.from),
                    to: Avma(b.to),
                    third_argument: b.third_argument,
                })
                .collect();
            assert_eq!(counted, expected, "{len} branches");
        }
    }

    #[test]
    fn a_walk_without_branches_has_no_pieces() {
        assert!(walk(0).pieces(1, 32).is_empty());
    }
}
