//! CPU time over time, by labels.

use std::collections::BTreeMap;

use hone_batch::{BUCKET_S, Batch, Samples};
use hone_views::is_time;

use super::request::{Asked, NotAsked};
use super::selector::value;

/// Points of a line.
const POINTS_MAX: u64 = 11_000;
/// Points of all lines of an answer: the more points lines have, the fewer lines.
const ALL_POINTS_MAX: u64 = 1 << 20;
/// Lines of an answer: the heaviest.
const LINES_MAX: usize = 1_000;

/// A line: its labels, and points of milliseconds since 1970 and a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Names and values of the labels.
    pub labels: Vec<(String, String)>,
    /// Times, at the end of each step, and nanoseconds of CPU time in the step; those without any are left out.
    pub points: Vec<(i64, f64)>,
}

/// Returns the lines of an answer whose samples were added up in steps of `bucket_s` seconds. A step that is longer than
/// what is asked for is spread evenly.
pub(super) fn lines(asked: &Asked, batch: &Batch, bucket_s: u64) -> Result<Vec<Line>, NotAsked> {
    let length_ms = asked.end_ms - asked.start_ms;
    let count = length_ms.div_ceil(asked.step_ms);
    if count > POINTS_MAX {
        let least_s = length_ms.div_ceil(POINTS_MAX).div_ceil(1000);
        return Err(NotAsked::Bad(format!(
            "the step is too short for that time: ask for one of at least {least_s} s"
        )));
    }
    let events = heaviest_events(batch);
    let rows = || {
        let rows = batch.samples.iter();
        rows.filter_map(|row| {
            let group = &batch.groups[row.group.index()];
            let is_counted = events.get(&*group.service) == Some(&row.event.index());
            let labels = || asked.labels.iter().map(|name| value(group, name));
            is_counted.then(|| (labels().collect::<Vec<&str>>(), row))
        })
    };
    let mut weights: BTreeMap<Vec<&str>, u128> = BTreeMap::new();
    for (labels, row) in rows() {
        *weights.entry(labels).or_default() += u128::from(row.weight);
    }
    let mut heaviest: Vec<(Vec<&str>, u128)> = weights.into_iter().collect();
    heaviest.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    let within = (ALL_POINTS_MAX / count.max(1)).max(1) as usize;
    heaviest.truncate(asked.lines_max.min(LINES_MAX).min(within));
    let empty = vec![0.0; count as usize];
    let mut sums: BTreeMap<Vec<&str>, Vec<f64>> = heaviest
        .iter()
        .map(|(labels, _)| (labels.clone(), empty.clone()))
        .collect();
    for (labels, row) in rows() {
        if let Some(points) = sums.get_mut(&labels) {
            spread(asked, row, bucket_s, points);
        }
    }
    let lines = heaviest.iter();
    Ok(lines
        .map(|(labels, _)| line(asked, labels, &sums[labels]))
        .collect())
}

/// Adds the weight of a row to the steps that its time covers.
fn spread(asked: &Asked, row: &Samples, bucket_s: u64, points: &mut [f64]) {
    let start_ms = row.bucket.saturating_mul(BUCKET_S * 1000);
    let end_ms = start_ms.saturating_add(bucket_s.max(BUCKET_S) * 1000);
    let (from, to) = (start_ms.max(asked.start_ms), end_ms.min(asked.end_ms));
    if from >= to {
        return;
    }
    let per_ms = row.weight as f64 / (end_ms - start_ms) as f64;
    let step_of = |time_ms: u64| ((time_ms - asked.start_ms) / asked.step_ms) as usize;
    let covered = step_of(from)..=step_of(to - 1);
    for (step, point) in covered.clone().zip(&mut points[covered]) {
        let step_start = asked.start_ms + step as u64 * asked.step_ms;
        let inside = to.min(step_start + asked.step_ms) - from.max(step_start);
        *point += per_ms * inside as f64;
    }
}

fn line(asked: &Asked, values: &[&str], points: &[f64]) -> Line {
    let step_s = asked.step_ms as f64 / 1000.0;
    let points = points.iter().enumerate().filter(|(_, sum)| **sum > 0.0);
    Line {
        labels: (asked.labels.iter().zip(values))
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.clone(), (*value).to_owned()))
            .collect(),
        points: points
            .map(|(step, &sum)| {
                let end_ms = asked.start_ms + (step as u64 + 1) * asked.step_ms;
                let value = if asked.is_average { sum / step_s } else { sum };
                (end_ms as i64, value)
            })
            .collect(),
    }
}

/// Returns for each service the event of time that weighs most: what two profilers recorded is not added up.
fn heaviest_events(batch: &Batch) -> BTreeMap<&str, usize> {
    let mut weights: BTreeMap<(&str, usize), u128> = BTreeMap::new();
    for row in &batch.samples {
        if is_time(&batch.events[row.event.index()].name) {
            let service = &*batch.groups[row.group.index()].service;
            *weights.entry((service, row.event.index())).or_default() += u128::from(row.weight);
        }
    }
    let mut heaviest: BTreeMap<&str, (usize, u128)> = BTreeMap::new();
    for ((service, event), weight) in weights {
        let kept = heaviest.entry(service).or_insert((event, weight));
        if weight > kept.1 {
            *kept = (event, weight);
        }
    }
    heaviest
        .into_iter()
        .map(|(service, (event, _))| (service, event))
        .collect()
}

#[cfg(test)]
mod tests {
    use hone_batch::{EventIndex, FrameIndex, Group, GroupIndex};
    use hone_profile::{BranchStacks, Event};

    use super::super::request::Method;
    use super::*;

    const START_S: u64 = 1_764_151_200;

    /// Groups by host, of which each weighs a nanosecond more than the one before.
    fn batch(hosts: u32) -> Batch {
        let group = |host: u32| Group {
            service: "shop".to_owned(),
            host: host.to_string(),
            ..Group::default()
        };
        let row = |host: u32| Samples {
            event: EventIndex(0),
            group: GroupIndex(host),
            stack: FrameIndex(0),
            ip: None,
            is_leaf_only: false,
            has_branches: false,
            bucket: START_S / BUCKET_S,
            times: 1,
            weight: u64::from(host) + 1,
        };
        Batch {
            events: vec![Event {
                name: "cpu/nanoseconds".to_owned(),
                branches: BranchStacks::None,
            }],
            groups: (0..hosts).map(group).collect(),
            samples: (0..hosts).map(row).collect(),
            ..Batch::default()
        }
    }

    fn asked(length_s: u64, step_s: f64) -> Asked {
        let (start_ms, end_s) = (START_S * 1000, START_S + length_s);
        let body = format!(
            r#"{{"start":{start_ms},"end":{end_s}000,"step":{step_s:e},"groupBy":["host"]}}"#
        );
        Asked::parse(Method::SelectSeries, body.as_bytes(), true, end_s).unwrap()
    }

    #[test]
    fn lines_of_many_points_are_fewer() {
        let batch = batch(1500);
        for (length_s, count) in [(10_000, 104), (60, 1000)] {
            let lines = lines(&asked(length_s, 1.0), &batch, BUCKET_S).unwrap();
            assert_eq!(lines.len(), count);
            let heaviest = ("host".to_owned(), "1499".to_owned());
            assert_eq!(lines[0].labels, [heaviest]);
        }
    }

    #[test]
    fn a_step_that_is_longer_than_all_time_is_one_point() {
        let lines = lines(&asked(600, 1e300), &batch(1), BUCKET_S).unwrap();
        assert_eq!(lines[0].points.len(), 1);
        assert!(lines[0].points[0].0 > 0);
    }
}
