//! The raw numbers: every run of every experiment as a dot, in order, and as a table.

use super::markup::Html;
use super::plot::{self, Point};
use super::{empty, scrolling_table, section};
use crate::model::LadderReport;
use crate::{number, sentences};
use hone_measure::{Arm, Experiment, Metric, Run};

/// Writes the section.
pub(super) fn raw(html: &mut Html, report: &LadderReport) {
    section(html, "raw", "Raw numbers", |html| {
        if report.raw.is_empty() {
            empty(html, "No experiment was run.");
            return;
        }
        html.inside("p", &[("class", &"legend")], |html| {
            html.text("Each mark is one run in a fresh process, from left to right in the order in which they ran: ");
            html.inside("span", &[("class", &"key")], |html| {
                plot::glyph(html, plot::Mark::Square, "arm-old");
                html.text("old, median dashed");
            });
            html.text(" ");
            html.inside("span", &[("class", &"key")], |html| {
                plot::glyph(html, plot::Mark::Dot, "arm-new");
                html.text("new, median solid");
            });
            html.text(". The scale is cut to the values and differs between the drawings.");
        });
        for experiment in &report.raw {
            experiment_block(html, report, experiment);
        }
    });
}

fn experiment_block(html: &mut Html, report: &LadderReport, experiment: &Experiment) {
    let old = sentences::title(report, &experiment.old);
    let new = sentences::title(report, &experiment.new);
    html.inside("div", &[("class", &"experiment")], |html| {
        html.inside("h3", &[], |html| {
            html.text(new);
            html.leaf(
                "span",
                &[("class", &"against")],
                format_args!("against {old}"),
            );
        });
        if experiment.runs.is_empty() {
            empty(html, "This experiment has no runs.");
            return;
        }
        html.inside("div", &[("class", &"strips")], |html| {
            for workload in workloads(experiment) {
                strip(html, experiment, workload);
            }
        });
        html.inside("details", &[], |html| {
            let runs = experiment.runs.len();
            let word = sentences::plural(runs, "run", "runs");
            html.leaf("summary", &[], format_args!("Table of {runs} {word}"));
            table(html, experiment);
        });
    });
}

/// Returns the workloads that have runs, in their order.
fn workloads(experiment: &Experiment) -> Vec<usize> {
    let mut all: Vec<usize> = experiment.runs.iter().map(|r| r.request.workload).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn strip(html: &mut Html, experiment: &Experiment, workload: usize) {
    let runs: Vec<&Run> = experiment
        .runs
        .iter()
        .filter(|run| run.request.workload == workload)
        .collect();
    let metric = experiment.schedule.metric;
    let name = name(experiment, workload);
    let points: Vec<Point> = runs
        .iter()
        .map(|run| {
            let value = value(metric, run);
            Point {
                value,
                new: run.request.arm == Arm::New,
                label: format!(
                    "{}, block {}: {}",
                    arm(run.request.arm),
                    run.request.block + 1,
                    number::seconds(value)
                ),
            }
        })
        .collect();
    let median_of = |new: bool| {
        let arm = points.iter().filter(|point| point.new == new);
        median(arm.map(|point| point.value).collect())
    };
    let label = format!("{} runs of workload {name}", points.len());
    html.inside("figure", &[("class", &"workload")], |html| {
        html.inside("figcaption", &[], |html| {
            html.leaf("b", &[], &name);
            html.text(format_args!(", {} seconds", sentences::cpu(metric)));
        });
        plot::strip(html, &points, (median_of(false), median_of(true)), &label);
    });
}

fn table(html: &mut Html, experiment: &Experiment) {
    let has_work = experiment
        .runs
        .iter()
        .any(|run| run.observation.work.is_some());
    let mut headings = vec![
        "#",
        "Workload",
        "Block",
        "Arm",
        "User",
        "System",
        "Wall",
        "Peak memory",
        "Stolen",
    ];
    if has_work {
        headings.push("Work");
    }
    scrolling_table(html, "runs", &headings, |html| {
        for (index, run) in experiment.runs.iter().enumerate() {
            let seen = &run.observation;
            html.inside("tr", &[], |html| {
                html.leaf("td", &[], index + 1);
                html.leaf("td", &[], name(experiment, run.request.workload));
                html.leaf("td", &[], run.request.block + 1);
                html.leaf("td", &[], arm(run.request.arm));
                for seconds in [seen.user_s, seen.system_s, seen.wall_s] {
                    html.leaf("td", &[], number::fixed(seconds, 4));
                }
                html.leaf(
                    "td",
                    &[("class", &"nowrap")],
                    number::bytes(seen.peak_rss_bytes),
                );
                html.leaf("td", &[], number::fixed(seen.stolen_s, 3));
                if has_work {
                    let work = seen.work.map(|work| number::fixed(work, 0));
                    html.leaf("td", &[], work.unwrap_or("–".to_owned()));
                }
            });
        }
    });
}

/// Returns the cost of one run by the metric; NaN if the run has none.
fn value(metric: Metric, run: &Run) -> f64 {
    metric.cost(&run.observation).unwrap_or(f64::NAN)
}

fn name(experiment: &Experiment, workload: usize) -> String {
    let names = &experiment.schedule.workloads;
    names
        .get(workload)
        .cloned()
        .unwrap_or_else(|| format!("number {}", workload + 1))
}

fn arm(arm: Arm) -> &'static str {
    match arm {
        Arm::Old => "old",
        Arm::New => "new",
    }
}

/// Returns the median of the finite values.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|value| value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_leaves_out_what_is_no_number() {
        assert_eq!(median(vec![3.0, f64::NAN, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![f64::INFINITY]), None);
    }
}
