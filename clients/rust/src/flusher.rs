//! The thread that flushes at a fixed interval, and tries again if the agent was busy or away.

use crate::shared::Shared;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// First and longest pause before packets are offered again; each pause is double the one before.
const PAUSE_FIRST: Duration = Duration::from_millis(1);
const PAUSE_LONGEST: Duration = Duration::from_millis(64);

/// Flushes until the client is closed.
pub(crate) fn run(shared: &Shared, every: Duration) {
    let mut next = Instant::now() + every;
    let mut pause = PAUSE_FIRST;
    loop {
        let queue = shared.outbox.queue();
        if queue.is_closing {
            return;
        }
        let is_held_up = queue.is_held_up();
        let until_next = next.saturating_duration_since(Instant::now());
        let wait = if is_held_up {
            pause.min(until_next)
        } else {
            until_next
        };
        let waited = shared.outbox.wake.wait_timeout(queue, wait);
        let (queue, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if queue.is_closing {
            return;
        }
        drop(queue);
        if !waited.timed_out() && !is_held_up {
            // The thread was woken since packets wait from now on: pause first.
            continue;
        }
        if is_held_up {
            shared.outbox.send_all();
        }
        let is_held_up = shared.outbox.queue().is_held_up();
        pause = if is_held_up {
            (pause * 2).min(PAUSE_LONGEST)
        } else {
            PAUSE_FIRST
        };
        if Instant::now() >= next {
            next = Instant::now() + every;
            // While packets are held up, the packets that are being filled still have room; small packets would only fill the queue.
            if !is_held_up {
                shared.cut();
                shared.outbox.send_all();
            }
        }
    }
}
