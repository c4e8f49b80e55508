//! The other side of `exec-measured`: starts the helper, waits for it without using CPU, and reads its answer.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::order::{Order, Outcome};
use super::{RunError, interrupt, tail};

/// Time between two checks, during a wait, whether somebody asked to stop.
const LOOK: Duration = Duration::from_millis(500);

/// A helper at work.
pub(super) struct Helper {
    child: Child,
    watch: OwnedFd,
    outcome: PathBuf,
    stderr: PathBuf,
    ended: Option<ExitStatus>,
}

impl Helper {
    /// Starts a helper, whose files go into `directory`.
    pub(super) fn start(order: &Order, directory: &Path) -> anyhow::Result<Self> {
        let order_file = directory.join("order.json");
        let outcome = directory.join("outcome.json");
        let stderr = directory.join("helper-stderr");
        std::fs::write(&order_file, serde_json::to_vec(order)?).context("temporary directory")?;
        let child = Command::new("/proc/self/exe")
            .arg("exec-measured")
            .arg(&order_file)
            .arg("--out")
            .arg(&outcome)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&stderr).context("temporary directory")?)
            .spawn()
            .context("hone exec-measured: cannot be started")?;
        let watch = watch(i32::try_from(child.id())?)?;
        Ok(Self {
            child,
            watch,
            outcome,
            stderr,
            ended: None,
        })
    }

    /// Process id of the helper.
    pub(super) fn pid(&self) -> i32 {
        // A process id fits: it was checked when the helper was started.
        i32::try_from(self.child.id()).unwrap_or(0)
    }

    /// File that becomes readable when the helper ends.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.watch.as_fd()
    }

    /// Waits for the end of the helper, and passes an interruption on to it. When one of `beside` becomes readable, the
    /// helper is told to end; returns true in this case.
    pub(super) fn wait(&mut self, beside: &[BorrowedFd<'_>]) -> anyhow::Result<bool> {
        let mut forsaken = false;
        while self.ended.is_none() {
            let others = if forsaken { &[] } else { beside };
            let all: Vec<_> = [self.watch.as_fd()]
                .into_iter()
                .chain(others.iter().copied())
                .collect();
            let ready = readable(&all, LOOK)?;
            if ready.first() == Some(&true) {
                self.reap()?;
            } else if ready.contains(&true) {
                forsaken = true;
                self.tell_to_end();
            }
            if interrupt::requested() {
                self.tell_to_end();
            }
        }
        Ok(forsaken)
    }

    /// Waits at most for `limit`; returns true if the helper has ended.
    pub(super) fn wait_for(&mut self, limit: Duration) -> anyhow::Result<bool> {
        if self.ended.is_none() && readable(&[self.watch.as_fd()], limit)? == [true] {
            self.reap()?;
        }
        Ok(self.ended.is_some())
    }

    /// Tells the helper to end its tree.
    pub(super) fn tell_to_end(&self) {
        // The helper may have ended by itself; then there is nobody to tell.
        let _ = rustix::process::pidfd_send_signal(&self.watch, Signal::TERM);
    }

    /// Kills the helper, if it does not react.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.reap();
    }

    /// Returns the helper's answer, once the helper has ended.
    pub(super) fn outcome(&self) -> anyhow::Result<Outcome> {
        let outcome = std::fs::read(&self.outcome).ok();
        let outcome = outcome.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        match (outcome, self.ended) {
            (Some(outcome), _) => Ok(outcome),
            (None, _) if interrupt::requested() => Err(RunError::Interrupted.into()),
            (None, Some(status)) => {
                let stderr = tail(&self.stderr)?.trim().to_owned();
                Err(RunError::Helper { status, stderr }.into())
            }
            (None, None) => Err(anyhow!("the measuring helper still runs")),
        }
    }

    fn reap(&mut self) -> anyhow::Result<()> {
        self.ended = Some(self.child.wait().context("waiting for a run")?);
        Ok(())
    }
}

/// Opens a file that becomes readable when the process ends.
pub(super) fn watch(pid: i32) -> anyhow::Result<OwnedFd> {
    let pid = Pid::from_raw(pid).ok_or_else(|| anyhow!("strange process id {pid}"))?;
    rustix::process::pidfd_open(pid, PidfdFlags::empty()).context("pidfd_open")
}

/// Waits until one of the files is readable or the time is up; returns for each file whether it is readable.
pub(super) fn readable(files: &[BorrowedFd<'_>], limit: Duration) -> anyhow::Result<Vec<bool>> {
    let until = Instant::now() + limit;
    let mut polled: Vec<_> = files
        .iter()
        .map(|file| PollFd::from_borrowed_fd(*file, PollFlags::IN))
        .collect();
    let left = until.saturating_duration_since(Instant::now());
    let left = Timespec {
        tv_sec: i64::try_from(left.as_secs())?,
        tv_nsec: left.subsec_nanos().into(),
    };
    match rustix::event::poll(&mut polled, Some(&left)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(polled
            .iter()
            .map(|file| !file.revents().is_empty())
            .collect()),
        Err(error) => Err(error).context("waiting for a run"),
    }
}
