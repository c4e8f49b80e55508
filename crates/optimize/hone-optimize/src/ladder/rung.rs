//! Makes the report's entry of a rung.

use anyhow::{Error, Result};
use hone_build::Variant;
use hone_measure::{Comparison, Verdict, WorkloadResult, service};
use hone_report::model::{Flags, Outcome, Rung};
use hone_report::number;

use crate::ladder::Effects;
use crate::measure::Measured;
use crate::profile::Idle;
use crate::workspace::state::Built;

/// Makes the first rung, the baseline.
pub(crate) fn baseline(built: &Built) -> Rung {
    of_build(&Variant::default(), built, Outcome::Baseline)
}

/// Makes a rung that was not measured.
pub(crate) fn unbuilt(variant: &Variant, outcome: Outcome) -> Rung {
    Rung {
        id: variant.id(),
        title: title(variant),
        levers: ids(variant),
        outcome,
        comparison: None,
        build_s: 0.0,
        file_bytes: None,
        loaded_bytes: None,
        text_bytes: None,
        indirect_calls: None,
        flags: Flags::default(),
        profile: None,
    }
}

/// Makes a rung that failed or had nothing to do, and shows why; returns an error if that is no lever's fault.
pub(crate) fn failed(effects: &dyn Effects, variant: &Variant, error: &Error) -> Result<Rung> {
    effects.check_own(error)?;
    let reason = hone_files::advice::in_one_sentence(error);
    let progress = effects.progress();
    if error.is::<Idle>() {
        progress.line(&format!("  skipped: {reason}"));
        return Ok(unbuilt(variant, Outcome::Skipped { reason }));
    }
    progress.line(&format!("  failed: {reason}"));
    Ok(unbuilt(variant, Outcome::Failed { reason }))
}

/// Returns the outcome of a rung without a rival.
pub(crate) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Faster => Outcome::Kept,
        Verdict::Slower => Outcome::Slower,
        Verdict::NoProvableDifference => Outcome::NotProven,
    }
}

/// Returns the outcome of a rung that is proven to help, but at a price that nobody allowed: memory above the user's limit, or
/// later answers or longer runs where a lever could trade them for CPU time.
pub(crate) fn rejected(
    effects: &dyn Effects,
    built: &Built,
    measured: &Measured,
) -> Option<Outcome> {
    if measured.comparison.verdict != Verdict::Faster {
        return None;
    }
    let memory = || too_much_memory(effects.memory_limit()?, &measured.comparison);
    let reason = memory().or_else(|| slowness(built, measured))?;
    Some(Outcome::Rejected { reason })
}

fn too_much_memory(limit: u64, comparison: &Comparison) -> Option<String> {
    let peaks = comparison.workloads.iter();
    let peak = peaks.map(|workload| workload.new_rss_bytes).max()?;
    (peak > limit).then(|| {
        format!(
            "it takes {} of memory, more than the {} of ladder.memory",
            number::bytes(peak),
            number::bytes(limit)
        )
    })
}

/// Returns what became slower, the answers of a server or whole runs, if one of the build's levers could save CPU time by that.
/// Runs that shared a CPU say nothing of that, but those levers are measured alone.
fn slowness(built: &Built, measured: &Measured) -> Option<String> {
    if !built.key.runs_alone() {
        return None;
    }
    let mut beside = service::compare(&measured.experiment);
    if beside.is_empty() {
        let mut workloads = measured.comparison.workloads.iter();
        return workloads.find_map(longer_run);
    }
    beside.retain(|beside| beside.quantity.is_of_answers());
    let sentence = service::regressions(&beside).into_iter().next()?;
    Some(sentence.trim_end_matches('.').to_owned())
}

/// Returns by how much a workload's runs take longer, if that is proven and worth saying.
fn longer_run(result: &WorkloadResult) -> Option<String> {
    let by = 1.0 / result.wall.ratio - 1.0;
    let is_longer = result.wall.high < 1.0 && by >= service::WORTH_SAYING;
    is_longer.then(|| format!("{} takes {:.1} % longer", result.workload, by * 100.0))
}

/// Makes a rung that was measured; its outcome is set when its step is done.
pub(crate) fn measured(variant: &Variant, built: &Built, comparison: Comparison) -> Rung {
    Rung {
        comparison: Some(comparison),
        ..of_build(variant, built, Outcome::NotProven)
    }
}

fn of_build(variant: &Variant, built: &Built, outcome: Outcome) -> Rung {
    Rung {
        build_s: built.build_s,
        file_bytes: Some(built.file_bytes),
        loaded_bytes: built.loaded_bytes,
        text_bytes: Some(built.text_bytes),
        flags: flags(built),
        ..unbuilt(variant, outcome)
    }
}

/// The flags of a build, in the report's form.
pub(crate) fn flags(built: &Built) -> Flags {
    Flags {
        compile: built
            .flags
            .compile
            .iter()
            .chain(&built.flags.compile_program)
            .cloned()
            .collect(),
        link: built
            .flags
            .link
            .iter()
            .chain(&built.flags.link_program)
            .cloned()
            .collect(),
        env: built.flags.run_env.clone().into_iter().collect(),
        post_link: built.post_link.clone(),
    }
}

fn title(variant: &Variant) -> String {
    variant
        .top()
        .map_or("Baseline".into(), |lever| lever.title.into())
}

fn ids(variant: &Variant) -> Vec<String> {
    variant.lever_ids().into_iter().map(Into::into).collect()
}
