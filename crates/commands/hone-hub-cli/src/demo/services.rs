//! The services of the demo: three programs in C++, each in two builds.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use hone_files::files::in_path;

use super::children::Running;

/// The service whose second build costs more, and whose branch records are made.
pub(super) const CHANGED: &str = "checkout";
/// All services with their sources.
const SERVICES: [(&str, &str); 3] = [
    (
        CHANGED,
        include_str!("../../../../../examples/hub/checkout.cc"),
    ),
    (
        "catalogue",
        include_str!("../../../../../examples/hub/catalogue.cc"),
    ),
    (
        "search",
        include_str!("../../../../../examples/hub/search.cc"),
    ),
];
/// What all of them include.
const ROUNDS: (&str, &str) = (
    "rounds.h",
    include_str!("../../../../../examples/hub/rounds.h"),
);
/// Compilers, the best first, and the options by which compiler profiles find source lines.
const COMPILERS: [(&str, &[&str]); 4] = [
    ("clang++-19", CLANG),
    ("clang++", CLANG),
    ("g++", &["-g1"]),
    ("c++", &["-g1"]),
];
const CLANG: &[&str] = &["-gline-tables-only", "-fdebug-info-for-profiling"];
const BUILDS: [u32; 2] = [1, 2];
/// Seconds after which a program ends by itself, should nobody end it.
const SECONDS_MAX: u64 = 900;

/// A build of a service.
pub(super) struct Program {
    pub(super) service: &'static str,
    pub(super) build: u32,
    pub(super) path: PathBuf,
    /// Build id in hexadecimal.
    pub(super) id: String,
}

/// Returns the names of the services.
pub(super) fn names() -> [&'static str; 3] {
    SERVICES.map(|(name, _)| name)
}

/// Compiles all builds; returns them and the compiler's name.
pub(super) fn compile(directory: &Path) -> Result<(&'static str, Vec<Program>)> {
    let found = COMPILERS
        .iter()
        .find_map(|(name, options)| Some((*name, *options, in_path(name)?)));
    let Some((compiler, options, program)) = found else {
        bail!("the demo needs a compiler for C++: apt-get install clang-19 (Debian, Ubuntu)");
    };
    let sources = directory.join("source");
    fs::create_dir_all(&sources).with_context(|| format!("cannot make {}", sources.display()))?;
    fs::write(sources.join(ROUNDS.0), ROUNDS.1)?;
    let mut compiling = Vec::new();
    for (service, text) in SERVICES {
        let source = format!("{service}.cc");
        fs::write(sources.join(&source), text)?;
        for build in BUILDS {
            let path = directory.join(format!("build-{build}")).join(service);
            fs::create_dir_all(path.parent().unwrap_or(directory))?;
            let child = Command::new(&program)
                .current_dir(&sources)
                .args(["-std=c++20", "-O2", "-Wl,--build-id=sha1"])
                .args(options)
                .arg(format!("-DBUILD={build}"))
                .arg(&source)
                .arg("-o")
                .arg(&path)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .with_context(|| format!("cannot start {compiler}"))?;
            compiling.push((service, build, path, child));
        }
    }
    let mut programs = Vec::new();
    for (service, build, path, child) in compiling {
        let output = child.wait_with_output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("{compiler} cannot compile {service}:\n{said}");
        }
        let id = build_id(&path)?;
        programs.push(Program {
            service,
            build,
            path,
            id,
        });
    }
    Ok((compiler, programs))
}

fn build_id(path: &Path) -> Result<String> {
    let shown = || path.display().to_string();
    let id = hone_symbols::build_id_of(File::open(path).with_context(shown)?);
    let id = id.with_context(shown)?;
    let id = id.with_context(|| format!("{} has no build id", shown()))?;
    Ok(id.to_string())
}

impl Program {
    /// Starts the program.
    pub(super) fn start(&self, directory: &Path) -> Result<Running> {
        let name = format!("{}, build {}", self.service, self.build);
        let mut command = Command::new(&self.path);
        command.arg(SECONDS_MAX.to_string());
        let file = self.path.file_name().unwrap_or(OsStr::new(self.service));
        let log = format!("{}-{}.log", file.to_string_lossy(), self.build);
        Running::start(&name, command, &directory.join(log))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "builds whole modules"]
    fn every_service_compiles_in_two_builds_that_differ() {
        if !COMPILERS.iter().any(|(name, _)| in_path(name).is_some()) {
            println!("skipped: there is no compiler for C++");
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let (_, programs) = compile(directory.path()).unwrap();
        let mut ids: Vec<&str> = programs.iter().map(|one| one.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 6);
        for program in &programs {
            let mut command = Command::new("sh");
            // Started by another process: this one may still hold a file open for writing that it has just made.
            command.args(["-c", "\"$0\" 0.01"]).arg(&program.path);
            let output = command.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let begin = format!("{}, build {}: ", program.service, program.build);
            assert!(said.starts_with(&begin), "{output:?}");
        }
    }
}
