//! The tools of other languages, where they are, and the drivers that they build: once, until something of them changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use testkit::Made;

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The first of these that runs, or a line that says what is missing.
fn first(names: &[&'static str], version: &str) -> Option<&'static str> {
    let runs = |name: &&&str| Command::new(name).arg(version).output().is_ok();
    let found = names.iter().find(runs).copied();
    if found.is_none() {
        println!("skipped: {} is not installed", names[0]);
    }
    found
}

pub(crate) fn clang() -> Option<&'static str> {
    first(&["clang++-19", "clang++"], "--version")
}

pub(crate) fn gcc() -> Option<&'static str> {
    first(&["g++"], "--version")
}

/// What Go's race detector needs beside Go.
pub(crate) fn race_detector() -> Option<&'static str> {
    first(&["gcc"], "--version").map(|_| "-race")
}

pub(crate) fn clang_format() -> Option<&'static str> {
    first(&["clang-format-19"], "--version")
}

/// Runs it; all must be well.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}\n{told}\n{said}");
    output
}

/// A command of Go in its module, without the network.
pub(crate) fn go_in(go: &Path, directory: &Path) -> Command {
    let mut command = Command::new(go);
    command
        .current_dir(directory)
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local");
    command
}

/// How C++ is compiled here.
pub(crate) fn cpp(compiler: &str) -> Command {
    let mut command = Command::new(compiler);
    command
        .args([
            "-std=c++20",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Wshadow",
            "-Wconversion",
            "-Werror",
            "-pthread",
        ])
        .arg("-I")
        .arg(repository().join("clients/cpp/include"));
    command
}

/// Files with this ending in a directory and below it, in their order.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true => files(&path, ending),
        false => vec![path],
    });
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|own| own == ending);
    let mut found: Vec<PathBuf> = found.filter(has_ending).collect();
    found.sort();
    found
}

/// What is made of these files.
fn made_of(name: &str, files: &[PathBuf]) -> Made {
    assert!(files.len() > 5, "{files:?}");
    let made = Made::new(name);
    files.iter().fold(made, |made, file| made.with_file(file))
}

/// The driver in Go with these flags.
pub(crate) fn go_driver(flags: &[&str]) -> Option<PathBuf> {
    let go = testkit::go()?;
    let module = repository().join("clients/go");
    let version = run(Command::new(&go).arg("version")).stdout;
    let made = made_of("client-go", &files(&module, "go"))
        .with_words(&[&String::from_utf8_lossy(&version)])
        .with_words(flags);
    let place = made.by(|place| {
        let mut build = go_in(&go, &module);
        build.arg("build").args(flags).arg("-o");
        run(build.arg(place.join("driver")).arg("./driver"));
    });
    Some(place.join("driver"))
}

/// The driver in C++ with sanitizers of memory and of what is undefined.
pub(crate) fn cpp_driver() -> Option<PathBuf> {
    let options = ["-fsanitize=address,undefined", "-fno-sanitize-recover"];
    Some(cpp_driver_by(clang()?, &options))
}

/// The driver in C++, by this compiler.
pub(crate) fn cpp_driver_by(compiler: &str, options: &[&str]) -> PathBuf {
    let source = repository().join("clients/cpp/tests/driver.cpp");
    let mut all = files(&repository().join("clients/cpp/include"), "hpp");
    all.push(source.clone());
    let mut command = cpp(compiler);
    command.args(options).arg(source);
    let made = made_of("client-cpp", &all)
        .with_tools(&[compiler])
        .with_words(&[&format!("{command:?}")]);
    let place = made.by(|place| {
        run(command.arg("-o").arg(place.join("driver")));
    });
    place.join("driver")
}
