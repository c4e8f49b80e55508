//! CPU use of services over time, told apart by one of the things that groups know.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hone_batch::{BUCKET_S, Group, GroupField, whole_buckets};
use hone_views::is_time;
use serde::Serialize;

/// Number of steps of the longest series.
pub const STEPS_MAX: usize = 2_000;
/// Label keys that are told, the first that are met.
const LABELS_TOLD: usize = 100;
/// Name of what has none: a service, build or container that nobody has named.
const NAMELESS: &str = "";

/// What lines are told apart by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// Nothing: one line.
    Nothing,
    /// A part of the group.
    Field(GroupField),
    /// Value of the label with this key.
    Label(String),
}

impl By {
    /// Reads the name of a way: `service`, `build`, `host`, `container`, `thread`, `label:KEY`, or nothing.
    pub fn named(name: &str) -> Option<Self> {
        Some(match (name, GroupField::named(name)) {
            ("" | "nothing", _) => Self::Nothing,
            (_, Some(field)) => Self::Field(field),
            _ => Self::Label(name.strip_prefix("label:")?.to_owned()),
        })
    }

    fn name_of<'g>(&self, group: &'g Group) -> &'g str {
        match self {
            Self::Nothing => NAMELESS,
            Self::Field(field) => field.of(group),
            Self::Label(key) => {
                let label = group.labels.iter().find(|label| *label.key == **key);
                label.map_or(NAMELESS, |label| &label.value)
            }
        }
    }
}

/// Steps of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    first_s: u64,
    step_s: u64,
    count: usize,
    /// Begin and end of the time that was asked for, in whole buckets.
    asked_s: (u64, u64),
}

impl Steps {
    /// Divides a time, in seconds since 1970, into steps of `step_s` seconds that begin at multiples of that time. `None` for
    /// an empty time, steps that are no multiple of [`BUCKET_S`], and more than [`STEPS_MAX`].
    pub fn new(span_s: Range<u64>, step_s: u64) -> Option<Self> {
        if span_s.is_empty() || step_s == 0 || !step_s.is_multiple_of(BUCKET_S) {
            return None;
        }
        let first_s = span_s.start / step_s * step_s;
        let count = (span_s.end - first_s).div_ceil(step_s);
        let count = usize::try_from(count).ok()?;
        let asked_s = whole_buckets(&span_s)?;
        (count <= STEPS_MAX).then_some(Self {
            first_s,
            step_s,
            count,
            asked_s: (asked_s.start, asked_s.end),
        })
    }

    /// Returns the smallest usual step of at least `least_s` seconds that makes at most `count` steps of a time.
    pub fn usual_step_s(span_s: &Range<u64>, count: u64, least_s: u64) -> u64 {
        const USUAL: [u64; 9] = [60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400];
        let length_s = span_s.end.saturating_sub(span_s.start);
        let is_enough = |step_s: &u64| *step_s >= least_s && length_s.div_ceil(*step_s) <= count;
        let usual = USUAL.into_iter().find(is_enough);
        usual.unwrap_or_else(|| length_s.div_ceil(count.max(1)).next_multiple_of(86_400))
    }

    fn step_of(&self, time_s: u64) -> Option<usize> {
        let since = time_s.checked_sub(self.first_s)?;
        let is_asked = (self.asked_s.0..self.asked_s.1).contains(&time_s);
        let step = usize::try_from(since / self.step_s).ok()?;
        (is_asked && step < self.count).then_some(step)
    }

    /// Returns the seconds of a step that were asked for.
    fn seconds(&self, step: usize) -> f64 {
        let start = self.first_s + step as u64 * self.step_s;
        let end = (start + self.step_s).min(self.asked_s.1);
        end.saturating_sub(start.max(self.asked_s.0)) as f64
    }
}

/// CPU use over time.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// Begin of the first step, in seconds since 1970.
    pub first_s: u64,
    /// Length of a step in seconds.
    pub step_s: u64,
    /// Lines, the heaviest first.
    pub lines: Vec<Line>,
    /// Sum of the lines beyond the wanted number, if there are any, with their number.
    pub others: Option<(usize, Line)>,
    /// Keys of the labels that samples have, by name: lines can be told apart by each.
    pub labels: Vec<String>,
}

/// CPU use of one group.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// Name of the group; empty for what nobody has named.
    pub name: String,
    /// CPU cores in use, by step.
    pub cores: Vec<f64>,
    /// Standard errors of the cores: samples are a part of what ran.
    pub errors: Vec<f64>,
    /// CPU cores in use over the whole time, with their standard error.
    pub mean: (f64, f64),
}

/// Sum of samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    /// Nanoseconds of CPU time.
    pub(crate) weight: u64,
    /// Sum of the squares of the samples' weights.
    pub(crate) squares: f64,
}

impl Sum {
    /// Returns the sum of so many samples that weigh the same, whose weights have a sum.
    pub(crate) fn of(times: u64, weight: u64) -> Self {
        Self {
            weight,
            squares: (weight as f64).powi(2) / times.max(1) as f64,
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.weight = self.weight.saturating_add(other.weight);
        self.squares += other.squares;
    }

    /// Returns the CPU cores in use over a time, with their standard error.
    pub(crate) fn cores(&self, seconds: f64) -> (f64, f64) {
        let per_core = 1e9 * seconds;
        (
            self.weight as f64 / per_core,
            self.squares.sqrt() / per_core,
        )
    }
}

/// Sums by step.
type Sums = Vec<Sum>;

/// Series under way, to which samples are added.
#[derive(Clone, Debug)]
pub struct Adding {
    by: By,
    steps: Steps,
    /// Numbers of the lines by service and event, then by name.
    lines: BTreeMap<(String, String), BTreeMap<String, usize>>,
    /// Sums of each line; empty for events that do not count time.
    sums: Vec<Sums>,
    labels: BTreeSet<String>,
}

impl Adding {
    /// Begins a series.
    pub fn new(by: By, steps: Steps) -> Self {
        Self {
            by,
            steps,
            lines: BTreeMap::new(),
            sums: Vec::new(),
            labels: BTreeSet::new(),
        }
    }

    /// Returns the number of the line to which samples of an event and a group belong.
    pub(crate) fn line(&mut self, event: &str, group: &Group) -> usize {
        for label in group.labels.iter() {
            if !self.labels.contains(&*label.key) && self.labels.len() < LABELS_TOLD {
                self.labels.insert(label.key.to_string());
            }
        }
        let key = (group.service.clone(), event.to_owned());
        let by_name = self.lines.entry(key).or_default();
        let line = by_name.entry(self.by.name_of(group).to_owned());
        *line.or_insert_with(|| {
            let count = if is_time(event) { self.steps.count } else { 0 };
            self.sums.push(vec![Sum::default(); count]);
            self.sums.len() - 1
        })
    }

    /// Adds samples of a minute to a line.
    pub(crate) fn add(&mut self, line: usize, time_s: u64, sum: Sum) {
        let step = self.steps.step_of(time_s);
        if let Some(of_step) = step.and_then(|step| self.sums[line].get_mut(step)) {
            of_step.add(sum);
        }
    }

    /// Returns the series with the heaviest `lines_max` lines. Where a service was sampled by several events, the heaviest one
    /// counts, as each of them tells the whole time.
    pub fn finish(self, lines_max: usize) -> Series {
        let weight = |by_name: &BTreeMap<String, usize>| {
            let sums = by_name.values().map(|line| whole(&self.sums[*line]));
            sums.sum::<u128>()
        };
        let mut heaviest: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for ((service, _), by_name) in self.lines {
            let kept = heaviest.entry(service).or_default();
            if weight(&by_name) > weight(kept) {
                *kept = by_name;
            }
        }
        let mut lines: BTreeMap<String, Sums> = BTreeMap::new();
        for (name, line) in heaviest.into_values().flatten() {
            let sums = &self.sums[line];
            if whole(sums) > 0 {
                add_all(lines.entry(name).or_default(), sums);
            }
        }
        let mut lines: Vec<(String, Sums)> = lines.into_iter().collect();
        lines.sort_by_cached_key(|(_, sums)| std::cmp::Reverse(whole(sums)));
        let beyond = lines.split_off(lines_max.min(lines.len()));
        let mut rest = Sums::new();
        beyond.iter().for_each(|(_, sums)| add_all(&mut rest, sums));
        let steps = &self.steps;
        Series {
            first_s: steps.first_s,
            step_s: steps.step_s,
            labels: self.labels.into_iter().collect(),
            others: (!beyond.is_empty()).then(|| (beyond.len(), line(String::new(), &rest, steps))),
            lines: lines
                .into_iter()
                .map(|(name, sums)| line(name, &sums, steps))
                .collect(),
        }
    }
}

fn whole(sums: &Sums) -> u128 {
    sums.iter().map(|sum| u128::from(sum.weight)).sum()
}

fn add_all(to: &mut Sums, from: &Sums) {
    to.resize(from.len(), Sum::default());
    for (to, from) in to.iter_mut().zip(from) {
        to.add(*from);
    }
}

fn line(name: String, sums: &Sums, steps: &Steps) -> Line {
    let by_step = sums.iter().enumerate();
    let (by_step, errors) = by_step
        .map(|(step, sum)| sum.cores(steps.seconds(step)))
        .unzip();
    let mut whole = Sum::default();
    sums.iter().for_each(|sum| whole.add(*sum));
    let seconds = steps.asked_s.1 - steps.asked_s.0;
    Line {
        name,
        cores: by_step,
        errors,
        mean: whole.cores(seconds as f64),
    }
}

#[cfg(test)]
mod tests {
    use hone_profile::Label;

    use super::*;

    const EVENTS: [&str; 3] = ["cpu-clock", "cpu/nanoseconds", "cycles"];

    /// Samples of services and hosts, in rows: event, service, minute, samples, milliseconds of each.
    struct Samples<'s> {
        services: &'s [[&'s str; 2]],
        rows: &'s [(usize, usize, u64, u64, u64)],
    }

    fn series(
        by: By,
        span_s: Range<u64>,
        step_s: u64,
        samples: &Samples<'_>,
        lines_max: usize,
    ) -> Series {
        let mut adding = Adding::new(by, Steps::new(span_s, step_s).unwrap());
        for &(event, service, minute, times, each_ms) in samples.rows {
            let [service, host] = samples.services[service].map(str::to_owned);
            let group = Group {
                service,
                host,
                ..Group::default()
            };
            let line = adding.line(EVENTS[event], &group);
            adding.add(
                line,
                minute * BUCKET_S,
                Sum::of(times, times * each_ms * 1_000_000),
            );
        }
        adding.finish(lines_max)
    }

    #[test]
    fn cores_are_cpu_time_by_time_with_an_error_of_counts() {
        // 900 samples of 50 ms in a minute: 0.75 cores, with an error of a thirtieth.
        let samples = Samples {
            services: &[["a", "h"]],
            rows: &[(0, 0, 10, 900, 50), (0, 0, 11, 900, 50)],
        };
        let series = series(By::Nothing, 600..720, 60, &samples, 9);
        assert_eq!((series.first_s, series.step_s), (600, 60));
        let line = &series.lines[0];
        assert_eq!(line.cores, [0.75, 0.75]);
        assert!((line.errors[0] - 0.025).abs() < 1e-9, "{line:?}");
        let error = 0.75 / 1800_f64.sqrt();
        assert!((line.mean.1 - error).abs() < 1e-9 && (line.mean.0 - 0.75).abs() < 1e-9);
    }

    #[test]
    fn steps_at_the_edges_count_only_the_time_that_was_asked_for() {
        let samples = Samples {
            services: &[["a", "h"]],
            rows: &[(0, 0, 9, 60, 1_000), (0, 0, 12, 60, 1_000)],
        };
        // 9:00 to 12:30 in steps of five minutes: the first has one minute of it, the last three.
        let series = series(By::Nothing, 540..750, 300, &samples, 9);
        assert_eq!(series.first_s, 300);
        assert_eq!(series.lines[0].cores, [1.0, 1.0 / 3.0]);
        let outside = series_of_minutes(&samples, 600..660);
        assert_eq!(outside, [[0.0; 0]; 0]);
    }

    fn series_of_minutes(samples: &Samples<'_>, span_s: Range<u64>) -> Vec<Vec<f64>> {
        let series = series(By::Nothing, span_s, 60, samples, 9);
        series.lines.into_iter().map(|line| line.cores).collect()
    }

    #[test]
    fn the_heaviest_event_of_time_counts_for_each_service_and_no_other() {
        let rows = [
            (0, 0, 0, 10, 1_000),
            (1, 0, 0, 9, 1_000),
            (1, 1, 0, 3, 1_000),
            (2, 1, 0, 1_000, 1_000),
        ];
        let samples = Samples {
            services: &[["a", ""], ["b", ""]],
            rows: &rows,
        };
        let series = series(By::Field(GroupField::Service), 0..60, 60, &samples, 9);
        let found: Vec<(&str, f64)> = series
            .lines
            .iter()
            .map(|line| (&*line.name, line.cores[0] * 60.0))
            .collect();
        assert_eq!(found, [("a", 10.0), ("b", 3.0)]);
    }

    #[test]
    fn lines_beyond_the_wanted_number_are_one() {
        let services = [["a", "h1"], ["a", "h2"], ["b", "b's"], ["a", "h4"]];
        let rows = [
            (0, 0, 0, 1, 1),
            (0, 1, 0, 2, 1),
            (0, 2, 0, 3, 1),
            (0, 3, 0, 4, 1),
        ];
        let samples = Samples {
            services: &services,
            rows: &rows,
        };
        let series = series(By::Field(GroupField::Host), 0..60, 60, &samples, 2);
        let names: Vec<&str> = series.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names, ["h4", "b's"]);
        let (count, others) = series.others.unwrap();
        assert_eq!((count, series.labels.len()), (2, 0));
        assert!((others.mean.0 - 3e-3 / 60.0).abs() < 1e-12);
    }

    #[test]
    fn keys_of_labels_are_told() {
        let mut adding = Adding::new(By::Nothing, Steps::new(0..60, 60).unwrap());
        for (key, value) in [("zone", "a"), ("class", "big"), ("zone", "b")] {
            let label = Label {
                key: key.into(),
                value: value.into(),
            };
            let group = Group {
                labels: [label].into_iter().collect(),
                ..Group::default()
            };
            adding.line(EVENTS[0], &group);
        }
        assert_eq!(adding.finish(9).labels, ["class", "zone"]);
    }

    #[test]
    fn times_and_steps_that_make_no_series_are_refused() {
        for (span_s, step_s) in [(5..5, 60), (0..60, 0), (0..60, 59), (0..61 * 2_000, 60)] {
            assert_eq!(Steps::new(span_s, step_s), None);
        }
        assert!(Steps::new(u64::MAX - 5..u64::MAX, 60).is_none());
    }

    #[test]
    fn usual_steps_fit_the_time() {
        let hour = Steps::usual_step_s(&(0..3_600), 300, 0);
        let day = Steps::usual_step_s(&(0..86_400), 300, 0);
        let week = Steps::usual_step_s(&(0..7 * 86_400), 300, 3_600);
        let ages = Steps::usual_step_s(&(0..1_000 * 86_400), 300, 0);
        assert_eq!((hour, day, week, ages), (60, 300, 3_600, 4 * 86_400));
    }
}
