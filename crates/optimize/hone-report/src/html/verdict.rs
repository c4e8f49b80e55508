//! The main result, before everything else; and the drawing of a comparison for all sections.

use super::markup::Html;
use super::plot::{self, Bar, Labels, Mark, Tone};
use super::prose;
use crate::axis::Axis;
use crate::model::{LadderReport, Outcome};
use crate::number;
use crate::sentences::{self, Standing};
use hone_measure::{Comparison, Interval, Verdict};

/// Writes the section.
pub(super) fn verdict(html: &mut Html, report: &LadderReport) {
    let headline = sentences::headline(report);
    let class = match headline.standing {
        Standing::Confirmed => "verdict good",
        Standing::Slower => "verdict bad",
        _ => "verdict quiet",
    };
    html.inside(
        "section",
        &[("id", &"verdict"), ("class", &class)],
        |html| {
            html.leaf("p", &[("class", &"short")], &headline.short);
            html.leaf("p", &[("class", &"sentence")], prose(&headline.context));
            if let Some(confirmation) = &report.confirmation {
                if headline.standing == Standing::Confirmed {
                    figures(html, confirmation);
                }
                let axis = Axis::around_one([&confirmation.overall]);
                single(html, &axis, confirmation, "The winner against the baseline");
            }
            if let Some(winner) = sentences::winner(report) {
                html.inside("p", &[("class", &"winner")], |html| {
                    html.text("Winner: ");
                    html.leaf("strong", &[], winner);
                });
            }
            for sentence in sentences::basis(report) {
                html.leaf("p", &[("class", &"basis")], prose(&sentence));
            }
        },
    );
    sentences(html, "notes", "Warnings", &report.notes);
    sentences(html, "remarks", "Remarks", &report.remarks);
}

fn figures(html: &mut Html, confirmation: &Comparison) {
    let overall = &confirmation.overall;
    let digits = number::decimals([overall]);
    html.inside("p", &[("class", &"figures")], |html| {
        let level = number::confidence(confirmation.confidence);
        let span = number::span(overall, digits);
        html.leaf("span", &[], prose(&format!("{level} interval {span}")));
        let ends = number::saved_span(overall);
        html.leaf("span", &[], prose(&format!("{ends} saved")));
    });
}

fn sentences(html: &mut Html, class: &'static str, title: &'static str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let attributes: [(&str, &dyn std::fmt::Display); 2] =
        [("class", &class), ("aria-label", &title)];
    html.inside("section", &attributes, |html| {
        for sentence in sentences {
            html.leaf("p", &[], prose(sentence));
        }
    });
}

/// Draws one comparison on its own axis with labels below.
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
            plot::interval(html, axis, Labels::Many, Some(&bar));
        });
        html.inside("div", &[("class", &"tickbox")], |html| {
            plot::tick_labels(html, axis, Labels::Many);
        });
    });
}

/// Returns the description of an interval for screen readers.
pub(super) fn describe(what: &str, interval: &Interval, confidence: f64) -> String {
    let digits = number::decimals([interval]);
    format!(
        "{what}. Gain {}, {} interval {}",
        number::gain(interval.ratio, digits),
        number::confidence(confidence),
        number::span(interval, digits)
    )
}

/// Returns a verdict in words.
pub(super) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoProvableDifference => "no provable difference",
    }
}

/// Returns the shape and colour of a verdict.
pub(super) fn verdict_mark(verdict: Verdict) -> (Mark, Tone) {
    match verdict {
        Verdict::Faster => (Mark::Diamond, Tone::Good),
        Verdict::Slower => (Mark::Triangle, Tone::Bad),
        Verdict::NoProvableDifference => (Mark::Ring, Tone::Quiet),
    }
}

/// Returns the shape and colour of an outcome.
pub(super) fn outcome_mark(outcome: &Outcome) -> (Mark, Tone) {
    match outcome {
        Outcome::Kept => (Mark::Dot, Tone::Good),
        Outcome::Beaten { .. } => (Mark::HollowDiamond, Tone::Good),
        Outcome::NotProven => (Mark::Ring, Tone::Quiet),
        Outcome::Slower | Outcome::Rejected { .. } => (Mark::Triangle, Tone::Bad),
        Outcome::Reference => (Mark::Square, Tone::Quiet),
        Outcome::Failed { .. } => (Mark::Cross, Tone::Bad),
        Outcome::Baseline | Outcome::Skipped { .. } => (Mark::Dash, Tone::Quiet),
    }
}
