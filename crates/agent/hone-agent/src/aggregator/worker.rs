//! Work of one thread: it stores the contents of packets in a store of its own.
//!
//! If a packet triggers a fault of the agent, the values that this worker has stored in the interval are lost and counted,
//! and nothing else is: the worker goes on with an empty store. Earlier intervals and the other workers are not affected.

use super::running::Running;
use super::{Answer, Order};
use crate::notices::Notices;
use crate::origins::{ContainerTag, Origins};
use crate::protocol::statsd::Passed;
use crate::protocol::{Parsed, sdk, statsd};
use crate::receive::{Handle, Origin, Protocol};
use crate::rewrite::Rewrite;
use crate::sample::Sample;
use crate::services::WorkTags;
use crate::store::{self, Caps, Limits, Store, Swapped, Tally};
use crate::wire::relay::duplicates::{Came, Seen};
use crate::wire::relay::frame::{self, Status};
use crate::wire::relay::{self, Relayed};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

/// Worker that stores the contents of packets, on a thread of its own.
pub struct Worker {
    pub(super) number: usize,
    pub(super) store: Store,
    /// True if the store was replaced since the last swap.
    pub(super) is_new_store: bool,
    pub(super) caps: Arc<Caps>,
    pub(super) limits: Limits,
    pub(super) rewrite: Arc<Rewrite>,
    pub(super) work: Option<WorkTags>,
    pub(super) container_tag: Option<ContainerTag>,
    pub(super) notices: Option<Arc<Notices>>,
    pub(super) parsed: Parsed,
    pub(super) origins: Origins,
    pub(super) orders: Receiver<Order>,
    pub(super) answers: Sender<Answer>,
    /// Number of orders given to all workers so far, and the number of these that this worker has followed.
    pub(super) ordered: Arc<AtomicU64>,
    pub(super) followed: u64,
    /// Frames of other agents that came to any worker.
    pub(super) seen: Arc<Mutex<Seen>>,
    pub(super) running: Arc<Running>,
}

impl Handle for Worker {
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin) {
        self.guarded(|worker| worker.parse(protocol, packet, origin));
        self.follow();
    }

    fn frame(&mut self, frame: &[u8], origin: Origin) -> Status {
        let status = self.guarded(|worker| worker.relayed(frame, origin));
        self.follow();
        // The frame would fail again.
        status.unwrap_or(Status::Refused)
    }

    fn idle(&mut self) {
        self.follow();
    }
}

impl Worker {
    fn parse(&mut self, protocol: Protocol, packet: &[u8], origin: Origin) {
        let (store, from) = (&mut self.store, store::Origin::from(origin));
        let mut store = |sample: &Sample<'_>| store.take(sample, from);
        let (work, running, origins) = (&mut self.work, &self.running, &mut self.origins);
        let (container_tag, notices) = (&mut self.container_tag, &self.notices);
        let mut times = Parsed::default();
        let mut take = |sample: Sample<'_>| {
            let values = sample.values.len() as u64;
            if let Some(time_s) = sample.time_s {
                running.count(time_s, values, &mut times);
            }
            if let Some(container) = sample.container {
                origins.count_container(container, values);
            }
            let mut worked = |sample: &Sample<'_>| match &mut *work {
                Some(work) => work.tag(sample, origin.pid, &mut store),
                None => store(sample),
            };
            match container_tag {
                Some(tag) => tag.tag(&sample, &mut worked),
                None => worked(&sample),
            }
        };
        let mut pass = |line: &[u8]| match notices {
            Some(notices) => notices.pass(line),
            None => Passed::Nowhere,
        };
        let parsed = match protocol {
            Protocol::Sdk => sdk::parse(packet, &mut take),
            Protocol::Statsd | Protocol::Either => statsd::parse_with(packet, &mut take, &mut pass),
            // Packets of this protocol come as frames.
            Protocol::Relay => Parsed {
                malformed: 1,
                ..Parsed::default()
            },
        };
        self.origins.count(origin, packet.len(), parsed.values);
        self.parsed.add(parsed);
        self.parsed.add(times);
    }

    /// Takes a frame whole or not at all.
    fn relayed(&mut self, frame: &[u8], origin: Origin) -> Status {
        let body = frame::body(frame).ok();
        let relayed = body.as_ref().and_then(|body| relay::decode(body).ok());
        let Some(relayed) = relayed else {
            self.parsed.malformed += 1;
            return Status::Refused;
        };
        let seen = Arc::clone(&self.seen);
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.came(relayed.origin) {
            Came::Before => {
                self.parsed.frames_repeated += 1;
                Status::Taken
            }
            Came::TooLate => {
                self.parsed.frames_too_late += 1;
                Status::Refused
            }
            Came::Never => {
                let which = relayed.origin;
                let values = relayed.points.len() as u64;
                self.origins.count(origin, frame.len(), values);
                self.store_relayed(relayed, origin);
                seen.take(which);
                Status::Taken
            }
        }
    }

    fn store_relayed(&mut self, relayed: Relayed<'_>, origin: Origin) {
        self.parsed.frames += 1;
        self.parsed.samples += relayed.points.len() as u64;
        self.parsed.values += relayed.points.len() as u64;
        for (raw, cell) in relayed.points {
            // A refused point is counted by the store. No point is refused here, since the frame was checked.
            let _ = self.store.take_relayed(&raw, cell, origin.into());
        }
    }

    /// Runs something that a fault of the agent may end. Returns `None` if a fault did.
    fn guarded<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Option<T> {
        // State that is broken then is not used any more: all of it is replaced.
        let done = catch_unwind(AssertUnwindSafe(|| act(self)));
        if done.is_err() {
            self.begin_anew();
        }
        done.ok()
    }

    /// Goes on with an empty store. The values stored in this interval are lost, and counted as lost.
    fn begin_anew(&mut self) {
        let broken = self.replace_store();
        let before = broken.tally();
        let tally = Tally {
            stored: 0,
            lost: before.lost + before.stored + broken.values_waiting(),
            failures: before.failures + 1,
            overflowed: Default::default(),
            ..before.clone()
        };
        // Includes the values of the failed packet that came before the fault.
        self.parsed.values = tally.values();
        self.store.count_on_from(tally);
        // The series of the broken store stop counting against the caps; how far this gets does not matter.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
    }

    /// Changes the limits from now on.
    pub(super) fn change(&mut self, limits: Limits) {
        self.limits = limits;
        self.store.change(limits);
    }

    /// Forgets every series, so that no series counts against a cap here. The interval's values must have been taken before.
    pub(super) fn forget_all(&mut self) {
        self.replace_store();
    }

    /// Goes on with an empty store, which the next swap reports. Returns the store before.
    fn replace_store(&mut self) -> Store {
        self.is_new_store = true;
        let mut new = Store::new(Arc::clone(&self.caps), self.limits);
        new.rewrite(Arc::clone(&self.rewrite));
        std::mem::replace(&mut self.store, new)
    }

    pub(super) fn follow(&mut self) {
        let ordered = self.ordered.load(Ordering::Acquire);
        if ordered == self.followed {
            return;
        }
        self.followed = ordered;
        while let Ok(order) = self.orders.try_recv() {
            let answer = self.swap(order);
            // If nobody receives the answer, the agent is ending.
            let _ = self.answers.send(answer);
        }
    }

    /// Returns the waiting order, if any.
    pub(super) fn waiting(&self) -> Option<Order> {
        self.orders.try_recv().ok()
    }

    pub(super) fn swap(&mut self, mut order: Order) -> Answer {
        let rewrite = order.rewrite.take();
        if let Some(work) = &mut self.work {
            work.forget();
        }
        let swapped = self.guarded(|worker| worker.swapped(order));
        // An empty store has nothing that could fail.
        let swapped = swapped.unwrap_or_else(|| self.swapped(Order::default()));
        if let Some(rules) = rewrite {
            self.rewrite = rules;
            self.store.rewrite(Arc::clone(&self.rewrite));
        }
        Answer {
            worker: self.number,
            swapped,
            parsed: std::mem::take(&mut self.parsed),
            origins: std::mem::take(&mut self.origins),
        }
    }

    fn swapped(&mut self, order: Order) -> Swapped {
        let is_new_store = self.is_new_store;
        // Places of the store before mean nothing to this store.
        let expired = if is_new_store {
            &[][..]
        } else {
            &order.expired
        };
        let mut swapped = self.store.swap(order.spare, expired);
        swapped.is_new_store = is_new_store;
        self.is_new_store = false;
        swapped
    }
}

#[cfg(test)]
mod tests {
    use super::super::Aggregator;
    use super::*;
    use crate::account::Account;
    use crate::aggregate::{Aggregate, Interval, Point};
    use crate::compress::Compression;
    use crate::flush::Settings;
    use crate::sample::Kind;
    use crate::series::Series;
    use crate::store::{OVERFLOW_METRIC, Over};
    use crate::wire;

    const LINES: &[u8] = b"hits:1|c\nhits:2|c\n:1|c|#=\n";

    /// Ends the interval and counts it. Returns the totals of all counters.
    fn totals(
        aggregator: &mut Aggregator,
        account: &mut Account,
        workers: Vec<Worker>,
        end_ms: i64,
    ) -> Vec<(String, f64)> {
        let mut totals = Vec::new();
        let flushed = aggregator.last(workers, end_ms, 1000, |point| match point.value {
            Aggregate::Counter { total, .. } => {
                totals.push((point.series.metric().to_owned(), total));
            }
            _ => panic!("{point:?}"),
        });
        account.add(&flushed);
        totals.sort_by(|a, b| a.0.cmp(&b.0));
        totals
    }

    /// Makes a worker take lines, after which the agent fails.
    fn fail(worker: &mut Worker, lines: &[u8]) {
        let failed: Option<()> = worker.guarded(|worker| {
            worker.packet(Protocol::Statsd, lines, Origin::default());
            panic!("what a fault of the agent would do");
        });
        assert_eq!(failed, None);
    }

    #[test]
    fn a_fault_costs_one_workers_interval_and_is_counted() {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        let mut workers = vec![aggregator.worker(), aggregator.worker()];
        let mut account = Account::default();
        workers[0].packet(Protocol::Statsd, b"old:1|c\nmixed:1|c", Origin::default());
        workers[1].packet(Protocol::Statsd, b"mixed:2|c", Origin::default());
        let mut end = |account: &mut Account, workers: &mut [Worker], end_ms| {
            for worker in workers {
                let order = aggregator.links[worker.number].order();
                let answer = worker.swap(order);
                aggregator.answer.send(answer).unwrap();
            }
            let totals = totals(&mut aggregator, account, Vec::new(), end_ms);
            assert_eq!(account.discrepancies(), []);
            totals
        };
        let named = |totals: &[(&str, f64)]| -> Vec<(String, f64)> {
            let totals = totals.iter();
            totals
                .map(|(name, total)| ((*name).to_owned(), *total))
                .collect()
        };
        let seen = end(&mut account, &mut workers, 0);
        assert_eq!(seen, named(&[("mixed", 3.0), ("old", 1.0)]));

        workers[0].packet(Protocol::Statsd, LINES, Origin::default());
        workers[1].packet(Protocol::Statsd, LINES, Origin::default());
        fail(&mut workers[0], b"hits:4|c");
        workers[0].packet(Protocol::Statsd, b"new:8|c\nmixed:1|c", Origin::default());
        let seen = end(&mut account, &mut workers, 1);
        let expected = [("hits", 3.0), ("mixed", 4.0), ("new", 8.0), ("old", 1.0)];
        assert_eq!(seen, named(&expected));
        assert_eq!((account.tally.failures, account.tally.lost), (1, 3));
        assert_eq!(account.parsed.malformed, 2);

        // Places of the new store are independent; a second fault is handled like the first.
        fail(&mut workers[0], b"hits:4|c\nhits:4|c");
        fail(&mut workers[0], b"hits:4|c");
        let seen = end(&mut account, &mut workers, 2);
        assert_eq!(seen, named(&expected));
        assert_eq!((account.tally.failures, account.tally.lost), (3, 6));
    }

    #[test]
    fn samples_of_another_interval_count_for_this_one_and_are_told_of() {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        let mut worker = aggregator.worker();
        let lines = b"hits:1|c|T99\nhits:1:2|c|T100\nhits:4|c|T109\nhits:8:8|c|T110\nhits:1|c\n";
        let point = b"\x95\xa1c\xa4hits\xa15\xa0\xa299";
        worker.packet(Protocol::Statsd, lines, Origin::default());
        aggregator.begin(100, 110);
        worker.packet(Protocol::Statsd, lines, Origin::default());
        worker.packet(Protocol::Sdk, point, Origin::default());
        let mut account = Account::default();
        let totals = totals(&mut aggregator, &mut account, vec![worker], 0);
        assert_eq!(totals, [("hits".to_owned(), 55.0)]);
        let Parsed {
            timed, late, early, ..
        } = account.parsed;
        assert_eq!((timed, late, early), (6 + 7, 2, 2));
        assert_eq!(account.discrepancies(), []);
    }

    #[test]
    fn what_nobody_holds_since_a_fault_expires_as_if_it_were_silent() {
        let settings = Settings {
            expires_after: 2,
            ..Settings::default()
        };
        let mut aggregator = Aggregator::new(settings, Limits::default());
        let mut worker = aggregator.worker();
        let mut points = |worker: &mut Worker| {
            let order = aggregator.links[0].order();
            aggregator.answer.send(worker.swap(order)).unwrap();
            let mut points = 0;
            aggregator.last(Vec::new(), 0, 1000, |_| points += 1);
            (points, aggregator.flusher.series().count())
        };
        worker.packet(Protocol::Statsd, b"old:1|c", Origin::default());
        assert_eq!(points(&mut worker), (1, 1));
        fail(&mut worker, b"");
        assert_eq!(points(&mut worker), (1, 1));
        points(&mut worker);
        assert_eq!(points(&mut worker), (0, 0));
    }

    /// A frame of two points.
    fn frame(origin: relay::Origin, delta: f64) -> Vec<u8> {
        let point = |metric| Point {
            series: Arc::new(Series::new(Kind::Counter, metric, &[]).unwrap()),
            value: Aggregate::Counter {
                total: 0.0,
                delta,
                since_ms: 0,
                is_new: false,
            },
        };
        let interval = Interval {
            points: vec![point("hits"), point("misses")],
            ..Interval::default()
        };
        let part = wire::parts(&interval, 10).next().unwrap();
        let body = relay::encode(part, &[], origin).body;
        frame::framed(&body, Compression::None).unwrap()
    }

    #[test]
    fn frames_count_once_at_whichever_listener_they_come_again() {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        let mut workers = vec![aggregator.worker(), aggregator.worker()];
        let origin = |sequence| relay::Origin {
            source: 7,
            sequence,
        };
        let peer = Origin::default();
        let first = frame(origin(1), 1.0);
        assert_eq!(workers[0].frame(&first, peer), Status::Taken);
        assert_eq!(workers[1].frame(&first, peer), Status::Taken);
        let later = frame(origin(600), 2.0);
        assert_eq!(workers[1].frame(&later, peer), Status::Taken);
        assert_eq!(workers[0].frame(&first, peer), Status::Refused);
        let mut broken = frame(origin(601), 4.0);
        *broken.last_mut().unwrap() ^= 1;
        assert_eq!(workers[0].frame(&broken, peer), Status::Refused);
        // The frame was refused, and may come once more in its correct form.
        assert_eq!(
            workers[0].frame(&frame(origin(601), 4.0), peer),
            Status::Taken
        );
        let mut account = Account::default();
        let seen = totals(&mut aggregator, &mut account, workers, 0);
        let expected = [("hits".to_owned(), 7.0), ("misses".to_owned(), 7.0)];
        assert_eq!(seen, expected);
        let parsed = account.parsed;
        assert_eq!((parsed.frames, parsed.frames_repeated), (3, 1));
        assert_eq!((parsed.frames_too_late, parsed.malformed), (1, 1));
        assert_eq!(account.discrepancies(), []);
    }

    #[test]
    fn who_relays_is_under_the_caps_too() {
        let limits = Limits {
            per_origin_max: 1,
            ..Limits::default()
        };
        let mut aggregator = Aggregator::new(Settings::default(), limits);
        let mut worker = aggregator.worker();
        let sent = frame(relay::Origin::default(), 3.0);
        assert_eq!(worker.frame(&sent, Origin::default()), Status::Taken);
        let mut account = Account::default();
        let seen = totals(&mut aggregator, &mut account, vec![worker], 0);
        let expected = [(OVERFLOW_METRIC.to_owned(), 3.0), ("hits".to_owned(), 3.0)];
        let mut expected = expected.to_vec();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(seen, expected);
        assert_eq!(account.tally.overflowed.get(&Over::Origin), Some(&1));
    }
}
