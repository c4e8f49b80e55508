//! The events of a file, and the event that a record belongs to.
//!
//! A record names its event by the id of the counter that made the record. The place of the id depends on the
//! event's own sample type, so all events of a file must have the id at the same place; with
//! `PERF_SAMPLE_IDENTIFIER` the id is the first word of a sample and the last of other records.

use super::attr::Attr;
use super::format::sample_type;
use crate::limits::{EVENT_IDS_MAX, EVENTS_MAX};
use rustc_hash::FxHashMap;

/// One event as the file describes it.
#[derive(Clone, Debug)]
pub(crate) struct TableEntry {
    pub(crate) attr: Attr,
    pub(crate) name: Option<String>,
}

/// All events of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventTable {
    entries: Vec<TableEntry>,
    by_id: FxHashMap<u64, u32>,
    /// Number of ids seen, repeated ids included.
    id_count: usize,
}

impl EventTable {
    /// Adds an event; returns false if the file has too many.
    pub(crate) fn add(&mut self, attr: Attr, ids: impl Iterator<Item = u64>) -> bool {
        if self.entries.len() >= EVENTS_MAX {
            return false;
        }
        let index = self.entries.len() as u32;
        let ids = ids.take(EVENT_IDS_MAX - self.id_count);
        for id in ids {
            self.id_count += 1;
            self.by_id.insert(id, index);
        }
        self.entries.push(TableEntry { attr, name: None });
        true
    }

    pub(crate) fn entries(&self) -> &[TableEntry] {
        &self.entries
    }

    /// Names the event that has one of the ids, or else the event at `index`.
    pub(crate) fn set_name(
        &mut self,
        mut ids: impl Iterator<Item = u64>,
        index: Option<usize>,
        name: String,
    ) {
        let found = ids
            .find_map(|id| self.by_id.get(&id))
            .map(|&index| index as usize)
            .or(index);
        if let Some(entry) = found.and_then(|index| self.entries.get_mut(index)) {
            entry.name = Some(name);
        }
    }

    /// Returns the event of a sample; `body` is the record without its header.
    pub(crate) fn of_sample(&self, body: &[u8]) -> Option<usize> {
        let first = &self.entries.first()?.attr;
        if self.entries.len() == 1 {
            return Some(0);
        }
        let offset = if first.has(sample_type::IDENTIFIER) {
            0
        } else if first.has(sample_type::ID) {
            let before = sample_type::IP | sample_type::TID | sample_type::TIME | sample_type::ADDR;
            (first.sample_type & before).count_ones() as usize * 8
        } else {
            return Some(0);
        };
        self.by_word(body.get(offset..offset + 8)?)
    }

    /// Returns the event that decides the layout of the trailing sample id of another record.
    pub(crate) fn of_other(&self, body: &[u8]) -> Option<usize> {
        let first = &self.entries.first()?.attr;
        if self.entries.len() == 1 || !first.sample_id_all() {
            return Some(0);
        }
        let from_end = if first.has(sample_type::IDENTIFIER) {
            8
        } else if first.has(sample_type::ID) {
            let after = sample_type::ID | sample_type::STREAM_ID | sample_type::CPU;
            (first.sample_type & after).count_ones() as usize * 8
        } else {
            return Some(0);
        };
        let start = body.len().checked_sub(from_end)?;
        self.by_word(body.get(start..start + 8)?)
    }

    /// Returns the event with the id in a word. Records that perf makes up have the id zero and the layout of the first event.
    fn by_word(&self, word: &[u8]) -> Option<usize> {
        match u64::from_le_bytes(word.try_into().ok()?) {
            0 => Some(0),
            id => self.by_id.get(&id).map(|&index| index as usize),
        }
    }

    /// Returns the name of an event, or a default if the file does not name the event.
    pub(crate) fn name(&self, index: usize) -> String {
        let entry = &self.entries[index];
        entry
            .name
            .clone()
            .unwrap_or_else(|| default_name(&entry.attr))
    }
}

/// Returns perf's name of the most usual counters, else type and number.
fn default_name(attr: &Attr) -> String {
    const HARDWARE: u32 = 0;
    const SOFTWARE: u32 = 1;
    let name = match (attr.kind, attr.config) {
        (HARDWARE, 0) => "cycles",
        (HARDWARE, 1) => "instructions",
        (HARDWARE, 2) => "cache-references",
        (HARDWARE, 3) => "cache-misses",
        (HARDWARE, 4) => "branches",
        (HARDWARE, 5) => "branch-misses",
        (SOFTWARE, 0) => "cpu-clock",
        (SOFTWARE, 1) => "task-clock",
        (SOFTWARE, 2) => "page-faults",
        (SOFTWARE, 3) => "context-switches",
        (SOFTWARE, 9) => "dummy",
        (kind, config) => return format!("type {kind} config {config:#x}"),
    };
    name.into()
}
