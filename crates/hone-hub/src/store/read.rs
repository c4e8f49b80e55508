//! Questions: what files and segments hold of a time, one day of a service after the other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::batches;
use super::compact::TakenRuns;
use super::detail::{Detail, RowLimit};
use super::error::{StoreError, Tried};
use super::journal::{DataFile, State};
use super::limits::READ_ATTEMPTS_MAX;
use super::rows::Rows;
use super::segments::{self, frames};
use super::service_day::{DayKey, Part, Selection, ServiceDay, ServiceDays};
use super::table_files::{DAYS, TableFiles};
use super::tables::Table;
use super::time::{HOUR_S, Time};
use super::{Store, check_tenant};
use hone_batch::BUCKET_S;

/// Rows that files may have in memory for each row of an answer: an answer has fewer, since those of hours are added up.
const FILE_ROWS_FACTOR: u64 = 4;

/// What segments hold of each day.
type Days = BTreeMap<DayKey, ServiceDay>;

/// What is asked of the store.
#[derive(Clone, Debug)]
pub struct Query {
    /// Services; `None` for all.
    pub services: Option<Vec<String>>,
    /// Time in seconds since 1970. Rows are in it if a part of their step of time is: a minute of samples, an hour of
    /// branches, and the longer steps of files of days.
    pub span_s: Range<u64>,
    /// Tables of counts and of sums. Frames and stacks come with those that refer to them.
    pub tables: Vec<Table>,
}

/// A service of a tenant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    /// Name; empty for what nobody has named.
    pub name: String,
    /// Days of which there is something, in order.
    pub days: Vec<String>,
    /// Bytes of its files; batches that are not compacted yet are not in it.
    pub bytes: u64,
}

/// Days of services, read one by one.
pub struct Parts<'a> {
    store: &'a Store,
    tenant: String,
    query: Query,
    limit: RowLimit,
    state: Arc<State>,
    /// What segments hold of each day; `None` if they hold nothing of it.
    days: std::collections::btree_map::IntoIter<DayKey, Option<ServiceDay>>,
}

impl Store {
    /// Asks for the rows of services in a time. Copies are left out.
    ///
    /// # Errors
    ///
    /// [`StoreError::Moving`] if compaction was faster several times: ask again.
    pub fn read(&self, tenant: &str, query: &Query) -> Result<Parts<'_>, StoreError> {
        self.read_within(tenant, query, RowLimit::NONE)
    }

    /// Asks as [`Store::read`] does, with a limit on memory: on the rows of each day, and of what is not compacted yet. Where
    /// there are more, detail is given up; parts that came before have it still.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooManyRows`] if there are still more with the least detail, also from a part; those of [`Store::read`].
    pub fn read_within(
        &self,
        tenant: &str,
        query: &Query,
        limit: RowLimit,
    ) -> Result<Parts<'_>, StoreError> {
        check_tenant(tenant)?;
        let selection = Selection {
            services: query.services.clone(),
            span_s: query.span_s.clone(),
        };
        for _ in 0..READ_ATTEMPTS_MAX {
            let mut limit = limit;
            let looked = self.look(tenant, &selection, &query.tables, &mut limit)?;
            let Some((state, from_segments)) = looked else {
                self.journal.reread(tenant)?;
                continue;
            };
            let mut days: BTreeMap<DayKey, Option<ServiceDay>> = state
                .files
                .values()
                .filter(|file| is_wanted(file, &selection))
                .map(|file| (key_of(file), None))
                .collect();
            days.extend(from_segments.into_iter().map(|(key, day)| (key, Some(day))));
            return Ok(Parts {
                store: self,
                tenant: tenant.to_owned(),
                query: query.clone(),
                limit,
                state,
                days: days.into_iter(),
            });
        }
        Err(StoreError::Moving)
    }

    /// Lists the services of which there is something in a time, with their days.
    pub fn services(&self, tenant: &str, span_s: Range<u64>) -> Result<Vec<Service>, StoreError> {
        let query = Query {
            services: None,
            span_s,
            tables: Vec::new(),
        };
        let parts = self.read(tenant, &query)?;
        let mut services: BTreeMap<String, Service> = BTreeMap::new();
        for (key, _) in parts.days {
            let files = parts.state.files_of(&key.day, &key.service);
            let bytes: u64 = files.map(|file| file.bytes).sum();
            let service = services
                .entry(key.service.clone())
                .or_insert_with(|| Service {
                    name: key.service,
                    days: Vec::new(),
                    bytes: 0,
                });
            service.days.push(key.day);
            service.bytes += bytes;
        }
        Ok(services.into_values().collect())
    }

    /// Reads the state, and the segments that it does not know; `None` if some went away meanwhile.
    ///
    /// Segments are listed before the state is read: what is compacted in between is in the state.
    fn look(
        &self,
        tenant: &str,
        selection: &Selection,
        tables: &[Table],
        limit: &mut RowLimit,
    ) -> Result<Option<(Arc<State>, Days)>, StoreError> {
        let directory = segments::directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let state = self.journal.refresh(tenant)?;
        let files = TableFiles {
            objects: &self.objects,
            tenant,
        };
        let mut runs = TakenRuns::default();
        let has_ids = have_ids(tables);
        let mut days = ServiceDays::new(has_ids, |key: &DayKey| match has_ids {
            true => files.day(&state, key),
            false => Ok(ServiceDay::without_ids()),
        });
        for listed in listed {
            if state.segments.contains(&listed.name) {
                continue;
            }
            let object = self.objects.get(&listed.name).tried("read", &listed.name)?;
            let Some(object) = object else {
                return Ok(None);
            };
            for frame in frames(&object.bytes).0 {
                if !runs.add(&state, &frame) {
                    continue;
                }
                // Compaction keeps aside what cannot be read, and counts it.
                if let Ok(batch) = batches::decode(frame.batch) {
                    match days.add(&batch, selection) {
                        Err(StoreError::Moving) => return Ok(None),
                        added => added?,
                    }
                }
            }
            days.keep(tables);
            days.fit(limit)?;
        }
        let days = days.into_days();
        Ok(Some((state, days)))
    }
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

    fn part(&mut self, key: DayKey, day: Option<ServiceDay>) -> Result<Part, StoreError> {
        let (store, tenant) = (self.store, self.tenant.clone());
        let files = TableFiles {
            objects: &store.objects,
            tenant: &tenant,
        };
        let state = Arc::clone(&self.state);
        let files_of_day = || state.files_of(&key.day, &key.service);
        let has_ids = have_ids(&self.query.tables);
        if has_ids {
            let is_of_ids =
                |file: &&DataFile| file.is_of(Table::Frames) || file.is_of(Table::Stacks);
            self.check_files(files_of_day().filter(is_of_ids).map(|file| file.rows).sum())?;
        }
        let mut day = match day {
            Some(day) => day,
            None if has_ids => files.day(&state, &key)?,
            None => ServiceDay::without_ids(),
        };
        day.sum_samples(&self.query.tables, self.first_us());
        day.coarsen(self.limit.detail);
        for file in files_of_day() {
            self.add_file(&mut day, &files, file)?;
        }
        Ok(Part::new(key, day, &self.query.tables))
    }

    /// Adds what is asked for of a file.
    fn add_file(
        &mut self,
        day: &mut ServiceDay,
        files: &TableFiles<'_>,
        file: &DataFile,
    ) -> Result<(), StoreError> {
        let selection = Selection {
            services: None,
            span_s: self.query.span_s.clone(),
        };
        let Some(table) = Table::timed().find(|table| file.is_of(*table)) else {
            return Ok(());
        };
        let is_asked = self.query.tables.contains(&table);
        let sums = self.sums_of(file, table);
        let is_used = is_asked || !sums.is_empty();
        if !is_used || !is_wanted(file, &selection) {
            return Ok(());
        }
        self.check_files(file.rows)?;
        let mut rows = files.read(file, table, &mut day.texts)?;
        let damaged = |what| StoreError::Damaged {
            name: file.object(files.tenant),
            what,
        };
        let length_s = step_of(file);
        let times = rows.longs("time").to_vec();
        let is_in = |row: usize| selection.has_time(Time::seconds(times[row]), length_s);
        let is_summed = |row: usize| has_sums(file, Time::seconds(times[row]), &selection.span_s);
        for sum in sums {
            let mut left = Rows::new(table);
            left.extend(&rows, |row| is_in(row) && !is_summed(row));
            let mut summed = left.summed(sum, &day.texts, self.first_us());
            self.limit.detail.of_rows(&mut summed, &mut day.texts);
            day.add_counts(&summed, |_| true).map_err(damaged)?;
        }
        if is_asked {
            if table == Table::Hourly {
                let first_us = self.first_us();
                rows.map_longs("time", |hour| hour.max(first_us));
            }
            self.limit.detail.of_rows(&mut rows, &mut day.texts);
            let is_wanted = |row: usize| match table {
                Table::Hourly => is_summed(row),
                _ => is_in(row),
            };
            day.add_counts(&rows, is_wanted).map_err(damaged)?;
        }
        day.fit(&mut self.limit)
    }

    /// Returns the sums that are asked for and have to be made of a file's samples.
    fn sums_of(&self, file: &DataFile, table: Table) -> Vec<Table> {
        let Some((least, greatest)) = file.times_us.filter(|_| table == Table::Samples) else {
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
        let asked = Table::SUMS.into_iter();
        let asked = asked.filter(|sum| self.query.tables.contains(sum));
        asked.filter(is_left).collect()
    }

    /// Returns the first minute that is asked for, in microseconds.
    fn first_us(&self) -> i64 {
        Time::micros(self.query.span_s.start / BUCKET_S * BUCKET_S)
    }
}

/// True if rows of the tables refer to frames or stacks.
fn have_ids(tables: &[Table]) -> bool {
    tables.iter().any(|table| table.has_ids())
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

fn key_of(file: &DataFile) -> DayKey {
    DayKey {
        day: file.day.clone(),
        service: file.service.clone(),
    }
}

/// Returns the length of a step of time in a file, in seconds.
fn step_of(file: &DataFile) -> u64 {
    let is_by_minute = file.is_of(Table::Samples) || file.is_of(Table::Totals);
    match file.level != DAYS && is_by_minute {
        true => BUCKET_S,
        false => HOUR_S,
    }
}

/// True if a file has rows of counts that are asked for.
fn is_wanted(file: &DataFile, selection: &Selection) -> bool {
    let Some((least, greatest)) = file.times_us else {
        return false;
    };
    let (least, greatest) = (Time::seconds(least), Time::seconds(greatest));
    let length_s = (greatest - least.min(greatest)) + step_of(file);
    selection.has_service(&file.service) && selection.has_time(least, length_s)
}
