//! The report for a terminal: the main sentence first, then the ladder with its intervals drawn as bars.
//!
//! The report fits in the given width (80 columns and more look best; paths and commands are never broken, so that they
//! can be copied). Colour only repeats what the words say.

use crate::axis::Axis;
use crate::model::{LadderReport, Outcome, Rung};
use crate::sentences::{self, Standing};
use crate::{number, text};
use hone_measure::{Comparison, Interval};

/// Least width of the layout; a narrower terminal gets a text of this width.
const LEAST_WIDTH: usize = 48;
/// Largest width of the bars that still helps the eye.
const WIDEST_PLOT: usize = 60;
/// Least width of the bars; narrower bars are left out, since their axis has no room for two labels.
const NARROWEST_PLOT: usize = 18;
/// Title of the line of the confirmation.
const AFRESH: &str = "winner, afresh";
/// Largest width of the column of titles; longer titles take further lines.
const WIDEST_TITLE: usize = 16;
/// Least width of the column of titles.
const NARROWEST_TITLE: usize = 8;
/// Width of the column of outcomes; longer outcomes take further lines. If the bars need this room, the outcome goes below.
const OUTCOME: usize = 14;
/// Width of the column of outcomes on a terminal at least `WIDE` columns wide.
const WIDE_OUTCOME: usize = 24;
const WIDE: usize = 100;

/// Returns the report as text for a terminal of `width` columns, with ANSI colours if asked for.
pub fn render(report: &LadderReport, width: usize, colour: bool) -> String {
    let page = Page {
        report,
        width: width.max(LEAST_WIDTH),
        colour,
    };
    let mut out = page.headline();
    page.ladder(&mut out);
    page.workloads(&mut out);
    page.facts(&mut out);
    page.files(&mut out);
    out
}

struct Page<'a> {
    report: &'a LadderReport,
    width: usize,
    colour: bool,
}

/// The columns of the ladder.
struct Columns {
    title: usize,
    gain: usize,
    interval: usize,
    plot: usize,
    /// Width of the outcomes; 0 if outcomes are below their rungs.
    outcome: usize,
    decimals: usize,
    axis: Axis,
}

impl Page<'_> {
    fn headline(&self) -> String {
        let headline = sentences::headline(self.report);
        let code = match headline.standing {
            Standing::Confirmed => "1;32",
            Standing::Slower => "1;31",
            _ => "1",
        };
        let mut out = String::new();
        for line in text::wrap(&text::plain(&headline.sentence), self.width) {
            out.push_str(&self.paint(&line, code));
            out.push('\n');
        }
        if let Some(winner) = sentences::winner(self.report) {
            out.push_str(&self.paragraph(&format!("Winner: {winner}."), ""));
        }
        for sentence in sentences::basis(self.report) {
            out.push_str(&self.paragraph(&sentence, ""));
        }
        out
    }

    fn ladder(&self, out: &mut String) {
        if self.report.rungs.is_empty() {
            return;
        }
        let columns = self.columns();
        out.push('\n');
        out.push_str(&self.header(&columns));
        for rung in &self.report.rungs {
            self.rung(out, &columns, rung);
        }
        if let Some(confirmation) = &self.report.confirmation {
            let rule = "─".repeat(columns.total().min(self.width) - 2);
            out.push_str(&format!("  {}\n", self.paint(&rule, "2")));
            let row = Row {
                title: AFRESH,
                comparison: Some(confirmation),
                outcome: "against the baseline".to_owned(),
                code: "1",
            };
            self.row(out, &columns, &row);
            self.split(out, confirmation);
        }
        if let Some(reading) = sentences::reading(self.report) {
            out.push('\n');
            out.push_str(&self.paragraph(&reading, ""));
        }
    }

    fn columns(&self) -> Columns {
        let intervals: Vec<Interval> = sentences::comparisons(self.report)
            .map(|comparison| comparison.overall)
            .collect();
        let decimals = number::decimals(&intervals);
        let rungs = self.report.rungs.iter();
        let titles = rungs.map(|rung| text::plain(&rung.title));
        let confirmed = self.report.confirmation.iter().map(|_| AFRESH.to_owned());
        let title = widest(titles.chain(confirmed)).clamp(NARROWEST_TITLE, WIDEST_TITLE);
        let gain = widest(intervals.iter().map(|i| number::gain(i.ratio, decimals)));
        let spans = intervals.iter().map(|i| number::dashed(i, decimals));
        let interval = widest(spans.chain(self.interval_title()));
        let room = self.width.saturating_sub(2 + 2 + gain + 1 + interval);
        let (title, plot, outcome) = self.shares(room, title, !intervals.is_empty());
        Columns {
            title,
            gain,
            interval,
            plot,
            outcome,
            decimals,
            axis: Axis::around_one(&intervals),
        }
    }

    /// Shares the room beside the figures between title, bars and outcome. If the room is too small for all
    /// three, the outcome goes below; if it is still too small, the bars are left out.
    fn shares(&self, room: usize, title: usize, drawn: bool) -> (usize, usize, usize) {
        let outcome = if self.width >= WIDE {
            WIDE_OUTCOME
        } else {
            OUTCOME
        };
        let beside = room.saturating_sub(2 + outcome);
        let plot = beside.saturating_sub(title + 2).min(WIDEST_PLOT);
        if drawn && plot >= NARROWEST_PLOT {
            return (title, plot, outcome);
        }
        let narrow = title.min(room.saturating_sub(2 + NARROWEST_PLOT));
        if drawn && narrow >= NARROWEST_TITLE {
            return (narrow, (room - narrow - 2).min(WIDEST_PLOT), 0);
        }
        (title.min(beside.max(NARROWEST_TITLE)), 0, outcome)
    }

    /// Returns `95 % interval`; `None` if nothing was measured.
    fn interval_title(&self) -> Option<String> {
        let first = sentences::comparisons(self.report).next()?;
        let level = number::confidence(first.confidence);
        Some(format!("{level} interval"))
    }

    /// Returns the line of headings; empty if nothing was measured.
    fn header(&self, columns: &Columns) -> String {
        let Some(interval) = self.interval_title() else {
            return String::new();
        };
        let mut line = format!(
            "  {:<title$}  {:>gain$} {interval:<width$}",
            "rung",
            "gain",
            title = columns.title,
            gain = columns.gain,
            width = columns.interval
        );
        if columns.plot > 0 {
            line.push_str("  ");
            line.push_str(&tick_line(&columns.axis, columns.plot));
        }
        format!("{}\n", self.paint(line.trim_end(), "2"))
    }

    fn rung(&self, out: &mut String, columns: &Columns, rung: &Rung) {
        let row = Row {
            title: &rung.title,
            comparison: rung.comparison.as_ref(),
            outcome: text::plain(&sentences::outcome(self.report, &rung.outcome)),
            code: colour_of(&rung.outcome),
        };
        self.row(out, columns, &row);
        if let Some(reason) = sentences::reason(&rung.outcome) {
            out.push_str(&self.paragraph(reason, "      "));
        }
        if let Some(comparison) = &rung.comparison {
            self.split(out, comparison);
        }
        if let Some(profile) = &rung.profile {
            out.push_str(&self.paragraph(profile, "      "));
        }
    }

    fn split(&self, out: &mut String, comparison: &Comparison) {
        if let Some(split) = sentences::split(comparison) {
            out.push_str(&self.paragraph(&split, "      "));
        }
    }

    fn row(&self, out: &mut String, columns: &Columns, row: &Row<'_>) {
        let titles = text::wrap(&text::plain(row.title), columns.title);
        let outcomes = match columns.outcome {
            0 => Vec::new(),
            width => text::wrap(&row.outcome, width),
        };
        for index in 0..titles.len().max(outcomes.len()).max(1) {
            let part = |parts: &[String], width: usize| {
                let part = parts.get(index).map(String::as_str).unwrap_or_default();
                text::shorten(part, width)
            };
            let first = index == 0;
            let mut line = self.figures(columns, row.comparison.filter(|_| first));
            if columns.plot > 0 {
                let bar = match row.comparison {
                    Some(comparison) if first => {
                        bar(&columns.axis, &comparison.overall, columns.plot)
                    }
                    _ => bare_axis(&columns.axis, columns.plot),
                };
                line.push_str("  ");
                line.push_str(&self.paint(&bar, if first { row.code } else { "" }));
            }
            let title = part(&titles, columns.title);
            let outcome = self.paint(&part(&outcomes, columns.outcome), row.code);
            let width = columns.title;
            let line = format!("  {title:<width$}  {line}  {outcome}");
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if columns.outcome == 0 {
            self.outcome_below(out, columns, row);
        }
    }

    fn outcome_below(&self, out: &mut String, columns: &Columns, row: &Row<'_>) {
        const INDENT: &str = "    ";
        let room = columns.before_plot() - INDENT.len();
        let axis = bare_axis(&columns.axis, columns.plot);
        for part in text::wrap(&row.outcome, room) {
            let part = text::shorten(&part, room);
            let gap = " ".repeat(room - part.chars().count() + 2);
            let line = format!("{INDENT}{}{gap}{axis}", self.paint(&part, row.code));
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }

    /// Returns gain and interval, each as wide as its column.
    fn figures(&self, columns: &Columns, comparison: Option<&Comparison>) -> String {
        let (gain, interval) = comparison.map_or_else(Default::default, |comparison| {
            let overall = &comparison.overall;
            (
                number::gain(overall.ratio, columns.decimals),
                number::dashed(overall, columns.decimals),
            )
        });
        let (gain_width, width) = (columns.gain, columns.interval);
        format!("{gain:>gain_width$} {interval:<width$}")
    }

    fn workloads(&self, out: &mut String) {
        let Some(confirmation) = &self.report.confirmation else {
            return;
        };
        out.push_str("\nGains by workload, winner against baseline:\n");
        let cpu = sentences::cpu(confirmation.metric);
        for result in &confirmation.workloads {
            let [before, after] = sentences::peak_memory(self.report, result);
            let line = format!(
                "{}: {cpu} {}, wall clock {}, peak memory {before} -> {after}",
                text::plain(&result.workload),
                number::gain_with_interval(&result.gain),
                sentences::wall(confirmation, result),
            );
            out.push_str(&text::wrap_hanging(&line, self.width, "  ", "    "));
        }
    }

    fn facts(&self, out: &mut String) {
        let report = self.report;
        let mut facts: Vec<String> = Vec::new();
        facts.extend(sentences::self_check(report).map(|text| format!("Self-check: {text}")));
        let recordings = report.recordings.iter();
        facts.extend(
            recordings.map(|r| format!("Recording on {}", sentences::recording(report, r))),
        );
        facts.extend(sentences::why_held_up(report).map(str::to_owned));
        facts.extend(report.remarks.iter().cloned());
        facts.extend(report.notes.iter().map(|note| format!("Note: {note}")));
        for fact in facts {
            out.push('\n');
            out.push_str(&self.paragraph(&fact, ""));
        }
    }

    fn files(&self, out: &mut String) {
        let mut files: Vec<(String, &str)> = Vec::new();
        if let Some(recipe) = &self.report.recipe {
            let env = recipe.flags.environment();
            let what = match env.is_empty() {
                true => "the winning binary".to_owned(),
                false => format!("the winning binary; start it with {}", env.join(" ")),
            };
            files.push((what, &recipe.binary));
            files.extend(
                recipe
                    .files
                    .iter()
                    .map(|(path, what)| (what.clone(), &**path)),
            );
        }
        for recording in &self.report.recordings {
            let title = sentences::title(self.report, &recording.rung);
            files.push((format!("recording on {title}"), &recording.path));
        }
        if files.is_empty() {
            return;
        }
        out.push_str("\nFiles:\n");
        for (what, path) in files {
            out.push_str(&format!("  {}\n", text::plain(path)));
            let what = text::plain(&what);
            out.push_str(&text::wrap_hanging(&what, self.width, "      ", "      "));
        }
    }

    fn paragraph(&self, sentence: &str, indent: &str) -> String {
        text::wrap_hanging(&text::plain(sentence), self.width, indent, indent)
    }

    fn paint(&self, text: &str, code: &str) -> String {
        if self.colour && !code.is_empty() && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

struct Row<'a> {
    title: &'a str,
    comparison: Option<&'a Comparison>,
    outcome: String,
    code: &'static str,
}

impl Columns {
    fn total(&self) -> usize {
        let with_gap = |width: usize| if width > 0 { 2 + width } else { 0 };
        self.before_plot() + with_gap(self.plot) + with_gap(self.outcome)
    }

    fn before_plot(&self) -> usize {
        2 + self.title + 2 + self.gain + 1 + self.interval
    }
}

/// Returns the length of the longest of these texts, in characters.
fn widest(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn colour_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Kept => "32",
        Outcome::Slower | Outcome::Rejected { .. } | Outcome::Failed { .. } => "31",
        Outcome::Beaten { .. } => "36",
        Outcome::NotProven => "33",
        Outcome::Baseline | Outcome::Reference | Outcome::Skipped { .. } => "2",
    }
}

/// Draws an interval as a small bar of `width` characters, with a dotted mark at 1: `┊  ├──●──┤`.
pub fn bar(axis: &Axis, interval: &Interval, width: usize) -> String {
    let mut cells: Vec<char> = bare_axis(axis, width).chars().collect();
    let cell = |ratio: f64| axis.position(ratio).map(|at| place(at, width));
    if let (Some(low), Some(high)) = (cell(interval.low), cell(interval.high))
        && low < high
    {
        cells[low..=high].fill('─');
        cells[low] = '├';
        cells[high] = '┤';
    }
    if let Some(at) = cell(interval.ratio) {
        cells[at] = '●';
    }
    cells.into_iter().collect()
}

/// Draws only the mark at 1.
fn bare_axis(axis: &Axis, width: usize) -> String {
    let one = place(axis.one(), width);
    let cells = (0..width).map(|index| if index == one { '┊' } else { ' ' });
    cells.collect()
}

/// Draws the labels of the axis, each centred on its place as far as the edges allow.
fn tick_line(axis: &Axis, width: usize) -> String {
    let (mut ticks, decimals) = axis.ticks(7.0 / width as f64);
    // 1 comes first, then the labels from the ends inwards; labels that have no room are left out.
    let from_one = |tick: &f64| (*tick).ln().abs();
    ticks.sort_by(|a, b| from_one(b).total_cmp(&from_one(a)));
    ticks.sort_by_key(|tick| *tick != 1.0);
    let mut cells = vec![' '; width];
    for tick in ticks {
        let Some(at) = axis.position(tick) else {
            continue;
        };
        let label = number::fixed(tick, decimals);
        let start = place(at, width).saturating_sub(label.len() / 2);
        let start = start.min(width.saturating_sub(label.len()));
        let end = (start + label.len()).min(width);
        let around = start.saturating_sub(1)..(end + 1).min(width);
        if cells[around].iter().all(|cell| *cell == ' ') {
            for (cell, c) in cells[start..end].iter_mut().zip(label.chars()) {
                *cell = c;
            }
        }
    }
    cells.into_iter().collect()
}

/// Returns the character cell at a share of the width.
fn place(share: f64, width: usize) -> usize {
    ((share * width as f64) as usize).min(width.saturating_sub(1))
}
