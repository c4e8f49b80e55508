//! What the ladder decides, by a fake of its effects.

use std::collections::BTreeMap;
use std::time::Duration;

use hone_build::lever::by_id;
use hone_build::{Lever, Toolchain};
use hone_measure::Verdict;
use hone_report::model::{Outcome, Rung};

use super::fake::{Fake, plan, plan_without};
use super::{Climb, climb, confirm, search};

/// Climbs the rungs of a hone.toml's levers.
fn climbed(fake: &mut Fake, bundles: &[&str]) -> Climb {
    let mut state = fake.climb();
    climb::climb(fake, &mut state, &plan(bundles)).unwrap();
    state
}

fn searched(fake: &mut Fake, state: &mut Climb, levers: &[&str], seconds: u64) {
    let candidates: Vec<&'static Lever> = levers.iter().filter_map(|id| by_id(id)).collect();
    let until = Duration::from_secs(seconds);
    search::search(fake, state, &candidates, until).unwrap();
}

fn rung<'c>(state: &'c Climb, id: &str) -> &'c Rung {
    let mut rungs = state.rungs.iter().rev();
    let found = rungs.find(|rung| rung.id == id);
    found.unwrap_or_else(|| panic!("no rung {id}"))
}

fn reason<'c>(state: &'c Climb, id: &str) -> &'c str {
    match &rung(state, id).outcome {
        Outcome::Skipped { reason } | Outcome::Failed { reason } | Outcome::Rejected { reason } => {
            reason
        }
        outcome => panic!("{id}: {outcome:?}"),
    }
}

#[test]
fn each_rung_is_measured_against_the_best_so_far_and_kept_if_it_is_proven() {
    let mut fake = Fake::with(&[
        ("thinlto", 1.1),
        ("thinlto+gc-sections", 1.1),
        ("thinlto+bolt", 1.2),
    ]);
    let state = climbed(&mut fake, &["thinlto", "gc-sections", "bolt"]);
    assert_eq!(state.best.variant.id(), "thinlto+bolt");
    assert_eq!(rung(&state, "thinlto").outcome, Outcome::Kept);
    assert_eq!(
        rung(&state, "thinlto+gc-sections").outcome,
        Outcome::NotProven
    );
    assert_eq!(rung(&state, "thinlto+bolt").outcome, Outcome::Kept);
    let against = |id: &str| rung(&state, id).comparison.as_ref().unwrap().old.clone();
    assert_eq!(against("thinlto"), "baseline");
    assert_eq!(against("thinlto+bolt"), "thinlto");
    // One experiment for each rung, and the baseline against itself.
    assert_eq!(state.raw.len(), state.rungs.len());
}

#[test]
fn of_alternatives_the_best_is_kept_and_the_others_say_by_what_they_were_beaten() {
    let mut fake = Fake::with(&[("autofdo", 1.1), ("autofdo-probes", 1.2), ("pgo", 1.15)]);
    let state = climbed(&mut fake, &["autofdo", "autofdo-probes", "pgo"]);
    assert_eq!(state.best.variant.id(), "autofdo-probes");
    let best = by_id("autofdo-probes").unwrap().title;
    for beaten in ["autofdo", "pgo"] {
        let by = best.into();
        assert_eq!(rung(&state, beaten).outcome, Outcome::Beaten { by });
    }
    // The version that was kept brings its own profile.
    let profiles: Vec<_> = state.best.profiles.keys().copied().collect();
    assert_eq!(profiles, ["autofdo-probes"]);
}

#[test]
fn what_is_slower_or_not_proven_is_not_kept() {
    let mut fake = Fake::with(&[("thinlto", 0.9), ("o3", 1.0)]);
    let mut state = climbed(&mut fake, &["thinlto", "o3"]);
    assert_eq!(rung(&state, "thinlto").outcome, Outcome::Slower);
    assert_eq!(rung(&state, "o3").outcome, Outcome::NotProven);
    assert_eq!(state.best.variant.id(), "baseline");
    assert!(confirm::confirm(&mut fake, &mut state).unwrap().is_none());
    assert!(fake.told().contains("No lever was proven to help"));
}

#[test]
fn what_takes_more_memory_than_allowed_is_not_kept_however_much_it_gains() {
    let mut fake = Fake::with(&[("o3", 1.1), ("thinlto", 1.1), ("lto", 1.4)]);
    fake.peaks = BTreeMap::from([("lto", 101), ("thinlto", 100), ("o3", 200)]);
    fake.memory = Some(100);
    let mut state = climbed(&mut fake, &["o3", "thinlto", "lto"]);
    assert_eq!(state.best.variant.id(), "thinlto");
    assert_eq!(
        reason(&state, "lto"),
        "it takes 101 B of memory, more than the 100 B of ladder.memory"
    );
    assert!(reason(&state, "o3").contains("200 B"));
    assert_eq!(rung(&state, "thinlto").outcome, Outcome::Kept);
    // The search is bound by the limit too.
    fake.gains.insert("o3+thinlto", 1.5);
    fake.peaks.insert("o3+thinlto", 150);
    searched(&mut fake, &mut state, &["o3", "thinlto"], 10_000);
    assert_eq!(state.best.variant.id(), "thinlto");
    assert!(reason(&state, "o3+thinlto").contains("150 B"));
}

#[test]
fn fewer_threads_are_not_kept_if_answers_come_later_for_it() {
    for (latency, is_kept) in [(0.010, true), (0.012, false)] {
        let mut fake = Fake::with(&[("gomaxprocs", 1.2)]);
        fake.latencies = BTreeMap::from([("baseline", 0.010), ("gomaxprocs", latency)]);
        let mut state = fake.climb();
        state.best.variant.base = Toolchain::Go;
        climb::climb(&mut fake, &mut state, &plan(&["gomaxprocs"])).unwrap();
        match is_kept {
            true => assert_eq!(rung(&state, "gomaxprocs").outcome, Outcome::Kept),
            false => assert!(
                reason(&state, "gomaxprocs").contains("p99 latency is 20"),
                "{}",
                reason(&state, "gomaxprocs")
            ),
        }
    }
}

#[test]
fn fewer_threads_are_not_kept_if_runs_take_longer_for_it() {
    for (wall, is_kept) in [(1.2, true), (1.5, false)] {
        let mut fake = Fake::with(&[("gomaxprocs", 1.2), ("o3", 1.2)]);
        fake.walls = BTreeMap::from([("gomaxprocs", wall), ("o3", wall)]);
        let mut state = fake.climb();
        state.best.variant.base = Toolchain::Go;
        climb::climb(&mut fake, &mut state, &plan(&["gomaxprocs"])).unwrap();
        match is_kept {
            true => assert_eq!(rung(&state, "gomaxprocs").outcome, Outcome::Kept),
            false => assert!(reason(&state, "gomaxprocs").contains("longer")),
        }
        // Other levers have no such price.
        let state = climbed(&mut fake, &["o3"]);
        assert_eq!(rung(&state, "o3").outcome, Outcome::Kept);
    }
}

#[test]
fn a_rung_for_comparison_is_never_kept() {
    let mut fake = Fake::with(&[("autofdo-ip", 1.5), ("autofdo", 1.1)]);
    let state = climbed(&mut fake, &["autofdo-ip", "autofdo"]);
    assert_eq!(rung(&state, "autofdo-ip").outcome, Outcome::Reference);
    assert_eq!(state.best.variant.id(), "autofdo");
}

#[test]
fn a_failure_costs_its_rung_alone() {
    let mut fake = Fake::with(&[("bolt", 1.1)]);
    fake.failing.insert("thinlto");
    fake.endless.insert("o3");
    fake.idle.insert("function-order");
    let state = climbed(&mut fake, &["o3", "thinlto", "function-order", "bolt"]);
    assert!(reason(&state, "o3").contains("still running after 5 s"));
    assert!(reason(&state, "thinlto").contains("the build command failed"));
    let outcome = &rung(&state, "function-order").outcome;
    assert!(matches!(outcome, Outcome::Skipped { .. }), "{outcome:?}");
    assert_eq!(state.best.variant.id(), "bolt");
}

#[test]
fn an_interrupted_climb_ends() {
    let mut fake = Fake::default();
    fake.failing.insert("thinlto");
    fake.is_interrupted = true;
    let mut state = fake.climb();
    let ended = climb::climb(&mut fake, &mut state, &plan(&["thinlto", "bolt"]));
    assert_eq!(ended.unwrap_err().to_string(), "interrupted");
    assert_eq!(fake.done, ["build thinlto"]);
}

#[test]
fn what_cannot_be_tried_is_skipped_with_its_reason_and_not_built() {
    let mut fake = Fake::default();
    fake.ruled_out.insert("static");
    let mut state = fake.climb();
    let plan = plan_without(&["static", "pgo", "wpd", "codegen-units"], "pgo");
    climb::climb(&mut fake, &mut state, &plan).unwrap();
    assert!(reason(&state, "static").contains("getpwuid"));
    assert!(reason(&state, "pgo").contains("not installed"));
    assert!(reason(&state, "wpd").contains("needs thinlto"));
    assert_eq!(reason(&state, "codegen-units"), "clang has no such lever");
    assert_eq!(fake.done, [""; 0]);
}

#[test]
fn levers_that_were_kept_are_not_climbed_again_with_others() {
    let mut fake = Fake::with(&[("o3", 1.1)]);
    let state = climbed(&mut fake, &["o3", "gc-sections", "o3+gc-sections"]);
    let [.., alone, together] = &state.rungs[..] else {
        panic!("{:?}", state.rungs)
    };
    assert!(alone.comparison.is_some());
    let Outcome::Skipped { reason } = &together.outcome else {
        panic!("{together:?}")
    };
    assert!(
        reason.contains("it is the same as") && reason.contains(&alone.title),
        "{reason}"
    );
}

#[test]
fn indirect_calls_are_counted_below_and_above_and_for_a_beaten_autofdo_too() {
    let counted = |gains: &[(&'static str, f64)]| {
        let mut fake = Fake::with(gains);
        let state = climbed(&mut fake, &["autofdo-ip", "autofdo", "pgo"]);
        let rungs = state.rungs.iter();
        let rungs = rungs.filter(|rung| rung.indirect_calls.is_some());
        rungs.map(|rung| rung.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(counted(&[("pgo", 1.2)]), ["baseline", "autofdo", "pgo"]);
    assert_eq!(counted(&[("autofdo", 1.2)]), ["baseline", "autofdo"]);
    assert_eq!(counted(&[]), ["baseline", "autofdo"]);
}

#[test]
fn a_count_without_a_count_before_it_is_left_out() {
    let mut fake = Fake::default();
    fake.failing.insert("autofdo");
    let state = climbed(&mut fake, &["autofdo"]);
    assert!(state.rungs[0].indirect_calls.is_none());
}

#[test]
fn the_change_of_compiler_is_a_rung_of_its_own_whatever_it_gives() {
    let mut fake = Fake::with(&[("thinlto", 1.2)]);
    let mut state = fake.climb();
    climb::change_compiler(&mut fake, &mut state, "gcc").unwrap();
    climb::climb(&mut fake, &mut state, &plan(&["thinlto"])).unwrap();
    let change = &state.rungs[1];
    assert_eq!(change.title, "clang instead of gcc");
    assert_eq!(change.outcome, Outcome::NotProven);
    let against = &rung(&state, "thinlto").comparison.as_ref().unwrap().old;
    assert_eq!(against, "profiling");
    assert!(fake.told().contains("Your build compiles with gcc"));
}

#[test]
fn the_search_takes_levers_away_and_goes_on_from_what_is_better() {
    // ICF costs, together with what came after it.
    let mut fake = Fake::with(&[
        ("thinlto", 1.1),
        ("thinlto+icf", 1.15),
        ("thinlto+icf+bolt", 1.2),
        ("thinlto+bolt", 1.3),
    ]);
    let levers = ["thinlto", "icf", "bolt"];
    let mut state = climbed(&mut fake, &levers);
    assert_eq!(state.best.variant.id(), "thinlto+icf+bolt");
    searched(&mut fake, &mut state, &levers, 10_000);
    assert_eq!(state.best.variant.id(), "thinlto+bolt");
    assert!(fake.told().contains("no neighbour of the winner was left"));
    // Nothing is built twice.
    let builds = fake.done.iter().filter(|step| step.starts_with("build"));
    let builds: Vec<_> = builds.collect();
    let mut once = builds.clone();
    once.sort();
    once.dedup();
    assert_eq!(builds.len(), once.len(), "{builds:?}");
}

#[test]
fn what_pays_only_with_another_lever_is_found_by_the_search_with_its_indirect_calls() {
    let mut fake = Fake::with(&[("o3", 0.9), ("no-pie", 1.1), ("o3+no-pie", 1.4)]);
    let levers = ["o3", "no-pie"];
    let mut state = climbed(&mut fake, &levers);
    assert_eq!(state.best.variant.id(), "no-pie");
    searched(&mut fake, &mut state, &levers, 10_000);
    assert_eq!(state.best.variant.id(), "o3+no-pie");
    let comparison = rung(&state, "o3+no-pie").comparison.as_ref().unwrap();
    assert_eq!(comparison.old, "no-pie");
    for id in ["no-pie", "o3+no-pie"] {
        assert!(rung(&state, id).indirect_calls.is_some(), "{id}");
    }
}

#[test]
fn profiles_are_made_anew_where_the_source_changes_and_only_there() {
    let mut fake = Fake::with(&[("pgo", 1.1), ("memops+pgo", 1.1), ("thinlto+pgo", 1.1)]);
    let mut state = climbed(&mut fake, &["pgo"]);
    searched(&mut fake, &mut state, &["pgo", "memops", "thinlto"], 10_000);
    let before = |build: &str| {
        let at = fake.done.iter().position(|step| step == build).unwrap();
        let made = fake.done[..at].iter().rev();
        made.take_while(|step| step.starts_with("profile"))
            .map(String::as_str)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        before("build memops+pgo"),
        ["profile pgo", "profile memops"]
    );
    assert_eq!(before("build thinlto+pgo"), [""; 0]);
}

#[test]
fn a_spent_budget_names_what_it_left() {
    let mut fake = Fake::with(&[("o3", 1.1)]);
    let mut state = climbed(&mut fake, &["o3"]);
    let candidates = ["o3", "thinlto", "gc-sections", "bolt"];
    // A build and a measurement take 20 seconds: after the climb and one neighbour 40 are over, and another would end at 60.
    searched(&mut fake, &mut state, &candidates, 45);
    let told = fake.told();
    assert!(
        told.contains("2 neighbours of the winner untried"),
        "{told}"
    );
    assert!(told.contains("with more time it would try: with"), "{told}");
}

#[test]
fn the_winner_is_measured_afresh_and_its_luck_is_told() {
    let mut fake = Fake::with(&[("thinlto", 1.2)]);
    fake.layouts = vec![1.0, 1.02, 0.99];
    let mut state = climbed(&mut fake, &["thinlto"]);
    let confirmed = confirm::confirm(&mut fake, &mut state).unwrap().unwrap();
    assert_eq!(confirmed.comparison.verdict, Verdict::Faster);
    assert_eq!(confirmed.comparison.old, "baseline");
    let told = fake.told();
    assert!(told.contains("In 3 layouts"), "{told}");
    assert!(confirmed.beside.is_empty());
}

#[test]
fn a_gain_that_is_not_there_the_second_time_is_not_confirmed() {
    let mut fake = Fake::with(&[("thinlto", 1.05), ("thinlto+bolt", 1.1)]);
    let mut state = climbed(&mut fake, &["thinlto", "bolt"]);
    fake.afresh = Some(1.0 / 1.1);
    let confirmed = confirm::confirm(&mut fake, &mut state).unwrap().unwrap();
    assert_eq!(confirmed.comparison.verdict, Verdict::NoProvableDifference);
    let told = fake.told();
    for words in [
        "was not confirmed",
        "multiply to 1.1",
        "one layout of either",
    ] {
        assert!(told.contains(words), "no {words} in\n{told}");
    }
}

#[test]
fn a_build_without_other_layouts_says_so() {
    let mut fake = Fake::with(&[("thinlto", 1.2)]);
    fake.has_one_layout = true;
    let mut state = climbed(&mut fake, &["thinlto"]);
    confirm::confirm(&mut fake, &mut state).unwrap().unwrap();
    assert!(fake.told().contains("in one layout only"));
}

#[test]
fn only_a_server_that_shared_its_cpu_is_measured_alone_for_latency() {
    for (is_server, has_duets) in [(true, true), (true, false), (false, true)] {
        let mut fake = Fake::with(&[("thinlto", 1.2)]);
        (fake.is_server, fake.has_duets) = (is_server, has_duets);
        let mut state = climbed(&mut fake, &["thinlto"]);
        confirm::confirm(&mut fake, &mut state).unwrap().unwrap();
        let alone = fake.done.iter().any(|step| step == "one after the other");
        assert_eq!(alone, is_server && has_duets, "{:?}", fake.done);
    }
}

#[test]
fn a_compiler_that_cannot_be_changed_leaves_the_baseline_as_the_rung_below() {
    let mut fake = Fake::with(&[("thinlto", 1.2)]);
    fake.failing.insert("baseline");
    let mut state = fake.climb();
    climb::change_compiler(&mut fake, &mut state, "gcc").unwrap();
    climb::climb(&mut fake, &mut state, &plan(&["thinlto"])).unwrap();
    assert!(matches!(state.rungs[1].outcome, Outcome::Failed { .. }));
    let against = &rung(&state, "thinlto").comparison.as_ref().unwrap().old;
    assert_eq!(against, "baseline");
}

#[test]
fn calls_that_cannot_be_counted_cost_their_figure_alone() {
    let mut fake = Fake::with(&[("autofdo", 1.2)]);
    fake.counts_no_calls = true;
    let state = climbed(&mut fake, &["autofdo"]);
    assert_eq!(state.best.variant.id(), "autofdo");
    let told = fake.told();
    assert!(
        told.contains("The indirect calls of autofdo were not counted: no branch records."),
        "{told}"
    );
}

#[test]
fn a_profile_is_judged_and_a_reach_predicted_for_the_rung_that_it_is_of() {
    let mut fake = Fake::with(&[("thinlto", 1.2)]);
    let state = climbed(&mut fake, &["thinlto", "wpd", "autofdo"]);
    let profile = |id: &str| rung(&state, id).profile.as_deref();
    assert_eq!(profile("thinlto"), None);
    assert_eq!(
        profile("thinlto+autofdo"),
        Some("The profile of autofdo is good.")
    );
    let predicted = fake
        .done
        .iter()
        .position(|step| step == "predict wpd on thinlto");
    let built = fake
        .done
        .iter()
        .position(|step| step == "build thinlto+wpd");
    assert!(predicted.is_some() && predicted < built, "{:?}", fake.done);
}

#[test]
fn a_machine_that_is_not_steady_is_told() {
    let mut fake = Fake::default();
    let mut state = fake.climb();
    state.self_check.verdict = Verdict::Slower;
    state.self_check.stolen_share = 0.03;
    confirm::confirm(&mut fake, &mut state).unwrap();
    let told = fake.told();
    assert!(told.contains("differed provably from itself"), "{told}");
    assert!(told.contains("hypervisor took 3.0 %"), "{told}");
}
