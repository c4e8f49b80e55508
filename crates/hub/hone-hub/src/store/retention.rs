//! Retention: days and bytes beyond the limits go away, and so do the leavings of crashes.
//!
//! As everywhere, an entry of the journal comes first and removal after it: files that a slow compactor has written for a
//! commit of its own are leavings only once that commit has become impossible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Store;
use super::clock::Moment;
use super::error::{StoreError, Tried};
use super::journal::{self, Committed, Entry, State};
use super::limits::JOURNAL_KEPT_S;
use super::segments;
use super::tables::Table;
use super::time::{DAY_S, start_of};

/// Why a day went away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is older than what is kept. Its files can be restored for a while.
    Old,
    /// It is the oldest where a tenant has too many bytes. Its files make room soon.
    TooManyBytes,
}

/// A day of which all files went out of sight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpiredDay {
    /// The day, such as `2026-01-31`.
    pub day: String,
    /// Number of its files.
    pub files: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// Why it went away.
    pub why: Why,
}

/// What retention removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Retained {
    /// Days of a tenant that went out of sight; none in what was added up.
    pub expired_days: Vec<ExpiredDay>,
    /// Files of tables that went out of sight since they are too old, or are too many bytes.
    pub expired_files: u64,
    /// Objects that were removed: replaced files, and leavings.
    pub removed_objects: u64,
    /// Tenants that were left out since another process holds their lease.
    pub tenants_held: u64,
}

impl Retained {
    /// Adds the numbers of what another retention removed. Days are of one tenant, and stay.
    pub fn add(&mut self, other: &Self) {
        self.expired_files += other.expired_files;
        self.removed_objects += other.removed_objects;
        self.tenants_held += other.tenants_held;
    }
}

impl Store {
    /// Removes what is kept no longer, of all tenants whose lease is free.
    pub fn retain(&self, moment: impl Into<Moment>) -> Result<Retained, StoreError> {
        let moment = moment.into();
        let mut done = Retained::default();
        for tenant in self.tenants()? {
            done.add(&self.retain_tenant(&tenant, moment)?);
        }
        Ok(done)
    }

    /// Removes what is kept no longer of one tenant, unless another process holds the lease.
    pub fn retain_tenant(
        &self,
        tenant: &str,
        moment: impl Into<Moment>,
    ) -> Result<Retained, StoreError> {
        let moment = moment.into();
        let mut done = Retained::default();
        let is_held = self.leased(tenant, moment.now_s, || {
            self.retain_leased(tenant, moment, &mut done)
        })?;
        done.tenants_held = u64::from(!is_held);
        Ok(done)
    }

    fn retain_leased(
        &self,
        tenant: &str,
        moment: Moment,
        done: &mut Retained,
    ) -> Result<(), StoreError> {
        let state = self.journal.reread(tenant)?;
        self.settle(tenant, &state)?;
        let mut entry = Entry::new(moment);
        let expired_days = self.expired_days(&state, moment);
        for (path, file) in &state.files {
            let Some(day) = expired_days.iter().find(|day| day.day == file.day) else {
                continue;
            };
            entry.removed.push(path.clone());
            if day.why == Why::Old {
                entry.expired.insert(path.clone());
            }
        }
        entry.ended_runs = self.ended_runs(tenant, &state, moment)?;
        // Those that settling has removed.
        entry.forgotten = state.segments.iter().cloned().collect();
        let replaced = self.replaced_files(&state, moment);
        entry.forgotten.extend(replaced);
        let leavings = self.leavings(tenant, &state, &entry.forgotten)?;
        let is_idle = entry.removed.is_empty()
            && entry.ended_runs.is_empty()
            && entry.forgotten.is_empty()
            && leavings.is_empty();
        if is_idle {
            return self.trim_journal(tenant, &state, moment);
        }
        let expired = entry.removed.len() as u64;
        let Committed::Yes(state) = self.journal.commit(tenant, &state, entry)? else {
            return Ok(());
        };
        done.expired_files += expired;
        done.expired_days.extend(expired_days);
        self.settle(tenant, &state)?;
        for name in &leavings {
            self.objects.delete(name).tried("remove", name)?;
            done.removed_objects += 1;
        }
        self.trim_journal(tenant, &state, moment)
    }

    /// Returns the days that are too old, and the oldest days where there are too many bytes.
    fn expired_days(&self, state: &State, moment: Moment) -> Vec<ExpiredDay> {
        let limits = &self.options.limits;
        let mut by_day: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for file in state.files.values() {
            let (files, bytes) = by_day.entry(&file.day).or_default();
            *files += 1;
            *bytes += file.bytes;
        }
        let mut total: u64 = by_day.values().map(|(_, bytes)| bytes).sum();
        let mut expired = Vec::new();
        for (day, (files, bytes)) in by_day {
            let end_s = start_of(day).unwrap_or(0).saturating_add(DAY_S);
            let age_s = moment.confirmed_s().saturating_sub(end_s);
            let why = if age_s > limits.days_kept.saturating_mul(DAY_S) {
                Why::Old
            } else if total > limits.tenant_bytes {
                Why::TooManyBytes
            } else {
                continue;
            };
            total -= bytes;
            expired.push(ExpiredDay {
                day: day.to_owned(),
                files,
                bytes,
                why,
            });
        }
        expired
    }

    /// Returns runs of which copies can come no more, nor lie in a segment: what a segment took was young enough then.
    fn ended_runs(
        &self,
        tenant: &str,
        state: &State,
        moment: Moment,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let listed = segments::list(self.objects.as_ref(), tenant)?;
        let waiting = listed
            .iter()
            .filter(|(listed, _)| !state.segments.contains(&listed.name));
        let begun = waiting.map(|(_, name)| name.begun_s);
        let oldest_s = begun.fold(moment.confirmed_s(), u64::min);
        let runs = state.runs.iter();
        let ended = runs.filter(|run| run.until_s < oldest_s);
        Ok(ended
            .map(|run| (run.host.to_owned(), run.run.to_owned()))
            .collect())
    }

    /// Returns files that others replaced, or that expired, long enough ago.
    fn replaced_files(&self, state: &State, moment: Moment) -> Vec<String> {
        let limits = &self.options.limits;
        let kept_s = |path: &str| match state.expired.contains_key(path) {
            true => limits.expired_kept_s,
            false => limits.replaced_kept_s,
        };
        let is_over = |(path, since_s): &(&String, &u64)| {
            moment.elapsed_s.saturating_sub(**since_s) > kept_s(path)
        };
        let removed = state.removed.iter().filter(is_over);
        removed.map(|(path, _)| path.clone()).collect()
    }

    /// Returns objects of tables that no state will need after `forgotten`.
    fn leavings(
        &self,
        tenant: &str,
        state: &State,
        forgotten: &[String],
    ) -> Result<Vec<String>, StoreError> {
        let forgotten: BTreeSet<&str> = forgotten.iter().map(String::as_str).collect();
        let mut leavings = Vec::new();
        for table in Table::ALL {
            let directory = journal::tables_directory(tenant);
            let of_table = format!("{directory}{}/", table.name());
            for listed in self.objects.list(&of_table).tried("list", &of_table)? {
                let path = listed.name.strip_prefix(&directory).unwrap_or_default();
                let is_needed = state.files.contains_key(path)
                    || state.removed.contains_key(path) && !forgotten.contains(path);
                if path.ends_with(".parquet") && !is_needed {
                    leavings.push(listed.name);
                }
            }
        }
        Ok(leavings)
    }

    /// Removes entries of the journal that a checkpoint made needless long ago.
    fn trim_journal(
        &self,
        tenant: &str,
        state: &Arc<State>,
        moment: Moment,
    ) -> Result<(), StoreError> {
        let directory = journal::directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let names: BTreeSet<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
        let is_old = |time_s: u64| moment.elapsed_s.saturating_sub(time_s) > JOURNAL_KEPT_S;
        let is_usable = |number: &u64| {
            let name = journal::checkpoint_name(tenant, *number);
            names.contains(name.as_str())
        };
        let checkpoints = state.checkpoints.iter();
        let newest = checkpoints
            .filter(|(_, time_s)| is_old(**time_s))
            .map(|(number, _)| *number)
            .filter(is_usable)
            .max();
        let Some(newest) = newest else {
            return Ok(());
        };
        // The entry of the checkpoint's own number goes with the next one.
        let first_kept = journal::entry_name(tenant, newest);
        for name in names.range(..first_kept.as_str()) {
            self.objects.delete(name).tried("remove", name)?;
        }
        Ok(())
    }
}
