//! Courses of findings: the share of each function over the weeks, told apart by build. They are what a graph of a finding shows.
//!
//! Steps are kept for the days that a look needs, and a course for as long as its finding, so each look adds what is new.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::alerts::{Standing, Standings};
use crate::finding::Measure;
use crate::history::{History, HistoryCell};
use crate::limits::BUILD_SHARE_MIN;

/// Builds of a step that have a point, those with most CPU time.
const STEP_BUILDS_MAX: usize = 3;
/// Points of a course, the newest: a month of four steps a day and all of their builds.
const POINTS_MAX: usize = 30 * 4 * STEP_BUILDS_MAX;

/// Courses by the ids of their findings.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Courses(BTreeMap<String, Course>);

/// Share of a function over time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Course {
    /// Builds that points name; an empty one has no build id.
    pub builds: Vec<String>,
    /// The points, in the order of time.
    pub points: Vec<Point>,
}

/// Share in a step, in a build.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Begin of the step, in seconds since 1970.
    pub start_s: u64,
    /// Number of the build in [`Course::builds`].
    pub build: usize,
    /// Share of the CPU time of the build, in the measure of the finding.
    pub share: f64,
    /// Standard error of the share, over hosts and samples.
    pub standard_error: f64,
}

impl Courses {
    /// Adds the steps of a history that the courses of told findings lack, and drops the courses of findings that are forgotten.
    pub fn follow(&mut self, standings: &Standings, history: &History) {
        let mut former = std::mem::take(&mut self.0);
        for standing in standings.told() {
            let mut course = former.remove(&standing.id).unwrap_or_default();
            course.follow(standing, history);
            self.0.insert(standing.id.clone(), course);
        }
    }

    /// Returns the course of a finding.
    pub fn of(&self, id: &str) -> Option<&Course> {
        self.0.get(id)
    }
}

impl Course {
    fn follow(&mut self, standing: &Standing, history: &History) {
        let last_s = self.points.last().map(|point| point.start_s);
        let function = history.number_of(&standing.finding.function);
        for (step, cells) in &history.steps {
            let start_s = step * history.step_s;
            if last_s.is_some_and(|last_s| start_s <= last_s) {
                continue;
            }
            for (build, cells) in by_build(cells) {
                let build = self.build(&history.builds[build]);
                let (share, standard_error) = share_of(&cells, function, standing.finding.measure);
                self.points.push(Point {
                    start_s,
                    build,
                    share,
                    standard_error,
                });
            }
        }
        let beyond = self.points.len().saturating_sub(POINTS_MAX);
        self.points.drain(..beyond);
    }

    fn build(&mut self, name: &str) -> usize {
        let known = self.builds.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.builds.push(name.to_owned());
            self.builds.len() - 1
        })
    }
}

/// Returns the cells of each build that has a part of the step, the largest builds, in the order of their numbers.
fn by_build(cells: &[HistoryCell]) -> Vec<(usize, Vec<&HistoryCell>)> {
    let mut builds: BTreeMap<usize, Vec<&HistoryCell>> = BTreeMap::new();
    for cell in cells {
        builds.entry(cell.build).or_default().push(cell);
    }
    let weight = |cells: &[&HistoryCell]| cells.iter().map(|cell| cell.weight).sum::<f64>();
    let whole: f64 = cells.iter().map(|cell| cell.weight).sum();
    let mut builds: Vec<_> = builds.into_iter().collect();
    builds.retain(|(_, cells)| weight(cells) > 0.0 && weight(cells) >= BUILD_SHARE_MIN * whole);
    builds.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)));
    builds.truncate(STEP_BUILDS_MAX);
    builds.sort_unstable_by_key(|(build, _)| *build);
    builds
}

/// Returns the share of a function in cells of different hosts, and its standard error: that of a ratio estimator over hosts (Cochran,
/// Sampling Techniques, 3rd edition, section 6.4), and at least the binomial one of the samples, since hosts can agree by luck.
fn share_of(cells: &[&HistoryCell], function: Option<u32>, measure: Measure) -> (f64, f64) {
    let part = |cell: &HistoryCell| -> f64 {
        let rows = cell.rows.iter().filter(|row| Some(row.0) == function);
        rows.map(|row| match measure {
            Measure::Own => row.1,
            Measure::Inclusive => row.2,
        })
        .sum()
    };
    let whole: f64 = cells.iter().map(|cell| cell.weight).sum();
    let samples: f64 = cells.iter().map(|cell| cell.samples).sum();
    let parts: Vec<f64> = cells.iter().map(|cell| part(cell)).collect();
    let share = parts.iter().sum::<f64>() / whole;
    let hosts = cells.len() as f64;
    let squares = cells.iter().zip(&parts);
    let squares = squares.map(|(cell, part)| (part - share * cell.weight).powi(2));
    let over_hosts = squares.sum::<f64>() * hosts / (hosts - 1.0).max(1.0) / whole.powi(2);
    let of_samples = share * (1.0 - share) / samples.max(1.0);
    (share, over_hosts.max(of_samples).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::Status;
    use crate::step::{Cell, Row, Step};
    use crate::testing;

    const STEP_S: u64 = 21_600;

    /// Steps of two hosts that spend these parts of 1,000 in `parse`, in build `aa`, and in `bb` from step 4 on.
    fn history(steps: std::ops::Range<u64>, parts: [u64; 2]) -> History {
        let steps: Vec<Step> = steps
            .map(|number| {
                let cells = ["one", "two"].iter().zip(parts).map(|(host, part)| Cell {
                    host: (*host).into(),
                    build: if number < 4 { "aa" } else { "bb" }.into(),
                    weight: 1_000,
                    samples: 100,
                    rows: vec![Row(0, part / 2, part)],
                });
                let mut step = Step::new(number * STEP_S);
                step.functions = vec!["parse".into()];
                step.cells = cells.collect();
                step
            })
            .collect();
        History::new(&steps, STEP_S)
    }

    fn told(function: &str) -> Standings {
        let finding = testing::finding(function, 0.2, testing::change(0.1, 0.001));
        Standings {
            at_s: 0,
            list: vec![Standing {
                id: format!("{function}@1"),
                status: Status::Stands,
                first_s: 1,
                last_s: 1,
                looks: 2,
                finding,
                acknowledged: None,
            }],
        }
    }

    #[test]
    fn a_course_goes_on_with_each_look_and_knows_builds_and_errors() {
        let mut courses = Courses::default();
        courses.follow(&told("parse"), &history(1..4, [100, 300]));
        courses.follow(&told("parse"), &history(2..6, [400, 400]));
        let course = courses.of("parse@1").unwrap();
        assert_eq!(course.builds, ["aa", "bb"]);
        let steps: Vec<(u64, usize)> = course
            .points
            .iter()
            .map(|point| (point.start_s / STEP_S, point.build))
            .collect();
        // What was there stays as it was.
        assert_eq!(steps, [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1)]);
        let shares: Vec<f64> = course.points.iter().map(|point| point.share).collect();
        assert_eq!(shares, [0.2, 0.2, 0.2, 0.4, 0.4]);
        // Hosts with 0.1 and 0.3: the standard error of their mean.
        let error = course.points[0].standard_error;
        assert!((error - 0.1).abs() < 1e-12, "{error}");
        // Hosts that agree have the error of their 200 samples.
        let error = course.points[4].standard_error;
        assert!((error - (0.4 * 0.6 / 200.0_f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_function_that_is_not_seen_has_a_share_of_nothing_and_a_forgotten_finding_no_course() {
        let mut courses = Courses::default();
        courses.follow(&told("gone"), &history(1..3, [100, 300]));
        let points = &courses.of("gone@1").unwrap().points;
        assert!(points.iter().all(|point| point.share == 0.0) && points.len() == 2);
        courses.follow(&told("parse"), &history(1..3, [100, 300]));
        assert_eq!(courses.of("gone@1"), None);
        assert_eq!(courses.0.len(), 1);
    }

    #[test]
    fn a_course_is_a_month_long_at_most() {
        let mut courses = Courses::default();
        courses.follow(&told("parse"), &history(1..1_000, [100, 300]));
        let points = &courses.of("parse@1").unwrap().points;
        assert_eq!(points.len(), POINTS_MAX);
        assert_eq!(points.last().map(|point| point.start_s / STEP_S), Some(999));
    }
}
