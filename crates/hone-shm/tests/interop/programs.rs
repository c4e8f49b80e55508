//! The program `echo` in each language whose compiler is here, built once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program that was built.
pub(crate) struct Program {
    pub(crate) language: &'static str,
    pub(crate) path: PathBuf,
}

/// All programs that can be built here.
pub(crate) fn all() -> &'static [Program] {
    static ALL: OnceLock<Vec<Program>> = OnceLock::new();
    ALL.get_or_init(|| {
        let built = [("Rust", rust()), ("Go", go()), ("C++", cpp())];
        let built = built.into_iter();
        built
            .filter_map(|(language, path)| path.map(|path| Program { language, path }))
            .collect()
    })
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where programs of other languages are built.
fn built() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the first of these that runs, or says what is missing.
fn first(names: &[&'static str], version: &str) -> Option<&'static str> {
    let runs = |name: &&&str| Command::new(name).arg(version).output().is_ok();
    let found = names.iter().find(runs).copied();
    if found.is_none() {
        println!("skipped: {} is not installed", names[0]);
    }
    found
}

/// Runs a compiler. Returns what it complains of.
fn complaint(command: &mut Command) -> Option<String> {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then_some(said)
}

fn rust() -> Option<PathBuf> {
    let target = built().parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([
            "build",
            "--quiet",
            "--offline",
            "--package",
            "hone-shm",
            "--example",
            "echo",
        ])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(repository());
    assert_eq!(complaint(&mut cargo), None);
    Some(target.join("debug/examples/echo"))
}

fn go() -> Option<PathBuf> {
    let go = first(&["go", "/usr/local/go/bin/go"], "version")?;
    let program = built().join("shm-echo-go");
    let mut build = Command::new(go);
    build
        .args(["build", "-o"])
        .arg(&program)
        .arg("./shm/internal/echo")
        .env("GOTOOLCHAIN", "local")
        .env("GOCACHE", built().join("go-cache"))
        .current_dir(repository().join("go"));
    match complaint(&mut build) {
        None => Some(program),
        Some(said)
            if ["proxy", "dial tcp", "requires go >="]
                .iter()
                .any(|word| said.contains(word)) =>
        {
            println!("skipped: the module hone/go cannot be built here: {said}");
            None
        }
        Some(said) => panic!("{said}"),
    }
}

/// Builds with sanitizers of memory and of what is undefined, where the compiler is clang.
fn cpp() -> Option<PathBuf> {
    let compiler = first(&["clang++-19", "clang++", "g++"], "--version")?;
    let source = repository().join("cpp/shm");
    let program = built().join("shm-echo-cpp");
    let mut build = Command::new(compiler);
    build
        .args(["-std=c++20", "-O1", "-pthread", "-I"])
        .arg(source.join("include"))
        .arg(source.join("examples/echo.cpp"))
        .arg("-o")
        .arg(&program);
    if compiler.starts_with("clang") {
        build.args(["-fsanitize=address,undefined", "-fno-sanitize-recover"]);
    }
    assert_eq!(complaint(&mut build), None);
    Some(program)
}
