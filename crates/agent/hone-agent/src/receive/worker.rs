//! The threads: one for each socket, and the workers, if there are any.

use super::counts::ReceiveCounts;
use super::deliver::{Delivery, Merger};
use super::error::ReceiveError;
use super::listen::{Listen, Opened, Source};
use super::queue::{Next, Queue};
use super::stop::{End, Stop};
use super::{Handle, Protocol, TICK, datagram, stream};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Settings of the threads that handle packets, and of the parcels that bring packets to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Number of threads that handle packets. If 0, each receiver handles the packets of its own socket.
    pub workers: usize,
    /// Number of parcels of each worker, which limits how many can wait for the worker.
    pub parcels: usize,
    /// Bytes of packets that are merged into one parcel.
    pub parcel_bytes: usize,
    /// Time for which packets may wait to be merged with others. If 0, only packets that are there at once are merged.
    pub merge_wait: Duration,
    /// Time for which a receiver waits for a free parcel before it drops packets. Meanwhile it reads nothing from its socket.
    pub full_wait: Duration,
}

impl Default for Work {
    /// Settings without workers. If workers are added: 64 parcels of 32 KiB for each, no waiting for more packets, and 100 ms
    /// for a free parcel.
    fn default() -> Self {
        Self {
            workers: 0,
            parcels: 64,
            parcel_bytes: 32 * 1024,
            merge_wait: Duration::ZERO,
            full_wait: Duration::from_millis(100),
        }
    }
}

/// Result of a receiver's thread: the number of its listener, its socket, and its handler, if it had one.
type Left<H> = (usize, Source, Option<H>);

/// Running listeners.
pub struct Receiver<H> {
    opened: Vec<Opened>,
    receivers: Vec<JoinHandle<Left<H>>>,
    workers: Vec<JoinHandle<H>>,
    queues: Arc<[Queue]>,
    stop: Arc<Stop>,
}

impl<H: Handle + Send + 'static> Receiver<H> {
    /// Starts to receive. `handler` makes a handler for each thread that handles packets, and gets the number of the thread:
    /// the workers come first, then the sockets in their order. If there are workers, only sockets to which other agents
    /// relay have a handler.
    pub fn start(
        opened: Vec<Opened>,
        work: Work,
        mut handler: impl FnMut(usize) -> H,
    ) -> Result<Self, ReceiveError> {
        let queues = (0..work.workers).map(|_| Queue::new(work.parcels.max(1), work.parcel_bytes));
        let stop = Stop::new().map_err(|errno| ReceiveError::Thread {
            name: "receive".to_owned(),
            why: errno.into(),
        })?;
        let mut receiver = Self {
            opened,
            receivers: Vec::new(),
            workers: Vec::new(),
            queues: queues.collect(),
            stop: Arc::new(stop),
        };
        for number in 0..work.workers {
            let worker = receiver.start_worker(number, handler(number))?;
            receiver.workers.push(worker);
        }
        for listener in 0..receiver.opened.len() {
            for source in std::mem::take(&mut receiver.opened[listener].sources) {
                let number = receiver.receivers.len();
                // A relaying agent waits for an answer, which a worker could not give.
                let is_relay = receiver.opened[listener].listen.protocol == Protocol::Relay;
                let is_here = work.workers == 0 || is_relay;
                let here = is_here.then(|| handler(work.workers + number));
                let delivery = receiver.delivery(listener, number, work, here);
                let thread = receiver.start_receiver(listener, source, delivery)?;
                receiver.receivers.push(thread);
            }
        }
        Ok(receiver)
    }

    fn delivery(&self, listener: usize, number: usize, work: Work, here: Option<H>) -> Delivery<H> {
        let opened = &self.opened[listener];
        match here {
            Some(handler) => Delivery::here(handler, listener, opened),
            None => {
                let merger = Merger::new(Arc::clone(&self.queues), work, listener, number);
                Delivery::to_workers(merger, listener, opened)
            }
        }
    }

    fn start_worker(&self, number: usize, handler: H) -> Result<JoinHandle<H>, ReceiveError> {
        let queues = Arc::clone(&self.queues);
        let counts: Vec<_> = self
            .opened
            .iter()
            .map(|opened| Arc::clone(&opened.counts))
            .collect();
        spawn(format!("work-{number}"), move || {
            handle(&queues[number], handler, &counts)
        })
    }

    fn start_receiver(
        &self,
        listener: usize,
        mut source: Source,
        mut delivery: Delivery<H>,
    ) -> Result<JoinHandle<Left<H>>, ReceiveError> {
        let listen = Arc::clone(&self.opened[listener].listen);
        let stop = Arc::clone(&self.stop);
        spawn(format!("recv-{}", listen.name), move || {
            receive(&mut source, &listen, &mut delivery, &stop);
            (listener, source, delivery.into_handler())
        })
    }

    /// Returns the listeners.
    pub fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// Returns true if a thread has ended without a request, which means that it panicked. Its work is not done any more, and
    /// a stop passes the panic on.
    pub fn has_lost_a_thread(&self) -> bool {
        self.receivers.iter().any(JoinHandle::is_finished)
            || self.workers.iter().any(JoinHandle::is_finished)
    }

    /// Stops. Data that clients have sent is still received and handled; then the sockets are closed, and the files of Unix
    /// sockets removed. Returns the handlers.
    ///
    /// # Panics
    /// If a handler panicked.
    pub fn stop(self) -> Vec<H> {
        self.end(End::Drained).1
    }

    /// Stops, and leaves the sockets and connections open for another start: the kernel keeps data that comes meanwhile, as far
    /// as it has room. Received data is handled.
    ///
    /// # Panics
    /// If a handler panicked.
    pub fn pause(self) -> (Vec<Opened>, Vec<H>) {
        self.end(End::Paused)
    }

    fn end(mut self, end: End) -> (Vec<Opened>, Vec<H>) {
        self.stop.ask(end);
        let mut handlers = Vec::new();
        for thread in std::mem::take(&mut self.receivers) {
            let (listener, source, handler) = joined(thread);
            self.opened[listener].sources.push(source);
            handlers.extend(handler);
        }
        self.queues.iter().for_each(Queue::close);
        handlers.extend(std::mem::take(&mut self.workers).into_iter().map(joined));
        (std::mem::take(&mut self.opened), handlers)
    }
}

impl<H> Drop for Receiver<H> {
    /// Lets the threads end, if the receiver was not stopped.
    fn drop(&mut self) {
        self.stop.ask(End::Paused);
        self.queues.iter().for_each(Queue::close);
    }
}

fn spawn<T: Send + 'static>(
    name: String,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ReceiveError> {
    let builder = thread::Builder::new().name(name.clone());
    builder
        .spawn(run)
        .map_err(|why| ReceiveError::Thread { name, why })
}

fn joined<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn receive<H: Handle>(
    source: &mut Source,
    listen: &Listen,
    delivery: &mut Delivery<H>,
    stop: &Stop,
) {
    match source {
        Source::Datagram(socket) => {
            datagram::receive(socket, listen.packet_bytes_max, delivery, stop);
        }
        Source::Stream(socket) => stream::receive(socket, listen, delivery, stop),
    }
}

/// Handles parcels until there are no more.
fn handle<H: Handle>(queue: &Queue, mut handler: H, counts: &[Arc<ReceiveCounts>]) -> H {
    let mut ticked = Instant::now();
    loop {
        match queue.next(TICK) {
            Next::Parcel(parcel) => {
                handler.packet(parcel.protocol, parcel.packet(), parcel.origin);
                counts[parcel.listener].handled(parcel.packets);
                queue.give_back(parcel);
            }
            Next::Nothing => {}
            Next::Closed => return handler,
        }
        if ticked.elapsed() >= TICK {
            handler.idle();
            ticked = Instant::now();
        }
    }
}
