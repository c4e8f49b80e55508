//! The real recording of the fixtures, against Debian's `create_llvm_prof` 0.19.
//!
//! Every kind of difference is explained in docs/internals/create-llvm-prof.md; this test allows exactly these.

mod common;

use common::{have, run};
use hone_fdo::check::{self, ParsedFunction};
use hone_fdo::{Evidence, autofdo_text, convert};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/fixtures/lbr")
        .join(name);
    if !path.exists() {
        println!("skipped: ../shared/fixtures/lbr/{name} is absent");
    }
    path.canonicalize().ok()
}

/// Smallest total that create_llvm_prof emits is 11.
const THEIR_TOTAL_MIN: u64 = 11;

#[derive(Default, Debug)]
struct Comparison {
    equal_lines: usize,
    raised_to_calls: usize,
    summed_targets: usize,
}

#[test]
fn the_fixture_gives_what_create_llvm_prof_gives() {
    let (Some(recording), Some(binary)) = (fixture("test.lbr"), fixture("test.binary")) else {
        return;
    };
    if !have(&["create_llvm_prof"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    run(Command::new("create_llvm_prof")
        .arg("--format=text")
        .arg(format!("--profile={}", recording.display()))
        .arg(format!("--binary={}", binary.display()))
        .arg(format!("--out={}", out.display())));
    // Names of inlined functions without a linkage name are garbage in 0.19, not even UTF-8.
    let text = String::from_utf8_lossy(&std::fs::read(out).unwrap()).into_owned();
    let theirs = check::read_text(&text).unwrap();

    let profile = hone_profile::perf_data::read(&std::fs::read(&recording).unwrap()).unwrap();
    let bytes = std::fs::read(&binary).unwrap();
    let converted = convert(&[profile], Evidence::Branches, binary.to_str(), &bytes).unwrap();
    assert_eq!(converted.counts.report.ranges_dropped(), 0);
    let ours = check::read_text(&autofdo_text::write(&converted.attribution.samples)).unwrap();
    assert_eq!(check::conservation(&converted.attribution, &ours), []);

    let mut seen = Comparison::default();
    for (name, our_function) in &ours.functions {
        match theirs.functions.get(name) {
            Some(their_function) => {
                let heads_of_dropped = if name == "inflate_block" { 1 } else { 0 };
                assert_eq!(
                    our_function.head,
                    their_function.head + heads_of_dropped,
                    "{name}"
                );
                compare(name, our_function, their_function, &mut seen);
            }
            None => assert!(
                our_function.total < THEIR_TOTAL_MIN,
                "{name}: {}",
                our_function.total
            ),
        }
    }
    assert!(
        theirs
            .functions
            .keys()
            .all(|name| ours.functions.contains_key(name))
    );
    assert_eq!(
        ours.functions.len(),
        theirs.functions.len() + 1,
        "only `inflate` is small"
    );
    assert!(seen.equal_lines > 600, "{seen:?}");
    assert!(seen.raised_to_calls + seen.summed_targets < 40, "{seen:?}");
    assert_eq!(seen.summed_targets, 1, "one line with two calls: {seen:?}");
}

fn compare(path: &str, ours: &ParsedFunction, theirs: &ParsedFunction, seen: &mut Comparison) {
    assert_eq!(ours.total, theirs.total, "{path}");
    assert!(ours.lines.keys().eq(theirs.lines.keys()), "{path}");
    for (key, (count, targets)) in &ours.lines {
        let (their_count, their_targets) = &theirs.lines[key];
        let calls: u64 = targets.values().sum();
        if targets != their_targets {
            // Of several call instructions on one line theirs keeps the last, ours the sum.
            assert!(targets.keys().eq(their_targets.keys()), "{path} {key:?}");
            assert!(
                targets
                    .iter()
                    .all(|(name, calls)| calls >= &their_targets[name])
            );
            seen.summed_targets += 1;
        } else if count != their_count {
            // A line runs at least as often as the calls made from it.
            assert_eq!(*count, calls, "{path} {key:?}");
            assert!(count > their_count, "{path} {key:?}");
            seen.raised_to_calls += 1;
        } else {
            seen.equal_lines += 1;
        }
    }
    // Their names of inlined functions are garbage here: the places tell which is which.
    let by_place = |function: &ParsedFunction| -> BTreeMap<(u32, u32), ParsedFunction> {
        let places = function
            .inlined
            .iter()
            .map(|((l, d, _), callee)| ((*l, *d), callee.clone()));
        places.collect()
    };
    let (our_calls, their_calls) = (by_place(ours), by_place(theirs));
    assert!(our_calls.keys().eq(their_calls.keys()), "{path}");
    for (place, callee) in &our_calls {
        compare(
            &format!("{path} > {place:?}"),
            callee,
            &their_calls[place],
            seen,
        );
    }
}
