//! Measuring: what a run sees and may take, duets, and what is told of time and noise.

use hone_measure::Metric;
use hone_report::model::Outcome;

use crate::system::fake::project::{Project, Ran};

/// For each experiment whether it was a duet.
fn duets(ran: &Ran) -> Vec<bool> {
    ran.report.raw.iter().map(|one| one.schedule.duet).collect()
}

#[test]
fn a_variant_that_never_ends_is_left_out_and_the_ladder_goes_on() {
    for (duet, words) in [
        (
            "duet = false",
            &["still running after 20 s, and so it was ended"][..],
        ),
        // Two runs that share a CPU need twice the time.
        (
            "duet = true",
            &["limit of 20 s counts double", "still running after 40 s"],
        ),
    ] {
        let project = Project::new(&["thinlto", "o3"]);
        project.edit("duet = false", duet);
        let measure = "echo stuck; when -flto=thin hang; {binary} measure\"\nlimit_seconds = 20";
        project.edit("{binary} measure\"", measure);
        let ran = project.optimized();
        assert!(matches!(
            ran.rung("thinlto").outcome,
            Outcome::Failed { .. }
        ));
        let reason = ran.reason("thinlto");
        for word in words.iter().chain(&["stuck", "raise its limit_seconds"]) {
            assert!(reason.contains(word), "no {word:?} in {reason}");
        }
        assert!(ran.rung("o3").comparison.is_some(), "{:?}", ran.rung("o3"));
    }
}

#[test]
fn a_limit_follows_from_the_baseline_where_none_is_set() {
    let project = Project::new(&["thinlto"]);
    project.edit("{binary} measure", "when -flto=thin hang; {binary} measure");
    let ran = project.optimized();
    // Ten times the second of the baseline, and thirty more.
    assert!(
        ran.reason("thinlto").contains("still running after 40 s"),
        "{}",
        ran.reason("thinlto")
    );
}

#[test]
fn a_variant_that_fails_or_writes_something_else_is_left_out() {
    for (measure, facts) in [
        (
            "when -O3 echo other; {binary} measure\"",
            &[
                "writes other output under o3 than under the baseline",
                "compare_pattern",
            ][..],
        ),
        (
            "when -O3 echo sum 8; {binary} measure\"\ncompare_pattern = 'sum (\\d)'",
            &["compare_pattern captures '8' instead of '7'"],
        ),
        (
            "{binary} measure; when -O3 exit 3\"",
            &["workload measuring under o3", "exit status 3"],
        ),
    ] {
        let project = Project::new(&["o3", "thinlto"]);
        project.edit("{binary} measure\"", measure);
        let ran = project.optimized();
        for fact in facts {
            assert!(
                ran.reason("o3").contains(fact),
                "no {fact:?} in {}",
                ran.reason("o3")
            );
        }
        assert!(ran.rung("thinlto").comparison.is_some());
    }
}

#[test]
fn programs_that_use_one_cpu_run_in_pairs_if_nothing_else_is_said() {
    for (said, is_duet) in [
        ("", true),
        ("duet = true\n", true),
        ("duet = false\n", false),
    ] {
        let project = Project::new(&["o3"]);
        project.edit("duet = false\n", said);
        let ran = project.optimized();
        assert_eq!(duets(&ran), [is_duet; 2], "{said}");
        assert_eq!(
            ran.remarks().contains("shared one CPU"),
            is_duet,
            "{}",
            ran.remarks()
        );
    }
}

#[test]
fn a_build_that_is_slower_where_its_profile_comes_from_raises_an_alarm() {
    let mut project = Project::new(&["pgo"]);
    project.world().gains.push(("-fprofile-use", 0.8));
    let ran = project.optimized();
    let said = "pgo is slower than baseline on the very workloads that its profile comes from, 0.";
    assert!(ran.notes().contains(said), "{}", ran.notes());
    assert!(project.path(".hone/experiments/pgo.training.json").exists());

    let mut project = Project::new(&["pgo", "o3"]);
    project.world().gains.push(("-fprofile-use", 1.2));
    let ran = project.optimized();
    assert!(
        !ran.notes().contains("the very workloads"),
        "{}",
        ran.notes()
    );
    for unmeasured in ["pgo.training.json", "o3.training.json"] {
        assert!(!project.path(".hone/experiments").join(unmeasured).exists());
    }
}

#[test]
fn what_cannot_run_twice_runs_one_after_the_other() {
    let project = Project::new(&["o3"]);
    project.edit("duet = false\n", "");
    project.edit("{binary} measure", "alone; {binary} measure");
    let ran = project.optimized();
    assert_eq!(duets(&ran), [false; 2]);
    assert!(
        ran.remarks().contains("failed when it ran twice"),
        "{}",
        ran.remarks()
    );
    assert!(
        ran.shown.contains("failed when it ran twice"),
        "{}",
        ran.shown
    );
    // Who asks for duets is told.
    project.edit("[ladder]", "[ladder]\nduet = true");
    let said = project.refused();
    assert!(said.contains("take duet = true out of hone.toml"), "{said}");
}

#[test]
fn without_a_view_of_its_own_no_run_shares_a_cpu() {
    for (said, is_told) in [("", false), ("duet = true\n", true)] {
        let mut project = Project::new(&["o3"]);
        project.world().refuses_views = true;
        project.edit("duet = false\n", said);
        let ran = project.optimized();
        assert_eq!(duets(&ran), [false; 2]);
        assert_eq!(
            ran.notes().contains("ladder.duet = true is left out"),
            is_told,
            "{}",
            ran.notes()
        );
    }
}

#[test]
fn the_time_and_what_can_be_seen_are_told_before_the_ladder() {
    let project = Project::new(&["o3", "thinlto"]);
    let ran = project.optimized();
    let place = |what: &str| {
        ran.shown
            .find(what)
            .unwrap_or_else(|| panic!("{what}: {}", ran.shown))
    };
    // Five blocks of four runs of a second each, for two rungs, the baseline and the winner.
    let time = "measuring takes up to about 80.0 s: 2 rungs, the baseline against itself and the winner, 20.0 s each";
    let power = "This budget's 10 pairs for a rung";
    let order = [
        "baseline: building as you do",
        "baseline: one pilot run of each workload",
        time,
        "ladder of 2",
        "baseline against itself, to see",
        power,
        "next rung",
        "-O3: building o3",
    ]
    .map(place);
    assert!(order.is_sorted(), "{}", ran.shown);
    assert!(
        ran.remarks().contains("To see a gain of 1 %") && ran.remarks().contains(power),
        "{}",
        ran.remarks()
    );
    assert!(
        !ran.notes().contains("To see a gain of 1 %"),
        "{}",
        ran.notes()
    );
    assert_eq!(ran.shown.matches("next rung").count(), 2);
}

#[test]
fn more_time_than_was_asked_for_is_told() {
    let project = Project::new(&["o3"]);
    project.edit("seconds_per_rung = 20", "seconds_per_rung = 5");
    let ran = project.optimized();
    assert!(
        ran.remarks()
            .contains("A rung takes 20.0 s, where 5.00 s were asked for"),
        "{}",
        ran.remarks()
    );
    assert!(ran.report.raw.iter().all(|one| one.schedule.blocks == 5));
}

#[test]
fn a_build_without_optimisation_is_warned_of_before_anything_is_measured() {
    let step = "if (sum & 1) sum = sum * 3 + n; else sum = sum / 2 + i;\n";
    let work = format!(
        "unsigned work(unsigned n) {{ unsigned sum = n; for (unsigned i = 0; i < n; i++) {{ {} }} return sum; }}\n\
         int main(int count, char **words) {{ (void)words; return work(count); }}",
        step.repeat(10)
    );
    let linked = testkit::compiled(&work, &["-O0", "-g"]);
    let mut project = Project::new(&["o3"]);
    project.world().linked = Some(linked.path().join("p"));
    let ran = project.optimized();
    let warning = "Your build compiles without optimisation";
    let (warned, measured) = (ran.shown.find(warning), ran.shown.find("one pilot run"));
    assert!(warned.is_some() && warned < measured, "{}", ran.shown);
    assert!(
        ran.report.notes[0].contains(warning),
        "{:?}",
        ran.report.notes
    );

    let ran = Project::new(&["o3"]).optimized();
    assert!(!ran.shown.contains(warning), "{}", ran.shown);
}

#[test]
fn work_is_counted_where_hone_toml_says_how() {
    let project = Project::new(&["o3"]);
    project.write("main.c", "print sum 7\nprint rounds 300\n");
    project.edit(
        "{binary} measure\"",
        "{binary} measure\"\nwork = 'rounds (\\d+)'",
    );
    project.edit("[ladder]", "[ladder]\ncpu = \"user\"");
    let ran = project.optimized();
    assert_eq!(
        ran.report.self_check.as_ref().unwrap().metric,
        Metric::UserPerWork
    );
    let runs = ran.report.raw.iter().flat_map(|one| &one.runs);
    assert!(
        runs.map(|run| run.observation.work)
            .all(|work| work == Some(300.0))
    );
}
