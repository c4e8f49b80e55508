//! What a recording must not do to its target, whoever else holds, stops, kills, fences or replaces it, and
//! whoever kills the recorder.
//!
//! Programs stand in `tests/programs`; each checks its own work (`work.h`) and says so at its end. Recordings
//! run beside them in this process, but for the roles of `role`, which are processes of their own because they
//! are to be killed or to run as another user. One test runs at a time: each fills the machine by itself.
#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod campaign;
mod code;
mod fences;
mod others;
mod recording;
mod role;
mod shapes;
mod target;
mod truth;

use std::sync::{Mutex, MutexGuard, PoisonError};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Waits until no other test of this file runs.
fn alone() -> MutexGuard<'static, ()> {
    // A test that failed leaves nothing behind that the others need.
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}
