//! Computes a layout of blocks and functions for clang and lld, like Google's Propeller (Shen and others, "Propeller: A
//! Profile Guided, Relinking Optimizer for Warehouse-Scale Applications", ASPLOS 2023).
//!
//! The recorded build has a map of its blocks ([`hone_symbols::BlockMap`]). The counts are put on the map (`flow.rs`),
//! then the blocks of each function are ordered ([`ext_tsp`]), and then the functions ([`crate::order`]). The same
//! source, compiled again with the same flags and the layout, gets the same blocks under the same numbers, and the
//! compiler puts them in this order. Blocks that were never seen go into a separate section, behind all code that ran.
//!
//! The layout does not order blocks across functions, and does not copy blocks along hot paths.

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

/// Layout of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionLayout<'b> {
    /// Address of the first byte in the recorded binary.
    pub start: Svma,
    /// Names of the function, without names that it shares with other functions. Never empty.
    pub names: Vec<&'b str>,
    /// Numbers of the hot blocks in the order in which they should lie, the entry block first.
    pub hot: Vec<u32>,
    /// Number of other blocks.
    pub cold: u64,
}

/// Layout of a program, with figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout<'b> {
    /// Functions that ran, in the order in which they should lie.
    pub functions: Vec<FunctionLayout<'b>>,
    /// Figures of the layout.
    pub report: LayoutReport,
}

/// Figures of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayoutReport {
    /// Number of blocks that were seen, and of the entry blocks of their functions.
    pub hot_blocks: u64,
    /// Number of other blocks of these functions.
    pub cold_blocks: u64,
    /// Number of times that control went from one block of a function to another.
    pub jumps: u64,
    /// Part of `jumps` that fell into the next block in the recorded binary.
    pub falls_before: u64,
    /// Part of `jumps` that falls into the next block in the layout.
    pub falls_after: u64,
    /// Number of functions that ran and have no name of their own: static functions that share a name (build with
    /// `-funique-internal-linkage-names`), or functions without any name.
    pub unnamed: u64,
    /// Number of functions that ran and have two blocks of one number.
    pub ambiguous: u64,
    /// Counts that have no place on the map.
    pub losses: FlowLosses,
}

/// Lays out the code that ran. The counts and the map must be of the binary that `code` decodes.
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

/// Returns true if two blocks have one number; compilers refuse a layout that names a block twice.
fn has_shared_numbers(flow: &FunctionFlow<'_>) -> bool {
    let mut numbers = BTreeSet::new();
    !flow.function.blocks.iter().all(|b| numbers.insert(b.id))
}

/// Names of functions, with the number of bodies that have each name.
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

    /// Returns the names that only the function at `start` has. Names with spaces are left out: a space ends a name in the files.
    fn own(&self, start: Svma) -> Vec<&'b str> {
        let Some(function) = self.functions.starting_at(start) else {
            return Vec::new();
        };
        let all = [function.name].into_iter().chain(function.aliases.clone());
        all.filter(|name| self.bodies.get(name) == Some(&1) && !name.contains(char::is_whitespace))
            .collect()
    }
}

/// Writes the blocks of each function, for `clang -fbasic-block-sections=list=FILE` and
/// `lld --lto-basic-block-sections=FILE`: version 1 of the format.
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

/// Writes the functions in their order, for lld's `--symbol-ordering-file`. The file holds the hot parts; all other code
/// comes behind, including the cold parts.
pub fn write_order(layout: &Layout<'_>) -> String {
    let names = layout
        .functions
        .iter()
        .filter_map(|function| function.names.first().copied());
    order::write_symbols(&names.collect::<Vec<_>>())
}
