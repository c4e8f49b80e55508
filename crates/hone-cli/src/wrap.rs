//! `hone wrap`: any build with the flags of a winner, through compiler wrappers in front of PATH.

pub(crate) mod bazel;
pub(crate) mod compiler;
pub(crate) mod install;
mod objects;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};
use hone_build::{Toolchain, calls};

use crate::advice::Advise;
use crate::doctor::tools::Tools;
use crate::winner::Winner;
use install::Wrapped;

/// Run any build with the winner's compiler flags
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone wrap -- make -j8\n  hone wrap --from hone/ -- cmake --build build"
)]
pub(crate) struct Args {
    /// Where the winner is: a directory that hone export wrote, or the directory of hone.toml
    #[arg(long, value_name = "DIR", default_value = ".")]
    from: PathBuf,
    /// The build command
    #[arg(last = true, required = true)]
    build: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let winner = Winner::load(&args.from)?;
    let directory = tempfile::tempdir().context("a directory for the wrappers")?;
    let log = directory.path().join("calls.log");
    let wrapped = Wrapped {
        tools: &Tools::find(),
        flags: &winner.flags,
        env: &BTreeMap::new(),
        layout_seed: None,
        directory: &directory.path().join("bin"),
        keeps_symbols: false,
        objects: None,
        bazel_output_base: None,
        log: &log,
    };
    let environment = wrapped.install()?;
    let (program, arguments) = args.build.split_first().context("no build command")?;
    let status = Command::new(program)
        .args(arguments)
        .envs(environment)
        .status()
        .with_context(|| program.clone())
        .next("name a build command behind --")?;
    if !status.success() {
        eprintln!("hone: the build ended with {status}");
        return Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)));
    }
    came_by(&winner, &fs::read_to_string(&log).unwrap_or_default())?;
    for line in &winner.post_link {
        eprintln!("hone: the winner has one more step, on the linked binary: {line}");
    }
    for (name, value) in &winner.flags.run_env {
        eprintln!("hone: start the program with {name}={value}");
    }
    Ok(ExitCode::SUCCESS)
}

/// A build that called no compiler, because nothing had changed, got no flags either.
fn came_by(winner: &Winner, log: &str) -> Result<()> {
    let is_go = winner.flags.toolchain == Some(Toolchain::Go);
    let seen = calls::seen(log);
    if is_go || seen.compilations > 0 || seen.program {
        return Ok(());
    }
    Err(anyhow!("the build called no compiler that Hone could see"))
        .next("clean it first (make clean); call compilers by name (cc, clang++-19) or through $CC and $CXX")
}
