//! Basic blocks of a function, as far as its machine code shows them.

use super::errors::{ErrorCalls, Role};
use hone_profile::Svma;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};
use std::ops::Range;

/// A run of instructions that is entered at its first instruction and left at its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Instructions of the block, by index in the function.
    pub(super) instructions: Range<usize>,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Blocks of the function that may come next, by index.
    pub(super) next: Vec<usize>,
    /// True if control may also go to a place that the code does not show: a return, a jump through a register, a tail call.
    pub(super) may_leave: bool,
    /// True if the block ends in a return, or in a jump to another function.
    pub(super) returns: bool,
    /// True if the program's ordinary work ends at the block's end: in a throw, a panic, an abort, a trap, an error value.
    pub(super) is_error_end: bool,
    /// True if the block makes Go's runtime enlarge the stack, which then begins the function anew.
    pub(super) grows_stack: bool,
    /// True if the block is nothing but filling between other code.
    pub(super) is_padding: bool,
}

impl Block {
    pub(super) fn bytes(&self) -> u64 {
        self.end - self.start
    }
}

/// Blocks of a function in the order of their addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Blocks {
    pub(super) all: Vec<Block>,
    /// True if a jump goes through a table or a register, so that any block may be its target.
    pub(super) has_unknown_jumps: bool,
}

impl Blocks {
    /// Decodes a function and splits it into blocks.
    pub(super) fn of(code: &[u8], start: Svma, errors: &ErrorCalls<'_, '_>) -> Self {
        let mut decoder = Decoder::with_ip(64, code, start.0, DecoderOptions::NONE);
        let mut instructions: Vec<Instruction> = Vec::new();
        while decoder.can_decode() {
            instructions.push(decoder.decode());
        }
        let roles: Vec<Role> = (instructions.iter())
            .map(|instruction| errors.role_of(instruction))
            .collect();
        let starts = starts(&instructions, &roles);
        let mut blocks = Self::default();
        for (number, &first) in starts.iter().enumerate() {
            let behind = starts
                .get(number + 1)
                .copied()
                .unwrap_or(instructions.len());
            let last = behind - 1;
            let mut block = Block {
                instructions: first..behind,
                start: instructions[first].ip(),
                end: instructions[last].next_ip(),
                next: Vec::new(),
                may_leave: false,
                returns: false,
                is_error_end: roles[last] == Role::ErrorEnd,
                grows_stack: roles[first..behind].contains(&Role::StackGrowth),
                is_padding: instructions[first..behind].iter().all(is_filling),
            };
            let block_of = |address: u64| {
                let found = starts.binary_search_by_key(&address, |&at| instructions[at].ip());
                found.ok()
            };
            blocks.link(&mut block, number, &instructions[last], block_of);
            blocks.all.push(block);
        }
        let count = blocks.all.len();
        for block in &mut blocks.all {
            // The last block runs on into the code behind the function.
            block.may_leave |= block.next.iter().any(|&next| next >= count);
            block.next.retain(|&next| next < count);
        }
        blocks
    }

    fn link(
        &mut self,
        block: &mut Block,
        number: usize,
        last: &Instruction,
        block_of: impl Fn(u64) -> Option<usize>,
    ) {
        if block.is_error_end {
            return;
        }
        let flow = last.flow_control();
        match flow {
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                match block_of(last.near_branch_target()) {
                    Some(target) => block.next.push(target),
                    None => {
                        block.may_leave = true;
                        block.returns = flow == FlowControl::UnconditionalBranch;
                    }
                }
            }
            FlowControl::IndirectBranch => {
                self.has_unknown_jumps = true;
                block.may_leave = true;
            }
            FlowControl::Return => {
                block.may_leave = true;
                block.returns = true;
            }
            _ => {}
        }
        if !ends_for_good(flow) {
            block.next.push(number + 1);
        }
    }

    /// Returns, for each block, the blocks before it.
    pub(super) fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.all.len()];
        for (index, block) in self.all.iter().enumerate() {
            for &next in &block.next {
                before[next].push(index);
            }
        }
        before
    }
}

/// Returns the indices of instructions that start a block.
fn starts(instructions: &[Instruction], roles: &[Role]) -> Vec<usize> {
    let index_of = |address: u64| {
        let found = instructions.binary_search_by_key(&address, Instruction::ip);
        found.ok()
    };
    let mut starts = Vec::new();
    if !instructions.is_empty() {
        starts.push(0);
    }
    for (index, instruction) in instructions.iter().enumerate() {
        let flow = instruction.flow_control();
        let is_jump = matches!(
            flow,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
        );
        if is_jump {
            starts.extend(index_of(instruction.near_branch_target()));
        }
        let ends = is_jump || ends_for_good(flow) || roles[index] == Role::ErrorEnd;
        if ends && index + 1 < instructions.len() {
            starts.push(index + 1);
        }
        // Filling that is jumped over, in front of code that is only reached by jumps.
        let is_behind_filling =
            index > 0 && is_filling(&instructions[index - 1]) && !is_filling(instruction);
        if is_behind_filling
            && starts.last().is_some_and(|&start| {
                start <= index && instructions[start..index].iter().all(is_filling)
            })
        {
            starts.push(index);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn ends_for_good(flow: FlowControl) -> bool {
    matches!(
        flow,
        FlowControl::UnconditionalBranch | FlowControl::IndirectBranch | FlowControl::Return
    )
}

fn is_filling(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3)
}
