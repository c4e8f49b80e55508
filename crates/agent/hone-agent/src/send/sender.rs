//! One thread that empties one queue into one endpoint.

use super::losses::{Counters, add};
use super::queue::{Cost, Queue};
use super::{Delivery, Endpoint, Outcome, Parcel, Reason, Retry, retry};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Sender of parcels, which takes them at any time and never waits for the back end.
pub struct Sender {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    counters: Counters,
}

struct State {
    queue: Queue,
    /// Deadline for sending queued parcels, once the sender is told to stop.
    stop: Option<Instant>,
    /// Endpoint to be used from the next attempt on.
    replacement: Option<Box<dyn Endpoint>>,
}

/// Step after a failed attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Another attempt.
    Attempt,
    /// Another attempt at once, since the sender was told to stop.
    AttemptAtEnd,
    /// No further attempt.
    GiveUp,
}

/// State of the one attempt that is made at once when the sender is told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LastTry {
    Due,
    Made,
}

/// Shortest time left in which an attempt begins.
const LEFT_MIN: Duration = Duration::from_millis(50);

impl Sender {
    /// Starts the thread, which begins at once to send what the queue holds.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub fn start(
        name: &str,
        endpoint: Box<dyn Endpoint>,
        queue: Queue,
        retry: Retry,
    ) -> io::Result<Self> {
        let counters = Counters::default();
        add(&counters.restored, queue.size().0);
        if let Queue::Disk(disk) = &queue {
            add(&counters.torn_records, disk.torn_records());
        }
        let state = State {
            queue,
            stop: None,
            replacement: None,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            counters,
        });
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name(format!("send {name}"))
            .spawn(move || own.run(endpoint, retry))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Queues the parcel; a full queue drops its oldest parcels.
    pub fn send(&self, parcel: Parcel) {
        let mut state = self.shared.lock();
        add(&self.shared.counters.accepted, parcel.points);
        let cost = state.queue.push(parcel);
        self.shared.pay(cost);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Sends to another endpoint from the next attempt on, which is made at once. Queued parcels stay queued, and the
    /// new endpoint must take them too.
    pub fn change(&self, endpoint: Box<dyn Endpoint>) {
        self.shared.lock().replacement = Some(endpoint);
        self.shared.changed.notify_all();
    }

    /// Counts points that were lost before there was a parcel.
    pub(super) fn lose(&self, reason: Reason, points: u64, why: String) {
        let _state = self.shared.lock();
        add(&self.shared.counters.accepted, points);
        self.shared.counters.lose(reason, points);
        self.shared.counters.complain(why);
    }

    /// Returns the outcome at this moment.
    pub fn outcome(&self) -> Outcome {
        self.shared.outcome()
    }

    /// Sends what is queued, for at most the given time, and ends the thread. Parcels that would be lost are tried at
    /// once, however long the wait before the next attempt was. An attempt under way ends by the endpoint's own
    /// timeouts. Remaining parcels stay in a disk queue, and are lost from a queue in memory.
    pub fn stop(mut self, patience: Duration) -> Outcome {
        self.join(patience);
        self.shared.outcome()
    }

    fn join(&mut self, patience: Duration) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        self.shared.lock().stop = Some(Instant::now() + patience);
        self.shared.changed.notify_all();
        // A panic of the thread was printed when it happened; the counters stay as they are.
        thread.join().ok();
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.join(Duration::ZERO);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the counters, which all change under the lock, so that they add up whenever they are read.
    fn outcome(&self) -> Outcome {
        let state = self.lock();
        let (points, bytes) = state.queue.size();
        Outcome {
            queue_trouble: state.queue.trouble().map(str::to_owned),
            unwritten: state.queue.unwritten(),
            ..self.counters.outcome(points, bytes)
        }
    }

    fn pay(&self, cost: Cost) {
        self.counters.lose(Reason::QueueFull, cost.full);
        self.counters.lose(Reason::Disk, cost.disk);
        self.counters.lose(Reason::Damaged, cost.damaged);
    }

    fn run(&self, mut endpoint: Box<dyn Endpoint>, retry: Retry) {
        let mut random = retry::chance();
        let mut last_try = LastTry::Due;
        while let Some(parcel) = self.next() {
            let mut failures = 0;
            loop {
                if let Some(replacement) = self.replacement() {
                    endpoint = replacement;
                    failures = 0;
                }
                add(&self.counters.attempts, 1);
                match endpoint.deliver(&parcel) {
                    Delivery::Delivered => {
                        break self.delivered(&parcel, endpoint.fell_back());
                    }
                    Delivery::Never { reason, why } => break self.lost(&parcel, reason, why),
                    Delivery::Later { after, why } => {
                        failures += 1;
                        self.counters.complain(why);
                        let wait = retry.wait(failures, after, &mut random);
                        match self.wait(wait, after.is_some(), &mut last_try) {
                            Next::Attempt => {}
                            Next::AttemptAtEnd => failures = 0,
                            Next::GiveUp => {
                                return self.leave(&mut self.lock().queue, Some(parcel));
                            }
                        }
                        add(&self.counters.retries, 1);
                    }
                }
            }
        }
    }

    /// Returns the next parcel. After the sender was told to stop: `None` once everything is sent, or time is up.
    fn next(&self) -> Option<Parcel> {
        let mut state = self.lock();
        loop {
            if state.stop.is_some_and(|until| Instant::now() >= until) {
                self.leave(&mut state.queue, None);
                return None;
            }
            let (parcel, cost) = state.queue.take();
            self.pay(cost);
            if parcel.is_some() || state.stop.is_some() {
                return parcel;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn replacement(&self) -> Option<Box<dyn Endpoint>> {
        self.lock().replacement.take()
    }

    /// Waits before the next attempt, except if that goes to another endpoint. Once the sender was told to stop,
    /// parcels that are not on disk are tried at once, and from then on as long as there is time; a wait that the back
    /// end asks for is kept.
    fn wait(&self, wait: Duration, is_asked: bool, last_try: &mut LastTry) -> Next {
        let until = Instant::now() + wait;
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let mut wake = until;
            if let Some(stop) = state.stop {
                let left = stop.saturating_duration_since(now);
                let is_in_vain = is_asked && *last_try == LastTry::Made && until >= stop;
                if state.queue.survives() || left < LEFT_MIN || is_in_vain {
                    return Next::GiveUp;
                }
                if std::mem::replace(last_try, LastTry::Made) == LastTry::Due {
                    return Next::AttemptAtEnd;
                }
                // Time for one more attempt has to remain after the wait.
                wake = until.min(stop - LEFT_MIN);
            }
            if now >= wake || state.replacement.is_some() {
                return Next::Attempt;
            }
            let waited = self.changed.wait_timeout(state, wake - now);
            state = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
    }

    fn delivered(&self, parcel: &Parcel, fell_back: bool) {
        let mut state = self.lock();
        state.queue.done();
        add(&self.counters.delivered, parcel.points);
        if fell_back {
            add(&self.counters.fell_back, parcel.points);
        }
        add(&self.counters.delivered_bytes, parcel.body.len() as u64);
    }

    fn lost(&self, parcel: &Parcel, reason: Reason, why: String) {
        let mut state = self.lock();
        state.queue.done();
        self.counters.lose(reason, parcel.points);
        self.counters.complain(why);
    }

    /// Ends, with the parcel under way if there is one. Parcels in memory are lost.
    fn leave(&self, queue: &mut Queue, taken: Option<Parcel>) {
        let (stopped, cost) = queue.leave(taken);
        self.pay(cost);
        self.counters.lose(Reason::Stopped, stopped);
    }
}
