//! Where names come from: files that were rebuilt, moved or given, and functions that merely share a name.

use std::fs;
use std::path::Path;

use hone_look::selection::Selection;
use hone_profile::Avma;
use hone_views::By;
use testkit::recording::Recording;

use crate::common::{Case, given, look, program, shares, views};

/// A recording of `views`, as if it had lain at this path.
fn at_path(path: &Path) -> Recording {
    let program = program("views");
    let mut made = Recording::elsewhere(&program, path, program.build_id());
    let light = made.at(program.line("light", 13));
    made.stack(10, &[light]);
    made
}

#[test]
fn a_program_that_was_rebuilt_has_no_names_and_the_old_file_can_be_given() {
    let case = Case::new();
    at_path(&case.path("views")).write(&case.path("p.data"));
    let all = Selection::default();
    let gone = case.named(&all).unwrap();
    let reason = gone.unnamed[0].reason.as_ref().unwrap();
    assert!(reason.contains("No such file"), "{reason}");
    assert_eq!(
        shares(&case.table(&all, By::Function), "[views]"),
        (100.0, 100.0)
    );

    let rebuilt = program("views-rebuilt");
    fs::copy(rebuilt.path(), case.path("views")).unwrap();
    let other = case.named(&all).unwrap();
    let reason = other.unnamed[0].reason.as_ref().unwrap();
    assert!(reason.contains("another build"), "{reason}");

    let kept = program("views");
    let table = case.table(&given(&[kept.path()]), By::Function);
    assert_eq!(shares(&table, "light"), (100.0, 100.0));
}

/// Files given with `--binary` are told apart by their build ids, and one that is of no use is told.
#[test]
fn a_file_that_was_not_recorded_is_told() {
    let case = Case::new();
    at_path(Path::new("/nowhere/views")).write(&case.path("p.data"));
    fs::create_dir(case.path("other")).unwrap();
    let [views_, rebuilt] = ["views", "views-rebuilt"].map(program);
    for name in ["views", "q"] {
        fs::copy(rebuilt.path(), case.path("other").join(name)).unwrap();
    }
    let [other, unknown] = ["other/views", "other/q"].map(|name| case.path(name));
    let notes = |files: &[&Path]| {
        let unused = look(&case.path("p.data"), &given(files), |recording| {
            Ok(recording.unused_files())
        });
        let notes = unused.unwrap().into_iter().map(|unused| unused.note);
        notes.collect::<Vec<_>>()
    };
    // The recorded build is found among others of its name, whatever their order.
    let both = given(&[&other, views_.path()]);
    assert_eq!(
        shares(&case.table(&both, By::Function), "light"),
        (100.0, 100.0)
    );
    let another = "given with --binary, is not used: it is another build (";
    for files in [&[&*other, views_.path()][..], &[&*other]] {
        let told = notes(files);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(another), "{told:?}");
    }
    let told = notes(&[&unknown]);
    let not_recorded = "is not used: no file of its name or build was recorded";
    assert!(told[0].contains(not_recorded), "{told:?}");
    let told = notes(&[&case.path("kept/q")]);
    assert!(told[0].contains("is not used: No such file"), "{told:?}");
    assert!(notes(&[views_.path()]).is_empty());
}

#[test]
fn static_functions_of_two_files_are_told_apart() {
    for (built, expected) in [("statics-g", "statics_one.c]"), ("statics-g0", "[at 0x")] {
        let program = program(built);
        let mut made = Recording::of(&program);
        // Both are called `step`: each is found behind its caller, at the call that it makes there.
        let starts = program.starts("step");
        assert_eq!(starts.len(), 2);
        for (start, times) in starts.iter().zip([3, 1]) {
            let at = made.at(*start);
            made.stack(times, &[at]);
        }
        let table = Case::with(&made).table(&Selection::default(), By::Function);
        let steps: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(steps.len(), 2, "{built}: {steps:?}");
        assert!(
            steps.iter().all(|name| name.starts_with("step")),
            "{steps:?}"
        );
        assert!(
            steps.iter().any(|name| name.contains(expected)),
            "{built}: {steps:?}"
        );
    }
}

/// The same recording twice, and files that others recorded.
#[test]
fn the_recorded_file_is_used_where_it_lies() {
    let case = Case::with(&views(&program("views")));
    let named = case.named(&Selection::default()).unwrap();
    assert!(named.unnamed.is_empty());
    assert!(named.warnings.is_empty());
}

/// Code that a program made has the recorded names; the rest of it, and what no mapping covers, tells its own cause.
#[test]
fn code_without_a_file_has_the_recorded_names_or_says_how_to_get_them() {
    let mut made = Recording::of(&program("views"));
    let code = made.map_made_code();
    made.name_made_code(code, "JS:*hot /srv/app.js:3:14");
    let main = made.at(program("views").line("light", 13));
    made.stack(6, &[code, main]);
    made.stack(3, &[Avma(code.0 + 16), main]);
    made.stack(1, &[Avma(0x10)]);
    let case = Case::with(&made);
    let all = Selection::default();
    let table = case.table(&all, By::Function);
    for (name, own) in [
        ("JS:*hot /srv/app.js:3:14", 60.0),
        ("[anon]", 30.0),
        ("[unmapped]", 10.0),
    ] {
        assert_eq!(shares(&table, name), (own, own), "{name}");
    }
    let unnamed = case.named(&all).unwrap().unnamed;
    let reasons: Vec<(&str, &str)> = (unnamed.iter())
        .map(|of| (of.path.as_str(), of.reason.as_deref().unwrap_or_default()))
        .collect();
    let [(anon, made), (unmapped, lost)] = reasons[..] else {
        panic!("{reasons:?}");
    };
    assert_eq!((anon, unmapped), ("//anon", "[unmapped]"));
    assert!(made.contains("/tmp/perf-PID.map"), "{made}");
    assert!(lost.contains("does not tell"), "{lost}");
}
