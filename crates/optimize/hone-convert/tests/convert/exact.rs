//! The same recording gives the same profile as with the reference tools: at least 99 % block overlap.
//!
//! What remains is explained: docs/internals/create-llvm-prof.md and docs/internals/autofdo.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use hone_convert::Form;
use hone_convert::fitness::{Question, judge};
use hone_fdo::quality::Limits;
use hone_inputs::recording::EventChoice;
use testkit::{fixture, has_tools, recorded};

use crate::common::Case;

/// Block overlap of two profiles.
fn overlap(case: &Case, a: &str, b: &str) -> f64 {
    let quality = judge(&Question {
        profile: &case.path(a),
        binary: None,
        for_build: None,
        against: Some(&case.path(b)),
        events: EventChoice::default(),
        limits: Limits::default(),
    });
    let figures = quality.unwrap().figures;
    let found = figures.iter().find(|figure| figure.name == "block overlap");
    found.unwrap().value
}

/// Runs a reference tool in the directory of the case.
fn theirs(case: &Case, program: &str, words: &[String]) {
    let output = Command::new(program)
        .args(words)
        .current_dir(case.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
}

/// The profile without the names of inlined calls: those of C functions are random bytes in create_llvm_prof
/// 0.19, ends of lines among them.
fn without_inlined_names(profile: &[u8]) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let lines = profile.split(|byte| *byte == b'\n').filter_map(|line| {
        let line = String::from_utf8_lossy(line);
        if !line.starts_with(' ') {
            let mut parts = line.rsplitn(3, ':');
            let is_function = is_number(parts.next()?) && is_number(parts.next()?);
            return is_function.then(|| format!("{line}\n"));
        }
        let (place, rest) = line.split_once(": ")?;
        if !is_number(&place.trim_start().replacen('.', "", 1)) {
            return None;
        }
        if is_number(rest.split(' ').next()?) {
            return Some(format!("{line}\n"));
        }
        let total = rest.rsplit(':').next().filter(|total| is_number(total));
        Some(format!("{place}: inlined:{}\n", total.unwrap_or("0")))
    });
    lines.collect()
}

/// Compares the profile of the recording with those of llvm-profgen and create_llvm_prof.
fn compared(case: &Case, recording: &Path) {
    case.write("ours", case.profile(recording, Form::AutofdoText));
    let of = |option: &str, path: &Path| format!("{option}={}", path.display());
    let to = |text: &str| ["--format=text", text].map(str::to_owned).to_vec();
    if has_tools(&["llvm-profgen-19", "perf"]) {
        let mut words = to("--output=theirs");
        words.push(of("--perfdata", recording));
        words.push(of("--binary", &case.binary));
        theirs(case, "llvm-profgen-19", &words);
        let same = overlap(case, "ours", "theirs");
        assert!(same >= 0.99, "llvm-profgen-19: {same}");
    }
    if has_tools(&["create_llvm_prof"]) {
        let mut words = to("--out=theirs");
        words.push(of("--profile", recording));
        words.push(of("--binary", &case.binary));
        theirs(case, "create_llvm_prof", &words);
        // Inlined calls by their places alone.
        for name in ["ours", "theirs"] {
            let text = without_inlined_names(&fs::read(case.path(name)).unwrap());
            case.write(&format!("{name}.places"), text);
        }
        let same = overlap(case, "ours.places", "theirs.places");
        assert!(same >= 0.99, "create_llvm_prof 0.19: {same}");
    }
}

/// Issue of exactness, on a recording of hardware branch records.
#[test]
fn a_hardware_recording_gives_the_profiles_of_the_reference_tools() {
    let case = Case::of_file(&fixture("test.binary"));
    compared(&case, &fixture("test.lbr"));
}

/// Issue of exactness, and autofdo#242, llvm#82901: recordings of the walker are for every tool.
#[test]
fn a_walked_recording_gives_the_profiles_of_the_reference_tools() {
    let case = Case::of("filters");
    let recording = recorded("filters-walk.data");
    compared(&case, &recording);
    let perf2bolt = "/usr/lib/llvm-19/bin/perf2bolt";
    if !has_tools(&["perf"]) || !Path::new(perf2bolt).exists() {
        return;
    }
    let [binary, recording_] = [&case.binary, &recording].map(|path| path.display().to_string());
    let words = [
        binary,
        "-p".into(),
        recording_,
        "-o".into(),
        "theirs.fdata".into(),
    ];
    theirs(&case, perf2bolt, &words);
    let theirs = fs::read_to_string(case.path("theirs.fdata")).unwrap();
    let ours = case.profile(&recording, Form::BoltFdata);
    let same = shared(&branches(&ours), &branches(&theirs));
    assert!(same >= 0.99, "perf2bolt: {same}\n{ours}\n{theirs}");
}

/// Branches of fdata within the binary, with their counts.
fn branches(fdata: &str) -> BTreeMap<String, f64> {
    let inside = fdata.lines().filter(|line| !line.contains("[unknown]"));
    let parts = inside.map(|line| {
        let mut words = line.rsplitn(3, ' ');
        let taken = words.next().unwrap().parse().unwrap();
        (words.nth(1).unwrap().to_owned(), taken)
    });
    parts.collect()
}

/// The smaller share of each branch, added up.
fn shared(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> f64 {
    let sum = |of: &BTreeMap<String, f64>| of.values().sum::<f64>();
    let (all_a, all_b) = (sum(a), sum(b));
    let both = a
        .iter()
        .filter_map(|(ends, taken)| Some((taken, b.get(ends)?)));
    both.map(|(a, b)| (a / all_a).min(b / all_b)).sum()
}
