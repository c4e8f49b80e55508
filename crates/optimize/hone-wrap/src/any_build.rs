//! Any build, run behind the wrappers: with the flags of a winner, or with its own flags to keep the IR of its sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, anyhow};
use hone_build::{Toolchain, VariantFlags, calls};
use hone_convert::ir::Written;
use hone_files::advice::Advise;
use hone_run::tools::Tools;

use crate::install::Wrapped;

/// Runs a build with flags that are added, and returns how the build ended; keeps the IR of what clang compiles in a
/// directory if one is given.
///
/// # Errors
///
/// Returns an error if the build cannot be started, or succeeded without a call of any compiler.
pub fn run(flags: &VariantFlags, ir: Option<&Path>, command: &[String]) -> Result<ExitStatus> {
    let directory = tempfile::tempdir().context("a directory for the wrappers")?;
    let log = directory.path().join("calls.log");
    let wrapped = Wrapped {
        tools: &Tools::find(),
        flags,
        env: &BTreeMap::new(),
        layout_seed: None,
        directory: &directory.path().join("bin"),
        keeps_symbols: false,
        objects: None,
        ir: ir.map(Path::to_owned),
        bazel_output_base: None,
        log: &log,
    };
    let environment = wrapped.install()?;
    let (program, arguments) = command.split_first().context("no build command")?;
    let status = Command::new(program)
        .args(arguments)
        .envs(environment)
        .status()
        .with_context(|| program.clone())
        .next("name a build command behind --")?;
    if status.success() {
        came_by(flags, &fs::read_to_string(&log).unwrap_or_default())?;
    }
    Ok(status)
}

/// Returns the absolute path of the directory, which must be empty: IR of an earlier state of the sources would be
/// taken for theirs.
pub fn empty(directory: &Path) -> Result<PathBuf> {
    let directory = std::path::absolute(directory).context("--ir")?;
    fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    let mut entries = fs::read_dir(&directory).with_context(|| directory.display().to_string())?;
    if entries.next().is_some() {
        return Err(anyhow!("{} is not empty", directory.display()))
            .next("name a new directory, or remove what an earlier build left there");
    }
    Ok(directory)
}

/// Finds the IR that a build left in a directory; returns an error if there is none.
pub fn kept_ir(directory: &Path) -> Result<Written> {
    let written = Written::in_directory(directory)?;
    match written.files.is_empty() {
        true => Err(anyhow!(
            "none of the compilations was one by clang with optimisation (-O1 or more)"
        ))
        .next("name clang in CC and CXX, as for the build that is recorded"),
        false => Ok(written),
    }
}

/// Refuses a build that called no compiler, because nothing had changed: it got no flags either.
fn came_by(flags: &VariantFlags, log: &str) -> Result<()> {
    let is_go = flags.toolchain == Some(Toolchain::Go);
    let seen = calls::seen(log);
    if is_go || seen.compilations > 0 || seen.program {
        return Ok(());
    }
    Err(anyhow!("the build called no compiler that Hone could see"))
        .next("clean it first (make clean); call compilers by name (cc, clang++-19) or through $CC and $CXX")
}
