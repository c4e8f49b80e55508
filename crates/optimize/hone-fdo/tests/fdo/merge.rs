//! Merging: order and grouping do not matter, and the sums are those of `llvm-profdata-19`.

use crate::generated::{bytes, llvm_merge, profile, read, write};
use hone_fdo::merge::{
    Fdata, FdataError, FdataMerger, MergeError, Merged, NORMAL_TOTAL, SampleMerger, Weight,
    is_fdata,
};
use hone_fdo::{FunctionSamples, ReadProfile, SampleProfile, check, read_sample_profile};
use std::process::Command;
use std::time::Duration;
use testkit::{by_chance, has_tools};

const DAY: Duration = Duration::from_secs(86_400);

fn merged<'p>(inputs: impl IntoIterator<Item = (&'p ReadProfile, Weight)>) -> Merged {
    let mut merger = SampleMerger::default();
    for (profile, weight) in inputs {
        merger.add(profile, weight).unwrap();
    }
    merger.finish()
}

/// llvm-profdata takes an empty text for no profile at all.
fn not_empty(mut profile: SampleProfile, checksum: Option<u64>) -> SampleProfile {
    if profile.functions.is_empty() {
        let function = FunctionSamples {
            checksum,
            ..FunctionSamples::default()
        };
        profile.functions.insert("f".into(), function);
    }
    profile
}

fn text(text: &str) -> ReadProfile {
    read_sample_profile(text.as_bytes()).unwrap()
}

#[test]
fn order_does_not_matter_whatever_the_weights() {
    by_chance(|u| {
        let checksums = *u.choose(&[0, 2])?;
        let mut inputs = Vec::new();
        for _ in 0..u.int_in_range(2..=5)? {
            let profile = read(profile(u, checksums)?);
            let mut weight = Weight::times(u.int_in_range(1..=9)?);
            if u.arbitrary()? {
                weight = weight.aged(DAY * u.int_in_range(0..=90)?, 7 * DAY);
            }
            if u.arbitrary()? {
                weight = weight.normalised(profile.samples.total());
            }
            inputs.push((profile, weight));
        }
        let all = || inputs.iter().map(|(profile, weight)| (profile, *weight));
        let forwards = merged(all());
        assert_eq!(forwards, merged(all().rev()));
        let start = u.choose_index(inputs.len())?;
        let rotated = all().cycle().skip(start).take(inputs.len());
        assert_eq!(forwards, merged(rotated));
        Ok(())
    });
}

#[test]
fn merging_in_stages_gives_what_merging_at_once_gives() {
    by_chance(|u| {
        let profiles = [profile(u, 0)?, profile(u, 0)?, profile(u, 0)?].map(read);
        let weights = [u.int_in_range(0..=9)?, u.int_in_range(1..=9)?, 1].map(Weight::times);
        let one = Weight::default();
        let [a, b, c] = &profiles;
        let [x, y, z] = weights;
        let at_once = merged([(a, x), (b, y), (c, z)]).samples;
        let first = read(merged([(a, x), (b, y)]).samples);
        assert_eq!(merged([(&first, one), (c, z)]).samples, at_once);
        let last = read(merged([(b, y), (c, z)]).samples);
        assert_eq!(merged([(a, x), (&last, one)]).samples, at_once);
        Ok(())
    });
}

#[test]
fn the_sums_are_those_of_llvm_profdata() {
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for seed in 0..24 {
        let bytes = bytes(seed);
        let mut u = testkit::arbitrary::Unstructured::new(&bytes);
        // Checksums do not differ here: llvm-profdata keeps the version that comes first.
        let checksums = seed % 2;
        let inputs: Vec<SampleProfile> = (0..3)
            .map(|_| {
                not_empty(
                    profile(&mut u, checksums).unwrap(),
                    (checksums > 0).then_some(1),
                )
            })
            .collect();
        let weights = [1, 1 + seed as u32 % 5, 3];
        let mut arguments = vec!["--text".to_owned()];
        for (index, (input, weight)) in inputs.iter().zip(weights).enumerate() {
            write(input, &dir.path().join(format!("{index}")));
            arguments.push(format!("--weighted-input={weight},{index}"));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let theirs = match llvm_merge("llvm-profdata-19", &arguments, dir.path()) {
            Ok(bytes) => read_sample_profile(&bytes).unwrap(),
            Err(complaint) => panic!("{complaint}"),
        };
        let inputs: Vec<ReadProfile> = inputs.into_iter().map(read).collect();
        let weighted = inputs.iter().zip(weights.map(Weight::times));
        let ours = merged(weighted).samples;
        assert_eq!(ours, theirs.samples, "seed {seed}");
        compared += ours.functions.len();
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn versions_of_a_function_are_not_mixed() {
    let old = text("f:10:1\n 1: 10\n !CFGChecksum: 1\ng:5:0\n 1: 5\n !CFGChecksum: 7\n");
    let new = text("f:30:1\n 1: 30\n 2: 9\n !CFGChecksum: 2\ng:5:0\n 1: 5\n !CFGChecksum: 7\n");
    let one = Weight::default();
    for inputs in [[&old, &new], [&new, &old]] {
        let merged = merged(inputs.map(|input| (input, one)));
        assert_eq!(merged.samples.functions["f"], new.samples.functions["f"]);
        assert_eq!(merged.samples.functions["g"].total, 10);
        assert_eq!(
            (merged.report.conflicts, merged.report.conflicting_weight),
            (1, 10)
        );
        assert_eq!(merged.report.weight, 50);
    }
    // Twice the old build outweighs the new one, in whatever order they come.
    let most = merged([
        (&old, Weight::times(2)),
        (&new, one),
        (&old, Weight::times(2)),
    ]);
    assert_eq!(most.samples.functions["f"].checksum, Some(1));
    assert_eq!(most.samples.functions["f"].body.len(), 1);
}

#[test]
fn normalised_inputs_weigh_the_same() {
    let short = text("f:100:1\n 1: 100\n 2: 0\n");
    let long = text("f:3000000:1\n 1: 3000000\ng:9000000:1\n 1: 9000000\n 2: 1\n");
    let normalised = |profile: &ReadProfile| Weight::default().normalised(profile.samples.total());
    let sum = merged([(&short, normalised(&short)), (&long, normalised(&long))]).samples;
    assert_eq!(sum.functions["f"].total, NORMAL_TOTAL + NORMAL_TOTAL / 4);
    assert_eq!(sum.functions["g"].total, NORMAL_TOTAL / 4 * 3);
    let counts: Vec<u64> = sum.functions["f"]
        .body
        .values()
        .map(|line| line.count)
        .collect();
    assert_eq!(
        counts,
        [NORMAL_TOTAL + NORMAL_TOTAL / 4, 0],
        "never stays never"
    );
}

#[test]
fn kinds_that_cannot_be_added_up_are_refused() {
    let lines = text("f:1:0\n 1: 1\n");
    let probes = text("f:1:0\n 1: 1\n !CFGChecksum: 5\n");
    let hashes = text("123456:1:0\n 1: 1\n");
    let one = Weight::default();
    let mut merger = SampleMerger::default();
    merger.add(&text(""), one).unwrap();
    merger.add(&lines, one).unwrap();
    let error = merger.add(&probes, one).unwrap_err();
    assert_eq!(error, MergeError::OtherKeys { probes: true });
    assert_eq!(
        error.to_string(),
        "it is keyed by pseudo probes, the profiles before it by lines"
    );
    assert_eq!(merger.add(&hashes, one), Err(MergeError::Md5Names));
    let merged = merger.finish();
    assert_eq!(
        merged.samples, lines.samples,
        "what was refused left no trace"
    );
    assert_eq!(merged.report.empty, 1);
}

const BRANCHES: &str =
    "1 main 3fb 1 main 0 2 7\n1 main 3fb 1 main 0 1 3\n1 f\\ g 10 0 [unknown] 0 0 5\n";

#[test]
fn fdata_is_added_up() {
    assert!(is_fdata(BRANCHES.as_bytes()));
    assert!(!is_fdata(b"main:1:0\n 1: 1\n"));
    let mut merger = FdataMerger::default();
    merger
        .add(Fdata::read(BRANCHES).unwrap(), Weight::default())
        .unwrap();
    let other = "1 main 3fb 1 main 0 0 100\n4 main 5 4 data 10 6\n";
    merger
        .add(Fdata::read(other).unwrap(), Weight::times(2))
        .unwrap();
    let sum = merger.finish();
    assert_eq!(
        sum,
        "1 f\\ g 10 0 [unknown] 0 0 5\n1 main 3fb 1 main 0 3 210\n4 main 5 4 data 10 12\n"
    );
    assert_eq!(Fdata::read(&sum).unwrap().total(), 227);
}

#[test]
fn fdata_without_branches_is_added_up_too() {
    let samples = |text| Fdata::read(text).unwrap();
    let mut merger = FdataMerger::default();
    let one = Weight::default();
    merger
        .add(samples("no_lbr cycles\n1 main 10 5\n1 main 14 1\n"), one)
        .unwrap();
    merger
        .add(samples("no_lbr cpu-clock\n1 main 10 6\n"), one)
        .unwrap();
    let error = merger.add(Fdata::read(BRANCHES).unwrap(), one).unwrap_err();
    assert_eq!(error, FdataError::OtherEvidence { branches: true });
    let error = merger.add(
        samples("boltedcollection\nno_lbr cycles\n1 main 10 6\n"),
        one,
    );
    assert_eq!(error, Err(FdataError::SomeBolted));
    assert_eq!(
        merger.finish(),
        "no_lbr cpu-clock cycles\n1 main 10 11\n1 main 14 1\n"
    );
}

#[test]
fn malformed_fdata_is_named() {
    for (text, line) in [
        ("1 main 3fb 1 main 0 0 x\n", 1),
        ("1 main 3fb 1 main 0 0 1\n1 main 3fb 1\n", 2),
        ("nonsense\n", 1),
        ("no_lbr\n1 main 3 1 main 4 0 1\n", 2),
    ] {
        let error = Fdata::read(text).unwrap_err();
        assert!(
            matches!(error, FdataError::Line { line: l, .. } if l == line),
            "{text}"
        );
    }
}

#[test]
fn merge_fdata_counts_the_same_branches() {
    if !has_tools(&["merge-fdata-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let other = "1 main 3fb 1 main 0 0 100\n1 g 1 1 main 0 0 9\n";
    std::fs::write(dir.path().join("a"), BRANCHES).unwrap();
    std::fs::write(dir.path().join("b"), other).unwrap();
    let output = Command::new("merge-fdata-19")
        .args(["a", "b"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let theirs = String::from_utf8(output.stdout).unwrap();
    let mut merger = FdataMerger::default();
    for text in [BRANCHES, other] {
        merger
            .add(Fdata::read(text).unwrap(), Weight::default())
            .unwrap();
    }
    // It takes a branch with another number of mispredictions for another branch: theirs has three lines for
    // one. Added up here, they are the same.
    assert_eq!(theirs.lines().count(), 5, "{theirs}");
    let mut again = FdataMerger::default();
    again
        .add(Fdata::read(&theirs).unwrap(), Weight::default())
        .unwrap();
    assert_eq!(merger.finish(), again.finish());
    // What it refuses, hone merge takes: see the test above.
    std::fs::write(dir.path().join("a"), "no_lbr cycles\n1 main 10 5\n").unwrap();
    let output = Command::new("merge-fdata-19")
        .args(["a", "a"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    println!("merge-fdata-19 on no_lbr: {} {said}", output.status);
}

#[test]
fn what_is_merged_is_read_back() {
    by_chance(|u| {
        let sum = merged([(&read(profile(u, 2)?), Weight::default())]).samples;
        let bytes = hone_fdo::extbinary::write(&sum, None);
        if !sum.functions.is_empty() {
            let found = check::read_extbinary(&bytes).unwrap();
            assert_eq!(check::compare(&sum, &found), []);
            assert_eq!(read_sample_profile(&bytes).unwrap().samples, sum);
        }
        Ok(())
    });
}
