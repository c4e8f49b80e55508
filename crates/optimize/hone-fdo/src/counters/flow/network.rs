//! Network of a function's blocks and jumps, and the circulation of least cost in this network.

use super::Flow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cost of a unit that is added to a measured block, removed from it, or added to a block that was measured to be 0.
const RAISE: i64 = 1_000_000;
const LOWER: i64 = 2_000_000;
const RAISE_ZERO: i64 = 1_100_000;
/// Costs of the same changes to the entry, whose count also comes from its callers.
const RAISE_ENTRY: i64 = 4_000_000;
const LOWER_ENTRY: i64 = 1_000_000;
/// Cost of a unit on a jump in the lowest level, and the increase of this cost in each level above.
const JUMP: i64 = 10;
/// Number of levels of a jump's cost; each level holds as much flow as all levels below.
const LEVELS: u32 = 10;

/// Cost of a unit on an edge, as a function of the flow on the edge.
#[derive(Clone, Copy)]
enum Cost {
    /// Same cost for all units.
    Flat(i64),
    /// Cost that grows with the logarithm of the flow.
    Spread,
}

struct Edge {
    from: usize,
    to: usize,
    cost: Cost,
    capacity: u64,
    flow: u64,
}

/// A step along an edge, forwards or backwards.
#[derive(Clone, Copy)]
struct Step {
    edge: usize,
    is_back: bool,
}

/// Network with two nodes for each block, where flow enters and where it leaves.
pub(super) struct Network {
    edges: Vec<Edge>,
    /// Steps out of each node.
    steps: Vec<Vec<Step>>,
    /// Flow that each node has too much (positive) or too little (negative).
    excess: Vec<i64>,
    /// Amount by which the shortest path to each node was shortened so far.
    potential: Vec<i64>,
    /// Flow below which a jump is in its lowest level.
    lowest: u64,
    /// Indices of the jumps among the edges, in the order of blocks and successors.
    jumps: Vec<usize>,
}

impl Network {
    pub(super) fn new(successors: &[Vec<usize>], measured: &[Option<u64>]) -> Self {
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
                // Flow that leaves the function came in through the entry.
                network.add(leaving(block), entering(0), Cost::Flat(0), u64::MAX);
            }
        }
        network
    }

    /// Adds the edges through a block. The measured count of the block flows from the start, even if no flow comes in.
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

    /// Returns the target of a step, the cost of a unit on it, and the number of units at this cost; `None` if it is full.
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

    /// Returns the level of the next unit on a jump with the given flow.
    fn level(&self, flow: u64) -> u32 {
        let times = flow / self.lowest;
        times.checked_ilog2().map_or(0, |log| log + 1).min(LEVELS)
    }

    /// Returns the flow at which a level ends.
    fn end_of(&self, level: u32) -> u64 {
        if level >= LEVELS {
            return u64::MAX;
        }
        self.lowest << level
    }

    /// Moves flow from nodes that have too much to nodes that have too little, on the cheapest path each time. Returns
    /// `None` if this takes more than `steps_max` steps.
    pub(super) fn balance(&mut self, steps_max: u64) -> Option<()> {
        let mut search = Search::new(self.steps.len());
        for node in 0..self.steps.len() {
            while self.excess[node] > 0 {
                let targets = search.nearest_lacks(self, node);
                if targets.is_empty() {
                    break;
                }
                if search.steps > steps_max {
                    return None;
                }
                for target in targets {
                    self.push(&search, node, target);
                }
            }
        }
        Some(())
    }

    /// Moves as much flow along the path that was found as has the same cost; moves nothing if an earlier move has made
    /// the path more expensive.
    fn push(&mut self, search: &Search, source: usize, target: usize) {
        let mut amount = self.excess[source].min(-self.excess[target]) as u64;
        let mut way = Vec::new();
        let mut node = target;
        while node != source {
            let step = search.came_by[node].expect("a node on the way");
            let edge = &self.edges[step.edge];
            let from = if step.is_back { edge.to } else { edge.from };
            let still = self
                .step(step)
                .filter(|(_, cost, _)| cost + self.potential[from] - self.potential[node] == 0);
            let Some((_, _, room)) = still else {
                return;
            };
            amount = amount.min(room);
            way.push(step);
            node = from;
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

    pub(super) fn flow(&self, successors: &[Vec<usize>]) -> Flow {
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
    /// Nodes whose entries in the fields above belong to the current search.
    touched: Vec<usize>,
    /// Number of steps that all searches have looked at so far.
    steps: u64,
}

impl Search {
    fn new(nodes: usize) -> Self {
        Self {
            distance: vec![i64::MAX; nodes],
            is_final: vec![false; nodes],
            came_by: vec![None; nodes],
            touched: Vec::new(),
            steps: 0,
        }
    }

    /// Finds the nodes that have too little, the cheapest to reach first, until they lack as much as the source has too much.
    fn nearest_lacks(&mut self, network: &mut Network, source: usize) -> Vec<usize> {
        for node in self.touched.drain(..) {
            self.distance[node] = i64::MAX;
            self.is_final[node] = false;
            self.came_by[node] = None;
        }
        let mut found = Vec::new();
        let mut left = network.excess[source];
        let mut furthest = 0;
        let mut queue = BinaryHeap::new();
        self.reach(source, 0, None, &mut queue);
        while let Some(Reverse((distance, node))) = queue.pop() {
            if self.is_final[node] {
                continue;
            }
            self.is_final[node] = true;
            furthest = distance;
            if network.excess[node] < 0 {
                left += network.excess[node];
                found.push(node);
                if left <= 0 {
                    break;
                }
            }
            self.steps += network.steps[node].len() as u64;
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
        if !found.is_empty() {
            self.shorten(network, furthest);
        }
        found
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

    /// Adds the result of the search to the potentials; nodes that are further away than `furthest` stay the same.
    fn shorten(&self, network: &mut Network, furthest: i64) {
        for &node in &self.touched {
            if self.is_final[node] {
                network.potential[node] += self.distance[node] - furthest;
            }
        }
    }
}
