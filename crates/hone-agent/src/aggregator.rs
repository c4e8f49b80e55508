//! Workers that store what packets hold, and the one that takes each interval from them.
//!
//! At the end of an interval each worker is ordered to swap its store. It does so between two packets, or within a tick
//! if none come, and answers with what it had; nobody holds a lock. A worker that does not answer in time keeps its values
//! for the next interval.

use crate::flush::{Finished, Flusher, Settings};
use crate::protocol::{Parsed, sdk, statsd};
use crate::receive::{Handle, Origin, Protocol};
use crate::store::{self, Caps, Cell, Limits, Place, Store, Swapped};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// For how long workers are waited for: many ticks.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a worker is to do.
struct Order {
    spare: Vec<Cell>,
    expired: Vec<Place>,
}

/// What it gives.
struct Answer {
    worker: usize,
    swapped: Swapped,
    parsed: Parsed,
}

/// Stores what packets hold, on a thread of its own.
pub struct Worker {
    number: usize,
    store: Store,
    parsed: Parsed,
    orders: Receiver<Order>,
    answers: Sender<Answer>,
    /// How many orders there have been for all, and how many of these were followed here.
    ordered: Arc<AtomicU64>,
    followed: u64,
}

impl Handle for Worker {
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin) {
        let (store, origin) = (&mut self.store, store::Origin::from(origin.pid));
        let parsed = match protocol {
            Protocol::Sdk => sdk::parse(packet, &mut |sample| store.take(&sample, origin)),
            Protocol::Statsd | Protocol::Either => {
                statsd::parse(packet, &mut |sample| store.take(&sample, origin))
            }
        };
        self.parsed.add(parsed);
        self.follow();
    }

    fn idle(&mut self) {
        self.follow();
    }
}

impl Worker {
    fn follow(&mut self) {
        let ordered = self.ordered.load(Ordering::Acquire);
        if ordered == self.followed {
            return;
        }
        self.followed = ordered;
        while let Ok(order) = self.orders.try_recv() {
            let answer = self.swap(order);
            // Without anybody who takes it, the agent is ending.
            let _ = self.answers.send(answer);
        }
    }

    fn swap(&mut self, order: Order) -> Answer {
        Answer {
            worker: self.number,
            swapped: self.store.swap(order.spare, &order.expired),
            parsed: std::mem::take(&mut self.parsed),
        }
    }
}

/// What an interval came to, and what was read for it.
#[derive(Debug)]
pub struct Flushed {
    /// Points, tally and expired places.
    pub finished: Finished,
    /// What came of packets.
    pub parsed: Parsed,
    /// Workers that did not answer in time.
    pub late: usize,
}

/// Takes intervals from workers.
pub struct Aggregator {
    flusher: Flusher,
    caps: Arc<Caps>,
    limits: Limits,
    links: Vec<Link>,
    ordered: Arc<AtomicU64>,
    answer: Sender<Answer>,
    answers: Receiver<Answer>,
}

/// What is kept of a worker between two intervals.
struct Link {
    orders: Sender<Order>,
    spare: Vec<Cell>,
    expired: Vec<Place>,
    /// Whether it owes an answer.
    owes: bool,
}

impl Aggregator {
    /// Without workers yet.
    pub fn new(settings: Settings, limits: Limits) -> Self {
        let (answer, answers) = channel();
        Self {
            flusher: Flusher::new(settings),
            caps: Arc::new(Caps::new(limits)),
            limits,
            links: Vec::new(),
            ordered: Arc::default(),
            answer,
            answers,
        }
    }

    /// One more worker.
    pub fn worker(&mut self) -> Worker {
        let (orders, received) = channel();
        self.links.push(Link {
            orders,
            spare: Vec::new(),
            expired: Vec::new(),
            owes: false,
        });
        Worker {
            number: self.links.len() - 1,
            store: Store::new(Arc::clone(&self.caps), self.limits),
            parsed: Parsed::default(),
            orders: received,
            answers: self.answer.clone(),
            ordered: Arc::clone(&self.ordered),
            followed: self.ordered.load(Ordering::Acquire),
        }
    }

    /// Series that are held, as the caps count them.
    pub fn series(&self) -> usize {
        self.caps.series()
    }

    /// Ends an interval: all workers swap, and what they had becomes points.
    pub fn flush(&mut self, end_ms: i64, length_ms: u32) -> Flushed {
        for link in self.links.iter_mut().filter(|link| !link.owes) {
            let order = link.order();
            // A worker that is gone has panicked, which ends the agent.
            link.owes = link.orders.send(order).is_ok();
        }
        self.ordered.fetch_add(1, Ordering::Release);
        let mut parsed = Parsed::default();
        let deadline = Instant::now() + PATIENCE;
        while self.links.iter().any(|link| link.owes) {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(answer) = self.answers.recv_timeout(left) else {
                break;
            };
            self.take(answer, &mut parsed);
        }
        self.finish(end_ms, length_ms, parsed)
    }

    /// Ends the last interval, with workers whose threads have ended.
    pub fn last(&mut self, workers: Vec<Worker>, end_ms: i64, length_ms: u32) -> Flushed {
        let mut parsed = Parsed::default();
        while let Ok(answer) = self.answers.try_recv() {
            self.take(answer, &mut parsed);
        }
        for mut worker in workers {
            // An order that it had no time for still has its spare cells.
            let waiting = worker.orders.try_recv().ok();
            let order = waiting.unwrap_or_else(|| self.links[worker.number].order());
            let answer = worker.swap(order);
            self.take(answer, &mut parsed);
        }
        self.finish(end_ms, length_ms, parsed)
    }

    fn take(&mut self, answer: Answer, parsed: &mut Parsed) {
        parsed.add(answer.parsed);
        let link = &mut self.links[answer.worker];
        link.owes = false;
        link.spare = self.flusher.add(answer.worker, answer.swapped);
    }

    fn finish(&mut self, end_ms: i64, length_ms: u32, parsed: Parsed) -> Flushed {
        let mut finished = self.flusher.finish(end_ms, length_ms);
        for (worker, expired) in finished.expired.drain(..).enumerate() {
            self.links[worker].expired = expired;
        }
        Flushed {
            finished,
            parsed,
            late: self.links.iter().filter(|link| link.owes).count(),
        }
    }
}

impl Link {
    fn order(&mut self) -> Order {
        Order {
            spare: std::mem::take(&mut self.spare),
            expired: std::mem::take(&mut self.expired),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::Aggregate;
    use std::thread;

    const LINES: &[u8] = b"hits:1|c|#a:b\nhits:2|c|@0.5|#a:b\nbroken\n";

    fn total(flushed: &Flushed) -> f64 {
        let points = flushed.finished.interval.points.iter();
        let counters = points.filter_map(|point| match point.value {
            Aggregate::Counter { total, .. } => Some(total),
            _ => None,
        });
        counters.sum()
    }

    #[test]
    fn every_value_is_in_one_interval_while_workers_are_busy() {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        let workers: Vec<Worker> = (0..2).map(|_| aggregator.worker()).collect();
        let busy = workers.into_iter().map(|mut worker| {
            thread::spawn(move || {
                for _ in 0..20_000 {
                    worker.packet(Protocol::Statsd, LINES, Origin::default());
                }
                worker
            })
        });
        let busy: Vec<_> = busy.collect();
        let mut parsed = Parsed::default();
        let mut stored = 0;
        for interval in 0..5 {
            let flushed = aggregator.flush(interval, 1000);
            parsed.add(flushed.parsed);
            stored += flushed.finished.tally.stored;
        }
        let workers = busy
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect();
        let flushed = aggregator.last(workers, 5, 1000);
        parsed.add(flushed.parsed);
        stored += flushed.finished.tally.stored;
        assert_eq!(total(&flushed), 2.0 * 20_000.0 * 5.0);
        assert_eq!((parsed.values, parsed.malformed), (80_000, 40_000));
        assert_eq!(stored, parsed.values);
    }

    #[test]
    fn workers_without_packets_answer_when_they_are_idle() {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        let mut worker = aggregator.worker();
        worker.packet(Protocol::Statsd, LINES, Origin::default());
        let ended = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&ended);
        let idle = thread::spawn(move || {
            while seen.load(Ordering::Acquire) == 0 {
                worker.idle();
                thread::yield_now();
            }
        });
        let flushed = aggregator.flush(0, 1000);
        ended.store(1, Ordering::Release);
        idle.join().unwrap();
        assert_eq!((total(&flushed), flushed.late), (5.0, 0));
    }
}
