//! The end of a run: the winner, its recipe, what is found out about it, and the files that are left.

use std::fs;

use hone_measure::{Metric, Verdict};

use crate::system::fake::project::{BUILD, Project};

/// A project in which -O3 is faster.
fn with_winner() -> Project {
    let mut project = Project::new(&["o3"]);
    project.world().gains.push(("-O3", 1.25));
    project
}

#[test]
fn the_report_has_the_winner_with_its_recipe_in_all_forms() {
    let project = with_winner();
    let before = project.sources();
    let ran = project.optimized();
    let report = &ran.report;
    let confirmation = report.confirmation.as_ref().unwrap();
    assert_eq!(
        (confirmation.old.as_str(), confirmation.verdict),
        ("baseline", Verdict::Faster)
    );
    assert_eq!(report.build_command.as_deref(), Some(BUILD));
    assert_eq!(report.check.as_deref(), Some("{binary} check"));
    assert_eq!(report.workloads.measure, ["{binary} measure"]);
    // The same runs by the other count of CPU time.
    assert_eq!(
        report.other_cpu.as_ref().unwrap().metric,
        Metric::UserSeconds
    );
    let recipe = report.recipe.as_ref().unwrap();
    assert_eq!(
        (recipe.rung.as_str(), recipe.binary.as_str()),
        ("o3", "$HONE/variants/o3/test.binary")
    );
    assert!(
        ran.remarks().contains("one layout of either binary"),
        "{}",
        ran.remarks()
    );
    for form in ["report.html", "report.md", "report.json", "winner.json"] {
        assert!(
            project
                .read(&format!(".hone/report/{form}"))
                .contains("-O3"),
            "{form}"
        );
    }
    let winner = fs::read_link(project.path(".hone/build")).unwrap();
    assert_eq!(winner.to_str(), Some("variants/o3"));
    assert_eq!(project.sources(), before, "the user's tree was changed");
}

#[test]
fn without_a_winner_there_is_no_recipe() {
    let project = Project::new(&["o3"]);
    let ran = project.optimized();
    assert!(ran.report.recipe.is_none() && ran.report.confirmation.is_none());
    assert!(
        ran.notes().contains("No lever was proven to help"),
        "{}",
        ran.notes()
    );
    assert!(!project.path(".hone/report/winner.json").exists());
    let build = fs::read_link(project.path(".hone/build")).unwrap();
    assert_eq!(build.to_str(), Some("variants/baseline"));
}

#[test]
fn flags_in_variables_are_in_the_recipe_where_they_were_seen_to_arrive() {
    let project = with_winner();
    project.edit(BUILD, &BUILD.replace("-O2 ", ""));
    let ran = project.optimized();
    let shell = ran.report.recipe.unwrap().shell;
    let (wrapped, plain) = shell.split_once("# Or without Hone").unwrap();
    assert!(
        wrapped.contains("hone wrap --from \"$HONE/..\" -- sh -c "),
        "{shell}"
    );
    assert!(
        plain.contains("in 2 of 2 compilations and 1 of 1 links"),
        "{shell}"
    );
    assert!(
        plain.contains("export CC=\"") && plain.contains("FLAGS=\""),
        "{shell}"
    );
    // The place of all builds leads to the winner again.
    let winner = fs::read_link(project.path(".hone/build")).unwrap();
    assert_eq!(winner.to_str(), Some("variants/o3"));
}

#[test]
fn flags_in_variables_are_left_out_of_the_recipe_where_they_do_not_arrive() {
    // A command that sets CC itself takes none of the flags that stand there, and -O2 takes -O3 back.
    for (build, seen) in [
        (
            format!("CC=clang-19; {}", BUILD.replace("-O2 ", "")),
            "0 of 2 compilations and 0 of 1 links",
        ),
        (BUILD.into(), "0 of 2 compilations and 1 of 1 links"),
    ] {
        let project = with_winner();
        project.edit(BUILD, &build);
        let ran = project.optimized();
        let told = format!("they were in {seen} of programs");
        assert!(ran.remarks().contains(&told), "{}", ran.remarks());
        let shell = ran.report.recipe.unwrap().shell;
        let comments = shell.replace("\n# ", " ");
        assert!(
            comments.contains(&told) && shell.contains("hone wrap --from"),
            "{shell}"
        );
        assert!(!shell.contains("FLAGS="), "{shell}");
    }
}

#[test]
fn a_replay_that_fails_is_told() {
    let project = with_winner();
    project.edit(BUILD, &format!("test -z \"$FLAGS\"; {BUILD}"));
    let ran = project.optimized();
    let told = "tried here, it failed (the build command failed: exit status 1";
    assert!(ran.remarks().contains(told), "{}", ran.remarks());
    let shell = ran.report.recipe.unwrap().shell;
    assert!(!shell.contains("FLAGS="), "{shell}");
}

#[test]
fn the_gain_on_the_previous_release_is_measured_and_told() {
    let mut project = Project::new(&["pgo"]);
    project.world().gains.push(("-fprofile-use=", 1.2));
    project.edit(
        "binary = \"test.binary\"",
        "binary = \"test.binary\"\nprevious = \"previous\"\nexclude = [\"previous\"]",
    );
    // It writes something else, which is its right.
    project.write("previous/main.c", "print sum 07\n");
    project.write("previous/steps.c", "steps\n");
    let ran = project.optimized();
    let told = "On the source of the previous release the winner's flags and profile give ";
    assert!(ran.remarks().contains(told), "{}", ran.remarks());
    let raw = ran.report.raw.iter();
    let experiments: Vec<_> = raw
        .map(|one| (one.old.as_str(), one.new.as_str()))
        .collect();
    assert!(
        experiments.contains(&("previous-baseline", "previous-pgo")),
        "{experiments:?}"
    );
    let calls = project.read(".hone/logs/previous-pgo.calls.log");
    assert!(calls.contains("-fprofile-use="), "{calls}");
    assert!(project.program("previous-pgo").contains("print sum 07"));
    assert!(!project.program("pgo").contains("print sum 07"));
}

#[test]
fn a_previous_release_that_does_not_build_is_no_failure() {
    let mut project = Project::new(&["pgo"]);
    project.world().gains.push(("-fprofile-use=", 1.2));
    project.edit(
        "binary = \"test.binary\"",
        "binary = \"test.binary\"\nprevious = \"previous\"\nexclude = [\"previous\"]",
    );
    project.write("previous/main.c", "print sum 7\n");
    let ran = project.optimized();
    assert!(
        ran.remarks()
            .contains("could not be tried on the previous release: "),
        "{}",
        ran.remarks()
    );
    assert!(
        ran.remarks().contains("steps.c: no such file"),
        "{}",
        ran.remarks()
    );
    assert!(ran.report.recipe.is_some());
}

#[test]
fn a_winner_without_a_profile_has_nothing_to_try_on_the_previous_release() {
    let project = with_winner();
    project.edit(
        "binary = \"test.binary\"",
        "binary = \"test.binary\"\nprevious = \"previous\"",
    );
    project.write("previous/main.c", "print sum 7\n");
    let ran = project.optimized();
    let told = format!("{}\n{}", ran.notes(), ran.remarks());
    assert!(told.contains("The winner uses no profile"), "{told}");
    assert_eq!(project.times("build previous-o3"), 0);
}

#[test]
fn hot_loops_of_the_winner_are_looked_at() {
    let project = with_winner();
    let ran = project.optimized();
    assert!(
        ran.remarks()
            .contains("No hot loop of the measured workloads lost"),
        "{}",
        ran.remarks()
    );
    // The winner, and the baseline with line tables.
    for file in [
        "record o3.measured-0.data",
        "record profiling.measured-0.data",
    ] {
        assert_eq!(project.times(file), 1, "{:?}", project.done());
    }
}

#[test]
fn the_search_goes_on_until_no_neighbour_is_left_or_the_time_is_up() {
    let mut project = with_winner();
    project.request.budget = Some(1e9);
    let ran = project.optimized();
    assert!(
        ran.remarks()
            .contains("no neighbour of the winner was left"),
        "{}",
        ran.remarks()
    );

    let mut project = Project::new(&["o3", "no-pie"]);
    project
        .world()
        .gains
        .extend([("-O3", 0.9), ("-no-pie", 1.2)]);
    project.request.budget = Some(1.0);
    let ran = project.optimized();
    assert!(
        ran.remarks()
            .contains("The budget ended the search with 1 neighbours"),
        "{}",
        ran.remarks()
    );
}
