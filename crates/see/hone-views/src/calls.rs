//! Callers and callees of a function: the call graph around it as a tree, in either direction.
//!
//! A stack counts once. Where the function calls itself, callers are followed from its innermost call and callees
//! from its outermost, so that recursion shows within the tree.

use crate::stacks::{Frame, FrameId, Stacks};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Direction in which calls are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From callee to caller.
    Callers,
    /// From caller to callee.
    Callees,
}

/// Handle of a node in a [`CallTree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

/// A function in its place in the tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Node {
    /// Name of the function.
    pub function: String,
    /// Path of the program or library.
    pub binary: String,
    /// Weight of the stacks that lead to this node.
    pub weight: u64,
    /// Weight of the stacks that end at this node: towards callees, the time in the function itself; towards callers,
    /// the stacks whose outermost function it is.
    pub ends_here: u64,
    #[serde(skip)]
    children: Vec<NodeId>,
}

/// The calls around one function, or around several of one name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CallTree {
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    /// Weight of all stacks, with the function and without.
    pub weight: u64,
    /// Number of samples of equal weight that would be as much evidence as all samples.
    pub effective_samples: f64,
}

impl CallTree {
    /// Builds the tree of the calls around the functions that `is_root` accepts.
    pub fn new(stacks: &Stacks, direction: Direction, is_root: impl Fn(&Frame) -> bool) -> Self {
        let frames = (0..stacks.frame_count() as u32).map(|id| stacks.frame(FrameId(id)));
        let roots: Vec<bool> = frames.map(is_root).collect();
        let is_root = |frame: &FrameId| roots[frame.0 as usize];
        let mut making = Making::default();
        for stack in &stacks.stacks {
            let frames = &stack.frames;
            let path: Vec<FrameId> = match direction {
                Direction::Callers => match frames.iter().position(is_root) {
                    Some(at) => frames[at..].to_vec(),
                    None => continue,
                },
                Direction::Callees => match frames.iter().rposition(is_root) {
                    Some(at) => frames[..=at].iter().rev().copied().collect(),
                    None => continue,
                },
            };
            making.add(stacks, &path, stack.weight);
        }
        let mut tree = Self {
            nodes: making.nodes,
            roots: making.roots,
            weight: stacks.weight(),
            effective_samples: stacks.effective_samples(),
        };
        tree.sort();
        tree
    }

    /// The functions asked for, heaviest first.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The node behind a handle.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Callees or callers of a node, heaviest first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    fn sort(&mut self) {
        let weights: Vec<u64> = self.nodes.iter().map(|node| node.weight).collect();
        let by_weight = |ids: &mut Vec<NodeId>| {
            ids.sort_by_key(|id| (std::cmp::Reverse(weights[id.0 as usize]), id.0));
        };
        by_weight(&mut self.roots);
        for node in &mut self.nodes {
            by_weight(&mut node.children);
        }
    }
}

#[derive(Default)]
struct Making {
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    /// Nodes by parent, function and binary; frames of different lines are one function.
    known: FxHashMap<(Option<NodeId>, String, String), NodeId>,
}

impl Making {
    fn add(&mut self, stacks: &Stacks, path: &[FrameId], weight: u64) {
        let mut parent = None;
        for &frame in path {
            let id = self.child(parent, stacks.frame(frame));
            self.nodes[id.0 as usize].weight += weight;
            parent = Some(id);
        }
        if let Some(last) = parent {
            self.nodes[last.0 as usize].ends_here += weight;
        }
    }

    fn child(&mut self, parent: Option<NodeId>, frame: &Frame) -> NodeId {
        let key = (parent, frame.function.clone(), frame.binary.clone());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            function: frame.function.clone(),
            binary: frame.binary.clone(),
            weight: 0,
            ends_here: 0,
            children: Vec::new(),
        });
        self.known.insert(key, id);
        match parent {
            Some(parent) => self.nodes[parent.0 as usize].children.push(id),
            None => self.roots.push(id),
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;

    fn shown(tree: &CallTree, ids: &[NodeId]) -> String {
        let parts = ids.iter().map(|&id| {
            let node = tree.node(id);
            let below = shown(tree, tree.children(id));
            format!(
                "{} {} {}({below})",
                node.function, node.weight, node.ends_here
            )
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    fn around(folded: &[(&str, u64)], direction: Direction, name: &str) -> String {
        let stacks = stacks(folded);
        let tree = CallTree::new(&stacks, direction, |frame| frame.function == name);
        shown(&tree, tree.roots())
    }

    const FOLDED: [(&str, u64); 4] = [
        ("main;a;f;g", 3),
        ("main;b;f", 5),
        ("main;f;a;f;h", 7),
        ("main", 100),
    ];

    #[test]
    fn callers_start_at_the_innermost_call() {
        assert_eq!(
            around(&FOLDED, Direction::Callers, "f"),
            "f 15 0(a 10 0(f 7 0(main 7 7()) main 3 3()) b 5 0(main 5 5()))"
        );
    }

    #[test]
    fn callees_start_at_the_outermost_call() {
        assert_eq!(
            around(&FOLDED, Direction::Callees, "f"),
            "f 15 5(a 7 0(f 7 0(h 7 7())) g 3 3())"
        );
    }

    #[test]
    fn an_unknown_function_has_no_calls() {
        assert_eq!(around(&FOLDED, Direction::Callees, "nobody"), "");
    }
}
