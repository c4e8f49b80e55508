//! Similarity of two sample profiles.

use crate::counts::add;
use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Shares from 0 (nothing in common) to 1 (the same except for a factor).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Overlap {
    /// Overlap of blocks: the smaller of both shares, added up over all places. A place is a line and discriminator of a
    /// function, wherever the function was inlined, so that another choice of the inliner makes no difference.
    pub blocks: f64,
    /// Overlap over places within their chains of inlined calls, as `llvm-profdata overlap` compares them.
    pub blocks_as_inlined: f64,
    /// Overlap over the totals of functions.
    pub functions: f64,
    /// Number of functions in both profiles.
    pub common: usize,
    /// Number of functions in the first profile alone.
    pub only_first: usize,
    /// Number of functions in the second profile alone.
    pub only_second: usize,
}

/// Compares two profiles.
pub fn overlap(first: &SampleProfile, second: &SampleProfile) -> Overlap {
    let common = first.functions.keys();
    let common = common
        .filter(|name| second.functions.contains_key(*name))
        .count();
    Overlap {
        blocks: shared(&flat(first), &flat(second)),
        blocks_as_inlined: shared(&nested(first), &nested(second)),
        functions: shared(&totals(first), &totals(second)),
        common,
        only_first: first.functions.len() - common,
        only_second: second.functions.len() - common,
    }
}

/// Returns the sum of the smaller shares.
pub(crate) fn shared<K: Eq + std::hash::Hash>(
    first: &FxHashMap<K, u64>,
    second: &FxHashMap<K, u64>,
) -> f64 {
    let sum = |counts: &FxHashMap<K, u64>| counts.values().map(|&count| count as f64).sum::<f64>();
    let (all, others) = (sum(first), sum(second));
    if all == 0.0 || others == 0.0 {
        return 0.0;
    }
    let mut shares: Vec<f64> = first
        .iter()
        .filter_map(|(key, &count)| {
            let other = *second.get(key)?;
            Some((count as f64 / all).min(other as f64 / others))
        })
        .collect();
    // Sums in a fixed order give the same last digit for the same profiles.
    shares.sort_by(f64::total_cmp);
    shares.iter().sum::<f64>().min(1.0)
}

fn totals(profile: &SampleProfile) -> FxHashMap<&str, u64> {
    let functions = profile.functions.iter();
    functions
        .map(|(name, function)| (name.as_str(), function.total))
        .collect()
}

/// Returns counts by function and place, wherever the function was inlined.
pub(crate) fn flat(profile: &SampleProfile) -> FxHashMap<(&str, LineKey), u64> {
    let mut counts = FxHashMap::default();
    profile.visit_by_name(&mut |name, function| {
        for (&key, line) in &function.body {
            add(counts.entry((name, key)).or_default(), line.count);
        }
    });
    counts
}

/// Functions inlined into each other, outermost first, with the places of the calls.
type Chain<'p> = Vec<(&'p str, LineKey)>;

/// Returns counts by place within chains of inlined calls.
fn nested(profile: &SampleProfile) -> FxHashMap<(Chain<'_>, LineKey), u64> {
    fn visit<'p>(
        function: &'p FunctionSamples,
        chain: &mut Chain<'p>,
        counts: &mut FxHashMap<(Chain<'p>, LineKey), u64>,
    ) {
        for (&key, line) in &function.body {
            if line.count > 0 {
                counts.insert((chain.clone(), key), line.count);
            }
        }
        for (&key, callees) in &function.callsites {
            for (callee, samples) in callees {
                chain.push((callee, key));
                visit(samples, chain, counts);
                chain.pop();
            }
        }
    }
    let mut counts = FxHashMap::default();
    let start = LineKey {
        line_offset: 0,
        discriminator: 0,
    };
    for (name, function) in &profile.functions {
        visit(function, &mut vec![(name, start)], &mut counts);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sample_profile;

    fn profile(text: &str) -> SampleProfile {
        read_sample_profile(text.as_bytes()).unwrap().samples
    }

    #[test]
    fn a_factor_is_no_difference_and_inlining_only_where_asked() {
        let one = profile("f:40:1\n 1: 10\n 2: g:30\n  1: 30\n");
        let twice = profile("f:80:1\n 1: 20\n 2: g:60\n  1: 60\n");
        let found = overlap(&one, &twice);
        assert_eq!(
            (found.blocks, found.blocks_as_inlined, found.functions),
            (1.0, 1.0, 1.0)
        );
        let apart = profile("f:10:1\n 1: 10\n 2: 30 g:30\ng:30:30\n 1: 30\n");
        let found = overlap(&one, &apart);
        // f's line 2 has 30 of the other's 70 executions.
        assert!(
            (found.blocks - (10.0 + 30.0) / 70.0).abs() < 1e-12,
            "{found:?}"
        );
        assert!((found.blocks_as_inlined - 10.0 / 70.0).abs() < 1e-12);
        assert!((found.functions - 0.25).abs() < 1e-12);
        assert_eq!(
            (found.common, found.only_first, found.only_second),
            (1, 0, 1)
        );
    }

    #[test]
    fn nothing_in_common_is_nothing() {
        assert_eq!(
            overlap(&profile("f:1:1\n 1: 1\n"), &profile("g:1:1\n 1: 1\n")).blocks,
            0.0
        );
        assert_eq!(overlap(&profile(""), &profile("")).blocks, 0.0);
    }
}
