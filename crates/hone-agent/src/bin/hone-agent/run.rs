//! `hone-agent run`: from the configuration to the last flush.

use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{Receiver as Signals, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    let opened = receive::open(&config.listen, &mut Passed::from_environment()?)?;
    say_listeners(&opened);
    let work = Work {
        workers: config.workers,
        ..Work::default()
    };
    let receiver = Receiver::start(opened, work, |_| aggregator.worker())?;
    let mut account = Account::default();
    let mut began_ms = now_ms();
    loop {
        let end_ms = next_end_ms(began_ms, config.interval_s);
        match wait(&ends, end_ms) {
            Waited::Asked => break,
            Waited::Lost => return Err(anyhow!("nobody watches for signals any more")),
            Waited::Over => {}
        }
        if receiver.has_lost_a_thread() {
            receiver.stop();
            return Err(anyhow!("a thread that receives has ended"));
        }
        // A clock that was set back or forward makes an interval shorter or longer, and never negative.
        let length_ms = length_ms(began_ms, end_ms);
        let flushed = aggregator.flush(end_ms, length_ms);
        began_ms = end_ms.max(now_ms() - 1);
        note(&mut account, &aggregator, &receiver, &sending);
        sending.send(&mut account, flushed);
    }
    eprintln!("hone-agent: ending; what clients have sent is still received and sent");
    let counts: Vec<_> = counts(receiver.opened());
    let workers = receiver.stop();
    let flushed = aggregator.last(workers, now_ms(), length_ms(began_ms, now_ms()));
    for (name, counts) in counts {
        account.listeners.insert(name, counts.now());
    }
    sending.send(&mut account, flushed);
    account.endpoints = sending.stop();
    eprint!("{account}");
    match account.missing() {
        0 => Ok(()),
        missing => Err(anyhow!("{missing} values are neither stored nor dropped")),
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
        account.endpoints.insert(name.clone(), outlet.outcome());
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

enum Waited {
    Over,
    Asked,
    Lost,
}

/// Waits for the end of an interval, or for a signal that asks the agent to end.
fn wait(ends: &Signals<()>, end_ms: i64) -> Waited {
    loop {
        let left = end_ms.saturating_sub(now_ms());
        let Ok(left) = u64::try_from(left) else {
            return Waited::Over;
        };
        if left == 0 {
            return Waited::Over;
        }
        // In pieces, since the clock may be set meanwhile.
        let piece = Duration::from_millis(left.min(500));
        match ends.recv_timeout(piece) {
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

/// The end of the interval that a moment lies in: a multiple of its length since 1970.
fn next_end_ms(now_ms: i64, interval_s: u32) -> i64 {
    let length = i64::from(interval_s) * 1000;
    (now_ms.div_euclid(length) + 1) * length
}

fn length_ms(began_ms: i64, end_ms: i64) -> u32 {
    u32::try_from(end_ms - began_ms).unwrap_or(0).max(1)
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
        assert_eq!(next_end_ms(0, 10), 10_000);
        assert_eq!(next_end_ms(9_999, 10), 10_000);
        assert_eq!(next_end_ms(10_000, 10), 20_000);
        assert_eq!(next_end_ms(1_700_000_012_345, 60), 1_700_000_040_000);
    }
}
