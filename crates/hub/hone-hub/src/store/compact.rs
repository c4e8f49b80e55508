//! Compaction: segments become files of hours, and hours become days.
//!
//! Each step writes new files, which nobody sees, and then commits one entry of the journal: the new files are true, the
//! old ones and the segments are not. Only after that the segments are removed. A crash before the entry leaves files that
//! retention removes; a crash after it leaves segments that the next compaction removes.

mod days;
mod hours;

pub(super) use hours::TakenRuns;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::Store;
use super::clock::Moment;
use super::delta::DeltaLog;
use super::error::{StoreError, Tried};
use super::journal::{Committed, DataFile, Entry, State};
use super::limits::COMPACT_S_MAX;
use super::table_files::TableFiles;
use super::tables::Table;

/// What compaction did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Compacted {
    /// Segments that became files of hours.
    pub segments: u64,
    /// Batches in them that were counted.
    pub batches: u64,
    /// Batches in them that were copies, and left out.
    pub copies: u64,
    /// Batches in them that could not be read; they are kept aside under `unreadable/`.
    pub unreadable: u64,
    /// Bytes behind the last whole batch of a segment: what a crash left, which was never acknowledged.
    pub torn_bytes: u64,
    /// Days whose files of hours became files of days.
    pub days: u64,
    /// Files written.
    pub files: u64,
    /// Bytes of these files.
    pub file_bytes: u64,
    /// Tenants that were left out since another process compacts them.
    pub tenants_held: u64,
    /// Times that another process was faster, and the work was discarded.
    pub overtaken: u64,
}

impl Compacted {
    /// Adds what another compaction did.
    pub fn add(&mut self, other: &Self) {
        self.segments += other.segments;
        self.batches += other.batches;
        self.copies += other.copies;
        self.unreadable += other.unreadable;
        self.torn_bytes += other.torn_bytes;
        self.days += other.days;
        self.files += other.files;
        self.file_bytes += other.file_bytes;
        self.tenants_held += other.tenants_held;
        self.overtaken += other.overtaken;
    }
}

/// What a step came to.
enum Step {
    /// There is nothing to do.
    Nothing,
    /// The state has changed.
    Done(Arc<State>),
    /// Another process changed the state.
    Overtaken,
}

/// Steps that are tried again since others were faster, before this process leaves the work to them.
const OVERTAKEN_MAX: u64 = 5;

impl Store {
    /// Compacts what is due, of all tenants whose lease is free.
    pub fn compact(&self, moment: impl Into<Moment>) -> Result<Compacted, StoreError> {
        let moment = moment.into();
        let mut done = Compacted::default();
        for tenant in self.tenants()? {
            done.add(&self.compact_tenant(&tenant, moment)?);
        }
        Ok(done)
    }

    /// Compacts what is due of one tenant, unless another process holds the lease.
    pub fn compact_tenant(
        &self,
        tenant: &str,
        moment: impl Into<Moment>,
    ) -> Result<Compacted, StoreError> {
        let moment = moment.into();
        let mut done = Compacted::default();
        let is_held = self.leased(tenant, moment.now_s, || {
            self.compact_leased(tenant, moment, &mut done)
        })?;
        done.tenants_held = u64::from(!is_held);
        Ok(done)
    }

    fn compact_leased(
        &self,
        tenant: &str,
        moment: Moment,
        done: &mut Compacted,
    ) -> Result<(), StoreError> {
        self.segments.seal(tenant, moment.now_s, false);
        let mut state = self.journal.reread(tenant)?;
        self.settle(tenant, &state)?;
        for step in [Self::compact_hours, Self::compact_day] {
            loop {
                state = match step(self, tenant, &state, moment, done)? {
                    Step::Nothing => break,
                    Step::Done(state) => {
                        self.settle(tenant, &state)?;
                        state
                    }
                    Step::Overtaken => {
                        done.overtaken += 1;
                        if done.overtaken >= OVERTAKEN_MAX {
                            return Ok(());
                        }
                        self.journal.reread(tenant)?
                    }
                };
            }
        }
        Ok(())
    }

    /// Does what follows from a state: the Delta logs show it, and compacted segments go away.
    pub(super) fn settle(&self, tenant: &str, state: &State) -> Result<(), StoreError> {
        for table in Table::ALL {
            DeltaLog::new(&self.objects, tenant, table).publish(
                &self.journal,
                tenant,
                state.number,
            )?;
        }
        for segment in &state.segments {
            self.objects.delete(segment).tried("remove", segment)?;
        }
        Ok(())
    }

    /// Commits an entry with files that were written for it, unless that took too long.
    fn commit(
        &self,
        tenant: &str,
        state: &Arc<State>,
        entry: Entry,
        begun: Begun,
    ) -> Result<Step, StoreError> {
        let files: Vec<DataFile> = entry.added.clone();
        let committed = if begun.is_long_ago() {
            Committed::Lost
        } else {
            self.journal.commit(tenant, state, entry)?
        };
        Ok(match committed {
            Committed::Yes(state) => Step::Done(state),
            Committed::Lost => {
                let table_files = TableFiles::new(&self.objects, tenant);
                table_files.discard(&files);
                Step::Overtaken
            }
        })
    }
}

/// Time at which a step read its state, by both clocks: one stands still while the machine sleeps, the other may be set.
#[derive(Clone, Copy)]
struct Begun(Instant, SystemTime);

impl Begun {
    fn now() -> Self {
        Self(Instant::now(), SystemTime::now())
    }

    /// True if entries that others committed since may have been removed already.
    fn is_long_ago(self) -> bool {
        let max = Duration::from_secs(COMPACT_S_MAX);
        let by_wall = self.1.elapsed().is_ok_and(|elapsed| elapsed > max);
        self.0.elapsed() > max || by_wall
    }
}
