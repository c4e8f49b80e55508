//! Profiles: what is built and recorded or trained for them, what is told of them, and what a failure costs.

use hone_report::model::Outcome;

use crate::system::fake::project::{Project, Ran};

#[track_caller]
fn failed<'r>(ran: &'r Ran, id: &str) -> &'r str {
    let outcome = &ran.rung(id).outcome;
    assert!(
        matches!(outcome, Outcome::Failed { .. }),
        "{id}: {outcome:?}"
    );
    ran.reason(id)
}

#[test]
fn a_profile_from_samples_is_of_the_recorded_build_and_is_judged() {
    let mut project = Project::new(&["autofdo-ip", "autofdo", "function-order"]);
    project.world().gains.push(("profiling.autofdo.prof", 1.2));
    let ran = project.optimized();
    assert_eq!(ran.rung("autofdo").outcome, Outcome::Kept);
    assert_eq!(ran.rung("autofdo-ip").outcome, Outcome::Reference);
    let flags = ran.rung("autofdo").flags.compile.join(" ");
    assert!(
        flags.contains("-fprofile-sample-use=$HONE/profiles/profiling.autofdo.prof"),
        "{flags}"
    );
    assert!(
        project
            .program("autofdo")
            .contains("/.hone/profiles/profiling.autofdo.prof")
    );
    // One recording serves all profiles of one build.
    assert_eq!(project.times("build profiling"), 1);
    let order = project.read(".hone/profiles/autofdo.function-order.prof");
    assert!(order.lines().any(|name| name == "longest_match"), "{order}");

    // The halves of the first recording agree, so that it is the only one.
    let mut recordings = ran.report.recordings.iter();
    let facts = recordings.find(|facts| facts.rung == "baseline").unwrap();
    let recorded = project
        .done()
        .iter()
        .filter(|done| done.starts_with("record profiling.0"))
        .count();
    assert_eq!(recorded, 1);
    assert_eq!(facts.samples, 9_232, "{facts:?}");
    assert!(facts.path.ends_with("profiling.0.data"), "{facts:?}");
    assert!(!ran.shown.contains("it goes on until"), "{}", ran.shown);
    let profile = ran.rung("autofdo").profile.as_deref().unwrap();
    assert!(
        profile.starts_with("The profile is good: ") && profile.contains("recorded for "),
        "{profile}"
    );
    assert!(ran.shown.contains(profile), "{}", ran.shown);
    assert!(
        project
            .read(".hone/report/report.html")
            .contains("The profile is good")
    );
    // Plain samples are not judged by branches.
    assert_eq!(ran.rung("autofdo-ip").profile, None);
}

#[test]
fn what_is_recorded_keeps_its_symbols_and_the_users_own_build_does_not() {
    let project = Project::new(&["autofdo"]);
    project.edit("$CC main.o", "$CC -s main.o");
    project.optimized();
    assert!(project.program("baseline").starts_with("-s "));
    for build in ["profiling", "autofdo"] {
        assert!(!project.program(build).contains("-s main.o"), "{build}");
    }
}

#[test]
fn training_and_measuring_are_compared_and_the_time_elsewhere_is_told() {
    let project = Project::new(&["autofdo"]);
    let ran = project.optimized();
    let remarks = ran.remarks();
    assert!(
        remarks.contains("Training and measuring share "),
        "{remarks}"
    );
    let elsewhere = "Of the time of the measured workloads, ";
    assert!(
        remarks.contains(elsewhere) && ran.shown.contains(elsewhere),
        "{remarks}"
    );
    assert!(
        project.times("record profiling.measured-0.data") == 1,
        "{:?}",
        project.done()
    );
}

#[test]
fn counts_are_of_an_instrumented_build_that_was_trained_and_are_merged() {
    let mut project = Project::new(&["pgo", "cs-pgo"]);
    let world = project.world();
    world.gains.extend([
        ("profiling.pgo.profdata", 1.2),
        ("pgo.cs-pgo.profdata", 1.1),
    ]);
    let ran = project.optimized();
    assert_eq!(ran.rung("pgo").outcome, Outcome::Kept);
    assert_eq!(ran.rung("pgo+cs-pgo").outcome, Outcome::Kept);
    assert!(
        project
            .program("profiling.instrumented")
            .contains("-fprofile-generate")
    );
    let done = project.done();
    let place = |what: &str| {
        done.iter()
            .position(|done| done.contains(what))
            .unwrap_or_else(|| panic!("{what}: {done:?}"))
    };
    assert!(place("build profiling.instrumented") < place("train"));
    assert!(place("train") < place("build pgo"));
    let merged = project.read(".hone/profiles/profiling.pgo.profdata");
    assert!(
        merged.starts_with("merge -o ") && merged.contains("/profiling.pgo.raw/7-1.profraw"),
        "{merged}"
    );
    assert!(!project.path(".hone/profiles/profiling.pgo.raw").exists());
    // The second counts are added to the first.
    let merged = project.read(".hone/profiles/pgo.cs-pgo.profdata");
    assert!(
        merged
            .trim_end()
            .ends_with("/profiles/profiling.pgo.profdata"),
        "{merged}"
    );
    // A check of an instrumented build would count as training.
    assert!(
        done[place("build profiling.instrumented") + 1].ends_with(" train"),
        "{done:?}"
    );
}

#[test]
fn a_program_that_writes_no_counts_is_told_why() {
    let project = Project::new(&["pgo"]);
    project.edit("{binary} train", "true # training");
    let ran = project.optimized();
    let reason = failed(&ran, "pgo");
    assert!(
        reason.contains("the instrumented program wrote no profile"),
        "{reason}"
    );
    assert!(reason.contains("-runtime-counter-relocation"), "{reason}");
}

#[test]
fn training_that_fails_or_never_ends_is_left_out() {
    for (train, fact) in [
        (
            "{binary} train; hang\"\nlimit_seconds = 2",
            "still running after 2 s",
        ),
        ("{binary} train; exit 3\"", "exit status 3"),
    ] {
        let project = Project::new(&["autofdo", "pgo", "o3"]);
        project.edit("{binary} train\"", train);
        let ran = project.optimized();
        for lever in ["autofdo", "pgo"] {
            let reason = failed(&ran, lever);
            assert!(
                reason.contains("train workload training on ") && reason.contains(fact),
                "{reason}"
            );
        }
        assert!(ran.rung("o3").comparison.is_some());
    }
}

#[test]
fn recordings_without_samples_cost_their_rung_alone() {
    let mut project = Project::new(&["propeller", "o3"]);
    project.world().records_nothing = true;
    let ran = project.optimized();
    // The recorded program has no map of its blocks, whatever it was built with.
    let reason = failed(&ran, "propeller");
    assert!(reason.contains("-fbasic-block-address-map"), "{reason}");
    let calls = project.read(".hone/logs/profiling.mapped.calls.log");
    assert!(
        calls.contains("-fbasic-block-address-map")
            && calls.contains("--lto-basic-block-address-map"),
        "{calls}"
    );
    assert_eq!(project.times("record profiling.mapped.0.data"), 1);
    assert!(ran.rung("o3").comparison.is_some());
}

#[test]
fn a_recording_from_production_takes_the_place_of_recording_here_and_corrects_counts() {
    let mut project = Project::new(&["autofdo", "pgo-sampled"]);
    project.request.profile = Some(testkit::fixture("test.lbr"));
    project.request.binary = Some(testkit::fixture("test.binary"));
    let ran = project.optimized();
    for lever in ["autofdo", "pgo-sampled"] {
        assert!(
            ran.rung(lever).comparison.is_some(),
            "{:?}",
            ran.rung(lever).outcome
        );
    }
    let judged = ran.rung("autofdo").profile.as_deref().unwrap();
    assert!(
        judged.starts_with("The given recording makes a profile that is good"),
        "{judged}"
    );
    assert!(ran.shown.contains(judged), "{}", ran.shown);
    let merged = project.read(".hone/profiles/profiling.pgo-sampled.profdata");
    let [_, samples] = &merged
        .split("--supplement-instr-with-sample=")
        .collect::<Vec<_>>()[..]
    else {
        panic!("{merged}");
    };
    let [samples, counts] = &samples.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{merged}");
    };
    assert!(samples.ends_with("/profiling.autofdo.prof"), "{samples}");
    assert!(counts.ends_with("/profiling.pgo.profdata"), "{counts}");
}

#[test]
fn bolts_own_counters_are_put_into_a_copy_and_merged() {
    let mut project = Project::new(&["bolt-instrumented"]);
    project.world().gains.push(("-reorder-blocks", 1.2));
    let ran = project.optimized();
    assert_eq!(
        ran.rung("bolt-instrumented").outcome,
        Outcome::Kept,
        "{}",
        ran.shown
    );
    let name = "profiling.bolt-instrumented";
    let merged = project.read(&format!(".hone/profiles/{name}.fdata"));
    assert!(
        merged.contains(&format!("/{name}.raw/profile.7.fdata -o ")),
        "{merged}"
    );
    assert!(
        project
            .program("profiling.relocations.bolt-instrumented")
            .contains("-instrument ")
    );
    assert!(
        !project
            .program("profiling.relocations")
            .contains("-instrument ")
    );
}

/// The IR lies outside of the build's tree, and ends with its run.
#[test]
fn a_later_run_makes_the_ir_again() {
    let mut project = Project::new(&["autofdo-counters"]);
    let ran = project.optimized();
    // The recorded program has no probes, whatever it was built with.
    failed(&ran, "autofdo-counters");
    let builds = ["profiling.probed", "profiling.ir"].map(|name| format!("build {name}"));
    assert_eq!(
        builds.each_ref().map(|build| project.times(build)),
        [1, 1],
        "{:?}",
        project.done()
    );
    assert!(
        project
            .program("profiling.probed")
            .contains("-fpseudo-probe-for-profiling")
    );
    project.edit("seconds_per_rung = 20", "seconds_per_rung = 30");
    project.world();
    project.optimized();
    assert_eq!(
        builds.map(|build| project.times(&build)),
        [1, 2],
        "{:?}",
        project.done()
    );
}

#[test]
fn what_devirtualisation_can_reach_is_said_before_the_build() {
    let mut project = Project::new(&["thinlto", "wpd"]);
    project.world().gains.push(("-flto=thin", 1.1));
    let ran = project.optimized();
    let said = "the recording of the rung below saw no virtual call for it to reach";
    let place = |what: &str| {
        ran.shown
            .find(what)
            .unwrap_or_else(|| panic!("{what}: {}", ran.shown))
    };
    assert!(place(said) < place("building thinlto+wpd"), "{}", ran.shown);
    let told = format!("{}\n{}", ran.notes(), ran.remarks());
    assert!(told.contains(said), "{told}");
}

#[test]
fn indirect_calls_are_counted_in_recordings() {
    let mut project = Project::new(&["autofdo"]);
    project.world().gains.push(("autofdo.prof", 1.2));
    let ran = project.optimized();
    for rung in &ran.report.rungs {
        let counted = rung
            .indirect_calls
            .as_ref()
            .unwrap_or_else(|| panic!("{rung:?}"));
        assert!(counted.instructions > 1_000_000, "{counted:?}");
    }
}
