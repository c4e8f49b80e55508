//! `hone doctor`.
use std::process::ExitCode;
/// Says what this machine offers.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone doctor --json")]
pub(crate) struct Args {}
/// Runs.
pub(crate) fn run(_args: Args) -> anyhow::Result<ExitCode> { Ok(ExitCode::SUCCESS) }
