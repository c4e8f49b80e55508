//! Climbs the ladder: step by step, each rung measured against the one below, kept only if it is proven.

use std::fs;

use anyhow::Result;
use hone_build::plan::RungPlan;
use hone_build::wrapper::plain_name;
use hone_build::{Judgement, Lever, ProfileSource, Step, Variant, choose, variant::Purpose};
use hone_measure::{Comparison, Experiment, Verdict};
use hone_report::model::{Outcome, Rung};

use super::build::{Order, build};
use super::measure::{self, compare};
use super::workspace::Built;
use super::{Run, bolt, profile, rung};

/// Where the climb has come to.
pub(super) struct Climb {
    /// The best proven variant and its build.
    pub(super) best: (Variant, Built),
    /// The baseline's build.
    pub(super) baseline: Built,
    /// What the report says of each rung, the baseline first.
    pub(super) rungs: Vec<Rung>,
    /// Raw numbers of every experiment.
    pub(super) raw: Vec<Experiment>,
    /// The baseline against itself.
    pub(super) self_check: Comparison,
}

/// Builds the baseline as the user does, and measures it against itself.
pub(super) fn start(run: &mut Run) -> Result<Climb> {
    run.say.phase("baseline: building as you do");
    let order = Order {
        name: "baseline".into(),
        flags: Variant::default().flags(Purpose::Baseline, &run.inputs),
        purpose: Purpose::Baseline,
    };
    let baseline = build(run, &order)?;
    if let Some(compiler) = other_compiler(run) {
        run.note(format!(
            "Your build compiles with {compiler}. The levers are clang's, so their builds use clang instead, \
             and the first rung's figure holds the change of compiler too."
        ));
    }
    if run.workspace.state.blocks.is_none() {
        run.say.phase("baseline: one pilot run of each workload");
        measure::pilot(run, &baseline)?;
    }
    run.say
        .phase("baseline against itself, to see this machine's noise");
    let measured = compare(run, "self-check", &baseline, &baseline)?;
    run.say.comparison(&measured.comparison);
    Ok(Climb {
        best: (Variant::default(), baseline.clone()),
        rungs: vec![rung::baseline(&baseline)],
        baseline,
        raw: vec![measured.experiment],
        self_check: measured.comparison,
    })
}

/// The compiler of the baseline, if it is not clang.
fn other_compiler(run: &Run) -> Option<String> {
    let log = fs::read_to_string(run.workspace.path("logs/baseline.calls.log")).ok()?;
    let programs = log
        .lines()
        .filter_map(|line| line.split(" -> ").nth(1)?.split(' ').next());
    let real = programs.filter_map(|path| fs::canonicalize(path).ok());
    let names = real.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut others = names.filter(|name| !plain_name(name).starts_with("clang"));
    others.next()
}

/// Tries all alternatives of one step and stands on the best that is proven.
pub(super) fn step(run: &mut Run, climb: &mut Climb, step: Step, plans: &[RungPlan]) -> Result<()> {
    let below = climb.best.clone();
    let first = climb.rungs.len();
    let mut judgements = Vec::new();
    let mut built = Vec::new();
    for plan in plans {
        let variant = below.0.with(plan.lever);
        match try_rung(run, climb, &below.0, plan) {
            Ok(Some((build, judgement))) => {
                judgements.push(judgement);
                built.push((variant, build));
            }
            Ok(None) => {}
            Err(error) => {
                run.check_interrupted()?;
                let reason = crate::advice::in_one_sentence(&error);
                run.say.line(&format!("  failed: {reason}"));
                climb
                    .rungs
                    .push(rung::unbuilt(&variant, Outcome::Failed { reason }));
            }
        }
    }
    let chosen = choose(&judgements);
    if let Some(lever) = chosen
        && let Some(best) = built
            .into_iter()
            .find(|(variant, _)| variant.top() == Some(lever))
    {
        climb.best = best;
    }
    settle(&mut climb.rungs[first..], chosen);
    if step == Step::Profile {
        count_indirect_calls(run, climb, &below.0);
    }
    Ok(())
}

/// Builds and measures one rung; `None` where it was planned to be skipped.
fn try_rung(
    run: &mut Run,
    climb: &mut Climb,
    below: &Variant,
    plan: &RungPlan,
) -> Result<Option<(Built, Judgement)>> {
    let lever = plan.lever;
    let variant = below.with(lever);
    if let Some(reason) = &plan.skip {
        run.say
            .phase(&format!("{}: skipped, {reason}", lever.title));
        climb.rungs.push(rung::unbuilt(
            &variant,
            Outcome::Skipped {
                reason: reason.clone(),
            },
        ));
        return Ok(None);
    }
    run.say
        .phase(&format!("{}: building {}", lever.title, variant.id()));
    let built = build_rung(run, below, lever)?;
    run.say.phase(&format!(
        "{}: measuring against {}",
        lever.title, climb.best.1.name
    ));
    let old = climb.best.1.clone();
    let measured = compare(run, &variant.id(), &old, &built)?;
    run.say.comparison(&measured.comparison);
    let judgement = Judgement {
        lever,
        proven: measured.comparison.verdict == Verdict::Faster,
        gain: measured.comparison.overall.ratio,
    };
    climb
        .rungs
        .push(rung::measured(&variant, &built, measured.comparison));
    climb.raw.push(measured.experiment);
    Ok(Some((built, judgement)))
}

fn build_rung(run: &mut Run, below: &Variant, lever: &'static Lever) -> Result<Built> {
    if lever.step == Step::PostLink {
        return bolt::build_on(run, below, lever);
    }
    if lever.profile != ProfileSource::None {
        profile::prepare(run, below, lever)?;
    }
    profile::recordable(run, &below.with(lever))
}

/// Gives every measured rung of a step its outcome, now that the step's winner is known.
fn settle(rungs: &mut [Rung], chosen: Option<&'static Lever>) {
    for rung in rungs {
        let Some(comparison) = &rung.comparison else {
            continue;
        };
        let top = rung.levers.last().map(String::as_str);
        let is_reference = top
            .and_then(hone_build::lever::by_id)
            .is_some_and(|lever| lever.reference_only);
        rung.outcome = match (comparison.verdict, chosen) {
            _ if is_reference => Outcome::Reference,
            (Verdict::Faster, Some(lever)) if top == Some(lever.id) => Outcome::Kept,
            (Verdict::Faster, Some(lever)) => Outcome::Beaten {
                by: lever.title.into(),
            },
            (Verdict::Slower, _) => Outcome::Slower,
            _ => Outcome::NotProven,
        };
    }
}

/// Counts the indirect calls that the binaries below and above the profile step execute, in branch
/// records of either. A failure costs the figure, not the run.
fn count_indirect_calls(run: &mut Run, climb: &mut Climb, below: &Variant) {
    let above = climb.best.0.clone();
    for variant in [below.clone(), above] {
        let name = profile::name_of(&variant);
        let Some(built) = run.workspace.state.built.get(&name).cloned() else {
            continue;
        };
        match rung::indirect_calls(run, &built) {
            Ok(counted) => {
                let mut rungs = climb.rungs.iter_mut();
                if let Some(rung) = rungs.find(|rung| rung.id == variant.id()) {
                    rung.indirect_calls = Some(counted);
                }
            }
            Err(error) => run.note(format!(
                "The indirect calls of {name} were not counted: {error:#}."
            )),
        }
    }
}
