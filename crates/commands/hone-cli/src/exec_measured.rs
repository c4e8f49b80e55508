//! `hone exec-measured`: the process that [`hone_run::process`] starts for each run that it measures.

use std::path::PathBuf;
use std::process::ExitCode;

use hone_run::process::exec;

/// Runs one command and measures its process tree; for Hone's own use.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone exec-measured order.json --out outcome.json")]
pub(crate) struct Args {
    /// What to run.
    order: PathBuf,
    /// Where the outcome goes.
    #[arg(long)]
    out: PathBuf,
}

/// Carries out one order.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    exec::run(&args.order, &args.out)?;
    Ok(ExitCode::SUCCESS)
}
