//! Workers that store what packets hold, and the one that takes each interval from them.
//!
//! At the end of an interval each worker is ordered to swap its store. It does so between two packets, or within a tick
//! if none come, and answers with what it had; nobody holds a lock. A worker that does not answer in time keeps its values
//! for the next interval, and is not waited for again until it has answered.

use crate::aggregate::Point;
use crate::flush::{Finished, Flusher, Settings, Shared, To};
use crate::limits::RELAYING_AGENTS_MAX;
use crate::notices::Notices;
use crate::origins::{ContainerTag, Origins};
use crate::protocol::Parsed;
use crate::services::{self, WorkTags};
use crate::store::{Caps, Cell, Limits, Place, Store, Swapped};
use crate::wire::names::Rules;
use crate::wire::relay::seen::Seen;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

mod running;
mod worker;

use running::Running;
pub use worker::Worker;

/// For how long workers are waited for: several ticks.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a worker is to do.
#[derive(Default)]
struct Order {
    spare: Vec<Cell>,
    expired: Vec<Place>,
}

/// What it gives.
struct Answer {
    worker: usize,
    swapped: Swapped,
    parsed: Parsed,
    origins: Origins,
}

/// What an interval came to beside its points, and what was read for it.
#[derive(Debug)]
pub struct Flushed {
    /// Tally and expired places.
    pub finished: Finished,
    /// What came of packets.
    pub parsed: Parsed,
    /// Who sent them.
    pub origins: Origins,
    /// Workers that did not answer in time.
    pub late: usize,
}

/// Takes intervals from workers.
pub struct Aggregator {
    flusher: Flusher,
    caps: Arc<Caps>,
    limits: Limits,
    services: services::Settings,
    container_tag: Option<ContainerTag>,
    notices: Option<Arc<Notices>>,
    links: Vec<Link>,
    /// Workers that have no thread now, by their numbers.
    parked: BTreeMap<usize, Worker>,
    /// What has come of this interval's packets.
    parsed: Parsed,
    origins: Origins,
    ordered: Arc<AtomicU64>,
    answer: Sender<Answer>,
    answers: Receiver<Answer>,
    seen: Arc<Mutex<Seen>>,
    running: Arc<Running>,
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

    /// Uses other settings and limits from now on. The workers that are parked know the limits at once, others still
    /// remember as many raw forms as before.
    pub fn change(&mut self, settings: Settings, limits: Limits) {
        self.flusher.change(settings);
        self.caps.change(limits);
        self.limits = limits;
        for worker in self.parked.values_mut() {
            worker.change(limits);
        }
    }

    /// See [`Flusher::tell_apart`].
    pub fn tell_apart(&mut self, rules: Vec<Rules>) {
        self.flusher.tell_apart(rules);
    }

    /// Hands on figures of the agent itself of an interval that has ended, under names that no client's series has.
    pub fn own(&mut self, points: Vec<Point>, mut hand_on: impl FnMut(To, Point)) {
        for point in points {
            self.flusher.own(point, &mut hand_on);
        }
    }

    /// All figures of the agent itself of this interval have been handed on.
    pub fn end_own(&mut self) {
        self.flusher.own_finish();
    }

    /// See [`Flusher::shared`].
    pub fn shared(&self, most: usize) -> Vec<Shared> {
        self.flusher.shared(most)
    }

    /// Takes workers whose threads have ended, with what they have, until they are asked for again: a series that only
    /// one of them holds lives on.
    pub fn park(&mut self, workers: Vec<Worker>) {
        self.take_answers();
        for mut worker in workers {
            self.take_from(&mut worker);
            self.parked.insert(worker.number, worker);
        }
    }

    /// Lets the workers that are parked forget their series, since the samples of these will come to others. What is
    /// sent goes on as if nothing had been forgotten: whoever gets the next sample holds the series.
    pub fn forget_who_held(&mut self) {
        self.parked.values_mut().for_each(Worker::forget_all);
    }

    /// Workers from now on tag what counts work ([`services::Settings::work`]).
    pub fn tag_work(&mut self, services: &services::Settings) {
        self.services = services.clone();
    }

    /// Workers from now on tag samples with the container that they say they are from.
    pub fn tag_containers(&mut self, tag: ContainerTag) {
        self.container_tag = Some(tag);
    }

    /// Workers from now on pass events and service checks on.
    pub fn pass_on(&mut self, notices: Arc<Notices>) {
        self.notices = Some(notices);
    }

    /// One more worker: the first of those that are parked, or a new one.
    pub fn worker(&mut self) -> Worker {
        if let Some((_, parked)) = self.parked.pop_first() {
            return parked;
        }
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

    /// An interval begins that is to last from then until then, in seconds since 1970: samples that say that they are of
    /// another one are counted as late or early ([`Parsed::late`]).
    pub fn begin(&self, begins_s: u64, ends_s: u64) {
        self.running.begin(begins_s, ends_s);
    }

    /// Series that are held, as the caps count them.
    pub fn series(&self) -> usize {
        self.caps.series()
    }

    /// What the series count against.
    pub fn caps(&self) -> &Arc<Caps> {
        &self.caps
    }

    /// Ends an interval: all workers swap, and what they had becomes points, which are handed on one by one.
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
        // Of those that were late at the end of the last interval.
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

    /// Takes what a worker has whose thread has ended.
    fn take_from(&mut self, worker: &mut Worker) {
        // An order that it had no time for still has its spare cells.
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
        }
    }
}

#[cfg(test)]
mod tests;
