//! Files of hours become files of days: without hosts, in longer steps of time, sorted by weight.
//!
//! File after file is added, so that memory grows with what is distinct in a day and not with its rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::Store;
use super::super::clock::Moment;
use super::super::error::StoreError;
use super::super::journal::{DataFile, Entry, State};
use super::super::rows::{Rows, Texts};
use super::super::service_day::DayKey;
use super::super::table_files::{DAYS, HOURS, TableFiles};
use super::super::tables::{Role, Table};
use super::super::time::{DAY_S, HOUR_S, Time, start_of};
use super::{Begun, Compacted, Step};

impl Store {
    /// Compacts the oldest day that is due.
    pub(super) fn compact_day(
        &self,
        tenant: &str,
        state: &Arc<State>,
        moment: Moment,
        done: &mut Compacted,
    ) -> Result<Step, StoreError> {
        let begun = Begun::now();
        let now_s = moment.confirmed_s();
        let kept_s = self.options.limits.hours_kept_days.saturating_mul(DAY_S);
        let is_due = |file: &&DataFile| {
            let end_s = start_of(&file.day).unwrap_or(0).saturating_add(DAY_S);
            file.level == HOURS && now_s.saturating_sub(end_s) >= kept_s && now_s >= end_s
        };
        let due = state.files.values().filter(is_due);
        let Some(day) = due.map(|file| file.day.clone()).min() else {
            return Ok(Step::Nothing);
        };
        let services: BTreeSet<&str> = state
            .files
            .values()
            .filter(|file| file.day == day && file.level == HOURS)
            .map(|file| file.service.as_str())
            .collect();
        let mut entry = Entry::new(moment);
        for service in services {
            let key = DayKey {
                day: day.clone(),
                service: service.to_owned(),
            };
            self.merge_service(tenant, state, &key, &mut entry)?;
        }
        let files = entry.added.len() as u64;
        let file_bytes: u64 = entry.added.iter().map(|file| file.bytes).sum();
        let step = self.commit(tenant, state, entry, begun)?;
        if matches!(step, Step::Done(_)) {
            done.days += 1;
            done.files += files;
            done.file_bytes += file_bytes;
        }
        Ok(step)
    }

    fn merge_service(
        &self,
        tenant: &str,
        state: &State,
        key: &DayKey,
        entry: &mut Entry,
    ) -> Result<(), StoreError> {
        let table_files = TableFiles::new(&self.objects, tenant);
        let is_no_sum = |table: &Table| table.source().is_none();
        for table in Table::ALL.into_iter().filter(is_no_sum) {
            let old: Vec<&DataFile> = state
                .files_of(&key.day, &key.service)
                .filter(|file| file.is_of(table))
                .collect();
            if old.iter().all(|file| file.level == DAYS) {
                continue;
            }
            let mut texts = Texts::default();
            let mut merged = Rows::new(table);
            let mut added_up = 0;
            for file in &old {
                let mut rows = table_files.read(file, table, &mut texts)?;
                make_coarser(&mut rows, &mut texts);
                merged.extend(&rows, |_| true);
                if merged.len() > added_up * 2 {
                    merged.add_up(&texts);
                    added_up = merged.len();
                }
            }
            merged.add_up(&texts);
            if let Some(weight) = weight_column(table) {
                merged.sort_by_largest(weight);
            }
            let mut tables = vec![merged];
            let mut replaced = old;
            for sum in table.sums() {
                // Of what is there now: some files may be older than sums are.
                tables.push(tables[0].summed(sum, &texts, i64::MIN));
                let files = state.files_of(&key.day, &key.service);
                replaced.extend(files.filter(|file| file.is_of(sum)));
            }
            let files = table_files.write_all(key, DAYS, &tables, &texts, entry.time_s)?;
            entry.added.extend(files);
            let paths = replaced.iter().map(|file| file.key());
            entry.removed.extend(paths);
        }
        Ok(())
    }
}

fn make_coarser(rows: &mut Rows, texts: &mut Texts) {
    let nobody = texts.number("");
    rows.map_texts("host", |_| nobody);
    rows.map_longs("time", |time| Time::begin_of_step(time, HOUR_S));
}

/// Returns the column by which readers want the largest rows first.
fn weight_column(table: Table) -> Option<&'static str> {
    match table {
        Table::Samples => Some("weight"),
        _ => table
            .columns()
            .iter()
            .find(|column| column.role == Role::Sum)
            .map(|column| column.name),
    }
}
