//! The program `echo` in each language whose compiler is here, built once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use testkit::Made;

/// Tells a process of these tests to be the program in Rust, with these arguments, one a line.
const ROLE: &str = "HONE_SHM_ECHO";

/// A program that was built, or the one in Rust, which these tests play themselves.
pub(crate) struct Program {
    pub(crate) language: &'static str,
    path: Option<PathBuf>,
}

impl Program {
    /// How it is started.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        if let Some(path) = &self.path {
            let mut command = Command::new(path);
            command.args(words);
            return command;
        }
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "programs::the_program_in_rust", "--nocapture"])
            .env(ROLE, words.join("\n"))
            // With one thread, what the program says would stand behind the test's name.
            .env("RUST_TEST_THREADS", "2");
        command
    }
}

/// No test by itself: the program in Rust.
#[test]
fn the_program_in_rust() {
    if let Ok(words) = std::env::var(ROLE) {
        let words: Vec<&str> = words.split('\n').collect();
        if let Err(error) = super::example::run(&words) {
            eprintln!("echo: {error}");
            std::process::exit(1);
        }
    }
}

/// All programs that can be built here.
pub(crate) fn all() -> &'static [Program] {
    static ALL: OnceLock<Vec<Program>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of_others = [("Go", go()), ("C++", cpp())].into_iter();
        let of_others = of_others.filter(|(_, path)| path.is_some());
        let all = [("Rust", None)].into_iter().chain(of_others);
        let all = all.map(|(language, path)| Program { language, path });
        all.collect()
    })
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
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

fn go() -> Option<PathBuf> {
    let go = testkit::go()?;
    let module = repository().join("go");
    let version = Command::new(&go).arg("version").output().unwrap().stdout;
    let mut files = vec![module.join("go.mod")];
    files.extend(files_in(&module.join("raw")));
    files.extend(files_in(&module.join("shm")));
    let made = Made::new("shm-echo-go").with_words(&[&String::from_utf8_lossy(&version)]);
    let made = files.iter().fold(made, |made, file| made.with_file(file));
    let place = made.by(|place| {
        let mut build = Command::new(&go);
        build
            .args(["build", "-o"])
            .arg(place.join("echo"))
            .arg("./shm/internal/echo")
            .env("GOTOOLCHAIN", "local")
            .current_dir(&module);
        let Some(said) = complaint(&mut build) else {
            return;
        };
        let mut of_here = ["proxy", "dial tcp", "requires go >="].iter();
        assert!(of_here.any(|word| said.contains(word)), "{said}");
        println!("skipped: the module hone/go cannot be built here: {said}");
    });
    let program = place.join("echo");
    if !program.exists() {
        println!("skipped: the module hone/go cannot be built here");
        // It may be once it can be fetched.
        let _ = std::fs::remove_dir_all(&place);
        return None;
    }
    Some(program)
}

/// Builds with sanitizers of memory and of what is undefined, where the compiler is clang.
fn cpp() -> Option<PathBuf> {
    let compiler = first(&["clang++-19", "clang++", "g++"], "--version")?;
    let source = repository().join("cpp/shm");
    let example = source.join("examples/echo.cpp");
    let mut build = Command::new(compiler);
    build
        .args(["-std=c++20", "-O1", "-pthread", "-I"])
        .arg(source.join("include"))
        .arg(&example);
    if compiler.starts_with("clang") {
        build.args(["-fsanitize=address,undefined", "-fno-sanitize-recover"]);
    }
    let made = Made::new("shm-echo-cpp")
        .with_tools(&[compiler])
        .with_words(&[&format!("{build:?}")])
        .with_file(&example);
    let made = files_in(&source.join("include"))
        .iter()
        .fold(made, |made, header| made.with_file(header));
    let place = made.by(|place| {
        let complaint = complaint(build.arg("-o").arg(place.join("echo")));
        assert_eq!(complaint, None);
    });
    Some(place.join("echo"))
}

/// Files in a directory and below it, in their order.
fn files_in(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true => files_in(&path),
        false => vec![path],
    });
    let mut found: Vec<PathBuf> = found.collect();
    found.sort();
    found
}
