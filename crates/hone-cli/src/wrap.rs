//! `hone wrap`: runs any build with the flags of a winner, through compiler wrappers in front of PATH.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};
use hone_build::{Toolchain, VariantFlags, calls};

use hone_convert::ir::Written;
use hone_run::advice::Advise;
use hone_run::tools::Tools;
use hone_wrap::install::Wrapped;
use hone_wrap::winner::Winner;

/// Run any build with the winner's compiler flags
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone wrap -- make -j8\n  hone wrap --from hone/ -- cmake --build build"
)]
pub(crate) struct Args {
    /// Where the winner is: a directory that hone export wrote, or the directory of hone.toml
    #[arg(long, value_name = "DIR", default_value = ".")]
    from: PathBuf,
    /// Change no flag, and keep the IR of what clang compiles in this directory, for hone convert --to profdata
    #[arg(long, value_name = "DIR", conflicts_with = "from")]
    ir: Option<PathBuf>,
    /// The build command
    #[arg(last = true, required = true)]
    build: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let ir = args.ir.as_deref().map(empty).transpose()?;
    let winner = match ir {
        Some(_) => None,
        None => Some(Winner::load(&args.from)?),
    };
    let flags = winner.as_ref().map(|winner| winner.flags.clone());
    let flags = flags.unwrap_or_default();
    let directory = tempfile::tempdir().context("a directory for the wrappers")?;
    let log = directory.path().join("calls.log");
    let wrapped = Wrapped {
        tools: &Tools::find(),
        flags: &flags,
        env: &BTreeMap::new(),
        layout_seed: None,
        directory: &directory.path().join("bin"),
        keeps_symbols: false,
        objects: None,
        ir: ir.clone(),
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
    came_by(&flags, &fs::read_to_string(&log).unwrap_or_default())?;
    for line in winner.iter().flat_map(|winner| &winner.post_link) {
        eprintln!("hone: the winner has one more step, on the linked binary: {line}");
    }
    for (name, value) in &flags.run_env {
        eprintln!("hone: start the program with {name}={value}");
    }
    if let Some(ir) = &ir {
        told(ir)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the absolute path of the directory, which must be empty: IR of an earlier state of the sources would be
/// taken for theirs.
fn empty(directory: &Path) -> Result<PathBuf> {
    let directory = std::path::absolute(directory).context("--ir")?;
    fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    let mut entries = fs::read_dir(&directory).with_context(|| directory.display().to_string())?;
    if entries.next().is_some() {
        return Err(anyhow!("{} is not empty", directory.display()))
            .next("name a new directory, or remove what an earlier build left there");
    }
    Ok(directory)
}

/// Reports how much IR there is; returns an error if there is none.
fn told(ir: &Path) -> Result<()> {
    let written = Written::in_directory(ir)?;
    if written.files.is_empty() {
        return Err(anyhow!(
            "none of the compilations was one by clang with optimisation (-O1 or more)"
        ))
        .next("name clang in CC and CXX, as for the build that is recorded");
    }
    let (sources, directory) = (written.files.len(), ir.display());
    eprintln!("hone: the IR of {sources} sources is in {directory}");
    if written.failed > 0 {
        let failed = written.failed;
        eprintln!(
            "hone: {failed} sources gave none; the reasons are in files there that end in .failed"
        );
    }
    Ok(())
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
