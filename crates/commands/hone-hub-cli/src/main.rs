//! `hone-hub`: takes what the hosts of a fleet send, keeps it, and answers questions about it.
//!
//! Exit status: 0 done, 1 not all files with symbols were taken, or a profile may not be used, 2 wrong usage or environment.

#![deny(unsafe_code)]

mod access;
mod checker;
mod client;
mod clocks;
mod completions;
mod demo;
mod figures;
mod http;
mod jobs;
mod log;
mod memory;
mod pgo;
mod regressions;
mod restore;
mod run;
mod search;
mod settings;
mod symbols;
mod token;
mod upkeep;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use settings::{EXAMPLE, Given, Settings};

/// The hub of a fleet: takes profiles from hosts, keeps them, and answers questions
///
/// Without a command the hub starts, and ends with SIGTERM or Ctrl-C.
#[derive(Parser)]
#[command(
    name = "hone-hub",
    version,
    after_help = "Examples:\n  hone-hub\n  hone-hub config --example > hone-hub.toml\n  hone-hub --config hone-hub.toml\n  \
                  hone-hub token new --scopes ingest,read --name hosts\n  hone-hub symbols build/server --url https://hub.example.com:7007\n  hone-hub pgo checkout --write profiles\nTo try it: hone-hub demo"
)]
struct Args {
    #[command(flatten)]
    given: Given,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Make, list and revoke tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Bring back days that went away by their age, while the hub is stopped
    ///
    /// After a wrong clock, say. Files of such days are kept for 7 more days in which a hub runs; those that made room for others are not.
    Restore(restore::Args),
    /// Do once what a running hub does by itself, also over rows that Spark or another engine has added up
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Upload programs, libraries and debug files, so that the hub's pages show names
    Symbols(symbols::command::Args),
    /// Tell which services run a function, how many CPU cores it takes there, and who calls it
    Search(search::Args),
    /// Write compiler profiles of a service, which the hub makes of what the fleet's hosts sent
    ///
    /// Exit status: 0 the profiles are there, 1 one of them may not be used, 2 something else went wrong.
    Pgo(pgo::client::Args),
    /// Try it: a hub, three services under load and an agent that records them, all stopped at the end
    ///
    /// Ends with a regression that the hub has found, a compiler profile of a service, and the address of the page. It takes two
    /// minutes; the week before is replayed from what was recorded.
    Demo(demo::DemoArgs),
    /// Print an example with every setting, or check a file
    #[command(arg_required_else_help = true)]
    Config {
        /// Print all keys with their defaults
        #[arg(long)]
        example: bool,
        /// Say whether this file makes sense
        #[arg(long, value_name = "FILE", conflicts_with = "example")]
        check: Option<PathBuf>,
    },
    /// Print the completions of a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages into a directory
    #[command(name = "man-pages", hide = true)]
    ManPages {
        /// The directory
        directory: PathBuf,
    },
    /// Check batches from the standard input, for a hub that has started this
    #[command(name = "check-batches", hide = true)]
    CheckBatches {
        /// Leave this process no more than it needs
        #[arg(long)]
        confined: bool,
    },
    /// Read a file with symbols, for a hub that has started this
    #[command(name = "read-symbols", hide = true)]
    ReadSymbols {
        /// Leave this process no more than it needs
        #[arg(long)]
        confined: bool,
    },
    /// Make a profile of what comes from the standard input, for a hub that has started this
    #[command(name = "make-profile", hide = true)]
    MakeProfile {
        /// Leave this process no more than it needs
        #[arg(long)]
        confined: bool,
        /// Memory that it may have
        #[arg(long)]
        memory_bytes: u64,
    },
}

fn main() -> ExitCode {
    let Args { given, command } = Args::parse();
    let outcome = match command {
        None => Settings::read(&given).and_then(|settings| run::run(&settings)),
        Some(Command::CheckBatches { confined }) => return checker::child::run(confined),
        Some(Command::ReadSymbols { confined }) => return symbols::reader::child::run(confined),
        Some(Command::Symbols(args)) => return symbols::command::run(&args),
        Some(Command::MakeProfile {
            confined,
            memory_bytes,
        }) => return pgo::child::run(confined, memory_bytes),
        Some(Command::Pgo(args)) => match pgo::client::run(&args) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::FAILURE,
            Err(error) => Err(error),
        },
        Some(Command::Jobs(command)) => {
            match Settings::read(&given).and_then(|settings| jobs::run(&command, &settings)) {
                Ok(true) => Ok(()),
                Ok(false) => return ExitCode::FAILURE,
                Err(error) => Err(error),
            }
        }
        Some(Command::Restore(args)) => {
            Settings::read(&given).and_then(|settings| restore::run(&args, &settings))
        }
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Demo(args)) => demo::demo(&args),
        Some(Command::Token(command)) => token(command, &given),
        Some(Command::Config { example: true, .. }) => {
            print!("{EXAMPLE}");
            Ok(())
        }
        Some(Command::Config { check, .. }) => checked(check),
        Some(Command::Completions { shell }) => completions::completions(Args::command(), shell),
        Some(Command::ManPages { directory }) => {
            completions::man_pages(Args::command(), &directory)
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hone-hub: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn token(command: token::Command, given: &Given) -> Result<()> {
    let settings = Settings::read(given)?;
    let file = settings
        .tokens
        .context("a hub with a bucket keeps its tokens where you say: add --tokens FILE")?;
    token::run(command, &file)
}

fn checked(file: Option<PathBuf>) -> Result<()> {
    settings::check_file(&file.context("--check FILE is missing")?)?;
    println!("good");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::documents;

    #[test]
    fn the_command_takes_what_its_documents_show() {
        let lines = documents::lines_of("hone-hub");
        documents::must_be_taken(&lines, 8, |words| Args::try_parse_from(words).map(drop));
    }
}
