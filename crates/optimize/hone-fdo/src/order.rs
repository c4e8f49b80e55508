//! Computes an order of functions for the linker: callers before the callees that they call most, hot code together.
//!
//! This is the call-chain clustering (C3) of Ottoni and Maher, "Optimizing Function Placement for Large-Scale
//! Data-Center Applications", CGO 2017. Every function starts as a cluster of its own. From the hottest
//! function to the coldest, the cluster of a function is appended to the cluster of its most frequent caller,
//! unless this makes the cluster too large. At the end the clusters are sorted by density: executed bytes for
//! each byte of code. Two rules keep hot clusters dense, as in linkers that do the same: a callee does not join if
//! the caller makes less than a tenth of its calls, or if it would thin the caller's cluster to less than
//! an eighth of its density.
//!
//! The result depends on the counts alone, and not on the order in which functions or calls are listed.

use crate::code::{Code, Flow};
use crate::counts::{Counts, add};
use crate::source::AttributionReport;
use crate::weights::weigh;
use hone_profile::Svma;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Maximum size of a cluster in bytes: a huge page.
const CLUSTER_BYTES_MAX: u64 = 2 << 20;
/// A caller must make at least one in this many calls of a function to have it appended.
const CALLS_SHARE_MIN: u64 = 10;
/// Maximum factor by which appending may lower the density of the caller's cluster.
const THINNING_MAX: u128 = 8;

/// A function of the call graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Address of the first byte, by which functions are told apart.
    pub start: Svma,
    /// Bytes of code.
    pub size: u64,
    /// Executed bytes of the function, or samples in it.
    pub weight: u64,
}

/// Number of calls from one function to another, both by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// Index of the caller.
    pub caller: usize,
    /// Index of the callee.
    pub callee: usize,
    /// Number of calls.
    pub count: u64,
}

/// Returns the functions of a binary that ran, in the order in which they should lie in memory.
///
/// Every body is listed once, under the first of its names; functions that did not run are left out.
pub fn hot_functions<'b>(counts: &Counts, code: &Code<'b>) -> Vec<&'b str> {
    let mut report = AttributionReport::default();
    let by_bytes = counts.has_branches();
    let mut nodes = Vec::new();
    let mut names = Vec::new();
    for weights in weigh(counts, code, &mut report) {
        let indices = 0..weights.instructions.len();
        let weight = indices.fold(0u64, |sum, index| {
            let weight = weights.weight(index);
            sum.saturating_add(weight.saturating_mul(weights.bytes(index, by_bytes)))
        });
        if weight > 0 {
            nodes.push(Node {
                start: weights.function.start,
                size: weights.function.size(),
                weight,
            });
            names.push(weights.function.name);
        }
    }
    let calls = calls(counts, code, &nodes);
    let mut seen = BTreeSet::new();
    let ordered = order(&nodes, &calls).into_iter().map(|index| names[index]);
    ordered.filter(|name| seen.insert(*name)).collect()
}

/// Writes the file for lld's `--symbol-ordering-file`: one name a line.
pub fn write_symbols(functions: &[&str]) -> String {
    functions.iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "{name}");
        text
    })
}

/// Writes the file for gold's `--section-ordering-file`: the sections that compilers make for a function with
/// `-ffunction-sections`, hot sections of a profiled build first.
pub fn write_sections(functions: &[&str]) -> String {
    functions.iter().fold(String::new(), |mut text, name| {
        if *name == "main" {
            text.push_str(".text.startup.main\n");
        }
        let _ = writeln!(text, ".text.hot.{name}\n.text.{name}");
        text
    })
}

/// Returns calls and tail calls between the functions, also through the PLT.
pub(crate) fn calls(counts: &Counts, code: &Code<'_>, nodes: &[Node]) -> Vec<Call> {
    let binary = code.binary();
    let index_of: FxHashMap<Svma, usize> = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| (node.start, index))
        .collect();
    let mut sums: FxHashMap<(usize, usize), u64> = FxHashMap::default();
    for (&(from, to), count) in &counts.branches {
        let callee = match binary.plt_entry_at(to) {
            Some(stub) => stub
                .symbol
                .and_then(|name| binary.functions().by_name(name)),
            None => binary.functions().starting_at(to),
        };
        let caller = binary.function_at(from);
        if let (Some(caller), Some(callee)) = (caller, callee)
            && let Some(&caller) = index_of.get(&caller.start)
            && let Some(&callee) = index_of.get(&callee.start)
            && caller != callee
            && code.flow_at(from) != Flow::Return
        {
            add(sums.entry((caller, callee)).or_default(), count.taken);
        }
    }
    let call = |((caller, callee), count)| Call {
        caller,
        callee,
        count,
    };
    sums.into_iter().map(call).collect()
}

/// Functions that lie together.
#[derive(Clone, Debug, Default)]
struct Cluster {
    functions: Vec<usize>,
    size: u64,
    weight: u64,
}

impl Cluster {
    /// Returns the weight per byte as a fraction: (weight, bytes).
    fn density(&self) -> (u128, u128) {
        (self.weight.into(), self.size.max(1).into())
    }

    fn append(&mut self, other: Self) {
        self.functions.extend(other.functions);
        add(&mut self.size, other.size);
        add(&mut self.weight, other.weight);
    }
}

/// Orders the functions: indices into `nodes`, each once. Each node must have its own `start`.
pub fn order(nodes: &[Node], calls: &[Call]) -> Vec<usize> {
    let callers = most_frequent_callers(nodes, calls);
    let mut clusters: Vec<Cluster> = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| Cluster {
            functions: vec![index],
            size: node.size,
            weight: node.weight,
        })
        .collect();
    let mut cluster_of: Vec<usize> = (0..nodes.len()).collect();
    let mut hottest_first: Vec<usize> = (0..nodes.len()).collect();
    hottest_first
        .sort_by_key(|&index| (std::cmp::Reverse(nodes[index].weight), nodes[index].start));
    for function in hottest_first {
        let Some(caller) = callers[function] else {
            continue;
        };
        let (into, from) = (cluster_of[caller], cluster_of[function]);
        if into == from || !may_join(&clusters[into], &clusters[from]) {
            continue;
        }
        let joined = std::mem::take(&mut clusters[from]);
        for &moved in &joined.functions {
            cluster_of[moved] = into;
        }
        clusters[into].append(joined);
    }
    clusters.retain(|cluster| !cluster.functions.is_empty());
    let first = |cluster: &Cluster| cluster.functions.iter().map(|&f| nodes[f].start).min();
    clusters.sort_by(|a, b| {
        let ((weight_a, size_a), (weight_b, size_b)) = (a.density(), b.density());
        (weight_b * size_a)
            .cmp(&(weight_a * size_b))
            .then_with(|| first(a).cmp(&first(b)))
    });
    clusters.into_iter().flat_map(|c| c.functions).collect()
}

/// Returns, for each function, its most frequent caller, if this caller makes enough of the calls.
fn most_frequent_callers(nodes: &[Node], calls: &[Call]) -> Vec<Option<usize>> {
    let mut called = vec![0u64; nodes.len()];
    let mut sums: FxHashMap<(usize, usize), u64> = FxHashMap::default();
    for call in calls.iter().filter(|call| call.caller != call.callee) {
        add(&mut called[call.callee], call.count);
        add(
            sums.entry((call.caller, call.callee)).or_default(),
            call.count,
        );
    }
    let mut best: Vec<Option<(u64, usize)>> = vec![None; nodes.len()];
    for (&(caller, callee), &count) in &sums {
        let better = match best[callee] {
            None => true,
            Some((most, of)) => {
                (count, std::cmp::Reverse(nodes[caller].start))
                    > (most, std::cmp::Reverse(nodes[of].start))
            }
        };
        if better {
            best[callee] = Some((count, caller));
        }
    }
    let enough = |(callee, best): (usize, Option<(u64, usize)>)| {
        let (count, caller) = best?;
        (count.saturating_mul(CALLS_SHARE_MIN) >= called[callee] && count > 0).then_some(caller)
    };
    best.into_iter().enumerate().map(enough).collect()
}

fn may_join(into: &Cluster, from: &Cluster) -> bool {
    let size = into.size.saturating_add(from.size);
    let weight = into.weight.saturating_add(from.weight);
    let (old_weight, old_size) = into.density();
    // weight/size >= old_weight/old_size/8, without fractions.
    let is_dense = (u128::from(weight) * old_size).saturating_mul(THINNING_MAX)
        >= old_weight * u128::from(size);
    size <= CLUSTER_BYTES_MAX && is_dense
}
