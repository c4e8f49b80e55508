//! The way back from retention: days that went away by their age come back while their files are still there.

use std::collections::BTreeSet;

use super::clock::Moment;
use super::error::StoreError;
use super::journal::{Committed, DataFile, Entry};
use super::{Store, check_tenant};

/// Times that a restoration is begun anew since another process changed the state.
const ATTEMPTS_MAX: usize = 5;

/// What came back, or would.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Restored {
    /// Days with files that came back.
    pub days: BTreeSet<String>,
    /// Files that came back.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
    /// Days, with their service, that stay away, since newer files of the same day and service have taken their place.
    pub taken: BTreeSet<(String, String)>,
}

impl Store {
    /// Brings back the files of a tenant that went away by their age and are still there, and sets the store's time back to the clock's,
    /// which has to be right. With `is_trial` nothing is changed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Moving`] if other processes change the store all the time: try again. Others if the storage fails.
    pub fn restore(
        &self,
        tenant: &str,
        now_s: u64,
        is_trial: bool,
    ) -> Result<Restored, StoreError> {
        check_tenant(tenant)?;
        for _ in 0..ATTEMPTS_MAX {
            let state = self.journal.reread(tenant)?;
            self.settle(tenant, &state)?;
            // Ids of frames and stacks are told out anew for a day without files, so old and new ones must not meet.
            let has_newer = |file: &DataFile| {
                let mut newer = state.files_of(&file.day, &file.service);
                newer.next().is_some()
            };
            let mut entry = Entry::new(Moment::from(now_s));
            // This process knows how long hubs have run no better than the clock; no file is removed by this entry.
            entry.elapsed_s = None;
            let mut restored = Restored::default();
            for file in state.expired.values() {
                if has_newer(file) {
                    let key = (file.day.clone(), file.service.clone());
                    restored.taken.insert(key);
                    continue;
                }
                restored.days.insert(file.day.clone());
                restored.files += 1;
                restored.bytes += file.bytes;
                entry.added.push(file.clone());
            }
            if is_trial {
                return Ok(restored);
            }
            // Before the files come back, lest the next look takes them away again.
            self.set_time_back(tenant, now_s)?;
            if entry.added.is_empty() {
                return Ok(restored);
            }
            if let Committed::Yes(state) = self.journal.commit(tenant, &state, entry)? {
                self.settle(tenant, &state)?;
                return Ok(restored);
            }
        }
        Err(StoreError::Moving)
    }
}
