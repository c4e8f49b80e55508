//! Sleeping until a child changes its state.
//!
//! No signal handler is installed and no disposition changed: `SIGCHLD` is blocked in the calling thread
//! alone and only while it sleeps, since the kernel offers a tracee's signal to the tracing thread first.
//! In the moment between looking and sleeping another thread of the process may swallow the signal, so a
//! caller sleeps for a millisecond or so at a time, never for ever.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

/// Guard that keeps `SIGCHLD` blocked for this thread as long as the guard lives.
pub(crate) struct ChildSignals {
    set: libc::sigset_t,
    before: libc::sigset_t,
}

impl ChildSignals {
    /// Blocks `SIGCHLD` in the calling thread. The caller looks for waiting children after this call, then sleeps.
    pub(crate) fn hold() -> Self {
        let mut set = empty_set();
        // SAFETY: `set` is an initialised signal set, and SIGCHLD is a valid signal number.
        unsafe { libc::sigaddset(&mut set, libc::SIGCHLD) };
        let mut before = empty_set();
        // SAFETY: both sets are initialised and live through the call.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &set, &mut before) };
        Self { set, before }
    }

    /// Sleeps until a child's state changes or the time is over.
    pub(crate) fn sleep(&self, at_most: Duration) {
        let timeout = libc::timespec {
            tv_sec: at_most.as_secs() as libc::time_t,
            tv_nsec: at_most.subsec_nanos().into(),
        };
        // SAFETY: the set and the time are initialised and live through the call; a null info is allowed.
        unsafe { libc::sigtimedwait(&self.set, ptr::null_mut(), &timeout) };
    }
}

impl Drop for ChildSignals {
    fn drop(&mut self) {
        // SAFETY: `before` is the set that pthread_sigmask filled in; a null old set is allowed.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }
}

fn empty_set() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: sigemptyset initialises the whole set that it is given.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: the call before has initialised the whole set.
    unsafe { set.assume_init() }
}
