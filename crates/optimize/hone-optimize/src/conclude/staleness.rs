//! Measures how long a profile keeps: the winner's flags and profile, tried on the source of the previous release.
//!
//! A profile is used on sources that have changed since it was made: the profile of today's release on the next release.
//! The reverse can be measured today.

use anyhow::Result;
use hone_build::{BuildKey, ProfileSource, Step};
use hone_measure::Comparison;
use hone_report::note::WinnerNote;

use crate::build::{Order, bolt, build};
use crate::ladder::Climb;
use crate::measure::{Measured, compare};
use crate::run::Run;
use hone_files::advice::in_one_sentence;

/// Builds the previous release as its user would and with the winner's flags and profile, measures one build against
/// the other, and reports the result. A previous release that does not build is no failure of the run.
pub(crate) fn tell(run: &mut Run, climb: &mut Climb, confirmation: &Comparison) -> Result<()> {
    if run.previous.is_none() {
        return Ok(());
    }
    let mut levers = climb.best.variant.levers.iter();
    if !levers.any(|lever| lever.profile != ProfileSource::None && lever.step != Step::PostLink) {
        run.tell(WinnerNote::NothingForPrevious);
        return Ok(());
    }
    run.progress
        .phase("the winner's profile on the previous release");
    match measured(run, climb) {
        Ok(measured) => {
            run.progress.comparison(&measured.comparison);
            run.tell(WinnerNote::Previous {
                then: measured.comparison.overall,
                today: confirmation.overall,
                without_bolt: climb.best.built.bolted_from.is_some(),
            });
            climb.raw.push(measured.experiment);
        }
        Err(error) => {
            run.check_interrupted()?;
            run.tell(WinnerNote::PreviousUnknown(in_one_sentence(&error)));
        }
    }
    Ok(())
}

/// Measures without BOLT, whose profile is of addresses: those of another release are different.
fn measured(run: &mut Run, climb: &Climb) -> Result<Measured> {
    let winner = bolt::input(run, &climb.best.built);
    let plain = Order {
        key: BuildKey::baseline().of_previous_release(),
        flags: climb.baseline.flags.clone(),
    };
    let with_profile = Order {
        key: winner.key.of_previous_release(),
        flags: winner.flags.clone(),
    };
    with_previous(run, |run| {
        let (old, new) = (build(run, &plain)?, build(run, &with_profile)?);
        compare(run, "previous-release", &old, &new)
    })
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
