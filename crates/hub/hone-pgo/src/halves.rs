//! Halves of what a fleet sent: a profile is worth what it says of hosts that sent nothing yet, and of days to come.
//!
//! Halves are sets of hosts where all batches tell them apart. A hub adds hosts up, and then halves are steps of time. Chance deals
//! both out, by sums of their names, so that the same batches have the same halves.

use std::collections::{BTreeMap, BTreeSet};

use hone_fdo::overlap::overlap;
use hone_fdo::quality::expected;
use serde::{Deserialize, Serialize};

use crate::join::Part;
use crate::keep::{hottest, shared};
use crate::make::Written;
use crate::manifest::sha256;
use crate::observations::Seen;

/// What a half is a set of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HalvesOf {
    /// Hosts.
    Hosts,
    /// Steps of time, with all hosts in each.
    Times,
}

/// The sets of the first half.
pub(crate) struct Halves {
    pub(crate) of: HalvesOf,
    first: BTreeSet<String>,
}

/// One of the halves.
#[derive(Clone, Copy)]
pub(crate) struct Half<'h> {
    pub(crate) halves: &'h Halves,
    pub(crate) is_first: bool,
}

impl Halves {
    /// Returns the halves of what was sent of the builds that are in the profile; `None` if there is but one host in one step of
    /// time.
    pub(crate) fn of(
        service: &str,
        seen: &Seen<'_>,
        parts: &BTreeMap<String, Part>,
    ) -> Option<Self> {
        let is_used = |build: &String| {
            let part = parts.get(build);
            part.is_some_and(|part| part.left_out.is_none())
        };
        let (mut hosts, mut starts) = (BTreeSet::new(), BTreeSet::new());
        for dated in &seen.batches {
            let batch = dated.batch;
            let groups = batch.groups.iter();
            let own = groups.filter(|group| group.service == service && is_used(&group.build));
            for group in own {
                starts.insert(batch.span_s.start.to_string());
                let host = match group.host.is_empty() {
                    true => &batch.origin.host,
                    false => &group.host,
                };
                hosts.insert(host.clone());
            }
        }
        let (of, names) = match hosts.len() > 1 && !hosts.contains("") {
            true => (HalvesOf::Hosts, hosts),
            false => (HalvesOf::Times, starts),
        };
        (names.len() > 1).then(|| Self {
            of,
            first: dealt(names),
        })
    }

    pub(crate) fn both(&self) -> [Half<'_>; 2] {
        [true, false].map(|is_first| Half {
            halves: self,
            is_first,
        })
    }
}

impl Half<'_> {
    /// True if a host's group of a batch, which begins at this time, is of this half.
    pub(crate) fn has(self, host: &str, start_s: u64) -> bool {
        let first = &self.halves.first;
        let is_there = match self.halves.of {
            HalvesOf::Hosts => first.contains(host),
            HalvesOf::Times => first.contains(&start_s.to_string()),
        };
        is_there == self.is_first
    }
}

/// Returns half of the names.
fn dealt(names: BTreeSet<String>) -> BTreeSet<String> {
    let mut by_sum: Vec<(String, String)> = names
        .into_iter()
        .map(|name| (sha256(name.as_bytes()), name))
        .collect();
    by_sum.sort();
    let first = by_sum.into_iter().step_by(2);
    first.map(|(_, name)| name).collect()
}

/// Returns the overlap that is to be expected of this profile and the next one, by those of the halves: of blocks, or of functions for
/// forms that name no places in the source.
pub(crate) fn overlap_expected(first: &Written, second: &Written) -> f64 {
    let of_halves = match (&first.samples, &second.samples) {
        (Some(first), Some(second)) => overlap(first, second).blocks,
        _ => {
            let [first, second] = [first, second].map(|half| hottest(half.functions.clone()));
            shared(&first, &second)
        }
    };
    expected(of_halves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_of_the_same_size_and_leave_nobody_out() {
        for count in 2..30 {
            let names: BTreeSet<String> = (0..count).map(|n| format!("host-{n}")).collect();
            let halves = Halves {
                of: HalvesOf::Hosts,
                first: dealt(names.clone()),
            };
            let [first, second] = halves.both();
            let of = |half: Half<'_>| names.iter().filter(|name| half.has(name, 0)).count();
            assert_eq!(of(first) + of(second), count);
            assert!(of(first) - of(second) <= 1);
        }
    }
}
