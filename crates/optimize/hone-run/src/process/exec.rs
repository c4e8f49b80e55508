//! `hone exec-measured`: the helper that starts one command, outlives all of its processes, and reports their cost.
//!
//! All waiting is on one socket: for the kernel's signal that a child changed its state (SIGCHLD), and for requests
//! to stop. That leaves the CPUs to what is measured.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use hone_host::process::TICKS_PER_S;
use hone_measure::Observation;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use super::cgroup::Cgroup;
use super::order::{Ending, Leftovers, Order, Outcome, Started};
use super::tree::{self, GRACE};

/// Time that descendants may outlive the command before they count as left behind.
const AFTERLIFE: Duration = Duration::from_secs(10);

/// The same time if descendants are ended without a complaint: enough for a `tee` to write its last lines.
const AFTERLIFE_OF_HELPERS: Duration = Duration::from_secs(1);

/// Carries out the order in a file, and writes its outcome to another. The command's own exit status is part of the outcome.
///
/// # Errors
///
/// Returns an error if the order cannot be read, this process cannot be set up as the helper, or the outcome cannot be written.
pub fn run(order: &Path, out: &Path) -> anyhow::Result<()> {
    let text = std::fs::read(order).with_context(|| order.display().to_string())?;
    let order: Order =
        serde_json::from_slice(&text).with_context(|| order.display().to_string())?;
    ensure!(!order.argv.is_empty(), "the order names no program");
    let wishes = Wishes::listen()?;
    prepare(&order)?;
    let outcome = measure(&order, wishes)?;
    std::fs::write(out, serde_json::to_vec(&outcome)?).with_context(|| out.display().to_string())
}

/// Makes this process the reaper of all descendants, and lets it end with the process that ordered the run.
fn prepare(order: &Order) -> anyhow::Result<()> {
    // This comes before anything that a change of namespaces could undo.
    if let Some(cover) = &order.cover {
        cover.enter()?;
    }
    tree::adopt_orphans()?;
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))
        .context("prctl(PR_SET_PDEATHSIG)")?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    ensure!(
        parent == Some(order.parent),
        "the process that ordered the run is gone"
    );
    stay_on(&order.cpus)
}

fn stay_on(cpus: &[usize]) -> anyhow::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        ensure!(
            cpu < rustix::thread::CpuSet::MAX_CPU,
            "there is no CPU {cpu}"
        );
        set.set(cpu);
    }
    rustix::thread::sched_setaffinity(None, &set)
        .with_context(|| format!("cannot stay on CPU {cpus:?}"))
}

fn measure(order: &Order, wishes: Wishes) -> anyhow::Result<Outcome> {
    let mut command = command(order)?;
    let cgroup = order.started.as_ref().and_then(|_| Cgroup::enter());
    let stolen_before = stolen_s();
    let began = Instant::now();
    let at = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let mut exit = None;
    let ending = match command.spawn() {
        Ok(child) => {
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            if let Some(file) = &order.started {
                let started = Started {
                    pid: pid.map_or(0, |pid| pid.as_raw_nonzero().get()),
                    at_ns: at.tv_sec * 1_000_000_000 + at.tv_nsec,
                    cgroup: cgroup.as_ref().map(|cgroup| cgroup.path().to_owned()),
                };
                tell(file, &started)?;
            }
            let mut watch = Watch {
                main: pid,
                ..Watch::new(order, began, wishes)
            };
            let ending = watch.until_all_ended()?;
            exit = watch.exit;
            ending
        }
        Err(error) => Ending::NotStarted {
            not_found: error.kind() == ErrorKind::NotFound,
            fact: error.to_string(),
        },
    };
    let wall_s = began.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("getrusage")?;
    let observation = Observation {
        user_s: usage.user_time().num_microseconds() as f64 * 1e-6,
        system_s: usage.system_time().num_microseconds() as f64 * 1e-6,
        wall_s,
        peak_rss_bytes: u64::try_from(usage.max_rss()).unwrap_or(0) * 1024,
        work: None,
        stolen_s: (stolen_s() - stolen_before).max(0.0),
        service: None,
    };
    Ok(Outcome {
        observation,
        ending,
        exit,
    })
}

/// Writes what was started into a file, whole or not at all.
fn tell(file: &Path, started: &Started) -> anyhow::Result<()> {
    let unfinished = file.with_extension("part");
    std::fs::write(&unfinished, serde_json::to_vec(started)?).context("temporary directory")?;
    std::fs::rename(&unfinished, file).context("temporary directory")
}

fn command(order: &Order) -> anyhow::Result<Command> {
    let open = |path: &PathBuf| File::create(path).with_context(|| path.display().to_string());
    let stdout = open(&order.stdout)?;
    let stderr = if order.stderr == order.stdout {
        stdout.try_clone().context("standard error")?
    } else {
        open(&order.stderr)?
    };
    let mut command = Command::new(&order.argv[0]);
    command
        .args(&order.argv[1..])
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        // The command has a group of its own: Ctrl-C reaches the helper, and the helper ends the tree in order.
        .process_group(0);
    if let Some(cwd) = &order.cwd {
        ensure!(cwd.is_dir(), "{}: no such directory", cwd.display());
        command.current_dir(cwd);
    }
    for (name, value) in &order.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ok(command)
}

/// Signals, as a socket to wait on and a flag.
struct Wishes {
    stop: Arc<AtomicBool>,
    woken: UnixStream,
}

impl Wishes {
    fn listen() -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (woken, waker) = UnixStream::pair().context("socketpair")?;
        // The copy stays open until this process ends: a signal that comes when nobody waits any more must find a
        // reader, or SIGPIPE would end the helper before it has answered.
        std::mem::forget(woken.try_clone().context("socketpair")?);
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&stop)).context("sigaction")?;
        }
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGCHLD] {
            let waker = waker.try_clone().context("socketpair")?;
            signal_hook::low_level::pipe::register(signal, waker).context("sigaction")?;
        }
        Ok(Self { stop, woken })
    }

    /// Sleeps until a signal comes or the time is up.
    fn sleep(&mut self, limit: Option<Duration>) -> anyhow::Result<()> {
        // A limit of zero would mean no limit.
        let limit = limit.map(|time| time.max(Duration::from_millis(1)));
        self.woken.set_read_timeout(limit).context("socket")?;
        let mut drain = [0; 64];
        match self.woken.read(&mut drain) {
            Ok(_) => Ok(()),
            Err(error) if is_wake(error.kind()) => Ok(()),
            Err(error) => Err(error).context("socket"),
        }
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

fn is_wake(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// A process tree that is watched until its end.
struct Watch {
    wishes: Wishes,
    main: Option<Pid>,
    exit: Option<i32>,
    /// Time at which the tree has to be gone, if there is a limit.
    deadline: Option<Instant>,
    leftovers: Leftovers,
}

impl Watch {
    fn new(order: &Order, began: Instant, wishes: Wishes) -> Self {
        // A limit beyond what a clock can hold is no limit.
        let limit = order
            .timeout_s
            .and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        let deadline = limit.and_then(|limit| began.checked_add(limit));
        Self {
            wishes,
            main: None,
            exit: None,
            deadline,
            leftovers: order.leftovers,
        }
    }

    fn until_all_ended(&mut self) -> anyhow::Result<Ending> {
        loop {
            let was_running = self.exit.is_none();
            if !self.reap()? {
                return match self.exit {
                    Some(exit) => Ok(Ending::Ended { exit }),
                    None => bail!("the command vanished"),
                };
            }
            if self.wishes.stop() {
                self.end_tree()?;
                return Ok(Ending::Interrupted);
            }
            let afterlife = match self.leftovers {
                Leftovers::Refuse => Some(AFTERLIFE),
                Leftovers::End => Some(AFTERLIFE_OF_HELPERS),
                Leftovers::Follow => None,
            };
            if let (true, Some(_), Some(afterlife)) = (was_running, self.exit, afterlife) {
                let until = Instant::now() + afterlife;
                self.deadline = Some(self.deadline.map_or(until, |time| time.min(until)));
            }
            let left = self
                .deadline
                .map(|time| time.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                let mut names: Vec<_> = tree::descendants()
                    .into_iter()
                    .map(|one| one.name)
                    .collect();
                names.sort();
                self.end_tree()?;
                return Ok(match self.exit {
                    Some(exit) if self.leftovers == Leftovers::End => Ending::Ended { exit },
                    Some(_) if !names.is_empty() => Ending::LeftBehind { names },
                    _ => Ending::TimedOut,
                });
            }
            self.wishes.sleep(left)?;
        }
    }

    /// Reaps all children that have ended; returns true if any child is left.
    fn reap(&mut self) -> anyhow::Result<bool> {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if Some(pid) == self.main => {
                    self.exit = Some(exit_status(status));
                }
                Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                Ok(None) => return Ok(true),
                Err(rustix::io::Errno::CHILD) => return Ok(false),
                Err(error) => return Err(error).context("waitpid"),
            }
        }
    }

    /// Asks the tree to end, then kills it.
    fn end_tree(&mut self) -> anyhow::Result<()> {
        tree::signal(Signal::TERM);
        let patience = Instant::now() + GRACE;
        let exit = self.exit;
        while self.reap()? {
            if Instant::now() >= patience {
                tree::signal(Signal::KILL);
            }
            self.wishes.sleep(Some(Duration::from_millis(20)))?;
        }
        self.exit = exit;
        Ok(())
    }
}

fn exit_status(status: WaitStatus) -> i32 {
    let signal = || status.terminating_signal().map_or(0, |signal| 128 + signal);
    status.exit_status().unwrap_or_else(signal)
}

/// CPU seconds that the hypervisor has taken from this machine; 0 if the kernel does not report them.
fn stolen_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    parse_stolen(&stat).unwrap_or(0.0)
}

/// Parses the eighth number of the first line: user, nice, system, idle, iowait, irq, softirq, steal.
fn parse_stolen(stat: &str) -> Option<f64> {
    let mut fields = stat.lines().next()?.split_ascii_whitespace();
    (fields.next()? == "cpu").then_some(())?;
    let ticks: u64 = fields.nth(7)?.parse().ok()?;
    Some(ticks as f64 / TICKS_PER_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_ticks_become_seconds() {
        let stat = "cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(parse_stolen(stat), Some(2.5));
        assert_eq!(parse_stolen("cpu 1 2 3 4"), None);
        assert_eq!(parse_stolen("intr 1 2 3 4 5 6 7 8 9"), None);
        assert_eq!(parse_stolen(""), None);
    }
}
