//! Complaints about what comes out: nothing, the wrong thing, or something that does no good.

use super::{FOR_PROFILING, FORMS, Made, PLAIN, WALK, refusal};
use crate::common::{has_tools, hone, stderr, stdout};
use hone_profile::Avma;
use hone_profile::perf_data::{
    EventDescription, Features, SoftwareCounter, SoftwareEvent, WalkSample, Writer, sample_type,
};
use std::fs;
use std::io::Cursor;

/// A recording of plain samples at these addresses, of which no mapping is known.
fn recording_of(addresses: &[u64]) -> Vec<u8> {
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: 1_000_000,
        is_frequency: false,
        sample_type: sample_type::IP | sample_type::TID | sample_type::TIME | sample_type::PERIOD,
        branch_sample_type: 0,
    };
    let event = EventDescription {
        name: "cpu-clock".into(),
        attr: event.attr(),
        ids: vec![],
    };
    let mut writer = Writer::new(Cursor::new(Vec::new()), vec![event]).unwrap();
    for (index, &address) in addresses.iter().enumerate() {
        let sample = WalkSample {
            event: 0,
            pid: 7,
            tid: 7,
            cpu: 0,
            ip: Avma(address),
            time_ns: 1000 + index as u64,
            period: 1_000_000,
            call_chain: &[],
            branches: &[],
        };
        writer.walk_sample(&sample).unwrap();
    }
    let file = writer.finish(&Features::default()).unwrap();
    file.into_inner()
}

/// autofdo#138, #152, #195, #230, #235, BOLT#88: an empty profile, and a message that says nothing.
#[test]
fn nothing_to_convert_is_a_reason_and_never_an_empty_profile() {
    let (Some(made), Some(other)) = (Made::new(&[]), Made::new(&["-DOTHER", "-O1"])) else {
        return;
    };
    fs::copy(other.path("p"), made.path("q")).unwrap();
    made.record("walk.data", &WALK);
    let kernel = [0xffff_ffff_8100_0000; 5];
    fs::write(made.path("none.data"), recording_of(&[])).unwrap();
    fs::write(made.path("kernel.data"), recording_of(&kernel)).unwrap();
    fs::write(made.path("lost.data"), recording_of(&[0x1234_5678])).unwrap();
    made.run("strip", &["p", "-o", "stripped"]);
    let forms = FORMS.into_iter().chain(["bolt-preaggregated", "json"]);
    for form in forms {
        for (recording, binary, expected) in [
            ("none.data", "p", "the recording holds no samples"),
            ("kernel.data", "p", "they fell in [kernel] (5)"),
            ("lost.data", "p", "they fell in [nowhere known] (1)"),
            ("walk.data", "q", "/p ("),
            ("walk.data", "stripped", "stripped"),
            ("walk.data", "p.cc", "not an ELF file"),
            ("p.cc", "p", "not a perf.data file"),
        ] {
            let message = made.refused(recording, binary, form);
            let is_said = message.contains(expected);
            assert!(is_said, "{recording} {binary} {form}: {message}");
        }
    }
}

/// Issue of weight outside: whatever the verdict on the profile, the share of samples elsewhere is said.
#[test]
fn the_share_outside_the_binary_is_always_said() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    made.record("plain.data", &PLAIN);
    for recording in ["walk.data", "plain.data"] {
        for form in FORMS {
            let output = made.convert(recording, "p", form, &["-o", "out"]);
            let said = stderr(&output);
            assert!(output.status.success(), "{said}");
            let outside = "% of the samples outside the binary";
            assert!(said.contains(outside), "{recording} {form}: {said}");
        }
        let output = made.hone(&["quality", recording, "--binary", "p"]);
        assert!(stdout(&output).contains(" outside "), "{}", stdout(&output));
    }
}

/// autofdo#143: the optimised binary has the same checksum as the one before.
#[test]
fn the_compiler_makes_another_program_of_the_profile() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    for form in ["autofdo-text", "autofdo-extbinary"] {
        let output = made.convert("walk.data", "p", form, &["-o", "p.prof"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let code = |more: &[&str]| {
            let words = ["-O2", "-c", "p.cc", "-o", "p.o"];
            made.run("clang++-19", &[&words[..], &FOR_PROFILING, more].concat());
            let words = ["-O", "binary", "--only-section=.text", "p.o", "text"];
            made.run("llvm-objcopy-19", &words);
            fs::read(made.path("text")).unwrap()
        };
        if has_tools(&["llvm-objcopy-19"]) {
            let before = code(&[]);
            assert_eq!(before, code(&[]), "the compiler repeats itself");
            assert_ne!(before, code(&["-fprofile-sample-use=p.prof"]), "{form}");
        }
    }
}

/// rust#64892, rust#87918: AutoFDO for Rust, without a link option for the layout of segments.
#[test]
fn rust_programs_are_converted_and_rustc_takes_the_profile() {
    let source = "use std::hint::black_box;\n\
        #[inline(never)] fn mix(x: u32) -> u32 { if x % 64 == 3 { x.wrapping_mul(7) } else { x ^ (x >> 15) } }\n\
        fn main() { let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();\n\
        let mut s = 1; for i in 0..n { s = mix(black_box(s ^ i)); } println!(\"{s}\"); }\n";
    let Some(made) = Made::new(&[]) else { return };
    if !has_tools(&["rustc"]) {
        return;
    }
    fs::write(made.path("p.rs"), source).unwrap();
    // The options have no stable names in the compilers of today.
    let rustc = |more: &str| {
        let flags = "-O -g -Z debug-info-for-profiling -C link-arg=-Wl,--build-id";
        let command = format!("RUSTC_BOOTSTRAP=1 rustc {flags} {more} p.rs");
        made.attempt("sh", &["-c", &command])
    };
    let built = rustc("-o p");
    if !built.status.success() {
        println!("skipped: this rustc has no such option: {}", stderr(&built));
        return;
    }
    made.record("walk.data", &WALK);
    let (text, _) = made.profile("walk.data", "autofdo-text");
    let is_mix = |line: &&str| line.starts_with("_R") && line.contains("3mix:");
    assert_eq!(text.lines().filter(is_mix).count(), 1, "{text}");
    let output = made.convert("walk.data", "p", "autofdo-extbinary", &["-o", "p.prof"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let again = rustc("-Z profile-sample-use=p.prof -o again");
    assert!(again.status.success(), "{}", stderr(&again));
}

/// Android's kernel recipe: functions that the symbol list names and no sample saw become slower.
#[test]
fn the_list_of_functions_without_samples_can_be_left_out() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    for (more, expected) in [(&[][..], true), (&["--no-symbol-list"], false)] {
        let words = [&["-o", "p.prof"], more].concat();
        let output = made.convert("walk.data", "p", "autofdo-extbinary", &words);
        assert!(output.status.success(), "{}", stderr(&output));
        let read = hone_fdo::read_sample_profile(&fs::read(made.path("p.prof")).unwrap());
        let listed = read.unwrap().symbols;
        let is_listed = listed.iter().any(|name| name == "_Z5neverj");
        assert_eq!(is_listed, expected, "{more:?}: {listed:?}");
        if has_tools(&["llvm-profdata-19"]) {
            made.run("llvm-profdata-19", &["show", "--sample", "p.prof"]);
        }
    }
}

/// autofdo#227, autofdo#19: how to add profiles up, and profile_merger ends in "Check failed: count_threshold_".
#[test]
fn profiles_of_several_recordings_are_added_up() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("a.data", &WALK);
    let to = |name: &str, recordings: &[&str], form: &str| {
        let words = ["--binary", "p", "--to", form, "-o", name];
        let output = made.hone(&[&["convert"], recordings, &words].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    to("once", &["a.data"], "autofdo-text");
    to("twice", &["a.data", "a.data"], "autofdo-text");
    let words = [
        "merge",
        "once",
        "once",
        "-o",
        "merged",
        "--to",
        "autofdo-text",
    ];
    let output = made.hone(&words);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(made.path(name)).unwrap();
    assert_eq!(read("merged"), read("twice"));
    to("once.afdo", &["a.data"], "gcc-gcov");
    to("twice.afdo", &["a.data", "a.data"], "gcc-gcov");
    let [once, twice] = ["once.afdo", "twice.afdo"].map(|name| fs::read(made.path(name)).unwrap());
    assert!(once.len() == twice.len() && once != twice);
    let output = made.hone(&["merge", "once.afdo", "once.afdo", "-o", "x"]);
    let message = refusal(&output);
    assert!(
        message.contains("one hone convert --to gcc-gcov"),
        "{message}"
    );
}

/// llvm#59067, llvm#118481, llvm#112328, llvm#137669: merge-fdata writes a mixture, or refuses profiles without
/// branches as "Malformed / corrupted profile counter" without saying which.
#[test]
fn fdata_is_added_up_and_a_damaged_file_is_named_with_its_line() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("plain.data", &PLAIN);
    made.record("walk.data", &WALK);
    for recording in ["plain.data", "walk.data"] {
        let fdata = made.profile(recording, "bolt-fdata").0;
        fs::write(made.path("whole"), &fdata).unwrap();
        // Cut in its third line.
        let lines: Vec<&str> = fdata.lines().collect();
        let third = lines[2];
        let cut = [lines[0], lines[1], &third[..third.len() / 2]].join("\n");
        fs::write(made.path("cut"), cut).unwrap();
        let output = made.hone(&["merge", "whole", "whole", "-o", "sum"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let sum = fs::read_to_string(made.path("sum")).unwrap();
        let last = |line: &str| line.rsplit(' ').next().unwrap().parse().unwrap_or(0);
        let total = |text: &str| text.lines().map(last).sum::<u64>();
        assert_eq!(total(&sum), 2 * total(&fdata));
        let message = refusal(&made.hone(&["merge", "whole", "cut", "-o", "x"]));
        assert!(message.contains("cut: line 3: "), "{message}");
        if has_tools(&["merge-fdata-19"]) {
            let theirs = made.attempt("merge-fdata-19", &["whole", "whole"]);
            println!("merge-fdata-19 {recording}: {}", theirs.status);
        }
    }
}

/// perf2bolt under a name with a suffix rewrites the binary, and the "profile" is an ELF file.
#[test]
fn a_binary_in_place_of_a_profile_is_recognised() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    let mut profile = "p".to_owned();
    if has_tools(&["perf2bolt-19", "perf"]) {
        let words = ["p", "-p", "walk.data", "-o", "p.fdata"];
        let theirs = made.attempt("perf2bolt-19", &words);
        let written = fs::read(made.path("p.fdata")).unwrap_or_default();
        println!("perf2bolt-19: {}, {:?}", theirs.status, written.get(..4));
        if written.starts_with(b"\x7fELF") {
            profile = "p.fdata".into();
        }
    }
    for command in [&["quality", &profile][..], &["merge", &profile, "-o", "x"]] {
        let message = refusal(&hone(command, made.dir()));
        assert!(message.contains("an ELF file, not a profile"), "{message}");
        assert!(message.contains("perf2bolt-19"), "{message}");
    }
}

/// frankenphp#2407, pyroscope#2233, go#73640: merged profiles lose Function.start_line, and Go refuses them.
#[test]
fn a_go_profile_of_two_recordings_is_taken_by_go() {
    if !has_tools(&["go"]) {
        return;
    }
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../hone-fdo/tests/programs/hot.go"
    );
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let go = |arguments: &[&str]| {
        let mut command = std::process::Command::new("go");
        command.arg("build").args(arguments).arg(source);
        command.current_dir(dir).output().unwrap()
    };
    let built = go(&["-o", "p"]);
    assert!(built.status.success(), "{}", stderr(&built));
    for file in ["a.data", "b.data"] {
        let program = ["-o", file, "--", "./p", "100000"];
        let output = hone(&[&["record"], &WALK[..], &program].concat(), dir);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let words = ["--binary", "p", "--to", "go-pgo", "-o", "both.pgo"];
    let output = hone(
        &[&["convert", "a.data", "b.data"], &words[..]].concat(),
        dir,
    );
    assert!(output.status.success(), "{}", stderr(&output));
    // Go's compiler refuses a profile without start lines, and says when it follows one.
    let with = go(&["-pgo=both.pgo", "-gcflags=-m=2", "-o", "with"]);
    assert!(with.status.success(), "{}", stderr(&with));
    assert!(
        stderr(&with).contains("PGO devirtualizing"),
        "{}",
        stderr(&with)
    );
}
