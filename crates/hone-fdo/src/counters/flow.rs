//! Counts of all blocks and jumps of a function from what was measured of some blocks.
//!
//! What comes into a block leaves it. Of all flows for which that holds, the one is taken that changes the measured
//! counts least, where raising a count costs less than lowering it: the optimiser loses probes and never adds
//! executions. That is a circulation of least cost, found along shortest paths. Costs are those of He, Mestre, Pupyrev,
//! Wang and Yu, "Profile Inference Revisited", POPL 2022 (LLVM's `-sample-profile-use-profi`).
//!
//! Jumps that nothing was measured of would be all or nothing. A small cost that grows with the logarithm of their flow
//! spreads it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a unit costs that is added to a measured block, taken from it, or added to one that was measured to be 0.
const RAISE: i64 = 1_000_000;
const LOWER: i64 = 2_000_000;
const RAISE_ZERO: i64 = 1_100_000;
/// The same of the entry, whose count also comes from its callers.
const RAISE_ENTRY: i64 = 4_000_000;
const LOWER_ENTRY: i64 = 1_000_000;
/// What a unit on a jump costs in the lowest level, and how much more in each one above.
const JUMP: i64 = 10;
/// Levels of a jump's cost; each holds twice as much flow as all below.
const LEVELS: u32 = 10;
/// Larger counts are scaled down to this.
const LARGEST: u64 = 1 << 40;

/// Counts of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// Of each block.
    pub(super) blocks: Vec<u64>,
    /// Of each block's jumps, in the order of its successors.
    pub(super) jumps: Vec<Vec<u64>>,
}

/// The flow of a graph whose blocks were measured, or were not. Block 0 is the entry; a block without successors leaves
/// the function. No block names a successor twice.
pub(super) fn infer(successors: &[Vec<usize>], measured: &[Option<u64>]) -> Flow {
    let largest = measured.iter().flatten().copied().max().unwrap_or(0);
    let shift = (largest / LARGEST).checked_ilog2().map_or(0, |log| log + 1);
    let measured: Vec<_> = measured.iter().map(|m| m.map(|m| m >> shift)).collect();
    let mut network = Network::new(successors, &measured);
    network.balance();
    let mut flow = network.flow(successors);
    connect(successors, &mut flow);
    for count in flow
        .blocks
        .iter_mut()
        .chain(flow.jumps.iter_mut().flatten())
    {
        *count <<= shift;
    }
    flow
}

/// How the cost of a unit on an edge depends on what is there already.
#[derive(Clone, Copy)]
enum Cost {
    /// The same for all.
    Flat(i64),
    /// Growing with the logarithm of the flow.
    Spread,
}

struct Edge {
    from: usize,
    to: usize,
    cost: Cost,
    capacity: u64,
    flow: u64,
}

/// A step along an edge, or back along it.
#[derive(Clone, Copy)]
struct Step {
    edge: usize,
    is_back: bool,
}

/// Two nodes for each block, where flow comes in and where it leaves.
struct Network {
    edges: Vec<Edge>,
    /// The steps out of each node.
    steps: Vec<Vec<Step>>,
    /// What each node has too much, or too little.
    excess: Vec<i64>,
    /// By how much the shortest ways to each node were shortened so far.
    potential: Vec<i64>,
    /// The flow below which a jump is in its lowest level.
    lowest: u64,
    /// Places of the jumps among the edges, in the order of blocks and successors.
    jumps: Vec<usize>,
}

impl Network {
    fn new(successors: &[Vec<usize>], measured: &[Option<u64>]) -> Self {
        let nodes = 2 * successors.len();
        let largest = measured.iter().flatten().copied().max().unwrap_or(0);
        let mut network = Self {
            edges: Vec::new(),
            steps: vec![Vec::new(); nodes],
            excess: vec![0; nodes],
            potential: vec![0; nodes],
            lowest: (largest >> LEVELS).max(1),
            jumps: Vec::new(),
        };
        for (block, measured) in measured.iter().enumerate() {
            network.add_block(block, *measured);
        }
        for (block, next) in successors.iter().enumerate() {
            for &to in next {
                network.jumps.push(network.edges.len());
                network.add(leaving(block), entering(to), Cost::Spread, u64::MAX);
            }
            if next.is_empty() {
                // What leaves the function was called.
                network.add(leaving(block), entering(0), Cost::Flat(0), u64::MAX);
            }
        }
        network
    }

    /// The edges through a block. Its measured count flows from the start, whether or not it comes in.
    fn add_block(&mut self, block: usize, measured: Option<u64>) {
        let (from, to) = (entering(block), leaving(block));
        let Some(count) = measured else {
            self.add(from, to, Cost::Flat(0), u64::MAX);
            return;
        };
        let (raise, lower) = match (block, count) {
            (0, _) => (RAISE_ENTRY, LOWER_ENTRY),
            (_, 0) => (RAISE_ZERO, 0),
            _ => (RAISE, LOWER),
        };
        self.add(from, to, Cost::Flat(raise), u64::MAX);
        if count > 0 {
            self.add(from, to, Cost::Flat(-lower), count);
            self.edges.last_mut().expect("added above").flow = count;
            self.excess[to] += count as i64;
            self.excess[from] -= count as i64;
        }
    }

    fn add(&mut self, from: usize, to: usize, cost: Cost, capacity: u64) {
        let edge = self.edges.len();
        let step = |is_back| Step { edge, is_back };
        self.steps[from].push(step(false));
        self.steps[to].push(step(true));
        self.edges.push(Edge {
            from,
            to,
            cost,
            capacity,
            flow: 0,
        });
    }

    /// Where a step leads, what a unit costs on it, and how many units cost that; `None` where none can go.
    fn step(&self, step: Step) -> Option<(usize, i64, u64)> {
        let edge = &self.edges[step.edge];
        match (step.is_back, edge.cost) {
            (false, Cost::Flat(cost)) => {
                let room = edge.capacity - edge.flow;
                (room > 0).then_some((edge.to, cost, room))
            }
            (false, Cost::Spread) => {
                let level = self.level(edge.flow);
                let room = self.end_of(level) - edge.flow;
                Some((edge.to, JUMP * i64::from(level + 1), room))
            }
            (true, _) if edge.flow == 0 => None,
            (true, Cost::Flat(cost)) => Some((edge.from, -cost, edge.flow)),
            (true, Cost::Spread) => {
                let level = self.level(edge.flow - 1);
                let below = level.checked_sub(1).map_or(0, |below| self.end_of(below));
                let room = edge.flow - below;
                Some((edge.from, -JUMP * i64::from(level + 1), room))
            }
        }
    }

    /// The level of the next unit on a jump that has so many.
    fn level(&self, flow: u64) -> u32 {
        let times = flow / self.lowest;
        times.checked_ilog2().map_or(0, |log| log + 1).min(LEVELS)
    }

    /// The flow at which a level ends.
    fn end_of(&self, level: u32) -> u64 {
        if level >= LEVELS {
            return u64::MAX;
        }
        self.lowest << level
    }

    /// Moves what nodes have too much to those that have too little, the cheapest way each time.
    fn balance(&mut self) {
        let mut search = Search::new(self.steps.len());
        for node in 0..self.steps.len() {
            while self.excess[node] > 0 {
                let Some(target) = search.nearest_lack(self, node) else {
                    break;
                };
                self.push(&search, node, target);
            }
        }
    }

    /// Moves as much along the way that was found as costs the same.
    fn push(&mut self, search: &Search, source: usize, target: usize) {
        let mut amount = self.excess[source].min(-self.excess[target]) as u64;
        let mut way = Vec::new();
        let mut node = target;
        while node != source {
            let step = search.came_by[node].expect("a node on the way");
            let (_, _, room) = self.step(step).expect("a step that can be gone");
            amount = amount.min(room);
            way.push(step);
            let edge = &self.edges[step.edge];
            node = if step.is_back { edge.to } else { edge.from };
        }
        for step in way {
            let edge = &mut self.edges[step.edge];
            match step.is_back {
                true => edge.flow -= amount,
                false => edge.flow += amount,
            }
        }
        self.excess[source] -= amount as i64;
        self.excess[target] += amount as i64;
    }

    fn flow(&self, successors: &[Vec<usize>]) -> Flow {
        let mut blocks = vec![0; successors.len()];
        for edge in &self.edges {
            if edge.to == edge.from + 1 && edge.from.is_multiple_of(2) {
                blocks[edge.from / 2] += edge.flow;
            }
        }
        let mut jumps = self.jumps.iter().map(|&jump| self.edges[jump].flow);
        let of = |next: &Vec<usize>| jumps.by_ref().take(next.len()).collect();
        Flow {
            jumps: successors.iter().map(of).collect(),
            blocks,
        }
    }
}

fn entering(block: usize) -> usize {
    2 * block
}

fn leaving(block: usize) -> usize {
    2 * block + 1
}

/// Dijkstra's search, on costs that the potentials keep from being negative.
struct Search {
    distance: Vec<i64>,
    is_final: Vec<bool>,
    came_by: Vec<Option<Step>>,
    /// Nodes whose entries above are of the search that runs.
    touched: Vec<usize>,
}

impl Search {
    fn new(nodes: usize) -> Self {
        Self {
            distance: vec![i64::MAX; nodes],
            is_final: vec![false; nodes],
            came_by: vec![None; nodes],
            touched: Vec::new(),
        }
    }

    /// The cheapest node to reach that has too little.
    fn nearest_lack(&mut self, network: &mut Network, source: usize) -> Option<usize> {
        for node in self.touched.drain(..) {
            self.distance[node] = i64::MAX;
            self.is_final[node] = false;
            self.came_by[node] = None;
        }
        let mut queue = BinaryHeap::new();
        self.reach(source, 0, None, &mut queue);
        while let Some(Reverse((distance, node))) = queue.pop() {
            if self.is_final[node] {
                continue;
            }
            self.is_final[node] = true;
            if network.excess[node] < 0 {
                self.shorten(network, distance);
                return Some(node);
            }
            for &step in &network.steps[node] {
                let Some((next, cost, _)) = network.step(step) else {
                    continue;
                };
                let cost = cost + network.potential[node] - network.potential[next];
                let through = distance + cost;
                if through < self.distance[next] {
                    self.reach(next, through, Some(step), &mut queue);
                }
            }
        }
        None
    }

    fn reach(
        &mut self,
        node: usize,
        distance: i64,
        step: Option<Step>,
        queue: &mut BinaryHeap<Reverse<(i64, usize)>>,
    ) {
        if self.distance[node] == i64::MAX {
            self.touched.push(node);
        }
        self.distance[node] = distance;
        self.came_by[node] = step;
        queue.push(Reverse((distance, node)));
    }

    /// Adds to the potentials what the search learnt; of nodes that are further than `found`, nothing.
    fn shorten(&self, network: &mut Network, found: i64) {
        for &node in &self.touched {
            if self.is_final[node] {
                network.potential[node] += self.distance[node] - found;
            }
        }
    }
}

/// Joins parts that run by themselves, such as a hot loop whose entry was not seen, to the entry by one execution: the
/// compiler counts everything from there.
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

/// Marks what flow reaches from a block.
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

/// The blocks of a shortest way from one of some blocks to one of others, both included.
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

    /// What comes into each block, and what leaves it by jumps.
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
        // A loop with an if in it, whose one arm was not measured.
        let successors = [vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![]];
        let measured = [Some(1), None, Some(30), None, Some(100), Some(1)];
        let flow = infer(&successors, &measured);
        assert_eq!(flow.blocks, [1, 100, 30, 70, 100, 1]);
        assert_eq!(flow.jumps[4], [99, 1]);
    }

    #[test]
    fn what_nothing_is_known_of_is_spread() {
        let successors = [vec![1, 2, 3], vec![4], vec![4], vec![4], vec![]];
        let flow = infer(&successors, &[Some(90_000), None, None, None, None]);
        let [one, two, three] = flow.jumps[0][..] else {
            panic!("{flow:?}")
        };
        for count in [one, two, three] {
            assert!((15_000..60_000).contains(&count), "{flow:?}");
        }
    }

    #[test]
    fn one_count_against_several_gives_way() {
        // The probes of block 2 were lost on its hot way; everything behind and before it says so.
        let successors = [vec![1, 3], vec![2], vec![3], vec![]];
        let measured = [Some(1000), Some(990), Some(3), Some(1000)];
        assert_eq!(infer(&successors, &measured).blocks[2], 990);
    }

    #[test]
    fn a_loop_whose_entry_was_not_seen_is_entered() {
        let successors = [vec![1], vec![2], vec![2, 3], vec![]];
        let flow = infer(&successors, &[Some(0), Some(0), Some(5000), Some(0)]);
        assert_eq!(flow.blocks, [1, 1, 5001, 1]);
    }

    #[test]
    fn counts_beyond_all_measure_keep_their_relation() {
        let successors = [vec![1, 2], vec![], vec![]];
        let flow = infer(&successors, &[None, Some(u64::MAX), Some(u64::MAX / 4)]);
        let relation = flow.blocks[1] as f64 / flow.blocks[2] as f64;
        assert!((relation - 4.0).abs() < 0.01, "{flow:?}");
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
            let flow = infer(&successors, &measured);
            let (into, out) = sums(&successors, &flow);
            for block in 1..successors.len() {
                prop_assert_eq!(into[block], flow.blocks[block]);
            }
            for (block, next) in successors.iter().enumerate() {
                // A loop without a way out keeps what was sent into it.
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
            prop_assert_eq!(infer(&successors, &measured).blocks, counts);
        }
    }
}
