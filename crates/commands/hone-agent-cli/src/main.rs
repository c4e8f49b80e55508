//! `hone-agent`: receives the measurements of all processes of a host, aggregates them, and sends them on.

#![forbid(unsafe_code)]

mod completions;
mod config;
mod demo;
mod endpoints;
mod http;
mod log;
mod notify;
mod run;
mod state;
mod top;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use config::trial::{self, Found};
use config::{Config, EXAMPLE};

/// The host metrics agent
#[derive(Parser)]
#[command(
    name = "hone-agent",
    version,
    after_help = "Example:\n  hone-agent config --example > agent.toml\n  hone-agent run --config agent.toml\n\
                  To try it: hone-agent demo"
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Receive, aggregate and send until SIGTERM or Ctrl-C; the last interval is sent then. SIGHUP reads the
    /// configuration again
    Run {
        /// The configuration
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Print an example with every key, or check a file
    #[command(arg_required_else_help = true)]
    Config {
        /// Print all keys with their defaults
        #[arg(long)]
        example: bool,
        /// Say whether this file makes sense, and whether what it names could be opened now; opens nothing
        #[arg(long, value_name = "FILE", conflicts_with = "example")]
        check: Option<PathBuf>,
    },
    /// Show which service and process sends how much to the agent that runs, and which metric has most series
    Top(top::TopArgs),
    /// Try it: an agent, services that send to it and a real back end (victoria-metrics), all stopped at the end
    Demo(demo::DemoArgs),
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
}

/// Message of `hone-agent run` without `--config`.
const NO_CONFIGURATION: &str = r#"--config FILE is missing. Without a file nobody says where the metrics shall go. To create one:

  cat > agent.toml <<'END'
  [[listen]]
  address = "udp:127.0.0.1:8125"
  [[send]]
  format = "remote-write"
  address = "http://127.0.0.1:8428/api/v1/write"
  END
  hone-agent config --check agent.toml
  hone-agent run --config agent.toml

Every key with its default: hone-agent config --example
An agent with services and a back end, for a look: hone-agent demo"#;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Run { config: None } => Err(anyhow!("{NO_CONFIGURATION}")),
        Command::Run { config: Some(file) } => run::run(&file),
        Command::Top(args) => top::top(&args),
        Command::Demo(args) => demo::demo(&args),
        Command::Completions { shell } => completions::completions(Args::command(), shell),
        Command::ManPages { directory } => completions::man_pages(Args::command(), &directory),
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
    let config = Config::read(&file.context("--check FILE is missing")?)?;
    let found = trial::try_all(&config);
    found.iter().for_each(|found| println!("{found}"));
    let is_wrong = |found: &&Found| matches!(found, Found::Wrong(_));
    match found.iter().filter(is_wrong).count() {
        0 => {
            let (listeners, back_ends) = (config.listen.len(), config.send.len());
            println!("good: {listeners} listeners, {back_ends} back ends");
            Ok(())
        }
        wrong => bail!("{wrong} of the configured things could not be opened; see above"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::documents;

    #[test]
    fn the_command_takes_what_its_documents_show() {
        let lines = documents::lines_of("hone-agent");
        documents::must_be_taken(&lines, 8, |words| Args::try_parse_from(words).map(drop));
    }

    #[test]
    fn settings_are_taken_as_the_guides_show_them() {
        let mut found = documents::blocks();
        found.retain(|block| {
            let guide = block.place.strip_prefix("docs/").unwrap_or_default();
            let is_of_the_agent =
                guide.starts_with("agent/") || guide.starts_with("optimize/fleet.md");
            // What a Rust service writes into its Cargo.toml is another program's.
            let is_of_cargo = block.text.starts_with("[dependencies]");
            let is_settings =
                block.text.starts_with('[') && block.text.parse::<toml::Table>().is_ok();
            is_of_the_agent && is_settings && !is_of_cargo
        });
        assert!(found.len() >= 3, "only {} blocks found", found.len());
        for block in found {
            // The files that settings name are elsewhere.
            let refused = Config::parse(&block.text)
                .err()
                .map(|why| format!("{why:#}"));
            let refused = refused.filter(|why| !why.contains("No such file"));
            assert_eq!(refused, None, "{}:\n{}", block.place, block.text);
        }
    }
}
