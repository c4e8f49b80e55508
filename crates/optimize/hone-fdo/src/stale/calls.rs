//! Compares functions by the functions that they call, in the order of lines.

use super::shapes::{Shape, Shapes};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of calls of a function that is compared by calls: the work grows with the product of both sequences.
const CALLS_MAX: usize = 2000;
/// Minimum number of calls that a renamed function has in common with the new function.
const RENAMED_CALLS_MIN: usize = 2;
/// Minimum share of common calls in the calls of both functions.
const RENAMED_SHARE_MIN: f64 = 0.7;
/// Maximum number of callers of a callee that is used to find a renamed function.
const CALLERS_MAX: usize = 64;

/// Calls of a function, by line.
type Calls<'s> = Vec<(u32, &'s BTreeSet<String>)>;

fn calls(shape: &Shape) -> Calls<'_> {
    shape
        .calls
        .iter()
        .map(|(&line, callees)| (line, callees))
        .collect()
}

/// Returns the lines, old and new, of the longest sequence of calls that both functions have.
pub(super) fn common_calls(
    old: &Shape,
    new: &Shape,
    renamed: &BTreeMap<String, String>,
) -> Vec<(u32, u32)> {
    let (old, new) = (calls(old), calls(new));
    if old.len() > CALLS_MAX || new.len() > CALLS_MAX {
        return Vec::new();
    }
    let same = |a, b| share_a_callee(a, b, renamed);
    // length[i][j] is the length of the longest common sequence of old[i..] and new[j..].
    let width = new.len() + 1;
    let mut length = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i * width + j] = if same(old[i].1, new[j].1) {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while i < old.len() && j < new.len() {
        if same(old[i].1, new[j].1) {
            found.push((old[i].0, new[j].0));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// Returns the functions of the profile that the build does not have, with the new functions whose calls are most alike.
pub(super) fn renamed(old: &Shapes, build: &Shapes) -> BTreeMap<String, String> {
    let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, shape) in build.iter().filter(|(name, _)| !old.contains_key(*name)) {
        let callees: BTreeSet<&String> = shape.calls.values().flatten().collect();
        for callee in callees {
            callers.entry(callee).or_default().push(name);
        }
    }
    let nothing = BTreeMap::new();
    let mut candidates = Vec::new();
    for (name, shape) in old.iter().filter(|(name, _)| !build.contains_key(*name)) {
        let callees = shape.calls.values().flatten();
        let telling = callees.filter_map(|callee| callers.get(callee.as_str()));
        let telling = telling.filter(|callers| callers.len() <= CALLERS_MAX);
        let new: BTreeSet<&str> = telling.flatten().copied().collect();
        for new_name in new {
            let new_shape = &build[new_name];
            let common = common_calls(shape, new_shape, &nothing).len();
            let all = shape.calls.len() + new_shape.calls.len();
            let share = 2.0 * common as f64 / all as f64;
            if common >= RENAMED_CALLS_MIN && share >= RENAMED_SHARE_MIN {
                candidates.push((share, name.as_str(), new_name));
            }
        }
    }
    candidates.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1, a.2).cmp(&(b.1, b.2)))
    });
    let mut found = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (_, old, new) in candidates {
        if !found.contains_key(old) && taken.insert(new) {
            found.insert(old.to_owned(), new.to_owned());
        }
    }
    found
}

/// Returns true if both places call the same function, perhaps under a new name.
pub(super) fn share_a_callee(
    old: &BTreeSet<String>,
    new: &BTreeSet<String>,
    renamed: &BTreeMap<String, String>,
) -> bool {
    let mut new_names = old.iter().map(|name| renamed.get(name).unwrap_or(name));
    new_names.any(|name| new.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_common_sequence_is_found() {
        let shape = |names: &[&str]| Shape {
            calls: (0..)
                .zip(names)
                .map(|(line, name)| (line, BTreeSet::from([(*name).to_owned()])))
                .collect(),
            ..Shape::default()
        };
        let old = shape(&["a", "b", "c", "d"]);
        let new = shape(&["b", "x", "c", "a", "d"]);
        let found = common_calls(&old, &new, &BTreeMap::new());
        assert_eq!(found, [(1, 0), (2, 2), (3, 4)]);
    }
}
