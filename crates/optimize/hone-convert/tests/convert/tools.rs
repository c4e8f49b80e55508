//! What compilers and LLVM's tools make of the profiles.

use std::fs;
use std::process::{Command, Output};

use hone_convert::Form;
use testkit::recording::{Program, Recording};
use testkit::{has_tools, recorded, run_in};

use crate::common::Case;

fn ran(case: &Case, program: &str, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    let command = command.args(words).current_dir(case.path(""));
    command.output().unwrap()
}

#[test]
fn llvm_reads_the_profiles_of_a_walked_recording() {
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let case = Case::of("filters");
    for form in [Form::AutofdoText, Form::AutofdoExtbinary] {
        let made = case.try_convert(recorded("filters-walk.data"), form);
        case.write("p.prof", made.unwrap().bytes);
        let shown = ran(&case, "llvm-profdata-19", &["show", "--sample", "p.prof"]);
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.status.success(), "{}: {text}", form.name());
        for name in ["main", "_ZN3Add3runEj", "_ZN3Mul3runEj"] {
            assert!(text.contains(name), "{} lacks {name}:\n{text}", form.name());
        }
    }
}

/// autofdo#143: the optimised binary has the same checksum as the one before.
#[test]
fn the_compiler_makes_another_program_of_the_profile() {
    if !has_tools(&["clang++-19", "llvm-objcopy-19"]) {
        return;
    }
    let case = Case::of("filters");
    fs::copy(recorded("sources/filters.cc"), case.path("p.cc")).unwrap();
    let code = |more: &[&str]| {
        let words = "-O2 -c p.cc -o p.o -gdwarf-4 -fdebug-info-for-profiling";
        let words: Vec<&str> = words.split(' ').collect();
        run_in(&case.path(""), "clang++-19", &[&words[..], more].concat());
        let words = "-O binary --only-section=.text p.o text";
        let words: Vec<&str> = words.split(' ').collect();
        run_in(&case.path(""), "llvm-objcopy-19", &words);
        fs::read(case.path("text")).unwrap()
    };
    let before = code(&[]);
    assert_eq!(before, code(&[]), "the compiler repeats itself");
    for form in [Form::AutofdoText, Form::AutofdoExtbinary] {
        let made = case.try_convert(recorded("filters-walk.data"), form);
        case.write("p.prof", made.unwrap().bytes);
        let with = code(&["-fprofile-sample-use=p.prof"]);
        assert_ne!(before, with, "{}", form.name());
    }
}

const RUST: &str = r#"use std::hint::black_box;
#[inline(never)] fn mix(x: u32) -> u32 { if x % 64 == 3 { x.wrapping_mul(7) } else { x ^ (x >> 15) } }
fn main() { let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
let mut s = 1; for i in 0..n { s = mix(black_box(s ^ i)); } println!("{s}"); }
"#;

/// rust#64892, rust#87918: AutoFDO for Rust, without a link option for the layout of segments.
#[test]
fn rust_programs_are_converted_and_rustc_takes_the_profile() {
    if !has_tools(&["rustc"]) {
        return;
    }
    let mut case = Case::of("steps");
    case.write("p.rs", RUST);
    // The options have no stable names in the compilers of today.
    let rustc = |more: &str| {
        let flags = "-O -g -Z debug-info-for-profiling -C link-arg=-Wl,--build-id";
        let command = format!("RUSTC_BOOTSTRAP=1 rustc {flags} {more} p.rs");
        ran(&case, "sh", &["-c", &command])
    };
    let built = rustc("-o p");
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        println!("skipped: this rustc has no such option: {said}");
        return;
    }
    let program = Program::read(&case.path("p"));
    let symbol = program.symbol("3mix");
    let mut recording = Recording::with_branches(&program, "cycles:u");
    let mix = recording.at(program.function(&symbol));
    recording.branches(0, 500, mix, &[(mix, mix), (mix, mix)]);
    recording.write(&case.path("p.data"));
    case.binary = case.path("p");
    let text = case.profile("p.data", Form::AutofdoText);
    let is_mix = |line: &&str| line.starts_with("_R") && line.contains("3mix:");
    assert_eq!(text.lines().filter(is_mix).count(), 1, "{text}");
    let made = case.try_convert("p.data", Form::AutofdoExtbinary);
    case.write("p.prof", made.unwrap().bytes);
    let rustc = |more: &str| {
        let command = format!("RUSTC_BOOTSTRAP=1 rustc -O -g {more} p.rs");
        ran(&case, "sh", &["-c", &command])
    };
    let again = rustc("-Z profile-sample-use=p.prof -o again");
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success(), "{said}");
}
