//! Climbs the ladder: step by step, each rung measured against the one below, kept only if it is proven.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use hone_build::calls;
use hone_build::lever::Reach;
use hone_build::plan::RungPlan;
use hone_build::wrapper::plain_name;
use hone_build::{
    Bundle, Judgement, Lever, Plan, ProfileSource, Step, Toolchain, Variant, choose,
    variant::Purpose,
};
use hone_measure::{Comparison, Experiment, Verdict};
use hone_report::model::{Outcome, Rung};

use super::build::{Order, build};
use super::measure::{self, compare};
use super::workspace::{BASELINE, Built};
use super::{Run, bolt, duets, enough, power, profile, rung, stops, time, unoptimised};

/// Size of a huge page on x86-64.
const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// State of the climb.
pub(super) struct Climb {
    /// The best proven variant and its build.
    pub(super) best: (Variant, Built),
    /// The baseline's build.
    pub(super) baseline: Built,
    /// Rungs of the report, the baseline first.
    pub(super) rungs: Vec<Rung>,
    /// Raw numbers of every experiment.
    pub(super) raw: Vec<Experiment>,
    /// Comparison of the baseline with itself.
    pub(super) self_check: Comparison,
}

/// Builds the baseline as the user does, and measures it against itself.
pub(super) fn start(run: &mut Run, plan: &Plan) -> Result<Climb> {
    run.progress.phase("baseline: building as you do");
    let order = Order {
        name: BASELINE.into(),
        flags: run.baseline().flags(Purpose::Baseline, &run.inputs),
        purpose: Purpose::Baseline,
        layout_seed: None,
    };
    let baseline = build(run, &order)?;
    unoptimised::warn(run, &baseline);
    let compiler = other_compiler(run);
    run.inputs.takes_own_objects = compiler.is_none();
    if run.workspace.state.blocks.is_none() {
        stops::try_once(run, &baseline, plan)?;
        run.progress
            .phase("baseline: one pilot run of each workload");
        let block_s = measure::pilot(run, &baseline)?;
        time::tell(run, plan, block_s);
    }
    run.progress.begin_ladder(time::rungs(plan));
    run.progress
        .phase("baseline against itself, to see this machine's noise");
    let itself = std::slice::from_ref(&baseline);
    let measured = duets::self_check(run, itself)?;
    run.progress.comparison(&measured.comparison);
    power::tell(run, &measured.experiment);
    let mut climb = Climb {
        best: (run.baseline(), baseline.clone()),
        rungs: vec![rung::baseline(&baseline)],
        baseline,
        raw: vec![measured.experiment],
        self_check: measured.comparison,
    };
    if let Some(compiler) = compiler {
        change_compiler(run, &mut climb, &compiler)?;
    }
    Ok(climb)
}

/// Adds a rung for nothing but clang in place of the user's compiler, since the levers are clang's: without this rung, the
/// first lever's figure would hold the change of compiler too. All levers build on this rung, whatever its figure.
fn change_compiler(run: &mut Run, climb: &mut Climb, compiler: &str) -> Result<()> {
    let variant = run.baseline();
    let title = format!("clang instead of {compiler}");
    run.note(format!(
        "Your build compiles with {compiler}. The levers are clang's, so all rungs are built with clang and \
         stand on the rung \"{title}\", whatever that gave; only the winner is measured against your own build."
    ));
    run.progress.phase(&format!("{title}: building"));
    let id = profile::name_of(&variant);
    let built = match profile::measurable(run, &variant) {
        Ok(built) => built,
        Err(error) => {
            let failed = Rung {
                id,
                title,
                ..rung::failed(run, &variant, &error)?
            };
            climb.rungs.push(failed);
            return Ok(());
        }
    };
    run.progress
        .phase(&format!("{title}: measuring against baseline"));
    let baseline = climb.baseline.clone();
    let measured = compare(run, &id, &baseline, &built)?;
    run.progress.comparison(&measured.comparison);
    climb.rungs.push(Rung {
        id,
        title,
        outcome: rung::outcome(measured.comparison.verdict),
        ..rung::measured(&variant, &built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    climb.best = (variant, built);
    Ok(())
}

/// Returns the compiler of the baseline, if the levers are clang's and that compiler is not clang.
fn other_compiler(run: &Run) -> Option<String> {
    if run.toolchain != Toolchain::Clang {
        return None;
    }
    let log = run.workspace.path(format!("logs/{BASELINE}.calls.log"));
    let log = fs::read_to_string(log).ok()?;
    let real = calls::programs(&log).filter_map(|path| fs::canonicalize(path).ok());
    let names = real.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut others = names.filter(|name| !plain_name(name).starts_with("clang"));
    others.next()
}

/// Tries all alternatives of one step and keeps the best proven alternative.
pub(super) fn step(run: &mut Run, climb: &mut Climb, step: Step, plans: &[RungPlan]) -> Result<()> {
    let below = climb.best.clone();
    let first = climb.rungs.len();
    let mut tried = Vec::new();
    // Alternatives share levers, but the profiles of these levers differ.
    let profiles_below = run.inputs.profiles.clone();
    for plan in plans {
        run.inputs.profiles = profiles_below.clone();
        let variant = below.0.with_all(&plan.levers);
        match try_rung(run, climb, &below.0, plan) {
            Ok(Some((built, judgement))) => tried.push(Alternative {
                variant,
                built,
                judgement,
                profiles: run.inputs.profiles.clone(),
            }),
            Ok(None) => {}
            Err(error) => {
                let failed = rung::failed(run, &variant, &error)?;
                let title = plan.levers.title();
                climb.rungs.push(Rung { title, ..failed });
            }
        }
    }
    let chosen = choose(tried.iter().map(|one| &one.judgement));
    let is_chosen = |one: &&Alternative| Some(&one.judgement.bundle) == chosen;
    let kept = tried.iter().find(is_chosen);
    if let Some(kept) = kept {
        climb.best = (kept.variant.clone(), kept.built.clone());
    }
    run.inputs.profiles = kept.map_or(profiles_below, |kept| kept.profiles.clone());
    debug_assert_eq!(climb.rungs.len() - first, plans.len());
    settle(&mut climb.rungs[first..], plans, chosen);
    if step == Step::Profile {
        let above = tried.iter().map(|one| &one.variant);
        let counted = above_and_below(&below.0, above, kept.map(|kept| &kept.variant));
        count_indirect_calls(run, climb, &counted)?;
    }
    Ok(())
}

/// One alternative of a step that was built and measured.
struct Alternative {
    variant: Variant,
    built: Built,
    judgement: Judgement,
    /// Profiles that the build used, by lever id.
    profiles: BTreeMap<&'static str, PathBuf>,
}

/// Selects the variants whose indirect calls are compared: the rung below, the winner, and the variant with branch records
/// even if it was beaten, since speculative devirtualisation comes from branch records.
fn above_and_below<'a>(
    below: &'a Variant,
    above: impl Iterator<Item = &'a Variant>,
    kept: Option<&Variant>,
) -> Vec<Variant> {
    let is_counted = |variant: &&Variant| {
        let top = variant.top().map(|lever| lever.profile);
        kept == Some(variant) || top == Some(ProfileSource::BranchRecords)
    };
    let above = above.filter(is_counted);
    [below].into_iter().chain(above).cloned().collect()
}

/// Builds and measures one rung; `None` if it is skipped.
fn try_rung(
    run: &mut Run,
    climb: &mut Climb,
    below: &Variant,
    plan: &RungPlan,
) -> Result<Option<(Built, Judgement)>> {
    let levers = &plan.levers;
    let title = levers.title();
    let variant = below.with_all(levers);
    let skip = plan
        .skip
        .clone()
        .or_else(|| same_as_another(climb, &variant));
    let skip = skip.or_else(|| refusal(run, below, levers));
    if let Some(reason) = skip {
        run.progress.phase(&format!("{title}: skipped, {reason}"));
        let skipped = rung::unbuilt(&variant, Outcome::Skipped { reason });
        climb.rungs.push(Rung { title, ..skipped });
        return Ok(None);
    }
    run.progress.next_rung();
    for lever in levers.levers() {
        rung::predict(run, lever, &climb.best.1.clone())?;
    }
    run.progress
        .phase(&format!("{title}: building {}", variant.id()));
    let built = build_rung(run, below, &below.lacks(levers))?;
    run.progress
        .phase(&format!("{title}: measuring against {}", climb.best.1.name));
    let old = climb.best.1.clone();
    let measured = compare(run, &variant.id(), &old, &built)?;
    run.progress.comparison(&measured.comparison);
    let judgement = Judgement {
        bundle: levers.clone(),
        proven: measured.comparison.verdict == Verdict::Faster,
        gain: measured.comparison.overall.ratio,
    };
    climb.rungs.push(Rung {
        title,
        profile: enough::of(run, &variant),
        ..rung::measured(&variant, &built, measured.comparison)
    });
    climb.raw.push(measured.experiment);
    Ok(Some((built, judgement)))
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
fn refusal(run: &Run, below: &Variant, levers: &Bundle) -> Option<String> {
    let hindered = |lever: &'static Lever| {
        too_little_code(run, lever).or_else(|| forbidden_by_binary(run, lever))
    };
    let lacking = below.lacks(levers);
    let mut each = lacking.iter();
    below
        .refuses_any(levers)
        .or_else(|| each.find_map(|lever| hindered(lever)))
}

/// Returns the reason why huge pages cannot help: the code is smaller than one page.
fn too_little_code(run: &Run, lever: &Lever) -> Option<String> {
    let baseline = run.workspace.state.built.get(BASELINE)?;
    let is_little = lever.reach == Reach::HugePages && baseline.text_bytes < HUGE_PAGE_BYTES;
    is_little.then(|| {
        format!(
            "the program's {} KiB of code fill no huge page of 2 MiB",
            baseline.text_bytes / 1024
        )
    })
}

/// Returns the reason in the baseline's binary that forbids a lever, as a clause: a library that the binary needs, or
/// functions that it takes from libraries.
pub(super) fn forbidden_by_binary(run: &Run, lever: &'static Lever) -> Option<String> {
    if lever.forbidden_imports.is_empty() && lever.only_libraries.is_empty() {
        return None;
    }
    let binary = run.workspace.tree(BASELINE).join(&run.project.binary);
    let bytes = fs::read(binary).ok()?;
    let needed = hone_symbols::needed_libraries(&bytes).unwrap_or_default();
    let is_known = |file: &&String| {
        lever
            .only_libraries
            .iter()
            .any(|known| file.starts_with(known))
    };
    let mut others = needed.iter().filter(|file| !is_known(file));
    if let Some(other) = others.next().filter(|_| !lever.only_libraries.is_empty()) {
        return Some(match other.contains("c++") {
            true => "the program is in C++, and there is no C++ library for it".into(),
            false => format!("the program needs {other}, which was built for another C library"),
        });
    }
    let imports = hone_symbols::imported_symbols(&bytes).unwrap_or_default();
    lever.forbidden_imports.iter().find_map(|forbidden| {
        let used = forbidden.names.iter().filter(|name| imports.contains(name));
        let used: Vec<_> = used.copied().collect();
        (!used.is_empty())
            .then(|| format!("the program uses {}, {}", used.join(", "), forbidden.why))
    })
}

fn build_rung(run: &mut Run, below: &Variant, levers: &[&'static Lever]) -> Result<Built> {
    let Some((top, lower)) = levers.split_last() else {
        return profile::measurable(run, below);
    };
    let below = &prepare_all(run, below, lower)?;
    if !top.bolt.is_empty() {
        return bolt::build_on(run, below, top);
    }
    if top.rebuilds.is_some_and(|rebuild| rebuild.with_levers) {
        // Earlier profiles hold nothing about the library's code.
        run.inputs.profiles.clear();
        return build_all(run, &below.with(top));
    }
    profile::prepare(run, below, top)?;
    profile::measurable(run, &below.with(top))
}

/// Makes the profiles of levers, each on top of the levers before it; returns the variant with all of them. Profiles that
/// were made before are used again.
fn prepare_all(run: &mut Run, below: &Variant, levers: &[&'static Lever]) -> Result<Variant> {
    let mut base = below.clone();
    for lever in levers {
        profile::prepare(run, &base, lever)?;
        base = base.with(lever);
    }
    Ok(base)
}

/// Builds a variant from its first lever to its last, with the profiles that were made on the way up, if there are any.
/// Profiles are made of builds with all dependencies of the variant.
pub(super) fn build_all(run: &mut Run, variant: &Variant) -> Result<Built> {
    let levers = variant.levers.iter().copied();
    let dependencies = levers.filter(|lever| lever.step == Step::Dependency);
    let mut base = dependencies.fold(run.baseline(), |base, lever| base.with(lever));
    for &lever in &variant.levers {
        if lever.step == Step::PostLink {
            // The profile of a post-link lever fits this build alone.
            return build_rung(run, &variant.without(lever.id), &[lever]);
        }
        if lever.step == Step::Dependency {
            continue;
        }
        if !run.inputs.profiles.contains_key(lever.id) {
            profile::prepare(run, &base, lever)?;
        }
        base = base.with(lever);
    }
    profile::measurable(run, variant)
}

/// Sets the outcome of every measured rung of a step, now that the step's winner is known.
fn settle(rungs: &mut [Rung], plans: &[RungPlan], chosen: Option<&Bundle>) {
    for (rung, levers) in rungs.iter_mut().zip(plans.iter().map(|plan| &plan.levers)) {
        let Some(comparison) = &rung.comparison else {
            continue;
        };
        rung.outcome = match (comparison.verdict, chosen) {
            _ if levers.is_reference() => Outcome::Reference,
            (Verdict::Faster, Some(better)) if levers != better => {
                Outcome::Beaten { by: better.title() }
            }
            (verdict, _) => rung::outcome(verdict),
        };
    }
}

/// Counts the indirect calls that variants execute, in branch records of each. A failure costs the figure, not the
/// run.
pub(super) fn count_indirect_calls(
    run: &mut Run,
    climb: &mut Climb,
    variants: &[Variant],
) -> Result<()> {
    for variant in variants {
        let name = profile::name_of(variant);
        let known = run.workspace.state.built.get(&name).cloned();
        // A count after a change says nothing without the count before it.
        let built = match known {
            None if variants.len() == 1 => continue,
            Some(built) => Ok(built),
            None => profile::recordable(run, variant),
        };
        match built.and_then(|built| rung::indirect_calls(run, &built)) {
            Ok(counted) => {
                // If there is no rung for the change of compiler, the baseline gets the figure of its build with debug
                // information.
                let of_rung = |id: &str| climb.rungs.iter().position(|rung| rung.id == id);
                if let Some(index) = of_rung(&name).or_else(|| of_rung(&variant.id())) {
                    climb.rungs[index].indirect_calls = Some(counted);
                }
            }
            Err(error) => {
                run.check_interrupted()?;
                run.note(format!(
                    "The indirect calls of {name} were not counted: {error:#}."
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_build::lever::by_id;

    #[test]
    fn indirect_calls_are_counted_for_a_beaten_autofdo_too() {
        let below = Variant::default();
        let lever = |id: &'static str| by_id(id).unwrap();
        let above = ["autofdo-ip", "autofdo", "pgo"].map(|id| below.with(lever(id)));
        let ids = |chosen: Option<&'static str>| {
            let kept = chosen.map(|id| below.with(lever(id)));
            let counted = above_and_below(&below, above.iter(), kept.as_ref());
            counted.iter().map(Variant::id).collect::<Vec<_>>()
        };
        assert_eq!(ids(Some("pgo")), ["baseline", "autofdo", "pgo"]);
        assert_eq!(ids(Some("autofdo")), ["baseline", "autofdo"]);
        assert_eq!(ids(None), ["baseline", "autofdo"]);
    }
}
