//! Starting a command that waits at a gate before it becomes the program.
//!
//! The child of a fork in a process with several threads may only make plain system calls until its
//! exec, so everything it needs is made before the fork.

use super::checked;
use std::ffi::{CString, c_char};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

/// Data that a child needs.
pub(crate) struct Prepared {
    pub(crate) program: CString,
    pub(crate) argv: Vec<CString>,
    pub(crate) envp: Vec<CString>,
    pub(crate) cwd: Option<CString>,
    pub(crate) stdout: Option<OwnedFd>,
}

/// Action at which the child failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Directory,
    Output,
    Exec,
}

/// A child that waits at the gate. If the value is dropped without [`Gated::release`], the child ends.
pub(crate) struct Gated {
    pid: i32,
    gate: Option<OwnedFd>,
    failure: File,
}

/// Forks a child that waits at the gate.
pub(crate) fn gated(prepared: &Prepared) -> io::Result<Gated> {
    let (gate_read, gate_write) = pipe()?;
    let (failure_read, failure_write) = pipe()?;
    let argv = pointers(&prepared.argv);
    let envp = pointers(&prepared.envp);
    // SAFETY: the child calls only `child`, which keeps to async-signal-safe system calls, allocates
    // nothing and never returns.
    let pid = checked(unsafe { libc::fork() })? as i32;
    if pid == 0 {
        let fds = [
            gate_read.as_raw_fd(),
            gate_write.as_raw_fd(),
            failure_write.as_raw_fd(),
        ];
        // SAFETY: this is the child of the fork; the pointer lists end with null and point into
        // `prepared`, which lives in the child's copy of memory.
        unsafe { child(prepared, &argv, &envp, fds) }
    }
    Ok(Gated {
        pid,
        gate: Some(gate_write),
        failure: File::from(failure_read),
    })
}

impl Gated {
    /// Process id of the child.
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Opens the gate and returns when the program has taken over, or returns the action at which the child failed.
    pub(crate) fn release(mut self) -> Result<(), (Stage, io::Error)> {
        if let Some(gate) = self.gate.take() {
            // A child that is gone already has reported the reason on the other pipe.
            let _ = File::from(gate).write_all(&[1]);
        }
        let mut message = [0; 5];
        match self.failure.read_exact(&mut message) {
            Err(_) => Ok(()),
            Ok(()) => {
                let [stage, errno @ ..] = message;
                let stage = match stage {
                    0 => Stage::Directory,
                    1 => Stage::Output,
                    _ => Stage::Exec,
                };
                Err((
                    stage,
                    io::Error::from_raw_os_error(i32::from_le_bytes(errno)),
                ))
            }
        }
    }

    /// Ends the child before it has become the program.
    pub(crate) fn abandon(self) {
        // SAFETY: the call signals our own child, which we have not waited for, so the id still belongs to the child.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        let _ = super::wait::until_change_of(self.pid);
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds: [RawFd; 2] = [-1; 2];
    // SAFETY: the array has room for the two descriptors.
    checked(unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: the successful call before has made this descriptor for us; no other owner of it exists.
    let read = unsafe { OwnedFd::from_raw_fd(fds[0]) };
    // SAFETY: the same call has made this descriptor too; no other owner of it exists.
    let write = unsafe { OwnedFd::from_raw_fd(fds[1]) };
    Ok((read, write))
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings
        .iter()
        .map(|string| string.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// Runs in the child: waits at the gate, prepares output, signals and directory, and calls exec, or reports why not.
///
/// # Safety
/// Must be called only in a fresh child, with pointer lists that end with null.
#[allow(clippy::multiple_unsafe_ops_per_block)]
unsafe fn child(
    prepared: &Prepared,
    argv: &[*const c_char],
    envp: &[*const c_char],
    [gate_read, gate_write, failure]: [RawFd; 3],
) -> ! {
    // SAFETY: the block makes only plain system calls on numbers, on descriptors that this process owns and on strings
    // and lists that end as the calls expect; all calls are async-signal-safe.
    unsafe {
        libc::close(gate_write);
        let mut byte = 0_u8;
        let mut count = -1;
        while count == -1 {
            count = libc::read(gate_read, (&raw mut byte).cast(), 1);
        }
        if count == 0 {
            libc::_exit(127);
        }
        // Rust ignores SIGPIPE in this process; a command expects the default.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut none = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        let stage = 'failed: {
            if let Some(stdout) = &prepared.stdout
                && libc::dup2(stdout.as_raw_fd(), libc::STDOUT_FILENO) == -1
            {
                break 'failed Stage::Output;
            }
            if let Some(cwd) = &prepared.cwd
                && libc::chdir(cwd.as_ptr()) == -1
            {
                break 'failed Stage::Directory;
            }
            libc::execve(prepared.program.as_ptr(), argv.as_ptr(), envp.as_ptr());
            Stage::Exec
        };
        let errno = (*libc::__errno_location()).to_le_bytes();
        let message = [stage as u8, errno[0], errno[1], errno[2], errno[3]];
        libc::write(failure, message.as_ptr().cast(), message.len());
        libc::_exit(127)
    }
}
