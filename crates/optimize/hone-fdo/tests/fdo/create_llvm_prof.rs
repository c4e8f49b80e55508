//! The real recording of the fixtures, against Debian's `create_llvm_prof` 0.19.
//!
//! Every kind of difference is explained in docs/internals/create-llvm-prof.md; this test allows exactly these.

use crate::common::run;
use hone_fdo::check::{self, ParsedFunction, ParsedProfile};
use hone_fdo::{Code, Counts, Evidence, autofdo_text, convert};
use hone_profile::Svma;
use hone_symbols::Binary;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::{fixture, has_tools};

/// create_llvm_prof leaves out functions below this share of the weight.
const THEIR_THRESHOLD: f64 = 5e-6;

#[derive(Default, Debug)]
struct Comparison {
    equal_lines: usize,
    raised_to_calls: usize,
    summed_targets: usize,
}

#[test]
fn the_fixture_gives_what_create_llvm_prof_gives() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    if !has_tools(&["create_llvm_prof"]) {
        return;
    }
    let theirs = what_create_llvm_prof_gives(&recording, &binary);

    let profile = hone_profile::perf_data::read(&std::fs::read(&recording).unwrap()).unwrap();
    let bytes = std::fs::read(&binary).unwrap();
    let converted = convert(
        &[profile.into()],
        Evidence::Branches,
        binary.to_str(),
        &bytes,
    )
    .unwrap();
    assert_eq!(converted.counts.report.ranges_dropped(), 0);
    let ours = check::read_text(&autofdo_text::write(&converted.attribution.samples)).unwrap();
    assert_eq!(check::conservation(&converted.attribution, &ours), []);

    let last_bytes = bytes_after_the_first_of_last_instructions(&converted.counts, &bytes);
    let bytes_run = |((first, last), count): (&(Svma, Svma), &u64)| count * (1 + last.0 - first.0);
    let weight: u64 = converted
        .counts
        .ranges
        .iter()
        .chain(&converted.counts.plt_ranges)
        .map(bytes_run)
        .sum();
    let threshold = weight as f64 * THEIR_THRESHOLD;
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
                // They weigh the last instruction of a range as one byte, whatever its length.
                let missed = last_bytes.get(name.as_str()).copied().unwrap_or(0);
                assert_eq!(our_function.total, their_function.total + missed, "{name}");
                compare(name, our_function, their_function, &mut seen);
            }
            None => {
                let their_total = our_function.total - last_bytes[name.as_str()];
                assert!(their_total as f64 <= threshold, "{name}: {their_total}");
            }
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

/// The profile that create_llvm_prof writes as text.
///
/// Names of inlined functions without a linkage name are freed memory in 0.19: parts of addresses, others in each
/// run and not even UTF-8. Some runs have a line's end among them and cannot be read, so a few are tried.
fn what_create_llvm_prof_gives(recording: &Path, binary: &Path) -> ParsedProfile {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let mut command = Command::new("create_llvm_prof");
    command
        .arg("--format=text")
        .arg(format!("--profile={}", recording.display()))
        .arg(format!("--binary={}", binary.display()))
        .arg(format!("--out={}", out.display()));
    let mut profile = || {
        run(&mut command);
        check::read_text(&String::from_utf8_lossy(&std::fs::read(&out).unwrap()))
    };
    (0..10)
        .find_map(|_| profile().ok())
        .unwrap_or_else(|| profile().unwrap())
}

/// By function: for each range its count times the length of its last instruction, less one.
fn bytes_after_the_first_of_last_instructions(
    counts: &Counts,
    bytes: &[u8],
) -> BTreeMap<String, u64> {
    let binary = Binary::parse(bytes).unwrap();
    let code = Code::new(&binary);
    let mut by_function = BTreeMap::new();
    for (&(_, last), &count) in &counts.ranges {
        let Some(function) = binary.function_at(last) else {
            continue;
        };
        let instructions = code.of_function(function);
        let length = instructions.length(instructions.index_of(last).unwrap());
        *by_function.entry(function.name.to_owned()).or_default() += count * (length - 1);
    }
    by_function
}

fn compare(path: &str, ours: &ParsedFunction, theirs: &ParsedFunction, seen: &mut Comparison) {
    assert!(
        ours.total >= theirs.total,
        "{path}: {} and {}",
        ours.total,
        theirs.total
    );
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
