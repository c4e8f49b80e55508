//! The lease: who compacts a tenant's files. It saves work; that nothing is counted twice rests on the journal.
//!
//! A lease that its holder does not renew ends by itself, so a replica that dies while it compacts holds up nobody for long.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Store;
use super::error::{StoreError, Tried};
use super::limits::COMPACT_S_MAX;
use super::objects::Objects;

/// Seconds for which a lease is given: longer than a compaction may take.
const LEASE_S: u64 = COMPACT_S_MAX + 60;

#[derive(Serialize, Deserialize)]
struct Content {
    holder: String,
    until_s: u64,
    /// Grows, so that no two contents are equal.
    term: u64,
}

impl Store {
    /// Does something to a tenant while this process holds the lease, which is given back; returns false if another process holds it.
    pub(super) fn leased(
        &self,
        tenant: &str,
        now_s: u64,
        work: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        if !take(&self.objects, tenant, &self.holder, now_s)? {
            return Ok(false);
        }
        let done = work();
        let released = release(&self.objects, tenant, &self.holder, now_s);
        done.and(released)?;
        Ok(true)
    }
}

/// Takes the lease of a tenant, or renews it; returns false if another holds it.
///
/// A lease that ends later than one taken now could is ignored: a clock was wrong then, or is now.
fn take(
    objects: &Arc<dyn Objects>,
    tenant: &str,
    holder: &str,
    now_s: u64,
) -> Result<bool, StoreError> {
    set(
        objects,
        tenant,
        holder,
        now_s,
        now_s.saturating_add(LEASE_S),
    )
}

/// Gives the lease back, if it is held.
fn release(
    objects: &Arc<dyn Objects>,
    tenant: &str,
    holder: &str,
    now_s: u64,
) -> Result<(), StoreError> {
    set(objects, tenant, holder, now_s, 0).map(|_| ())
}

fn set(
    objects: &Arc<dyn Objects>,
    tenant: &str,
    holder: &str,
    now_s: u64,
    until_s: u64,
) -> Result<bool, StoreError> {
    let name = format!("{tenant}/lease.json");
    let content = |term| {
        let content = Content {
            holder: holder.to_owned(),
            until_s,
            term,
        };
        serde_json::to_vec(&content).unwrap_or_default()
    };
    let Some(object) = objects.get_versioned(&name).tried("read", &name)? else {
        return objects
            .put_if_absent(&name, &content(1))
            .tried("take", &name);
    };
    // A lease that cannot be read is nobody's.
    let held = serde_json::from_slice::<Content>(&object.bytes).ok();
    let is_held = |held: &Content| {
        held.holder != holder && (now_s..=now_s.saturating_add(LEASE_S)).contains(&held.until_s)
    };
    if held.as_ref().is_some_and(is_held) {
        return Ok(false);
    }
    let term = held.map_or(1, |held| held.term.saturating_add(1));
    objects
        .replace(&name, &content(term), &object.version)
        .tried("take", &name)
}
