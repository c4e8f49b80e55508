//! Summary of a profile, from which the compiler decides what is hot and what is cold.

use crate::counts::add;
use crate::sample_profile::SampleProfile;
use std::collections::BTreeMap;

/// Cut-offs of the detailed summary, in millionths of all counts, as in LLVM 19.
const CUTOFFS: [u32; 16] = [
    10_000, 100_000, 200_000, 300_000, 400_000, 500_000, 600_000, 700_000, 800_000, 900_000,
    950_000, 990_000, 999_000, 999_900, 999_990, 999_999,
];

/// Number of the largest counts that make up one share of all counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SummaryEntry {
    /// Share, in millionths.
    pub cutoff: u32,
    /// Smallest of these counts.
    pub min_count: u64,
    /// Number of these counts.
    pub counts: u64,
}

/// Figures over all body lines of a profile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProfileSummary {
    /// Sum of all line counts.
    pub total_count: u64,
    /// Largest line count.
    pub max_count: u64,
    /// Largest head count.
    pub max_function_count: u64,
    /// Number of lines.
    pub counts: u64,
    /// Number of functions, without inlined ones.
    pub functions: u64,
    /// Detailed summary.
    pub entries: Vec<SummaryEntry>,
}

impl ProfileSummary {
    /// Sums up a profile.
    pub fn of(profile: &SampleProfile) -> Self {
        let mut summary = Self {
            functions: profile.functions.len() as u64,
            ..Self::default()
        };
        let mut frequencies: BTreeMap<u64, u64> = BTreeMap::new();
        for function in profile.functions.values() {
            summary.max_function_count = summary.max_function_count.max(function.head);
            function.visit(&mut |samples| {
                for line in samples.body.values() {
                    *frequencies.entry(line.count).or_default() += 1;
                }
            });
        }
        for (&count, &times) in &frequencies {
            add(&mut summary.total_count, count.saturating_mul(times));
            summary.counts += times;
        }
        summary.max_count = frequencies.last_key_value().map_or(0, |(&count, _)| count);
        summary.entries = detailed(&frequencies, summary.total_count);
        summary
    }
}

fn detailed(frequencies: &BTreeMap<u64, u64>, total: u64) -> Vec<SummaryEntry> {
    let mut largest_first = frequencies.iter().rev();
    let (mut sum, mut seen, mut min_count) = (0, 0, 0);
    CUTOFFS
        .iter()
        .map(|&cutoff| {
            let wanted = u128::from(total) * u128::from(cutoff) / 1_000_000;
            while sum < wanted
                && let Some((&count, &times)) = largest_first.next()
            {
                sum += u128::from(count) * u128::from(times);
                seen += times;
                min_count = count;
            }
            SummaryEntry {
                cutoff,
                min_count,
                counts: seen,
            }
        })
        .collect()
}
