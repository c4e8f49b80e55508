//! `hone-agent`: receives what all processes of a host measure, aggregates it, and sends it on.

mod config;
mod endpoints;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use config::{Config, EXAMPLE};

/// The host metrics agent
#[derive(Parser)]
#[command(
    version,
    after_help = "Example:\n  hone-agent config --example > agent.toml\n  hone-agent run --config agent.toml"
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Receive, aggregate and send until SIGTERM or Ctrl-C; the last interval is sent then
    Run {
        /// The configuration; without one, the defaults of `hone-agent config --example`
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Print an example with every key, or check a file
    #[command(arg_required_else_help = true)]
    Config {
        /// Print all keys with their defaults
        #[arg(long)]
        example: bool,
        /// Say whether this file makes sense
        #[arg(long, value_name = "FILE", conflicts_with = "example")]
        check: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Run { config } => {
            Config::read(config.as_deref()).and_then(|config| run::run(&config))
        }
        Command::Config { example: true, .. } => {
            print!("{EXAMPLE}");
            Ok(())
        }
        Command::Config { check, .. } => checked(check),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hone-agent: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn checked(file: Option<PathBuf>) -> Result<()> {
    let config = Config::read(file.as_deref())?;
    println!(
        "good: {} listeners, {} back ends",
        config.listen.len(),
        config.send.len()
    );
    Ok(())
}
