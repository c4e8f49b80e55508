//! Flame graphs as Pyroscope's answers have them: levels of bars, four numbers each.

use std::cmp::Reverse;

use hone_views::{FrameId, Stacks};
use rustc_hash::FxHashMap;

/// Bars of a flame graph, unless another number is asked for.
pub(super) const NODES: usize = 8192;
/// Bars that can be asked for.
pub(super) const NODES_MAX: usize = 1 << 20;
/// Name of the bar in place of callees that are left out.
const OTHER: &str = "other";

/// A flame graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flame {
    /// Names of functions.
    pub names: Vec<String>,
    /// Bars of each level: distance from the end of the bar before, weight, weight in the function itself, name.
    pub levels: Vec<Vec<i64>>,
    /// Weight of all.
    pub total: i64,
    /// Largest weight in a function itself.
    pub max_self: i64,
}

#[derive(Default)]
struct Node {
    name: usize,
    total: u64,
    own: u64,
    children: Vec<usize>,
}

/// Bars by function, caller before callee.
struct Tree {
    nodes: Vec<Node>,
    names: Vec<String>,
}

impl Tree {
    fn of(stacks: &Stacks) -> Self {
        let mut names = vec!["total".to_owned()];
        let mut known_names: FxHashMap<&str, usize> = FxHashMap::default();
        // Frames that differ in line or file alone are one function.
        let of_frame: Vec<usize> = (0..stacks.frame_count() as u32)
            .map(|id| {
                let function = stacks.frame(FrameId(id)).function.as_str();
                *known_names.entry(function).or_insert_with(|| {
                    names.push(function.to_owned());
                    names.len() - 1
                })
            })
            .collect();
        let mut nodes = vec![Node::default()];
        let mut known: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for stack in &stacks.stacks {
            let mut at = 0;
            nodes[0].total = nodes[0].total.saturating_add(stack.weight);
            for frame in stack.frames.iter().rev() {
                let name = of_frame[frame.0 as usize];
                at = *known.entry((at, name)).or_insert_with(|| {
                    let new = nodes.len();
                    nodes[at].children.push(new);
                    nodes.push(Node {
                        name,
                        ..Node::default()
                    });
                    new
                });
                nodes[at].total = nodes[at].total.saturating_add(stack.weight);
            }
            nodes[at].own = nodes[at].own.saturating_add(stack.weight);
        }
        Self { nodes, names }
    }

    /// Leaves the heaviest nodes; what is left out becomes one callee of its caller.
    fn cut(&mut self, nodes_max: usize) {
        if self.nodes.len() <= nodes_max {
            return;
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        // A caller weighs no less than its callees and comes before them: with a node its callers stay.
        order.sort_by_key(|&node| (Reverse(self.nodes[node].total), node));
        let mut is_kept = vec![false; self.nodes.len()];
        for &node in &order[..nodes_max.max(1)] {
            is_kept[node] = true;
        }
        self.names.push(OTHER.to_owned());
        let other = self.names.len() - 1;
        for node in 0..is_kept.len() {
            if !is_kept[node] {
                continue;
            }
            let (mut kept, gone): (Vec<usize>, Vec<usize>) =
                std::mem::take(&mut self.nodes[node].children)
                    .into_iter()
                    .partition(|&child| is_kept[child]);
            if !gone.is_empty() {
                let totals = gone.iter().map(|&child| self.nodes[child].total);
                let total = totals.fold(0, u64::saturating_add);
                kept.push(self.nodes.len());
                self.nodes.push(Node {
                    name: other,
                    total,
                    own: total,
                    children: Vec::new(),
                });
            }
            self.nodes[node].children = kept;
        }
    }
}

impl Flame {
    /// Makes the flame graph of stacks, with about so many bars.
    pub fn of(stacks: &Stacks, nodes_max: usize) -> Self {
        let mut tree = Tree::of(stacks);
        tree.cut(nodes_max);
        Self::of_tree(tree)
    }

    fn of_tree(mut tree: Tree) -> Self {
        let signed = |weight: u64| i64::try_from(weight).unwrap_or(i64::MAX);
        let mut flame = Self {
            total: signed(tree.nodes[0].total),
            ..Self::default()
        };
        // (node, where it begins)
        let mut level: Vec<(usize, u64)> = vec![(0, 0)];
        let mut numbers: FxHashMap<usize, i64> = FxHashMap::default();
        while !level.is_empty() {
            let mut values = Vec::with_capacity(4 * level.len());
            let mut below = Vec::new();
            let mut end = 0_u64;
            for (node, start) in level {
                let node = &mut tree.nodes[node];
                let names = &mut flame.names;
                let number = *numbers.entry(node.name).or_insert_with(|| {
                    names.push(tree.names[node.name].clone());
                    names.len() as i64 - 1
                });
                let (total, own) = (signed(node.total), signed(node.own));
                flame.max_self = flame.max_self.max(own);
                values.extend([signed(start.saturating_sub(end)), total, own, number]);
                end = start.saturating_add(node.total);
                let mut next = start.saturating_add(node.own);
                for child in std::mem::take(&mut node.children) {
                    below.push((child, next));
                    next = next.saturating_add(tree.nodes[child].total);
                }
            }
            flame.levels.push(values);
            level = below;
        }
        flame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_beyond_all_numbers_are_the_largest_one() {
        let leaf = |name| Node {
            name,
            total: u64::MAX,
            own: u64::MAX,
            children: Vec::new(),
        };
        let mut tree = Tree {
            nodes: vec![
                Node {
                    total: u64::MAX,
                    children: vec![1, 2, 3],
                    ..Node::default()
                },
                leaf(1),
                leaf(2),
                leaf(3),
            ],
            names: ["total", "a", "b", "c"].map(str::to_owned).into(),
        };
        tree.cut(2);
        let flame = Flame::of_tree(tree);
        assert_eq!(flame.names, ["total", "a", OTHER]);
        let most = i64::MAX;
        assert_eq!(flame.levels[1], [0, most, most, 1, 0, most, most, 2]);
    }
}
