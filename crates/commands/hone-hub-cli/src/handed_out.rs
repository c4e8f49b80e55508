//! Files that are installed beside the binary: completions of shells and manual pages, both made from the command
//! line's definition.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

/// Prints the completions of a shell.
pub(crate) fn completions(mut command: Command, shell: Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "hone-hub", &mut text);
    std::io::stdout()
        .write_all(&text)
        .context("standard output")
}

/// Writes manual pages into a directory: for the command, and for each subcommand that help shows.
pub(crate) fn man_pages(command: Command, directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let mut command = command.name("hone-hub").disable_help_subcommand(true);
    command.build();
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let own = shown.map(|one| {
        one.clone()
            .display_name(format!("hone-hub-{}", one.get_name()))
    });
    let all: Vec<Command> = std::iter::once(command.clone()).chain(own).collect();
    for one in all {
        let name = one.get_display_name().unwrap_or(one.get_name()).to_owned();
        let path = directory.join(format!("{name}.1"));
        let mut page = Vec::new();
        clap_mangen::Man::new(one).render(&mut page)?;
        fs::write(&path, page).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_subcommand_has_a_page() {
        let directory = tempfile::tempdir().unwrap();
        man_pages(crate::Args::command(), directory.path()).unwrap();
        let whole = fs::read_to_string(directory.path().join("hone-hub.1")).unwrap();
        let names = [
            "token",
            "restore",
            "symbols",
            "search",
            "pgo",
            "jobs",
            "demo",
            "config",
            "completions",
        ];
        for name in names {
            let page = directory.path().join(format!("hone-hub-{name}.1"));
            assert!(whole.contains(name), "{name}");
            assert!(page.is_file(), "{name}");
        }
        let pages = fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(pages, 1 + names.len(), "a subcommand is not listed here");
    }
}
