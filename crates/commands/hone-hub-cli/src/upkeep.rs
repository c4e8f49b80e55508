//! What is done by time: compaction, retention, and looks at the store's size, of each tenant by itself. Symbols and
//! regressions have threads of their own ([`crate::symbols::upkeep`], [`crate::regressions`]).
//!
//! Whatever fails is told and tried again the next time. What is cut by the end of the process is done anew: until its
//! last step nothing of it counts.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hone_hub::regressions;
use hone_hub::store::clock::{CATCH_UP, Moment};
use hone_hub::store::{ExpiredDay, Retained, Why};
use jiff::Timestamp;

use crate::clocks::store_apart_s;
use crate::log;
use crate::memory;
use crate::regressions::Watch;
use crate::run::{Hub, now_s, up_s};
use crate::settings::Every;
use crate::symbols;

/// Time for a step that is under way when the hub ends.
const END_TIME: Duration = Duration::from_secs(10);

/// A thread that does it.
pub(crate) struct Upkeep {
    name: &'static str,
    /// Without this end of it the thread ends too.
    _end: Sender<()>,
    ended: Receiver<()>,
}

impl Upkeep {
    /// Starts with a round at once.
    pub(crate) fn start(hub: Arc<Hub>, every: Every) -> Result<Self> {
        Self::new("compaction", move |is_ending| work(&hub, every, is_ending))
    }

    /// Starts that of symbols, whose steps may wait long for others' servers.
    pub(crate) fn of_symbols(hub: Arc<Hub>, every: Every) -> Result<Self> {
        Self::new("symbols", move |is_ending| {
            symbols::upkeep::work(&hub, every, is_ending);
        })
    }

    /// Starts that of regressions, whose posts may wait for others' servers.
    pub(crate) fn of_regressions(hub: Arc<Hub>, every: Every, watch: Watch) -> Result<Self> {
        Self::new("regressions", move |is_ending| {
            watch.work(&hub, every, is_ending);
        })
    }

    fn new(name: &'static str, work: impl FnOnce(&Receiver<()>) + Send + 'static) -> Result<Self> {
        let (end, is_ending) = channel();
        let (is_over, ended) = channel();
        thread::Builder::new()
            .name(name.into())
            .spawn(move || {
                work(&is_ending);
                drop(is_over);
            })
            .with_context(|| format!("cannot start a thread for {name}"))?;
        Ok(Self {
            name,
            _end: end,
            ended,
        })
    }

    /// Ends all after the steps that are under way, or when those have taken too long.
    pub(crate) fn end_all<const COUNT: usize>(all: [Self; COUNT]) {
        let ending = all.map(|one| (one.name, one.ended));
        let end = Instant::now() + END_TIME;
        for (name, ended) in ending {
            let left = end.saturating_duration_since(Instant::now());
            if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(left) {
                log::say(format!(
                    "a step of {name} was cut; it is done anew at the next start"
                ));
            }
        }
    }
}

fn work(hub: &Hub, every: Every, is_ending: &Receiver<()>) {
    for_tenants(hub, every, is_ending, |tenant, retains| {
        round(hub, tenant, retains);
    });
}

/// Calls `round` for each tenant, round after round, until the hub ends; with true in the rounds that also remove what is kept no longer.
pub(crate) fn for_tenants(
    hub: &Hub,
    every: Every,
    is_ending: &Receiver<()>,
    mut round: impl FnMut(&str, bool),
) {
    let mut retained: Option<Instant> = None;
    loop {
        let retains = retained.is_none_or(|last| last.elapsed() >= every.retain);
        if retains {
            retained = Some(Instant::now());
        }
        let tenants = attempt(hub, "list tenants", |hub| hub.store.tenants());
        for tenant in tenants.unwrap_or_default() {
            if is_over(is_ending, Duration::ZERO) {
                return;
            }
            round(&tenant, retains);
        }
        if is_over(is_ending, every.compact) {
            return;
        }
    }
}

/// Does everything for a tenant.
fn round(hub: &Hub, tenant: &str, retains: bool) {
    let Some(moment) = moment(hub, tenant) else {
        return;
    };
    hub.figures.clocks.saw_store(tenant, moment);
    let compacted = attempt(hub, &format!("compact {tenant}"), |hub| {
        hub.store.compact_tenant(tenant, moment)
    });
    if let Some(done) = compacted {
        hub.figures.compacted(&done);
        if done.unreadable > 0 {
            let unreadable = done.unreadable;
            log::say(format!(
                "{unreadable} batches of the tenant {tenant} could not be read; they are kept in {tenant}/unreadable: please report them"
            ));
        }
    }
    if retains {
        let retained = attempt(hub, &format!("remove old files of {tenant}"), |hub| {
            hub.store.retain_tenant(tenant, moment)
        });
        if let Some(done) = &retained {
            hub.figures.retained(done);
            tell(tenant, moment, done);
        }
        attempt(hub, &format!("remove old profiles of {tenant}"), |hub| {
            hub.pgo.retain(&hub.store, tenant)
        });
        let services = attempt(hub, &format!("remove old regressions of {tenant}"), |hub| {
            regressions::retain(&hub.store, tenant)
        });
        let services = services.iter();
        services.for_each(|services| hub.figures.stand_no_others(tenant, services));
    }
    if let Some(usage) = attempt(hub, &format!("look at {tenant}"), |hub| {
        hub.store.usage(tenant)
    }) {
        hub.figures.uses(tenant, usage);
    }
}

/// Returns the moment by a tenant's time.
pub(crate) fn moment(hub: &Hub, tenant: &str) -> Option<Moment> {
    attempt(hub, &format!("tell the time of {tenant}"), |hub| {
        hub.store.moment(tenant, now_s(), up_s())
    })
}

/// Tells of clocks that disagree, and of every day that went away.
fn tell(tenant: &str, moment: Moment, done: &Retained) {
    let Moment { now_s, store_s, .. } = moment;
    match store_apart_s(moment) {
        None => {}
        Some(1..) => log::say(format!(
            "the clock of this machine says {}, and the store of the tenant {tenant} was last kept at {}: until its time has caught up, {CATCH_UP} \
             seconds in each second, days are removed by that time and not by the clock. Mend the clock if it is wrong",
            text(now_s),
            text(store_s)
        )),
        Some(_) => log::say(format!(
            "the clock of this machine says {}, but the store of the tenant {tenant} was kept at {} already: mend the clock, or, if it is right \
             and was wrong before, stop the hub and run hone-hub restore",
            text(now_s),
            text(store_s)
        )),
    }
    for why in [Why::Old, Why::TooManyBytes] {
        let days: Vec<&ExpiredDay> = done
            .expired_days
            .iter()
            .filter(|day| day.why == why)
            .collect();
        let ([first, ..], [.., last]) = (&days[..], &days[..]) else {
            continue;
        };
        let files: u64 = days.iter().map(|day| day.files).sum();
        let bytes: u64 = days.iter().map(|day| day.bytes).sum();
        let reason = match why {
            Why::Old => format!(
                "they are older than keep.days, by the store's time {}; hone-hub restore brings them back for 7 days in which a hub runs",
                text(moment.confirmed_s())
            ),
            Why::TooManyBytes => "the tenant has more than keep.gib".to_owned(),
        };
        log::say(format!(
            "removed {} of the tenant {tenant}, {} to {} ({files} files, {bytes} bytes): {reason}",
            match days.len() {
                1 => "1 day".to_owned(),
                count => format!("{count} days"),
            },
            first.day,
            last.day
        ));
    }
}

/// Returns a time in words, such as `2026-01-31T10:00:00Z`.
fn text(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds)
        .unwrap_or(Timestamp::MAX)
        .to_string()
}

/// Does a step; tells what went wrong.
pub(crate) fn attempt<T, E: Display>(
    hub: &Hub,
    what: &str,
    step: impl FnOnce(&Hub) -> Result<T, E>,
) -> Option<T> {
    // A fault in one tenant's data must not end the upkeep of all.
    let outcome = memory::giving_back(|| catch_unwind(AssertUnwindSafe(|| step(hub))));
    let why = match outcome {
        Ok(Ok(done)) => return Some(done),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "a fault of the hub, see above; please report it".to_owned(),
    };
    hub.figures.upkeep_errors.add(1);
    log::say(format!("cannot {what}: {why}; it is tried again later"));
    None
}

/// Waits so long; returns true if the hub ends.
pub(crate) fn is_over(is_ending: &Receiver<()>, wait: Duration) -> bool {
    !matches!(is_ending.recv_timeout(wait), Err(RecvTimeoutError::Timeout))
}
