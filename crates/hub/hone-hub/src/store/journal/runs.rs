//! Runs of senders: which of their batches are in files, so that later copies are left out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Batches of a sender's run that are in files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) host: String,
    /// Id of the run, in hexadecimal.
    pub(crate) run: String,
    /// Ranges of numbers, first and last, sorted and apart.
    pub(crate) numbers: Vec<(u64, u64)>,
    /// Second until which copies may come.
    pub(crate) until_s: u64,
}

/// A run as it stands in [`Runs`].
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct RunRef<'r> {
    pub(crate) host: &'r str,
    pub(crate) run: &'r str,
    pub(crate) numbers: &'r [(u64, u64)],
    pub(crate) until_s: u64,
}

/// Runs by host and id. Each request of another tool is a run, so there may be very many: one is found, added and removed without
/// a look at the others. Checkpoints have them as a list in this order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Runs(BTreeMap<String, BTreeMap<String, Known>>);

/// What is known of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    numbers: Vec<(u64, u64)>,
    until_s: u64,
}

impl Runs {
    /// True if the batch is in a file.
    pub(crate) fn has(&self, host: &str, run: &str, number: u64) -> bool {
        let known = self.0.get(host).and_then(|runs| runs.get(run));
        known.is_some_and(|known| has_number(&known.numbers, number))
    }

    /// Returns all, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = RunRef<'_>> {
        self.0.iter().flat_map(|(host, runs)| {
            runs.iter().map(move |(run, known)| RunRef {
                host,
                run,
                numbers: &known.numbers,
                until_s: known.until_s,
            })
        })
    }

    /// Adds batches of a run.
    pub(super) fn add(&mut self, run: Run) {
        match self.0.entry(run.host).or_default().entry(run.run) {
            Entry::Vacant(new) => {
                new.insert(Known {
                    numbers: run.numbers,
                    until_s: run.until_s,
                });
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.until_s = known.until_s.max(run.until_s);
                for numbers in run.numbers {
                    add_numbers(&mut known.numbers, numbers);
                }
            }
        }
    }

    /// Forgets a run.
    pub(super) fn remove(&mut self, host: &str, run: &str) {
        let Some(runs) = self.0.get_mut(host) else {
            return;
        };
        runs.remove(run);
        if runs.is_empty() {
            self.0.remove(host);
        }
    }
}

impl Serialize for Runs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut runs = Self::default();
        for run in Vec::<Run>::deserialize(deserializer)? {
            runs.add(run);
        }
        Ok(runs)
    }
}

/// True if one of the ranges has the number.
pub(crate) fn has_number(ranges: &[(u64, u64)], number: u64) -> bool {
    let behind = ranges.partition_point(|(first, _)| *first <= number);
    behind > 0 && ranges[behind - 1].1 >= number
}

/// Adds a range to ranges that are sorted and apart, and joins those that touch.
pub(crate) fn add_numbers(ranges: &mut Vec<(u64, u64)>, (mut first, mut last): (u64, u64)) {
    let from = ranges.partition_point(|(_, end)| end.saturating_add(1) < first);
    let to = ranges.partition_point(|(start, _)| *start <= last.saturating_add(1));
    if from < to {
        first = first.min(ranges[from].0);
        last = last.max(ranges[to - 1].1);
    }
    ranges.splice(from..to, [(first, last)]);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_hold_the_numbers_that_were_added(added in prop::collection::vec((0_u64..60, 0_u64..4), 0..40)) {
            let mut ranges = Vec::new();
            let mut numbers = BTreeSet::new();
            for (first, length) in added {
                add_numbers(&mut ranges, (first, first + length));
                numbers.extend(first..=first + length);
            }
            for number in 0..70 {
                prop_assert_eq!(has_number(&ranges, number), numbers.contains(&number));
            }
            prop_assert!(ranges.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        }
    }

    #[test]
    fn the_last_number_of_all_can_be_added() {
        let mut ranges = vec![(0, 3)];
        add_numbers(&mut ranges, (u64::MAX, u64::MAX));
        add_numbers(&mut ranges, (5, u64::MAX - 1));
        assert_eq!(ranges, [(0, 3), (5, u64::MAX)]);
    }

    #[test]
    fn runs_are_a_list_in_checkpoints_and_come_back_from_it() {
        let text = r#"[{"host":"","run":"0a","numbers":[[7,7]],"until_s":5},{"host":"web-1","run":"01","numbers":[[0,3],[5,9]],"until_s":9}]"#;
        let mut runs: Runs = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&runs).unwrap(), text);
        assert!(runs.has("web-1", "01", 3) && runs.has("", "0a", 7));
        assert!(!runs.has("web-1", "01", 4) && !runs.has("", "01", 3));
        runs.add(Run {
            host: "web-1".to_owned(),
            run: "01".to_owned(),
            numbers: vec![(4, 4)],
            until_s: 4,
        });
        runs.remove("", "0a");
        runs.remove("nobody", "0a");
        let left = r#"[{"host":"web-1","run":"01","numbers":[[0,9]],"until_s":9}]"#;
        assert_eq!(serde_json::to_string(&runs).unwrap(), left);
    }
}
