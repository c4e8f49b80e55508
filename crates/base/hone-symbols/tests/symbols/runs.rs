//! All code of a binary in runs with one inline stack each, and what a file contains by its headers alone.

use crate::common::{LAYOUTS, compile, run};
use hone_profile::Svma;
use hone_symbols::{Binary, Contents, DebugInfo, SourceFrame, contents_of};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

/// What is compared of a frame, without the lifetime of its unit.
fn told(stack: &[SourceFrame<'_>]) -> Vec<String> {
    stack.iter().map(|frame| format!("{frame:?}")).collect()
}

#[test]
fn runs_have_the_inline_stack_of_each_of_their_addresses() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    for layout in &LAYOUTS {
        let bytes = std::fs::read(compile(layout.flags)).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let debug = DebugInfo::parse(&binary).unwrap();
        let mut runs = BTreeMap::new();
        let taken = debug.each_run(|run, stack| {
            assert!(run.start < run.end);
            let before = runs.insert(run.start, (run.end, told(stack)));
            assert_eq!(before, None, "{}", layout.name);
            Ok::<(), Infallible>(())
        });
        taken.unwrap();
        assert!(runs.len() > 50, "{}: {} runs", layout.name, runs.len());
        let ends = runs.values().map(|(end, _)| *end);
        let starts = runs.keys().skip(1);
        assert!(ends.zip(starts).all(|(end, next)| end <= *next));
        for svma in binary.executable_ranges().iter().cloned().flatten() {
            let svma = Svma(svma);
            let run = runs.range(..=svma).next_back();
            let run = run.filter(|(_, (end, _))| svma < *end);
            let stack = run.map_or(Vec::new(), |(_, (_, stack))| stack.clone());
            let expected = told(&debug.inline_stack(svma));
            assert_eq!(stack, expected, "{}: {svma}", layout.name);
        }
    }
}

#[test]
fn an_error_ends_the_runs() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    let bytes = std::fs::read(compile(LAYOUTS[0].flags)).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let debug = DebugInfo::parse(&binary).unwrap();
    let mut runs = 0;
    let taken = debug.each_run(|_, _| {
        runs += 1;
        if runs == 3 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((taken, runs), (Err("enough"), 3));
}

fn contents(path: &Path) -> Contents {
    contents_of(File::open(path).unwrap()).unwrap()
}

#[test]
fn headers_tell_what_a_file_contains() {
    if !has_tools(&["clang++-19", "ld.lld-19", "strip", "objcopy"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let whole = compile(LAYOUTS[3].flags);
    let bytes = std::fs::read(&whole).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let all = contents(&whole);
    let (stripped, debug) = (dir.path().join("stripped"), dir.path().join("debug"));
    run(Command::new("strip").arg("-o").arg(&stripped).arg(&whole));
    run(Command::new("objcopy")
        .arg("--only-keep-debug")
        .arg(&whole)
        .arg(&debug));
    assert_eq!(all.build_id.as_ref(), binary.build_id());
    assert!(all.is_linked && !all.is_package);
    assert!(all.unpacked_bytes > 1000, "{}", all.unpacked_bytes);
    let tells = |contents: &Contents| {
        [
            contents.has_code,
            contents.has_symbols,
            contents.has_debug_info,
        ]
    };
    assert_eq!(tells(&all), [true, true, true]);
    assert_eq!(tells(&contents(&stripped)), [true, false, false]);
    let split_off = contents(&debug);
    assert_eq!(tells(&split_off), [false, true, true]);
    assert_eq!(split_off.build_id, all.build_id);
    // Without its section headers, a program still has segments.
    let mut without = bytes.clone();
    without[40..48].fill(0);
    without[60..64].fill(0);
    let without = contents_of(std::io::Cursor::new(without)).unwrap();
    assert_eq!(tells(&without), [true, false, false]);
    assert_eq!(without.build_id, all.build_id);
}
