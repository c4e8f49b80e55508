//! A command that runs in the background: a server, or what it needs.
//!
//! It has a helper of its own, which follows it also where it goes into the background by itself, and ends
//! everything that is left of it when it is told to or its parent dies.

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

/// How long a helper has to say what it has started.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a tree whose command has ended gets before the rest of it is ended.
const AFTERLIFE: Duration = Duration::from_millis(500);
/// How often a start is looked for.
const LOOK: Duration = Duration::from_millis(1);

/// A command at work in the background. Dropping it ends its tree.
pub struct Background {
    helper: Helper,
    started: Started,
    over: bool,
}

/// How a command in the background ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Exit status of the command itself; 128 + signal where a signal ended it; `None` where it was ended with
    /// the rest of its tree.
    pub exit: Option<i32>,
}

impl Background {
    /// Starts one, whose output goes where `spec` says. Files of the helper go into `directory`.
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

    /// Seconds since it was started.
    pub fn age_s(&self) -> f64 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        (now.tv_sec * 1_000_000_000 + now.tv_nsec - self.started.at_ns) as f64 * 1e-9
    }

    /// The control group of its tree, where there is one.
    pub fn cgroup(&self) -> Option<&Path> {
        self.started.cgroup.as_deref()
    }

    /// The process that adopts what leaves the tree.
    pub fn helper_pid(&self) -> i32 {
        self.helper.pid()
    }

    /// All of its living processes. The shell that Hone started for it counts only where nothing is below it.
    pub fn processes(&self) -> Vec<Descendant> {
        let mut all = tree::below(self.helper.pid());
        if let Some(shell) = self.shell(&all) {
            all.retain(|one| one.pid != shell);
        }
        all
    }

    /// Its topmost processes: those that stand for it, and get its signals.
    pub fn roots(&self) -> Vec<Descendant> {
        let processes = self.processes();
        let pid = |one: &Descendant| one.pid.as_raw_nonzero().get();
        let below: HashSet<i32> = processes.iter().map(pid).collect();
        let mut roots = processes;
        roots.retain(|one| !below.contains(&one.parent));
        roots
    }

    /// The shell, where it waits for what it has started.
    fn shell(&self, all: &[Descendant]) -> Option<Pid> {
        let started = self.started.pid;
        let shell = all
            .iter()
            .find(|one| one.name == "sh" && one.pid.as_raw_nonzero().get() == started)?;
        let has_children = all.iter().any(|one| one.parent == started);
        has_children.then_some(shell.pid)
    }

    /// Files that become readable when one of its topmost processes ends.
    pub fn watches(&self) -> Vec<OwnedFd> {
        let roots = self.roots().into_iter();
        // One that has ended meanwhile is seen by its absence.
        roots
            .filter_map(|root| helper::watch(root.pid.as_raw_nonzero().get()).ok())
            .collect()
    }

    /// Becomes readable when all of its tree has ended.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.helper.fd()
    }

    /// Waits so long at most for the end of all its processes.
    pub fn wait_for(&mut self, limit: Duration) -> Result<bool> {
        self.over = self.helper.wait_for(limit)?;
        Ok(self.over)
    }

    /// How the command itself ended, once it has; what it left is ended.
    pub fn exit_of_command(&self) -> Option<i32> {
        if !helper::readable(&[self.helper.fd()], AFTERLIFE).ok()?[0] {
            self.helper.tell_to_end();
            helper::readable(&[self.helper.fd()], 3 * GRACE).ok()?;
        }
        self.helper.outcome().ok()?.exit
    }

    /// Signals its topmost processes.
    pub fn signal(&self, signal: Signal) {
        for root in self.roots() {
            // One that has ended meanwhile needs no signal.
            let _ = rustix::process::kill_process(root.pid, signal);
        }
    }

    /// Kills all of its processes: for those that were asked in vain.
    pub fn kill(&self) {
        for process in self.processes() {
            // One that has ended meanwhile needs no signal.
            let _ = rustix::process::kill_process(process.pid, Signal::KILL);
        }
    }

    /// Ends what is left, and says how the command itself ended.
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
                // It has said so by now, whatever became of it.
                _ => match std::fs::read(file) {
                    Ok(bytes) => return Ok(serde_json::from_slice(&bytes)?),
                    Err(error) => error.to_string(),
                },
            };
            return Err(RunError::NotStarted { program, fact }.into());
        }
    }
}
