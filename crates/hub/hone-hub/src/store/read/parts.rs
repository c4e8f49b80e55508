//! Parts of an answer: what files and segments hold of a day of a service. Files of the next day are read while one is used.

use std::collections::btree_map;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use hone_batch::BUCKET_S;

use super::{Query, file_rows, have_ids, is_wanted, step_of};
use crate::store::Store;
use crate::store::detail::{Detail, RowLimit};
use crate::store::error::StoreError;
use crate::store::journal::{DataFile, State};
use crate::store::objects::read_together;
use crate::store::prefetch::Ahead;
use crate::store::rows::Rows;
use crate::store::service_day::{DayKey, Part, Selection, ServiceDay};
use crate::store::table_files::{DAYS, TableFiles};
use crate::store::tables::Table;
use crate::store::time::{HOUR_S, Time};

/// Rows that files may have in memory for each row of an answer: an answer has fewer, since those of hours are added up.
const FILE_ROWS_FACTOR: u64 = 4;

/// A file of which something is asked for.
struct Wanted<'f> {
    file: &'f DataFile,
    table: Table,
    /// True if its own rows are asked for.
    is_asked: bool,
    /// Sums that are asked for and have to be made of its rows.
    sums: Vec<Table>,
}

/// Days of services, read one by one.
pub struct Parts<'a> {
    pub(super) store: &'a Store,
    pub(super) tenant: String,
    pub(super) query: Query,
    pub(super) limit: RowLimit,
    pub(super) state: Arc<State>,
    /// What segments hold of each day; `None` if they hold nothing of it.
    pub(super) days: Peekable<btree_map::IntoIter<DayKey, Option<ServiceDay>>>,
    /// Files of the next day, which are read while the one before is used.
    pub(super) ahead: Option<Ahead>,
}

impl Iterator for Parts<'_> {
    type Item = Result<Part, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (key, day) = self.days.next()?;
        Some(self.part(key, day))
    }
}

impl Parts<'_> {
    /// Returns the detail that the last part has, and that following ones have at most.
    pub fn detail(&self) -> Detail {
        self.limit.detail
    }

    /// Estimates as [`Store::file_rows`] does; there may be fewer different rows.
    pub fn file_rows(&self, table: Table) -> u64 {
        file_rows(&self.state, &self.query.selection(), table)
    }

    /// Gives up more detail, for the following parts.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooManyRows`] if no less makes sense.
    pub fn give_up_more(&mut self) -> Result<Detail, StoreError> {
        self.limit.give_up_more()?;
        Ok(self.limit.detail)
    }

    /// Checks the rows of files that are in memory as a whole, whatever is wanted of them.
    fn check_files(&self, rows: u64) -> Result<(), StoreError> {
        let max = self.limit.rows_max;
        if rows > FILE_ROWS_FACTOR.saturating_mul(max as u64) {
            return Err(StoreError::TooManyRows { max });
        }
        Ok(())
    }

    /// Hands over each part with its detail. A thread of its own reads the next part meanwhile: two are in memory.
    ///
    /// # Errors
    ///
    /// Those of parts, and the first one of `take`.
    pub fn overlapped<E: From<StoreError>>(
        mut self,
        mut take: impl FnMut(&Part, Detail) -> Result<(), E>,
    ) -> Result<(), E> {
        let (sender, receiver) = mpsc::sync_channel(0);
        thread::scope(|scope| {
            scope.spawn(move || {
                while let Some(part) = self.next() {
                    let read = part.map(|part| (part, self.detail()));
                    let is_last = read.is_err();
                    if sender.send(read).is_err() || is_last {
                        return;
                    }
                }
            });
            receiver.into_iter().try_for_each(|read| {
                let (part, detail) = read?;
                take(&part, detail)
            })
        })
    }

    fn part(&mut self, key: DayKey, day: Option<ServiceDay>) -> Result<Part, StoreError> {
        let (store, tenant) = (self.store, self.tenant.clone());
        let state = Arc::clone(&self.state);
        let files = TableFiles::new(&store.objects, &tenant);
        let files = self.read_ahead(files, &state, &key, day.is_some())?;
        let files_of_day = || state.files_of(&key.day, &key.service);
        let has_ids = have_ids(&self.query.tables);
        if has_ids {
            let of_ids = files_of_day().filter(|file| is_of_ids(file));
            self.check_files(of_ids.map(|file| file.rows).sum())?;
        }
        let mut day = match day {
            Some(day) => day,
            None if has_ids => files.day(&state, &key)?,
            None => ServiceDay::without_ids(),
        };
        day.make_rows(&self.query.tables, self.first_us());
        day.keep(&self.query.tables);
        day.coarsen(self.limit.detail);
        let selection = self.query.selection();
        let wanted: Vec<Wanted<'_>> = files_of_day()
            .filter_map(|file| self.wanted(file, &selection))
            .collect();
        for wanted in read_together(&wanted, |wanted| wanted.file.bytes) {
            let read = files.fetch(wanted.iter().map(|wanted| wanted.file))?;
            for (wanted, bytes) in wanted.iter().zip(read) {
                self.add_file(&mut day, &files, wanted, &selection, bytes)?;
            }
        }
        // Rows that are told apart as in their files are hardly ever equal: sorting them would be for nothing.
        if self.limit.detail > Detail::Minutes || !self.query.merged.is_empty() {
            day.add_up();
        }
        Ok(Part::new(key, day))
    }

    /// Waits for the files of a day, if they are few, and begins to read those of the next day.
    fn read_ahead<'f>(
        &mut self,
        files: TableFiles<'f>,
        state: &State,
        key: &DayKey,
        has_day: bool,
    ) -> Result<TableFiles<'f>, StoreError> {
        let now = match self.ahead.take() {
            None => files.ahead(self.files_of(state, key, has_day)),
            begun => begun,
        };
        let files = files.with(now)?;
        let next = self.days.peek();
        if let Some((next, has_day)) = next.map(|(key, day)| (key.clone(), day.is_some())) {
            self.ahead = files.ahead(self.files_of(state, &next, has_day));
        }
        Ok(files)
    }

    /// Returns the files that are read of a day; those of ids are not if segments hold something of it.
    fn files_of<'f>(
        &self,
        state: &'f State,
        key: &'f DayKey,
        has_day: bool,
    ) -> impl Iterator<Item = &'f DataFile> {
        let selection = self.query.selection();
        let needs_ids = have_ids(&self.query.tables) && !has_day;
        let files = state.files_of(&key.day, &key.service);
        files.filter(move |file| match is_of_ids(file) {
            true => needs_ids,
            false => self.wanted(file, &selection).is_some(),
        })
    }

    /// Returns what of a file is asked for; `None` if nothing is.
    fn wanted<'f>(&self, file: &'f DataFile, selection: &Selection) -> Option<Wanted<'f>> {
        if !is_wanted(file, selection) {
            return None;
        }
        let table = Table::timed().find(|table| file.is_of(*table))?;
        let wanted = Wanted {
            file,
            table,
            is_asked: self.query.tables.contains(&table),
            sums: self.sums_of(file, table),
        };
        let is_used = wanted.is_asked || !wanted.sums.is_empty();
        is_used.then_some(wanted)
    }

    /// Adds what is asked for of a file with these bytes.
    fn add_file(
        &mut self,
        day: &mut ServiceDay,
        files: &TableFiles<'_>,
        wanted: &Wanted<'_>,
        selection: &Selection,
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let Wanted { file, table, .. } = *wanted;
        self.check_files(file.rows)?;
        let merged = self.query.merged();
        let mut rows = files.rows(file, bytes, table, &merged, &mut day.texts)?;
        let damaged = |what| StoreError::Damaged {
            name: file.object(&self.tenant),
            what,
        };
        let length_s = step_of(file);
        let times = rows.longs("time").to_vec();
        let is_in = |row: usize| selection.has_time(Time::seconds(times[row]), length_s);
        let is_summed = |row: usize| has_sums(file, Time::seconds(times[row]), &selection.span_s);
        for sum in &wanted.sums {
            let mut left = Rows::new(table);
            left.extend(&rows, |row| is_in(row) && !is_summed(row));
            let mut summed = left.summed(*sum, &day.texts, self.first_us());
            self.limit.detail.of_rows(&mut summed, &mut day.texts);
            day.add_counts(summed, |_| true).map_err(damaged)?;
        }
        if wanted.is_asked {
            if table == Table::Hourly {
                let first_us = self.first_us();
                rows.map_longs("time", |hour| hour.max(first_us));
            }
            self.limit.detail.of_rows(&mut rows, &mut day.texts);
            let is_wanted = |row: usize| match table {
                Table::Hourly => is_summed(row),
                _ => is_in(row),
            };
            day.add_counts(rows, is_wanted).map_err(damaged)?;
        }
        day.fit(&mut self.limit)
    }

    /// Returns the sums that are asked for and have to be made of a file's rows.
    fn sums_of(&self, file: &DataFile, table: Table) -> Vec<Table> {
        let Some((least, greatest)) = file.times_us else {
            return Vec::new();
        };
        let Range { start, end } = self.query.span_s;
        let edges = [
            Time::seconds(least).max(start),
            Time::seconds(greatest).min(end.saturating_sub(1)),
        ];
        let span_s = &self.query.span_s;
        let is_edge_left = || edges.iter().any(|edge| !has_sums(file, *edge, span_s));
        let is_left = |sum: &Table| match sum {
            Table::Hourly => is_edge_left(),
            _ => !file.is_summed,
        };
        let asked = table.sums().filter(|sum| self.query.tables.contains(sum));
        asked.filter(is_left).collect()
    }

    /// Returns the first minute that is asked for, in microseconds.
    fn first_us(&self) -> i64 {
        Time::micros(self.query.span_s.start / BUCKET_S * BUCKET_S)
    }
}

fn is_of_ids(file: &DataFile) -> bool {
    file.is_of(Table::Frames) || file.is_of(Table::Stacks)
}

/// True if samples of a time are taken by the hour from [`Table::Hourly`], where that is asked for: if all of the hour is in the
/// asked time, or all of the file that they are in. The same holds for the file of samples and for that of their sums.
fn has_sums(file: &DataFile, time_s: u64, span_s: &Range<u64>) -> bool {
    let is_sum = file.is_of(Table::Hourly) || file.is_summed;
    let Some((least, greatest)) = file.times_us.filter(|_| is_sum) else {
        return false;
    };
    let step_s = match file.level {
        DAYS => HOUR_S,
        _ => BUCKET_S,
    };
    let has = |start_s: u64, end_s: u64| span_s.start <= start_s && end_s <= span_s.end;
    let hour_s = time_s / HOUR_S * HOUR_S;
    has(hour_s, hour_s + HOUR_S) || has(Time::seconds(least), Time::seconds(greatest) + step_s)
}
