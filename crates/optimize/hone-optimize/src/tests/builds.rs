//! Builds: what is built, checked, shared between variants, and what a failure costs.

use hone_measure::Verdict;
use hone_report::model::Outcome;

use crate::system::fake::project::{BUILD, Project};

#[test]
fn a_variant_whose_check_fails_or_writes_other_results_or_never_ends_is_left_out() {
    let project = Project::new(&["thinlto", "static", "no-pie", "o3"]);
    let check = "when -flto=thin exit 3; when -static echo loaders 0; unless -static echo loaders 1; when -no-pie hang\"\n\
        compare_pattern = 'loaders (\\d+)'\nlimit_seconds = 5";
    project.edit("{binary} check\"", check);
    let ran = project.optimized();
    for (lever, facts) in [
        ("thinlto", &["check command failed", "exit status 3"][..]),
        (
            "static",
            &["compare_pattern captures", "'0' instead of '1'"],
        ),
        (
            "no-pie",
            &[
                "still running after 5 s, and so it was ended",
                "loaders 1",
                "raise its limit_seconds",
            ],
        ),
    ] {
        assert!(
            matches!(ran.rung(lever).outcome, Outcome::Failed { .. }),
            "{lever}"
        );
        for fact in facts {
            assert!(
                ran.reason(lever).contains(fact),
                "{lever}: no {fact:?} in {}",
                ran.reason(lever)
            );
        }
        assert!(
            !project.path(".hone/variants").join(lever).exists(),
            "{lever}"
        );
    }
    assert!(ran.rung("o3").comparison.is_some());
    assert!(ran.report.recipe.is_none());
}

#[test]
fn the_change_of_compiler_is_a_rung_of_its_own_and_what_clashes_is_left_out_with_its_reason() {
    let looks_up =
        "#include <pwd.h>\n#include <unistd.h>\nint main(void) { return getpwuid(getuid()) != 0; }";
    let linked = testkit::compiled(looks_up, &[]);
    let mut project = Project::new(&["static", "wpd", "codegen-units", "o3"]);
    project.world().linked = Some(linked.path().join("p"));
    project.world().gains.push(("-O3", 1.2));
    project.edit("CC = \"clang-19\"", "CC = \"gcc\"");
    let ran = project.optimized();
    let change = &ran.report.rungs[1];
    assert_eq!(
        (change.id.as_str(), change.title.as_str()),
        ("profiling", "clang instead of gcc")
    );
    assert_eq!(change.comparison.as_ref().unwrap().old, "baseline");
    assert_eq!(ran.rung("o3").comparison.as_ref().unwrap().old, "profiling");
    assert!(
        ran.notes().contains("the rung \"clang instead of gcc\""),
        "{}",
        ran.notes()
    );
    for (build, compiler) in [
        ("baseline", "/gcc "),
        ("profiling", "/clang-19 "),
        ("o3", "/clang-19 "),
    ] {
        let calls = project.read(&format!(".hone/logs/{build}.calls.log"));
        assert!(
            calls.lines().all(|call| call.contains(compiler)),
            "{build}: {calls}"
        );
    }
    for (lever, fact) in [
        ("o3+static", "the program uses getpwuid"),
        ("o3+wpd", "it needs thinlto"),
        // It was named; where none is, a default of Rust programs is no news to those in C.
        ("codegen-units", "clang has no such lever"),
    ] {
        assert!(
            matches!(ran.rung(lever).outcome, Outcome::Skipped { .. }),
            "{lever}"
        );
        assert!(
            ran.reason(lever).contains(fact),
            "{lever}: {}",
            ran.reason(lever)
        );
        assert_eq!(project.times(&format!("build {lever}")), 0);
    }
    // The winner is measured against the user's own build.
    let confirmation = ran.report.confirmation.unwrap();
    assert_eq!(
        (confirmation.old.as_str(), confirmation.verdict),
        ("baseline", Verdict::Faster)
    );
}

#[test]
fn variables_that_the_user_has_not_set_are_set_only_for_a_build_that_calls_its_compiler_by_a_path()
{
    let built_by = |compiler: &str| {
        let project = Project::new(&["o3"]);
        project.edit("CC = \"clang-19\", ", "");
        let build = format!("default CC {compiler}; $CC -O2 -c main.c");
        project.edit("$CC -O2 -c main.c", &build);
        project
    };
    let project = built_by("clang-19");
    let ran = project.optimized();
    assert!(!ran.notes().contains("CC="), "{}", ran.notes());
    assert!(project.times("build baseline") == 1);
    let calls = project.read(".hone/logs/baseline.calls.log");
    assert!(
        calls.lines().all(|call| call.contains("/clang-19 ")),
        "{calls}"
    );

    let project = built_by("/usr/bin/clang-19");
    let ran = project.optimized();
    assert!(ran.notes().contains("CC=cc and CXX=c++"), "{}", ran.notes());
    assert_eq!(project.times("build baseline"), 2);
    assert!(ran.rung("o3").comparison.is_some());
    // The next run remembers it, and tells it again.
    project.edit("seconds_per_rung = 20", "seconds_per_rung = 21");
    let ran = project.optimized();
    assert!(ran.notes().contains("CC=cc and CXX=c++"), "{}", ran.notes());
    assert_eq!(project.times("build baseline"), 2);

    let project = Project::new(&["o3"]);
    project.edit("$CC", "/usr/bin/clang-19");
    project.edit("$CC", "/usr/bin/clang-19");
    project.edit("$CC", "/usr/bin/clang-19");
    let refused = project.refused();
    assert!(
        refused.contains("called no compiler that Hone could see"),
        "{refused}"
    );
}

#[test]
fn a_full_disk_is_no_failure_of_a_lever_and_the_run_goes_on_where_it_stopped() {
    let project = Project::new(&["thinlto", "o3"]);
    let check = "{binary} check; when -flto=thin echo a.o: No space left on device; when -flto=thin exit 1\"";
    project.edit("{binary} check\"", check);
    let said = project.refused();
    assert!(said.contains("no space is left"), "{said}");
    assert!(said.contains("next: free some on the disk"), "{said}");
    assert!(!project.path(".hone/report/report.json").exists());
    let state = project.read(".hone/state.json");
    assert!(
        !state.contains("No space left"),
        "it is not remembered: {state}"
    );
    assert_eq!(project.times("build o3"), 1);
}

#[test]
fn what_two_variants_compile_alike_is_compiled_once_and_told() {
    let project = Project::new(&["gc-sections", "icf", "static", "o3", "bolt"]);
    project.edit(
        BUILD,
        &BUILD.replace("-O2", "-O2 -ffunction-sections -fdata-sections"),
    );
    let ran = project.optimized();
    let taken = |build: &str| -> Vec<bool> {
        let calls = project.read(&format!(".hone/logs/{build}.calls.log"));
        let compiled = calls.lines().filter(|line| line.starts_with("Compile "));
        compiled
            .map(|line| line.contains("with the object of "))
            .collect()
    };
    for (build, from) in [
        ("icf", "gc-sections"),
        // Static linking has no word for the compiler: what the user's own build compiled is its own.
        ("static", "baseline"),
        ("profiling.relocations", "gc-sections"),
    ] {
        let told = format!("linked again from {from}: its 2 objects fit");
        assert_eq!(taken(build), [true, true], "{build}");
        assert!(
            ran.shown.contains(&told),
            "{build}: no {told:?} in {}",
            ran.shown
        );
    }
    for build in ["baseline", "gc-sections", "o3"] {
        assert_eq!(taken(build), [false, false], "{build}");
    }
    let told = format!("{}\n{}", ran.notes(), ran.remarks());
    assert!(
        told.contains("icf (from gc-sections), static (from baseline)"),
        "{told}"
    );
    // A finished run needs them no more.
    assert!(!project.path(".hone/objects").exists());
}

#[test]
fn a_function_that_bolt_cannot_move_is_left_alone() {
    let mut project = Project::new(&["bolt"]);
    project.world().gains.push(("-reorder-blocks", 1.2));
    project.write("main.c", "print sum 7\ncannot move mix\n");
    let ran = project.optimized();
    let rung = ran.rung("bolt");
    assert_eq!(rung.outcome, Outcome::Kept);
    let command = rung.flags.post_link.join("\n");
    assert!(
        command.ends_with("-skip-funcs=mix")
            && command.contains("llvm-bolt-19 test.binary -o test.binary.bolt "),
        "{command}"
    );
    assert!(
        ran.notes().contains("llvm-bolt could not rewrite mix"),
        "{}",
        ran.notes()
    );
    let recipe = ran.report.recipe.unwrap();
    assert!(
        recipe.shell.contains("# Then, on the linked binary:\n")
            && recipe.shell.contains("-skip-funcs=mix"),
        "{}",
        recipe.shell
    );
    assert!(
        project.program("bolt").contains("-data=")
            && project.path(".hone/logs/bolt.bolt.log").exists()
    );
}

#[test]
fn what_bolt_does_not_take_costs_its_rung_alone() {
    let project = Project::new(&["bolt"]);
    project.write("main.c", "print sum 7\nno bolt\n");
    let ran = project.optimized();
    assert!(matches!(ran.rung("bolt").outcome, Outcome::Failed { .. }));
    assert!(
        ran.reason("bolt").contains("BOLT-ERROR: of another kind"),
        "{}",
        ran.reason("bolt")
    );
}

#[test]
fn the_winner_is_measured_in_layouts_that_differ() {
    let mut project = Project::new(&["o3"]);
    project.world().gains.push(("-O3", 1.2));
    project.request.layouts = Some(3);
    let ran = project.optimized();
    let confirmation = ran.report.confirmation.as_ref().unwrap();
    assert_eq!(
        confirmation
            .layouts
            .as_ref()
            .map(|spread| spread.gains.len()),
        Some(3)
    );
    assert!(ran.remarks().contains("In 3 layouts"), "{}", ran.remarks());
    assert!(!ran.notes().contains("In 3 layouts"), "{}", ran.notes());
    for build in ["baseline", "o3"] {
        let first = project.program(build);
        let others = [1, 2].map(|seed| project.program(&format!("{build}.layout-{seed}")));
        assert!(
            others[0] != first && others[1] != first && others[0] != others[1],
            "{build}"
        );
    }
}

#[test]
fn a_program_runs_with_the_shared_library_of_its_own_variant() {
    for duet in ["duet = false", "duet = true"] {
        let mut project = Project::new(&["thinlto"]);
        project.world().gains.push(("-flto=thin", 1.2));
        project.edit("duet = false", duet);
        let build = "$CC -O2 -fPIC -shared steps.c -o libsteps.so; $CC -O2 main.c -L. -lsteps -o test.binary";
        project.edit(BUILD, build);
        // Each run leaves behind what it saw.
        project.edit("{binary} measure", "cp libsteps.so seen; {binary} measure");
        let before = project.sources();
        project.optimized();
        for (variant, has_lever) in [("baseline", false), ("thinlto", true)] {
            let seen = project.read(&format!(".hone/variants/{variant}/seen"));
            assert_eq!(seen.contains("-flto=thin"), has_lever, "{variant}: {seen}");
        }
        assert_eq!(project.sources(), before, "the user's tree was changed");
        // The winner stands where it was built, and runs there without Hone.
        assert!(
            project
                .read(".hone/build/libsteps.so")
                .contains("-flto=thin")
        );
    }
}
