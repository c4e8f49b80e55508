//! The store: takes batches, and answers with what they add up to.
//!
//! ```text
//! append ──▶ segments ──compact──▶ files of hours ──compact──▶ files of days ──retain──▶ gone
//!               │                     │                          │
//!               └───────── read ──────┴──────────────────────────┘
//! ```
//!
//! What is true stands in the journal; the Delta logs tell the same to other engines. Objects of a tenant:
//!
//! ```text
//! hub.json                                   format of the store
//! tenants/TENANT                             there is such a tenant
//! TENANT/segments/TIME-WRITER-NUMBER.segment
//! TENANT/journal/NUMBER.json, NUMBER.state   entries, and checkpoints
//! TENANT/tables/TABLE/_delta_log/VERSION.json
//! TENANT/tables/TABLE/day=DAY/service=SERVICE/TIME-RANDOM-LEVEL.parquet
//! TENANT/unreadable/RUN-NUMBER.batch         acknowledged, and could not be read later
//! TENANT/lease.json                          who compacts
//! TENANT/clock.json                          the time by which the store forgets
//! TENANT/symbols/..., TENANT/pgo/...         files of builds, and compiler profiles: see crate::symbols and crate::pgo
//! ```

pub(crate) mod batches;
pub mod clock;
mod compact;
mod delta;
mod detail;
mod engine_rows;
pub(crate) mod error;
pub mod folder;
mod hive;
mod journal;
mod lease;
pub mod limits;
pub mod objects;
mod parquet_files;
mod prefetch;
mod read;
mod restore;
mod retention;
mod rows;
pub mod s3;
mod segments;
mod service_day;
mod table_files;
pub mod tables;
pub(crate) mod time;
mod usage;

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hone_batch::Origin;
use serde::{Deserialize, Serialize};

pub use compact::Compacted;
pub use detail::{Detail, RowLimit};
pub use engine_rows::PreparedStore;
pub use error::StoreError;
pub use read::{Parts, Query, Service};
pub use restore::Restored;
pub use retention::{ExpiredDay, Retained, Why};
pub use rows::{Rows, Texts, Values};
pub use service_day::Part;
pub use usage::Usage;

use clock::Clocks;
use error::Tried;
use journal::Journal;
use limits::{BATCH_AHEAD_S_MAX, Limits, TENANT_BYTES_MAX};
use objects::Objects;
use segments::{Frame, Index, Segments};

/// Name of the object that tells the format of the store.
const HUB: &str = "hub.json";
/// Time for which batches are gathered into one object of a bucket.
const BUCKET_GATHER: Duration = Duration::from_secs(1);
/// Format of the store.
const FORMAT: u32 = 1;

/// Where the store keeps its objects.
pub enum Location {
    /// A folder, which one process opens at a time.
    Folder(PathBuf),
    /// A bucket of object storage, which any number of processes open.
    Bucket(s3::Bucket),
    /// Other objects.
    Objects(Arc<dyn Objects>),
}

impl Location {
    fn objects(self) -> Result<Arc<dyn Objects>, StoreError> {
        Ok(match self {
            Self::Folder(path) => Arc::new(folder::Folder::open(&path)?),
            Self::Bucket(bucket) => Arc::new(s3::S3::open(&bucket)?),
            Self::Objects(objects) => objects,
        })
    }
}

/// Settings of the store.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits.
    pub limits: Limits,
    /// Time for which the first batch of a write waits for others: the larger, the fewer objects are written. `None` for
    /// no time in a folder, and a second in a bucket.
    pub gather: Option<Duration>,
}

/// A batch that a host sent, in its encoded form. Who hands it over has made sure that it can be read.
#[derive(Clone, Debug)]
pub struct Received {
    /// Sender and number: copies have the same.
    pub origin: Origin,
    /// Time that was recorded, in seconds since 1970.
    pub span_s: Range<u64>,
    /// The batch.
    pub bytes: Vec<u8>,
}

/// The store of a hub. All times are handed in, in seconds since 1970.
pub struct Store {
    objects: Arc<dyn Objects>,
    options: Options,
    segments: Segments,
    index: Index,
    journal: Journal,
    clocks: Clocks,
    /// Name under which this process holds leases.
    holder: String,
    known_tenants: Mutex<HashSet<String>>,
}

#[derive(Serialize, Deserialize)]
struct Hub {
    format: u32,
}

impl Store {
    /// Opens a store, which is made if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] if the folder is open elsewhere; [`StoreError::Newer`] if a later version wrote it.
    pub fn open(location: Location, options: Options) -> Result<Self, StoreError> {
        let usual_gather = match location {
            Location::Bucket(_) => BUCKET_GATHER,
            Location::Folder(_) | Location::Objects(_) => Duration::ZERO,
        };
        let objects = location.objects()?;
        let hub = serde_json::json!(Hub { format: FORMAT }).to_string();
        let is_new = objects.put_if_absent(HUB, hub.as_bytes());
        if !is_new.tried("write", HUB)? {
            check_format(objects.as_ref())?;
        }
        let id = rand::random();
        Ok(Self {
            segments: Segments::new(
                objects.clone(),
                options.limits.clone(),
                options.gather.unwrap_or(usual_gather),
                id,
            ),
            index: Index::default(),
            journal: Journal::new(objects.clone()),
            clocks: Clocks::default(),
            objects,
            options,
            holder: format!("{id:016x}"),
            known_tenants: Mutex::default(),
        })
    }

    /// Appends a batch; returns when it is durable. After an error the batch may be stored nevertheless: send it again,
    /// it is counted once.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchTooOld`], [`StoreError::BatchAhead`] and [`StoreError::BatchTooLarge`] are for good; after others try again later.
    pub fn append(&self, tenant: &str, batch: &Received, now_s: u64) -> Result<(), StoreError> {
        check_tenant(tenant)?;
        let age_s = now_s.saturating_sub(batch.span_s.end);
        let max_s = self.options.limits.batch_age_s;
        if age_s > max_s {
            return Err(StoreError::BatchTooOld { age_s, max_s });
        }
        let (ahead_s, max_s) = (batch.span_s.end.saturating_sub(now_s), BATCH_AHEAD_S_MAX);
        if ahead_s > max_s {
            return Err(StoreError::BatchAhead { ahead_s, max_s });
        }
        self.note_tenant(tenant)?;
        let frame = Frame {
            origin: batch.origin.clone(),
            span_s: batch.span_s.clone(),
            batch: &batch.bytes,
        };
        self.segments.append(tenant, &frame, now_s)
    }

    /// Returns the objects of the store, for what else the hub keeps beside batches.
    pub fn objects(&self) -> Arc<dyn Objects> {
        self.objects.clone()
    }

    /// Returns the names of all tenants.
    pub fn tenants(&self) -> Result<Vec<String>, StoreError> {
        let listed = self.objects.list("tenants/").tried("list", "tenants")?;
        let name = |listed: objects::Listed| {
            let name = listed.name.strip_prefix("tenants/")?;
            Some(name.to_owned())
        };
        Ok(listed.into_iter().filter_map(name).collect())
    }

    fn note_tenant(&self, tenant: &str) -> Result<(), StoreError> {
        let known = || {
            self.known_tenants
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if !known().contains(tenant) {
            let name = format!("tenants/{tenant}");
            self.objects
                .put_if_absent(&name, b"")
                .tried("write", &name)?;
            known().insert(tenant.to_owned());
        }
        Ok(())
    }
}

fn check_format(objects: &dyn Objects) -> Result<(), StoreError> {
    let damaged = |what: String| StoreError::Damaged {
        name: HUB.to_owned(),
        what,
    };
    let bytes = objects.get(HUB).tried("read", HUB)?;
    let bytes = bytes.ok_or_else(|| damaged("it is gone".to_owned()))?;
    let hub: Hub = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if hub.format > FORMAT {
        return Err(StoreError::Newer {
            name: HUB.to_owned(),
            format: hub.format,
        });
    }
    Ok(())
}

/// Checks the name of a tenant.
pub(crate) fn check_tenant(tenant: &str) -> Result<(), StoreError> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let is_reserved = tenant == "tenants" || tenant == folder::TEMPORARY || tenant == folder::LOCK;
    let is_long = tenant.is_empty() || tenant.len() > TENANT_BYTES_MAX;
    if is_long || is_reserved || !tenant.chars().all(is_plain) {
        return Err(StoreError::TenantName(tenant.to_owned()));
    }
    Ok(())
}
