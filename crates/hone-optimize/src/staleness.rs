//! Measures how long a profile keeps: the winner's flags and profile, tried on the source of the previous release.
//!
//! A profile is used on sources that have changed since it was made: the profile of today's release on the next release.
//! The reverse can be measured today.

use anyhow::Result;
use hone_build::{ProfileSource, Step, VariantFlags, variant::Purpose};
use hone_measure::Comparison;
use hone_report::number;

use super::build::{Order, build};
use super::climb::Climb;
use super::measure::{Measured, compare};
use super::workspace::Built;
use super::{Run, bolt};
use hone_run::advice::in_one_sentence;

/// Builds the previous release as its user would and with the winner's flags and profile, measures one build against
/// the other, and reports the result. A previous release that does not build is no failure of the run.
pub(super) fn tell(run: &mut Run, climb: &mut Climb, confirmation: &Comparison) -> Result<()> {
    if run.previous.is_none() {
        return Ok(());
    }
    let mut levers = climb.best.0.levers.iter();
    if !levers.any(|lever| lever.profile != ProfileSource::None && lever.step != Step::PostLink) {
        run.remark(
            "The winner uses no profile, so there was nothing to try on the previous release.",
        );
        return Ok(());
    }
    run.progress
        .phase("the winner's profile on the previous release");
    match measured(run, climb) {
        Ok(measured) => {
            run.progress.comparison(&measured.comparison);
            run.remark(sentence(&measured.comparison, confirmation, &climb.best.1));
            climb.raw.push(measured.experiment);
        }
        Err(error) => {
            run.check_interrupted()?;
            run.remark(format!(
                "The winner's profile could not be tried on the previous release: {}",
                in_one_sentence(&error)
            ));
        }
    }
    Ok(())
}

/// Measures without BOLT, whose profile is of addresses: those of another release are different.
fn measured(run: &mut Run, climb: &Climb) -> Result<Measured> {
    let winner = bolt::input(run, &climb.best.1);
    let plain = order(
        "previous-baseline",
        &climb.baseline.flags,
        Purpose::Baseline,
    );
    let with_profile = order("previous-winner", &winner.flags, Purpose::Use);
    with_previous(run, |run| {
        let (old, new) = (build(run, &plain)?, build(run, &with_profile)?);
        compare(run, "previous-release", &old, &new)
    })
}

fn order(name: &str, flags: &VariantFlags, purpose: Purpose) -> Order {
    Order {
        name: name.into(),
        flags: flags.clone(),
        purpose,
        layout_seed: None,
    }
}

/// Does some work with the previous release as the source. Its output may differ from the output of today's release.
fn with_previous<T>(run: &mut Run, work: impl FnOnce(&mut Run) -> Result<T>) -> Result<T> {
    let Some(previous) = run.previous.take() else {
        anyhow::bail!("there is no previous release");
    };
    let today = std::mem::replace(&mut run.source, previous);
    let outputs = std::mem::take(&mut run.workspace.state.outputs);
    let outcome = work(run);
    run.previous = Some(std::mem::replace(&mut run.source, today));
    run.workspace.state.outputs = outputs;
    run.workspace.save()?;
    outcome
}

fn sentence(previous: &Comparison, today: &Comparison, winner: &Built) -> String {
    let gain = |comparison: &Comparison| {
        let gain = &comparison.overall;
        let digits = number::decimals([gain]);
        format!(
            "{} {}",
            number::gain(gain.ratio, digits),
            number::bracket(gain, digits)
        )
    };
    let without_bolt = match winner.bolted_from {
        Some(_) => " (without BOLT)",
        None => "",
    };
    format!(
        "On the source of the previous release the winner's flags and profile{without_bolt} give {}, where on today's they \
         give {}: so well does a profile keep from one release to the next.",
        gain(previous),
        gain(today)
    )
}
