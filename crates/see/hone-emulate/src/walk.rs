//! The walk: runs blocks one after the other until something ends the walk.

use crate::block::CodeCache;
use crate::decode;
use crate::end::{Branch, End, Limits};
use crate::machine::Machine;
use crate::memory::{Memory, Pages, WrittenPage};
use crate::observe::{Met, Observer, Watch};
use crate::opaque::Opaque;
use crate::state::State;
use hone_profile::Avma;
use iced_x86::Instruction;
use std::ops::Range;
use std::sync::Arc;

/// Properties of the target's CPU that decide about encodings that other CPUs read differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu {
    /// True if the CPU has `tzcnt` (BMI1); older CPUs execute `bsf` instead.
    pub tzcnt: bool,
    /// True if the CPU has `lzcnt` (ABM); older CPUs execute `bsr` instead.
    pub lzcnt: bool,
    /// True if the target's threads may have shadow stacks (`user_shstk` in /proc/cpuinfo): the result of `rdssp` is then
    /// unknown; without shadow stacks `rdssp` does nothing. The unwinder of C++ exceptions uses `rdssp`.
    pub shadow_stacks: bool,
}

impl Default for Cpu {
    fn default() -> Self {
        Self {
            tzcnt: true,
            lzcnt: true,
            shadow_stacks: true,
        }
    }
}

/// Numbers of the last walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Number of instructions executed; a repeated string instruction counts as one.
    pub instructions: u64,
    /// Number of pages fetched.
    pub pages: usize,
}

/// Walks threads of one address space and keeps the decoded code from walk to walk.
pub struct Walker {
    code: CodeCache,
    opaques: Vec<Arc<Opaque>>,
    pages: Pages,
    counts: Counts,
    observer: Observer,
    observes: bool,
}

impl Default for Walker {
    fn default() -> Self {
        Self::new(Cpu::default())
    }
}

impl Walker {
    /// Returns a walker without decoded code.
    pub fn new(cpu: Cpu) -> Self {
        Self {
            code: CodeCache::new(cpu),
            opaques: Vec::new(),
            pages: Pages::new(),
            counts: Counts::default(),
            observer: Observer::default(),
            observes: false,
        }
    }

    /// Follows the thread from `state` on, appends its taken branches to `branches` (whose earlier entries do not count)
    /// and returns the reason why the walk ended. `state` is then the state of the thread before the instruction at
    /// `state.rip`.
    pub fn walk(
        &mut self,
        state: &mut State,
        memory: &mut dyn Memory,
        limits: Limits,
        branches: &mut Vec<Branch>,
    ) -> End {
        self.pages.start(limits.pages_max);
        self.counts = Counts::default();
        self.observer.start();
        self.go_on(state, memory, limits, branches)
    }

    /// Goes on with the last walk from the state in which it ended, within limits for what is added; only the limit of pages remains
    /// that of the whole walk. So a caller can look at the time between two parts of a walk.
    pub fn go_on(
        &mut self,
        state: &mut State,
        memory: &mut dyn Memory,
        limits: Limits,
        branches: &mut Vec<Branch>,
    ) -> End {
        let (end, instructions) = match self.observes {
            true => self.run::<true>(state, memory, limits, branches),
            false => self.run::<false>(state, memory, limits, branches),
        };
        self.counts = Counts {
            instructions: self.counts.instructions + instructions,
            pages: self.pages.used(),
        };
        end
    }

    fn run<const OBSERVED: bool>(
        &mut self,
        state: &mut State,
        memory: &mut dyn Memory,
        limits: Limits,
        branches: &mut Vec<Branch>,
    ) -> (End, u64) {
        let branches_max = branches.len().saturating_add(limits.branches_max);
        let mut m = Machine {
            next: state.rip.0,
            state,
            pages: &mut self.pages,
            memory,
            branches,
            instructions: 0,
            clock_reads: 0,
            opaques: &mut self.opaques,
        };
        loop {
            if m.branches.len() >= branches_max {
                return (End::BranchLimit, m.instructions);
            }
            let left = limits.instructions_max - m.instructions;
            if left == 0 {
                return (End::InstructionLimit, m.instructions);
            }
            let block = match self.code.find(&mut m) {
                Ok(block) => block,
                Err(end) => return (end, m.instructions),
            };
            let watches = self.code.watches(block);
            let block = self.code.steps(block);
            let count = block.len().min(left.min(64) as usize);
            let steps = &block[..count];
            if let Some(last) = steps.last() {
                m.next = last.next();
            }
            for (index, step) in steps.iter().enumerate() {
                if OBSERVED && watches[index] != Watch::NOTHING {
                    let before = self.observer.before(&mut m, step, watches[index]);
                    if let Err(end) = (step.run)(&mut m, step) {
                        if watches[index].is_system_call() {
                            self.observer.system_call(&m, step);
                        }
                        m.state.rip = Avma(step.at);
                        return (end, m.instructions + index as u64);
                    }
                    self.observer.count(&m, step, watches[index], before);
                    continue;
                }
                if let Err(end) = (step.run)(&mut m, step) {
                    m.state.rip = Avma(step.at);
                    return (end, m.instructions + index as u64);
                }
            }
            m.instructions += count as u64;
            m.state.rip = Avma(m.next);
        }
    }

    /// Numbers of the last walk.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Sets whether the next walks count operands, which [`Self::met`] then tells.
    pub fn observe(&mut self, observes: bool) {
        self.observes = observes;
    }

    /// Returns the operands that the last walk has met, by instruction, in any order.
    pub fn met(&self) -> impl Iterator<Item = Met> {
        self.observer.met()
    }

    /// Returns the pages that the last walk wrote to, in its private copy.
    pub fn written_pages(&self) -> impl Iterator<Item = WrittenPage<'_>> {
        self.pages.written()
    }

    /// Forgets the code in a range, because its mapping has changed.
    pub fn invalidate(&mut self, range: Range<Avma>) {
        self.code.invalidate(&range);
        self.pages
            .code_pages
            .retain(|&page| page << 12 >= range.end.0 || (page + 1) << 12 <= range.start.0);
    }

    /// Forgets all code, as after an exec.
    pub fn clear(&mut self) {
        self.code.clear();
        self.opaques.clear();
        self.pages.code_pages.clear();
    }

    /// Number of decoded blocks that the walker keeps.
    pub fn blocks(&self) -> usize {
        self.code.len()
    }
}

/// Returns true if the walk computes the effects of this instruction, rather than passing over it or ending there.
pub fn is_understood(instruction: &Instruction) -> bool {
    decode::decoded(instruction, Cpu::default())
        .opaque
        .is_none()
}
