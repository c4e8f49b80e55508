//! Completions of shells and manual pages, which packages install. Both are made from the command line's definition.

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
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command.name("hone-hub"), directory))
        .with_context(|| directory.display().to_string())
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
        let pages = fs::read_dir(directory.path()).unwrap();
        let pages = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
        // A page such as hone-hub-token-new.1 is of a command below a subcommand.
        let own = pages.filter(|page| page.matches('-').count() <= 2);
        assert_eq!(
            own.count(),
            1 + names.len(),
            "a subcommand is not listed here"
        );
    }
}
