//! Sentences of the report, shared by all its forms.
//!
//! The sentences are plain text; each form escapes and wraps them in its own way. Every gain is given with its
//! interval. Only the confirmation claims a total gain: products of step gains are no
//! measurement, and the search has picked the lucky ones.

pub use crate::figures::{
    beside, branch_source, peak_memory, recorded, recording, recording_cost, wall, why_held_up,
};
use crate::model::{Flags, LadderReport, Outcome, Rung};
use crate::number;
use hone_measure::{Comparison, Interval, Metric, Verdict};

/// Result of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The winner, measured afresh, is faster.
    Confirmed,
    /// Rungs were kept, but the winner measured afresh shows no provable difference.
    NotConfirmed,
    /// The winner measured afresh is slower.
    Slower,
    /// Rungs were kept, but the winner was not measured afresh.
    Unconfirmed,
    /// Rungs were measured and none was proven to help.
    NothingKept,
    /// No rung was measured.
    NothingMeasured,
}

/// The main result: a few words and the full sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// Result of the run.
    pub standing: Standing,
    /// A few words, such as `29.6 % less CPU`.
    pub short: String,
    /// The full sentence, with interval and workloads.
    pub sentence: String,
    /// Sentence below the few words, in places that show the interval beside them.
    pub context: String,
}

impl Headline {
    fn new(standing: Standing, short: impl Into<String>, sentence: String) -> Self {
        Self {
            standing,
            short: short.into(),
            context: sentence.clone(),
            sentence,
        }
    }
}

/// Returns the main result of the report.
pub fn headline(report: &LadderReport) -> Headline {
    match &report.confirmation {
        Some(confirmation) => with_other_cpu(report, confirmed(&report.program, confirmation)),
        None => without_confirmation(report),
    }
}

/// Adds the gain by the other count of CPU time to a headline, so that no reader has to look for it.
fn with_other_cpu(report: &LadderReport, headline: Headline) -> Headline {
    let Some(other) = &report.other_cpu else {
        return headline;
    };
    let kernel = match other.metric.is_user_only() {
        true => "without",
        false => "with",
    };
    let also = format!(
        " By {}, {kernel} the kernel's time, the gain in the same runs is {}.",
        match other.metric.is_user_only() {
            true => cpu(other.metric).to_owned(),
            false => format!("total {}", cpu(other.metric)),
        },
        number::gain_with_interval(&other.gain)
    );
    Headline {
        sentence: headline.sentence + &also,
        context: headline.context + &also,
        ..headline
    }
}

fn confirmed(program: &str, confirmation: &Comparison) -> Headline {
    let overall = &confirmation.overall;
    let digits = number::decimals([overall]);
    let gain = number::gain(overall.ratio, digits);
    let level = number::confidence(confirmation.confidence);
    let interval = format!("{level} interval {}", number::span(overall, digits));
    let place = on_workloads(confirmation);
    let cpu = cpu(confirmation.metric);
    match confirmation.verdict {
        Verdict::Faster => Headline {
            context: format!("The baseline needs {gain} the winner's {cpu}, {place}."),
            ..Headline::new(
                Standing::Confirmed,
                format!("{} {cpu}", number::saved(overall.ratio)),
                format!(
                    "{program}: the baseline needs {gain} the winner's {cpu}, {interval} ({} saved), \
                     {place}.",
                    number::saved_span(overall)
                ),
            )
        },
        Verdict::NoProvableDifference => Headline::new(
            Standing::NotConfirmed,
            "No provable gain",
            format!(
                "{program}: no provable gain in {cpu}. Steps were kept, but the winner measured afresh \
                 gave a gain of {gain}, {interval}, {place}."
            ),
        ),
        Verdict::Slower => Headline::new(
            Standing::Slower,
            "Slower than the baseline",
            format!(
                "{program}: the winner is slower than the baseline. Steps were kept, but measured \
                 afresh it gave a gain in {cpu} of {gain}, {interval}, {place}."
            ),
        ),
    }
}

fn without_confirmation(report: &LadderReport) -> Headline {
    let program = &report.program;
    let count = |wanted: &dyn Fn(&Rung) -> bool| report.rungs.iter().filter(|r| wanted(r)).count();
    let kept = count(&|rung| rung.outcome == Outcome::Kept);
    let measured = count(&|rung| rung.comparison.is_some());
    let tried = count(&|rung| rung.outcome != Outcome::Baseline);
    let rungs = plural(tried, "rung", "rungs");
    if kept > 0 {
        let sentence = format!(
            "{program}: {kept} of {tried} {rungs} were kept step by step, but the winner was not measured \
             afresh against the baseline, so no total gain is claimed."
        );
        return Headline::new(Standing::Unconfirmed, "Not confirmed", sentence);
    }
    if measured > 0 {
        let is_rejected = |rung: &Rung| matches!(rung.outcome, Outcome::Rejected { .. });
        let but = match report.rungs.iter().any(is_rejected) {
            true => " at a price that may be paid",
            false => "",
        };
        let sentence = format!(
            "{program}: no lever is proven to help{but}{}. Of {tried} {rungs}, {measured} could be measured. The \
             baseline stands.",
            overall(report)
        );
        return Headline::new(
            Standing::NothingKept,
            "No lever is proven to help",
            sentence,
        );
    }
    let failure = report.rungs.iter().find_map(|rung| match &rung.outcome {
        Outcome::Failed { reason } => Some(format!(" {} failed: {reason}", rung.title)),
        _ => None,
    });
    let sentence = format!(
        "{program}: nothing was measured, so nothing can be said of a gain.{}",
        failure.unwrap_or_default()
    );
    Headline::new(Standing::NothingMeasured, "Nothing was measured", sentence)
}

/// Returns the words of a rung's flags that are not in the flags of the rung that it builds on.
pub fn added_flags(report: &LadderReport, index: usize) -> Vec<String> {
    let words = |flags: &Flags| -> Vec<String> {
        let environment = flags
            .env
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        let flags = flags
            .compile
            .iter()
            .chain(&flags.link)
            .chain(&flags.post_link);
        flags.cloned().chain(environment).collect()
    };
    let Some(rung) = report.rungs.get(index) else {
        return Vec::new();
    };
    let mut seen = base_of(report, index).map_or_else(Vec::new, |base| words(&base.flags));
    let mut added = words(&rung.flags);
    added.retain(|word| {
        let new = !seen.contains(word);
        if new {
            seen.push(word.clone());
        }
        new
    });
    added
}

/// Returns sentences about the basis of the confirmation; empty without a confirmation.
pub fn basis(report: &LadderReport) -> Vec<String> {
    let Some(confirmation) = &report.confirmation else {
        return Vec::new();
    };
    let mut out = vec![format!(
        "Measured afresh after the search, in {} interleaved blocks per workload: {} runs of either \
         binary on each, every one a fresh process. {}",
        confirmation.blocks,
        confirmation.blocks.saturating_mul(2),
        stolen(confirmation)
    )];
    let Interval { low, high, .. } = confirmation.overall;
    if low > 0.0 && high.is_finite() && confirmation.workloads.len() > 1 {
        let (least, most) = confirmation.range;
        out.push(format!(
            "By workload the gain runs from {} to {}; their intervals stand below.",
            number::gain(least, 2),
            number::gain(most, 2)
        ));
    }
    out.extend(training(report));
    out.extend(check(report));
    out
}

/// Returns a sentence about the check that every build had to pass.
fn check(report: &LadderReport) -> Option<String> {
    let check = report.check.as_ref()?;
    Some(format!(
        "Every build that was measured has passed the project's check, {check}."
    ))
}

/// Returns a sentence that tells if the measured commands were also used for training.
fn training(report: &LadderReport) -> Option<String> {
    let workloads = &report.workloads;
    if workloads.train.is_empty() || workloads.measure.is_empty() {
        return None;
    }
    let measured = workloads.measure.iter();
    let both: Vec<&str> = measured
        .filter(|name| workloads.train.contains(name))
        .map(String::as_str)
        .collect();
    Some(if both.is_empty() {
        "None of the measured commands is among those trained on.".to_owned()
    } else {
        format!(
            "Also used for training: {}. The gain there may be larger than on new input.",
            list(&both)
        )
    })
}

/// Returns a sentence about the CPU time that the hypervisor took during an experiment.
fn stolen(comparison: &Comparison) -> String {
    format!(
        "CPU time stolen by the hypervisor, as the kernel counts it: {} (stolen / (used + stolen)).",
        number::share(comparison.stolen_share)
    )
}

/// Explains how to read the figures of the ladder; `None` if nothing was measured.
pub fn reading(report: &LadderReport) -> Option<String> {
    let comparison = comparisons(report).next()?;
    let mut out = format!(
        "A gain is {} old / new: above 1 is better. Each rung is measured against the last one kept before \
         its step, and kept only if its whole interval lies above 1.",
        cpu(comparison.metric)
    );
    if let Some(alternatives) = alternatives(report) {
        out.push(' ');
        out.push_str(alternatives);
    }
    if report.confirmation.is_some() {
        out.push_str(
            " The gains of the steps are not multiplied: only the last line is a measured total.",
        );
    }
    Some(out)
}

/// Explains the outcome `beaten`; `None` if no rung was beaten.
pub fn alternatives(report: &LadderReport) -> Option<&'static str> {
    let beaten = |rung: &Rung| matches!(rung.outcome, Outcome::Beaten { .. });
    report.rungs.iter().any(beaten).then_some(
        "Of the alternatives proven in one step the largest estimate wins; they are not measured against \
         each other.",
    )
}

/// Describes an effect that an overall figure hides: a change helps one workload and harms another, both proven.
///
/// Each verdict is based on the interval of its own workload. `None` unless the change does both.
pub fn split(comparison: &Comparison) -> Option<String> {
    let proven = |verdict: Verdict| -> Vec<String> {
        let workloads = comparison.workloads.iter();
        workloads
            .filter(|result| result.verdict == verdict)
            .map(|result| {
                let gain = number::gain_with_interval(&result.gain);
                format!("{} ({gain})", result.workload)
            })
            .collect()
    };
    let (helped, harmed) = (proven(Verdict::Faster), proven(Verdict::Slower));
    if helped.is_empty() || harmed.is_empty() {
        return None;
    }
    Some(format!(
        "Helps {}, harms {}: the overall gain is a mean over both; go by the workload that is like yours.",
        list(&helped),
        list(&harmed)
    ))
}

/// Returns all comparisons of the ladder: those of the rungs, then the confirmation.
pub(crate) fn comparisons(report: &LadderReport) -> impl Iterator<Item = &Comparison> {
    let rungs = report.rungs.iter();
    rungs
        .filter_map(|rung| rung.comparison.as_ref())
        .chain(&report.confirmation)
}

/// Returns words for a verdict on several workloads; empty for a single one.
fn overall(report: &LadderReport) -> &'static str {
    match comparisons(report).next() {
        Some(comparison) if comparison.workloads.len() > 1 => {
            " on all workloads together (geometric mean)"
        }
        _ => "",
    }
}

/// Returns the self-check in one or two sentences; `None` if no self-check was made.
pub fn self_check(report: &LadderReport) -> Option<String> {
    let check = report.self_check.as_ref()?;
    let digits = number::decimals([&check.overall]);
    let judgement = match check.verdict {
        Verdict::NoProvableDifference => "no provable difference, as it should be.".to_owned(),
        Verdict::Faster | Verdict::Slower => format!(
            "a difference where there is none. Chance alone does that in {} of such checks; otherwise the \
             machine was not steady. Do not trust small differences here.",
            number::share(1.0 - check.confidence)
        ),
    };
    Some(format!(
        "The baseline against itself gave {}, {} interval {}: {judgement} {}",
        number::gain(check.overall.ratio, digits),
        number::confidence(check.confidence),
        number::span(&check.overall, digits),
        stolen(check)
    ))
}

/// Returns the outcome of a rung in a few words.
pub fn outcome(report: &LadderReport, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Baseline => "baseline".to_owned(),
        Outcome::Kept => "kept".to_owned(),
        Outcome::Beaten { by } => format!("beaten by {}", title(report, by)),
        Outcome::NotProven => "no provable difference".to_owned(),
        Outcome::Slower => "slower".to_owned(),
        Outcome::Rejected { .. } => "rejected".to_owned(),
        Outcome::Reference => "for comparison only".to_owned(),
        Outcome::Failed { .. } => "failed".to_owned(),
        Outcome::Skipped { .. } => "skipped".to_owned(),
    }
}

/// Returns the reason why a rung has no result, if its outcome has a reason.
pub fn reason(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Failed { reason } | Outcome::Skipped { reason } | Outcome::Rejected { reason } => {
            Some(reason)
        }
        _ => None,
    }
}

/// Returns the title of the rung with this id; the name itself if no rung has this id.
pub fn title<'a>(report: &'a LadderReport, name: &'a str) -> &'a str {
    rung(report, name).map_or(name, |rung| &rung.title)
}

/// Returns the title of a lever: from the report's titles, else from the first rung with the lever on top; else its id.
pub fn lever_title<'a>(report: &'a LadderReport, lever: &'a str) -> &'a str {
    if let Some(title) = report.lever_titles.get(lever) {
        return title;
    }
    let uppermost = |rung: &&Rung| rung.levers.last().is_some_and(|last| last == lever);
    report
        .rungs
        .iter()
        .find(uppermost)
        .map_or(lever, |rung| &rung.title)
}

/// Returns the rung with this id.
pub fn rung<'a>(report: &'a LadderReport, id: &str) -> Option<&'a Rung> {
    report.rungs.iter().find(|rung| rung.id == id)
}

/// Returns the rung that the rung at `index` builds on: the one it was measured against, else the last one kept.
pub fn base_of(report: &LadderReport, index: usize) -> Option<&Rung> {
    base_index(report, index).and_then(|base| report.rungs.get(base))
}

/// Returns the index of [`base_of`], always below `index`.
pub(crate) fn base_index(report: &LadderReport, index: usize) -> Option<usize> {
    let this = report.rungs.get(index)?;
    let below = &report.rungs[..index];
    let measured_against = this.comparison.as_ref().and_then(|comparison| {
        below
            .iter()
            .position(|rung| rung.id == comparison.old || rung.title == comparison.old)
    });
    measured_against.or_else(|| {
        below
            .iter()
            .rposition(|rung| matches!(rung.outcome, Outcome::Kept | Outcome::Baseline))
    })
}

/// Returns the nearest rung that the rung at `index` builds on and whose indirect calls were counted.
pub fn counted_before(report: &LadderReport, index: usize) -> Option<&Rung> {
    let mut at = base_index(report, index)?;
    loop {
        if report.rungs[at].indirect_calls.is_some() {
            return report.rungs.get(at);
        }
        at = base_index(report, at)?;
    }
}

/// Returns the titles of all levers in the winner, lowest first: `mimalloc + ThinLTO`; `None` if nothing was kept.
pub fn winner(report: &LadderReport) -> Option<String> {
    let recipe = report.recipe.as_ref()?;
    let winner = rung(report, &recipe.rung);
    Some(match winner {
        Some(rung) if !rung.levers.is_empty() => {
            let levers = rung.levers.iter();
            let titles: Vec<&str> = levers.map(|lever| lever_title(report, lever)).collect();
            titles.join(" + ")
        }
        Some(rung) => rung.title.clone(),
        None => recipe.rung.clone(),
    })
}

/// Returns the name of a metric: `CPU`, or `user CPU per unit of work`.
pub fn cpu(metric: Metric) -> &'static str {
    match metric {
        Metric::CpuSeconds => "CPU",
        Metric::CpuPerWork => "CPU per unit of work",
        Metric::UserSeconds => "user CPU",
        Metric::UserPerWork => "user CPU per unit of work",
    }
}

/// Returns the workloads of a comparison: `on workload a`, or `on workloads a and b (geometric mean)`.
fn on_workloads(comparison: &Comparison) -> String {
    let workloads = comparison.workloads.iter();
    let names: Vec<&str> = workloads.map(|result| result.workload.as_str()).collect();
    match names.len() {
        0 => "on no named workload".to_owned(),
        1 => format!("on workload {}", names[0]),
        2..=4 => format!("on workloads {} (geometric mean)", list(&names)),
        many => format!("on {many} workloads (geometric mean)"),
    }
}

/// Returns names as a list: `a`, `a and b`, `a, b and c`.
pub fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the word for one, or that for any other count.
pub fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}
