//! `hone-agent run`: from the configuration to the last flush.

use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{Receiver as Signals, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow};
use hone_agent::account::Account;
use hone_agent::aggregator::{Aggregator, Flushed, Worker};
use hone_agent::receive::{self, Opened, Passed, Receiver, Work};
use hone_agent::send::{Outlet, send_to_all};
use hone_agent::wire::relay::Origin;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals as Watched;

use crate::config::Config;
use crate::endpoints;

/// How long the last intervals may take to be sent when the agent ends.
const PATIENCE_AT_END: Duration = Duration::from_secs(10);

/// Runs until a signal.
pub(crate) fn run(config: &Config) -> Result<()> {
    let ends = ends()?;
    let mut sending = Sending::start(config)?;
    let mut aggregator = Aggregator::new(config.flush.clone(), config.limits);
    let mut passed = Passed::from_environment()?;
    let opened = receive::open(&config.listen, &mut passed)?;
    all_were_taken(&passed)?;
    say_listeners(&opened);
    let work = Work {
        workers: config.workers,
        ..Work::default()
    };
    let receiver = Receiver::start(opened, work, |_| aggregator.worker())?;
    let mut account = Account::default();
    let mut interval = Interval::begin(config.interval_s, now_ms(), Instant::now());
    loop {
        match wait(&ends, &interval) {
            Waited::Asked => break,
            Waited::Lost => return Err(anyhow!("nobody watches for signals any more")),
            Waited::Over => {}
        }
        if receiver.has_lost_a_thread() {
            receiver.stop();
            return Err(anyhow!("a thread that receives has ended"));
        }
        let (end_ms, length_ms) = interval.next(now_ms(), Instant::now());
        let flushed = aggregator.flush(end_ms, length_ms);
        note(&mut account, &aggregator, &receiver, &sending);
        sending.send(&mut account, flushed);
    }
    eprintln!("hone-agent: ending; what clients have sent is still received and sent");
    let counts: Vec<_> = counts(receiver.opened());
    let workers = receiver.stop();
    let flushed = aggregator.last(workers, now_ms(), interval.took_ms(Instant::now()));
    for (name, counts) in counts {
        account.listeners.insert(name, counts.now());
    }
    sending.send(&mut account, flushed);
    account.endpoints = sending.stop();
    eprint!("{account}");
    match account.missing() {
        0 => Ok(()),
        missing => Err(anyhow!(
            "{missing} values are neither stored nor refused: a fault of hone-agent; please report it with the account above"
        )),
    }
}

/// All back ends.
struct Sending {
    names: Vec<String>,
    outlets: Vec<Outlet>,
    origin: Origin,
}

impl Sending {
    fn start(config: &Config) -> Result<Self> {
        let (names, outlets) = endpoints::open(config, now_ms())?.into_iter().unzip();
        let origin = Origin {
            // The standard library seeds its maps by chance.
            source: RandomState::new().hash_one(now_ms()) >> 1,
            sequence: 0,
        };
        Ok(Self {
            names,
            outlets,
            origin,
        })
    }

    /// Sends an interval with the agent's own figures.
    fn send(&mut self, account: &mut Account, flushed: Flushed) {
        account.add(&flushed);
        if flushed.late > 0 {
            eprintln!(
                "hone-agent: {} workers were late; their values go to the next interval",
                flushed.late
            );
        }
        let mut interval = flushed.finished.interval;
        interval.points.extend(account.points());
        send_to_all(&mut self.outlets, &interval, &mut self.origin);
    }

    fn stop(self) -> std::collections::BTreeMap<String, hone_agent::send::Outcome> {
        let outlets = self.names.into_iter().zip(self.outlets);
        outlets
            .map(|(name, outlet)| (name, outlet.stop(PATIENCE_AT_END)))
            .collect()
    }
}

fn note(
    account: &mut Account,
    aggregator: &Aggregator,
    receiver: &Receiver<Worker>,
    sending: &Sending,
) {
    account.series = aggregator.series();
    for (name, counts) in counts(receiver.opened()) {
        account.listeners.insert(name, counts.now());
    }
    for (name, outlet) in sending.names.iter().zip(&sending.outlets) {
        let outcome = outlet.outcome();
        let before = account.endpoints.get(name);
        let said = before.and_then(|before| before.last_error.as_ref());
        if let Some(error) = &outcome.last_error
            && said != Some(error)
        {
            eprintln!("hone-agent: sending to {name}: {error}");
        }
        account.endpoints.insert(name.clone(), outcome);
    }
}

fn counts(opened: &[Opened]) -> Vec<(String, std::sync::Arc<receive::ReceiveCounts>)> {
    let counts = opened.iter().map(|opened| {
        let name = opened.listen().name.clone();
        (name, std::sync::Arc::clone(opened.counts()))
    });
    counts.collect()
}

fn say_listeners(opened: &[Opened]) {
    for opened in opened {
        let listen = opened.listen();
        let local = opened.local_address();
        let local = local.map_or(String::new(), |address| format!(" ({address})"));
        let got = opened.receive_buffer_bytes().into_iter().min().unwrap_or(0);
        eprintln!(
            "hone-agent: listening at {}{local}, receive buffer {got} bytes",
            listen.address
        );
        if listen
            .receive_buffer_bytes
            .is_some_and(|wanted| got < wanted)
        {
            eprintln!(
                "hone-agent: the system gives no larger buffer; raise net.core.rmem_max (sysctl)"
            );
        }
    }
}

/// A socket that nobody reads would take what clients send and lose it.
fn all_were_taken(passed: &Passed) -> Result<()> {
    match passed.left().next() {
        None => Ok(()),
        Some(name) => Err(anyhow!(
            "the service manager passes a socket named '{name}', and no listener has this name; \
             set `name` in [[listen]] to what FileDescriptorName= says"
        )),
    }
}

enum Waited {
    Over,
    Asked,
    Lost,
}

/// Waits for the end of an interval, or for a signal that asks the agent to end.
fn wait(ends: &Signals<()>, interval: &Interval) -> Waited {
    loop {
        let left = interval.left(now_ms());
        if left.is_zero() {
            return Waited::Over;
        }
        // In pieces, since the clock may be set meanwhile.
        match ends.recv_timeout(left.min(Duration::from_millis(500))) {
            Ok(()) => return Waited::Asked,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Waited::Lost,
        }
    }
}

fn ends() -> Result<Signals<()>> {
    let mut signals = Watched::new([SIGTERM, SIGINT]).context("cannot watch for signals")?;
    let (asked, ends) = channel();
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for _ in signals.forever() {
                if asked.send(()).is_err() {
                    return;
                }
            }
        })
        .context("cannot watch for signals")?;
    Ok(ends)
}

/// The interval that runs. It ends at a multiple of its length since 1970, by a clock that may be set at any time; how
/// long it took is told by one that nobody sets.
struct Interval {
    length_ms: i64,
    end_ms: i64,
    began: Instant,
}

impl Interval {
    fn begin(interval_s: u32, now_ms: i64, now: Instant) -> Self {
        let length_ms = i64::from(interval_s) * 1000;
        Self {
            length_ms,
            end_ms: (now_ms.div_euclid(length_ms) + 1) * length_ms,
            began: now,
        }
    }

    /// Until its end; none if it is over. A clock that was set back by up to the length of an interval makes it longer;
    /// one that was set back further ends it, since its end may be hours away.
    fn left(&self, now_ms: i64) -> Duration {
        let left_ms = self.end_ms.saturating_sub(now_ms);
        let is_set_back = left_ms > 2 * self.length_ms;
        let left_ms = if is_set_back { 0 } else { left_ms };
        Duration::from_millis(u64::try_from(left_ms).unwrap_or(0))
    }

    /// Begins the next one. Gives the end of this one, the last multiple there was, and how long it took.
    fn next(&mut self, now_ms: i64, now: Instant) -> (i64, u32) {
        let took_ms = self.took_ms(now);
        self.end_ms = (now_ms.div_euclid(self.length_ms) + 1) * self.length_ms;
        self.began = now;
        (self.end_ms - self.length_ms, took_ms)
    }

    /// How long it took: just its length where it is as good as that, so that 30 in ten seconds are 3 in one.
    fn took_ms(&self, now: Instant) -> u32 {
        let took_ms = now.saturating_duration_since(self.began).as_millis();
        let took_ms = i64::try_from(took_ms).unwrap_or(i64::MAX);
        let is_usual = (took_ms - self.length_ms).abs() <= self.length_ms / 50;
        let took_ms = if is_usual { self.length_ms } else { took_ms };
        u32::try_from(took_ms).unwrap_or(u32::MAX).max(1)
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_end_at_multiples_of_their_length() {
        let now = Instant::now();
        let end_ms = |now_ms, interval_s| Interval::begin(interval_s, now_ms, now).end_ms;
        assert_eq!(end_ms(0, 10), 10_000);
        assert_eq!(end_ms(9_999, 10), 10_000);
        assert_eq!(end_ms(10_000, 10), 20_000);
        assert_eq!(end_ms(1_700_000_012_345, 60), 1_700_000_040_000);
    }

    /// Ten seconds each, at these moments: by the clock on the wall, and since the start.
    fn intervals(moments: &[(i64, u64)]) -> Vec<(i64, u32)> {
        let start = Instant::now();
        let mut interval = Interval::begin(10, 103_000, start);
        let ends = moments.iter().map(|&(now_ms, since_ms)| {
            assert_eq!(interval.left(now_ms), Duration::ZERO);
            interval.next(now_ms, start + Duration::from_millis(since_ms))
        });
        ends.collect()
    }

    #[test]
    fn an_interval_that_is_noticed_late_leaves_the_next_one_its_length() {
        let moments = [(110_003, 7_003), (122_000, 19_000), (130_000, 27_000)];
        let expected = [(110_000, 7_003), (120_000, 11_997), (130_000, 8_000)];
        assert_eq!(intervals(&moments), expected);
        let moments = [(110_000, 7_000), (120_004, 17_004), (130_001, 27_001)];
        let expected = [(110_000, 7_000), (120_000, 10_000), (130_000, 10_000)];
        assert_eq!(intervals(&moments), expected);
    }

    #[test]
    fn a_clock_that_is_set_neither_stops_intervals_nor_changes_how_long_they_took() {
        // An hour forward, and back again.
        let moments = [(3_704_000, 4_000), (3_710_000, 10_000), (116_000, 16_000)];
        let expected = [(3_700_000, 4_000), (3_710_000, 6_000), (110_000, 6_000)];
        assert_eq!(intervals(&moments), expected);
        // Back by less than an interval: it goes on.
        let interval = Interval::begin(10, 103_000, Instant::now());
        assert_eq!(interval.left(98_000), Duration::from_secs(12));
    }
}
