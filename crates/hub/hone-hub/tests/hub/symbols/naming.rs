//! Names from tables are those that the files give, whenever the files come.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use hone_batch::{EventIndex, PlaceIndex};
use hone_hub::symbols::limits::{LOOK_AGAIN_S, Limits};
use hone_hub::symbols::{Lack, Symbols, Was};
use hone_profile::FileOffset;
use hone_symbols::{Binary, DebugInfo, Image, MadeNames};
use hone_views::{Names, names_in, readable};

use super::asked::{all_code, batch, start_of};
use super::common::{ALL, INLINED, NOON_S, PLAIN, SMALL, Split, TENANT, build_of, split, symbols};
use crate::disk::{Disk, Kind};

fn empty() -> (Arc<Disk>, Symbols) {
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let symbols = symbols(disk.clone(), Limits::default());
    (disk, symbols)
}

fn take(symbols: &Symbols, path: &Path) -> Was {
    let file = File::open(path).unwrap();
    symbols.take(TENANT, &file, NOON_S).unwrap().was
}

/// Makes sure that the hub names all code as hone-views does from the files; returns the names.
fn check_names(symbols: &Symbols, code: &Path, debug: Option<&Path>, step: usize) -> Names {
    let code = std::fs::read(code).unwrap();
    let debug = debug.map(|debug| std::fs::read(debug).unwrap());
    let made = MadeNames::default();
    let image = Image {
        binary: &code,
        debug: debug.as_deref(),
        split: None,
    };
    let binary = Binary::parse_with_bodies(image, &made).unwrap();
    let debug = DebugInfo::parse(&binary).unwrap();
    let (profile, places) = all_code(&binary, step);
    let all = places.values().next().unwrap();
    let expected = names_in(&binary, &debug, &profile, all);
    let named = symbols.name_profile(TENANT, &profile, &places, NOON_S);
    let named = named.unwrap();
    assert_eq!(named.lacking, []);
    assert_eq!(named.names.len(), expected.len());
    for (place, frames) in &expected {
        let offset = profile.location(place.location).offset;
        assert_eq!(named.names.get(place), Some(frames), "{offset} {place:?}");
    }
    named.names
}

#[test]
fn names_of_all_code_are_those_that_the_files_give() {
    for recipe in ALL {
        let directory = tempfile::tempdir().unwrap();
        let Some(Split {
            whole,
            stripped,
            debug,
        }) = split(recipe, directory.path())
        else {
            continue;
        };
        let size = std::fs::metadata(&whole).unwrap().len();
        let step = if size > 1 << 20 { 97 } else { 1 };
        let (_, symbols) = empty();
        take(&symbols, &stripped);
        check_names(&symbols, &stripped, None, step);
        take(&symbols, &debug);
        let names = check_names(&symbols, &stripped, Some(&debug), step);
        assert!(!names.is_empty(), "{recipe:?}");
        let (_, symbols) = empty();
        take(&symbols, &whole);
        check_names(&symbols, &whole, None, step);
    }
}

#[test]
fn functions_come_with_calls_that_were_inlined_innermost_first() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = INLINED.build(directory.path()) else {
        return;
    };
    let (_, symbols) = empty();
    take(&symbols, &program);
    let names = check_names(&symbols, &program, None, 1);
    let depths: BTreeSet<usize> = names.values().map(Vec::len).collect();
    assert!(depths.len() > 3, "{depths:?}");
    let functions = names.values().filter_map(|frames| frames.last());
    let functions: BTreeSet<String> = functions.map(|frame| readable(&frame.function)).collect();
    for name in ["main", "shop::Basket::total() const"] {
        assert!(functions.contains(name), "{functions:?}");
    }
    let start = start_of(&program, "_ZNK4shop6Basket5totalEv");
    let frames = symbols.name_offset(TENANT, &build_of(&program), FileOffset(start), NOON_S);
    let frames = frames.unwrap();
    assert_eq!(readable(&frames[0].function), "shop::Basket::total() const");
    assert!(
        frames[0].file.ends_with("/inlined.cpp"),
        "{}",
        frames[0].file
    );
    assert!(frames[0].line > 5);
}

#[test]
fn symbols_that_come_late_name_samples_that_came_before() {
    let directory = tempfile::tempdir().unwrap();
    let Some(Split {
        whole,
        stripped,
        debug,
    }) = split(SMALL, directory.path())
    else {
        return;
    };
    // Also as a return address this is in the function.
    let batch = batch(&build_of(&whole), start_of(&whole, "twice") + 1);
    let (disk, asked) = empty();
    let uploads = symbols(disk, Limits::default());
    let mut now_s = NOON_S;
    let mut ask = || {
        now_s += LOOK_AGAIN_S;
        let names = asked.name_batch(TENANT, &batch, now_s).unwrap();
        let missing = names.missing(&batch, EventIndex(0)).into_iter();
        let missing = missing.map(|file| {
            let weights = [file.weight, file.own_weight];
            (file.file.path, file.file.lack, weights)
        });
        let missing: Vec<_> = missing.collect();
        let frames = names.at(PlaceIndex(0), false).iter();
        let frames: Vec<String> = frames.map(|frame| frame.function.clone()).collect();
        (frames, missing)
    };
    let old = || ("old".to_owned(), Lack::BuildId, [537, 7]);
    let program = |lack| ("program".to_owned(), lack, [537, 500]);
    assert_eq!(ask(), (vec![], vec![program(Lack::Everything), old()]));
    take(&uploads, &debug);
    assert_eq!(ask(), (vec![], vec![program(Lack::Code), old()]));
    take(&uploads, &stripped);
    let (frames, missing) = ask();
    assert_eq!(frames.last().map(String::as_str), Some("twice"));
    assert_eq!(missing, [old()]);
    // What is better takes its place, and what is worse does not.
    take(&uploads, &whole);
    assert_eq!(ask(), (frames, missing));
}

#[test]
fn a_stripped_program_is_still_missing() {
    let directory = tempfile::tempdir().unwrap();
    let Some(Split {
        whole, stripped, ..
    }) = split(PLAIN, directory.path())
    else {
        return;
    };
    // Also as a return address this is in the function.
    let batch = batch(&build_of(&whole), start_of(&whole, "twice") + 1);
    let (_, symbols) = empty();
    take(&symbols, &stripped);
    let names = symbols.name_batch(TENANT, &batch, NOON_S).unwrap();
    let missing = names.missing(&batch, EventIndex(1));
    let found: Vec<_> = missing
        .iter()
        .map(|file| (file.file.path.as_str(), file.file.lack, file.weight))
        .collect();
    assert_eq!(
        found,
        [("program", Lack::Names, 1), ("old", Lack::BuildId, 1)]
    );
    take(&symbols, &whole);
    let names = symbols.name_batch(TENANT, &batch, NOON_S).unwrap();
    assert_eq!(names.at(PlaceIndex(0), false)[0].function, "twice");
}

#[test]
fn tables_take_no_more_memory_than_they_may() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = INLINED.build(directory.path()) else {
        return;
    };
    let disk = Arc::new(Disk::new(Kind::Folder));
    for cache_bytes in [0, 100, 20_000, 128 << 20] {
        let limits = Limits {
            cache_bytes,
            ..Limits::default()
        };
        let symbols = symbols(disk.clone(), limits);
        take(&symbols, &program);
        check_names(&symbols, &program, None, 1);
        assert!(symbols.cache_bytes() <= cache_bytes);
    }
}
