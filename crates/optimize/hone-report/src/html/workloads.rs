//! The result by workload: the confirmation first, then every step.

use super::markup::Html;
use super::plot::{self, Bar, Labels};
use super::verdict::{describe, verdict_mark};
use super::{empty, prose, scrolling_table, section};
use crate::axis::Axis;
use crate::model::LadderReport;
use crate::{number, sentences};
use hone_measure::service::Beside;
use hone_measure::{Comparison, Interval, Metric, WorkloadResult};

/// Writes the section.
pub(super) fn workloads(html: &mut Html, report: &LadderReport) {
    section(html, "workloads", "By workload", |html| {
        let rungs = report.rungs.iter();
        let steps: Vec<(&str, &Comparison)> = rungs
            .filter_map(|rung| Some((&*rung.title, rung.comparison.as_ref()?)))
            .collect();
        if report.confirmation.is_none() && steps.is_empty() {
            empty(html, "No workload was measured.");
            return;
        }
        if let Some(confirmation) = &report.confirmation {
            html.leaf("h3", &[], "Winner against the baseline");
            table(html, report, &[("", confirmation)]);
        }
        if !report.beside.is_empty() {
            html.leaf("h3", &[], "Beside the CPU");
            beside(html, &report.beside);
        }
        match (&report.confirmation, steps.is_empty()) {
            (_, true) => {}
            (None, false) => table(html, report, &steps),
            (Some(_), false) => html.inside("details", &[], |html| {
                html.leaf("summary", &[], "Every step by workload");
                table(html, report, &steps);
            }),
        }
        html.leaf("p", &[("class", &"aside")], prose(&caveat(report)));
    });
}

fn caveat(report: &LadderReport) -> String {
    let comparison = sentences::comparisons(report).next();
    let misses = comparison.map_or(f64::NAN, |comparison| 1.0 - comparison.confidence);
    format!(
        "Every interval stands by itself: of many, about {} miss the true gain. The verdict rests on CPU \
         time alone; wall clock and memory are for information. Medians are of all runs of an arm.{}",
        number::share(misses),
        match sentences::comparisons(report).any(|comparison| comparison.duet) {
            true =>
                " The two runs of a pair shared one CPU, so that their wall clock is that of neither build.",
            false => "",
        }
    )
}

/// Data that all lines of a table share.
struct Scale {
    axis: Axis,
    metric: Metric,
    gain_decimals: usize,
    wall_decimals: usize,
}

fn table(html: &mut Html, report: &LadderReport, comparisons: &[(&str, &Comparison)]) {
    let results = || comparisons.iter().flat_map(|(_, all)| &all.workloads);
    let gains: Vec<Interval> = results().map(|result| result.gain).collect();
    let walls: Vec<Interval> = results().map(|result| result.wall).collect();
    let metric = comparisons.first().map(|(_, comparison)| comparison.metric);
    let scale = Scale {
        axis: Axis::around_one(&gains),
        metric: metric.unwrap_or_default(),
        gain_decimals: number::decimals(&gains),
        wall_decimals: number::decimals(&walls),
    };
    html.inside("div", &[("class", &"scroll"), ("tabindex", &"0")], |html| {
        html.inside("table", &[("class", &"facts byworkload")], |html| {
            head(html, &scale);
            html.inside("tbody", &[], |html| {
                for (step, comparison) in comparisons {
                    for result in &comparison.workloads {
                        // The figures beside the CPU are of the winner.
                        let peak = match step.is_empty() {
                            true => sentences::peak_memory(report, result),
                            false => {
                                [result.old_rss_bytes, result.new_rss_bytes].map(number::bytes)
                            }
                        };
                        row(html, step, comparison, (result, peak), &scale);
                    }
                }
            });
        });
    });
}

/// Writes the quantities of a server beside its CPU, baseline and winner.
fn beside(html: &mut Html, quantities: &[Beside]) {
    let headings = ["Workload", "Quantity", "Baseline", "Winner", "Gain"];
    scrolling_table(html, "beside", &headings, |html| {
        for one in quantities {
            html.inside("tr", &[], |html| {
                html.leaf("th", &[("scope", &"row")], &one.workload);
                let cells = sentences::beside(one);
                for cell in cells {
                    html.leaf("td", &[("class", &"nowrap")], cell);
                }
            });
        }
    });
}

/// Returns the headings of the columns after the drawing.
fn headings(metric: Metric) -> [&'static str; 4] {
    let median = match metric {
        Metric::CpuSeconds => "Median CPU",
        Metric::CpuPerWork => "Median CPU per unit of work",
        Metric::UserSeconds => "Median user CPU",
        Metric::UserPerWork => "Median user CPU per unit of work",
    };
    ["CPU gain", median, "Wall clock gain", "Peak memory"]
}

fn head(html: &mut Html, scale: &Scale) {
    html.inside("thead", &[], |html| {
        html.inside("tr", &[], |html| {
            html.leaf("th", &[("scope", &"col")], "Workload");
            html.inside("th", &[("scope", &"col"), ("class", &"plotcell")], |html| {
                html.leaf("span", &[("class", &"hidden")], "Interval, drawn");
                plot::tick_labels(html, &scale.axis, Labels::Few);
            });
            for title in headings(scale.metric) {
                html.leaf("th", &[("scope", &"col")], title);
            }
        });
    });
}

fn row(
    html: &mut Html,
    step: &str,
    comparison: &Comparison,
    (result, memory): (&WorkloadResult, [String; 2]),
    scale: &Scale,
) {
    let (mark, tone) = verdict_mark(result.verdict);
    let bar = Bar {
        interval: result.gain,
        mark,
        tone,
        strong: false,
        label: &describe(&result.workload, &result.gain, comparison.confidence),
    };
    html.inside("tr", &[], |html| {
        html.inside("th", &[("scope", &"row")], |html| {
            html.text(&result.workload);
            if !step.is_empty() {
                html.leaf("span", &[("class", &"against")], step);
            }
        });
        html.inside("td", &[("class", &"plotcell")], |html| {
            plot::interval(html, &scale.axis, Labels::Few, Some(&bar));
        });
        let [cpu_gain, median_cpu, wall_gain, peak] = headings(scale.metric);
        gain(html, cpu_gain, &result.gain, scale.gain_decimals);
        let cpu = number::seconds_pair(result.old_median, result.new_median);
        value(html, median_cpu, |html| html.text(cpu));
        match comparison.duet {
            true => value(html, wall_gain, |html| html.text("–")),
            false => gain(html, wall_gain, &result.wall, scale.wall_decimals),
        }
        value(html, peak, |html| html.text(memory.join(" → ")));
    });
}

fn gain(html: &mut Html, heading: &'static str, interval: &Interval, decimals: usize) {
    value(html, heading, |html| {
        html.inside("span", &[], |html| {
            html.leaf("b", &[], number::gain(interval.ratio, decimals));
            html.text(" ");
            let bracket = number::bracket(interval, decimals);
            html.leaf("span", &[("class", &"interval")], bracket);
        });
    });
}

/// Writes a cell that includes its heading, for screens without room for columns.
fn value(html: &mut Html, heading: &'static str, body: impl FnOnce(&mut Html)) {
    html.inside(
        "td",
        &[("class", &"nowrap"), ("data-label", &heading)],
        body,
    );
}
