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
    clap_complete::generate(shell, &mut command, "hone-agent", &mut text);
    std::io::stdout()
        .write_all(&text)
        .context("standard output")
}

/// Writes manual pages into a directory: for the command, and for each subcommand that help shows.
pub(crate) fn man_pages(command: Command, directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command.name("hone-agent"), directory))
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
        let whole = fs::read_to_string(directory.path().join("hone-agent.1")).unwrap();
        for name in ["run", "config", "top", "demo", "completions"] {
            assert!(whole.contains(name), "{name}");
            assert!(
                directory
                    .path()
                    .join(format!("hone-agent-{name}.1"))
                    .is_file(),
                "{name}"
            );
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 6);
    }
}
