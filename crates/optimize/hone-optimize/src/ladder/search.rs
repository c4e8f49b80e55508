//! Tries neighbours of the winner after the ladder, as long as the budget lasts.

use std::time::Duration;

use anyhow::Result;
use hone_build::lever::{Lever, Step};
use hone_build::search::{Move, moves};
use hone_build::{ProfileSource, Variant};
use hone_report::model::{Outcome, Rung};
use hone_report::note::GainNote;

use crate::ladder::climb::count_indirect_calls;
use crate::ladder::{Climb, Effects, rung};
use crate::workspace::state::Profiles;

/// Maximum number of neighbours that a report names as what to try next.
const NAMED_NEXT: usize = 5;

/// Tries neighbours of the best variant, going on from each neighbour that is proven better, until none is left or the time
/// since the work began is up.
pub(crate) fn search(
    effects: &mut dyn Effects,
    climb: &mut Climb,
    candidates: &[&'static Lever],
    until: Duration,
) -> Result<()> {
    let mut longest = Duration::ZERO;
    loop {
        let open = untried(climb, candidates);
        let Some(step) = open.first() else {
            effects.tell(GainNote::SearchedAll.into());
            return Ok(());
        };
        let began = effects.elapsed();
        if began + longest > until {
            let next = open.iter().take(NAMED_NEXT).map(Move::title);
            let note = GainNote::BudgetSpent {
                untried: open.len(),
                next: next.collect(),
            };
            effects.tell(note.into());
            return Ok(());
        }
        try_move(effects, climb, step)?;
        longest = longest.max(effects.elapsed().saturating_sub(began));
    }
}

/// Lists the neighbours of the best variant that no rung has tried.
fn untried(climb: &Climb, candidates: &[&'static Lever]) -> Vec<Move> {
    let best = &climb.best.variant;
    let is_tried = |variant: &Variant| climb.rungs.iter().any(|rung| has_levers(rung, variant));
    let is_open = |step: &Move| {
        let applied = step.apply(best);
        applied.is_some_and(|variant| !is_tried(&variant) && !variant.levers.is_empty())
    };
    moves(best, candidates)
        .into_iter()
        .filter(is_open)
        .collect()
}

/// True if levers of a step change which calls are made through pointers.
fn changes_calls(step: Step) -> bool {
    match step {
        Step::Level | Step::WholeProgram | Step::CallSizes => true,
        Step::Profile | Step::Refinement | Step::Dependency => true,
        Step::Compiler | Step::Allocator | Step::Target | Step::Linkage => false,
        Step::Dispatch | Step::PostLink | Step::Collector | Step::Threads => false,
    }
}

/// True if a rung has the levers of a variant, in any order.
fn has_levers(rung: &Rung, variant: &Variant) -> bool {
    let ids = variant.lever_ids();
    rung.levers.len() == ids.len() && rung.levers.iter().all(|id| ids.contains(&id.as_str()))
}

fn try_move(effects: &mut dyn Effects, climb: &mut Climb, step: &Move) -> Result<()> {
    let best = climb.best.clone();
    let Some(variant) = step.apply(&best.variant) else {
        return Ok(());
    };
    let title = step.title();
    let phase = format!("search: {title}: building {}", variant.id());
    effects.progress().phase(&phase);
    let changed = [step.coming(), step.going()].into_iter().flatten();
    let other_library = step.coming().is_some_and(|lever| lever.rebuilds.is_some());
    let other_source = changed
        .clone()
        .any(|lever| lever.profile == ProfileSource::CallSizes);
    // The profiles of levers above are of other code if it comes from another source.
    let known = match other_library || other_source {
        true => Profiles::new(),
        false => best.profiles.clone(),
    };
    let measured = effects.build_anew(&variant, &known).and_then(|version| {
        let phase = format!("search: {title}: measuring against the best so far");
        effects.progress().phase(&phase);
        let name = format!("{}-against-{}", variant.id(), best.built.key);
        let measured = effects.measure(&name, &best.built, &version.built)?;
        Ok((measured, version))
    });
    let (measured, version) = match measured {
        Ok(measured) => measured,
        Err(error) => {
            let failed = rung::failed(effects, &variant, &error)?;
            climb.rungs.push(Rung { title, ..failed });
            return Ok(());
        }
    };
    effects.progress().comparison(&measured.comparison);
    let rejected = rung::rejected(effects, &version.built, &measured);
    let outcome = rejected.unwrap_or_else(|| rung::outcome(measured.comparison.verdict));
    let is_better = outcome == Outcome::Kept;
    climb.rungs.push(Rung {
        title,
        outcome,
        profile: effects.judgement(&version),
        ..rung::measured(&variant, &version.built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    if is_better {
        climb.best = version.clone();
        let mut levers = changed;
        if levers.any(|lever| changes_calls(lever.step)) {
            count_indirect_calls(effects, climb, &[best, version])?;
        }
    }
    Ok(())
}
