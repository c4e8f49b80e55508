//! The recorded processes that have not ended.

use crate::error::{RecordError, system};
use crate::sys::poll::{self, Readiness};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Descriptors of the recorded processes that live.
pub(crate) struct Living {
    files: Vec<OwnedFd>,
    /// True if other processes may come, so that the recording does not end with the known processes.
    is_open: bool,
    /// True if the process is a child of ours, whose end must be waited for.
    pub(crate) is_child: bool,
}

impl Living {
    /// Opens those of `pids` that live. A process that is recorded alone must live.
    pub(crate) fn of(pids: &[i32]) -> Result<Self, RecordError> {
        let mut files = Vec::new();
        let (is_open, is_child) = (false, false);
        for &pid in pids {
            match poll::process(pid) {
                Ok(file) => files.push(file),
                Err(error) if pids.len() > 1 && error.raw_os_error() == Some(libc::ESRCH) => {}
                Err(error) => return Err(system("pidfd_open")(error)),
            }
        }
        Ok(Self {
            files,
            is_open,
            is_child,
        })
    }

    /// Watches no process in particular: only time or the user ends the recording.
    pub(crate) fn of_everybody() -> Self {
        Self {
            files: Vec::new(),
            is_open: true,
            is_child: false,
        }
    }

    /// Watches a child that was started.
    pub(crate) fn of_child(pid: i32) -> Result<Self, RecordError> {
        Ok(Self {
            is_child: true,
            ..Self::of(&[pid])?
        })
    }

    /// Sleeps until a process ends, one of `others` is ready or the time is over; returns true if all processes have
    /// ended.
    pub(crate) fn wait<'a>(
        &mut self,
        others: impl Iterator<Item = BorrowedFd<'a>>,
        at_most: Duration,
    ) -> io::Result<bool> {
        let answers = {
            let mut all: Vec<BorrowedFd<'_>> = self.files.iter().map(AsFd::as_fd).collect();
            for other in others {
                all.push(other);
            }
            poll::wait(&all, at_most)?
        };
        let mut answers = answers.into_iter();
        self.files
            .retain(|_| answers.next() == Some(Readiness::Quiet));
        Ok(self.files.is_empty() && !self.is_open)
    }
}
