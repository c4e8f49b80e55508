//! Borders at which BOLT cuts a function into basic blocks, as far as the instructions and the counts show them.
//!
//! BOLT counts a fall from one block into the next as a branch, so its profile needs the borders of the blocks.
//! A block starts at the target of a jump and after each jump, but an unconditional jump right behind a
//! conditional jump stays in the block of the conditional jump. Targets of jump tables are known only if they were
//! taken; a missing border joins two blocks here, and BOLT puts the count on the last of its own blocks.

use crate::code::Code;
use hone_profile::Svma;
use hone_symbols::Function;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};
use std::collections::BTreeSet;

/// Longest function that is decoded, in bytes.
const FUNCTION_BYTES_MAX: u64 = 64 << 20;

/// Borders between the blocks of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Borders {
    /// Pairs of (last instruction before the border, first instruction behind the border), sorted.
    borders: Vec<(Svma, Svma)>,
}

impl Borders {
    /// Returns the borders of `function`; `targets` are further addresses that jumps go to.
    pub(crate) fn of(function: &Function<'_>, targets: &BTreeSet<Svma>, code: &Code<'_>) -> Self {
        let size = function.size().min(FUNCTION_BYTES_MAX);
        let bytes = code.binary().bytes_at(function.start, size);
        Self::decode(bytes.unwrap_or_default(), function.start, targets)
    }

    fn decode(bytes: &[u8], start: Svma, targets: &BTreeSet<Svma>) -> Self {
        let end = start.0.saturating_add(bytes.len() as u64);
        let inside = |address: u64| (start.0..end).contains(&address);
        let decode = || Decoder::with_ip(64, bytes, start.0, DecoderOptions::NONE).into_iter();
        let mut labels: BTreeSet<u64> = targets.iter().map(|target| target.0).collect();
        labels.extend(
            decode()
                .filter(is_direct_jump)
                .map(|jump| jump.near_branch_target())
                .filter(|&target| inside(target)),
        );
        let mut borders = Vec::new();
        let mut before: Option<Instruction> = None;
        for instruction in decode() {
            if let Some(last) = &before {
                let stays = is_conditional_inside(last, inside)
                    && instruction.flow_control() == FlowControl::UnconditionalBranch
                    && is_direct_jump(&instruction)
                    && inside(instruction.near_branch_target());
                if labels.contains(&instruction.ip()) || (ends_block(last) && !stays) {
                    borders.push((Svma(last.ip()), Svma(instruction.ip())));
                }
            }
            before = Some(instruction);
        }
        Self { borders }
    }

    /// Returns the borders that a run from `first` through `last` crosses.
    pub(crate) fn crossed(&self, first: Svma, last: Svma) -> &[(Svma, Svma)] {
        let from = self.borders.partition_point(|border| border.1 <= first);
        let to = self.borders.partition_point(|border| border.1 <= last);
        self.borders.get(from..to).unwrap_or_default()
    }

    /// Returns the border in front of a block that starts at `first`.
    pub(crate) fn before(&self, first: Svma) -> Option<(Svma, Svma)> {
        let found = self.borders.binary_search_by_key(&first, |border| border.1);
        Some(self.borders[found.ok()?])
    }
}

fn is_direct_jump(instruction: &Instruction) -> bool {
    let jumps = matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    );
    jumps && instruction.op0_kind() == OpKind::NearBranch64
}

fn is_conditional_inside(instruction: &Instruction, inside: impl Fn(u64) -> bool) -> bool {
    instruction.flow_control() == FlowControl::ConditionalBranch
        && is_direct_jump(instruction)
        && inside(instruction.near_branch_target())
}

fn ends_block(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch
            | FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Return
    ) || instruction.mnemonic() == Mnemonic::Ud2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_start_at_targets_and_after_jumps() {
        let bytes = [
            0x31, 0xc0, // 100: xor
            0x74, 0x05, // 102: je 109
            0xeb, 0x04, // 104: jmp 10a, in the block of the je
            0x90, // 106: nop
            0x31, 0xdb, // 107: xor
            0x90, // 109: nop, a label
            0x31, 0xc9, // 10a: xor, a label
            0x75, 0xf2, // 10c: jne 100
            0x66, 0x90, // 10e: nop
            0xc3, // 110: ret
        ];
        let borders = Borders::decode(&bytes, Svma(0x100), &BTreeSet::new());
        let expected = [
            (0x104, 0x106),
            (0x107, 0x109),
            (0x109, 0x10a),
            (0x10c, 0x10e),
        ];
        let expected = expected.map(|(last, next)| (Svma(last), Svma(next)));
        assert_eq!(borders.borders, expected);
        assert_eq!(borders.crossed(Svma(0x109), Svma(0x10c)), &expected[2..3]);
        assert_eq!(borders.crossed(Svma(0x10a), Svma(0x10c)), []);
    }
}
