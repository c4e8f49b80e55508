//! Files that are installed beside the binary: completions of shells and manual pages, both made from the command line itself.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::output::to_stdout;
use hone_files::files::write_whole;

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
    fs::create_dir_all(&args.directory).with_context(|| args.directory.display().to_string())?;
    for (name, page) in pages(crate::Cli::command())? {
        write_whole(&args.directory.join(name), &page)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the page of the command and the pages of the subcommands that help shows, by file name.
fn pages(command: Command) -> Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let name = command.get_name().to_owned();
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let own = shown.map(|one| {
        let full = format!("{name}-{}", one.get_name());
        // The title of a page is the name with a hyphen; the synopsis has the space that is typed.
        let one = one.clone().display_name(full.clone());
        (full, one)
    });
    let own: Vec<_> = own.collect();
    let mut pages = Vec::new();
    for (name, command) in [(name, command)].into_iter().chain(own) {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        pages.push((format!("{name}.1"), page));
    }
    Ok(pages)
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
        let pages = pages(crate::Cli::command()).unwrap();
        let of = |file: &str| {
            let page = pages.iter().find(|(name, _)| name == file);
            String::from_utf8(page.unwrap_or_else(|| panic!("no {file}")).1.clone()).unwrap()
        };
        let whole = of("hone.1");
        for name in subcommands() {
            // Hyphens are escaped there.
            assert!(whole.contains(&name.replace('-', "\\-")), "{name}");
            assert!(of(&format!("hone-{name}.1")).contains(".SH NAME"), "{name}");
        }
        assert_eq!(pages.len(), subcommands().len() + 1);
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
