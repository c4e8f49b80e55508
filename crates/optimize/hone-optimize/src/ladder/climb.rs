//! Climbs the ladder: step by step, each rung measured against the one below, kept only if it is proven.

use anyhow::Result;
use hone_build::plan::RungPlan;
use hone_build::{
    BuildKey, Bundle, Judgement, Plan, ProfileSource, Purpose, Step, Variant, choose,
};
use hone_measure::Verdict;
use hone_report::model::{Outcome, Rung};
use hone_report::note::{BaselineNote, BuildNote};

use crate::ladder::{Climb, Effects, rung};
use crate::version::Version;

/// Adds a rung for nothing but clang in place of the user's compiler, since the levers are clang's: without this rung, the
/// first lever's figure would hold the change of compiler too. All levers build on this rung, whatever its figure.
pub(crate) fn change_compiler(
    effects: &mut dyn Effects,
    climb: &mut Climb,
    compiler: &str,
) -> Result<()> {
    let title = format!("clang instead of {compiler}");
    let note = BaselineNote::OtherCompiler {
        compiler: compiler.into(),
        rung: title.clone(),
    };
    effects.tell(note.into());
    effects.progress().phase(&format!("{title}: building"));
    let below = climb.best.clone();
    let id = BuildKey::new(&below.variant, Purpose::Use).to_string();
    let version = match effects.build_on(&below, &[]) {
        Ok(version) => version,
        Err(error) => {
            let failed = rung::failed(effects, &below.variant, &error)?;
            climb.rungs.push(Rung {
                id,
                title,
                ..failed
            });
            return Ok(());
        }
    };
    effects
        .progress()
        .phase(&format!("{title}: measuring against baseline"));
    let measured = effects.measure(&id, &climb.baseline, &version.built)?;
    effects.progress().comparison(&measured.comparison);
    climb.rungs.push(Rung {
        id,
        title,
        outcome: rung::outcome(measured.comparison.verdict),
        ..rung::measured(&below.variant, &version.built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    climb.best = version;
    Ok(())
}

/// Tries the rungs of a plan.
pub(crate) fn climb(effects: &mut dyn Effects, climb: &mut Climb, plan: &Plan) -> Result<()> {
    for (step, rungs) in &plan.steps {
        try_step(effects, climb, *step, rungs)?;
    }
    Ok(())
}

/// Tries all alternatives of one step and keeps the best proven alternative.
fn try_step(
    effects: &mut dyn Effects,
    climb: &mut Climb,
    step: Step,
    plans: &[RungPlan],
) -> Result<()> {
    let below = climb.best.clone();
    let first = climb.rungs.len();
    let mut tried = Vec::new();
    for plan in plans {
        match try_rung(effects, climb, plan) {
            Ok(Some(alternative)) => tried.push(alternative),
            Ok(None) => {}
            Err(error) => {
                let variant = below.variant.with_all(&plan.levers);
                let failed = rung::failed(effects, &variant, &error)?;
                let title = plan.levers.title();
                climb.rungs.push(Rung { title, ..failed });
            }
        }
    }
    let chosen = choose(tried.iter().map(|(_, judgement)| judgement));
    let kept = tried
        .iter()
        .find(|(_, judgement)| Some(&judgement.bundle) == chosen);
    if let Some((kept, _)) = kept {
        climb.best = kept.clone();
    }
    debug_assert_eq!(climb.rungs.len() - first, plans.len());
    settle(&mut climb.rungs[first..], plans, chosen);
    if step == Step::Profile {
        let above = tried.iter().map(|(version, _)| version);
        let kept = kept.map(|(version, _)| &version.variant);
        let counted = above_and_below(&below, above, kept);
        count_indirect_calls(effects, climb, &counted)?;
    }
    Ok(())
}

/// Selects the versions whose indirect calls are compared: the rung below, the winner, and the version with branch records
/// even if it was beaten, since speculative devirtualisation comes from branch records.
fn above_and_below<'a>(
    below: &'a Version,
    above: impl Iterator<Item = &'a Version>,
    kept: Option<&Variant>,
) -> Vec<Version> {
    let is_counted = |version: &&Version| {
        let top = version.variant.top().map(|lever| lever.profile);
        kept == Some(&version.variant) || top == Some(ProfileSource::BranchRecords)
    };
    let above = above.filter(is_counted);
    [below].into_iter().chain(above).cloned().collect()
}

/// Builds and measures one rung; `None` if it is skipped.
fn try_rung(
    effects: &mut dyn Effects,
    climb: &mut Climb,
    plan: &RungPlan,
) -> Result<Option<(Version, Judgement)>> {
    let levers = &plan.levers;
    let title = levers.title();
    let below = climb.best.clone();
    let variant = below.variant.with_all(levers);
    let skip = plan
        .skip
        .clone()
        .or_else(|| same_as_another(climb, &variant))
        .or_else(|| refusal(effects, &below.variant, levers));
    if let Some(reason) = skip {
        let progress = effects.progress();
        progress.phase(&format!("{title}: skipped, {reason}"));
        let skipped = rung::unbuilt(&variant, Outcome::Skipped { reason });
        climb.rungs.push(Rung { title, ..skipped });
        return Ok(None);
    }
    effects.progress().next_rung();
    for lever in levers.levers() {
        effects.predict(lever, &below.built)?;
    }
    let id = variant.id();
    effects.progress().phase(&format!("{title}: building {id}"));
    let version = effects.build_on(&below, &below.variant.lacks(levers))?;
    let against = &below.built.key;
    effects
        .progress()
        .phase(&format!("{title}: measuring against {against}"));
    let measured = effects.measure(&id, &below.built, &version.built)?;
    effects.progress().comparison(&measured.comparison);
    if measured.comparison.verdict != Verdict::Faster {
        effects.tell_of_training(&below, &version)?;
    }
    let rejected = rung::rejected(effects, &version.built, &measured);
    let judgement = Judgement {
        bundle: levers.clone(),
        proven: measured.comparison.verdict == Verdict::Faster,
        rejected: rejected.is_some(),
        gain: measured.comparison.overall.ratio,
    };
    climb.rungs.push(Rung {
        title,
        profile: effects.judgement(&version),
        outcome: rejected.unwrap_or(Outcome::NotProven),
        ..rung::measured(&variant, &version.built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    Ok(Some((version, judgement)))
}

/// Returns the reason to skip a variant that equals an earlier rung, once the kept levers are added.
fn same_as_another(climb: &Climb, variant: &Variant) -> Option<String> {
    let before = climb.rungs.iter().find(|rung| rung.id == variant.id())?;
    Some(format!(
        "with what was kept it is the same as {}",
        before.title
    ))
}

/// Returns the reason why levers cannot be added to the kept levers.
fn refusal(effects: &dyn Effects, below: &Variant, levers: &Bundle) -> Option<String> {
    let lacking = below.lacks(levers);
    let mut lacking = lacking.into_iter();
    below
        .refuses_any(levers)
        .or_else(|| lacking.find_map(|lever| effects.ruled_out(lever)))
}

/// Sets the outcome of every measured rung of a step, now that the step's winner is known.
fn settle(rungs: &mut [Rung], plans: &[RungPlan], chosen: Option<&Bundle>) {
    for (rung, levers) in rungs.iter_mut().zip(plans.iter().map(|plan| &plan.levers)) {
        let Some(comparison) = &rung.comparison else {
            continue;
        };
        rung.outcome = match (comparison.verdict, chosen) {
            _ if levers.is_reference() => Outcome::Reference,
            _ if matches!(rung.outcome, Outcome::Rejected { .. }) => continue,
            (Verdict::Faster, Some(better)) if levers != better => {
                Outcome::Beaten { by: better.title() }
            }
            (verdict, _) => rung::outcome(verdict),
        };
    }
}

/// Counts the indirect calls that versions execute, in branch records of each. A failure costs the figure, not the run.
pub(crate) fn count_indirect_calls(
    effects: &mut dyn Effects,
    climb: &mut Climb,
    versions: &[Version],
) -> Result<()> {
    for version in versions {
        // A count after a change says nothing without the count before it.
        if versions.len() == 1 && !effects.is_built(&version.variant) {
            continue;
        }
        match effects.indirect_calls(&version.variant, &version.profiles) {
            Ok(counted) => {
                // If there is no rung for the change of compiler, the baseline gets the figure of its build with debug
                // information.
                let build = BuildKey::new(&version.variant, Purpose::Use).to_string();
                let of_rung = |id: &str| climb.rungs.iter().position(|rung| rung.id == id);
                if let Some(index) = of_rung(&build).or_else(|| of_rung(&version.variant.id())) {
                    climb.rungs[index].indirect_calls = Some(counted);
                }
            }
            Err(error) => {
                effects.check_interrupted()?;
                let note = BuildNote::CallsUnknown {
                    build: version.variant.id(),
                    reason: format!("{error:#}"),
                };
                effects.tell(note.into());
            }
        }
    }
    Ok(())
}
