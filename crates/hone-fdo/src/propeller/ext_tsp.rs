//! The order of a function's blocks: most of the executed jumps become falls into the next block, and most of the
//! others short ones.
//!
//! The measure is the Extended TSP score of Newell and Pupyrev, "Improved Basic Block Reordering", IEEE Transactions
//! on Computers 2020, with their parameters: a jump counts whole where its target follows at once; a tenth, less
//! with the distance, where the target is at most 1,024 bytes ahead or 640 behind; and nothing beyond. They fitted it
//! to what CPUs with caches of 64-byte lines take. `chains.rs` looks for an order with a high score.

use super::chains::Chains;
use std::collections::BTreeMap;

/// Bytes that a jump forward may span to count.
const FORWARD_BYTES: u64 = 1024;
/// Bytes that a jump backward may span to count.
const BACKWARD_BYTES: u64 = 640;
/// What the shortest jump that is no fall counts.
const NEAR: f64 = 0.1;

/// One block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Bytes of its code.
    pub size: u32,
    /// Times executed.
    pub count: u64,
}

/// How often control went from one block to another, both by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jump {
    /// The block that it left.
    pub from: usize,
    /// The block that it entered.
    pub to: usize,
    /// Times.
    pub count: u64,
}

/// What a jump from the byte `end` to the byte `start` is worth.
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

/// The score of blocks in an order that holds each of them once: executed jumps, weighted by what they cost less.
pub fn score(blocks: &[Block], jumps: &[Jump], order: &[usize]) -> f64 {
    let starts = starts(blocks, order);
    let worth = |jump: &Jump| {
        let end = starts[jump.from] + u64::from(blocks[jump.from].size);
        worth(jump.count, end, starts[jump.to])
    };
    jumps.iter().map(worth).sum()
}

/// How many of the jumps fall into the next block in this order.
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

/// Orders the blocks: indices into `blocks`, each once, the entry block (0) first. The score is never below that of
/// the order in which they are given. The order of the jumps does not matter.
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
    // Each step of the search only looks at two chains, so that their sum may lose.
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
