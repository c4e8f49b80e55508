//! Who calls whom, by weight.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::history::History;

/// Part of a function's callers' weight from which on a caller counts as one.
const PART_MIN: f64 = 0.05;
/// Part from which on a caller is the only one that counts.
const ONLY_MIN: f64 = 0.8;
/// Callers above callers that are followed.
const DEPTH_MAX: usize = 64;

/// Callers and callees of functions.
pub(crate) struct Graph {
    /// Callers by function, the heaviest first, as parts of all of its callers.
    callers: FxHashMap<u32, Vec<(u32, f64)>>,
    callees: FxHashMap<u32, Vec<u32>>,
}

impl Graph {
    pub(crate) fn of(history: &History) -> Self {
        let mut callers: FxHashMap<u32, Vec<(u32, f64)>> = FxHashMap::default();
        let mut callees: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for ((caller, callee), weight) in &history.calls {
            callers.entry(*callee).or_default().push((*caller, *weight));
            callees.entry(*caller).or_default().push(*callee);
        }
        for parts in callers.values_mut() {
            let whole: f64 = parts.iter().map(|(_, weight)| weight).sum();
            parts
                .iter_mut()
                .for_each(|(_, weight)| *weight /= whole.max(1.0));
            parts.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        callees.values_mut().for_each(|list| list.sort_unstable());
        Self { callers, callees }
    }

    /// Returns the callers of functions that count, by name.
    pub(crate) fn named(&self, history: &History) -> BTreeMap<String, Vec<String>> {
        let name = |function: &u32| history.functions[*function as usize].clone();
        let callers = self.callers.iter().map(|(function, callers)| {
            let counting = callers.iter().filter(|(_, part)| *part >= PART_MIN);
            let counting = counting.map(|(caller, _)| name(caller)).collect();
            (name(function), counting)
        });
        callers.collect()
    }

    fn callers(&self, function: u32) -> &[(u32, f64)] {
        self.callers.get(&function).map_or(&[], Vec::as_slice)
    }

    fn callees(&self, function: u32) -> &[u32] {
        self.callees.get(&function).map_or(&[], Vec::as_slice)
    }

    /// Returns functions that cost may have moved from: callers, callees, and what the heaviest caller calls beside.
    pub(crate) fn neighbours(&self, function: u32) -> Vec<u32> {
        let callers = self.callers(function).iter().map(|(caller, _)| *caller);
        let siblings = self.callers(function).first();
        let siblings = siblings.map_or(&[][..], |(caller, _)| self.callees(*caller));
        let all = callers.chain(self.callees(function).iter().copied());
        let all: FxHashSet<u32> = all.chain(siblings.iter().copied()).collect();
        let mut all: Vec<u32> = all.into_iter().filter(|other| *other != function).collect();
        all.sort_unstable();
        all
    }

    /// Returns all from which a function is reached, over callers that count.
    pub(crate) fn ancestors(&self, function: u32) -> FxHashSet<u32> {
        self.above(function, PART_MIN)
    }

    /// Returns those through which nearly all calls of a function go.
    pub(crate) fn only_ancestors(&self, function: u32) -> FxHashSet<u32> {
        self.above(function, ONLY_MIN)
    }

    fn above(&self, function: u32, least: f64) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        let mut level = vec![function];
        for _ in 0..DEPTH_MAX {
            let next = level.iter().flat_map(|one| self.callers(*one));
            let next: Vec<u32> = next
                .filter(|(_, part)| *part >= least)
                .map(|(caller, _)| *caller)
                .filter(|caller| *caller != function)
                .collect();
            level = next
                .into_iter()
                .filter(|caller| found.insert(*caller))
                .collect();
            if level.is_empty() {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_followed_and_cycles_end() {
        let mut history = History::default();
        // 0 calls 1 and 2; 1 and 2 call 3; 3 calls 4, and 4 calls 3.
        for (caller, callee, weight) in [
            (0, 1, 9.0),
            (0, 2, 5.0),
            (1, 3, 8.0),
            (2, 3, 2.0),
            (3, 4, 7.0),
            (4, 3, 1.0),
        ] {
            history.calls.insert((caller, callee), weight);
        }
        let graph = Graph::of(&history);
        let sorted = |set: FxHashSet<u32>| {
            let mut all: Vec<u32> = set.into_iter().collect();
            all.sort_unstable();
            all
        };
        assert_eq!(sorted(graph.ancestors(4)), [0, 1, 2, 3]);
        assert_eq!(sorted(graph.only_ancestors(4)), [3]);
        assert_eq!(sorted(graph.only_ancestors(1)), [0]);
        assert_eq!(graph.neighbours(1), [0, 2, 3]);
    }
}
