//! The ladder as a picture: one line per rung, all on one axis.

use super::markup::Html;
use super::plot::{self, Bar, Labels, Mark, Tone};
use super::verdict::{describe, outcome_mark, verdict_mark, verdict_words};
use super::{empty, prose, section};
use crate::axis::Axis;
use crate::model::{LadderReport, Outcome, Rung};
use crate::{number, sentences};
use hone_measure::{Comparison, Interval, Verdict};

/// Data that all lines of the ladder share.
struct Ladder<'a> {
    report: &'a LadderReport,
    axis: Axis,
    decimals: usize,
}

/// Data that is written and drawn for one comparison.
struct Line<'a> {
    comparison: &'a Comparison,
    mark: Mark,
    tone: Tone,
    strong: bool,
    what: &'a str,
    against: &'a str,
}

/// Writes the section.
pub(super) fn ladder(html: &mut Html, report: &LadderReport) {
    section(html, "ladder", "The ladder", |html| {
        if report.rungs.is_empty() {
            empty(html, "No rung was tried.");
            return;
        }
        let intervals: Vec<Interval> = sentences::comparisons(report)
            .map(|comparison| comparison.overall)
            .collect();
        if let Some(reading) = sentences::reading(report) {
            html.leaf("p", &[("class", &"lead")], prose(&reading));
        }
        let ladder = Ladder {
            report,
            axis: Axis::around_one(&intervals),
            decimals: number::decimals(&intervals),
        };
        html.inside("table", &[("class", &"ladder")], |html| {
            ladder.head(html);
            html.inside("tbody", &[], |html| {
                for (index, rung) in report.rungs.iter().enumerate() {
                    ladder.rung(html, index, rung);
                }
            });
            if let Some(confirmation) = &report.confirmation {
                ladder.confirmation(html, confirmation);
            }
        });
    });
}

impl Ladder<'_> {
    fn head(&self, html: &mut Html) {
        let gain = sentences::comparisons(self.report)
            .next()
            .map(|comparison| {
                let level = number::confidence(comparison.confidence);
                prose(&format!("Gain and {level} interval"))
            });
        html.inside("thead", &[], |html| {
            html.inside("tr", &[], |html| {
                html.leaf("th", &[("scope", &"col"), ("class", &"name")], "Rung");
                html.inside("th", &[("scope", &"col"), ("class", &"plotcell")], |html| {
                    html.leaf("span", &[("class", &"hidden")], "Interval, drawn");
                    if gain.is_some() {
                        plot::tick_labels(html, &self.axis, Labels::Many);
                    }
                });
                let gain = gain.as_deref().unwrap_or("Gain");
                html.leaf("th", &[("scope", &"col"), ("class", &"numbers")], gain);
            });
        });
    }

    fn rung(&self, html: &mut Html, index: usize, rung: &Rung) {
        let (mark, tone) = outcome_mark(&rung.outcome);
        let outcome = sentences::outcome(self.report, &rung.outcome);
        let class = format!("rung {}", tone.class());
        html.inside("tr", &[("class", &class)], |html| {
            name(html, &rung.title, &outcome, (mark, tone));
            match (&rung.comparison, sentences::reason(&rung.outcome)) {
                (None, Some(reason)) => {
                    let attributes: [(&str, &dyn std::fmt::Display); 2] =
                        [("class", &"reason"), ("colspan", &"2")];
                    html.leaf("td", &attributes, prose(reason));
                }
                (None, None) => self.unmeasured(html, rung),
                (Some(comparison), reason) => {
                    let line = Line {
                        comparison,
                        mark,
                        tone,
                        strong: false,
                        what: &format!("{}: {outcome}", rung.title),
                        against: sentences::base_of(self.report, index)
                            .map_or(&comparison.old, |base| &base.title),
                    };
                    self.measured(html, &line, reason);
                }
            }
        });
        if let Some(comparison) = &rung.comparison {
            split(html, tone, comparison);
        }
        if let Some(profile) = &rung.profile {
            below(html, tone, profile);
        }
    }

    fn unmeasured(&self, html: &mut Html, rung: &Rung) {
        html.inside("td", &[("class", &"plotcell")], |html| {
            plot::interval(html, &self.axis, Labels::Many, None);
        });
        let words = match rung.outcome {
            Outcome::Baseline => "1 by definition",
            _ => "not measured",
        };
        html.leaf("td", &[("class", &"numbers quiet-text")], words);
    }

    fn measured(&self, html: &mut Html, line: &Line<'_>, reason: Option<&str>) {
        let overall = &line.comparison.overall;
        let bar = Bar {
            interval: *overall,
            mark: line.mark,
            tone: line.tone,
            strong: line.strong,
            label: &describe(line.what, overall, line.comparison.confidence),
        };
        html.inside("td", &[("class", &"plotcell")], |html| {
            plot::interval(html, &self.axis, Labels::Many, Some(&bar));
        });
        html.inside("td", &[("class", &"numbers")], |html| {
            html.leaf("b", &[], number::gain(overall.ratio, self.decimals));
            let interval = number::bracket(overall, self.decimals);
            html.leaf("span", &[("class", &"interval")], interval);
            let against = match line.comparison.verdict {
                Verdict::NoProvableDifference => format!("against {}", line.against),
                Verdict::Faster | Verdict::Slower => {
                    let saved = number::saved(overall.ratio);
                    let cpu = sentences::cpu(line.comparison.metric);
                    format!("{saved} {cpu} than {}", line.against)
                }
            };
            html.leaf("span", &[("class", &"saved")], prose(&against));
            if let Some(reason) = reason {
                html.leaf("span", &[("class", &"saved")], prose(reason));
            }
        });
    }

    fn confirmation(&self, html: &mut Html, confirmation: &Comparison) {
        let (mark, tone) = verdict_mark(confirmation.verdict);
        let class = format!("total {}", tone.class());
        html.inside("tfoot", &[], |html| {
            html.inside("tr", &[("class", &class)], |html| {
                let outcome = verdict_words(confirmation.verdict);
                name(html, "Winner, measured afresh", outcome, (mark, tone));
                let line = Line {
                    comparison: confirmation,
                    mark,
                    tone,
                    strong: true,
                    what: "The winner against the baseline",
                    against: "the baseline",
                };
                self.measured(html, &line, None);
            });
            split(html, tone, confirmation);
        });
    }
}

/// Writes a sentence below a line if the change helps one workload and harms another.
fn split(html: &mut Html, tone: Tone, comparison: &Comparison) {
    let Some(sentence) = sentences::split(comparison) else {
        return;
    };
    below(html, tone, &sentence);
}

/// Writes a sentence over the whole width.
fn below(html: &mut Html, tone: Tone, sentence: &str) {
    let class = format!("split {}", tone.class());
    html.inside("tr", &[("class", &class)], |html| {
        html.leaf("td", &[("colspan", &"3")], prose(sentence));
    });
}

fn name(html: &mut Html, title: &str, outcome: &str, (mark, tone): (Mark, Tone)) {
    html.inside("th", &[("scope", &"row"), ("class", &"name")], |html| {
        html.leaf("span", &[("class", &"title")], title);
        html.inside("span", &[("class", &"outcome")], |html| {
            plot::glyph(html, mark, tone.class());
            html.leaf("b", &[], outcome);
        });
    });
}
