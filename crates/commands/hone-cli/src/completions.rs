//! Completions of shells and manual pages, which packages install. Both are made from the command line's definition.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::output::to_stdout;

/// Print the completions of a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone completions bash > ~/.local/share/bash-completion/completions/hone\n  \
    hone completions zsh > ~/.zfunc/_hone\n  \
    hone completions fish > ~/.config/fish/completions/hone.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages into a directory
#[derive(clap::Args)]
pub(crate) struct ManPagesArgs {
    /// The directory
    directory: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "hone", &mut text);
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man_pages(args: &ManPagesArgs) -> Result<ExitCode> {
    write_pages(&args.directory).with_context(|| args.directory.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the command, and one for each subcommand that help shows.
fn write_pages(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    clap_mangen::generate_to(crate::Cli::command(), directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subcommands() -> Vec<String> {
        let command = crate::Cli::command();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        shown.map(|one| one.get_name().to_owned()).collect()
    }

    #[test]
    fn completions_know_every_subcommand() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut crate::Cli::command(), "hone", &mut text);
            let text = String::from_utf8(text).unwrap();
            for name in subcommands() {
                assert!(text.contains(&name), "{shell}: {name}");
            }
        }
    }

    #[test]
    fn every_subcommand_has_a_page_and_stands_on_that_of_hone() {
        let directory = tempfile::tempdir().unwrap();
        write_pages(directory.path()).unwrap();
        let of = |file: &str| fs::read_to_string(directory.path().join(file)).unwrap();
        let whole = of("hone.1");
        for name in subcommands() {
            // Hyphens are escaped there.
            assert!(whole.contains(&name.replace('-', "\\-")), "{name}");
            assert!(of(&format!("hone-{name}.1")).contains(".SH NAME"), "{name}");
        }
        let pages = fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(pages, subcommands().len() + 1);
    }

    #[test]
    fn help_lists_the_commands_that_are_binaries_of_their_own() {
        let help = crate::Cli::command().render_help().to_string();
        for name in [
            "  agent ",
            "  mesh ",
            "  thrift ",
            "  call ",
            "  load ",
            "  init ",
            "  completions ",
        ] {
            assert!(help.contains(name), "{help}");
        }
    }
}
