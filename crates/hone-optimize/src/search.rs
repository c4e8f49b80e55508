//! Tries neighbours of the winner after the ladder, as long as the budget lasts.

use std::time::{Duration, Instant};

use anyhow::Result;
use hone_build::lever::{self, Lever, Offer, Step};
use hone_build::search::{Move, moves};
use hone_build::{Bundle, PlanOptions, ProfileSource, Variant, plan};
use hone_report::model::{Outcome, Rung};

use super::climb::{Climb, build_all, count_indirect_calls, forbidden_by_binary};
use super::measure::compare;
use super::{Run, enough, rung};

/// Maximum number of neighbours that a report names as what to try next.
const NAMED_NEXT: usize = 5;

/// Tries neighbours of the best variant, going on from each neighbour that is proven better, until none is left or
/// the time is up.
pub(super) fn search(
    run: &mut Run,
    climb: &mut Climb,
    options: PlanOptions,
    until: Instant,
) -> Result<()> {
    let candidates = candidates(run, options);
    let mut longest = Duration::ZERO;
    loop {
        let tried = |variant: &Variant| climb.rungs.iter().any(|rung| has_levers(rung, variant));
        let open = moves(&climb.best.0, &candidates)
            .into_iter()
            .filter(|step| {
                let applied = step.apply(&climb.best.0);
                applied.is_some_and(|variant| !tried(&variant) && !variant.levers.is_empty())
            });
        let open: Vec<_> = open.collect();
        let Some(step) = open.first() else {
            run.remark("The search ended because no neighbour of the winner was left to try.");
            return Ok(());
        };
        if Instant::now() + longest > until {
            let next: Vec<_> = open.iter().take(NAMED_NEXT).map(Move::title).collect();
            run.remark(format!(
                "The budget ended the search with {} neighbours of the winner untried; with more time it \
                 would go on with: {}.",
                open.len(),
                next.join(", ")
            ));
            return Ok(());
        }
        let began = Instant::now();
        try_move(run, climb, step)?;
        longest = longest.max(began.elapsed());
    }
}

/// True if levers of a step change which calls are made through pointers.
fn changes_calls(step: Step) -> bool {
    match step {
        Step::Level | Step::WholeProgram | Step::CallSizes => true,
        Step::Profile | Step::Refinement | Step::Dependency => true,
        Step::Compiler | Step::Allocator | Step::Target | Step::Linkage | Step::PostLink => false,
    }
}

/// True if a rung has the levers of a variant, in any order.
fn has_levers(rung: &Rung, variant: &Variant) -> bool {
    let ids = variant.lever_ids();
    rung.levers.len() == ids.len() && rung.levers.iter().all(|id| ids.contains(&id.as_str()))
}

/// Levers that the search may use: those of the ladder, all that need no request if hone.toml names none, and rebuilt
/// libraries.
fn candidates(run: &Run, options: PlanOptions) -> Vec<&'static Lever> {
    let all = lever::ALL.iter().copied();
    let rungs = plan::rungs(&run.project, options);
    let offered = |lever: &&'static Lever| {
        let on_ladder = rungs.iter().any(|levers| levers.levers().contains(lever));
        let is_free = lever.offer == Offer::Extra && run.project.named.is_none();
        (on_ladder || is_free) && lever.flags_for(options.toolchain).is_some()
    };
    let missing = |need| super::missing::missing(&run.tools, need);
    let rebuilt = run.project.dependencies.iter().map(|[_, rebuilt]| *rebuilt);
    let rebuilt = rebuilt.filter(|lever| lever.flags_for(options.toolchain).is_some());
    all.filter(offered)
        .chain(rebuilt)
        .filter(|lever| plan::skip_reason(&Bundle::of(lever), options, &missing).is_none())
        .filter(|lever| forbidden_by_binary(run, lever).is_none())
        .collect()
}

fn try_move(run: &mut Run, climb: &mut Climb, step: &Move) -> Result<()> {
    let Some(variant) = step.apply(&climb.best.0) else {
        return Ok(());
    };
    let title = step.title();
    run.progress
        .phase(&format!("search: {title}: building {}", variant.id()));
    let other_library = step.coming().is_some_and(|lever| lever.rebuilds.is_some());
    let changed = [step.coming(), step.going()].into_iter().flatten();
    let other_source = || {
        changed
            .clone()
            .any(|lever| lever.profile == ProfileSource::CallSizes)
    };
    let profiles = run.inputs.profiles.clone();
    if other_library || other_source() {
        // The profiles of levers above are of other code.
        run.inputs.profiles.clear();
    }
    let measured = build_all(run, &variant).and_then(|built| {
        run.progress.phase(&format!(
            "search: {title}: measuring against the best so far"
        ));
        let best = climb.best.1.clone();
        let name = format!("{}-against-{}", variant.id(), best.name);
        Ok((compare(run, &name, &best, &built)?, built))
    });
    let (measured, built) = match measured {
        Ok(measured) => measured,
        Err(error) => {
            run.inputs.profiles = profiles;
            let failed = rung::failed(run, &variant, &error)?;
            climb.rungs.push(Rung { title, ..failed });
            return Ok(());
        }
    };
    run.progress.comparison(&measured.comparison);
    let outcome = rung::outcome(measured.comparison.verdict);
    let is_better = outcome == Outcome::Kept;
    climb.rungs.push(Rung {
        title,
        outcome,
        profile: enough::of(run, &variant),
        ..rung::measured(&variant, &built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    if !is_better {
        run.inputs.profiles = profiles;
        return Ok(());
    }
    let before = std::mem::replace(&mut climb.best, (variant.clone(), built));
    if changed.into_iter().any(|lever| changes_calls(lever.step)) {
        count_indirect_calls(run, climb, &[before.0, variant])?;
    }
    Ok(())
}
