//! Drawings as inline SVG: intervals on the common axis, and single runs as dots.
//!
//! Places are given in per cent of the drawing's width, not in units of a view box: the drawing then fills
//! any width, from a phone to a wide screen, while text, dots and lines keep their size. Colour alone never has a
//! meaning: outcomes and arms also differ in shape. All colours are in the style sheet.

use super::markup::Html;
use crate::axis::Axis;
use crate::number;
use hone_measure::Interval;
use std::fmt::Display;

/// Distance between the labels of an axis, as a share of its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Many labels, for drawings of 20 rem and more.
    Many,
    /// Few labels, for narrow columns.
    Few,
}

impl Labels {
    fn gap(self) -> f64 {
        match self {
            Self::Many => 0.14,
            Self::Few => 0.28,
        }
    }
}

/// The shape at an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Filled circle.
    Dot,
    /// Hollow circle.
    Ring,
    /// Filled diamond.
    Diamond,
    /// Hollow diamond.
    HollowDiamond,
    /// Hollow square.
    Square,
    /// Filled triangle that points down.
    Triangle,
    /// A cross.
    Cross,
    /// A dash.
    Dash,
}

/// Meaning of a mark; the style sheet gives each meaning a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Proven to help.
    Good,
    /// Proven to hurt.
    Bad,
    /// Nothing proven.
    Quiet,
}

impl Tone {
    /// Returns the class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Quiet => "quiet",
        }
    }
}

impl Mark {
    /// Returns the outline around the origin, and true if it is filled.
    fn path(self) -> (&'static str, bool) {
        match self {
            Self::Dot => ("M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", true),
            Self::Ring => ("M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", false),
            Self::Diamond => ("M0,-6.5L6.5,0L0,6.5L-6.5,0z", true),
            Self::HollowDiamond => ("M0,-6L6,0L0,6L-6,0z", false),
            Self::Square => ("M-4.5,-4.5H4.5V4.5H-4.5z", false),
            Self::Triangle => ("M-6,-4.5H6L0,6z", true),
            Self::Cross => ("M-4.5,-4.5L4.5,4.5M-4.5,4.5L4.5,-4.5", false),
            Self::Dash => ("M-5,0H5", false),
        }
    }
}

/// One interval to draw.
#[derive(Clone, Debug)]
pub struct Bar<'a> {
    /// The interval.
    pub interval: Interval,
    /// Shape at the estimate.
    pub mark: Mark,
    /// Meaning of the interval.
    pub tone: Tone,
    /// True if the bar is drawn heavier than the others.
    pub strong: bool,
    /// Text for screen readers, also shown under the pointer.
    pub label: &'a str,
}

/// Draws the grid lines of an axis with, on top, one interval if there is one. The drawing fills its positioned parent.
pub fn interval(html: &mut Html, axis: &Axis, labels: Labels, bar: Option<&Bar<'_>>) {
    let Some(bar) = bar else {
        let hidden: [(&str, &dyn Display); 2] = [("class", &"plot"), ("aria-hidden", &"true")];
        return html.inside("svg", &hidden, |html| grid(html, axis, labels));
    };
    let class = if bar.strong { "plot strong" } else { "plot" };
    html.inside(
        "svg",
        &[
            ("class", &class),
            ("role", &"img"),
            ("aria-label", &bar.label),
        ],
        |html| {
            grid(html, axis, labels);
            html.leaf("title", &[], bar.label);
            interval_bar(html, axis, bar);
        },
    );
}

fn grid(html: &mut Html, axis: &Axis, labels: Labels) {
    let (ticks, _) = axis.ticks(labels.gap());
    for tick in ticks {
        if let Some(at) = axis.position(tick) {
            let class = if tick == 1.0 { "one" } else { "grid" };
            line(html, class, (&percent(at), &"0"), (&percent(at), &"100%"));
        }
    }
}

fn interval_bar(html: &mut Html, axis: &Axis, bar: &Bar<'_>) {
    let tone = bar.tone.class();
    let low = axis.position(bar.interval.low);
    let high = axis.position(bar.interval.high);
    if let (Some(low), Some(high)) = (low, high) {
        html.inside("g", &[("class", &format_args!("bar {tone}"))], |html| {
            line(
                html,
                "range",
                (&percent(low), &"50%"),
                (&percent(high), &"50%"),
            );
            for end in [low, high] {
                at(html, &percent(end), &"50%", |html| {
                    html.inside("path", &[("class", &"cap"), ("d", &"M0,-8V8")], |_| {});
                });
            }
        });
    }
    if let Some(place) = axis.position(bar.interval.ratio) {
        at(html, &percent(place), &"50%", |html| {
            shape(html, bar.mark, tone);
        });
    }
}

/// Draws a mark by itself, for legends and beside words.
pub fn glyph(html: &mut Html, mark: Mark, class: &'static str) {
    html.inside(
        "svg",
        &[
            ("class", &"glyph"),
            ("viewBox", &"-9 -9 18 18"),
            ("aria-hidden", &"true"),
        ],
        |html| shape(html, mark, class),
    );
}

/// Draws the labels of an axis. The drawing fills its positioned parent.
pub fn tick_labels(html: &mut Html, axis: &Axis, labels: Labels) {
    let (ticks, decimals) = axis.ticks(labels.gap());
    html.inside(
        "svg",
        &[("class", &"plot ticks"), ("aria-hidden", &"true")],
        |html| {
            for tick in ticks {
                let Some(at) = axis.position(tick) else {
                    continue;
                };
                let class = if tick == 1.0 { "tick one" } else { "tick" };
                let label = number::gain(tick, decimals.max(1));
                html.leaf(
                    "text",
                    &[("class", &class), ("x", &percent(at)), ("y", &"60%")],
                    label,
                );
            }
        },
    );
}

/// One run of an experiment.
#[derive(Clone, Debug)]
pub struct Point {
    /// Value of the run.
    pub value: f64,
    /// True if the run belongs to the new arm.
    pub new: bool,
    /// Text that is shown under the pointer.
    pub label: String,
}

/// Draws runs as dots in the order in which they happened; the old arm as hollow squares, the new arm as dots, each
/// with its median as a line. The vertical axis is cut to the range of the values, which its labels show.
pub fn strip(html: &mut Html, points: &[Point], medians: (Option<f64>, Option<f64>), label: &str) {
    let values = points.iter().map(|point| point.value);
    let values: Vec<f64> = values.filter(|value| drawable(*value)).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() {
        html.leaf("p", &[("class", &"empty")], "No run has a number.");
        return;
    }
    let reach = if high > low {
        high - low
    } else {
        high.abs().max(1e-9) * 0.02
    };
    let (bottom, top) = (low - reach * 0.1, low + reach * 1.1);
    let height = |value: f64| percent(1.0 - (value - bottom) / (top - bottom));
    html.inside("div", &[("class", &"strip")], |html| {
        html.inside(
            "div",
            &[("class", &"scale"), ("aria-hidden", &"true")],
            |html| {
                html.leaf("span", &[], number::seconds(high));
                html.leaf("span", &[], number::seconds(low));
            },
        );
        html.inside(
            "svg",
            &[("class", &"dots"), ("role", &"img"), ("aria-label", &label)],
            |html| {
                for (class, median) in [("median old", medians.0), ("median new", medians.1)] {
                    if let Some(median) = median.filter(|median| drawable(*median)) {
                        let y = height(median);
                        line(html, class, (&"0", &y), (&"100%", &y));
                    }
                }
                for (index, point) in points.iter().enumerate() {
                    if !drawable(point.value) {
                        continue;
                    }
                    let x = percent((index as f64 + 0.5) / points.len() as f64);
                    at(html, &x, &height(point.value), |html| {
                        html.leaf("title", &[], &point.label);
                        if point.new {
                            shape_at(html, "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z", "run new");
                        } else {
                            shape_at(html, "M-2.7,-2.7H2.7V2.7H-2.7z", "run old");
                        }
                    });
                }
            },
        );
    });
}

/// Returns true if a value can be drawn on a linear axis: it is a number, and smaller than any impossible time of a run.
fn drawable(value: f64) -> bool {
    value.abs() < 1e12
}

/// Draws shares of a whole as one bar of pieces.
pub fn shares(html: &mut Html, shares: &[f64]) {
    let sane = |share: f64| {
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let total: f64 = shares.iter().map(|share| sane(*share)).sum();
    let scale = if total > 1.0 { 1.0 / total } else { 1.0 };
    html.inside(
        "svg",
        &[("class", &"shares"), ("aria-hidden", &"true")],
        |html| {
            let mut left = 0.0;
            for (index, share) in shares.iter().enumerate() {
                let width = sane(*share) * scale;
                let class =
                    ["share first", "share second", "share third", "share other"][index.min(3)];
                html.inside(
                    "rect",
                    &[
                        ("class", &class),
                        ("x", &percent(left)),
                        ("width", &percent(width)),
                        ("height", &"100%"),
                    ],
                    |_| {},
                );
                left += width;
            }
        },
    );
}

/// Draws a plain bar for a share of the full width.
pub fn amount(html: &mut Html, share: f64, class: &'static str) {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    html.inside(
        "svg",
        &[("class", &"amount"), ("aria-hidden", &"true")],
        |html| {
            html.inside(
                "rect",
                &[
                    ("class", &class),
                    ("width", &percent(share)),
                    ("height", &"100%"),
                ],
                |_| {},
            );
        },
    );
}

fn shape(html: &mut Html, mark: Mark, class: &'static str) {
    let (path, filled) = mark.path();
    let fill = if filled { "filled" } else { "hollow" };
    html.inside(
        "path",
        &[
            ("class", &format_args!("mark {fill} {class}")),
            ("d", &path),
        ],
        |_| {},
    );
}

fn shape_at(html: &mut Html, path: &'static str, class: &'static str) {
    html.inside("path", &[("class", &class), ("d", &path)], |_| {});
}

/// Makes a place, given in per cent, the origin of the drawing of `body`.
fn at(html: &mut Html, x: &dyn Display, y: &dyn Display, body: impl FnOnce(&mut Html)) {
    html.inside("svg", &[("class", &"at"), ("x", x), ("y", y)], body);
}

fn line(
    html: &mut Html,
    class: &'static str,
    from: (&dyn Display, &dyn Display),
    to: (&dyn Display, &dyn Display),
) {
    html.inside(
        "line",
        &[
            ("class", &class),
            ("x1", from.0),
            ("y1", from.1),
            ("x2", to.0),
            ("y2", to.1),
        ],
        |_| {},
    );
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
