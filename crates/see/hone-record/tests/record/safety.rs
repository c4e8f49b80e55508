//! What a recording must not do to its target, whoever else holds, stops, kills, fences or replaces it, and
//! whoever kills the recorder.
//!
//! Programs stand in `tests/programs`; each checks its own work (`work.h`) and says so at its end. Recordings
//! run beside them in this process, but for the roles of `role`, which are processes of their own because they
//! are to be killed or to run as another user. One of the tests that fill the machine by themselves runs at a time.

mod campaign;
mod code;
mod fences;
mod others;
mod recording;
mod role;
mod shapes;
pub(crate) mod target;
mod truth;

use testkit::Alone;

/// Waits until no other test of this kind runs, in whatever process.
fn alone() -> Alone {
    Alone::of("recordings-that-fill-the-machine")
}
