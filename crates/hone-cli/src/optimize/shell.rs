//! Runs the user's own shell lines (build, check, training) with their output in a log file.
//!
//! The measuring helper runs them, though nothing is measured: it ends the whole tree when Hone is interrupted
//! or dies, so that no build goes on writing where the next run builds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::workspace::utf8;
use crate::process::{self, CommandLine, Leftovers, RunSpec, Stdout};

/// Lines of a log that an error message repeats.
const TAIL_LINES: usize = 15;

/// One shell line with its surroundings.
pub(super) struct Shell<'a> {
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) env: &'a BTreeMap<String, String>,
    /// Where standard output and standard error go.
    pub(super) log: &'a Path,
}

impl Shell<'_> {
    /// Runs it; fails with the end of its output if it does not exit with 0. What it leaves running is ended.
    pub(super) fn run(&self) -> Result<()> {
        let env = self.env.iter();
        let measured = process::run_measured(&RunSpec {
            command: CommandLine::Shell(self.command.into()),
            cwd: Some(self.cwd.into()),
            env: env
                .map(|(name, value)| (name.clone(), Some(value.clone())))
                .collect(),
            stdout: Stdout::Log(self.log.into()),
            leftovers: Leftovers::End,
            ..RunSpec::default()
        })?;
        if measured.exit != 0 {
            bail!(
                "exit status {}; the end of its output:\n{}",
                measured.exit,
                tail(self.log)
            );
        }
        Ok(())
    }
}

/// The last lines of a log, indented for an error message.
pub(super) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().collect();
    let start = lines.len().saturating_sub(TAIL_LINES);
    lines[start..]
        .iter()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The command with `{binary}` replaced by the quoted path.
pub(super) fn with_binary(command: &str, binary: &Path) -> Result<String> {
    Ok(command.replace("{binary}", &quoted(utf8(binary)?)))
}

/// Quotes a word for the shell where it needs it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn words_survive_the_shell() {
        for word in ["plain/path-1.0", "with space", "it's", "", "$HOME", "a;b"] {
            let line = format!("printf %s {}", quoted(word));
            let output = Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }
}
