//! CPU time over time, by labels.

use std::collections::BTreeMap;

use hone_batch::{BUCKET_S, Batch, Samples};
use hone_views::is_time;

use super::asked::{Asked, NotAsked};
use super::selector::value;

/// Points of a line.
const POINTS_MAX: u64 = 11_000;
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
    heaviest.truncate(asked.lines_max.min(LINES_MAX));
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
