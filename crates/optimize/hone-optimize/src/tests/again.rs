//! One run after another in the same place: interrupted, changed, finished. What is kept in each case is decided in
//! `workspace/opening.rs`.

use crate::system::fake::project::Project;

fn project() -> Project {
    let mut project = Project::new(&["thinlto", "autofdo"]);
    project.world().gains.push(("-fprofile-sample-use=", 1.2));
    project
}

#[test]
fn wherever_a_run_is_interrupted_it_goes_on_from_there_and_ends_alike() {
    let whole = project();
    let expected = whole.optimized();
    let all = whole.done();
    // Builds, and recordings for profiles: those that tell where the time is are made anew with the end of a run.
    let kept = |done: &[String]| {
        let is_kept = |one: &&String| {
            one.starts_with("build ") || (one.starts_with("record ") && !one.contains(".measured-"))
        };
        let mut kept: Vec<_> = done.iter().filter(is_kept).cloned().collect();
        kept.sort();
        kept
    };
    for after in [
        1,
        2,
        3,
        10,
        all.len() / 3,
        all.len() / 2,
        all.len() - 20,
        all.len() - 1,
    ] {
        let mut project = project();
        project.world().interrupted_after = Some(after);
        let said = project.refused();
        assert!(said.starts_with("hone: interrupted"), "{after}: {said}");
        assert!(!project.path(".hone/report/report.json").exists());
        let interrupted = project.done();
        project.world().interrupted_after = None;
        let ran = project.optimized();
        // Of a run that has built nothing there is nothing to go on with.
        let goes_on = ran.shown.contains("going on with the interrupted run");
        assert_eq!(goes_on, after > 2, "{after}: {}", ran.shown);
        let mut done = kept(&project.done());
        // What was under way is begun again: a build up to its check.
        let under_way = match interrupted.last() {
            Some(last) if last.ends_with(" check") => interrupted.iter().rev().nth(1),
            last => last,
        };
        if let Some(place) = done.iter().position(|one| Some(one) == under_way) {
            done.remove(place);
        }
        assert_eq!(done, kept(&all), "interrupted at {after}, {under_way:?}");
        let gains = |ran: &crate::system::fake::project::Ran| -> Vec<_> {
            let rungs = ran.report.rungs.iter();
            rungs
                .map(|rung| {
                    (
                        rung.id.clone(),
                        rung.outcome.clone(),
                        rung.comparison.clone(),
                    )
                })
                .collect()
        };
        assert_eq!(gains(&ran), gains(&expected), "{after}");
    }
}

#[test]
fn an_experiment_goes_on_in_its_middle() {
    let mut project = Project::new(&["o3"]);
    let runs = |project: &Project| {
        let done = project.done();
        done.iter().filter(|one| one.ends_with(" measure")).count()
    };
    // A build, a check, the pilot run, and some of the twenty runs of the baseline against itself: two blocks, and a part of one.
    let (two_blocks, part) = (8, 3);
    project.world().interrupted_after = Some(3 + two_blocks + part);
    project.refused();
    assert_eq!(runs(&project), 1 + two_blocks + part);
    project.world().interrupted_after = None;
    let ran = project.optimized();
    let experiments: usize = ran.report.raw.iter().map(|one| one.runs.len()).sum();
    // The block that was interrupted is made again, and the pilot run is not.
    assert_eq!(runs(&project), 1 + experiments + part);
}

#[test]
fn other_measuring_takes_the_builds_and_profiles_of_a_finished_run() {
    let project = project();
    project.optimized();
    project.edit("{binary} measure", "{binary} measure twice");
    let ran = project.optimized();
    assert!(
        ran.shown.contains("the last run is finished; its "),
        "{}",
        ran.shown
    );
    for build in ["baseline", "profiling", "thinlto", "autofdo"] {
        assert_eq!(
            project.times(&format!("build {build}")),
            1,
            "{:?}",
            project.done()
        );
    }
    assert_eq!(project.times("record profiling.0.data"), 1);
    assert_eq!(ran.report.workloads.measure, ["{binary} measure twice"]);
}

#[test]
fn a_changed_source_throws_away_what_was_built_and_says_so() {
    let mut project = project();
    project.world().interrupted_at = Some("build thinlto");
    project.refused();
    project.world().interrupted_at = None;
    project.write("main.c", "print sum 7\nprint more\n");
    let ran = project.optimized();
    let words = "starting afresh, since the source has changed since the interrupted run: its 1 build, 0 recordings and 0 profiles \
        are thrown away";
    assert!(ran.shown.contains(words), "{}", ran.shown);
    assert_eq!(project.times("build baseline"), 2);
}

#[test]
fn what_failed_is_tried_again_by_the_next_run() {
    let mut project = Project::new(&["o3", "thinlto"]);
    project.edit("{binary} check", "when -O3 false; {binary} check");
    project.world().interrupted_at = Some("build thinlto");
    project.refused();
    project.world().interrupted_at = None;
    project.optimized();
    assert_eq!(project.times("build o3"), 2);
}
