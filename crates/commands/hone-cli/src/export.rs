//! `hone export`: the winner as files for the user's own build and CI. hone-wrap does the work; this module is the command line.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use hone_wrap::export::export;

/// Write the winner of hone optimize as files for your own build
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone export examples/meshfilter -o hone\n  \
    cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=$PWD/hone/toolchain.cmake")]
pub(crate) struct Args {
    /// The directory of hone.toml
    #[arg(default_value = ".")]
    project: PathBuf,
    /// Where the files go
    #[arg(short, long, value_name = "DIR", default_value = "hone")]
    output: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let exported = export(&args.project, &args.output)?;
    let winner = &exported.winner;
    println!(
        "{}: {} {}",
        args.output.display(),
        winner.variant,
        winner.gain
    );
    for name in &exported.files {
        println!("  {name}");
    }
    Ok(ExitCode::SUCCESS)
}
