//! Profiles and recordings judged: figures, verdicts, and what is refused.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hone_convert::Form;
use hone_convert::fitness::{Question, judge};
use hone_fdo::quality::{Figure, Limits, Quality, SPLIT_HALF, Threshold, Verdict};
use hone_files::advice::render;
use hone_inputs::recording::EventChoice;
use testkit::recording::Recording;
use testkit::{fixture, has_tools, recorded};

use crate::common::{Case, jumps, program, refusal};
use crate::damaged::PACKED;

/// A question about a profile or recording in a directory, with no more in it.
fn about(profile: &Path) -> Question<'_> {
    Question {
        profile,
        binary: None,
        for_build: None,
        against: None,
        events: EventChoice::default(),
        limits: Limits::default(),
    }
}

fn answer(question: &Question<'_>) -> Result<Quality, String> {
    judge(question).map_err(|error| render(&error))
}

#[track_caller]
fn judged(question: &Question<'_>) -> Quality {
    answer(question).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn figure<'q>(quality: &'q Quality, name: &str) -> &'q Figure {
    let found = quality.figures.iter().find(|figure| figure.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:#?}", quality.figures))
}

#[track_caller]
fn value(quality: &Quality, name: &str) -> f64 {
    figure(quality, name).value
}

#[test]
fn a_real_recording_is_judged() {
    let case = Case::of_file(&fixture("test.binary"));
    let recording = fixture("test.lbr");
    let of_recording = Question {
        binary: Some(&case.binary),
        ..about(&recording)
    };
    let quality = judged(&of_recording);
    assert!(
        (40.0..50.0).contains(&value(&quality, "density")),
        "{quality:#?}"
    );
    // What counts is that its halves say much the same.
    assert!(figure(&quality, "density").threshold.is_none());
    let halves = figure(&quality, SPLIT_HALF);
    assert!((0.5..1.0).contains(&halves.value), "{halves:?}");
    assert!(halves.shown.ends_with("branch stacks"), "{halves:?}");
    assert_eq!(
        quality,
        judged(&of_recording),
        "the halves are always the same"
    );
    assert_eq!(value(&quality, "branch records"), 1.0);
    assert_eq!(value(&quality, "broken ranges"), 0.0);
    assert!(
        (0.0..0.5).contains(&value(&quality, "outside")),
        "{quality:#?}"
    );
    assert!(
        (0.01..0.9).contains(&value(&quality, "code seen")),
        "{quality:#?}"
    );
    // A tighter limit makes it unfit, and what to do is said.
    let limits = Limits {
        density: Some(Threshold::Below {
            poor: 1e12,
            unfit: 1e12,
        }),
        ..Limits::default()
    };
    let tighter = judged(&Question {
        limits,
        binary: Some(&case.binary),
        ..about(&recording)
    });
    assert_eq!(tighter.verdict(), Verdict::Unfit);
    let density = figure(&tighter, "density");
    assert_eq!(density.verdict, Verdict::Unfit);
    assert!(
        density.advice.as_ref().unwrap().starts_with("Record"),
        "{density:?}"
    );

    // The profile made of it is not stale for the same build, and is the same as itself.
    let made = case
        .try_convert(&recording, Form::AutofdoExtbinary)
        .unwrap();
    let profile = case.write("a.prof", made.bytes);
    let quality = judged(&Question {
        for_build: Some(&case.binary),
        binary: Some(&case.binary),
        against: Some(&recording),
        ..about(&profile)
    });
    // A profile does not tell what its recording would have told.
    assert_eq!(quality.verdict(), Verdict::Unknown);
    let halves = figure(&quality, SPLIT_HALF).advice.as_deref();
    assert!(
        halves.unwrap().starts_with("Name the recording"),
        "{halves:?}"
    );
    assert_eq!(
        (value(&quality, "gone"), value(&quality, "changed")),
        (0.0, 0.0)
    );
    assert!(value(&quality, "block overlap") > 0.999_999, "{quality:#?}");
    assert!(
        value(&quality, "function overlap") > 0.999_999,
        "{quality:#?}"
    );
}

/// Judges walks of the program `steps`, of which some go round in one function and some in the other.
fn of_walks(walks: &[(&str, u64)]) -> Quality {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let mut recording = Recording::with_branches(&steps, hone_fdo::WALK_EVENT);
    for &(function, pieces) in walks {
        let at = recording.at(steps.function(function));
        recording.walk_round(0, pieces, &[(at, at); 32]);
    }
    recording.write(&case.path("p.data"));
    judged(&Question {
        binary: Some(&case.binary),
        ..about(&case.path("p.data"))
    })
}

/// 31,000 branches are dense, and say nothing of the next walk.
#[test]
fn one_walk_of_many_pieces_is_one_observation() {
    let one = of_walks(&[("step", 1_000)]);
    assert!(value(&one, "density") > 10_000.0, "{one:#?}");
    let halves = figure(&one, SPLIT_HALF);
    assert_eq!(halves.verdict, Verdict::Unfit);
    assert!(halves.shown.starts_with("one walk"), "{halves:?}");
    assert_eq!(one.verdict(), Verdict::Unfit);
}

#[test]
fn walks_of_other_work_are_unfit_and_those_of_the_same_are_good() {
    let apart = of_walks(&[("step", 500), ("turn", 500)]);
    assert_eq!(value(&apart, SPLIT_HALF), 0.0);
    assert_eq!(figure(&apart, SPLIT_HALF).verdict, Verdict::Unfit);
    let both = ["step", "turn"].map(|name| (name, 5));
    let alike = of_walks(&both.repeat(50));
    let halves = figure(&alike, SPLIT_HALF);
    assert_eq!(halves.verdict, Verdict::Good, "{halves:?}");
    assert!(
        halves.shown.ends_with("the halves of 100 walks"),
        "{halves:?}"
    );
    let over_time = figure(&alike, "over time");
    assert_eq!(over_time.verdict, Verdict::Good, "{over_time:?}");
}

/// Phases that follow each other are in both halves that chance deals out, and in neither half of the time.
#[test]
fn work_that_changed_on_the_way_is_poor_however_many_walks_there_are() {
    let walks: Vec<_> = (0..200)
        .map(|walk| (if walk < 100 { "step" } else { "turn" }, 5))
        .collect();
    let phases = of_walks(&walks);
    assert_eq!(figure(&phases, SPLIT_HALF).verdict, Verdict::Good);
    let over_time = figure(&phases, "over time");
    assert!(over_time.value < 0.3, "{over_time:?}");
    assert_eq!(over_time.verdict, Verdict::Poor);
    assert!(over_time.advice.as_ref().unwrap().contains("whole run"));
}

/// BOLT's text of what ran in the binary and of what ran elsewhere.
#[test]
fn texts_are_judged_as_recordings() {
    let case = Case::of("steps");
    let [step, turn] = ["step", "turn"].map(|name| program("steps").function(name).0);
    let text = format!(
        "B {step:x} {turn:x} 70 1\nF {turn:x} {turn:x} 70\nB X:0 X:1 70 0\nnonsense here\n"
    );
    let mixed = case.write("mixed", text);
    let with_binary = Question {
        binary: Some(&case.binary),
        ..about(&mixed)
    };
    let quality = judged(&with_binary);
    assert_eq!(value(&quality, "outside"), 0.5);
    // Counts that are added up have no observations.
    assert_eq!(figure(&quality, SPLIT_HALF).verdict, Verdict::Unknown);
    let alone = refusal(answer(&about(&mixed)));
    assert!(alone.contains("--binary"), "{alone}");
}

/// What is known of plain samples: they make a poorer profile.
#[test]
fn a_recording_of_plain_samples_is_judged() {
    let case = Case::of("filters");
    for name in ["filters-plain.data", "filters-perf.data"] {
        let quality = judged(&Question {
            binary: Some(&case.binary),
            ..about(&recorded(name))
        });
        let advice = figure(&quality, "branch records").advice.as_ref();
        let advice = advice.expect("what plain samples cost");
        assert!(advice.contains("9 % slower"), "{advice}");
        assert!(
            quality
                .figures
                .iter()
                .any(|figure| figure.name == "outside")
        );
    }
}

#[test]
fn overlap_agrees_with_llvm_profdata() {
    let case = Case::of("steps");
    let (mut a, mut b) = (String::new(), String::new());
    for function in 0..40u64 {
        // Both have the same total; every third function moves weight from one line to the other.
        let moved = if function % 3 == 0 { 400 } else { 0 };
        let _ = writeln!(a, "f{function}:2000:10\n 1: 1000\n 2: 1000");
        let (less, more) = (1000 - moved, 1000 + moved);
        let _ = writeln!(b, "f{function}:2000:10\n 1: {less}\n 2: {more}");
    }
    let (a, b) = (case.write("a", a), case.write("b", b));
    let ours = value(
        &judged(&Question {
            against: Some(&b),
            ..about(&a)
        }),
        "block overlap",
    );
    let expected = 1.0 - 14.0 * 400.0 / 80_000.0;
    assert!((ours - expected).abs() < 1e-9, "{ours}");
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let output = Command::new("llvm-profdata-19")
        .args(["overlap", "--sample", "a", "b"])
        .current_dir(case.path(""))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let percent = |what: &str| -> f64 {
        let line = text.lines().find(|line| line.contains(what)).expect(&text);
        let number = line.rsplit(' ').next().unwrap().trim_end_matches('%');
        number.parse().unwrap()
    };
    // Theirs in percent with three places.
    let theirs = percent("profile similarity");
    assert!((theirs - 100.0 * ours).abs() < 0.001, "{text}");
    // The same without shares: what both have, by what either has.
    let theirs = percent("sample overlap");
    assert!(
        (theirs - 100.0 * ours / (2.0 - ours)).abs() < 0.001,
        "{text}"
    );
}

#[test]
fn plain_samples_are_warned_of() {
    let case = Case::of("steps");
    let mut text = String::new();
    for function in 0..5 {
        let _ = writeln!(text, "f{function}:900:0\n 1: 500\n 2: 400");
    }
    let of = |name: &str, text: &str| judged(&about(&case.write(name, text)));
    let plain = of("plain", &text);
    assert_eq!(plain.verdict(), Verdict::Poor);
    let advice = figure(&plain, "branch records").advice.as_ref().unwrap();
    assert!(
        advice.contains("9 %") && advice.contains("--branches"),
        "{advice}"
    );
    // What its counts are is not known, so nothing is said of their number.
    assert!(figure(&plain, "density").threshold.is_none());
    // With entries of functions it is of branch records, and how many there are decides only where a limit is given.
    let thin = text.replace(":0\n", ":1\n").replace("00", "0");
    assert_eq!(of("thin", &thin).verdict(), Verdict::Unknown);
}

#[test]
fn a_new_build_shows_how_stale_a_profile_is() {
    let (case, new) = (Case::of("old"), program("new"));
    // By hand, so that the shares are known; lines count from the function's first.
    let profile = "kept:400:100\n 1: 100\n 2: 100\n 3: 100\nmoved:600:100\n 1: 100\n 2: 100\n 3: 100\n 4: 100\n\
                   dropped:100:100\n 0: 100\n";
    let profile = case.write("p", profile);
    let for_build = |build: &PathBuf, limits| {
        judged(&Question {
            for_build: Some(build),
            limits,
            ..about(&profile)
        })
    };
    let same = for_build(&case.binary, Limits::default());
    assert_eq!((value(&same, "gone"), value(&same, "changed")), (0.0, 0.0));
    assert_ne!(same.verdict(), Verdict::Unfit);

    let newer = for_build(&new.path().to_owned(), Limits::default());
    assert_eq!(value(&newer, "gone"), 0.125, "{newer:#?}");
    assert_eq!(figure(&newer, "gone").details[0], "dropped");
    let changed = figure(&newer, "changed").details.join("\n");
    assert!(
        changed.contains("moved, which looks moved by +2 lines"),
        "{changed}"
    );
    assert_eq!(newer.verdict(), Verdict::Poor, "poor, but not unfit");
    let mut limits = Limits::default();
    limits.stale = limits.stale.unfit_at(0.1);
    let strict = for_build(&new.path().to_owned(), limits);
    assert_eq!(strict.verdict(), Verdict::Unfit);
}

#[test]
fn probes_are_compared_by_checksum() {
    let case = Case::of("new-probes");
    let text = "kept:30:1\n 1: 30\n !CFGChecksum: 12345\ngone:10:1\n 1: 10\n !CFGChecksum: 1\n";
    let quality = judged(&Question {
        for_build: Some(&case.binary),
        ..about(&case.write("p", text))
    });
    assert_eq!(
        (value(&quality, "gone"), value(&quality, "changed")),
        (0.25, 0.75)
    );
    assert_eq!(quality.verdict(), Verdict::Unfit);
}

#[test]
fn what_cannot_be_judged_is_refused_with_a_next_step() {
    let case = Case::of("steps");
    for (name, text) in [
        ("lines", "f:1:0\n 1: 1\n"),
        ("probes", "f:1:0\n 1: 1\n !CFGChecksum: 5\n"),
        ("noise", "int main() {}\n"),
        ("fdata", "1 main 3fb 1 main 0 2 7\n"),
        ("recording", "PERFILE2........"),
        ("script", "  401136  0x401136/0x401120/P/-/-/1 \n"),
        ("contexts", "[main:3 @ f]:10:1\n 1: 10\n"),
    ] {
        case.write(name, text);
    }
    case.write("packed", PACKED);
    let b = Path::new("b");
    let [lines, nowhere] = ["lines", "nowhere"].map(|name| case.path(name));
    let probes = case.path("probes");
    for (name, binary, for_build, against, expected) in [
        ("missing", None, None, None, "missing"),
        ("fdata", None, None, None, "fdata"),
        ("recording", None, None, None, "--binary"),
        ("script", None, None, None, "--binary"),
        ("packed", None, None, None, "gunzip"),
        ("noise", None, None, None, "noise: line 1"),
        (
            "contexts",
            None,
            None,
            None,
            "contexts: it is a context-sensitive profile",
        ),
        ("lines", None, None, Some(&*probes), "pseudo probes"),
        ("lines", None, Some(&*lines), None, "lines"),
        ("lines", Some(b), None, None, "--for-build b"),
        ("recording", None, Some(b), None, "--binary"),
        ("lines", None, Some(&*nowhere), None, "nowhere"),
    ] {
        let profile = case.path(name);
        let refused = refusal(answer(&Question {
            binary,
            for_build,
            against,
            ..about(&profile)
        }));
        assert!(refused.contains(expected), "{name}: {refused}");
    }
}

/// perf2bolt under a name with a suffix rewrites the binary, and the "profile" is an ELF file.
#[test]
fn a_binary_in_place_of_a_profile_is_recognised() {
    let refused = refusal(answer(&about(program("steps").path())));
    assert!(refused.contains("an ELF file, not a profile"), "{refused}");
    assert!(refused.contains("perf2bolt-19"), "{refused}");
}

/// The figures of a recording made by hand are those of the recording.
#[test]
fn samples_elsewhere_are_a_figure() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let mut recording = jumps(&steps, 30);
    let elsewhere = hone_profile::Avma(0xffff_ffff_8100_0000);
    recording.plain(0, 10, elsewhere);
    recording.write(&case.path("p.data"));
    let quality = judged(&Question {
        binary: Some(&case.binary),
        ..about(&case.path("p.data"))
    });
    assert_eq!(value(&quality, "outside"), 0.25, "{quality:#?}");
    fs::remove_file(case.path("p.data")).unwrap();
}
