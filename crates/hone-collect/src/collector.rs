//! Rounds one after the other, and a sender beside them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use hone_batch::wire;

use crate::options::Options;
use crate::queue::Queue;
use crate::round::{self, Surroundings};
use crate::send::{Sender, Sent};

/// Shortest and longest time between two attempts to send a batch.
const PAUSE_LEAST: Duration = Duration::from_secs(1);
const PAUSE_MOST: Duration = Duration::from_secs(60);
/// Longest time for which the sender does not see that it should end.
const LOOK: Duration = Duration::from_millis(200);

/// Something that whoever runs the collector should know.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A round is over.
    Recorded {
        /// Number of samples.
        samples: u64,
        /// Number of samples that lost their callers, since there were too many new stacks.
        folded: u64,
        /// Bytes of the batch.
        bytes: usize,
        /// Part of one CPU that the recorder took.
        cpu: f64,
    },
    /// The hub has acknowledged a batch.
    Sent,
    /// The hub has refused a batch, which is lost, with its reason.
    Refused(String),
    /// The hub cannot be reached or has no room: batches wait. Told once until one is sent again.
    Waiting(String),
    /// Batches were dropped, as the queue was full: their number so far.
    Dropped(u64),
    /// A round failed, with the reason; the next one is tried.
    Failed(String),
}

/// Batches that wait, between the rounds and the sender.
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// Collects until `stop`, and tells what happens. The last round is sent if the hub takes it at once; else it waits for the next
/// run.
///
/// # Errors
/// The folder cannot be used, or the very first round fails, as where a privilege is missing.
pub fn collect(options: &Options, stop: &AtomicBool, tell: &(dyn Fn(Event) + Sync)) -> Result<()> {
    let folder = options.folder.join("queue");
    let queue = Queue::open(&folder, options.queue_bytes_max)
        .with_context(|| folder.display().to_string())?;
    let shared = Shared {
        queue: Mutex::new(queue),
        changed: Condvar::new(),
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| send_all(options, &shared, &is_over, tell));
        let outcome = rounds(options, &shared, stop, tell);
        is_over.store(true, Ordering::Release);
        shared.changed.notify_all();
        outcome
    })
}

fn rounds(
    options: &Options,
    shared: &Shared,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<()> {
    let mut surroundings = Surroundings::of(options);
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        let round = match round::record(options, number, &mut surroundings, stop) {
            Ok(round) => round,
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                tell(Event::Failed(format!("{error:#}")));
                pause(options.round, stop);
                continue;
            }
        };
        number += 1;
        let bytes = wire::write(&round.added.batch);
        tell(Event::Recorded {
            samples: round.summary.samples,
            folded: round.added.folded_samples,
            bytes: bytes.len(),
            cpu: round.summary.recorder_cpu_s / round.summary.wall_s.max(f64::MIN_POSITIVE),
        });
        let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let dropped = queue.dropped();
        if let Err(error) = queue.push(&bytes) {
            tell(Event::Failed(format!("the batch cannot be kept: {error}")));
        }
        if queue.dropped() > dropped {
            tell(Event::Dropped(queue.dropped()));
        }
        drop(queue);
        shared.changed.notify_all();
    }
    Ok(())
}

/// Sends what waits until the collector is over; then once more, without patience.
fn send_all(
    options: &Options,
    shared: &Shared,
    is_over: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) {
    let sender = Sender::to(&options.hub, options.token.clone());
    let mut pause_next = PAUSE_LEAST;
    let mut is_waiting = false;
    loop {
        let ends = is_over.load(Ordering::Acquire);
        let Some((number, batch)) = next(shared, ends, tell) else {
            if ends {
                return;
            }
            continue;
        };
        match sender.send(&batch) {
            Sent::Acknowledged => {
                (is_waiting, pause_next) = (false, PAUSE_LEAST);
                tell(Event::Sent);
                remove(shared, number);
            }
            Sent::Refused(reason) => {
                tell(Event::Refused(reason));
                remove(shared, number);
            }
            Sent::Later(reason) => {
                if !is_waiting {
                    tell(Event::Waiting(reason));
                }
                is_waiting = true;
                if ends {
                    return;
                }
                pause(pause_next, is_over);
                pause_next = (pause_next * 2).min(PAUSE_MOST);
            }
        }
    }
}

/// Returns the oldest batch and its number in the queue; waits a while for one if there is none.
fn next(shared: &Shared, ends: bool, tell: &(dyn Fn(Event) + Sync)) -> Option<(u64, Vec<u8>)> {
    let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    if queue.size().0 == 0 && !ends {
        let waited = shared.changed.wait_timeout(queue, LOOK);
        queue = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    match queue.read_oldest() {
        Ok(oldest) => queue.oldest().zip(oldest),
        Err(error) => {
            tell(Event::Failed(format!("a batch cannot be read: {error}")));
            let _ = queue.pop();
            None
        }
    }
}

/// Removes the batch of this number, unless it was dropped meanwhile.
fn remove(shared: &Shared, number: u64) {
    let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    if queue.oldest() == Some(number) {
        let _ = queue.pop();
    }
}

/// Waits for a time, or until `over`.
fn pause(time: Duration, over: &AtomicBool) {
    let mut left = time;
    while !left.is_zero() && !over.load(Ordering::Relaxed) {
        let part = left.min(LOOK);
        thread::sleep(part);
        left -= part;
    }
}
