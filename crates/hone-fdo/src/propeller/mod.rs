//! A layout of blocks and functions for clang and lld, as Google's Propeller has it (Shen and others, "Propeller: A
//! Profile Guided, Relinking Optimizer for Warehouse-Scale Applications", ASPLOS 2023).
//!
//! The recorded build has a map of its blocks ([`hone_symbols::BlockMap`]). The counts are laid on it (`flow.rs`),
//! each function's blocks are ordered ([`ext_tsp`]), and the functions among each other ([`crate::order`]). The same
//! source, compiled again with the same flags and the result, gets the same blocks under the same numbers, and puts
//! them so. Blocks that were never seen go into a section of their own, behind all that ran.
//!
//! What it leaves out: an order of blocks across functions, and copies of blocks along hot paths.

mod chains;
pub mod ext_tsp;
mod flow;

pub use flow::FlowLosses;

use crate::code::Code;
use crate::counts::{Counts, add};
use crate::order::{self, Node};
use ext_tsp::{Block, Jump};
use flow::FunctionFlow;
use hone_profile::Svma;
use hone_symbols::{BlockMap, Functions};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The layout of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionLayout<'b> {
    /// Its first byte in the recorded binary.
    pub start: Svma,
    /// Its names, those that it shares with other functions left out. Never empty.
    pub names: Vec<&'b str>,
    /// The numbers of its hot blocks in the order in which they should lie, the entry block first.
    pub hot: Vec<u32>,
    /// How many other blocks it has.
    pub cold: u64,
}

/// The layout of a program, and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout<'b> {
    /// The functions that ran, in the order in which they should lie.
    pub functions: Vec<FunctionLayout<'b>>,
    /// What went into it.
    pub report: LayoutReport,
}

/// Figures of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayoutReport {
    /// Blocks that were seen, and the entry blocks of their functions.
    pub hot_blocks: u64,
    /// The other blocks of these functions.
    pub cold_blocks: u64,
    /// How often control went from one block of a function to another.
    pub jumps: u64,
    /// Of that, how much fell into the next block in the recorded binary.
    pub falls_before: u64,
    /// Of that, how much does in the layout.
    pub falls_after: u64,
    /// Functions that ran and have no name of their own: static ones that share it (build with
    /// `-funique-internal-linkage-names`), or none at all.
    pub unnamed: u64,
    /// Functions that ran and have two blocks of one number.
    pub ambiguous: u64,
    /// What of the counts the map could not place.
    pub losses: FlowLosses,
}

/// Lays out what ran. The counts and the map must be of the binary that `code` decodes.
pub fn layout<'b>(counts: &Counts, code: &Code<'b>, map: &BlockMap) -> Layout<'b> {
    let (flows, losses) = flow::trace(counts, code, map);
    let names = Names::of(code.binary().functions());
    let mut report = LayoutReport {
        losses,
        ..LayoutReport::default()
    };
    let mut functions = Vec::new();
    let mut nodes = Vec::new();
    for flow in &flows {
        let names = names.own(flow.function.start);
        if names.is_empty() {
            report.unnamed += 1;
        } else if has_shared_numbers(flow) {
            report.ambiguous += 1;
        } else {
            let (function, node) = lay_out(flow, names, &mut report);
            functions.push(function);
            nodes.push(node);
        }
    }
    let calls = order::calls(counts, code, &nodes);
    let mut by_index: Vec<Option<FunctionLayout<'b>>> = functions.into_iter().map(Some).collect();
    let ordered = order::order(&nodes, &calls);
    let functions = ordered
        .into_iter()
        .filter_map(|index| by_index[index].take());
    Layout {
        functions: functions.collect(),
        report,
    }
}

fn lay_out<'b>(
    flow: &FunctionFlow<'_>,
    names: Vec<&'b str>,
    report: &mut LayoutReport,
) -> (FunctionLayout<'b>, Node) {
    let all = &flow.function.blocks;
    let is_hot = |&index: &usize| index == 0 || flow.seen[index];
    let hot: Vec<usize> = (0..all.len()).filter(is_hot).collect();
    let block = |&index: &usize| Block {
        size: all[index].size,
        count: flow.counts[index],
    };
    let blocks: Vec<Block> = hot.iter().map(block).collect();
    let jump = |(&(from, to), &count): (&(usize, usize), &u64)| {
        Some(Jump {
            from: hot.binary_search(&from).ok()?,
            to: hot.binary_search(&to).ok()?,
            count,
        })
    };
    let jumps: Vec<Jump> = flow.jumps.iter().filter_map(jump).collect();
    let order = ext_tsp::order(&blocks, &jumps);
    let cold = (all.len() - hot.len()) as u64;
    report.hot_blocks += hot.len() as u64;
    report.cold_blocks += cold;
    jumps
        .iter()
        .for_each(|jump| add(&mut report.jumps, jump.count));
    add(&mut report.falls_before, flow.falls);
    let falls = ext_tsp::falls(&blocks, &jumps, &order);
    add(&mut report.falls_after, falls);
    let executed = |block: &Block| block.count.saturating_mul(block.size.into());
    let node = Node {
        start: flow.function.start,
        size: blocks.iter().map(|block| u64::from(block.size)).sum(),
        weight: blocks.iter().map(executed).fold(0, u64::saturating_add),
    };
    let function = FunctionLayout {
        start: flow.function.start,
        names,
        hot: order.into_iter().map(|index| all[hot[index]].id).collect(),
        cold,
    };
    (function, node)
}

/// Compilers refuse a layout that names a block twice.
fn has_shared_numbers(flow: &FunctionFlow<'_>) -> bool {
    let mut numbers = BTreeSet::new();
    !flow.function.blocks.iter().all(|b| numbers.insert(b.id))
}

/// The names of functions, with how many bodies have each.
struct Names<'f, 'b> {
    functions: &'f Functions<'b>,
    bodies: FxHashMap<&'b str, u32>,
}

impl<'f, 'b> Names<'f, 'b> {
    fn of(functions: &'f Functions<'b>) -> Self {
        let mut bodies: FxHashMap<&str, u32> = FxHashMap::default();
        for function in functions.iter() {
            for name in [&function.name].into_iter().chain(&function.aliases) {
                *bodies.entry(name).or_default() += 1;
            }
        }
        Self { functions, bodies }
    }

    /// The names that only the function there has. Spaces end a name in the files.
    fn own(&self, start: Svma) -> Vec<&'b str> {
        let Some(function) = self.functions.starting_at(start) else {
            return Vec::new();
        };
        let all = [function.name].into_iter().chain(function.aliases.clone());
        all.filter(|name| self.bodies.get(name) == Some(&1) && !name.contains(char::is_whitespace))
            .collect()
    }
}

/// The blocks of each function, for `clang -fbasic-block-sections=list=FILE` and `lld --lto-basic-block-sections=FILE`:
/// version 1 of the format.
pub fn write_clusters(layout: &Layout<'_>) -> String {
    let mut text = String::from("v1\n");
    for function in &layout.functions {
        let _ = writeln!(text, "f {}", function.names.join(" "));
        text.push('c');
        for id in &function.hot {
            let _ = write!(text, " {id}");
        }
        text.push('\n');
    }
    text
}

/// The functions in their order, for lld's `--symbol-ordering-file`. It holds the hot parts; what it does not name
/// comes behind, the cold parts too.
pub fn write_order(layout: &Layout<'_>) -> String {
    let names = layout
        .functions
        .iter()
        .filter_map(|function| function.names.first().copied());
    order::write_symbols(&names.collect::<Vec<_>>())
}
