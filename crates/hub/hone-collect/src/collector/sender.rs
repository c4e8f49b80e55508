//! The sender: what waits goes to the hub, oldest first.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{LOOK, Shared, pause, tell_waiting};
use crate::figures::Event;
use crate::self_usage::thread_cpu;
use crate::send::{Answered, Sender, Sent, TIME};

/// Shortest and longest time between two attempts to send a batch.
const PAUSE_LEAST: Duration = Duration::from_secs(1);
const PAUSE_MOST: Duration = Duration::from_secs(60);
/// Time for what waits at the end.
const PATIENCE_AT_END: Duration = Duration::from_secs(5);

/// Sends what waits until the collector is over; then once more, with little patience.
pub(super) fn send_all(
    sender: &Sender,
    shared: &Shared,
    is_over: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) {
    let mut pause_next = PAUSE_LEAST;
    let mut waits_for: Option<String> = None;
    let mut end: Option<Instant> = None;
    loop {
        if end.is_none() && is_over.load(Ordering::Acquire) {
            end = Some(Instant::now() + PATIENCE_AT_END);
        }
        let time = end.map_or(TIME, |end| end.saturating_duration_since(Instant::now()));
        if time.is_zero() {
            return;
        }
        let Some((number, batch)) = next(shared, end.is_some(), tell) else {
            if end.is_some() {
                return;
            }
            continue;
        };
        let Answered { sent, ahead_s } = sender.send(&batch, time);
        let cpu_ns = u64::try_from(thread_cpu().as_nanos()).unwrap_or(u64::MAX);
        shared.sender_cpu_ns.store(cpu_ns, Ordering::Relaxed);
        if let Some(ahead_s) = ahead_s {
            tell(Event::Clock { ahead_s });
        }
        match sent {
            Sent::Acknowledged => {
                (waits_for, pause_next) = (None, PAUSE_LEAST);
                let bytes = batch.len();
                tell(Event::Sent { bytes });
                remove(shared, number, tell);
            }
            Sent::Refused(reason) => {
                tell(Event::Refused(reason));
                remove(shared, number, tell);
            }
            Sent::Later(reason) => {
                let gist = without_numbers(&reason);
                if waits_for.as_ref() != Some(&gist) {
                    tell(Event::Waiting(reason));
                }
                waits_for = Some(gist);
                if end.is_some() {
                    return;
                }
                pause(pause_next, is_over);
                pause_next = (pause_next * 2).min(PAUSE_MOST);
            }
        }
    }
}

/// Returns what stays the same of a reason from one attempt to the next.
fn without_numbers(reason: &str) -> String {
    reason.replace(|c: char| c.is_ascii_digit(), "")
}

/// Returns the oldest batch and its number in the queue; waits a while for one if there is none.
fn next(shared: &Shared, ends: bool, tell: &(dyn Fn(Event) + Sync)) -> Option<(u64, Vec<u8>)> {
    let mut queue = shared.queue();
    if queue.size().0 == 0 && !ends {
        let waited = shared.changed.wait_timeout(queue, LOOK);
        queue = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    match queue.read_oldest() {
        Ok(oldest) => queue.oldest().zip(oldest),
        Err(error) => {
            tell(Event::Failed(format!("a batch cannot be read: {error}")));
            tell(Event::Dropped(1));
            let _ = queue.pop();
            tell_waiting(&queue, tell);
            None
        }
    }
}

/// Removes the batch of this number, unless it was dropped meanwhile.
fn remove(shared: &Shared, number: u64, tell: &(dyn Fn(Event) + Sync)) {
    let mut queue = shared.queue();
    if queue.oldest() == Some(number) {
        let _ = queue.pop();
    }
    tell_waiting(&queue, tell);
}
