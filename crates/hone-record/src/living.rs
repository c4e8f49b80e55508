//! The recorded processes that have not ended.

use crate::error::{RecordError, system};
use crate::sys::poll::{self, Readiness};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// A descriptor of each.
pub(crate) struct Living {
    files: Vec<OwnedFd>,
    /// Others may come: the recording does not end with those.
    is_open: bool,
    /// Whether it is a child of ours, whose end is to be waited for.
    pub(crate) is_child: bool,
}

impl Living {
    /// Those of these that live; one that is recorded alone has to.
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

    /// Nobody in particular: only time or the user ends the recording.
    pub(crate) fn of_everybody() -> Self {
        Self {
            files: Vec::new(),
            is_open: true,
            is_child: false,
        }
    }

    /// A child that was started.
    pub(crate) fn of_child(pid: i32) -> Result<Self, RecordError> {
        Ok(Self {
            is_child: true,
            ..Self::of(&[pid])?
        })
    }

    /// Sleeps until a process ends, one of the others has something or the time is over; says whether all
    /// processes have ended.
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
