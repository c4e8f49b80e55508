//! Changes from one recording to another, by function, with a test of whether they may be noise.
//!
//! Shares are compared, not weights: recordings differ in length. For each row the difference of the two shares is
//! compared with the error of both (the test of two proportions). Since there are as many tests as rows, the changes
//! called significant are limited to a share of false discoveries (Benjamini and Hochberg, "Controlling the False
//! Discovery Rate", J. R. Stat. Soc. B 57, 1995).
//!
//! Rows of both tables are matched by name and binary. Recordings of files in other directories, or of another build,
//! are aligned first ([`crate::align()`]).
//!
//! The test leaves out that two runs of a program differ by more than the chance of sampling (other inputs, another
//! layout of the program's memory). A change that counts is seen again in another pair of recordings.

use crate::table::Table;
use rustc_hash::FxHashMap;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// Largest share of the changes called significant that is expected to be noise.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// Change of one row between the two tables.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// Name of the row, such as a function or a file.
    pub name: String,
    /// Binary of a function or a line; empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub binary: String,
    /// Share of self weight in the old recording, 0 to 1.
    pub old_share: f64,
    /// Share of self weight in the new recording, 0 to 1.
    pub new_share: f64,
    /// `new_share` less `old_share`.
    pub change: f64,
    /// Standard error of `change`.
    pub error: f64,
    /// Probability of a change as large or larger by chance alone.
    pub p_value: f64,
    /// True if the change counts as more than noise.
    pub significant: bool,
}

/// Compares the rows of both tables by name and binary; the largest change comes first.
pub fn diff(old: &Table, new: &Table) -> Vec<Change> {
    let (old_shares, new_shares) = (shares(old), shares(new));
    let mut keys: Vec<&Key<'_>> = old_shares.keys().chain(new_shares.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut changes: Vec<Change> = keys
        .into_iter()
        .map(|key| {
            let share = |shares: &FxHashMap<Key<'_>, f64>| shares.get(key).copied().unwrap_or(0.0);
            let (old_share, new_share) = (share(&old_shares), share(&new_shares));
            let (error, p_value) = test(
                (old_share, old.effective_samples),
                (new_share, new.effective_samples),
            );
            Change {
                name: key.0.to_owned(),
                binary: key.1.to_owned(),
                old_share,
                new_share,
                change: new_share - old_share,
                error,
                p_value,
                significant: false,
            }
        })
        .collect();
    mark(&mut changes);
    changes.sort_by(|a, b| {
        let larger = b.change.abs().total_cmp(&a.change.abs());
        let hotter = || b.new_share.total_cmp(&a.new_share);
        larger
            .then_with(hotter)
            .then_with(|| (&a.name, &a.binary).cmp(&(&b.name, &b.binary)))
    });
    changes
}

/// Name and binary of a row.
type Key<'r> = (&'r str, &'r str);

/// Returns self shares by row. Threads and processes have other numbers in each recording, so only their names count.
fn shares(table: &Table) -> FxHashMap<Key<'_>, f64> {
    let mut shares: FxHashMap<Key<'_>, f64> = FxHashMap::default();
    for row in &table.rows {
        *shares.entry((row.lasting_name(), &row.binary)).or_default() += row.self_share;
    }
    shares
}

/// Returns the standard error of the difference of two shares, and the probability of a difference as large by chance alone.
fn test((old, old_samples): (f64, f64), (new, new_samples): (f64, f64)) -> (f64, f64) {
    if old_samples <= 0.0 || new_samples <= 0.0 {
        return (0.0, 1.0);
    }
    let error = (old * (1.0 - old) / old_samples + new * (1.0 - new) / new_samples)
        .max(0.0)
        .sqrt();
    // If there is no difference, both recordings have one common share.
    let pooled = (old * old_samples + new * new_samples) / (old_samples + new_samples);
    let chance = (pooled * (1.0 - pooled) * (1.0 / old_samples + 1.0 / new_samples))
        .max(0.0)
        .sqrt();
    if chance == 0.0 {
        return (error, 1.0);
    }
    let z = (new - old).abs() / chance;
    let beyond = Normal::standard().sf(z);
    (error, 2.0 * beyond)
}

/// Marks the changes that Benjamini and Hochberg's procedure keeps.
fn mark(changes: &mut [Change]) {
    let mut order: Vec<usize> = (0..changes.len()).collect();
    order.sort_by(|&a, &b| changes[a].p_value.total_cmp(&changes[b].p_value));
    let tests = order.len() as f64;
    let kept = order.iter().enumerate().rposition(|(rank, &index)| {
        changes[index].p_value <= FALSE_DISCOVERIES * (rank + 1) as f64 / tests
    });
    for &index in order.iter().take(kept.map_or(0, |last| last + 1)) {
        changes[index].significant = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;
    use crate::table::{By, table};

    fn change_of<'c>(changes: &'c [Change], name: &str) -> &'c Change {
        changes.iter().find(|change| change.name == name).unwrap()
    }

    #[test]
    fn a_large_change_counts_and_a_small_one_does_not() {
        let old = stacks(&[("main;f", 100), ("main;g", 500), ("main;h", 400)]);
        let new = stacks(&[("main;f", 400), ("main;g", 505), ("main;h", 95)]);
        let changes = diff(&table(&old, By::Function), &table(&new, By::Function));
        let f = change_of(&changes, "f");
        assert!((f.change - 0.3).abs() < 1e-9 && f.significant, "{f:?}");
        assert!(!change_of(&changes, "g").significant);
        assert!(change_of(&changes, "h").change < 0.0);
        assert!(!change_of(&changes, "main").significant);
    }

    #[test]
    fn recordings_of_any_length_are_compared_by_share() {
        let old = stacks(&[("f", 1_000), ("g", 3_000)]);
        let new = stacks(&[("f", 10), ("g", 30)]);
        let changes = diff(&table(&old, By::Function), &table(&new, By::Function));
        assert!(changes.iter().all(|change| change.change.abs() < 1e-9));
    }

    /// Draws 2,000 samples of eight functions that are equally likely.
    fn draw(state: &mut u64) -> Table {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut counts = [0_u64; 8];
        for _ in 0..2_000 {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            counts[(*state >> 61) as usize] += 1;
        }
        let folded: Vec<_> = names.into_iter().zip(counts).collect();
        table(&stacks(&folded), By::Function)
    }

    #[test]
    fn noise_is_rarely_a_change() {
        let mut state = 1;
        let experiments = 400;
        let with_a_star = (0..experiments).filter(|_| {
            let changes = diff(&draw(&mut state), &draw(&mut state));
            changes.iter().any(|change| change.significant)
        });
        // 5 % are expected where nothing changed.
        let count = with_a_star.count();
        assert!((4..=36).contains(&count), "{count} of {experiments}");
    }
}
