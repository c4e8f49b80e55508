//! The code of a function with its time, and the code on a page.

use std::fs;

use hone_look::annotated::{Sources, heaviest};
use hone_look::page_code::page_code;
use hone_look::selection::Selection;
use hone_views::By;
use testkit::recording::{Program, SAMPLE_NS};
use testkit::{compiled, recorded};

use crate::common::{Case, look, pattern, program, row, views};

#[test]
fn code_is_shown_with_its_time() {
    let program = program("views");
    let case = Case::with(&views(&program));
    let annotated = |name: &str, selection: &Selection| {
        let found = look(&case.path("p.data"), selection, |recording| {
            heaviest(recording, selection, name)
        });
        found.unwrap()
    };
    let all = Selection::default();
    let light = annotated("light", &all).unwrap();
    assert_eq!(
        (light.name.as_str(), light.weight),
        ("light", 45 * SAMPLE_NS)
    );
    let weights = light.instructions.iter().map(|at| at.weight);
    assert_eq!(weights.sum::<u64>(), light.weight);
    let hot = light.instructions.iter().find(|at| at.weight > 0).unwrap();
    assert_eq!((hot.line, hot.address), (13, program.line("light", 13).0));
    assert_eq!(light.binary, program.path());

    // An inlined function's code is its caller's.
    let heavy = annotated("heavy", &all).unwrap();
    assert_eq!(heavy.weight, 50 * SAMPLE_NS);
    let inlined = heavy.instructions.iter().find(|at| at.line == 5).unwrap();
    assert_eq!(
        (inlined.inlined.as_str(), inlined.weight),
        ("small", 40 * SAMPLE_NS)
    );
    assert!(annotated("small", &all).is_none());

    // Only the stacks that are chosen count.
    let without = Selection {
        ignore: pattern("^small$"),
        ..Selection::default()
    };
    assert_eq!(annotated("heavy", &without).unwrap().weight, 10 * SAMPLE_NS);
    let own = row(&case.table(&all, By::Function), "light").self_weight;
    assert_eq!(own, light.weight);
}

/// Source and code on a page, with what is absent told.
#[test]
fn pages_have_the_code_and_the_source_that_is_there() {
    let source = fs::read_to_string(recorded("sources/views.c")).unwrap();
    let directory = compiled(&source, &["-g", "-Wl,--build-id"]);
    let program = Program::read(&directory.path().join("p"));
    let case = Case::with(&views(&program));
    let page = |is_without_source| {
        let selection = Selection::default();
        let code = look(&case.path("p.data"), &selection, |recording| {
            let named = hone_look::names::named(recording, &selection)?;
            Ok(page_code(recording, &named.stacks, is_without_source))
        });
        format!("{:?}", code.unwrap())
    };
    let with = page(false);
    assert!(with.contains("x * 1664525u + 1013904223u"), "{with}");
    let without = page(true);
    assert!(!without.contains("1664525"), "{without}");
    assert!(without.contains("imul"), "{without}");
    fs::rename(
        directory.path().join("p.c"),
        directory.path().join("gone.c"),
    )
    .unwrap();
    let gone = page(false);
    assert!(
        gone.contains("is not on the machine that made the page"),
        "{gone}"
    );
    assert!(gone.contains("imul"), "{gone}");
}

#[test]
fn source_lines_are_read_once_and_may_be_absent() {
    let mut sources = Sources::default();
    let path = recorded("sources/views.c");
    let path = path.to_str().unwrap();
    assert!(sources.line(path, 5).contains("1664525u"));
    assert_eq!(sources.line(path, 1_000), "");
    assert_eq!(sources.line("/nowhere/views.c", 5), "");
}
