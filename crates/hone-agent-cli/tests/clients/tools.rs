//! The tools of other languages, where they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where the programs of this test are built.
pub(crate) fn built() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
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

pub(crate) fn go() -> Option<&'static str> {
    first(&["go", "/usr/local/go/bin/go"], "version")
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
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}\n{told}\n{said}");
    output
}

/// A command of Go in its module, without the network.
pub(crate) fn go_in(go: &str, directory: &Path) -> Command {
    let mut command = Command::new(go);
    command
        .current_dir(directory)
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOCACHE", built().join("go-cache"));
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

/// The driver in Go, built once.
pub(crate) fn go_driver() -> Option<&'static Path> {
    static DRIVER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let program = built().join("driver-go");
        let mut command = go_in(go()?, &repository().join("clients/go"));
        command.arg("build").args(race_detector());
        run(command.arg("-o").arg(&program).arg("./driver"));
        Some(program)
    };
    DRIVER.get_or_init(build).as_deref()
}

/// The driver in C++ with sanitizers of memory and of what is undefined, built once.
pub(crate) fn cpp_driver() -> Option<&'static Path> {
    static DRIVER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let options = ["-fsanitize=address,undefined", "-fno-sanitize-recover"];
    let build = || Some(cpp_driver_by(clang()?, "driver-cpp", &options));
    DRIVER.get_or_init(build).as_deref()
}

/// The driver in C++, by this compiler.
pub(crate) fn cpp_driver_by(compiler: &str, name: &str, options: &[&str]) -> PathBuf {
    let program = built().join(name);
    let source = repository().join("clients/cpp/tests/driver.cpp");
    run(cpp(compiler)
        .args(options)
        .arg(source)
        .arg("-o")
        .arg(&program));
    program
}
