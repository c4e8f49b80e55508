//! Layout of the code of one function.

use super::blocks::{Block, Blocks};
use super::cache::Touches;
use super::errors::{ErrorCalls, for_errors};
use super::footprint::Weighted;
use crate::weights::Weights;
use hone_profile::Svma;
use hone_symbols::{Binary, canonical_name, demangle};
use serde::Serialize;

/// Layout of the code of one function, or of a part of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionLayout {
    /// Demangled name.
    pub name: String,
    /// Symbol of the function.
    pub symbol: String,
    /// Address of the first byte.
    #[serde(serialize_with = "as_number")]
    pub start: Svma,
    /// True if the compiler split this part off.
    pub is_cold_part: bool,
    /// Bytes of code.
    pub bytes: u64,
    /// Weight, in the layout's unit.
    pub weight: u64,
    /// Share of all weight, 0 to 1.
    pub share: f64,
    /// Bytes of blocks that ran.
    pub hot_bytes: u64,
    /// Bytes of blocks that were never seen to run, without the filling between blocks.
    pub cold_bytes: u64,
    /// Bytes that the compiler already split off (`.cold`).
    pub cold_part_bytes: u64,
    /// Number of blocks that never ran and lie between blocks that ran.
    pub cold_blocks_inside: u64,
    /// Bytes of the blocks that never ran and lie between blocks that ran.
    pub cold_bytes_inside: u64,
    /// Bytes of blocks for errors only: these blocks lead to nothing but a throw, a panic or an abort, or only the
    /// unwinder leads to them.
    pub error_bytes: u64,
    /// Part of `cold_bytes_inside` that is for errors.
    pub error_bytes_inside: u64,
    /// Number of lines of the instruction cache that the hot blocks lie in.
    pub hot_lines: u64,
    /// Upper limit of the share of the weight in code that was never seen, 0 to 1.
    ///
    /// The number of blocks seen once shows how much was never seen: Good, "The population frequencies of species and the
    /// estimation of population parameters" (Biometrika 40, 1953); here with two standard errors of this number and
    /// the 3 of "never in n" added.
    pub unseen_share_max: f64,
    /// Touches in the model of the instruction cache; `None` without branch records.
    pub l1i_touches: Option<Touches>,
}

pub(super) fn as_number<S: serde::Serializer>(
    svma: &Svma,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(svma.0)
}

impl FunctionLayout {
    pub(super) fn canonical(&self) -> &str {
        canonical_name(&self.symbol)
    }

    /// Returns the share that ran of the code from the first hot block to the last, 0 to 1.
    pub fn density(&self) -> f64 {
        self.hot_bytes as f64 / (self.hot_bytes + self.cold_bytes_inside).max(1) as f64
    }
}

/// A function split into blocks, with the weight and kind of each block.
pub(super) struct Looked<'w, 'b> {
    weights: &'w Weights<'b>,
    blocks: Blocks,
    /// Sum of the weights of each block's instructions.
    weight: Vec<f64>,
    is_hot: Vec<bool>,
    is_error: Vec<bool>,
    is_sampled: bool,
}

impl<'w, 'b> Looked<'w, 'b> {
    /// Splits a function into blocks. `is_sampled` is true if weights are of sampled instructions, not of executed ranges.
    pub(super) fn new(
        weights: &'w Weights<'b>,
        binary: &Binary<'_>,
        errors: &ErrorCalls<'_, '_>,
        is_sampled: bool,
    ) -> Self {
        let function = weights.function;
        let size = function.size().min(weights.instructions.bytes());
        let code = binary.bytes_at(function.start, size);
        let blocks = Blocks::of(code.unwrap_or_default(), function.start, errors);
        let weight_of = |block: &Block| {
            let instructions = block.instructions.clone();
            instructions.map(|index| weights.weight(index) as f64).sum()
        };
        let weight: Vec<f64> = blocks.all.iter().map(weight_of).collect();
        let mut is_hot: Vec<bool> = weight.iter().map(|weight| *weight > 0.0).collect();
        if is_sampled {
            add_certain(&blocks, &mut is_hot);
        }
        Self {
            weights,
            is_error: for_errors(&blocks),
            weight,
            is_hot,
            is_sampled,
            blocks,
        }
    }

    /// Adds the weight of each block evenly to its instructions: it is chance which of them the sample of a clock hits.
    pub(super) fn spread(&self, weighted: &mut Weighted, line_bytes: u64) {
        let instructions = &self.weights.instructions;
        for (block, &weight) in self.blocks.all.iter().zip(&self.weight) {
            let each = weight / block.instructions.len().max(1) as f64;
            if each > 0.0 {
                for index in block.instructions.clone() {
                    let (address, bytes) =
                        (instructions.address(index).0, instructions.length(index));
                    weighted.add(address, bytes, each, line_bytes);
                }
            }
        }
    }

    pub(super) fn layout(&self, weight_of_one: f64, line_bytes: u64) -> FunctionLayout {
        let function = self.weights.function;
        let all = || self.blocks.all.iter().enumerate();
        let hot = || all().filter(|(index, _)| self.is_hot[*index]);
        let cold = || all().filter(|(index, block)| !self.is_hot[*index] && !block.is_padding);
        let first = hot().next().map_or(0, |(index, _)| index);
        let last = hot().next_back().map_or(0, |(index, _)| index);
        let inside = || cold().filter(|(index, _)| (first..last).contains(index));
        let error = |(index, _): &(usize, &Block)| self.is_error[*index];
        let weight: f64 = self.weight.iter().sum();
        FunctionLayout {
            name: demangle(function.canonical_name()),
            symbol: function.name.to_owned(),
            start: function.start,
            is_cold_part: function.is_cold_part(),
            bytes: function.size(),
            weight: weight as u64,
            share: 0.0,
            hot_bytes: bytes(hot()),
            cold_bytes: bytes(cold()),
            cold_part_bytes: 0,
            cold_blocks_inside: inside().count() as u64,
            cold_bytes_inside: bytes(inside()),
            error_bytes: bytes(all().filter(error)),
            error_bytes_inside: bytes(inside().filter(error)),
            hot_lines: lines(hot().map(|(_, block)| block), line_bytes),
            unseen_share_max: self.unseen_share_max(weight_of_one),
            l1i_touches: None,
        }
    }

    fn unseen_share_max(&self, weight_of_one: f64) -> f64 {
        let (mut once, mut times) = (0.0, 0.0);
        for (block, weight) in self.blocks.all.iter().zip(&self.weight) {
            // Executions count each instruction of the block, a sample counts one instruction.
            let instructions = block.instructions.len().max(1) as f64;
            let per_time = if self.is_sampled {
                weight_of_one
            } else {
                weight_of_one * instructions
            };
            let seen = weight / per_time;
            times += seen;
            once += f64::from(u8::from(seen > 0.0 && seen < 1.5));
        }
        ((once + 2.0 * once.sqrt() + 3.0) / times.max(1.0)).min(1.0)
    }
}

fn bytes<'b>(blocks: impl Iterator<Item = (usize, &'b Block)>) -> u64 {
    blocks.map(|(_, block)| block.bytes()).sum()
}

/// Returns the number of lines that the blocks lie in; the blocks must be in the order of their addresses.
fn lines<'b>(blocks: impl Iterator<Item = &'b Block>, line_bytes: u64) -> u64 {
    let (mut count, mut behind) = (0, 0);
    for block in blocks {
        let first = (block.start / line_bytes).max(behind);
        let end = (block.end.max(block.start + 1) - 1) / line_bytes + 1;
        count += end.saturating_sub(first);
        behind = behind.max(end);
    }
    count
}

/// Adds the blocks that must have run because other blocks ran: the only block behind, the only block before.
fn add_certain(blocks: &Blocks, is_hot: &mut [bool]) {
    let before = blocks.before();
    let mut open: Vec<usize> = (0..is_hot.len()).filter(|&index| is_hot[index]).collect();
    while let Some(index) = open.pop() {
        let block = &blocks.all[index];
        let behind = match block.next.as_slice() {
            [next] if !block.may_leave => Some(*next),
            _ => None,
        };
        let ahead = match before[index].as_slice() {
            [before] if index > 0 && !blocks.has_unknown_jumps => Some(*before),
            _ => None,
        };
        for certain in behind.into_iter().chain(ahead) {
            if !std::mem::replace(&mut is_hot[certain], true) {
                open.push(certain);
            }
        }
    }
}
