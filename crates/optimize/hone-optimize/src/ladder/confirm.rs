//! Measures the winner afresh against the baseline, and tells how far its gain can be trusted.

use anyhow::Result;
use hone_measure::service::{Beside, compare};
use hone_measure::{Comparison, Experiment, Metric, Verdict, analyse, misfit};
use hone_report::model::{OtherCpu, Outcome};
use hone_report::note::{BaselineNote, GainNote};

use crate::ladder::{Climb, Effects};
use crate::workspace::BASELINE;
use crate::workspace::state::Built;

/// Share of the CPU time from which a report says what the hypervisor took.
const STOLEN_TOLD: f64 = 0.02;

/// Figures of the winner beside those of its rung.
pub(crate) struct Confirmed {
    /// The winner against the baseline.
    pub(crate) comparison: Comparison,
    /// The same runs by the other count of CPU time.
    pub(crate) other_cpu: Option<OtherCpu>,
    /// Effects on a server beside its CPU.
    pub(crate) beside: Vec<Beside>,
}

/// Measures the winner against the baseline with fresh runs; `None` if no rung was kept.
pub(crate) fn confirm(effects: &mut dyn Effects, climb: &mut Climb) -> Result<Option<Confirmed>> {
    let confirmed = match climb.rungs.iter().any(|rung| rung.outcome == Outcome::Kept) {
        true => Some(measure(effects, climb)?),
        false => None,
    };
    tell_of_noise(effects, climb);
    if confirmed
        .as_ref()
        .is_some_and(|winner| winner.comparison.verdict != Verdict::Faster)
    {
        effects.tell(GainNote::Unconfirmed.into());
    }
    Ok(confirmed)
}

fn measure(effects: &mut dyn Effects, climb: &mut Climb) -> Result<Confirmed> {
    effects.progress().end_ladder();
    let winner = climb.best.built.clone();
    effects.progress().phase(&format!(
        "the winner, {}, afresh against the baseline",
        winner.key
    ));
    let (old, new) = both_in_layouts(effects, climb)?;
    let measured = effects.confirm(&old, &new)?;
    effects.progress().comparison(&measured.comparison);
    if let Some(note) = misfit_of_steps(climb, &measured.comparison) {
        effects.tell(note.into());
    }
    effects.tell(luck(&measured.comparison).into());
    let other_cpu = by_other_cpu(&measured.experiment);
    let is_duet = measured.experiment.schedule.duet;
    climb.raw.push(measured.experiment);
    Ok(Confirmed {
        comparison: measured.comparison,
        other_cpu,
        beside: beside(effects, climb, is_duet)?,
    })
}

/// Compares latency and other quantities of a server, beside its CPU. Runs that shared a CPU say nothing about latency, so
/// in that case other runs are made.
fn beside(effects: &mut dyn Effects, climb: &mut Climb, is_duet: bool) -> Result<Vec<Beside>> {
    if !effects.is_server() {
        return Ok(Vec::new());
    }
    if is_duet {
        let phase = "the winner beside the baseline, one after the other, for latency";
        effects.progress().phase(phase);
        let alone = effects.confirm_alone(&climb.baseline, &climb.best.built)?;
        climb.raw.push(alone.experiment);
    }
    Ok(climb.raw.last().map(compare).unwrap_or_default())
}

/// Builds the baseline and the winner in the number of layouts that was asked for. If another layout cannot be built, the
/// report says so, and the figure is that of one layout.
fn both_in_layouts(effects: &mut dyn Effects, climb: &Climb) -> Result<(Vec<Built>, Vec<Built>)> {
    let old = effects.layouts(&climb.baseline);
    let both = old.and_then(|old| Ok((old, effects.layouts(&climb.best.built)?)));
    both.or_else(|error| {
        effects.check_interrupted()?;
        let reason = hone_files::advice::in_one_sentence(&error);
        effects.tell(GainNote::OneLayoutOnly(reason).into());
        Ok((vec![climb.baseline.clone()], vec![climb.best.built.clone()]))
    })
}

/// Analyses the same runs with the kernel's time if the metric left it out, and without if the metric counted it.
fn by_other_cpu(experiment: &Experiment) -> Option<OtherCpu> {
    let metric = experiment.schedule.metric;
    let mut experiment = experiment.clone();
    experiment.schedule.metric = Metric::new(metric.is_per_work(), !metric.is_user_only());
    let comparison = analyse(&experiment).ok()?;
    Some(OtherCpu {
        metric: comparison.metric,
        gain: comparison.overall,
    })
}

/// Returns how much of the gain could be the luck of a layout.
fn luck(confirmation: &Comparison) -> GainNote {
    let Some(spread) = &confirmation.layouts else {
        return GainNote::OneLayout;
    };
    let gains = || spread.gains.iter().copied();
    GainNote::Layouts {
        count: spread.gains.len(),
        low: gains().fold(f64::INFINITY, f64::min),
        high: gains().fold(f64::NEG_INFINITY, f64::max),
        scatter: spread.scatter,
        luck: spread.luck_share,
    }
}

/// Returns a note if the gains of the steps from the baseline to the winner, each measured against the step before, do not
/// multiply to the gain that was measured directly.
fn misfit_of_steps(climb: &Climb, confirmation: &Comparison) -> Option<GainNote> {
    let measured = |name: &str| {
        let rung = climb.rungs.iter().find(|rung| rung.id == name)?;
        rung.comparison.as_ref()
    };
    let mut steps = Vec::new();
    let mut at = climb.best.built.name();
    while at != BASELINE && steps.len() < climb.rungs.len() {
        let comparison = measured(&at)?;
        steps.push(comparison.overall);
        at = comparison.old.clone();
    }
    let misfit = misfit(&steps, &confirmation.overall)?;
    Some(GainNote::Misfit {
        product: misfit.product,
        direct: misfit.direct,
    })
}

/// Tells what the baseline against itself says of this machine.
fn tell_of_noise(effects: &mut dyn Effects, climb: &Climb) {
    let check = &climb.self_check;
    if check.verdict != Verdict::NoProvableDifference {
        effects.tell(BaselineNote::Unsteady.into());
    }
    if climb.best.variant.levers.is_empty() {
        let width = check.overall.high / check.overall.low - 1.0;
        effects.tell(GainNote::NothingProven { width }.into());
    }
    if check.stolen_share > STOLEN_TOLD {
        effects.tell(BaselineNote::Stolen(check.stolen_share).into());
    }
}
