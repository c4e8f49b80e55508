//! The order of blocks: properties that hold for any graph, and graphs whose best order is known.

use hone_fdo::propeller::ext_tsp::{Block, Jump, falls, order, score};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Any control flow: sizes and counts, and jumps between.
fn graphs(blocks: std::ops::Range<usize>) -> impl Strategy<Value = (Vec<Block>, Vec<Jump>)> {
    let block = (0u32..400, 0u64..100_000).prop_map(|(size, count)| Block { size, count });
    prop::collection::vec(block, blocks).prop_flat_map(|blocks| {
        let len = blocks.len();
        let jump = (0..len, 0..len, 1u64..10_000);
        let jump = jump.prop_map(|(from, to, count)| Jump { from, to, count });
        (Just(blocks), prop::collection::vec(jump, 0..3 * len))
    })
}

/// The best order of all that begin with the entry, by trying each.
fn best(blocks: &[Block], jumps: &[Jump]) -> f64 {
    fn visit(order: &mut Vec<usize>, blocks: &[Block], jumps: &[Jump], most: &mut f64) {
        if order.len() == blocks.len() {
            *most = most.max(score(blocks, jumps, order));
        }
        for next in 1..blocks.len() {
            if !order.contains(&next) {
                order.push(next);
                visit(order, blocks, jumps, most);
                order.pop();
            }
        }
    }
    let mut most = 0.0;
    visit(&mut vec![0], blocks, jumps, &mut most);
    most
}

proptest! {
    #[test]
    fn every_block_comes_once_and_the_entry_first((blocks, jumps) in graphs(1..60)) {
        let ordered = order(&blocks, &jumps);
        let distinct: BTreeSet<usize> = ordered.iter().copied().collect();
        prop_assert_eq!(ordered.len(), blocks.len());
        prop_assert_eq!(distinct.len(), blocks.len());
        prop_assert_eq!(ordered[0], 0);
    }

    #[test]
    fn the_score_is_never_below_that_of_the_given_order((blocks, jumps) in graphs(1..60)) {
        let given: Vec<usize> = (0..blocks.len()).collect();
        let ordered = order(&blocks, &jumps);
        prop_assert!(score(&blocks, &jumps, &ordered) >= score(&blocks, &jumps, &given));
    }

    #[test]
    fn the_order_of_the_jumps_does_not_matter(
        (blocks, jumps) in graphs(1..60),
        turn in any::<prop::sample::Index>(),
    ) {
        let expected = order(&blocks, &jumps);
        let mut other: Vec<Jump> = jumps.iter().rev().copied().collect();
        if !other.is_empty() {
            let by = turn.index(other.len());
            other.rotate_left(by);
        }
        prop_assert_eq!(order(&blocks, &other), expected);
    }

    #[test]
    fn small_graphs_come_near_their_best((blocks, jumps) in graphs(1..7)) {
        let found = score(&blocks, &jumps, &order(&blocks, &jumps));
        prop_assert!(found >= 0.5 * best(&blocks, &jumps) - 1e-6);
    }
}

fn blocks(counts: &[u64]) -> Vec<Block> {
    let block = |&count| Block { size: 16, count };
    counts.iter().map(block).collect()
}

fn jumps(list: &[(usize, usize, u64)]) -> Vec<Jump> {
    let jump = |&(from, to, count)| Jump { from, to, count };
    list.iter().map(jump).collect()
}

#[test]
fn the_usual_way_falls_through_and_the_rare_one_goes_last() {
    // if (rare) 1 else 2; then 3
    let blocks = blocks(&[100, 1, 99, 100]);
    let jumps = jumps(&[(0, 1, 1), (0, 2, 99), (1, 3, 1), (2, 3, 99)]);
    assert_eq!(order(&blocks, &jumps), [0, 2, 3, 1]);
    assert_eq!(falls(&blocks, &jumps, &[0, 2, 3, 1]), 198);
}

#[test]
fn a_loop_is_turned_so_that_only_its_last_jump_goes_back() {
    // 0 jumps to the test at 2, whose way into the body 1 is usual; 3 is behind the loop.
    let blocks = blocks(&[1, 1000, 1001, 1]);
    let jumps = jumps(&[(0, 2, 1), (1, 2, 1000), (2, 1, 1000), (2, 3, 1)]);
    let ordered = order(&blocks, &jumps);
    assert_eq!(falls(&blocks, &jumps, &ordered), 1001);
    assert_eq!(ordered[0], 0);
}

#[test]
fn a_chain_is_cut_where_another_fits_in() {
    // 1 to 2 is joined first; that 3 and 4 stand between pays afterwards.
    let blocks = blocks(&[10, 100, 100, 90, 90]);
    let jumps = jumps(&[(0, 1, 10), (1, 2, 91), (1, 3, 90), (3, 4, 90), (4, 2, 90)]);
    let ordered = order(&blocks, &jumps);
    assert_eq!(ordered, [0, 1, 3, 4, 2]);
}

#[test]
fn no_blocks_and_one_block_are_orders_too() {
    assert!(order(&[], &[]).is_empty());
    assert_eq!(order(&blocks(&[7]), &jumps(&[(0, 0, 6)])), [0]);
}
