//! Computes the order of a function's blocks: most of the executed jumps become falls into the next block, and most of
//! the other jumps become short.
//!
//! The measure is the Extended TSP score of Newell and Pupyrev, "Improved Basic Block Reordering", IEEE Transactions
//! on Computers 2020, with their parameters: a jump counts fully if its target follows at once; a tenth, less
//! with the distance, if the target is at most 1,024 bytes ahead or 640 behind; and nothing beyond. The authors fitted
//! the score to times on CPUs with caches of 64-byte lines. `chains.rs` looks for an order with a high score.

use super::chains::Chains;
use std::collections::BTreeMap;

/// Maximum distance of a forward jump that counts, in bytes.
const FORWARD_BYTES: u64 = 1024;
/// Maximum distance of a backward jump that counts, in bytes.
const BACKWARD_BYTES: u64 = 640;
/// Share of a count for the shortest jump that is no fall.
const NEAR: f64 = 0.1;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Bytes of code.
    pub size: u32,
    /// Number of executions.
    pub count: u64,
}

/// Number of times that control went from one block to another, both by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jump {
    /// Block that control left.
    pub from: usize,
    /// Block that control entered.
    pub to: usize,
    /// Number of times.
    pub count: u64,
}

/// Returns the score of a jump from the byte `end` to the byte `start`.
pub(super) fn worth(count: u64, end: u64, start: u64) -> f64 {
    let (distance, reach) = if start >= end {
        (start - end, FORWARD_BYTES)
    } else {
        (end - start, BACKWARD_BYTES)
    };
    let part = match distance {
        0 => 1.0,
        _ if distance < reach => NEAR * (1.0 - distance as f64 / reach as f64),
        _ => 0.0,
    };
    count as f64 * part
}

/// Returns the score of blocks in an order that holds each block once: executed jumps, weighted by the cost they save.
pub fn score(blocks: &[Block], jumps: &[Jump], order: &[usize]) -> f64 {
    let starts = starts(blocks, order);
    let worth = |jump: &Jump| {
        let end = starts[jump.from] + u64::from(blocks[jump.from].size);
        worth(jump.count, end, starts[jump.to])
    };
    jumps.iter().map(worth).sum()
}

/// Returns the number of executed jumps that fall into the next block in this order.
pub fn falls(blocks: &[Block], jumps: &[Jump], order: &[usize]) -> u64 {
    let starts = starts(blocks, order);
    let falls =
        |jump: &&Jump| starts[jump.from] + u64::from(blocks[jump.from].size) == starts[jump.to];
    let counts = jumps.iter().filter(falls).map(|jump| jump.count);
    counts.fold(0, u64::saturating_add)
}

fn starts(blocks: &[Block], order: &[usize]) -> Vec<u64> {
    let mut starts = vec![0; blocks.len()];
    let mut at = 0;
    for &block in order {
        starts[block] = at;
        at += u64::from(blocks[block].size);
    }
    starts
}

/// Orders the blocks: indices into `blocks`, each once, the entry block (0) first. The score is never below the score
/// of the given order. The order of the jumps does not matter.
pub fn order(blocks: &[Block], jumps: &[Jump]) -> Vec<usize> {
    let given: Vec<usize> = (0..blocks.len()).collect();
    let mut sums: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for jump in jumps {
        let sum = sums.entry((jump.from, jump.to)).or_default();
        *sum = sum.saturating_add(jump.count);
    }
    let jump = |((from, to), count)| Jump { from, to, count };
    let jumps: Vec<Jump> = sums.into_iter().map(jump).collect();
    let found = Chains::new(blocks, &jumps).merged();
    // Each step of the search only looks at two chains, so the sum of all steps may lose.
    if score(blocks, &jumps, &found) > score(blocks, &jumps, &given) {
        found
    } else {
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_count_whole_and_near_jumps_a_little() {
        assert_eq!(worth(10, 100, 100), 10.0);
        assert_eq!(worth(10, 100, 612), 0.5);
        assert_eq!(worth(10, 420, 100), 0.5);
        assert_eq!(worth(10, 0, 1024) + worth(10, 640, 0), 0.0);
    }
}
