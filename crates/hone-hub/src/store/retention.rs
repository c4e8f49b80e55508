//! Retention: days and bytes beyond the limits go away, and so do the leavings of crashes.
//!
//! As everywhere, an entry of the journal comes first and removal after it: files that a slow compactor has written for a
//! commit of its own are leavings only once that commit has become impossible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::error::{StoreError, Tried};
use super::journal::{self, Committed, Entry, State};
use super::limits::JOURNAL_KEPT_S;
use super::segments::{self, SegmentName};
use super::tables::Table;
use super::time::{DAY_S, start_of};
use super::{Store, lease};

/// What retention removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Retained {
    /// Files of tables that went out of sight since they are too old, or are too many bytes.
    pub expired_files: u64,
    /// Objects that were removed: replaced files, and leavings.
    pub removed_objects: u64,
    /// Tenants that were left out since another process holds their lease.
    pub tenants_held: u64,
}

impl Retained {
    /// Adds what another retention removed.
    pub fn add(&mut self, other: &Self) {
        self.expired_files += other.expired_files;
        self.removed_objects += other.removed_objects;
        self.tenants_held += other.tenants_held;
    }
}

impl Store {
    /// Removes what is kept no longer, of all tenants whose lease is free.
    pub fn retain(&self, now_s: u64) -> Result<Retained, StoreError> {
        let mut done = Retained::default();
        for tenant in self.tenants()? {
            done.add(&self.retain_tenant(&tenant, now_s)?);
        }
        Ok(done)
    }

    /// Removes what is kept no longer of one tenant, unless another process holds the lease.
    pub fn retain_tenant(&self, tenant: &str, now_s: u64) -> Result<Retained, StoreError> {
        let mut done = Retained::default();
        if !lease::take(&self.objects, tenant, &self.holder, now_s)? {
            done.tenants_held = 1;
            return Ok(done);
        }
        let retained = self.retain_leased(tenant, now_s, &mut done);
        let released = lease::release(&self.objects, tenant, &self.holder, now_s);
        retained.and(released)?;
        Ok(done)
    }

    fn retain_leased(
        &self,
        tenant: &str,
        now_s: u64,
        done: &mut Retained,
    ) -> Result<(), StoreError> {
        let state = self.journal.reread(tenant)?;
        self.settle(tenant, &state)?;
        let mut entry = Entry::new(now_s);
        entry.removed = self.expired_files(&state, now_s);
        entry.ended_runs = self.ended_runs(tenant, &state, now_s)?;
        // Those that settling has removed.
        entry.forgotten = state.segments.iter().cloned().collect();
        let replaced = self.replaced_files(&state, now_s);
        entry.forgotten.extend(replaced);
        let leavings = self.leavings(tenant, &state, &entry.forgotten)?;
        let is_idle = entry.removed.is_empty()
            && entry.ended_runs.is_empty()
            && entry.forgotten.is_empty()
            && leavings.is_empty();
        if is_idle {
            return self.trim_journal(tenant, &state, now_s);
        }
        let expired = entry.removed.len() as u64;
        let Committed::Yes(state) = self.journal.commit(tenant, &state, entry)? else {
            return Ok(());
        };
        done.expired_files += expired;
        self.settle(tenant, &state)?;
        for name in &leavings {
            self.objects.delete(name).tried("remove", name)?;
            done.removed_objects += 1;
        }
        self.trim_journal(tenant, &state, now_s)
    }

    /// Returns the files of days that are too old, and of the oldest days where there are too many bytes.
    fn expired_files(&self, state: &State, now_s: u64) -> Vec<String> {
        let limits = &self.options.limits;
        let mut bytes_of: BTreeMap<&str, u64> = BTreeMap::new();
        for file in state.files.values() {
            *bytes_of.entry(&file.day).or_default() += file.bytes;
        }
        let mut total: u64 = bytes_of.values().sum();
        let mut expired = BTreeSet::new();
        for (day, bytes) in bytes_of {
            let end_s = start_of(day).unwrap_or(0).saturating_add(DAY_S);
            let age_s = now_s.saturating_sub(end_s);
            let is_old = age_s > limits.days_kept.saturating_mul(DAY_S);
            if is_old || total > limits.tenant_bytes {
                total -= bytes;
                expired.insert(day);
            }
        }
        let files = state.files.iter();
        files
            .filter(|(_, file)| expired.contains(file.day.as_str()))
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Returns runs of which copies can come no more, nor lie in a segment: what a segment took was young enough then.
    fn ended_runs(
        &self,
        tenant: &str,
        state: &State,
        now_s: u64,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let directory = segments::directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let mut oldest_s = now_s;
        for listed in listed {
            if !state.segments.contains(&listed.name) {
                oldest_s = oldest_s.min(SegmentName::parse(&listed.name)?.begun_s);
            }
        }
        let runs = state.runs.iter();
        let ended = runs.filter(|run| run.until_s < oldest_s);
        Ok(ended
            .map(|run| (run.host.to_owned(), run.run.to_owned()))
            .collect())
    }

    /// Returns files that others replaced long enough ago.
    fn replaced_files(&self, state: &State, now_s: u64) -> Vec<String> {
        let kept_s = self.options.limits.replaced_kept_s;
        let is_over = |since_s: u64| now_s.saturating_sub(since_s) > kept_s;
        let removed = state.removed.iter();
        removed
            .filter(|(_, since_s)| is_over(**since_s))
            .map(|(path, _)| path.clone())
            .collect()
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
    fn trim_journal(&self, tenant: &str, state: &Arc<State>, now_s: u64) -> Result<(), StoreError> {
        let directory = journal::directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let names: BTreeSet<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
        let is_old = |time_s: u64| now_s.saturating_sub(time_s) > JOURNAL_KEPT_S;
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
