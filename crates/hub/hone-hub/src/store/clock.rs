//! The time by which the store forgets.
//!
//! A clock can be wrong: a dead battery, a start before the time came over the network, a hand. So nothing goes away by what a clock says
//! alone. The store has a time of its own, which follows the clock of the machine at [`CATCH_UP`] seconds for each second that a hub runs,
//! and never goes back. A hub with a wrong clock that runs for minutes forgets hours too early, and not years; one that stood still for a
//! month has caught up a day and a half later. A clock that is behind the store's time forgets less, and loses nothing.
//!
//! A second time counts only the seconds that hubs ran. Whatever is kept for a while before it is removed is kept by that one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Store;
use super::error::{StoreError, Tried};
use super::journal::{self, FORMAT, State};
use super::segments;
use super::time::Time;

/// Seconds that the store's time goes on for each second that a hub runs, until it has the time of the clock.
pub const CATCH_UP: u64 = 24;

/// Seconds by which a stored time may be behind: so often it is written anew.
const WRITTEN_S: u64 = 600;

/// The begin of 2026. A clock that says less is wrong for certain, so no store begins with it.
const EARLIEST_S: u64 = 1_767_225_600;

/// A moment by three clocks, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// What the machine's clock says.
    pub now_s: u64,
    /// The store's own time, which is never ahead of what hubs have lived through by much.
    pub store_s: u64,
    /// The same without catching up: it goes on by the seconds that hubs ran.
    pub elapsed_s: u64,
}

impl Moment {
    /// Returns the time by which ages are told: neither a clock nor a store that is ahead makes anything older.
    pub fn confirmed_s(&self) -> u64 {
        self.now_s.min(self.store_s)
    }
}

impl From<u64> for Moment {
    /// Makes a moment at which all clocks say the same.
    fn from(now_s: u64) -> Self {
        Self {
            now_s,
            store_s: now_s,
            elapsed_s: now_s,
        }
    }
}

/// What is stored of a tenant's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    store_s: u64,
    elapsed_s: u64,
}

/// A time that this process has told, and for how long it had run then.
#[derive(Clone, Copy)]
struct Told {
    up_s: u64,
    stored: Stored,
}

/// The times of all tenants.
#[derive(Default)]
pub(crate) struct Clocks {
    told: Mutex<HashMap<String, Told>>,
}

impl Stored {
    fn at(store_s: u64) -> Self {
        Self {
            format: FORMAT,
            store_s,
            elapsed_s: store_s,
        }
    }

    /// Returns the time after a process ran from what it told before until now. Another process may have written a later one.
    fn after(self, told: Option<Told>, now_s: u64, up_s: u64) -> Self {
        let Some(told) = told else { return self };
        let ran_s = up_s.saturating_sub(told.up_s);
        let reached_s = (told.stored.store_s).saturating_add(ran_s.saturating_mul(CATCH_UP));
        Self {
            format: FORMAT,
            store_s: self.store_s.max(now_s.min(reached_s)),
            elapsed_s: (self.elapsed_s).max(told.stored.elapsed_s.saturating_add(ran_s)),
        }
    }

    fn is_well_after(self, before: Self) -> bool {
        let is_after = |now_s: u64, then_s: u64| now_s.saturating_sub(then_s) >= WRITTEN_S;
        is_after(self.store_s, before.store_s) || is_after(self.elapsed_s, before.elapsed_s)
    }
}

impl Store {
    /// Returns the moment by a tenant's time, which goes on by that. `now_s` is what the clock says, `up_s` for how long this process has
    /// run, by a clock that nobody sets.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn moment(&self, tenant: &str, now_s: u64, up_s: u64) -> Result<Moment, StoreError> {
        let (stored, is_new) = match self.stored_time(tenant)? {
            Some(stored) => (stored, false),
            None => (Stored::at(self.first_time(tenant, now_s)?), true),
        };
        let told = self.clocks.lock().get(tenant).copied();
        let next = stored.after(told, now_s, up_s);
        let is_sensible = next.store_s >= EARLIEST_S;
        if is_sensible && (is_new || next.is_well_after(stored)) {
            self.write_time(tenant, next)?;
        }
        if is_sensible {
            let told = Told { up_s, stored: next };
            self.clocks.lock().insert(tenant.to_owned(), told);
        }
        Ok(Moment {
            now_s,
            store_s: next.store_s,
            elapsed_s: next.elapsed_s,
        })
    }

    /// Sets a tenant's time back to a clock that somebody says is right.
    pub(crate) fn set_time_back(&self, tenant: &str, now_s: u64) -> Result<(), StoreError> {
        let Some(stored) = self.stored_time(tenant)? else {
            return Ok(());
        };
        let store_s = stored.store_s.min(now_s);
        self.clocks.lock().remove(tenant);
        self.write_time(tenant, Stored { store_s, ..stored })
    }

    fn stored_time(&self, tenant: &str) -> Result<Option<Stored>, StoreError> {
        let name = object_name(tenant);
        let bytes = self.objects.get(&name).tried("read", &name)?;
        bytes.map(|bytes| journal::parse(&name, &bytes)).transpose()
    }

    fn write_time(&self, tenant: &str, time: Stored) -> Result<(), StoreError> {
        let name = object_name(tenant);
        let bytes = journal::to_json(&name, &time)?;
        self.objects.put(&name, &bytes).tried("write", &name)
    }

    /// Returns the first time of a tenant: that of the newest thing that is there, or the clock's where there is nothing.
    fn first_time(&self, tenant: &str, now_s: u64) -> Result<u64, StoreError> {
        let state = self.journal.refresh(tenant)?;
        let segments = segments::list(self.objects.as_ref(), tenant)?;
        let newest_segment = segments.iter().map(|(_, name)| name.begun_s).max();
        let newest_s = newest_of_files(&state).max(newest_segment);
        Ok(newest_s.map_or(now_s, |newest_s| newest_s.min(now_s)))
    }
}

impl Clocks {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn object_name(tenant: &str) -> String {
    format!("{tenant}/clock.json")
}

fn newest_of_files(state: &State) -> Option<u64> {
    let times = state.files.values().filter_map(|file| file.times_us);
    times.map(|(_, greatest)| Time::seconds(greatest)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_S: u64 = 86_400;
    const NOON_S: u64 = 1_800_000_000;

    fn told(up_s: u64, store_s: u64) -> Option<Told> {
        let stored = Stored::at(store_s);
        Some(Told { up_s, stored })
    }

    #[test]
    fn a_clock_that_is_far_ahead_moves_the_time_by_what_has_run() {
        let stored = Stored::at(NOON_S);
        let wrong_s = NOON_S + 401 * DAY_S;
        assert_eq!(stored.after(None, wrong_s, 0), stored);
        let after = stored.after(told(0, NOON_S), wrong_s, 60);
        assert_eq!(after.store_s, NOON_S + 60 * CATCH_UP);
        assert_eq!(after.elapsed_s, NOON_S + 60);
    }

    #[test]
    fn a_right_clock_is_followed_and_one_that_is_behind_moves_nothing() {
        let stored = Stored::at(NOON_S);
        let after = stored.after(told(5, NOON_S), NOON_S + 60, 65);
        assert_eq!(after, Stored::at(NOON_S + 60));
        let after = stored.after(told(5, NOON_S), 0, 65);
        assert_eq!(after.store_s, NOON_S);
    }

    #[test]
    fn what_another_process_wrote_stays() {
        let stored = Stored::at(NOON_S + DAY_S);
        let after = stored.after(told(0, NOON_S), NOON_S + 2 * DAY_S, 10);
        assert_eq!(after, stored);
    }

    #[test]
    fn neither_the_clock_nor_the_store_alone_makes_things_old() {
        let (low, high) = (NOON_S, NOON_S + DAY_S);
        for (now_s, store_s) in [(low, high), (high, low)] {
            let moment = Moment {
                now_s,
                store_s,
                elapsed_s: low,
            };
            assert_eq!(moment.confirmed_s(), low);
        }
    }
}
