//! Data that handles, the client and its flusher share: shards that are filled, and the outbox that they are emptied into.

use crate::counts::{Counts, OWN, Reason};
use crate::number::{self, Room};
use crate::outbox::Outbox;
use crate::packet::{HEAD_BYTES, Packet};
use crate::series::{Kind, Refused, Series, TextHead};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. The data of a thread that panicked is consistent: no lock is held over a call that panics.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
pub(crate) struct Shared {
    shards: Box<[Apart<Mutex<Shard>>]>,
    pub(crate) outbox: Outbox,
    packet_bytes: usize,
    /// Series of the client's own metrics; the lock is held while they are reported.
    own: Mutex<[Series; OWN]>,
}

/// A value on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Apart<T>(T);

#[derive(Debug)]
struct Shard {
    packet: Packet,
    given: u64,
    is_closed: bool,
}

/// Owner of a point.
#[derive(Clone, Copy)]
enum Whose {
    TheService,
    /// The client's own metric with this number, and its growth.
    Own(usize, u64),
}

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(usize::MAX) };
    static SCRATCH: RefCell<Series> = RefCell::default();
}

/// Returns the number of this thread. Threads are numbered in the order of their first samples.
fn number_of_this_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.get();
    if number != usize::MAX {
        return number;
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    NUMBER.set(number);
    number
}

impl Shared {
    /// Makes the shared data; `shards` must be a power of two.
    pub(crate) fn new(outbox: Outbox, packet_bytes: usize, shards: usize) -> Self {
        let shard = || Shard {
            packet: Packet::new(packet_bytes),
            given: 0,
            is_closed: false,
        };
        Self {
            shards: (0..shards).map(|_| Apart(Mutex::new(shard()))).collect(),
            outbox,
            packet_bytes,
            own: Mutex::new(own_series()),
        }
    }

    /// Adds a number of a series.
    pub(crate) fn number(&self, series: &Series, value: f64) {
        let mut room: Room = [0; 32];
        match number::text(value, &mut room) {
            Some(text) => self.text(series, text),
            None => self.outbox.drops.at_once(Reason::Value),
        }
    }

    /// Adds a value of a series, as text.
    pub(crate) fn text(&self, series: &Series, text: &[u8]) {
        if text.is_empty() {
            return self.outbox.drops.at_once(Reason::Value);
        }
        let number = if series.keeps_order {
            series.hash as usize
        } else {
            number_of_this_thread()
        };
        self.point(number, series, text, Whose::TheService);
    }

    /// Adds a sample of a series without a handle.
    pub(crate) fn ad_hoc(
        &self,
        letter: u8,
        metric: &str,
        tags: &[(&str, &str)],
        give: impl FnOnce(&Series),
    ) {
        let give = |series: &mut Series| match series.set(letter, metric, tags) {
            Ok(()) => give(series),
            Err(_) => self.refuse(),
        };
        let mut give = Some(give);
        // While the thread ends, its scratch may be gone.
        let done = SCRATCH.try_with(|scratch| {
            if let Some(give) = give.take() {
                give(&mut scratch.borrow_mut());
            }
        });
        if let (Err(_), Some(give)) = (done, give) {
            give(&mut Series::default());
        }
    }

    /// Drops a sample of a series that the protocol cannot carry.
    pub(crate) fn refuse(&self) {
        self.outbox.drops.at_once(Reason::Series);
    }

    fn point(&self, number: usize, series: &Series, text: &[u8], whose: Whose) {
        let head = TextHead::of(text.len());
        let parts = [
            series.before_value(),
            head.bytes(),
            text,
            series.behind_value(),
        ];
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let is_own = matches!(whose, Whose::Own(..));
        if length > self.packet_bytes - HEAD_BYTES {
            return self.outbox.drops.at_once(Reason::TooLong);
        }
        let mut shard = lock(&self.shards[number & (self.shards.len() - 1)].0);
        if shard.is_closed && !is_own {
            drop(shard);
            return self.outbox.drops.at_once(Reason::Closed);
        }
        if shard.packet.len() + length > self.packet_bytes {
            self.outbox.take(&mut shard.packet);
        }
        shard.packet.add(parts);
        match whose {
            Whose::TheService => {
                shard.given += 1;
                shard.packet.samples += 1;
            }
            Whose::Own(metric, grown) => shard.packet.own[metric] += grown,
        }
    }

    /// Hands the content of the shards to the outbox, with the values of the client's own metrics.
    pub(crate) fn cut(&self) {
        self.tell();
        for shard in &self.shards {
            let mut shard = lock(&shard.0);
            if !shard.packet.is_empty() {
                self.outbox.take(&mut shard.packet);
            }
        }
    }

    /// Writes the growth of the client's own metrics.
    fn tell(&self) {
        let own = lock(&self.own);
        for (metric, total) in self.counts().own().into_iter().enumerate() {
            let told = &self.outbox.told[metric];
            let grown = total.saturating_sub(told.load(Ordering::Relaxed));
            if grown > 0 {
                told.fetch_add(grown, Ordering::Relaxed);
                let mut room: Room = [0; 32];
                let text = number::decimal(false, grown, 0, &mut room);
                self.point(0, &own[metric], text, Whose::Own(metric, grown));
            }
        }
    }

    /// Closes the shards: later samples are dropped.
    pub(crate) fn close(&self) {
        for shard in &self.shards {
            lock(&shard.0).is_closed = true;
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for shard in &self.shards {
            let shard = lock(&shard.0);
            counts.given += shard.given;
            counts.waiting += shard.packet.samples;
        }
        self.outbox.read(&mut counts);
        counts
    }
}

fn own_series() -> [Series; OWN] {
    let counter = |metric, tags: &[(&str, &str)]| -> Result<Series, Refused> {
        Series::new(Kind::Counter.letter(), metric, tags)
    };
    std::array::from_fn(|number| {
        let series = match number {
            0 => counter("hone.client.samples", &[]),
            _ => counter(
                "hone.client.dropped",
                &[("reason", Reason::ALL[number - 1].word())],
            ),
        };
        series.expect("names without separators")
    })
}
