//! Batches that go to a running hub, as from its hosts: at the pace of the fleet, or as fast as the hub takes them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use hone_batch::wire;
use serde_json::{Value, json};

use crate::fleet::{Fleet, ROUND_S, Room};
use crate::{Failure, cpu_s};

/// Longest time for a batch to be acknowledged.
const TIME: Duration = Duration::from_secs(60);

/// What one thread has sent.
#[derive(Default)]
struct Sent {
    batches: u64,
    samples: u64,
    rows: u64,
    bytes: u64,
    /// Batches that the hub was too busy for.
    refused: u64,
    /// Seconds until each was acknowledged.
    waits_s: Vec<f64>,
    /// Most seconds by which a batch was sent too late: the sender's own fault.
    late_s: f64,
}

/// Sends for the time of the spec.
pub(crate) fn send(hub: &str, fleet: &Fleet) -> Result<Value, Failure> {
    let address = format!("{}/v1/batch", hub.trim_end_matches('/'));
    let began = Instant::now();
    let next = AtomicU64::new(0);
    let sent: Vec<Sent> = thread::scope(|scope| {
        let work = || sender(&address, fleet, began, &next);
        let threads: Vec<_> = (0..fleet.spec.threads.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended
            .map(|ended| ended.map_err(|_| "a thread failed")?)
            .collect::<Result<_, Failure>>()
    })?;
    let wall_s = began.elapsed().as_secs_f64();
    let sum = |of: fn(&Sent) -> u64| sent.iter().map(of).sum::<u64>();
    let mut waits: Vec<f64> = sent
        .iter()
        .flat_map(|sent| sent.waits_s.iter().copied())
        .collect();
    waits.sort_unstable_by(f64::total_cmp);
    let wait = |part: f64| waits.get((waits.len() as f64 * part) as usize);
    Ok(json!({
        "batches": sum(|sent| sent.batches),
        "samples": sum(|sent| sent.samples),
        "rows": sum(|sent| sent.rows),
        "batch_bytes": sum(|sent| sent.bytes),
        "refused": sum(|sent| sent.refused),
        "wall_s": wall_s,
        "sender_cpu_s": cpu_s(),
        "late_s": sent.iter().map(|sent| sent.late_s).fold(0.0, f64::max),
        "wait_p50_s": wait(0.5),
        "wait_p99_s": wait(0.99),
    }))
}

fn sender(address: &str, fleet: &Fleet, began: Instant, next: &AtomicU64) -> Result<Sent, Failure> {
    let client: ureq::Agent = hone_fetch::http::client()
        .timeout_global(Some(TIME))
        .build()
        .into();
    let spec = &fleet.spec;
    let (mut sent, mut room) = (Sent::default(), Room::default());
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let due = match spec.batches_s > 0.0 {
            true => number as f64 / spec.batches_s,
            false => began.elapsed().as_secs_f64(),
        };
        if due >= spec.send_s {
            return Ok(sent);
        }
        let host = number as usize % spec.hosts;
        // As fast as possible, rounds go further back than hosts' clocks would.
        let round = number / spec.hosts as u64;
        let now_s = SystemTime::UNIX_EPOCH.elapsed()?.as_secs();
        let start_s = match spec.batches_s > 0.0 {
            true => now_s - ROUND_S,
            false => now_s - (round + 1) * ROUND_S,
        };
        let made = fleet.batch(&mut room, host, start_s);
        let bytes = wire::write(&made.batch);
        let early = Duration::from_secs_f64(due).saturating_sub(began.elapsed());
        thread::sleep(early);
        sent.late_s = sent.late_s.max(began.elapsed().as_secs_f64() - due);
        let asked = Instant::now();
        let mut answer = client.post(address).send(&bytes[..])?;
        sent.waits_s.push(asked.elapsed().as_secs_f64());
        match answer.status().as_u16() {
            204 => {
                sent.batches += 1;
                sent.samples += made.samples;
                sent.rows += made.batch.samples.len() as u64;
                sent.bytes += bytes.len() as u64;
            }
            503 => sent.refused += 1,
            status => {
                let why = answer.body_mut().read_to_string().unwrap_or_default();
                return Err(format!("{address}: {status}: {why}").into());
            }
        }
    }
}
