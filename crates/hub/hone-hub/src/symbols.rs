//! Symbols: files that name the code of builds, and the names that they give to places of a batch.
//!
//! ```text
//! upload ──┐                  ┌─▶ file, by build id and kind ──▶ get: debuginfod for others
//!          ├─▶ inspect, make ─┤
//! fetch ───┘                  └─▶ table of names ──▶ cache ──▶ names of places, and what is missing
//! ```
//!
//! Constraints that shaped this module:
//! - Uploads come from outside: they are read by a [`Parser`], which a server has in a confined process, and within limits.
//! - Debug information is parsed once for a build. Questions read tables, of which only used chunks are in memory.
//! - Names are given when a question is answered, so symbols that come late name old samples too.
//! - The first file of a build and kind stays: nobody can rename what others look at.
//! - Everything lies in the store's [`Objects`], with no state beside it, so that any number of replicas work alike. No file is
//!   in memory as a whole.

mod batch_names;
mod blobs;
mod builds;
mod cache;
mod error;
mod fetch;
mod inspect;
mod inventory;
mod kind;
pub mod limits;
mod naming;
mod parser;
mod retention;
mod table;
mod tables;
mod take;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hone_profile::BuildId;

pub use batch_names::{BatchNames, Missing};
pub use blobs::StoredFile;
pub use error::{Refused, SymbolsError};
pub use fetch::{DebugFiles, Debuginfod, Fetched};
pub use inspect::{SymbolFile, inspect};
pub use inventory::{BuildFiles, HeldFile, UsedBySymbols};
pub use kind::{Artifact, Detail, Kind};
pub use naming::{Lack, Lacking, ProfileNames};
pub use parser::{InProcess, Parser};
pub use retention::RetainedSymbols;
pub use table::tabulate;
pub use take::{Taken, Was, sum_of};

use crate::store::check_tenant;
use crate::store::objects::Objects;
use builds::Held;
use cache::Cache;
use limits::{Limits, NOTED_MAX};
use tables::{Cached, Key};

/// Symbols of all tenants of a hub. All times are handed in, in seconds since 1970. Calls block.
pub struct Symbols {
    objects: Arc<dyn Objects>,
    limits: Limits,
    parser: Box<dyn Parser>,
    cache: Mutex<Cache<Key, Cached>>,
    /// Files that are being stored, with their bytes.
    storing: Mutex<Vec<(String, u64)>>,
    /// Held while a table is made: two at once would need the memory of both.
    making: Mutex<()>,
    /// Builds that were noted as seen.
    seen: Mutex<Noted>,
    /// Times at which servers failed, in seconds since 1970.
    failed: Mutex<HashMap<(BuildId, Artifact), u64>>,
}

/// Builds of tenants that were noted as seen on a day.
#[derive(Default)]
struct Noted {
    day: String,
    builds: HashSet<(String, BuildId)>,
}

impl Noted {
    fn has(&self, key: &(String, BuildId), day: &str) -> bool {
        self.day == day && self.builds.contains(key)
    }

    /// Remembers a build. Those of another day are noted anew when they are seen, and so are those beyond the limit.
    fn add(&mut self, key: (String, BuildId), day: String) {
        if self.day != day {
            self.builds.clear();
            self.day = day;
        }
        if self.builds.len() < NOTED_MAX {
            self.builds.insert(key);
        }
    }
}

impl Symbols {
    /// Opens the symbols among the objects of a store ([`crate::store::Store::objects`]).
    pub fn open(objects: Arc<dyn Objects>, limits: Limits, parser: Box<dyn Parser>) -> Self {
        Self {
            cache: Mutex::new(Cache::new(limits.cache_bytes)),
            objects,
            limits,
            parser,
            storing: Mutex::default(),
            making: Mutex::default(),
            seen: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Returns a stored file that answers a question of debuginfod's kind; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn get(
        &self,
        tenant: &str,
        build: &BuildId,
        artifact: Artifact,
    ) -> Result<Option<StoredFile>, SymbolsError> {
        check_tenant(tenant)?;
        let held = Held::of(self.objects.as_ref(), tenant, build)?;
        let mut best = artifact.kinds().iter();
        let Some(kind) = best.find(|kind| held.kinds.contains(kind)) else {
            return Ok(None);
        };
        self.stored(tenant, build, *kind)
    }

    /// Returns a stored file of a kind.
    fn stored(
        &self,
        tenant: &str,
        build: &BuildId,
        kind: Kind,
    ) -> Result<Option<StoredFile>, SymbolsError> {
        let blob = builds::file_name(tenant, build, kind);
        let manifest = blobs::manifest(self.objects.as_ref(), &blob)?;
        Ok(manifest.map(|manifest| StoredFile::new(self.objects.clone(), blob, manifest)))
    }

    /// Bytes of memory that tables take, at most [`Limits::cache_bytes`].
    pub fn cache_bytes(&self) -> usize {
        lock(&self.cache).bytes()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_noted_for_a_day_and_within_a_limit() {
        let key = |number: usize| {
            let build = BuildId::new(&number.to_be_bytes()).unwrap();
            ("acme".to_owned(), build)
        };
        let mut noted = Noted::default();
        for number in 0..=NOTED_MAX {
            noted.add(key(number), "2026-01-31".to_owned());
        }
        assert_eq!(noted.builds.len(), NOTED_MAX);
        assert!(noted.has(&key(0), "2026-01-31") && !noted.has(&key(NOTED_MAX), "2026-01-31"));
        noted.add(key(NOTED_MAX), "2026-02-01".to_owned());
        assert!(noted.has(&key(NOTED_MAX), "2026-02-01"));
        assert!(!noted.has(&key(0), "2026-01-31") && !noted.has(&key(0), "2026-02-01"));
        assert_eq!(noted.builds.len(), 1);
    }
}
