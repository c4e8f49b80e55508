//! Computes the figures of quality.

use super::density::{dense, density};
use super::halves::{of_halves, unknown as unknown_halves};
use super::stale::Staleness;
use super::{Figure, Limits, Threshold, Verdict};
use crate::convert::Converted;
use crate::counts::{AggregateReport, Counts};
use crate::overlap::Overlap;
use crate::sample_profile::{FunctionSamples, SampleProfile};

/// Share of the weight that the figure of coverage uses.
const HOT_SHARE: f64 = 0.9;
const BRANCH_RECORDS: &str = "branch records";
pub(super) const OUTSIDE: &str = "outside";
pub(super) const LOST: &str = "lost";
pub(super) const UNSAMPLED: &str = "unsampled";
/// Share of lost samples, or of damaged records to samples, above which a profile is poor.
const LOST_POOR: f64 = 0.05;
/// Minimum number of functions; with fewer functions, the lack of calls in a profile tells nothing.
const TELLING_FUNCTIONS: usize = 3;

impl Figure {
    pub(super) fn new(
        name: &'static str,
        value: f64,
        shown: String,
        threshold: Threshold,
        advice: impl Into<String>,
    ) -> Self {
        let verdict = threshold.verdict(value);
        Self {
            name,
            value,
            shown,
            verdict,
            threshold: Some(threshold),
            advice: (verdict != Verdict::Good).then(|| advice.into()),
            details: Vec::new(),
        }
    }

    /// Creates a figure without a threshold.
    pub(super) fn fact(name: &'static str, value: f64, shown: String) -> Self {
        Self {
            name,
            value,
            shown,
            verdict: Verdict::Good,
            threshold: None,
            advice: None,
            details: Vec::new(),
        }
    }
}

/// Returns the figures of the profile itself.
pub fn of_profile(profile: &SampleProfile, limits: &Limits) -> Vec<Figure> {
    let density = density(profile);
    let is_plain = looks_plain(profile);
    let unit = match is_plain {
        // Counts of plain samples are often times, and the number of samples is not known.
        true => "counts in whatever unit the samples had",
        false => "executions",
    };
    let mut figures = vec![
        unknown_halves(
            "Name the recording that the profile was made from: hone quality hone.data --binary FILE.",
        ),
        dense(density, unit, limits.density.filter(|_| !is_plain)),
        coverage(profile),
    ];
    if is_plain {
        let shown = "no call targets and no entries of functions, as if made of plain samples";
        figures.push(plain_samples(0.0, shown));
    }
    figures
}

/// Returns the figures of the conversion from a recording. `code_bytes` is the size of the binary's code.
pub fn of_recording(converted: &Converted, code_bytes: u64, limits: &Limits) -> Vec<Figure> {
    let counts = &converted.counts;
    let report = &counts.report;
    let has_branches = counts.has_branches();
    let samples = &converted.attribution.samples;
    let density = density(samples);
    let with_branches = share(report.samples_with_branches, report.samples);
    let shown = format!(
        "{} of the samples have branch records",
        percent(with_branches)
    );
    let mut figures = match &converted.halves {
        Some(halves) => of_halves(halves, limits),
        None => vec![unknown_halves(
            "Record this program for a while on one host: sums and texts of counts do not tell what was seen together.",
        )],
    };
    let (per_sample, unit) = match has_branches {
        true => (1.0, "executions"),
        false => (
            share(report.ip_weight_here, report.samples_here).max(1.0),
            "samples",
        ),
    };
    figures.push(dense(density / per_sample, unit, limits.density));
    figures.push(coverage(samples));
    figures.push(match has_branches {
        true => Figure::fact(BRANCH_RECORDS, with_branches, shown),
        false => plain_samples(with_branches, &shown),
    });
    figures.extend(of_counts(report, limits));
    figures.push(unknown(converted, limits));
    if has_branches {
        figures.push(broken(report, limits));
        let seen = share(bytes_seen(counts), code_bytes);
        let shown = format!("{} of the code was seen to run", percent(seen));
        figures.push(Figure::fact("code seen", seen, shown));
    }
    figures
}

/// Returns the figures for every form: samples outside the binary, and losses of the recording.
pub fn of_counts(report: &AggregateReport, limits: &Limits) -> Vec<Figure> {
    let mut figures = vec![outside(report, limits), lost(report)];
    figures.extend(unsampled(report));
    figures
}

/// Returns the figure of the CPU time for which no sample stands, if there is more of it than chance makes.
fn unsampled(report: &AggregateReport) -> Option<Figure> {
    let accounted = report.losses.accounted;
    let share = accounted.unsampled()?;
    Some(Figure {
        verdict: Verdict::Poor,
        advice: Some(format!("Record again: {}.", accounted.cure())),
        ..Figure::fact(
            UNSAMPLED,
            share,
            format!("{} of the CPU time was never sampled", percent(share)),
        )
    })
}

fn plain_samples(value: f64, shown: &str) -> Figure {
    Figure {
        verdict: Verdict::Poor,
        advice: Some(
            "Plain samples count unrolled and vectorised loops wrongly: builds with such profiles were up to 9 % \
             slower than builds without. Record with branch records (hone record --branches auto), or measure the \
             build before you use it."
                .into(),
        ),
        ..Figure::fact(BRANCH_RECORDS, value, shown.to_owned())
    }
}

fn outside(report: &AggregateReport, limits: &Limits) -> Figure {
    let outside = 1.0 - share(report.samples_here, report.samples);
    let mut figure = Figure::new(
        OUTSIDE,
        outside,
        format!("{} of the samples outside the binary", percent(outside)),
        limits.outside,
        "This binary spends its time elsewhere: in the kernel, in libraries, or other programs were recorded too. \
         A profile of it can gain little; look at the recording with hone top or hone view.",
    );
    if report.ip_weight_kernel > 0 {
        let kernel = percent(share(report.ip_weight_kernel, report.ip_weight));
        figure.details.push(format!(
            "{kernel} of the plain samples' weight in the kernel"
        ));
    }
    if report.branches > 0 {
        let foreign = percent(share(report.branches_foreign, report.branches));
        figure
            .details
            .push(format!("{foreign} of the branch records in other files"));
    }
    figure
}

/// Returns the figure of the losses of the recording itself.
fn lost(report: &AggregateReport) -> Figure {
    let losses = &report.losses;
    let lost = share(losses.lost_samples, report.samples + losses.lost_samples);
    let (cut, behind) = match (losses.corrupt_at, losses.truncated_bytes) {
        (Some(at), 0) => (1, format!("place, byte {at}, where it is corrupt")),
        (Some(at), bytes) => (bytes, format!("bytes not read: it is corrupt at byte {at}")),
        (None, bytes) => (bytes, "bytes missing at its end: it was cut short".into()),
    };
    let parts = [
        (cut, behind.as_str()),
        (losses.lost_samples, "samples lost while recording"),
        (
            losses.malformed_records,
            "records that contradict themselves",
        ),
        (
            losses.dropped_branches,
            "branch entries that were empty or too many",
        ),
        (
            losses.unknown_records,
            "records of types that are passed over",
        ),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let mut details: Vec<String> = parts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let damaged = share(losses.malformed_records, report.samples);
    let is_poor = cut > 0 || lost.max(damaged) > LOST_POOR;
    let advice = if cut > 0 && losses.corrupt_at.is_some() {
        "Copy the recording again, or record again; the profile has everything before that byte."
    } else if cut > 0 {
        "Copy the recording again, or record again and let the recorder end by itself; the profile has what stands \
         before the cut."
    } else {
        "Record again: less often (-F), with larger buffers (perf record -m), or onto a faster disk."
    };
    let shown = if is_poor {
        format!("of the recording, {}", details.remove(0))
    } else {
        format!("{} of the samples lost while recording", percent(lost))
    };
    Figure {
        verdict: if is_poor {
            Verdict::Poor
        } else {
            Verdict::Good
        },
        advice: is_poor.then(|| advice.into()),
        details,
        ..Figure::fact(LOST, lost, shown)
    }
}

fn unknown(converted: &Converted, limits: &Limits) -> Figure {
    let report = &converted.attribution.report;
    let lost = [
        (report.no_symbol, "in code without a symbol"),
        (report.no_source, "in functions without debug info"),
    ];
    let sum = lost
        .iter()
        .fold(0, |sum: u64, part| sum.saturating_add(part.0));
    let unknown = share(sum, report.weight);
    let mut figure = Figure::new(
        "unknown",
        unknown,
        format!("{} of the weight in code without source", percent(unknown)),
        limits.unknown,
        "Build all of the program, its static libraries too, with -gline-tables-only \
         -fdebug-info-for-profiling, and record that build.",
    );
    // Compilers make some code without a line; this code counts for its function.
    let of_no_line = (report.no_line, "more in functions, but of no line");
    let parts = lost.into_iter().chain([of_no_line]);
    for (weight, why) in parts.filter(|part| part.0 > 0) {
        let part = percent(share(weight, report.weight));
        figure.details.push(format!("{part} {why}"));
    }
    figure
}

fn broken(report: &AggregateReport, limits: &Limits) -> Figure {
    let ratio = report.broken_ratio();
    let mut figure = Figure::new(
        "broken ranges",
        ratio,
        format!(
            "{} of the ranges between branches cannot be",
            percent(ratio)
        ),
        limits.broken,
        "The binary is not the one that ran, or the code changed while it ran, or the CPU's branch records are \
         faulty (AMD Zen 4 needs a new kernel): record this very file again.",
    );
    let reasons = [
        (
            report.ranges_broken,
            "end before they start, or in another file",
        ),
        (report.ranges_too_long, "are too long"),
        (
            report.ranges_across_functions,
            "start in one function and end in another",
        ),
        (report.ranges_through_jump, "run through a jump or a return"),
    ];
    for (count, reason) in reasons.into_iter().filter(|part| part.0 > 0) {
        figure.details.push(format!("{count} {reason}"));
    }
    figure
}

/// Returns the figures of the agreement of two profiles.
pub fn of_overlap(overlap: &Overlap, limits: &Limits) -> Vec<Figure> {
    let mut blocks = Figure::new(
        "block overlap",
        overlap.blocks,
        format!(
            "{} block overlap with the other profile",
            percent(overlap.blocks)
        ),
        limits.overlap,
        "The two saw different work, or too little of it: record for longer, and at a typical load; if the \
         programs do differ, keep a profile for each.",
    );
    blocks.details.push(format!(
        "{} where inlined calls count apart",
        percent(overlap.blocks_as_inlined)
    ));
    let mut functions = Figure::fact(
        "function overlap",
        overlap.functions,
        format!("{} function overlap with it", percent(overlap.functions)),
    );
    functions.details.push(format!(
        "{} functions in both, {} in this one alone, {} in the other alone",
        overlap.common, overlap.only_first, overlap.only_second
    ));
    vec![blocks, functions]
}

/// Returns the figures of how much of a profile's code a build still has.
pub fn of_staleness(stale: &Staleness, limits: &Limits) -> Vec<Figure> {
    let gone = share(stale.gone, stale.weight);
    let changed = share(stale.changed, stale.weight);
    let fresh = "Record the new build; until then a profile of the old one is still better than none where most of \
                 its weight is found.";
    let mut moved = Figure::new(
        "changed",
        changed,
        if stale.by_checksum {
            format!(
                "{} of the weight in functions whose control flow changed",
                percent(changed)
            )
        } else {
            format!(
                "{} of the weight at places that the build does not have",
                percent(changed)
            )
        },
        limits.stale,
        fresh,
    );
    if stale.other_block > 0 {
        let part = percent(share(stale.other_block, stale.weight));
        moved.details.push(format!(
            "{part} on lines that are there, in blocks that are not"
        ));
    }
    for function in stale.worst.iter().take(5) {
        let part = percent(share(function.changed, stale.weight));
        let shift = match function.shift {
            Some(by) => format!(", which looks moved by {by:+} lines"),
            None => String::new(),
        };
        moved
            .details
            .push(format!("{part} in {}{shift}", function.name));
    }
    let mut lost = Figure::new(
        "gone",
        gone,
        format!(
            "{} of the weight in functions that the build does not have",
            percent(gone)
        ),
        limits.stale,
        fresh,
    );
    let names: Vec<&str> = stale.missing.iter().take(5).map(String::as_str).collect();
    if !names.is_empty() {
        lost.details.push(names.join(", "));
    }
    vec![lost, moved]
}

fn coverage(profile: &SampleProfile) -> Figure {
    let by_total = profile.by_total();
    let all = profile.total() as f64;
    let mut sum = 0.0;
    let hot = by_total.iter().take_while(|(_, function)| {
        let more = sum < all * HOT_SHARE;
        sum += function.total as f64;
        more
    });
    let hot = hot.count();
    let shown = format!(
        "{hot} of {} functions hold {} of the weight",
        by_total.len(),
        percent(HOT_SHARE)
    );
    Figure::fact("coverage", hot as f64, shown)
}

/// Returns true if a profile lacks all facts that only branch records hold: calls, and entries of functions.
fn looks_plain(profile: &SampleProfile) -> bool {
    let mut told = false;
    for function in profile.functions.values() {
        told |= function.head > 0;
        function.visit(&mut |samples: &FunctionSamples| {
            told |= samples.body.values().any(|line| !line.targets.is_empty());
        });
    }
    !told && profile.functions.len() >= TELLING_FUNCTIONS
}

/// Returns the bytes of code in the ranges, each counted once.
fn bytes_seen(counts: &Counts) -> u64 {
    let (mut sum, mut end) = (0, 0);
    for &(first, last) in counts.ranges.keys() {
        let start = first.0.max(end);
        let last = last.0.saturating_add(1);
        if last > start {
            sum += last - start;
            end = last;
        }
    }
    sum
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 {
        0.0
    } else {
        part as f64 / all as f64
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sample_profile;

    fn profile(text: &str) -> SampleProfile {
        read_sample_profile(text.as_bytes()).unwrap().samples
    }

    #[test]
    fn a_profile_without_calls_looks_plain() {
        let plain = "a:10:0\n 1: 10\nb:10:0\n 1: 10\nc:10:0\n 1: 10\n";
        assert!(looks_plain(&profile(plain)));
        assert!(!looks_plain(&profile(&plain.replace("c:10:0", "c:10:1"))));
        assert!(
            !looks_plain(&profile("a:10:0\n 1: 10\n")),
            "too little to tell"
        );
    }

    #[test]
    fn bytes_are_seen_once() {
        let mut counts = Counts::default();
        for (first, last) in [(10, 19), (10, 29), (25, 27), (40, 40)] {
            let key = (hone_profile::Svma(first), hone_profile::Svma(last));
            counts.ranges.insert(key, 3);
        }
        assert_eq!(bytes_seen(&counts), 21);
    }
}
