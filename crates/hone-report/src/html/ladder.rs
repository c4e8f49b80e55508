//! The verdict, the ladder as a picture, and the result by workload.

use super::markup::Html;
use super::plot::{self, Bar, Mark, Tone};
use super::{empty, section};
use crate::axis::Axis;
use crate::model::{LadderReport, Outcome, Rung};
use crate::words::{self, Headline, Standing};
use crate::{number, text};
use hone_measure::{Comparison, Interval, Verdict, WorkloadResult};

/// The main result, before everything else.
pub(super) fn verdict(html: &mut Html, report: &LadderReport) {
    let headline = words::headline(report);
    let class = match headline.standing {
        Standing::Confirmed => "verdict good",
        Standing::Slower => "verdict bad",
        _ => "verdict quiet",
    };
    html.inside(
        "section",
        &[("id", &"verdict"), ("class", &class)],
        |html| {
            headline_block(html, report, &headline);
            if let Some(confirmation) = &report.confirmation {
                let axis = Axis::around_one([&confirmation.overall]);
                single(html, &axis, confirmation, "The winner against the baseline");
            }
            for sentence in words::basis(report) {
                html.leaf("p", &[("class", &"basis")], sentence);
            }
        },
    );
    if !report.notes.is_empty() {
        html.inside(
            "section",
            &[("class", &"notes"), ("aria-label", &"Notes")],
            |html| {
                for note in &report.notes {
                    html.leaf("p", &[], note);
                }
            },
        );
    }
}

fn headline_block(html: &mut Html, report: &LadderReport, headline: &Headline) {
    html.leaf("p", &[("class", &"short")], &headline.short);
    if let (Standing::Confirmed, Some(confirmation)) = (headline.standing, &report.confirmation) {
        let digits = number::decimals([&confirmation.overall]);
        html.inside("p", &[("class", &"figures")], |html| {
            let level = number::confidence(confirmation.confidence);
            let span = number::span(&confirmation.overall, digits);
            html.leaf("span", &[], format_args!("{level} interval {span}"));
            html.inside("span", &[], |html| {
                html.text(format_args!(
                    "{} CPU ",
                    number::saved(confirmation.overall.ratio)
                ));
                html.text(format_args!(
                    "({})",
                    number::saved_span(&confirmation.overall)
                ));
            });
        });
    }
    html.leaf("p", &[("class", &"sentence")], &headline.context);
    if let Some(winner) = words::winner(report) {
        html.inside("p", &[("class", &"winner")], |html| {
            html.text("Winner: ");
            html.leaf("strong", &[], winner);
        });
    }
}

/// One comparison on its own axis with labels below.
pub(super) fn single(html: &mut Html, axis: &Axis, comparison: &Comparison, what: &str) {
    let (mark, tone) = verdict_mark(comparison.verdict);
    let label = describe(what, &comparison.overall, comparison.confidence);
    let bar = Bar {
        interval: comparison.overall,
        mark,
        tone,
        strong: true,
        label: &label,
    };
    html.inside("div", &[("class", &"single")], |html| {
        html.inside("div", &[("class", &"plotbox")], |html| {
            plot::interval(html, axis, Some(&bar));
        });
        html.inside("div", &[("class", &"tickbox")], |html| {
            plot::tick_labels(html, axis)
        });
    });
}

/// The ladder as a picture.
pub(super) fn ladder(html: &mut Html, report: &LadderReport) {
    section(html, "ladder", "The ladder", |html| {
        if report.rungs.is_empty() {
            empty(html, "No rung was tried.");
            return;
        }
        html.leaf(
            "p",
            &[("class", &"lead")],
            "Each rung is measured against the rung it stands on. A rung stays only if its whole interval \
             lies above 1. Step gains are not multiplied: the last line alone is a measured total.",
        );
        let rungs = report.rungs.iter();
        let intervals: Vec<Interval> = rungs
            .filter_map(|rung| rung.comparison.as_ref())
            .chain(&report.confirmation)
            .map(|comparison| comparison.overall)
            .collect();
        let axis = Axis::around_one(&intervals);
        let decimals = number::decimals(&intervals);
        html.inside("table", &[("class", &"ladder")], |html| {
            ladder_head(html, report, &axis);
            html.inside("tbody", &[], |html| {
                for (index, rung) in report.rungs.iter().enumerate() {
                    rung_row(html, report, index, rung, &axis, decimals);
                }
            });
            if let Some(confirmation) = &report.confirmation {
                confirmation_row(html, confirmation, &axis, decimals);
            }
        });
    });
}

fn ladder_head(html: &mut Html, report: &LadderReport, axis: &Axis) {
    let rungs = report.rungs.iter();
    let mut comparisons = rungs
        .filter_map(|rung| rung.comparison.as_ref())
        .chain(&report.confirmation);
    let level = comparisons.next().map_or(String::new(), |comparison| {
        format!(
            " and {} interval",
            number::confidence(comparison.confidence)
        )
    });
    html.inside("thead", &[], |html| {
        html.inside("tr", &[], |html| {
            html.leaf("th", &[("scope", &"col"), ("class", &"name")], "Rung");
            html.inside("th", &[("scope", &"col"), ("class", &"plotcell")], |html| {
                html.leaf("span", &[("class", &"hidden")], "Interval, drawn");
                plot::tick_labels(html, axis);
            });
            html.leaf(
                "th",
                &[("scope", &"col"), ("class", &"numbers")],
                format_args!("Gain{level}"),
            );
        });
    });
}

fn rung_row(
    html: &mut Html,
    report: &LadderReport,
    index: usize,
    rung: &Rung,
    axis: &Axis,
    decimals: usize,
) {
    let (mark, tone) = outcome_mark(&rung.outcome);
    let outcome = words::outcome(report, &rung.outcome);
    html.inside(
        "tr",
        &[("class", &format_args!("rung {}", tone.class()))],
        |html| {
            html.inside("th", &[("scope", &"row"), ("class", &"name")], |html| {
                html.leaf("span", &[("class", &"title")], &rung.title);
                html.inside("span", &[("class", &"outcome")], |html| {
                    plot::glyph(html, mark, tone.class());
                    html.leaf("b", &[], &outcome);
                    if let (Some(_), Some(base)) = (&rung.comparison, words::base_of(report, index))
                    {
                        html.leaf(
                            "span",
                            &[("class", &"against")],
                            format_args!("against {}", base.title),
                        );
                    }
                });
            });
            match (&rung.comparison, words::reason(&rung.outcome)) {
                (None, Some(reason)) => {
                    html.leaf("td", &[("class", &"reason"), ("colspan", &"2")], reason);
                }
                (None, None) => {
                    html.inside("td", &[("class", &"plotcell")], |html| {
                        plot::interval(html, axis, None)
                    });
                    let words = match rung.outcome {
                        Outcome::Baseline => "the start: 1 by definition",
                        _ => "not measured",
                    };
                    html.leaf("td", &[("class", &"numbers quiet-text")], words);
                }
                (Some(comparison), reason) => {
                    let label = describe(
                        &format!("{}: {outcome}", rung.title),
                        &comparison.overall,
                        comparison.confidence,
                    );
                    let bar = Bar {
                        interval: comparison.overall,
                        mark,
                        tone,
                        strong: false,
                        label: &label,
                    };
                    html.inside("td", &[("class", &"plotcell")], |html| {
                        plot::interval(html, axis, Some(&bar));
                    });
                    numbers(html, comparison, decimals, reason);
                }
            }
        },
    );
}

fn confirmation_row(html: &mut Html, confirmation: &Comparison, axis: &Axis, decimals: usize) {
    let (mark, tone) = verdict_mark(confirmation.verdict);
    let label = describe(
        "The winner against the baseline",
        &confirmation.overall,
        confirmation.confidence,
    );
    let bar = Bar {
        interval: confirmation.overall,
        mark,
        tone,
        strong: true,
        label: &label,
    };
    html.inside("tfoot", &[], |html| {
        html.inside(
            "tr",
            &[("class", &format_args!("total {}", tone.class()))],
            |html| {
                html.inside("th", &[("scope", &"row"), ("class", &"name")], |html| {
                    html.leaf("span", &[("class", &"title")], "Winner, measured afresh");
                    html.inside("span", &[("class", &"outcome")], |html| {
                        plot::glyph(html, mark, tone.class());
                        html.leaf("b", &[], verdict_words(confirmation.verdict));
                        html.leaf("span", &[("class", &"against")], "against the baseline");
                    });
                });
                html.inside("td", &[("class", &"plotcell")], |html| {
                    plot::interval(html, axis, Some(&bar));
                });
                numbers(html, confirmation, decimals, None);
            },
        );
    });
}

fn numbers(html: &mut Html, comparison: &Comparison, decimals: usize, reason: Option<&str>) {
    let overall = &comparison.overall;
    html.inside("td", &[("class", &"numbers")], |html| {
        html.leaf("b", &[], number::gain(overall.ratio, decimals));
        html.leaf(
            "span",
            &[("class", &"interval")],
            number::bracket(overall, decimals),
        );
        if comparison.verdict != Verdict::NoProvableDifference {
            let saved = number::saved(overall.ratio);
            html.leaf("span", &[("class", &"saved")], format_args!("{saved} CPU"));
        }
        if let Some(reason) = reason {
            html.leaf("span", &[("class", &"saved")], reason);
        }
    });
}

/// The result by workload: the confirmation first, then every step.
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
            workload_table(html, &[("Winner", confirmation)]);
        }
        if !steps.is_empty() {
            html.inside("details", &[], |html| {
                html.leaf("summary", &[], "Every step by workload");
                workload_table(html, &steps);
            });
        }
        html.leaf(
            "p",
            &[("class", &"aside")],
            "The verdict rests on CPU time alone. Wall clock and memory are for information; medians are \
             of all runs of an arm.",
        );
    });
}

fn workload_table(html: &mut Html, comparisons: &[(&str, &Comparison)]) {
    let results = comparisons
        .iter()
        .flat_map(|(_, comparison)| &comparison.workloads);
    let intervals: Vec<Interval> = results.map(|result| result.gain).collect();
    let axis = Axis::around_one(&intervals);
    let decimals = number::decimals(&intervals);
    html.inside("div", &[("class", &"scroll"), ("tabindex", &"0")], |html| {
        html.inside("table", &[("class", &"facts byworkload")], |html| {
            html.inside("thead", &[], |html| {
                html.inside("tr", &[], |html| {
                    html.leaf("th", &[("scope", &"col")], "Workload");
                    html.inside("th", &[("scope", &"col"), ("class", &"plotcell")], |html| {
                        html.leaf("span", &[("class", &"hidden")], "Interval, drawn");
                        plot::tick_labels(html, &axis);
                    });
                    for title in ["CPU gain", "Median CPU", "Wall clock", "Median peak memory"] {
                        html.leaf("th", &[("scope", &"col")], title);
                    }
                });
            });
            html.inside("tbody", &[], |html| {
                for (title, comparison) in comparisons {
                    let only = comparisons.len() == 1;
                    for result in &comparison.workloads {
                        let step = if only { None } else { Some(*title) };
                        workload_row(html, step, comparison.confidence, result, &axis, decimals);
                    }
                }
            });
        });
    });
}

fn workload_row(
    html: &mut Html,
    step: Option<&str>,
    confidence: f64,
    result: &WorkloadResult,
    axis: &Axis,
    decimals: usize,
) {
    let (mark, tone) = verdict_mark(result.verdict);
    let label = describe(&result.workload, &result.gain, confidence);
    let bar = Bar {
        interval: result.gain,
        mark,
        tone,
        strong: false,
        label: &label,
    };
    html.inside("tr", &[], |html| {
        html.inside("th", &[("scope", &"row")], |html| {
            html.text(&result.workload);
            if let Some(step) = step {
                html.leaf("span", &[("class", &"against")], step);
            }
        });
        html.inside("td", &[("class", &"plotcell")], |html| {
            plot::interval(html, axis, Some(&bar));
        });
        html.inside("td", &[("class", &"nowrap")], |html| {
            html.leaf("b", &[], number::gain(result.gain.ratio, decimals));
            html.text(" ");
            html.text(number::bracket(&result.gain, decimals));
        });
        let arrow = |old: String, new: String| format!("{old} → {new}");
        html.leaf(
            "td",
            &[("class", &"nowrap")],
            arrow(
                number::seconds(result.old_median),
                number::seconds(result.new_median),
            ),
        );
        html.leaf(
            "td",
            &[("class", &"nowrap")],
            number::gain_with_interval(&result.wall),
        );
        html.leaf(
            "td",
            &[("class", &"nowrap")],
            arrow(
                number::bytes(result.old_rss_bytes),
                number::bytes(result.new_rss_bytes),
            ),
        );
    });
}

/// What a screen reader says of an interval.
pub(super) fn describe(what: &str, interval: &Interval, confidence: f64) -> String {
    let digits = number::decimals([interval]);
    format!(
        "{}. Gain {}, {} interval {}",
        text::plain(what),
        number::gain(interval.ratio, digits),
        number::confidence(confidence),
        number::span(interval, digits)
    )
}

fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoProvableDifference => "no provable difference",
    }
}

/// Shape and colour of a verdict.
pub(super) fn verdict_mark(verdict: Verdict) -> (Mark, Tone) {
    match verdict {
        Verdict::Faster => (Mark::Diamond, Tone::Good),
        Verdict::Slower => (Mark::Triangle, Tone::Bad),
        Verdict::NoProvableDifference => (Mark::Ring, Tone::Quiet),
    }
}

/// Shape and colour of an outcome.
fn outcome_mark(outcome: &Outcome) -> (Mark, Tone) {
    match outcome {
        Outcome::Kept => (Mark::Dot, Tone::Good),
        Outcome::Beaten { .. } => (Mark::HollowDiamond, Tone::Good),
        Outcome::NotProven => (Mark::Ring, Tone::Quiet),
        Outcome::Slower => (Mark::Triangle, Tone::Bad),
        Outcome::Reference => (Mark::Square, Tone::Quiet),
        Outcome::Failed { .. } => (Mark::Cross, Tone::Bad),
        Outcome::Baseline | Outcome::Skipped { .. } => (Mark::Dash, Tone::Quiet),
    }
}
