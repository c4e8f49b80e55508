//! Batches added up by build, with weights.
//!
//! What has one weight is added up first, as whole numbers; then each count is weighed in fixed point and rounded once. So the
//! sum is the same in whatever order the batches come, and memory grows with steps of age, not with hosts.

use std::cell::Cell;
use std::hash::Hash;

use hone_batch::{
    Batch, Branches, EventIndex, FrameIndex, Group, GroupIndex, Merging, PlaceIndex, Ranges,
    Records, Samples,
};
use hone_fdo::merge::{Fixed, Weight};
use hone_profile::Label;
use rustc_hash::FxHashMap;

use crate::halves::Half;
use crate::observations::{Seen, Source, source};
use crate::settings::Settings;
use crate::weights::{Chosen, Weights};

/// Keys of the labels under which the parts of a source stand while batches are added up.
const AGE: &str = "age";
const STRATUM: &str = "stratum";

/// One bucket for all times.
const ALL_TIMES: u64 = u64::MAX;

/// Returns the sum of each build of the program, in the order of their ids; of one half, if one is given.
///
/// Stacks are added up only where they are needed (`with_stacks`): of the others the sampled instruction is kept.
pub(crate) fn by_build(
    service: &str,
    seen: &Seen<'_>,
    chosen: &Chosen,
    weights: &Weights,
    with_stacks: bool,
    settings: &Settings,
    half: Option<Half<'_>>,
) -> Vec<(String, Batch)> {
    let (age_s, start_s) = (Cell::new(0), Cell::new(0));
    let regroup = |group: Group| {
        if half.is_some_and(|half| !half.has(&group.host, start_s.get())) {
            return None;
        }
        let source = source(&group, service, age_s.get(), settings)?;
        let counts = chosen.builds.contains(&source.build) && !weights.of(&source).is_nothing();
        counts.then(|| as_group(source, weights))
    };
    let mut merging = Merging::new(ALL_TIMES, regroup);
    for dated in &seen.batches {
        age_s.set(dated.age_s);
        start_s.set(dated.batch.span_s.start);
        if with_stacks {
            merging.add(dated.batch);
        } else {
            merging.add(&dated.batch.leaves());
        }
    }
    let weighed = weighed(&merging.finish(), weights);
    let of_build = |build: &String| {
        let mut only = Merging::new(ALL_TIMES, |group: Group| {
            (group.build == *build).then_some(group)
        });
        only.add(&weighed);
        (build.clone(), only.finish())
    };
    chosen.builds.iter().map(of_build).collect()
}

/// Returns the group in which a source is added up. Hosts are told apart only if their weight is cut.
fn as_group(source: Source, weights: &Weights) -> Group {
    let is_capped = weights.is_capped(&source.host);
    let label = |key: &str, value: String| Label {
        key: key.into(),
        value: value.into(),
    };
    let labels = [
        label(AGE, source.age_steps.to_string()),
        label(STRATUM, source.stratum),
    ];
    Group {
        host: if is_capped {
            source.host
        } else {
            String::new()
        },
        build: source.build,
        labels: labels.into_iter().collect(),
        ..Group::default()
    }
}

/// Returns the source that became a group.
fn as_source(group: &Group) -> Source {
    let value = |key: &str| {
        let label = group.labels.iter().find(|label| *label.key == *key);
        label.map_or("", |label| &*label.value)
    };
    Source {
        build: group.build.clone(),
        host: group.host.clone(),
        stratum: value(STRATUM).to_owned(),
        age_steps: value(AGE).parse().unwrap_or(0),
    }
}

/// Sums of weighed rows, in the order of their first rows.
struct Rows<K, const N: usize> {
    index: FxHashMap<K, usize>,
    rows: Vec<(K, [Fixed; N])>,
}

impl<K: Copy + Eq + Hash, const N: usize> Rows<K, N> {
    fn new() -> Self {
        Self {
            index: FxHashMap::default(),
            rows: Vec::new(),
        }
    }

    fn add(&mut self, key: K, counts: [u64; N], weight: Weight) {
        let at = *self.index.entry(key).or_insert_with(|| {
            self.rows.push((key, [Fixed::default(); N]));
            self.rows.len() - 1
        });
        for (sum, count) in self.rows[at].1.iter_mut().zip(counts) {
            sum.add(weight.of(count));
        }
    }

    fn finish<R>(self, row: impl Fn(K, [u64; N]) -> R) -> Vec<R> {
        let rows = self.rows.into_iter();
        rows.map(|(key, sums)| row(key, sums.map(Fixed::rounded)))
            .collect()
    }
}

/// Weighs all rows, and leaves one group for each build.
fn weighed(batch: &Batch, weights: &Weights) -> Batch {
    let mut groups: Vec<Group> = Vec::new();
    let mut of_group = Vec::with_capacity(batch.groups.len());
    for group in &batch.groups {
        let source = as_source(group);
        let weight = weights.of(&source);
        let known = groups.iter().position(|known| known.build == source.build);
        let at = known.unwrap_or_else(|| {
            groups.push(Group {
                build: source.build,
                ..Group::default()
            });
            groups.len() - 1
        });
        of_group.push((GroupIndex(at as u32), weight));
    }
    let mut samples = Rows::new();
    for row in &batch.samples {
        let (group, weight) = of_group[row.group.index()];
        let key = (
            group,
            row.event,
            row.stack,
            row.ip,
            row.is_leaf_only,
            row.has_branches,
        );
        samples.add(key, [row.times, row.weight], weight);
    }
    let mut branches = Rows::new();
    for row in &batch.branches {
        let (group, weight) = of_group[row.group.index()];
        branches.add(
            (group, row.from, row.to),
            [row.taken, row.mispredicted],
            weight,
        );
    }
    let mut ranges = Rows::new();
    for row in &batch.ranges {
        let (group, weight) = of_group[row.group.index()];
        ranges.add((group, row.first, row.last), [row.times], weight);
    }
    let mut records = Rows::new();
    for row in &batch.records {
        let (group, weight) = of_group[row.group.index()];
        let counts = [row.samples, row.branches, row.repeated];
        records.add((group, row.event), counts, weight);
    }
    Batch {
        span_s: batch.span_s.clone(),
        events: batch.events.clone(),
        binaries: batch.binaries.clone(),
        names: batch.names.clone(),
        places: batch.places.clone(),
        frames: batch.frames.clone(),
        groups,
        samples: samples.finish(samples_row),
        branches: branches.finish(|(group, from, to), [taken, mispredicted]| Branches {
            group,
            from,
            to,
            taken,
            mispredicted,
        }),
        ranges: ranges.finish(|(group, first, last), [times]| Ranges {
            group,
            first,
            last,
            times,
        }),
        records: records.finish(records_row),
        ..Batch::default()
    }
}

type SampleKey = (
    GroupIndex,
    EventIndex,
    FrameIndex,
    Option<PlaceIndex>,
    bool,
    bool,
);

fn samples_row(key: SampleKey, [times, weight]: [u64; 2]) -> Samples {
    let (group, event, stack, ip, is_leaf_only, has_branches) = key;
    Samples {
        event,
        group,
        stack,
        ip,
        is_leaf_only,
        has_branches,
        bucket: 0,
        times,
        weight,
    }
}

fn records_row(
    (group, event): (GroupIndex, EventIndex),
    [samples, branches, repeated]: [u64; 3],
) -> Records {
    Records {
        event,
        group,
        samples,
        branches,
        repeated,
    }
}
