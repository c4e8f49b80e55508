//! Programs built with `-gsplit-dwarf`: the same profile as with `-g`, or a word on what is absent.

use std::fs;
use std::path::{Path, PathBuf};

use hone_convert::Form;
use hone_convert::fitness::{Question, judge};
use hone_fdo::quality::Limits;
use hone_files::advice::render;
use hone_inputs::recording::EventChoice;
use testkit::recording::{Program, Recording};
use testkit::{has_tools, run_in};

use crate::common::{Case, refusal, text, try_convert};

const MAIN: &str = "
unsigned step(unsigned x);
static inline unsigned fold(unsigned x) { return x % 5 ? x * 3 : x / 5; }
__attribute__((noinline)) static unsigned turn(unsigned x) { return fold(x) + fold(x + 1); }
int main(int argc, char **) { return step(argc) + turn(argc); }
";

const STEP: &str = "
struct Step { unsigned go(unsigned x) const { return x % 3 ? x * 5 : x / 3 + 7; } };
unsigned step(unsigned x) { return Step().go(x) ^ Step().go(x + 1); }
";

/// All builds have this build id, so that one recording is of them all.
const LINK: &str = "-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567";

/// Compiles main.cpp and step.cpp with the flags and links them as `name`.
fn build(directory: &Path, name: &str, compiler: &str, flags: &[&str]) {
    fs::write(directory.join("main.cpp"), MAIN).unwrap();
    fs::write(directory.join("step.cpp"), STEP).unwrap();
    let objects = ["main", "step"].map(|unit| {
        let (source, object) = (format!("{unit}.cpp"), format!("{name}-{unit}.o"));
        let own = ["-O2", "-g", "-c", &source, "-o", &object];
        run_in(directory, compiler, &[&own, flags].concat());
        object
    });
    run_in(
        directory,
        compiler,
        &[LINK, &objects[0], &objects[1], "-o", name],
    );
}

/// A recording `p.data` of the program built with `-g`: one sample at each byte of both functions. And its profile.
fn recorded(case: &mut Case, compiler: &str, flags: &[&str]) -> String {
    build(&case.path(""), "whole", compiler, flags);
    case.binary = case.path("whole");
    let program = Program::read(&case.binary);
    let mut recording = Recording::of(&program);
    for (name, bytes) in [("_ZL4turnj", 30), ("_Z4stepj", 30)] {
        let start = recording.at(program.function(name)).0;
        for at in start..start + bytes {
            recording.plain(0, 1, hone_profile::Avma(at));
        }
    }
    recording.write(&case.path("p.data"));
    let profile = case.profile("p.data", Form::AutofdoText);
    assert!(profile.contains("_ZL4turnj:"), "{profile}");
    assert!(profile.contains("_ZNK4Step2goEj:"), "{profile}");
    profile
}

/// A directory and conversions there, of whatever binary.
fn case() -> Case {
    Case::of_file(Path::new("whole"))
}

#[test]
fn the_profile_is_that_of_a_build_with_whole_debug_information() {
    let kinds: [(&str, &[&str]); 4] = [
        ("clang++-19", &["-gdwarf-4", "-fdebug-info-for-profiling"]),
        ("clang++-19", &["-gdwarf-5", "-fdebug-info-for-profiling"]),
        ("g++", &["-gdwarf-4"]),
        ("g++", &["-gdwarf-5"]),
    ];
    for (compiler, flags) in kinds {
        if !has_tools(&[compiler]) {
            continue;
        }
        let mut case = case();
        let expected = recorded(&mut case, compiler, flags);
        build(
            &case.path(""),
            "split",
            compiler,
            &[flags, &["-gsplit-dwarf"]].concat(),
        );
        case.binary = case.path("split");
        let (profile, said) = case.convert("p.data", Form::AutofdoText);
        assert_eq!(profile, expected, "{flags:?}: {said}");
        assert!(!said.contains("absent"), "{said}");
        if !has_tools(&["llvm-dwp-19"]) {
            continue;
        }
        let words = ["-e", "split", "-o", "split.dwp"];
        run_in(&case.path(""), "llvm-dwp-19", &words);
        for unit in ["main", "step"] {
            fs::remove_file(case.path(&format!("split-{unit}.dwo"))).unwrap();
        }
        assert_eq!(
            case.profile("p.data", Form::AutofdoText),
            expected,
            "{flags:?}"
        );
        fs::rename(case.path("split.dwp"), case.path("elsewhere")).unwrap();
        let mut named = case.request("p.data", Form::AutofdoText);
        named.debug_file = Some(case.path("elsewhere"));
        let (profile, said) = text(try_convert(&named));
        assert_eq!(profile, expected, "{flags:?}: {said}");
    }
}

#[test]
fn absent_files_are_counted_and_named_and_the_rest_is_converted() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let mut case = case();
    let flags = ["-fdebug-info-for-profiling"];
    let expected = recorded(&mut case, "clang++-19", &flags);
    build(
        &case.path(""),
        "split",
        "clang++-19",
        &[flags[0], "-gsplit-dwarf"],
    );

    // Taken to another place, the files are beside the binary.
    let moved: PathBuf = case.path("moved");
    fs::create_dir(&moved).unwrap();
    for file in ["split", "split-main.dwo", "split-step.dwo"] {
        fs::rename(case.path(file), moved.join(file)).unwrap();
    }
    case.binary = moved.join("split");
    assert_eq!(case.profile("p.data", Form::AutofdoText), expected);

    fs::remove_file(moved.join("split-step.dwo")).unwrap();
    let (profile, said) = case.convert("p.data", Form::AutofdoText);
    assert!(profile.contains("_ZL4turnj:"), "{profile}");
    let mut lines = profile.lines();
    assert!(
        !lines.any(|line| line.starts_with("_Z4stepj:")),
        "{profile}"
    );
    for part in [
        "1 compilation units",
        "1 not found",
        "split-step.dwo",
        "--debug-file",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }

    // A profile is not called stale because files are absent.
    let profile = case.write("p.prof", &expected);
    let judged = judge(&Question {
        profile: &profile,
        binary: None,
        for_build: Some(&case.binary),
        against: None,
        events: EventChoice::default(),
        limits: Limits::default(),
    });
    let refused = refusal(judged.map_err(|error| render(&error)));
    assert!(refused.contains("split-step.dwo"), "{refused}");

    // A file of another build is as good as none, and said to be there.
    fs::write(case.path("step.cpp"), STEP.replace("step", "stride")).unwrap();
    let again = "-O2 -g -gsplit-dwarf -c step.cpp -o moved/split-step.o";
    run_in(
        &case.path(""),
        "clang++-19",
        &again.split(' ').collect::<Vec<_>>(),
    );
    let (_, said) = case.convert("p.data", Form::AutofdoText);
    assert!(said.contains("1 of another build"), "{said}");

    for unit in ["main", "step"] {
        fs::remove_file(moved.join(format!("split-{unit}.dwo"))).unwrap();
    }
    let refused = case.refused("p.data", Form::AutofdoText);
    for part in ["2 .dwo files", "split-main.dwo", ".dwp"] {
        assert!(refused.contains(part), "{refused}");
    }
}
