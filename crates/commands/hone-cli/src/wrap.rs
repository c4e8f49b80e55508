//! `hone wrap`: runs any build with the flags of a winner. hone-wrap does the work; this module is the command line.

use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use anyhow::Result;
use hone_build::VariantFlags;
use hone_wrap::any_build;
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
    match &args.ir {
        Some(directory) => keeping_ir(directory, &args.build),
        None => with_winner(&Winner::load(&args.from)?, &args.build),
    }
}

fn with_winner(winner: &Winner, build: &[String]) -> Result<ExitCode> {
    let status = any_build::run(&winner.flags, None, build)?;
    if !status.success() {
        return Ok(failed(status));
    }
    for line in &winner.post_link {
        eprintln!("hone: the winner has one more step, on the linked binary: {line}");
    }
    for (name, value) in &winner.flags.run_env {
        eprintln!("hone: start the program with {name}={value}");
    }
    Ok(ExitCode::SUCCESS)
}

fn keeping_ir(directory: &Path, build: &[String]) -> Result<ExitCode> {
    let directory = any_build::empty(directory)?;
    let status = any_build::run(&VariantFlags::default(), Some(&directory), build)?;
    if !status.success() {
        return Ok(failed(status));
    }
    let written = any_build::kept_ir(&directory)?;
    let (sources, directory) = (written.files.len(), directory.display());
    eprintln!("hone: the IR of {sources} sources is in {directory}");
    if written.failed > 0 {
        eprintln!(
            "hone: {} sources gave none; the reasons are in files there that end in .failed",
            written.failed
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports that the build failed, and returns its exit status.
fn failed(status: ExitStatus) -> ExitCode {
    eprintln!("hone: the build ended with {status}");
    ExitCode::from(status.code().map_or(1, |code| code as u8))
}
