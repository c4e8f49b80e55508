//! Traces how control went through the blocks of each function: counts of branches and ranges on the map of blocks.
//!
//! A taken jump within a function is an edge between two blocks. A range that ran through without a jump is an edge for
//! each border that it crossed. A call that ends a block (a call that may throw) comes back to the start of the next
//! block, which no range shows: there the return is the edge.
//!
//! Map and counts must be of the same binary. A count that contradicts the map is left out and reported as a loss.

use crate::code::{Code, Flow};
use crate::counts::{Counts, add};
use hone_profile::Svma;
use hone_symbols::{BlockMap, MappedBlock, MappedFunction};
use std::collections::BTreeMap;

/// Counts that have no place on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FlowLosses {
    /// Number of ranges of code that the map does not have, such as code of libraries without a map.
    pub ranges_outside: u64,
    /// Number of ranges through the end of a block that control cannot pass.
    pub ranges_impossible: u64,
    /// Number of jumps into the middle of a block.
    pub jumps_impossible: u64,
}

/// Control flow of a function that ran.
pub(super) struct FunctionFlow<'m> {
    pub(super) function: &'m MappedFunction,
    /// True for each block that was seen.
    pub(super) seen: Vec<bool>,
    /// Number of executions of each block, as far as its start was seen.
    pub(super) counts: Vec<u64>,
    /// Number of times that control went from one block to another.
    pub(super) jumps: BTreeMap<(usize, usize), u64>,
    /// Part of `jumps` that fell into the next block.
    pub(super) falls: u64,
}

/// Puts the counts on the map, and returns the functions that ran, by address.
pub(super) fn trace<'m>(
    counts: &Counts,
    code: &Code<'_>,
    map: &'m BlockMap,
) -> (Vec<FunctionFlow<'m>>, FlowLosses) {
    let mut work = Work {
        code,
        places: Places::of(map),
        flows: map.functions().iter().map(FunctionFlow::new).collect(),
        losses: FlowLosses::default(),
    };
    for (&(first, last), &count) in &counts.ranges {
        work.range(first, last, count);
    }
    for (&(from, to), count) in &counts.branches {
        let flow = code.flow_at(from);
        let (source, target) = (work.see(from), work.see(to));
        match flow {
            Flow::Conditional | Flow::Jump | Flow::IndirectJump => {
                work.jump(source, target, to, count.taken);
            }
            Flow::Return => work.returned(target, to, count.taken),
            _ => {}
        }
    }
    for (&to, &taken) in &counts.entering {
        let target = work.see(to);
        work.returned(target, to, taken);
    }
    for &from in counts.leaving.keys() {
        work.see(from);
    }
    let mut flows = work.flows;
    flows.retain(|flow| flow.seen.contains(&true));
    (flows, work.losses)
}

impl<'m> FunctionFlow<'m> {
    fn new(function: &'m MappedFunction) -> Self {
        Self {
            function,
            seen: vec![false; function.blocks.len()],
            counts: vec![0; function.blocks.len()],
            jumps: BTreeMap::new(),
            falls: 0,
        }
    }
}

/// A block of the map, with its function and its index in the function.
#[derive(Clone, Copy)]
struct Place {
    function: usize,
    block: usize,
    what: MappedBlock,
}

/// All blocks, sorted by address; an empty block comes before the block that begins at the same address.
struct Places {
    places: Vec<Place>,
}

impl Places {
    fn of(map: &BlockMap) -> Self {
        let blocks = |(function, of): (usize, &MappedFunction)| {
            let blocks = of.blocks.clone().into_iter().enumerate();
            blocks.map(move |(block, what)| Place {
                function,
                block,
                what,
            })
        };
        let mut places: Vec<Place> = map
            .functions()
            .iter()
            .enumerate()
            .flat_map(blocks)
            .collect();
        places.sort_by_key(|place| (place.what.start, place.what.size > 0));
        Self { places }
    }

    /// Returns the index of the block that holds an address. Padding belongs to the block before it.
    fn at(&self, svma: Svma) -> Option<usize> {
        let next = self
            .places
            .partition_point(|place| place.what.start <= svma);
        let index = next.checked_sub(1)?;
        let place = self.places[index];
        let is_padding = || {
            let next = self.places.get(next);
            next.is_some_and(|next| next.function == place.function)
        };
        (svma < place.what.end() || is_padding()).then_some(index)
    }
}

struct Work<'w, 'b, 'm> {
    code: &'w Code<'b>,
    places: Places,
    flows: Vec<FunctionFlow<'m>>,
    losses: FlowLosses,
}

impl Work<'_, '_, '_> {
    /// Marks the block of an executed instruction as seen, and returns the index of the block.
    fn see(&mut self, svma: Svma) -> Option<usize> {
        let index = self.places.at(svma)?;
        let place = self.places.places[index];
        self.flows[place.function].seen[place.block] = true;
        Some(index)
    }

    fn range(&mut self, first: Svma, last: Svma, count: u64) {
        let (Some(from), Some(to)) = (self.places.at(first), self.places.at(last)) else {
            add(&mut self.losses.ranges_outside, count);
            return;
        };
        let Some(crossed) = self.places.places.get(from..=to) else {
            return;
        };
        let can_cross =
            |pair: &[Place]| pair[0].what.falls_through && pair[0].function == pair[1].function;
        if !crossed.windows(2).all(can_cross) {
            add(&mut self.losses.ranges_impossible, count);
            return;
        }
        let mut before = None;
        for place in crossed {
            let flow = &mut self.flows[place.function];
            flow.seen[place.block] = true;
            if before.is_some() || place.what.start == first {
                add(&mut flow.counts[place.block], count);
            }
            if let Some(before) = before {
                add(flow.jumps.entry((before, place.block)).or_default(), count);
                add(&mut flow.falls, count);
            }
            before = Some(place.block);
        }
    }

    fn jump(&mut self, source: Option<usize>, target: Option<usize>, to: Svma, taken: u64) {
        let (Some(source), Some(target)) = (source, target) else {
            return;
        };
        let (source, target) = (self.places.places[source], self.places.places[target]);
        if source.function != target.function {
            return;
        }
        if target.what.start != to {
            add(&mut self.losses.jumps_impossible, taken);
            return;
        }
        let jumps = &mut self.flows[source.function].jumps;
        add(
            jumps.entry((source.block, target.block)).or_default(),
            taken,
        );
    }

    /// Counts control that came back from a call, which the block before may have ended with.
    fn returned(&mut self, target: Option<usize>, to: Svma, taken: u64) {
        let Some(index) = target.filter(|&index| index > 0) else {
            return;
        };
        let (before, target) = (self.places.places[index - 1], self.places.places[index]);
        let is_next = before.function == target.function
            && target.what.start == to
            && before.what.end() == to
            && before.what.falls_through
            && !target.what.is_landing_pad;
        if is_next && self.is_behind_call(to) {
            let flow = &mut self.flows[target.function];
            let ends = (before.block, target.block);
            add(flow.jumps.entry(ends).or_default(), taken);
            add(&mut flow.falls, taken);
        }
    }

    fn is_behind_call(&self, svma: Svma) -> bool {
        let Some(function) = self.code.binary().function_at(svma) else {
            return false;
        };
        let instructions = self.code.of_function(function);
        let before = instructions
            .index_of(svma)
            .and_then(|index| index.checked_sub(1));
        before.is_some_and(|index| instructions.flow(index).is_call())
    }
}
