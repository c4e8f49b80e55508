//! Profiles added up: against llvm-profdata, with weights and ages, and fitted to a newer build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use hone_convert::merged::{Sum, Summed, aged};
use hone_convert::{Form, checked_extbinary};
use hone_fdo::autofdo_text;
use hone_fdo::merge::{Merged, Weight};
use hone_fdo::stale::Recovery;
use hone_files::advice::render;
use testkit::{fixture, has_tools, recorded};

use crate::common::{Case, program, refusal, text, try_convert};

/// Adds up files; the error is what the command would say.
fn sum(
    files: &[(PathBuf, Weight)],
    normalize: bool,
    build: Option<&Path>,
) -> Result<Summed, String> {
    let mut sum = Sum::default();
    for (file, weight) in files {
        let added = sum.add(file, *weight, normalize);
        let named = |error: anyhow::Error| render(&error.context(file.display().to_string()));
        added.map_err(named)?;
    }
    sum.finish(build).map_err(|error| render(&error))
}

#[track_caller]
fn samples(summed: Result<Summed, String>) -> (Box<Merged>, Option<Recovery>) {
    match summed.unwrap_or_else(|error| panic!("{error}")) {
        Summed::Samples(merged, recovery) => (merged, recovery),
        Summed::Fdata { text, .. } => panic!("fdata: {text}"),
    }
}

fn once(files: &[PathBuf]) -> Vec<(PathBuf, Weight)> {
    let each = files.iter().map(|file| (file.clone(), Weight::times(1)));
    each.collect()
}

#[test]
fn a_real_profile_and_its_parts_add_up_to_what_llvm_profdata_says() {
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let case = Case::of_file(&fixture("test.binary"));
    for (form, file) in [(Form::AutofdoText, "a"), (Form::AutofdoExtbinary, "b")] {
        let made = case.try_convert(fixture("test.lbr"), form).unwrap();
        case.write(file, made.bytes);
    }
    // A part of it, with other functions missing.
    let whole = fs::read_to_string(case.path("a")).unwrap();
    let starts = whole.match_indices('\n').map(|(at, _)| at + 1);
    let starts = starts.filter(|&at| whole[at..].starts_with(|c: char| c != ' '));
    let cut: Vec<usize> = starts.collect();
    case.write("c", &whole[cut[1]..cut[cut.len() / 2]]);

    let weighted = [("a", 1), ("b", 3), ("c", 1000)];
    let weighted = weighted.map(|(name, times)| (case.path(name), Weight::times(times)));
    let (merged, _) = samples(sum(&weighted, false, None));
    assert_eq!(merged.report.profiles, 3);
    case.write(
        "ours",
        checked_extbinary(&merged.samples, &merged.symbols).unwrap(),
    );
    let profdata = |arguments: &[&str]| {
        let output = Command::new("llvm-profdata-19")
            .args(arguments)
            .current_dir(case.path(""))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let inputs = [
        "merge",
        "--sample",
        "a",
        "--weighted-input=3,b",
        "--weighted-input=1000,c",
    ];
    profdata(&[&inputs[..], &["--text", "-o", "theirs.txt"]].concat());
    profdata(&["merge", "--sample", "ours", "--text", "-o", "ours.txt"]);
    let read = |name: &str| fs::read_to_string(case.path(name)).unwrap();
    assert_eq!(read("ours.txt"), read("theirs.txt"));
    // The list of functions without samples is kept as well.
    profdata(&[&inputs[..], &["--extbinary", "-o", "theirs"]].concat());
    let listed = |name: &str| {
        let text = profdata(&["show", "--sample", "--show-prof-sym-list", name]);
        let at = text.find("Dump profile symbol list").expect(&text);
        let mut names: Vec<String> = text[at..].lines().skip(1).map(str::to_owned).collect();
        names.sort();
        names
    };
    assert!(listed("ours").len() > 50);
    assert_eq!(listed("ours"), listed("theirs"));

    // Whatever the order.
    let both = |first: &str, second: &str| {
        let files = [first, second].map(|name| case.path(name));
        autofdo_text::write(&samples(sum(&once(&files), false, None)).0.samples)
    };
    assert_eq!(both("a", "b"), both("b", "a"));
}

#[test]
fn old_files_count_less_and_normalised_ones_alike() {
    let case = Case::of("steps");
    let [new, old, more] = [
        ("new", "f:1000:0\n 1: 1000\n"),
        ("old", "f:1000:0\n 2: 1000\n"),
        ("more", "f:9000:0\n 3: 9000\n"),
    ]
    .map(|(name, text)| case.write(name, text));
    let day = Duration::from_secs(86_400);
    let newest = SystemTime::now() - 3 * day;
    let set = |file: &Path, time| {
        let file = fs::File::options().write(true).open(file).unwrap();
        file.set_modified(time).unwrap();
    };
    set(&new, newest);
    let both = [new.clone(), old.clone()];
    let of_age = |age: Duration, half_life: Duration| {
        set(&old, newest - age);
        aged(&both, &[Weight::times(1); 2], half_life).unwrap()
    };
    let added = |weights: &[Weight]| {
        let files = both.iter().cloned().zip(weights.iter().copied());
        let (merged, _) = samples(sum(&files.collect::<Vec<_>>(), false, None));
        autofdo_text::write(&merged.samples)
    };
    let weights = of_age(14 * day, 7 * day);
    assert_eq!(added(&weights), "f:1250:0\n 1: 1000\n 2: 250\n");
    let weights = of_age(7000 * day, 7 * day);
    let nothing: Vec<bool> = weights.iter().map(|weight| weight.is_nothing()).collect();
    assert_eq!(nothing, [false, true]);

    let (merged, _) = samples(sum(&once(&[new, more]), true, None));
    assert_eq!(
        autofdo_text::write(&merged.samples),
        "f:2000000000000:0\n 1: 1000000000000\n 3: 1000000000000\n"
    );
}

#[test]
fn fdata_without_branches_is_merged() {
    let case = Case::of("steps");
    let a = case.write("a", "no_lbr cycles\n1 main 10 5\n");
    let b = case.write("b", "no_lbr cycles\n1 main 10 6\n1 f 0 1\n");
    let Ok(Summed::Fdata { text, places }) = sum(&once(&[a, b]), false, None) else {
        panic!("fdata is merged to fdata");
    };
    assert_eq!(text, "no_lbr cycles\n1 f 0 1\n1 main 10 11\n");
    assert_eq!(places, 2);
}

/// llvm#59067, llvm#118481, llvm#112328, llvm#137669: merge-fdata writes a mixture, or refuses profiles without
/// branches as "Malformed / corrupted profile counter" without saying which.
#[test]
fn fdata_is_added_up_and_a_damaged_file_is_named_with_its_line() {
    let case = Case::of("filters");
    for recording in ["filters-plain.data", "filters-walk.data"] {
        let fdata = case.profile(recorded(recording), Form::BoltFdata);
        let whole = case.write("whole", &fdata);
        // Cut in its third line.
        let lines: Vec<&str> = fdata.lines().collect();
        let third = lines[2];
        let cut = [lines[0], lines[1], &third[..third.len() / 2]].join("\n");
        let cut = case.write("cut", cut);
        let twice = sum(&once(&[whole.clone(), whole.clone()]), false, None);
        let Ok(Summed::Fdata { text, .. }) = twice else {
            panic!("fdata is merged to fdata");
        };
        let last = |line: &str| line.rsplit(' ').next().unwrap().parse().unwrap_or(0);
        let total = |text: &str| text.lines().map(last).sum::<u64>();
        assert_eq!(total(&text), 2 * total(&fdata));
        let refused = refusal(sum(&once(&[whole, cut]), false, None));
        assert!(refused.contains("cut: line 3: "), "{refused}");
    }
}

/// autofdo#227, autofdo#19: how to add profiles up, and profile_merger ends in "Check failed: count_threshold_".
#[test]
fn profiles_of_several_recordings_are_added_up() {
    let case = Case::of("filters");
    let convert = |recordings: usize, form| {
        let mut request = case.request("", form);
        request.recordings = vec![recorded("filters-walk.data"); recordings];
        try_convert(&request)
    };
    let (single, _) = text(convert(1, Form::AutofdoText));
    let (twice, _) = text(convert(2, Form::AutofdoText));
    let file = case.write("once", single);
    let (merged, _) = samples(sum(&once(&[file.clone(), file]), false, None));
    assert_eq!(autofdo_text::write(&merged.samples), twice);
    let [single, twice] = [1, 2].map(|count| convert(count, Form::GccGcov).unwrap().bytes);
    assert!(single.len() == twice.len() && single != twice);
    let file = case.write("once.afdo", single);
    let refused = refusal(sum(&once(&[file.clone(), file]), false, None));
    assert!(
        refused.contains("one hone convert --to gcc-gcov"),
        "{refused}"
    );
}

#[test]
fn what_cannot_be_merged_is_refused_with_a_next_step() {
    let case = Case::of("steps");
    for (name, text) in [
        ("lines", "f:1:0\n 1: 1\n"),
        ("probes", "f:1:0\n 1: 1\n !CFGChecksum: 5\n"),
        ("contexts", "[main:1 @ f]:1:0\n 1: 1\n"),
        ("fdata", "1 main 3fb 1 main 0 2 7\n"),
        ("noise", "what is this\n"),
        ("empty", ""),
        ("recording", "PERFILE2........"),
    ] {
        case.write(name, text);
    }
    fs::copy(program("steps").path(), case.path("binary")).unwrap();
    for (names, expected) in [
        (
            &["lines", "probes"][..],
            "probes: it is keyed by pseudo probes",
        ),
        (&["lines", "fdata"], "cannot be added up"),
        (&["lines", "contexts"], "context-sensitive"),
        (&["lines", "noise"], "noise: line 1"),
        (&["lines", "missing"], "missing"),
        (&["lines", "recording"], "hone convert"),
        (&["binary"], "an ELF file, not a profile"),
        (&["empty"], "none of the profiles"),
    ] {
        let files: Vec<PathBuf> = names.iter().map(|name| case.path(name)).collect();
        let refused = refusal(sum(&once(&files), false, None));
        assert!(refused.contains(expected), "{names:?}: {refused}");
    }
    let fdata = once(&[case.path("fdata")]);
    let refused = refusal(sum(&fdata, false, Some(&case.binary)));
    assert!(
        refused.contains("only sample profiles can be fitted"),
        "{refused}"
    );
    let hub = PathBuf::from("hub:shop");
    let refused = refusal(sum(&once(&[hub]), false, None));
    assert!(refused.contains("hubs add up by themselves"), "{refused}");
}

#[test]
fn an_old_profile_is_fitted_to_a_new_build_by_its_calls() {
    let (case, build) = (Case::of("fitted"), program("fitted"));
    let old = "moved:30:10\n 1: 10 one:10\n 2: 10 two:10\n 3: 10\nold_name:20:10\n 1: 10 one:10\n 2: 10 two:10\n";
    let fitted = old
        .replace(" 3: 10\n", " 5: 10\n")
        .replacen(" 1: 10", " 3: 10", 1)
        .replacen(" 2: 10", " 4: 10", 1)
        .replace("old_name", "new_name");
    let fit = |text: &str| {
        let file = case.write("profile", text);
        let (merged, recovery) = samples(sum(&once(&[file]), false, Some(build.path())));
        (autofdo_text::write(&merged.samples), recovery.unwrap())
    };
    let (made, recovery) = fit(old);
    assert_eq!(made, fitted);
    assert_eq!((recovery.unchanged, recovery.lost()), (0, 0));
    assert_eq!(recovery.recovered, recovery.weight);
    assert_eq!(
        recovery.renamed,
        [("old_name".to_owned(), "new_name".to_owned())]
    );
    // Fitted again, nothing moves.
    let (again, recovery) = fit(&fitted);
    assert_eq!(again, fitted);
    assert_eq!(recovery.unchanged, recovery.weight);
}
