//! The time at which a connection is cut, which files that go or come put off.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The time of one connection.
#[derive(Clone, Debug)]
pub(super) struct Deadline(Arc<Mutex<Instant>>);

impl Deadline {
    /// Returns one that is so far away.
    pub(super) fn after(time: Duration) -> Self {
        Self(Arc::new(Mutex::new(Instant::now() + time)))
    }

    /// Puts it off: so long from now, unless it is later already.
    pub(super) fn put_off(&self, time: Duration) {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *at = (*at).max(Instant::now() + time);
    }

    /// Waits until it is over.
    pub(super) async fn is_over(&self) {
        loop {
            let at = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if Instant::now() >= at {
                return;
            }
            sleep_until(at).await;
        }
    }
}
