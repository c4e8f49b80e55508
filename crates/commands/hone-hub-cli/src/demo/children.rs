//! Processes of the demo. None of them outlives the demo.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// Longest time that a process may take to end after it was asked to.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process of the demo. It is ended when this value is dropped.
pub(super) struct Running {
    name: String,
    child: Child,
    log: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nobody is left to report an error to.
        let _ = self.ask_to_end();
    }
}

impl Running {
    /// Starts the process with its output in a file. The process has a group of its own, so Ctrl-C reaches only the
    /// demo, which ends its processes in order.
    pub(super) fn start(name: &str, mut command: Command, log: &Path) -> Result<Self> {
        let file = File::create(log)?;
        let child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Self {
            name: name.to_owned(),
            child,
            log: log.to_owned(),
        })
    }

    /// Fails with the last lines of the log if the process has ended.
    pub(super) fn complain_if_ended(&mut self) -> Result<()> {
        let Some(status) = self.child.try_wait()? else {
            return Ok(());
        };
        let said = self.said();
        let last: Vec<&str> = said.lines().rev().take(5).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        bail!("{} has ended ({status}):\n{}", self.name, last.join("\n"))
    }

    /// Returns what the process has said so far.
    pub(super) fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Ends the process and returns its output.
    pub(super) fn end(mut self) -> Result<String> {
        self.complain_if_ended()?;
        self.ask_to_end()?;
        Ok(self.said())
    }

    fn ask_to_end(&mut self) -> Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        let end = Instant::now() + PATIENCE;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > end {
                self.child.kill()?;
                self.child.wait()?;
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}
