//! A store as a hub has it after hours or days: batches are appended and compacted at the times at which they would have been.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use hone_batch::wire;
use hone_hub::store::{Compacted, Location, Options, Received, Store};
use serde_json::{Value, json};

use crate::fleet::{Fleet, ROUND_S, Room};
use crate::{Failure, cpu_s};

const TENANT: &str = "default";
const HOUR_S: u64 = 3600;

/// Sums over all threads.
#[derive(Default)]
struct Sent {
    batches: AtomicU64,
    samples: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
}

/// Fills a folder.
pub(crate) fn fill(folder: &Path, fleet: &Fleet) -> Result<Value, Failure> {
    let mut options = Options::default();
    if fleet.spec.compact_bytes > 0 {
        options.limits.compact_bytes = fleet.spec.compact_bytes;
        options.limits.segment_bytes = fleet.spec.compact_bytes / 2;
    }
    let store = Store::open(Location::Folder(folder.to_owned()), options)?;
    let sent = Sent::default();
    let mut done = Done::default();
    for hour in 0..fleet.spec.hours {
        let from_s = fleet.spec.from_s + hour * HOUR_S;
        for round in 0..fleet.spec.rounds_of_hour {
            let start_s = from_s + round * HOUR_S / fleet.spec.rounds_of_hour;
            append(&store, fleet, start_s, &sent)?;
        }
        done.compact(&store, from_s + HOUR_S)?;
        eprintln!("hour {} of {}", hour + 1, fleet.spec.hours);
    }
    done.compact(&store, fleet.spec.from_s + (fleet.spec.hours + 1) * HOUR_S)?;
    let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
    Ok(json!({
        "batches": get(&sent.batches),
        "samples": get(&sent.samples),
        "rows": get(&sent.rows),
        "batch_bytes": get(&sent.bytes),
        "compaction": done.told(&store)?,
    }))
}

/// Compacts at a time.
pub(crate) fn compact(folder: &Path, now_s: u64) -> Result<Value, Failure> {
    let store = Store::open(Location::Folder(folder.to_owned()), Options::default())?;
    let mut done = Done::default();
    done.compact(&store, now_s)?;
    // What other files replaced goes away an hour later.
    store.retain_tenant(TENANT, now_s + 2 * HOUR_S)?;
    done.told(&store)
}

/// Appends a round of all hosts.
fn append(store: &Store, fleet: &Fleet, start_s: u64, sent: &Sent) -> Result<(), Failure> {
    let next = AtomicU64::new(0);
    let work = || -> Result<(), Failure> {
        let mut room = Room::default();
        loop {
            let host = next.fetch_add(1, Ordering::Relaxed) as usize;
            if host >= fleet.spec.hosts {
                return Ok(());
            }
            let made = fleet.batch(&mut room, host, start_s + fleet.offset_s(host));
            let received = Received {
                origin: made.batch.origin.clone(),
                span_s: made.batch.span_s.clone(),
                bytes: wire::write(&made.batch),
            };
            let end_s = made.batch.span_s.end;
            store.append(TENANT, &received, end_s)?;
            sent.batches.fetch_add(1, Ordering::Relaxed);
            sent.samples.fetch_add(made.samples, Ordering::Relaxed);
            let rows = made.batch.samples.len() as u64;
            sent.rows.fetch_add(rows, Ordering::Relaxed);
            let bytes = received.bytes.len() as u64;
            sent.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..fleet.spec.threads.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        let mut ended = threads.into_iter().map(|thread| thread.join());
        ended.try_for_each(|ended| ended.map_err(|_| "a thread failed")?)
    })
}

/// What compaction did, and what it took.
#[derive(Default)]
struct Done {
    compacted: Compacted,
    cpu_s: f64,
    wall_s: f64,
    longest_s: f64,
}

impl Done {
    fn compact(&mut self, store: &Store, now_s: u64) -> Result<(), Failure> {
        let (cpu, began) = (cpu_s(), Instant::now());
        let compacted = store.compact_tenant(TENANT, now_s + ROUND_S)?;
        let wall_s = began.elapsed().as_secs_f64();
        self.compacted.add(&compacted);
        self.cpu_s += cpu_s() - cpu;
        self.wall_s += wall_s;
        self.longest_s = self.longest_s.max(wall_s);
        Ok(())
    }

    fn told(&self, store: &Store) -> Result<Value, Failure> {
        let usage = store.usage(TENANT)?;
        Ok(json!({
            "batches": self.compacted.batches,
            "days": self.compacted.days,
            "files_written": self.compacted.files,
            "unreadable": self.compacted.unreadable,
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            "longest_s": self.longest_s,
            "files": usage.files,
            "file_bytes": usage.file_bytes,
            "segments": usage.segments,
            "segment_bytes": usage.segment_bytes,
        }))
    }
}
