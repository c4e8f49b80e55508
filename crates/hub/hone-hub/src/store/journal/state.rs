//! Entries of the journal, and the state that they add up to.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::clock::Moment;
use super::super::hive;
use super::super::limits::CHECKPOINT_ENTRIES;
use super::super::tables::Table;
use super::FORMAT;
use super::runs::{Run, Runs};

/// A file of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DataFile {
    /// Name of the table.
    pub(crate) table: String,
    /// Path below the table's directory.
    pub(crate) path: String,
    pub(crate) day: String,
    pub(crate) service: String,
    /// 1 for files of hours, 2 for files of days.
    pub(crate) level: u8,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    /// Least and greatest time in microseconds; `None` if the table has no time.
    pub(crate) times_us: Option<(i64, i64)>,
    /// True if files of the tables that sum up samples have what this one has. Files of sums have the times of the samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_summed: bool,
}

impl DataFile {
    /// Returns the name of the object.
    pub(crate) fn object(&self, tenant: &str) -> String {
        format!("{}{}/{}", directory(tenant), self.table, self.path)
    }

    /// True if the file is one of the table's.
    pub(crate) fn is_of(&self, table: Table) -> bool {
        self.table == table.name()
    }

    /// Returns the name of the file among those of all tables.
    pub(crate) fn key(&self) -> String {
        format!("{}/{}", self.table, self.path)
    }
}

/// Returns the directory of a tenant's tables.
pub(crate) fn directory(tenant: &str) -> String {
    format!("{tenant}/tables/")
}

/// One step of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) format: u32,
    /// Id of this attempt, so that two that do the same are told apart.
    pub(crate) id: String,
    pub(crate) time_s: u64,
    /// The second by the time that only running hubs move on; `None` in entries of before there was such a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) elapsed_s: Option<u64>,
    /// Files that are true from now on.
    pub(crate) added: Vec<DataFile>,
    /// Files that are not any more, as `table/path`.
    pub(crate) removed: Vec<String>,
    /// Those of the removed files that went away by their age, and can come back.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) expired: BTreeSet<String>,
    /// Segments whose batches are in the files.
    pub(crate) segments: Vec<String>,
    /// Batches that were in them.
    pub(crate) runs: Vec<Run>,
    /// Removed files and segments whose objects go away, or are gone.
    pub(crate) forgotten: Vec<String>,
    /// Runs, as host and run, of which no copies come any more.
    pub(crate) ended_runs: Vec<(String, String)>,
}

impl Entry {
    /// Makes an entry that changes nothing yet.
    pub(crate) fn new(moment: Moment) -> Self {
        Self {
            format: FORMAT,
            id: format!("{:032x}", rand::random::<u128>()),
            time_s: moment.now_s,
            elapsed_s: Some(moment.elapsed_s),
            added: Vec::new(),
            removed: Vec::new(),
            expired: BTreeSet::new(),
            segments: Vec::new(),
            runs: Vec::new(),
            forgotten: Vec::new(),
            ended_runs: Vec::new(),
        }
    }
}

/// What is true after an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) format: u32,
    /// Number of the entry; 0 before the first.
    pub(crate) number: u64,
    /// Files by `table/path`.
    pub(crate) files: BTreeMap<String, DataFile>,
    /// Files that are not true any more, and the second of their end by the time that only running hubs move on.
    pub(crate) removed: BTreeMap<String, u64>,
    /// Those of them that went away by their age: what is needed to bring them back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) expired: BTreeMap<String, DataFile>,
    /// Segments whose batches are in files.
    pub(crate) segments: BTreeSet<String>,
    pub(crate) runs: Runs,
    /// Checkpoints by number, with their time.
    pub(crate) checkpoints: BTreeMap<u64, u64>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            format: FORMAT,
            number: 0,
            files: BTreeMap::new(),
            removed: BTreeMap::new(),
            expired: BTreeMap::new(),
            segments: BTreeSet::new(),
            runs: Runs::default(),
            checkpoints: BTreeMap::new(),
        }
    }
}

impl State {
    /// Goes on by an entry.
    pub(crate) fn apply(&mut self, entry: Entry) {
        self.number += 1;
        let since_s = entry.elapsed_s.unwrap_or(entry.time_s);
        for file in entry.added {
            let path = file.key();
            self.removed.remove(&path);
            self.expired.remove(&path);
            self.files.insert(path, file);
        }
        for path in entry.removed {
            let Some(file) = self.files.remove(&path) else {
                continue;
            };
            if entry.expired.contains(&path) {
                self.expired.insert(path.clone(), file);
            }
            self.removed.insert(path, since_s);
        }
        self.segments.extend(entry.segments);
        for path in entry.forgotten {
            self.removed.remove(&path);
            self.expired.remove(&path);
            self.segments.remove(&path);
        }
        for run in entry.runs {
            self.runs.add(run);
        }
        for (host, run) in &entry.ended_runs {
            self.runs.remove(host, run);
        }
        if self.number.is_multiple_of(CHECKPOINT_ENTRIES) {
            self.checkpoints.insert(self.number, since_s);
        }
    }

    /// Returns the true files of a day of a service.
    pub(crate) fn files_of<'a>(
        &'a self,
        day: &'a str,
        service: &'a str,
    ) -> impl Iterator<Item = &'a DataFile> {
        let folder = hive::folder(day, service);
        let below = move |prefix: String| {
            let files = self.files.range(prefix.clone()..);
            files.take_while(move |(key, _)| key.starts_with(&prefix))
        };
        let of_table = move |table: Table| {
            // Files of before there were folders of services are in one of the day.
            let places = [day, &folder].map(|place| format!("{}/{place}/", table.name()));
            places.into_iter().flat_map(below)
        };
        let files = Table::ALL.into_iter().flat_map(of_table);
        files
            .map(|(_, file)| file)
            .filter(move |file| file.service == service)
    }
}
