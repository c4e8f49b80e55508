//! `hone init`: writes a commented hone.toml.

mod build_systems;
mod hone_toml;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use self::hone_toml::init;

/// Write a hone.toml for the program in this directory, by its CMake, Meson, Cargo, Go, Bazel, configure or make
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  cd project && hone init && $EDITOR hone.toml && hone optimize --dry-run\n\n\
    A hone.toml that is there already is never written over."
)]
pub(crate) struct Args {
    /// The source tree
    #[arg(default_value = ".")]
    directory: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let written = init(&args.directory)?;
    let path = written.path.display();
    match written.system {
        Some(system) => println!("{path}: for {system}"),
        None => {
            println!("{path}: nothing here says how the program is built; the build is a blank too")
        }
    }
    println!("Next: fill in what is marked FILL_IN there, then hone optimize --dry-run");
    Ok(ExitCode::SUCCESS)
}
