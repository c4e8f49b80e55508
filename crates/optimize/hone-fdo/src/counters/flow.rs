//! Infers the counts of all blocks and jumps of a function from the measured counts of some blocks.
//!
//! The flow into a block equals the flow out of the block. Of all such flows, the flow that changes the measured counts
//! least is taken. Raising a count costs less than lowering it, because the optimiser loses probes and never adds executions.
//! The result is a circulation of least cost, found along shortest paths. The costs are from He, Mestre, Pupyrev,
//! Wang and Yu, "Profile Inference Revisited", POPL 2022 (LLVM's `-sample-profile-use-profi`).
//!
//! Without a cost, an unmeasured jump would get all of the flow or nothing. A small cost that grows with the
//! logarithm of a jump's flow spreads the flow.

mod network;

use network::Network;

/// Maximum number of steps that all searches of one function may look at: some ten seconds.
const STEPS_MAX: u64 = 500_000_000;
/// Limit of counts; larger counts are scaled down.
const LARGEST: u64 = 1 << 40;

/// Counts of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// Count of each block.
    pub(super) blocks: Vec<u64>,
    /// Counts of each block's jumps, in the order of its successors.
    pub(super) jumps: Vec<Vec<u64>>,
}

/// Infers the flow of a graph in which some blocks were measured. Block 0 is the entry; a block without successors
/// leaves the function. No block names a successor twice. Returns `None` if the function is so large, and its counts
/// differ so much, that the search would take too long.
pub(super) fn infer(successors: &[Vec<usize>], measured: &[Option<u64>]) -> Option<Flow> {
    infer_within(STEPS_MAX, successors, measured)
}

fn infer_within(
    steps_max: u64,
    successors: &[Vec<usize>],
    measured: &[Option<u64>],
) -> Option<Flow> {
    let largest = measured.iter().flatten().copied().max().unwrap_or(0);
    let shift = (largest / LARGEST).checked_ilog2().map_or(0, |log| log + 1);
    let measured: Vec<_> = measured.iter().map(|m| m.map(|m| m >> shift)).collect();
    let mut network = Network::new(successors, &measured);
    network.balance(steps_max)?;
    let mut flow = network.flow(successors);
    connect(successors, &mut flow);
    for count in flow
        .blocks
        .iter_mut()
        .chain(flow.jumps.iter_mut().flatten())
    {
        *count <<= shift;
    }
    Some(flow)
}

/// Joins parts that run by themselves, such as a hot loop whose entry was not seen, to the entry by one execution: the
/// compiler counts everything from the entry.
fn connect(successors: &[Vec<usize>], flow: &mut Flow) {
    let mut is_joined = vec![false; successors.len()];
    if flow.blocks.iter().all(|&count| count == 0) {
        return;
    }
    join(0, successors, flow, &mut is_joined);
    for block in 0..successors.len() {
        if flow.blocks[block] == 0 || is_joined[block] {
            continue;
        }
        let there = way(successors, |from| is_joined[from], |to| to == block);
        let back = way(
            successors,
            |from| from == block,
            |to| successors[to].is_empty(),
        );
        let Some(there) = there else {
            continue;
        };
        // Only the entry is joined without a count of its own.
        let mut to_start =
            way(successors, |from| from == 0, |to| to == there[0]).unwrap_or_default();
        to_start.pop();
        let mut all = to_start;
        all.extend(there);
        all.extend(back.iter().flatten().skip(1));
        for pair in all.windows(2) {
            let place = successors[pair[0]].iter().position(|&to| to == pair[1]);
            flow.jumps[pair[0]][place.expect("a jump of the way")] += 1;
        }
        for &on_way in &all {
            flow.blocks[on_way] += 1;
        }
        join(0, successors, flow, &mut is_joined);
    }
}

/// Marks the blocks that flow reaches from a block.
fn join(start: usize, successors: &[Vec<usize>], flow: &Flow, is_joined: &mut [bool]) {
    is_joined.fill(false);
    is_joined[start] = true;
    let mut open = vec![start];
    while let Some(block) = open.pop() {
        for (place, &next) in successors[block].iter().enumerate() {
            if flow.jumps[block][place] > 0 && !is_joined[next] {
                is_joined[next] = true;
                open.push(next);
            }
        }
    }
}

/// Returns the blocks of a shortest path from a start block to an end block, both included.
fn way(
    successors: &[Vec<usize>],
    is_start: impl Fn(usize) -> bool,
    is_end: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let mut came_from: Vec<Option<usize>> = vec![None; successors.len()];
    let mut is_seen: Vec<bool> = (0..successors.len()).map(&is_start).collect();
    let starts = (0..successors.len()).filter(|&block| is_seen[block]);
    let mut open: std::collections::VecDeque<usize> = starts.collect();
    while let Some(block) = open.pop_front() {
        if is_end(block) {
            let mut way = vec![block];
            while let Some(from) = came_from[way[way.len() - 1]] {
                way.push(from);
            }
            way.reverse();
            return Some(way);
        }
        for &next in &successors[block] {
            if !is_seen[next] {
                is_seen[next] = true;
                came_from[next] = Some(block);
                open.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the flow into each block, and the flow out of each block by jumps.
    fn sums(successors: &[Vec<usize>], flow: &Flow) -> (Vec<u64>, Vec<u64>) {
        let mut into = vec![0; successors.len()];
        for (next, jumps) in successors.iter().zip(&flow.jumps) {
            for (&to, count) in next.iter().zip(jumps) {
                into[to] += count;
            }
        }
        let out = flow.jumps.iter().map(|jumps| jumps.iter().sum()).collect();
        (into, out)
    }

    #[test]
    fn a_count_that_was_lost_is_what_its_neighbours_say() {
        // A loop with an if in it; one arm of the if was not measured.
        let successors = [vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![]];
        let measured = [Some(1), None, Some(30), None, Some(100), Some(1)];
        let flow = infer(&successors, &measured).unwrap();
        assert_eq!(flow.blocks, [1, 100, 30, 70, 100, 1]);
        assert_eq!(flow.jumps[4], [99, 1]);
    }

    #[test]
    fn what_nothing_is_known_of_is_spread() {
        let successors = [vec![1, 2, 3], vec![4], vec![4], vec![4], vec![]];
        let flow = infer(&successors, &[Some(90_000), None, None, None, None]).unwrap();
        let [one, two, three] = flow.jumps[0][..] else {
            panic!("{flow:?}")
        };
        for count in [one, two, three] {
            assert!((15_000..60_000).contains(&count), "{flow:?}");
        }
    }

    #[test]
    fn one_count_against_several_gives_way() {
        // The probes of block 2 were lost on its hot path; all blocks behind and before it show this.
        let successors = [vec![1, 3], vec![2], vec![3], vec![]];
        let measured = [Some(1000), Some(990), Some(3), Some(1000)];
        assert_eq!(infer(&successors, &measured).unwrap().blocks[2], 990);
    }

    #[test]
    fn a_loop_whose_entry_was_not_seen_is_entered() {
        let successors = [vec![1], vec![2], vec![2, 3], vec![]];
        let flow = infer(&successors, &[Some(0), Some(0), Some(5000), Some(0)]).unwrap();
        assert_eq!(flow.blocks, [1, 1, 5001, 1]);
    }

    #[test]
    fn counts_beyond_all_measure_keep_their_relation() {
        let successors = [vec![1, 2], vec![], vec![]];
        let flow = infer(&successors, &[None, Some(u64::MAX), Some(u64::MAX / 4)]).unwrap();
        let relation = flow.blocks[1] as f64 / flow.blocks[2] as f64;
        assert!((relation - 4.0).abs() < 0.01, "{flow:?}");
    }

    /// Returns a loop over a switch with an if in each case, as in interpreters and generated parsers, and counts that
    /// contradict each other.
    fn switch_of(cases: usize) -> (Vec<Vec<usize>>, Vec<Option<u64>>) {
        let mut successors = vec![vec![1], (2..2 + cases).collect()];
        let last = 2 + 3 * cases;
        for case in 0..cases {
            successors.push(vec![2 + cases + 2 * case, 3 + cases + 2 * case]);
        }
        successors.extend(std::iter::repeat_n(vec![last], 2 * cases));
        successors.push(vec![1, last + 1]);
        successors.push(vec![]);
        let measured = |block: usize| {
            let is_measured = !block.is_multiple_of(3);
            is_measured.then_some(block as u64 * 7919 % 1000)
        };
        let measured = (0..successors.len()).map(measured).collect();
        (successors, measured)
    }

    #[test]
    fn large_functions_come_to_an_end() {
        let (successors, measured) = switch_of(400);
        let flow = infer(&successors, &measured).unwrap();
        let (into, _) = sums(&successors, &flow);
        assert_eq!(into[1..], flow.blocks[1..]);
        let (successors, measured) = switch_of(4000);
        assert_eq!(infer_within(1_000_000, &successors, &measured), None);
    }

    fn graphs() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<Option<u64>>)> {
        (2..12_usize).prop_flat_map(|blocks| {
            let next = proptest::collection::btree_set(1..blocks, 0..3);
            let next = next.prop_map(|set| set.into_iter().collect());
            let measured = proptest::option::of(0..5000_u64);
            (
                proptest::collection::vec(next, blocks),
                proptest::collection::vec(measured, blocks),
            )
        })
    }

    proptest! {
        #[test]
        fn what_comes_into_a_block_leaves_it((successors, measured) in graphs()) {
            let flow = infer(&successors, &measured).unwrap();
            let (into, out) = sums(&successors, &flow);
            prop_assert_eq!(&into[1..], &flow.blocks[1..]);
            for (block, next) in successors.iter().enumerate() {
                // A loop without an exit keeps the flow that was sent into it.
                if !next.is_empty() && way(&successors, |from| from == block, |to| successors[to].is_empty()).is_some() {
                    prop_assert_eq!(out[block], flow.blocks[block]);
                }
            }
        }

        #[test]
        fn counts_that_agree_are_kept((successors, walks) in graphs()) {
            // Executions of random walks from the entry are a flow.
            let mut counts = vec![0_u64; successors.len()];
            let mut seed = walks.iter().flatten().sum::<u64>();
            for _ in 0..50 {
                let mut block = 0;
                let mut trail = vec![0];
                while !successors[block].is_empty() && trail.len() < 200 {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    block = successors[block][(seed >> 33) as usize % successors[block].len()];
                    trail.push(block);
                }
                if successors[block].is_empty() {
                    trail.into_iter().for_each(|block| counts[block] += 1);
                }
            }
            let measured: Vec<_> = counts.iter().copied().map(Some).collect();
            prop_assert_eq!(infer(&successors, &measured).unwrap().blocks, counts);
        }
    }
}
