//! The client: its configuration, its start and its end.

use crate::counts::{Counts, Reason};
use crate::flusher;
use crate::handles::{Counter, Distribution, Gauge, Handle, Histogram, Rate, Set, Timer};
use crate::number::{Number, Room, decimal};
use crate::outbox::Outbox;
use crate::series::{Kind, SET};
use crate::shared::{Shared, lock};
use crate::socket::Socket;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{fmt, io, mem};

/// Allowed size of a packet in bytes.
const PACKET_BYTES: std::ops::RangeInclusive<usize> = 512..=65_507;
/// Maximum number of shards; more shards gain nothing.
const SHARDS_MAX: usize = 64;

/// Configuration of a client. The default suits an agent with its default configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address of the agent, in the form of the agent's configuration: `unixgram:PATH` or `udp:ADDRESS:PORT` (a numeric
    /// address). Default: `unixgram:/run/hone-agent/agent.sock`.
    pub address: String,
    /// Maximum size of a packet, 512 to 65,507 bytes; not more than the agent's `packet_bytes`. Default: 8,192.
    pub packet_bytes: usize,
    /// Maximum number of packets that wait if the agent is busy or away, at least 1. Default: 64.
    pub queue_packets: usize,
    /// Longest time that a sample waits for its packet to be full. Default: one second.
    pub flush_every: Duration,
    /// Number of packets that are filled at the same time, rounded up to a power of two, at most 64; 0 for one per CPU. Default: 0.
    pub shards: usize,
    /// Longest time that closing waits for a busy agent. Default: one second.
    pub close_within: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            address: "unixgram:/run/hone-agent/agent.sock".into(),
            packet_bytes: 8192,
            queue_packets: 64,
            flush_every: Duration::from_secs(1),
            shards: 0,
            close_within: Duration::from_secs(1),
        }
    }
}

/// Reason why a client does not start. An absent agent is not an error.
#[derive(Debug)]
pub enum StartError {
    /// Text that is not a valid address.
    Address(String),
    /// `packet_bytes` is out of bounds.
    PacketBytes(usize),
    /// `queue_packets` or `flush_every` is zero.
    Zero(&'static str),
    /// The system gave no socket or no thread.
    System(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => write!(
                f,
                "{address:?} is no address of an agent; write unixgram:PATH (a path of at most 107 bytes) or udp:ADDRESS:PORT"
            ),
            Self::PacketBytes(bytes) => {
                write!(f, "packet_bytes is {bytes}; it may be 512 to 65507")
            }
            Self::Zero(key) => write!(f, "{key} is 0; it must be more"),
            Self::System(error) => write!(
                f,
                "the system gives no socket or thread to send metrics: {error}"
            ),
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::System(error) => Some(error),
            _ => None,
        }
    }
}

/// Sends samples to the agent. All clones are the same client; it closes when the last clone is dropped. Handles do not keep it open.
#[derive(Clone, Debug)]
pub struct Client {
    running: Arc<Running>,
}

#[derive(Debug)]
struct Running {
    shared: Arc<Shared>,
    flusher: Mutex<Option<JoinHandle<()>>>,
    close_within: Duration,
    is_closed: AtomicBool,
}

impl Client {
    /// Opens the socket and starts the thread that flushes. The agent does not have to run.
    pub fn start(config: Config) -> Result<Self, StartError> {
        if !PACKET_BYTES.contains(&config.packet_bytes) {
            return Err(StartError::PacketBytes(config.packet_bytes));
        }
        if config.queue_packets == 0 {
            return Err(StartError::Zero("queue_packets"));
        }
        if config.flush_every.is_zero() {
            return Err(StartError::Zero("flush_every"));
        }
        let socket = Socket::open(&config.address)?;
        let outbox = Outbox::new(socket, config.packet_bytes, config.queue_packets);
        let shards = match config.shards {
            0 => thread::available_parallelism().map_or(1, usize::from),
            shards => shards,
        };
        let shards = shards.min(SHARDS_MAX).next_power_of_two();
        let shared = Arc::new(Shared::new(outbox, config.packet_bytes, shards));
        let flushed = Arc::clone(&shared);
        let flusher = thread::Builder::new()
            .name("hone-metrics".into())
            .spawn(move || flusher::run(&flushed, config.flush_every))
            .map_err(StartError::System)?;
        Ok(Self {
            running: Arc::new(Running {
                shared,
                flusher: Mutex::new(Some(flusher)),
                close_within: config.close_within,
                is_closed: AtomicBool::new(false),
            }),
        })
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.running.shared
    }

    fn handle(&self, kind: Kind, metric: &str, tags: &[(&str, &str)]) -> Handle {
        Handle::new(self.shared(), kind.letter(), metric, tags)
    }

    /// Returns a counter: samples are added up, and the sum since the start is reported.
    pub fn counter(&self, metric: &str, tags: &[(&str, &str)]) -> Counter {
        Counter(self.handle(Kind::Counter, metric, tags))
    }

    /// Returns a rate: samples are added up, and the sum per second is reported.
    pub fn rate(&self, metric: &str, tags: &[(&str, &str)]) -> Rate {
        Rate(self.handle(Kind::Rate, metric, tags))
    }

    /// Returns a gauge: the last value is reported.
    pub fn gauge(&self, metric: &str, tags: &[(&str, &str)]) -> Gauge {
        Gauge(self.handle(Kind::Gauge, metric, tags))
    }

    /// Returns a timer for durations in milliseconds.
    pub fn timer(&self, metric: &str, tags: &[(&str, &str)]) -> Timer {
        Timer(self.handle(Kind::Timer, metric, tags))
    }

    /// Returns a histogram: values are counted in exponential buckets.
    pub fn histogram(&self, metric: &str, tags: &[(&str, &str)]) -> Histogram {
        Histogram(self.handle(Kind::Histogram, metric, tags))
    }

    /// Returns a distribution: quantiles of the values are known within 1 %.
    pub fn distribution(&self, metric: &str, tags: &[(&str, &str)]) -> Distribution {
        Distribution(self.handle(Kind::Distribution, metric, tags))
    }

    /// Returns a set: the number of different members is reported.
    pub fn set(&self, metric: &str, tags: &[(&str, &str)]) -> Set {
        Set(Handle::new(self.shared(), SET, metric, tags))
    }

    /// Records one number of a series without a handle, for tags that are only known now.
    pub fn record(&self, kind: Kind, metric: &str, value: impl Number, tags: &[(&str, &str)]) {
        let shared = self.shared();
        let value = value.to_f64();
        shared.ad_hoc(kind.letter(), metric, tags, |series| {
            shared.number(series, value)
        });
    }

    /// Records one duration of a timer without a handle.
    pub fn record_duration(&self, metric: &str, duration: Duration, tags: &[(&str, &str)]) {
        let shared = self.shared();
        let mut room: Room = [0; 32];
        let text = milliseconds(duration, &mut room);
        shared.ad_hoc(Kind::Timer.letter(), metric, tags, |series| {
            shared.text(series, text)
        });
    }

    /// Adds one member to a set without a handle.
    pub fn insert(&self, metric: &str, member: &str, tags: &[(&str, &str)]) {
        let shared = self.shared();
        shared.ad_hoc(SET, metric, tags, |series| {
            shared.text(series, member.as_bytes())
        });
    }

    /// Sends the gathered samples, as far as the agent takes them at once; the rest is sent as soon as the agent takes it.
    pub fn flush(&self) {
        if !self.running.is_closed.load(Ordering::Acquire) {
            self.shared().cut();
            self.shared().outbox.send_all();
        }
    }

    /// Returns the counts of the samples until now.
    pub fn counts(&self) -> Counts {
        self.shared().counts()
    }

    /// Sends the gathered samples, waiting for a busy agent for at most [`Config::close_within`], and ends the client. Later
    /// samples are dropped and counted. Programs that end without dropping the client (a client in a
    /// `static`, `std::process::exit`) call this.
    pub fn close(&self) {
        self.running.close();
    }
}

impl Running {
    fn close(&self) {
        if self.is_closed.swap(true, Ordering::AcqRel) {
            return;
        }
        let flusher = lock(&self.flusher).take();
        let outbox = &self.shared.outbox;
        if !outbox.is_of_this_process() {
            // A forked child does not have the flusher thread.
            mem::forget(flusher);
            return;
        }
        outbox.queue().is_closing = true;
        outbox.wake.notify_all();
        if let Some(flusher) = flusher {
            // The flusher never panics; if it did, nothing would be left to do for it.
            let _ = flusher.join();
        }
        self.shared.close();
        self.shared.cut();
        let patience = Instant::now() + self.close_within;
        outbox.send_all();
        while outbox.queue().is_held_up_by_a_busy_agent() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
            outbox.send_all();
        }
        outbox.give_up();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.close();
    }
}

/// Writes a duration in milliseconds, to the nanosecond.
pub(crate) fn milliseconds(duration: Duration, room: &mut Room) -> &[u8] {
    let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    decimal(false, nanoseconds, 6, room)
}

impl Counts {
    /// Returns the numbers of dropped samples by reason, without reasons that did not occur.
    pub fn drops(&self) -> impl Iterator<Item = (Reason, u64)> + '_ {
        let all = Reason::ALL.into_iter();
        all.map(|reason| (reason, self.dropped_for(reason)))
            .filter(|(_, count)| *count > 0)
    }
}
