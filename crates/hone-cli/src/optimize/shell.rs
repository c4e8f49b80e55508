//! Runs the user's own shell lines (build, check, training) with their output in a log file.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use std::os::unix::process::CommandExt;

use super::workspace::utf8;

/// Lines of a log that an error message repeats.
const TAIL_LINES: usize = 15;
/// How often a running command is looked at.
const POLL: Duration = Duration::from_millis(20);

/// One shell line with its surroundings.
pub(super) struct Shell<'a> {
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) env: &'a BTreeMap<String, String>,
    /// Where standard output and standard error go.
    pub(super) log: &'a Path,
}

impl Shell<'_> {
    /// Runs it; fails with the end of its output if it does not exit with 0. When `stop` becomes true, its
    /// whole process group is ended.
    pub(super) fn run(&self, stop: &AtomicBool) -> Result<()> {
        let log = File::create(self.log).with_context(|| self.log.display().to_string())?;
        let mut child = Command::new("sh")
            .args(["-c", self.command])
            .current_dir(self.cwd)
            .envs(self.env)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .context("sh")?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if stop.load(Ordering::Relaxed) {
                end_group(&child);
                child.wait()?;
                bail!("interrupted");
            }
            std::thread::sleep(POLL);
        };
        if !status.success() {
            bail!("{status}; the end of its output:\n{}", tail(self.log));
        }
        Ok(())
    }
}

fn end_group(child: &std::process::Child) {
    if let Some(pid) = rustix::process::Pid::from_raw(child.id() as i32) {
        // It fails only if the group has ended by itself, which is what is wanted.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::TERM);
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

    fn run(command: &str) -> Result<()> {
        let directory = tempfile::tempdir()?;
        let log = directory.path().join("log");
        Shell {
            command,
            cwd: directory.path(),
            env: &BTreeMap::new(),
            log: &log,
        }
        .run(&AtomicBool::new(false))
    }

    #[test]
    fn a_failure_shows_the_end_of_the_output() {
        run("exit 0").unwrap();
        let error = run("echo first; echo why >&2; exit 3")
            .unwrap_err()
            .to_string();
        assert!(error.contains("why") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_stop_ends_the_whole_group() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let command = "sleep 1000 & sleep 1000";
        let shell = Shell {
            command,
            cwd: directory.path(),
            env: &BTreeMap::new(),
            log: &log,
        };
        let error = shell.run(&AtomicBool::new(true)).unwrap_err().to_string();
        assert_eq!(error, "interrupted");
    }

    #[test]
    fn words_survive_the_shell() {
        for word in ["plain/path-1.0", "with space", "it's", "", "$HOME", "a;b"] {
            let directory = tempfile::tempdir().unwrap();
            let file = directory.path().join("out");
            let command = format!("printf %s {} > out", quoted(word));
            Shell {
                command: &command,
                cwd: directory.path(),
                env: &BTreeMap::new(),
                log: &directory.path().join("log"),
            }
            .run(&AtomicBool::new(false))
            .unwrap();
            assert_eq!(fs::read_to_string(file).unwrap(), word);
        }
    }
}
