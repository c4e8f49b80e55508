//! `[[dependency]]`: libraries that are rebuilt with what was kept.

use hone_report::model::Outcome;

use crate::system::fake::project::{BUILD, Project};

/// A command that builds the library of [`with_library`], and leaves it beside its source.
const COMMAND: &str = "$CC -O0 -c steps.c; ar rcs libsteps.a steps.o";

/// A project that links a library whose source is there.
fn with_library(levers: &[&str], libraries: &[(&str, &str, &str)]) -> Project {
    let mut project = Project::new(levers);
    project.world().gains.extend([
        ("-O3", 1.2),
        ("-fprofile-use=", 1.2),
        (".hone-dependencies/steps", 1.1),
    ]);
    project.edit(
        BUILD,
        "$CC -O0 -c main.c; $CC -O0 main.o -L/usr/local/lib -lsteps -o test.binary",
    );
    project.edit(
        "binary = \"test.binary\"",
        "binary = \"test.binary\"\nexclude = [\"library\"]",
    );
    project.write("library/steps.c", "steps of the library\n");
    project.write("library/libsteps.a", "an old archive");
    let toml = project.read("hone.toml");
    let tables = libraries.iter().map(|(name, command, archive)| {
        format!("\n[[dependency]]\nname = \"{name}\"\nsource = \"library\"\ncommand = '{command}'\narchive = \"{archive}\"\n")
    });
    project.write("hone.toml", &(toml + &tables.collect::<String>()));
    project
}

#[test]
fn a_library_gets_the_levers_that_were_kept_and_a_rung_of_its_own() {
    let project = with_library(&["o3", "pgo"], &[("steps", COMMAND, "libsteps.a")]);
    let ran = project.optimized();
    assert_eq!(ran.rung("o3+pgo").outcome, Outcome::Kept);
    let plain = ran.rung("o3+pgo+steps-from-source");
    assert_eq!(
        (plain.title.as_str(), &plain.outcome),
        ("steps from its source, without levers", &Outcome::Reference)
    );
    let rebuilt = ran.rung("o3+pgo+steps-rebuilt");
    assert_eq!(
        (rebuilt.title.as_str(), &rebuilt.outcome),
        ("steps rebuilt", &Outcome::Kept)
    );
    let log = |name: &str| project.read(&format!(".hone/logs/{name}.calls.log"));
    let own = log("o3+pgo+steps-rebuilt.steps");
    assert!(own.contains("-c steps.c") && own.contains("-O3"), "{own}");
    let own = log("o3+pgo+steps-from-source.steps");
    assert!(own.contains("-c steps.c") && !own.contains("-O3"), "{own}");
    let archive = ".hone-dependencies/steps/lib/libsteps.a";
    let link = log("o3+pgo+steps-rebuilt");
    assert!(
        link.contains(archive) && !link.contains("-lsteps"),
        "{link}"
    );
    for build in ["o3+pgo+steps-rebuilt", "o3+pgo+steps-from-source"] {
        let words = project.program(build);
        assert!(
            words.contains("steps of the library") && !words.contains("an old archive"),
            "{words}"
        );
    }
    assert!(!project.program("o3+pgo").contains("steps of the library"));
    // The profile of the rungs below knows nothing of the library: another is made of a build with it.
    let instrumented = project.program("steps-rebuilt+o3.instrumented");
    assert!(
        instrumented.contains("steps of the library")
            && instrumented.contains("-fprofile-generate")
    );
    assert!(
        project
            .path(".hone/profiles/steps-rebuilt+o3.pgo.profdata")
            .exists()
    );
    let used = log("o3+pgo+steps-rebuilt.steps");
    assert!(used.contains("/steps-rebuilt+o3.pgo.profdata"), "{used}");

    let shell = ran.report.recipe.unwrap().shell;
    assert!(shell.contains("in place of -lsteps"), "{shell}");
    assert!(
        shell.contains("not tried here, since it builds libraries in their own source"),
        "{shell}"
    );
}

#[test]
fn a_library_that_installs_itself_is_taken_from_its_prefix_in_all_layouts() {
    let command = "$CC -O0 -c steps.c; mkdir {prefix}/lib; ar rcs {prefix}/lib/libsteps.a steps.o";
    let mut project = with_library(&["o3"], &[("steps", command, "lib/libsteps.a")]);
    project.request.layouts = Some(3);
    let ran = project.optimized();
    assert_eq!(
        ran.rung("o3+steps-rebuilt").outcome,
        Outcome::Kept,
        "{}",
        ran.shown
    );
    for build in ["o3+steps-rebuilt", "o3+steps-rebuilt.layout-1"] {
        assert!(
            project.program(build).contains("steps of the library"),
            "{build}"
        );
    }
    assert!(ran.remarks().contains("In 3 layouts"), "{}", ran.remarks());
}

#[test]
fn a_library_that_cannot_be_rebuilt_or_is_never_linked_costs_its_rung_alone() {
    let libraries = [
        ("elsewhere", COMMAND, "out/libsteps.a"),
        (
            "unlinked",
            "$CC -O0 -c steps.c; ar rcs libother.a steps.o",
            "libother.a",
        ),
        // The archive that came along with the source is none of its build.
        ("unarchived", "$CC -O0 -c steps.c", "libsteps.a"),
        ("failing", "exit 2", "libsteps.a"),
        ("unbuilt", "true", "libsteps.a"),
    ];
    let project = with_library(&["o3"], &libraries);
    let ran = project.optimized();
    for (name, fact) in [
        ("elsewhere", "made no out/libsteps.a"),
        ("unlinked", "no link of the program named"),
        ("unarchived", "made no libsteps.a"),
        ("failing", "the build command failed"),
        ("unbuilt", "called no compiler that Hone could see"),
    ] {
        let id = format!("o3+{name}-rebuilt");
        assert!(
            matches!(ran.rung(&id).outcome, Outcome::Failed { .. }),
            "{name}"
        );
        assert!(
            ran.reason(&id).contains(fact),
            "{name}: {}",
            ran.reason(&id)
        );
    }
    assert_eq!(ran.report.recipe.unwrap().rung, "o3");
}

#[test]
fn without_a_lever_that_changes_its_code_a_library_stays_as_it_is() {
    let mut project = with_library(&["static"], &[("steps", COMMAND, "libsteps.a")]);
    project.world().gains.clear();
    let ran = project.optimized();
    let reason = ran.reason("steps-rebuilt");
    assert!(
        reason.contains("no lever was kept that would change the library's code"),
        "{reason}"
    );
}
