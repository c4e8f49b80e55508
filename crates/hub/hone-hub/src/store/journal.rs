//! The journal of a tenant: which files and segments hold what is true, one entry after the other.
//!
//! An entry is committed by being the first with its number. That alone decides, whoever holds the lease: an entry says
//! what was true before it by its number. All that destroys (segments, replaced files, leavings) happens after an entry that says
//! so, so that whoever worked from an older state cannot commit any more. The Delta logs are made from the journal; they
//! cannot take its place, since each table has its own and a compaction changes all of them at once.

mod runs;
mod state;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::{StoreError, Tried};
use super::limits::CHECKPOINT_ENTRIES;
use super::objects::{Listed, Objects};

pub(crate) use runs::{Run, add_numbers, has_number};
pub(crate) use state::{DataFile, Entry, State, directory as tables_directory};

/// Format of entries, checkpoints and the time of a tenant.
pub(crate) const FORMAT: u32 = 1;

/// What became of an attempt to commit.
pub(crate) enum Committed {
    /// The entry is part of the journal.
    Yes(Arc<State>),
    /// Another entry took its number: the state must be read again.
    Lost,
}

/// The journals of all tenants, with their states as last seen.
pub(crate) struct Journal {
    objects: Arc<dyn Objects>,
    states: Mutex<HashMap<String, Arc<State>>>,
}

/// Returns the directory of a tenant's journal.
pub(crate) fn directory(tenant: &str) -> String {
    format!("{tenant}/journal/")
}

/// Returns the name of an entry.
pub(crate) fn entry_name(tenant: &str, number: u64) -> String {
    format!("{}{number:020}.json", directory(tenant))
}

/// Returns the name of the checkpoint that holds the state after an entry.
pub(crate) fn checkpoint_name(tenant: &str, number: u64) -> String {
    format!("{}{number:020}.state", directory(tenant))
}

impl Journal {
    /// Makes journals of which nothing was read yet.
    pub(crate) fn new(objects: Arc<dyn Objects>) -> Self {
        Self {
            objects,
            states: Mutex::default(),
        }
    }

    /// Reads what was committed since the last look.
    pub(crate) fn refresh(&self, tenant: &str) -> Result<Arc<State>, StoreError> {
        let known = self.lock().get(tenant).cloned();
        let mut state = match known {
            Some(state) => state,
            None => Arc::new(self.newest_checkpoint(tenant)?),
        };
        while let Some(entry) = self.entry(tenant, state.number + 1)? {
            Arc::make_mut(&mut state).apply(entry);
        }
        self.remember(tenant, &state);
        Ok(state)
    }

    /// Reads the state anew. What was seen long ago cannot be gone on from: the entries behind it may have been removed.
    pub(crate) fn reread(&self, tenant: &str) -> Result<Arc<State>, StoreError> {
        self.lock().remove(tenant);
        self.refresh(tenant)
    }

    /// Reads an entry; `None` if it was not committed, or was removed long after a checkpoint.
    pub(crate) fn entry(&self, tenant: &str, number: u64) -> Result<Option<Entry>, StoreError> {
        let name = entry_name(tenant, number);
        let Some(bytes) = self.objects.get(&name).tried("read", &name)? else {
            return Ok(None);
        };
        parse(&name, &bytes).map(Some)
    }

    /// Returns the number of the oldest entry that was not removed; `None` if there is no entry.
    pub(crate) fn oldest_entry(&self, tenant: &str) -> Result<Option<u64>, StoreError> {
        let directory = directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let number = |listed: &Listed| {
            let name = listed.name.strip_prefix(&directory)?;
            name.strip_suffix(".json")?.parse::<u64>().ok()
        };
        Ok(listed.iter().filter_map(number).min())
    }

    /// Commits an entry after a state.
    ///
    /// # Errors
    ///
    /// After an error the entry may be committed, or be committed later: nothing that the entry needs may be removed.
    pub(crate) fn commit(
        &self,
        tenant: &str,
        state: &Arc<State>,
        entry: Entry,
    ) -> Result<Committed, StoreError> {
        let number = state.number + 1;
        let name = entry_name(tenant, number);
        let bytes = to_json(&name, &entry)?;
        let put = self.objects.put_if_absent(&name, &bytes);
        if !matches!(put, Ok(true)) {
            // The answer to an earlier try may have been lost: then the entry that is there is this one.
            match self.objects.get(&name).tried("read", &name)? {
                Some(there) if there == bytes => {}
                Some(_) => return Ok(Committed::Lost),
                None => {
                    put.tried("commit", &name)?;
                    return Ok(Committed::Lost);
                }
            }
        }
        let mut state = State::clone(state);
        state.apply(entry);
        let state = Arc::new(state);
        self.remember(tenant, &state);
        if number.is_multiple_of(CHECKPOINT_ENTRIES) {
            let name = checkpoint_name(tenant, number);
            // Without this checkpoint readers begin at an earlier one.
            let _ = self.objects.put(&name, &to_json(&name, state.as_ref())?);
        }
        Ok(Committed::Yes(state))
    }

    fn newest_checkpoint(&self, tenant: &str) -> Result<State, StoreError> {
        let directory = directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let newest = listed
            .iter()
            .rfind(|listed| listed.name.ends_with(".state"));
        let Some(listed) = newest else {
            return Ok(State::default());
        };
        let name = &listed.name;
        match self.objects.get(name).tried("read", name)? {
            Some(bytes) => parse(name, &bytes),
            None => Err(StoreError::Moving),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<State>>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, tenant: &str, state: &Arc<State>) {
        let mut states = self.lock();
        let known = states
            .entry(tenant.to_owned())
            .or_insert_with(|| state.clone());
        if known.number < state.number {
            *known = state.clone();
        }
    }
}

/// Writes what [`parse`] reads.
pub(super) fn to_json(name: &str, value: &impl serde::Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Damaged {
        name: name.to_owned(),
        what: error.to_string(),
    })
}

#[derive(serde::Deserialize)]
struct Format {
    format: u32,
}

/// Reads an object of a tenant that tells its format.
///
/// # Errors
///
/// [`StoreError::Newer`] if a later version wrote it.
pub(super) fn parse<T: serde::de::DeserializeOwned>(
    name: &str,
    bytes: &[u8],
) -> Result<T, StoreError> {
    let damaged = |error: serde_json::Error| StoreError::Damaged {
        name: name.to_owned(),
        what: error.to_string(),
    };
    let Format { format } = serde_json::from_slice(bytes).map_err(damaged)?;
    if format > FORMAT {
        return Err(StoreError::Newer {
            name: name.to_owned(),
            format,
        });
    }
    serde_json::from_slice(bytes).map_err(damaged)
}
