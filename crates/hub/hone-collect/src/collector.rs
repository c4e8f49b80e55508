//! Rounds one after the other, and a sender beside them.

mod rounds;
mod sender;

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::figures::Event;
use crate::options::Options;
use crate::queue::Queue;
use crate::round::{BRANCHES, RECORDING};
use crate::send::Sender;

/// Longest time for which a pause does not see that it should end.
const LOOK: Duration = Duration::from_millis(200);
/// File in the folder that is locked while a collector uses it.
const LOCK: &str = "lock";

/// Batches that wait, between the rounds and the sender.
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// CPU time of the sender so far, in nanoseconds.
    sender_cpu_ns: AtomicU64,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Collects until `stop`, and tells what happens. The last round is sent if the hub takes it within a few seconds; else it waits
/// for the next run.
///
/// # Errors
/// The settings cannot be; the folder cannot be used, or the very first round fails, as where a privilege is missing. A patient
/// collector ([`Options::is_patient`]) tells the last two, and tries again.
pub fn collect(options: &Options, stop: &AtomicBool, tell: &(dyn Fn(Event) + Sync)) -> Result<()> {
    options.check()?;
    let sender = Sender::to(options)?;
    let Some((_lock, queue)) = opened(options, stop, tell)? else {
        return Ok(());
    };
    tell_waiting(&queue, tell);
    if queue.dropped() > 0 {
        tell(Event::Dropped(queue.dropped()));
    }
    let shared = Shared {
        queue: Mutex::new(queue),
        changed: Condvar::new(),
        sender_cpu_ns: AtomicU64::new(0),
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let sending = thread::Builder::new().name("hone-send".to_owned());
        sending
            .spawn_scoped(scope, || {
                sender::send_all(&sender, &shared, &is_over, tell);
            })
            .context("a thread for sending")?;
        let outcome = rounds::run(options, &shared, stop, tell);
        is_over.store(true, Ordering::Release);
        shared.changed.notify_all();
        outcome
    })
}

/// Opens the folder; a patient collector tries until `stop`, after which there is none.
fn opened(
    options: &Options,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Option<(File, Queue)>> {
    let mut patience = Patience::new(Duration::from_secs(1));
    while !stop.load(Ordering::Relaxed) {
        match open(options) {
            Ok(opened) => return Ok(Some(opened)),
            Err(error) if !options.is_patient => return Err(error),
            Err(error) => tell(Event::Failed(format!("{error:#}"))),
        }
        patience.pause(stop);
    }
    Ok(None)
}

fn open(options: &Options) -> Result<(File, Queue)> {
    let folder = &options.folder;
    let shown = || folder.display().to_string();
    // Recordings of a host tell more than its batches do.
    let mut directories = fs::DirBuilder::new();
    directories.recursive(true).mode(0o700);
    directories.create(folder).with_context(shown)?;
    let lock = File::create(folder.join(LOCK)).with_context(shown)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(anyhow!(
                "{}: another collector uses this folder; end it, or name another folder",
                shown()
            ));
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(shown),
    }
    remove_unfinished(folder);
    let queue = Queue::open(&folder.join("queue"), options.queue_bytes_max);
    Ok((lock, queue.with_context(shown)?))
}

/// Removes recordings that a collector left when it was killed, as far as that can be done.
fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_unfinished = [RECORDING, BRANCHES]
            .iter()
            .any(|recording| name.starts_with(&format!(".{recording}.partial-")));
        if is_unfinished {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn tell_waiting(queue: &Queue, tell: &(dyn Fn(Event) + Sync)) {
    let (batches, bytes) = queue.size();
    tell(Event::Waits { batches, bytes });
}

/// Longest pause between two tries.
const PAUSE_MOST: Duration = Duration::from_secs(300);

/// Pauses between tries that fail, each twice as long as the one before.
struct Patience {
    first: Duration,
    next: Duration,
}

impl Patience {
    fn new(first: Duration) -> Self {
        Self { first, next: first }
    }

    /// Begins anew, after a try that did not fail.
    fn reset(&mut self) {
        self.next = self.first;
    }

    /// Waits, or until `over`.
    fn pause(&mut self, over: &AtomicBool) {
        pause(self.next, over);
        self.next = (self.next * 2).min(PAUSE_MOST);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_of_a_killed_collector_are_removed_and_no_others() {
        let directory = tempfile::tempdir().unwrap();
        let names = [
            ".branches.data.partial-7-1f",
            ".mine.data.partial-7-1f",
            ".round.data.partial-7-1f",
            "queue",
        ];
        for name in names {
            fs::write(directory.path().join(name), "left").unwrap();
        }
        remove_unfinished(directory.path());
        let left = fs::read_dir(directory.path()).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".mine.data.partial-7-1f", "queue"]);
    }
}
