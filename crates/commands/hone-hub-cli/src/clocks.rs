//! Hosts whose clocks differ from the hub's, and the hub's own clock beside the time of its store, for people who look at the page.
//!
//! Of a host that tells its time with each batch the difference is known. Of another sender only the time of what was refused is known:
//! that may be an old recording. Hosts that have not been heard of for an hour are forgotten, and so is a host whose clock agrees again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hone_batch::wire::{CLOCKS_TOLD_S, ahead_s};
use hone_hub::store::clock::Moment;
use serde::Serialize;

/// Seconds by which the hub's clock and its store's time may differ before that is told: more than a hub stands still for a new version.
const STORE_APART_S: u64 = 86_400;
/// Time after which a host that sends nothing is forgotten.
const KEPT: Duration = Duration::from_secs(3600);
/// Hosts that are kept of all tenants.
const HOSTS_MAX: usize = 1_000;

/// What is known of clocks.
#[derive(Debug, Default)]
pub(crate) struct Clocks(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Hosts whose clock differs, by tenant and name.
    hosts: BTreeMap<(String, String), Seen>,
    /// Time of the store of each tenant, when upkeep looked at it last.
    stores: BTreeMap<String, Moment>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    apart: Apart,
    at: Instant,
}

/// How far a batch of a host, or its clock, is from the hub's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Apart {
    /// Seconds by which the host is ahead of the hub; below zero it is behind.
    pub(crate) ahead_s: i64,
    /// True if the host told its time; otherwise it is the time of what it sent.
    pub(crate) is_clock: bool,
    /// True if the hub refuses what the host sends.
    pub(crate) is_refused: bool,
}

/// A host whose clock differs.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Host {
    host: String,
    #[serde(flatten)]
    apart: Apart,
}

/// What a tenant may know of clocks.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Told {
    /// Hosts, those with the largest difference first.
    pub(crate) hosts: Vec<Host>,
    /// Seconds by which the hub's clock is ahead of its store's time, where that is more than a day.
    pub(crate) store_ahead_s: Option<i64>,
}

impl Clocks {
    /// Notes what came from a host: by how much the host's clock, or what it sent, is ahead.
    pub(crate) fn saw(&self, tenant: &str, host: &str, apart: Apart) {
        self.saw_at(tenant, host, apart, Instant::now());
    }

    fn saw_at(&self, tenant: &str, host: &str, apart: Apart, at: Instant) {
        let hosts = &mut self.lock().hosts;
        let key = (tenant.to_owned(), host.to_owned());
        let is_worth_telling = apart.is_clock && apart.ahead_s.unsigned_abs() >= CLOCKS_TOLD_S;
        if !is_worth_telling && !apart.is_refused {
            hosts.remove(&key);
            return;
        }
        hosts.retain(|_, seen| at.duration_since(seen.at) < KEPT);
        if hosts.len() < HOSTS_MAX || hosts.contains_key(&key) {
            hosts.insert(key, Seen { apart, at });
        }
    }

    /// Notes the time of a tenant's store.
    pub(crate) fn saw_store(&self, tenant: &str, moment: Moment) {
        self.lock().stores.insert(tenant.to_owned(), moment);
    }

    /// Returns what a tenant may know.
    pub(crate) fn told(&self, tenant: &str) -> Told {
        self.told_at(tenant, Instant::now())
    }

    fn told_at(&self, tenant: &str, now: Instant) -> Told {
        let known = self.lock();
        let is_told = |of: &str, seen: &Seen| of == tenant && now.duration_since(seen.at) < KEPT;
        let hosts = known.hosts.iter();
        let hosts = hosts.filter(|((of, _), seen)| is_told(of, seen));
        let mut hosts: Vec<Host> = hosts
            .map(|((_, host), seen)| Host {
                host: host.clone(),
                apart: seen.apart,
            })
            .collect();
        hosts.sort_by_key(|host| std::cmp::Reverse(host.apart.ahead_s.unsigned_abs()));
        let store = known.stores.get(tenant).copied();
        let store_ahead_s = store.and_then(store_apart_s);
        Told {
            hosts,
            store_ahead_s,
        }
    }

    /// Returns the number of hosts whose clock differs, of all tenants.
    pub(crate) fn count(&self) -> u64 {
        let known = self.lock();
        let is_kept = |seen: &&Seen| seen.at.elapsed() < KEPT;
        known.hosts.values().filter(is_kept).count() as u64
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the seconds by which the clock is ahead of a store's time, if that is worth telling.
pub(crate) fn store_apart_s(moment: Moment) -> Option<i64> {
    let ahead_s = ahead_s(moment.now_s, moment.store_s);
    (ahead_s.unsigned_abs() > STORE_APART_S).then_some(ahead_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_S: i64 = 86_400;

    fn clock(ahead_s: i64, is_refused: bool) -> Apart {
        Apart {
            ahead_s,
            is_clock: true,
            is_refused,
        }
    }

    fn names(told: &Told) -> Vec<(&str, i64)> {
        let hosts = told.hosts.iter();
        hosts
            .map(|host| (&*host.host, host.apart.ahead_s))
            .collect()
    }

    #[test]
    fn hosts_whose_clocks_differ_are_told_to_their_tenant_the_worst_first() {
        let clocks = Clocks::default();
        clocks.saw("a", "one", clock(400, false));
        clocks.saw("a", "two", clock(-9 * DAY_S, true));
        clocks.saw("a", "three", clock(-299, false));
        clocks.saw("b", "four", clock(2 * DAY_S, true));
        assert_eq!(
            names(&clocks.told("a")),
            [("two", -9 * DAY_S), ("one", 400)]
        );
        assert_eq!(names(&clocks.told("b")), [("four", 2 * DAY_S)]);
        assert_eq!(clocks.count(), 3);
    }

    #[test]
    fn a_host_whose_clock_was_set_is_told_no_more_nor_one_that_is_silent() {
        let clocks = Clocks::default();
        let began = Instant::now();
        clocks.saw_at("a", "one", clock(-9 * DAY_S, true), began);
        clocks.saw_at("a", "two", clock(-9 * DAY_S, true), began);
        clocks.saw_at("a", "one", clock(1, false), began);
        assert_eq!(names(&clocks.told_at("a", began)), [("two", -9 * DAY_S)]);
        assert_eq!(names(&clocks.told_at("a", began + KEPT)), []);
    }

    #[test]
    fn old_recordings_that_are_taken_are_no_clock() {
        let clocks = Clocks::default();
        let old = |is_refused| Apart {
            ahead_s: -8 * DAY_S,
            is_clock: false,
            is_refused,
        };
        clocks.saw("a", "one", old(true));
        assert_eq!(clocks.told("a").hosts.len(), 1);
        clocks.saw("a", "one", old(false));
        assert_eq!(clocks.told("a").hosts, []);
    }

    #[test]
    fn hosts_are_bounded() {
        let clocks = Clocks::default();
        for number in 0..HOSTS_MAX + 5 {
            clocks.saw("a", &number.to_string(), clock(DAY_S, false));
        }
        assert_eq!(clocks.count(), HOSTS_MAX as u64);
    }

    #[test]
    fn the_hubs_own_clock_is_told_where_its_store_is_of_another_time() {
        let clocks = Clocks::default();
        let moment = |now_s| Moment {
            now_s,
            store_s: 1_800_000_000,
            elapsed_s: 0,
        };
        for (ahead_s, told) in [(86_400, None), (86_401, Some(86_401))] {
            clocks.saw_store("a", moment(1_800_000_000 + ahead_s));
            assert_eq!(clocks.told("a").store_ahead_s, told);
            clocks.saw_store("a", moment(1_800_000_000 - ahead_s));
            assert_eq!(clocks.told("a").store_ahead_s, told.map(|s: i64| -s));
        }
        assert_eq!(clocks.told("b").store_ahead_s, None);
    }
}
