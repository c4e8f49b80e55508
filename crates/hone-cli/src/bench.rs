//! `hone bench`.
use std::process::ExitCode;
/// Compares the CPU cost of two commands.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone bench './old --work' './new --work'")]
pub(crate) struct Args {}
/// Runs.
pub(crate) fn run(_args: Args) -> anyhow::Result<ExitCode> { Ok(ExitCode::SUCCESS) }
