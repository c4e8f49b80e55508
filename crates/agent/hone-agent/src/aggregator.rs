//! Workers, which store the contents of packets, and the aggregator, which collects each interval from them.
//!
//! At the end of an interval each worker is ordered to swap its store. The worker does so between two packets, or within a
//! tick if no packets come, and answers with its values; nobody holds a lock. A worker that does not answer in time keeps
//! its values for the next interval, and is not waited for again until it has answered.

use crate::aggregate::Point;
use crate::flush::{Finished, Flusher, Settings, Shared, To};
use crate::limits::RELAYING_AGENTS_MAX;
use crate::notices::Notices;
use crate::origins::{ContainerTag, Origins};
use crate::protocol::Parsed;
use crate::rewrite::Rewrite;
use crate::services::{self, WorkTags};
use crate::store::{Caps, Cell, Limits, Place, Store, Swapped};
use crate::wire::names::Rules;
use crate::wire::relay::duplicates::Seen;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

mod running;
mod worker;

use running::Running;
pub use worker::Worker;

/// Time for which workers are waited for: several ticks.
const PATIENCE: Duration = Duration::from_millis(500);

/// Order to a worker to swap its store.
#[derive(Default)]
struct Order {
    spare: Vec<Cell>,
    expired: Vec<Place>,
    /// Rules from this swap on, if they are others than before.
    rewrite: Option<Arc<Rewrite>>,
}

/// Answer of a worker to an order.
struct Answer {
    worker: usize,
    swapped: Swapped,
    parsed: Parsed,
    origins: Origins,
}

/// Result of an interval beside its points, and the counts of the packets read for it.
#[derive(Debug)]
pub struct Flushed {
    /// Result of the flusher, from which the expired places have already been taken.
    pub finished: Finished,
    /// Counts of the contents of packets.
    pub parsed: Parsed,
    /// Senders of the packets.
    pub origins: Origins,
    /// Workers that did not answer in time.
    pub late: usize,
}

/// Collector of intervals from workers.
pub struct Aggregator {
    flusher: Flusher,
    caps: Arc<Caps>,
    limits: Limits,
    rewrite: Arc<Rewrite>,
    services: services::Settings,
    container_tag: Option<ContainerTag>,
    notices: Option<Arc<Notices>>,
    links: Vec<Link>,
    /// Workers that have no thread now, by their numbers.
    parked: BTreeMap<usize, Worker>,
    /// Counts of this interval's packets so far.
    parsed: Parsed,
    origins: Origins,
    ordered: Arc<AtomicU64>,
    answer: Sender<Answer>,
    answers: Receiver<Answer>,
    seen: Arc<Mutex<Seen>>,
    running: Arc<Running>,
}

/// State of a worker that is kept between two intervals.
struct Link {
    orders: Sender<Order>,
    spare: Vec<Cell>,
    expired: Vec<Place>,
    rewrite: Option<Arc<Rewrite>>,
    /// True if the worker owes an answer.
    owes: bool,
}

impl Aggregator {
    /// An aggregator without workers.
    pub fn new(settings: Settings, limits: Limits) -> Self {
        let (answer, answers) = channel();
        Self {
            flusher: Flusher::new(settings),
            caps: Arc::new(Caps::new(limits)),
            limits,
            rewrite: Arc::default(),
            services: services::Settings::default(),
            container_tag: None,
            notices: None,
            links: Vec::new(),
            parked: BTreeMap::new(),
            parsed: Parsed::default(),
            origins: Origins::default(),
            ordered: Arc::default(),
            answer,
            answers,
            seen: Arc::new(Mutex::new(Seen::new(RELAYING_AGENTS_MAX))),
            running: Arc::default(),
        }
    }

    /// See [`Flusher::start`].
    pub fn start(&mut self, started_ms: i64) {
        self.flusher.start(started_ms);
    }

    /// Changes settings and limits from now on. Parked workers get the limits at once; other workers still remember as many raw
    /// forms as before.
    pub fn change(&mut self, settings: Settings, limits: Limits) {
        self.flusher.change(settings);
        self.caps.change(limits);
        self.limits = limits;
        for worker in self.parked.values_mut() {
            worker.change(limits);
        }
    }

    /// Changes the rules for the series of clients, from the end of the interval on.
    pub fn rewrite(&mut self, rules: Rewrite) {
        self.rewrite = Arc::new(rules);
        for link in &mut self.links {
            link.rewrite = Some(Arc::clone(&self.rewrite));
        }
    }

    /// See [`Flusher::tell_apart`].
    pub fn tell_apart(&mut self, rules: Vec<Rules>) {
        self.flusher.tell_apart(rules);
    }

    /// Hands on figures of the agent itself for an interval that has ended, under names that no client's series has.
    pub fn own(&mut self, points: Vec<Point>, mut hand_on: impl FnMut(To, Point)) {
        for point in points {
            self.flusher.own(point, &mut hand_on);
        }
    }

    /// Ends the figures of the agent itself for this interval, after all of them have been handed on.
    pub fn end_own(&mut self) {
        self.flusher.own_finish();
    }

    /// See [`Flusher::shared`].
    pub fn shared(&self, most: usize) -> Vec<Shared> {
        self.flusher.shared(most)
    }

    /// Keeps workers whose threads have ended, with their values, until [`Self::worker`] returns them: a series that only one
    /// of these workers holds lives on.
    pub fn park(&mut self, workers: Vec<Worker>) {
        self.take_answers();
        for mut worker in workers {
            self.take_from(&mut worker);
            self.parked.insert(worker.number, worker);
        }
    }

    /// Makes parked workers forget their series, since the samples of these series will come to other workers. The series are
    /// sent on as if nothing had been forgotten: the worker that gets the next sample of a series holds the series.
    pub fn forget_who_held(&mut self) {
        self.parked.values_mut().for_each(Worker::forget_all);
    }

    /// Makes new workers tag the samples that count work ([`services::Settings::work`]).
    pub fn tag_work(&mut self, services: &services::Settings) {
        self.services = services.clone();
    }

    /// Makes new workers tag samples with the container that the samples name.
    pub fn tag_containers(&mut self, tag: ContainerTag) {
        self.container_tag = Some(tag);
    }

    /// Makes new workers pass on events and service checks.
    pub fn pass_on(&mut self, notices: Arc<Notices>) {
        self.notices = Some(notices);
    }

    /// Returns one more worker: the first parked worker, or a new one.
    pub fn worker(&mut self) -> Worker {
        if let Some((_, parked)) = self.parked.pop_first() {
            return parked;
        }
        let (orders, received) = channel();
        self.links.push(Link {
            orders,
            spare: Vec::new(),
            expired: Vec::new(),
            rewrite: None,
            owes: false,
        });
        let mut store = Store::new(Arc::clone(&self.caps), self.limits);
        store.rewrite(Arc::clone(&self.rewrite));
        Worker {
            number: self.links.len() - 1,
            store,
            rewrite: Arc::clone(&self.rewrite),
            work: WorkTags::of(&self.services),
            container_tag: self.container_tag.clone(),
            notices: self.notices.clone(),
            is_new_store: false,
            caps: Arc::clone(&self.caps),
            limits: self.limits,
            parsed: Parsed::default(),
            origins: Origins::default(),
            orders: received,
            answers: self.answer.clone(),
            ordered: Arc::clone(&self.ordered),
            followed: self.ordered.load(Ordering::Acquire),
            seen: Arc::clone(&self.seen),
            running: Arc::clone(&self.running),
        }
    }

    /// Begins an interval from `begins_s` until `ends_s`, in seconds since 1970. Samples with a time outside this interval are
    /// counted as late or early ([`Parsed::late`]).
    pub fn begin(&self, begins_s: u64, ends_s: u64) {
        self.running.begin(begins_s, ends_s);
    }

    /// Returns the number of held series, as the caps count them.
    pub fn series(&self) -> usize {
        self.caps.series()
    }

    /// Returns the caps that series count against.
    pub fn caps(&self) -> &Arc<Caps> {
        &self.caps
    }

    /// Ends an interval: all workers swap, and their values become points, which are handed on one by one.
    pub fn flush(&mut self, end_ms: i64, length_ms: u32, hand_on: impl FnMut(Point)) -> Flushed {
        self.flush_within(PATIENCE, end_ms, length_ms, hand_on)
    }

    fn flush_within(
        &mut self,
        patience: Duration,
        end_ms: i64,
        length_ms: u32,
        hand_on: impl FnMut(Point),
    ) -> Flushed {
        // Answers that missed the previous deadline.
        self.take_answers();
        let mut awaited = Vec::new();
        for (worker, link) in self.links.iter_mut().enumerate() {
            if !link.owes {
                let order = link.order();
                // A worker that is gone has taken its values with it, and owes nothing.
                link.owes = link.orders.send(order).is_ok();
                awaited.push(worker);
            }
        }
        self.ordered.fetch_add(1, Ordering::Release);
        self.parked.values_mut().for_each(Worker::follow);
        let deadline = Instant::now() + patience;
        while awaited.iter().any(|worker| self.links[*worker].owes) {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(answer) = self.answers.recv_timeout(left) else {
                break;
            };
            self.take(answer);
        }
        self.finish(end_ms, length_ms, hand_on)
    }

    /// Ends the last interval, with workers whose threads have ended.
    pub fn last(
        &mut self,
        workers: Vec<Worker>,
        end_ms: i64,
        length_ms: u32,
        hand_on: impl FnMut(Point),
    ) -> Flushed {
        self.park(workers);
        self.finish(end_ms, length_ms, hand_on)
    }

    fn take_answers(&mut self) {
        while let Ok(answer) = self.answers.try_recv() {
            self.take(answer);
        }
    }

    /// Takes the values of a worker whose thread has ended.
    fn take_from(&mut self, worker: &mut Worker) {
        // An order that the worker had no time for still has its spare cells.
        let waiting = worker.waiting();
        let order = waiting.unwrap_or_else(|| self.links[worker.number].order());
        let answer = worker.swap(order);
        self.take(answer);
    }

    fn take(&mut self, answer: Answer) {
        self.parsed.add(answer.parsed);
        self.origins.add(answer.origins);
        let link = &mut self.links[answer.worker];
        link.owes = false;
        link.spare = self.flusher.add(answer.worker, answer.swapped);
    }

    fn finish(&mut self, end_ms: i64, length_ms: u32, hand_on: impl FnMut(Point)) -> Flushed {
        let mut finished = self.flusher.finish(end_ms, length_ms, hand_on);
        for (worker, expired) in finished.expired.drain(..).enumerate() {
            self.links[worker].expired = expired;
        }
        Flushed {
            finished,
            parsed: std::mem::take(&mut self.parsed),
            origins: std::mem::take(&mut self.origins),
            late: self.links.iter().filter(|link| link.owes).count(),
        }
    }
}

impl Link {
    fn order(&mut self) -> Order {
        Order {
            spare: std::mem::take(&mut self.spare),
            expired: std::mem::take(&mut self.expired),
            rewrite: self.rewrite.take(),
        }
    }
}

#[cfg(test)]
mod tests;
