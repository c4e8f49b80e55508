//! A command that runs in the background: a server, or a command that a server needs.
//!
//! The command has a helper of its own, which follows it even if it goes into the background by itself. The helper ends
//! all processes that are left of the command when it is told to or its parent dies.

use std::collections::HashSet;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::process::{Pid, Signal};

use super::helper::{self, Helper};
use super::order::{Ending, Order, Started};
use super::tree::{self, Descendant, GRACE};
use super::{RunError, RunSpec, interrupt, lay_out};

/// Time in which a helper must report what it has started.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time that a tree gets after its command has ended, before the rest of the tree is ended.
const AFTERLIFE: Duration = Duration::from_millis(500);
/// Time between two looks for a start.
const LOOK: Duration = Duration::from_millis(1);

/// A command at work in the background. Dropping the value ends the command's tree.
pub struct Background {
    helper: Helper,
    started: Started,
    over: bool,
}

/// End of a command in the background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Exit status of the command itself; 128 + signal if a signal ended it; `None` if it was ended with
    /// the rest of its tree.
    pub exit: Option<i32>,
}

impl Background {
    /// Starts a command, whose output goes where `spec` says. Files of the helper go into `directory`.
    pub fn start(spec: &RunSpec, directory: &Path) -> Result<Self> {
        std::fs::create_dir_all(directory)?;
        let file = directory.join("started.json");
        let order = Order {
            started: Some(file.clone()),
            ..lay_out(spec, directory)
        };
        let mut helper = Helper::start(&order, directory)?;
        match wait_for_start(&mut helper, &order, &file) {
            Ok(started) => Ok(Self {
                helper,
                started,
                over: false,
            }),
            Err(error) => {
                end(&mut helper);
                Err(error)
            }
        }
    }

    /// Seconds since the command was started.
    pub fn age_s(&self) -> f64 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        (now.tv_sec * 1_000_000_000 + now.tv_nsec - self.started.at_ns) as f64 * 1e-9
    }

    /// Control group of the command's tree, if there is one.
    pub fn cgroup(&self) -> Option<&Path> {
        self.started.cgroup.as_deref()
    }

    /// Process id of the helper, which adopts processes that leave the tree.
    pub fn helper_pid(&self) -> i32 {
        self.helper.pid()
    }

    /// Lists all living processes of the command. The shell that Hone started for it counts only if no process is below it.
    pub fn processes(&self) -> Vec<Descendant> {
        let mut all = tree::below(self.helper.pid());
        if let Some(shell) = self.shell(&all) {
            all.retain(|one| one.pid != shell);
        }
        all
    }

    /// Lists the topmost processes of the command, which get its signals.
    pub fn roots(&self) -> Vec<Descendant> {
        let processes = self.processes();
        let pid = |one: &Descendant| one.pid.as_raw_nonzero().get();
        let below: HashSet<i32> = processes.iter().map(pid).collect();
        let mut roots = processes;
        roots.retain(|one| !below.contains(&one.parent));
        roots
    }

    /// Returns the shell, if it waits for a process that it has started.
    fn shell(&self, all: &[Descendant]) -> Option<Pid> {
        let started = self.started.pid;
        let shell = all
            .iter()
            .find(|one| one.name == "sh" && one.pid.as_raw_nonzero().get() == started)?;
        let has_children = all.iter().any(|one| one.parent == started);
        has_children.then_some(shell.pid)
    }

    /// Returns files that become readable when one of the topmost processes ends.
    pub fn watches(&self) -> Vec<OwnedFd> {
        let roots = self.roots().into_iter();
        // A process that has ended meanwhile is noticed by its absence.
        roots
            .filter_map(|root| helper::watch(root.pid.as_raw_nonzero().get()).ok())
            .collect()
    }

    /// File that becomes readable when all of the tree has ended.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.helper.fd()
    }

    /// Waits at most for `limit` until all processes have ended; returns true if they have.
    pub fn wait_for(&mut self, limit: Duration) -> Result<bool> {
        self.over = self.helper.wait_for(limit)?;
        Ok(self.over)
    }

    /// Returns the exit status of the command itself, once it has ended; ends the processes that it left.
    pub fn exit_of_command(&self) -> Option<i32> {
        if !helper::readable(&[self.helper.fd()], AFTERLIFE).ok()?[0] {
            self.helper.tell_to_end();
            helper::readable(&[self.helper.fd()], 3 * GRACE).ok()?;
        }
        self.helper.outcome().ok()?.exit
    }

    /// Sends a signal to the topmost processes.
    pub fn signal(&self, signal: Signal) {
        for root in self.roots() {
            // A process that has ended meanwhile needs no signal.
            let _ = rustix::process::kill_process(root.pid, signal);
        }
    }

    /// Kills all processes, after they were asked to end in vain.
    pub fn kill(&self) {
        for process in self.processes() {
            // A process that has ended meanwhile needs no signal.
            let _ = rustix::process::kill_process(process.pid, Signal::KILL);
        }
    }

    /// Ends the remaining processes, and returns the exit status of the command itself.
    pub fn end(mut self) -> Result<End> {
        end(&mut self.helper);
        self.over = true;
        let outcome = self.helper.outcome()?;
        Ok(End { exit: outcome.exit })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if !self.over {
            end(&mut self.helper);
        }
    }
}

fn end(helper: &mut Helper) {
    helper.tell_to_end();
    let until = Instant::now() + 3 * GRACE;
    while Instant::now() < until {
        if matches!(helper.wait_for(GRACE), Ok(true) | Err(_)) {
            return;
        }
    }
    helper.kill();
}

fn wait_for_start(helper: &mut Helper, order: &Order, file: &PathBuf) -> Result<Started> {
    let until = Instant::now() + PATIENCE;
    loop {
        let started = std::fs::read(file).ok();
        if let Some(started) = started.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return Ok(started);
        }
        let ended = helper.wait_for(LOOK)?;
        if interrupt::requested() {
            return Err(RunError::Interrupted.into());
        }
        if ended || Instant::now() > until {
            let program = order.argv[0].clone();
            let fact = match helper.outcome()?.ending {
                Ending::NotStarted { fact, .. } => fact,
                // The helper has reported the start by now, whatever became of the command.
                _ => match std::fs::read(file) {
                    Ok(bytes) => return Ok(serde_json::from_slice(&bytes)?),
                    Err(error) => error.to_string(),
                },
            };
            return Err(RunError::NotStarted { program, fact }.into());
        }
    }
}
