//! `hone convert` of programs built with `-gsplit-dwarf`: the same profile as with `-g`, or a word on what is absent.

use crate::common::{has_tools, hone, run_in, stderr};
use std::fs;
use std::path::Path;

const MAIN: &str = "
#include <cstdio>
unsigned step(unsigned x);
static inline unsigned fold(unsigned x) { return x % 5 ? x * 3 : x / 5; }
__attribute__((noinline)) static unsigned turn(unsigned x) { return fold(x) + fold(x + 1); }
int main(int argc, char **) {
    unsigned sum = argc;
    for (unsigned i = 0; i < 30000000; i++) sum = step(sum + i) + turn(i);
    printf(\"%u\\n\", sum);
}
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

/// The profile of a binary; or what was said instead.
fn convert(directory: &Path, arguments: &[&str]) -> (Option<String>, String) {
    let all = [&["convert", "p.data", "--to", "autofdo-text"], arguments].concat();
    let output = hone(&all, directory);
    let profile = String::from_utf8(output.stdout.clone()).unwrap();
    let profile = output.status.success().then_some(profile);
    (profile, stderr(&output))
}

/// A recording `p.data` of the program built with `-g`, and its profile.
fn recorded(directory: &Path, compiler: &str, flags: &[&str]) -> String {
    build(directory, "whole", compiler, flags);
    let arguments = [
        "record",
        "-o",
        "p.data",
        "--overhead",
        "20%",
        "--",
        "./whole",
    ];
    let recording = hone(&arguments, directory);
    assert!(recording.status.success(), "{}", stderr(&recording));
    let (profile, said) = convert(directory, &["--binary", "whole"]);
    let profile = profile.expect(&said);
    assert!(profile.contains("_ZL4turnj:"), "{profile}");
    assert!(profile.contains("_ZNK4Step2goEj:"), "{profile}");
    profile
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
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let expected = recorded(directory, compiler, flags);
        let split = [flags, &["-gsplit-dwarf"]].concat();
        build(directory, "split", compiler, &split);
        let (profile, said) = convert(directory, &["--binary", "split"]);
        assert_eq!(profile.as_ref(), Some(&expected), "{flags:?}: {said}");
        assert!(!said.contains("absent"), "{said}");
        if !has_tools(&["llvm-dwp-19"]) {
            continue;
        }
        run_in(
            directory,
            "llvm-dwp-19",
            &["-e", "split", "-o", "split.dwp"],
        );
        for unit in ["main", "step"] {
            fs::remove_file(directory.join(format!("split-{unit}.dwo"))).unwrap();
        }
        let (profile, said) = convert(directory, &["--binary", "split"]);
        assert_eq!(profile.as_ref(), Some(&expected), "{flags:?}: {said}");
        fs::rename(directory.join("split.dwp"), directory.join("elsewhere")).unwrap();
        let named = ["--binary", "split", "--debug-file", "elsewhere"];
        let (profile, said) = convert(directory, &named);
        assert_eq!(profile.as_ref(), Some(&expected), "{flags:?}: {said}");
    }
}

#[test]
fn absent_files_are_counted_and_named_and_the_rest_is_converted() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let flags = ["-fdebug-info-for-profiling"];
    let expected = recorded(directory, "clang++-19", &flags);
    build(
        directory,
        "split",
        "clang++-19",
        &[flags[0], "-gsplit-dwarf"],
    );

    // Taken to another place, the files are beside the binary.
    let moved = directory.join("moved");
    fs::create_dir(&moved).unwrap();
    for file in ["split", "split-main.dwo", "split-step.dwo"] {
        fs::rename(directory.join(file), moved.join(file)).unwrap();
    }
    let (profile, said) = convert(directory, &["--binary", "moved/split"]);
    assert_eq!(profile.as_ref(), Some(&expected), "{said}");

    fs::remove_file(moved.join("split-step.dwo")).unwrap();
    let (profile, said) = convert(directory, &["--binary", "moved/split"]);
    let profile = profile.expect(&said);
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
    fs::write(directory.join("p.prof"), &expected).unwrap();
    let arguments = ["quality", "p.prof", "--for-build", "moved/split"];
    let judged = hone(&arguments, directory);
    assert_eq!(judged.status.code(), Some(2), "{}", stderr(&judged));
    assert!(
        stderr(&judged).contains("split-step.dwo"),
        "{}",
        stderr(&judged)
    );

    // A file of another build is as good as none, and said to be there.
    fs::write(directory.join("step.cpp"), STEP.replace("step", "stride")).unwrap();
    let again = [
        "-O2",
        "-g",
        "-gsplit-dwarf",
        "-c",
        "step.cpp",
        "-o",
        "moved/split-step.o",
    ];
    run_in(directory, "clang++-19", &again);
    let (_, said) = convert(directory, &["--binary", "moved/split"]);
    assert!(said.contains("1 of another build"), "{said}");

    for unit in ["main", "step"] {
        fs::remove_file(moved.join(format!("split-{unit}.dwo"))).unwrap();
    }
    let (profile, said) = convert(directory, &["--binary", "moved/split"]);
    assert_eq!(profile, None);
    assert!(
        said.contains("2 .dwo files") && said.contains("split-main.dwo"),
        "{said}"
    );
    assert!(said.contains("next: ") && said.contains(".dwp"), "{said}");
}
