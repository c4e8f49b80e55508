//! Programs without symbols: what their unwinding information and Go's own table still tell.

use hone_symbols::{Binary, MadeNames};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const C: &str = "
__attribute__((noinline)) int twice(int x) { return x * 2; }
__attribute__((noinline, section(\"own_section\"))) int thrice(int x) { return x * 3; }
int main(int argc, char **argv) { return twice(argc) + thrice(argc); }
";
const RUST: &str = "
#[inline(never)] fn squared(x: usize) -> usize { x * x }
fn main() { std::process::exit(squared(std::env::args().count()) as i32) }
";
const GO: &str = "
package main
import \"os\"
//go:noinline
func squared(x int) int { return x * x }
func main() { os.Exit(squared(len(os.Args))) }
";

/// Runs a tool; `false`, with a visible line, where it is not there or cannot.
fn runs(command: &mut Command) -> bool {
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: {command:?} does not work here");
    }
    works
}

/// The same program with its symbols and without.
fn built(directory: &Path, name: &str, source: &str, compiler: &[&str]) -> Option<[Vec<u8>; 2]> {
    let file = directory.join(name);
    std::fs::write(&file, source).unwrap();
    let whole = directory.join("whole");
    let mut command = Command::new(compiler[0]);
    command
        .args(&compiler[1..])
        .arg("-o")
        .arg(&whole)
        .arg(&file);
    let stripped = directory.join("stripped");
    let mut strip = Command::new("strip");
    strip.arg("-o").arg(&stripped).arg(&whole);
    let works = runs(&mut command) && runs(&mut strip);
    works.then(|| [whole, stripped].map(|path| std::fs::read(path).unwrap()))
}

/// Start and size of the functions whose names have this in them.
fn bodies(binary: &Binary<'_>, part: &str) -> BTreeMap<u64, u64> {
    let all = binary.functions().iter();
    all.filter(|function| function.name.contains(part) && !function.name.contains('.'))
        .map(|function| (function.start.0, function.size()))
        .collect()
}

fn named_by_place(directory: &Path, name: &str, source: &str, compiler: &[&str], part: &str) {
    let Some([whole, stripped]) = built(directory, name, source, compiler) else {
        return;
    };
    let truth = bodies(&Binary::parse(&whole).unwrap(), part);
    assert!(!truth.is_empty(), "{part}");
    let unnamed = Binary::parse(&stripped).unwrap();
    let names = MadeNames::default();
    let named = Binary::parse_with_bodies(&stripped, &names).unwrap();
    for (&start, &size) in &truth {
        let start = hone_profile::Svma(start);
        assert_eq!(unnamed.functions().starting_at(start), None);
        let function = named.functions().starting_at(start).unwrap();
        assert_eq!(function.size(), size, "{}", function.name);
        assert_eq!(function.canonical_name(), function.name);
        let place = format!("[unnamed, {size} bytes at {:#x}", start.0);
        assert!(function.name.starts_with(&place), "{}", function.name);
        let is_special = part == "thrice";
        assert_eq!(function.name.ends_with(" of own_section]"), is_special);
    }
    // The PLT has better names.
    for stub in named.plt().entries() {
        assert_eq!(named.function_at(stub.start), None);
    }
}

#[test]
fn functions_of_a_stripped_c_program_are_named_by_place_size_and_section() {
    let directory = tempfile::tempdir().unwrap();
    for part in ["twice", "thrice"] {
        let compiler = ["cc", "-O1", "-fasynchronous-unwind-tables"];
        named_by_place(directory.path(), "program.c", C, &compiler, part);
    }
}

#[test]
fn functions_of_a_stripped_rust_program_are_named_by_place() {
    let directory = tempfile::tempdir().unwrap();
    let compiler = ["rustc", "-O", "-Cforce-unwind-tables=yes"];
    named_by_place(directory.path(), "program.rs", RUST, &compiler, "squared");
}

#[test]
fn functions_of_a_stripped_go_program_keep_their_names() {
    let directory = tempfile::tempdir().unwrap();
    for mode in ["-buildmode=exe", "-buildmode=pie"] {
        let compiler = ["go", "build", mode];
        let Some([whole, stripped]) = built(directory.path(), "program.go", GO, &compiler) else {
            continue;
        };
        let (whole, stripped) = (
            Binary::parse(&whole).unwrap(),
            Binary::parse(&stripped).unwrap(),
        );
        let function = |binary: &Binary<'_>| {
            let function = binary.functions().by_name("main.squared")?;
            Some((function.start, function.end))
        };
        let (is, was) = (function(&stripped).unwrap(), function(&whole).unwrap());
        assert_eq!(is.0, was.0, "{mode}");
        // The table counts the padding behind a function with it.
        assert!(
            is.1 >= was.1 && is.1.0 < was.1.0 + 64,
            "{mode}: {is:?}, {was:?}"
        );
        assert!(stripped.functions().len() > 1000);
    }
}

#[test]
fn names_of_one_file_are_not_given_to_another() {
    let directory = tempfile::tempdir().unwrap();
    let compiler = ["cc", "-O1"];
    let one = built(directory.path(), "program.c", C, &compiler);
    let other = built(
        directory.path(),
        "other.c",
        &C.replace("* 2", "* 2 + x / 7"),
        &compiler,
    );
    let (Some([_, one]), Some([_, other])) = (one, other) else {
        return;
    };
    let names = MadeNames::default();
    let made = |binary: &Binary<'_>| {
        let all = binary.functions().iter();
        all.filter(|function| function.name.starts_with("[unnamed, "))
            .count()
    };
    assert!(made(&Binary::parse_with_bodies(&one, &names).unwrap()) > 0);
    assert_eq!(made(&Binary::parse_with_bodies(&other, &names).unwrap()), 0);
    assert!(made(&Binary::parse_with_bodies(&one, &names).unwrap()) > 0);
}
