//! Retention of symbols: builds that nobody has seen for long go away, and so do the leavings of crashes.

use std::collections::BTreeMap;

use hone_profile::BuildId;

use super::Symbols;
use super::blobs;
use super::builds::{self, Held, MANIFEST};
use super::error::SymbolsError;
use super::limits::{ABSENT_S, STORING_S_MAX};
use crate::store::check_tenant;
use crate::store::error::Tried;
use crate::store::time::{DAY_S, start_of};

/// Part of a tenant's bytes that retention leaves free for the builds of tomorrow: one in so many.
const FREE_PART: u64 = 10;

/// Seconds after which parts that belong to no file are leavings: long after every upload that may still need them.
const LEAVINGS_S: u64 = 2 * STORING_S_MAX;

/// What retention removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RetainedSymbols {
    /// Builds that were not seen for too long, or the ones not seen for longest where there were too many bytes.
    pub builds: u64,
    /// Objects, those of these builds and leavings.
    pub objects: u64,
}

impl Symbols {
    /// Removes what a tenant keeps no longer. Replicas may do it at the same time.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn retain(&self, tenant: &str, now_s: u64) -> Result<RetainedSymbols, SymbolsError> {
        check_tenant(tenant)?;
        let mut builds = builds::all(self.objects.as_ref(), tenant)?;
        let mut done = RetainedSymbols::default();
        for build in self.expired(&builds, now_s) {
            if let Some(held) = builds.remove(&build) {
                // Manifests first: a file is gone as a whole.
                let order = held.objects.iter();
                let (manifests, others): (Vec<_>, Vec<_>) =
                    order.partition(|(name, _)| !name.contains('/'));
                let names = manifests.into_iter().chain(others);
                let names = names.map(|(name, _)| name.as_str());
                done.objects += self.remove(tenant, &build, names)?;
                done.builds += 1;
                self.forget(tenant, &build);
            }
        }
        for (build, held) in &builds {
            let leavings = self.leavings(tenant, build, held, now_s)?;
            let names = leavings.iter().map(String::as_str);
            done.objects += self.remove(tenant, build, names)?;
        }
        Ok(done)
    }

    /// Returns the builds that were not seen for too long, and the ones not seen for longest where there are too many bytes.
    fn expired(&self, builds: &BTreeMap<BuildId, Held>, now_s: u64) -> Vec<BuildId> {
        let mut by_time: Vec<(u64, &BuildId, u64)> = builds
            .iter()
            .filter_map(|(build, held)| Some((last_seen_s(held)?, build, held.bytes())))
            .collect();
        by_time.sort_unstable();
        let max = self.limits.tenant_bytes;
        let max = max - max / FREE_PART;
        let mut total: u64 = by_time.iter().map(|(_, _, bytes)| bytes).sum();
        let mut expired = Vec::new();
        for (seen_s, build, bytes) in by_time {
            let age_s = now_s.saturating_sub(seen_s);
            let is_old = age_s > self.limits.days_kept.saturating_mul(DAY_S);
            // What has just come stays, lest an upload and its removal take turns.
            if is_old || total > max && age_s > DAY_S {
                total -= bytes;
                expired.push(build.clone());
            }
        }
        expired
    }

    /// Returns objects that nothing needs: parts that no manifest names, marks of earlier days, and what servers lacked once.
    fn leavings(
        &self,
        tenant: &str,
        build: &BuildId,
        held: &Held,
        now_s: u64,
    ) -> Result<Vec<String>, SymbolsError> {
        let directory = builds::build_directory(tenant, build);
        let is_old = |time_s: u64, kept_s: u64| now_s.saturating_sub(time_s) > kept_s;
        let last = held.seen().max();
        let earlier = held.seen().filter(|day| Some(*day) != last);
        let mut leavings: Vec<String> = earlier.map(|day| format!("seen-{day}")).collect();
        let absent = held.absent();
        let absent = absent.filter(|(_, time_s, _)| is_old(*time_s, ABSENT_S));
        leavings.extend(absent.map(|(_, _, name)| name.to_owned()));
        let folders = held.folders();
        for (&(blob, folder), &time_s) in &folders {
            if !is_old(time_s, LEAVINGS_S) {
                continue;
            }
            let of_blob = folders.keys().filter(|(of, _)| *of == blob);
            let is_only = of_blob.count() == 1;
            if held.is_outdated_table(blob) {
                leavings.push(format!("{blob}{MANIFEST}"));
            } else if self.is_named(&directory, blob, folder, held, is_only)? {
                continue;
            }
            let parts = format!("{blob}/{folder}/");
            let names = held.objects.iter().map(|(name, _)| name);
            leavings.extend(names.filter(|name| name.starts_with(&parts)).cloned());
        }
        Ok(leavings)
    }

    /// True if the manifest of a file names the folder. The only folder of a file needs no look: parts come first.
    fn is_named(
        &self,
        directory: &str,
        blob: &str,
        folder: &str,
        held: &Held,
        is_only: bool,
    ) -> Result<bool, SymbolsError> {
        if !held.has_manifest(blob) || is_only {
            return Ok(held.has_manifest(blob));
        }
        let manifest = blobs::manifest(self.objects.as_ref(), &format!("{directory}{blob}"))?;
        Ok(manifest.is_some_and(|manifest| manifest.folder == folder))
    }

    fn remove<'n>(
        &self,
        tenant: &str,
        build: &BuildId,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<u64, SymbolsError> {
        let directory = builds::build_directory(tenant, build);
        let mut removed = 0;
        for name in names {
            let name = format!("{directory}{name}");
            self.objects.delete(&name).tried("remove", &name)?;
            removed += 1;
        }
        Ok(removed)
    }
}

/// Returns when a build was last seen or a file of it came, in seconds since 1970; `None` if there are only marks.
fn last_seen_s(held: &Held) -> Option<u64> {
    let came = held.folders().into_values().max()?;
    let days = held.seen().filter_map(start_of);
    let seen = days.map(|start| start.saturating_add(DAY_S)).max();
    Some(came.max(seen.unwrap_or(0)))
}
