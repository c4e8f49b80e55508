//! Projects whose baseline is none.

use crate::system::fake::project::{BUILD, Project, bin};

/// The message about a project with one change in its hone.toml.
#[track_caller]
fn said_of(from: &str, to: &str) -> String {
    let project = Project::new(&["thinlto"]);
    project.edit(from, to);
    let said = project.refused();
    assert!(said.contains("next: "), "{said}");
    assert!(!project.path(".hone/report/report.json").exists());
    said
}

#[test]
fn a_build_that_fails_or_makes_no_program_is_refused() {
    for (from, to, fact) in [
        ("-c main.c", "-c missing.c", "missing.c: no such file"),
        ("-c main.c", "-c missing.c", "the build command failed"),
        (
            "binary = \"test.binary\"",
            "binary = \"other\"",
            "other is not a program",
        ),
        (
            "{binary} check\"",
            "{binary} check; exit 3\"",
            "the check command failed",
        ),
        (
            "{binary} check\"",
            "{binary} check\"\ncompare_pattern = 'x*'",
            "captures nothing in the output of the check command",
        ),
    ] {
        let said = said_of(from, to);
        assert!(said.contains(fact), "{to}: {said}");
    }
}

/// A compiler that is called by its path gets none of a lever's flags.
#[test]
fn a_build_that_goes_past_the_wrapper_as_a_whole_or_in_part_is_refused() {
    let by_path = format!("{}/clang-19", bin().display());
    let compiles = "$CC -O2 -c main.c; $CC -O2 -c steps.c";
    let links = "$CC main.o steps.o";
    let whole = BUILD.replace("$CC", &by_path);
    for (from, to, fact) in [
        (BUILD, &whole, "called no compiler that Hone could see"),
        (
            BUILD,
            &"cp /bin/true test.binary".into(),
            "called no compiler that Hone could see",
        ),
        (
            compiles,
            &compiles.replace("$CC", &by_path),
            "no source being compiled",
        ),
        (
            links,
            &links.replace("$CC", &by_path),
            "no program being linked",
        ),
    ] {
        let said = said_of(from, to);
        assert!(said.contains(fact), "{to}: {said}");
        assert!(said.contains("next: call compilers by name"), "{said}");
    }
}

#[test]
fn a_workload_that_fails_or_holds_nothing_to_compare_is_refused() {
    for (to, fact) in [
        ("{binary} measure; exit 3\"", "exit status 3"),
        (
            "{binary} measure\"\ncompare_pattern = 'nodes (\\d+)'",
            "captures nothing in the standard output of workload measuring",
        ),
        (
            "hang\"\nlimit_seconds = 5",
            "workload measuring on the baseline: still running after 5 s",
        ),
    ] {
        let said = said_of("{binary} measure\"", to);
        assert!(said.contains(fact), "{to}: {said}");
    }
}

#[test]
fn a_workload_that_is_too_short_or_too_large_is_refused() {
    let mut project = Project::new(&["thinlto"]);
    project.world().gains.push(("sum 7", 10.0));
    let said = project.refused();
    assert!(
        said.contains("workload measuring uses 0.1") && said.contains("less than 0.2 s"),
        "{said}"
    );
    assert!(said.contains("next: make the workload longer"), "{said}");

    let mut project = Project::new(&["thinlto"]);
    project.edit("[ladder]", "[ladder]\nmemory = \"1MiB\"");
    project.world().peaks.push(("sum 7", 3 << 20));
    let said = project.refused();
    assert!(
        said.contains("takes 3.00 MiB of memory on the baseline"),
        "{said}"
    );
    assert!(said.contains("next: set ladder.memory"), "{said}");
}

#[test]
fn sources_that_are_not_there_are_refused_before_anything_is_built() {
    let previous = "binary = \"test.binary\"\nprevious = \"nowhere\"";
    let dependency = "[[dependency]]\nname = \"z\"\nsource = \"nowhere\"\ncommand = \"make\"\narchive = \"libz.a\"\n[ladder]";
    for (from, to, fact) in [
        ("binary = \"test.binary\"", previous, "program.previous: "),
        ("[ladder]", dependency, "dependency z: "),
    ] {
        let project = Project::new(&["thinlto"]);
        project.edit(from, to);
        let said = project.refused();
        assert!(
            said.contains(fact) && said.contains("nowhere is not a directory"),
            "{said}"
        );
        assert_eq!(project.done(), [""; 0]);
    }
    let project = Project::new(&["thinlto"]);
    project.write("CMakeCache.txt", "");
    let said = project.refused();
    assert!(said.contains("is a CMake build tree"), "{said}");
}
