//! What is done by time: compaction, retention, and looks at the store's size, of each tenant by itself.
//!
//! Whatever fails is told and tried again the next time. What is cut by the end of the process is done anew: until its
//! last step nothing of it counts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hone_hub::store::{Store, StoreError};

use crate::log;
use crate::run::{Hub, now_s};
use crate::settings::Every;

/// Time for a step that is under way when the hub ends.
const END_TIME: Duration = Duration::from_secs(10);

/// The thread that does it.
pub(crate) struct Upkeep {
    end: Sender<()>,
    ended: Receiver<()>,
}

impl Upkeep {
    /// Starts with a round at once.
    pub(crate) fn start(hub: Arc<Hub>, every: Every) -> Result<Self> {
        let (end, is_ending) = channel();
        let (is_over, ended) = channel();
        thread::Builder::new()
            .name("upkeep".into())
            .spawn(move || {
                work(&hub, every, &is_ending);
                drop(is_over);
            })
            .context("cannot start a thread for compaction")?;
        Ok(Self { end, ended })
    }

    /// Ends after the step that is under way, or when that has taken too long.
    pub(crate) fn end(self) {
        drop(self.end);
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(END_TIME) {
            log::say("compaction was cut; it is done anew at the next start");
        }
    }
}

fn work(hub: &Hub, every: Every, is_ending: &Receiver<()>) {
    let mut retained: Option<Instant> = None;
    loop {
        let retains = retained.is_none_or(|last| last.elapsed() >= every.retain);
        if retains {
            retained = Some(Instant::now());
        }
        let tenants = attempt(hub, "list tenants", Store::tenants);
        for tenant in tenants.unwrap_or_default() {
            if is_over(is_ending, Duration::ZERO) {
                return;
            }
            round(hub, &tenant, retains);
        }
        if is_over(is_ending, every.compact) {
            return;
        }
    }
}

/// Does everything for a tenant.
fn round(hub: &Hub, tenant: &str, retains: bool) {
    let compacted = attempt(hub, &format!("compact {tenant}"), |store| {
        store.compact_tenant(tenant, now_s())
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
        let retained = attempt(hub, &format!("remove old files of {tenant}"), |store| {
            store.retain_tenant(tenant, now_s())
        });
        retained.iter().for_each(|done| hub.figures.retained(done));
    }
    if let Some(usage) = attempt(hub, &format!("look at {tenant}"), |store| {
        store.usage(tenant)
    }) {
        hub.figures.uses(tenant, usage);
    }
}

/// Does a step; tells what went wrong.
fn attempt<T>(
    hub: &Hub,
    what: &str,
    step: impl FnOnce(&Store) -> Result<T, StoreError>,
) -> Option<T> {
    // A fault in one tenant's data must not end the upkeep of all.
    let outcome = catch_unwind(AssertUnwindSafe(|| step(&hub.store)));
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
fn is_over(is_ending: &Receiver<()>, wait: Duration) -> bool {
    !matches!(is_ending.recv_timeout(wait), Err(RecvTimeoutError::Timeout))
}
