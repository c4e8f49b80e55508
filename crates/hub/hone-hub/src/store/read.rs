//! Questions: what files and segments hold of a time, one day of a service after the other.

mod parts;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::batches;
use super::compact::TakenRuns;
use super::detail::{Merged, RowLimit};
use super::error::{StoreError, Tried};
use super::journal::{DataFile, State};
use super::limits::READ_ATTEMPTS_MAX;
use super::objects::read_together;
use super::segments::{self, Recent, Stretch};
use super::service_day::{DayKey, Selection, ServiceDay, ServiceDays};
use super::table_files::{DAYS, TableFiles};
use super::tables::Table;
use super::time::{HOUR_S, Time};
use super::{Store, check_tenant};
use hone_batch::{BUCKET_S, GroupField};
pub use parts::Parts;

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
    /// Columns of texts that are empty in the answer: rows that differ in them alone are added up.
    pub merged: &'static [GroupField],
    /// Hosts that are told apart all the same, where `merged` names their column.
    pub hosts_apart: Vec<String>,
}

impl Query {
    fn merged(&self) -> Merged {
        Merged {
            fields: self.merged,
            hosts_apart: self.hosts_apart.clone(),
        }
    }

    fn selection(&self) -> Selection {
        Selection {
            services: self.services.clone(),
            span_s: self.span_s.clone(),
        }
    }
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
        let selection = query.selection();
        self.settled(tenant, |state, recent| {
            let mut limit = limit;
            let stretches = recent.stretches(&selection);
            let taken = self.take(tenant, &state, &stretches, query, &mut limit);
            let from_segments = match taken {
                Err(StoreError::Moving) => return Ok(None),
                taken => taken?,
            };
            let mut days: BTreeMap<DayKey, Option<ServiceDay>> = state
                .files
                .values()
                .filter(|file| is_wanted(file, &selection))
                .map(|file| (key_of(file), None))
                .collect();
            days.extend(from_segments.into_iter().map(|(key, day)| (key, Some(day))));
            Ok(Some(Parts {
                store: self,
                tenant: tenant.to_owned(),
                query: query.clone(),
                limit,
                state,
                days: days.into_iter().peekable(),
                ahead: None,
            }))
        })
    }

    /// Estimates the rows of a table that files have of services in a time, as if those of each file were spread evenly over its
    /// time.
    pub fn file_rows(&self, tenant: &str, query: &Query, table: Table) -> Result<u64, StoreError> {
        check_tenant(tenant)?;
        let selection = query.selection();
        let state = self.journal.refresh(tenant)?;
        Ok(file_rows(&state, &selection, table))
    }

    /// Lists the services of which there is something in a time, with their days.
    pub fn services(&self, tenant: &str, span_s: Range<u64>) -> Result<Vec<Service>, StoreError> {
        check_tenant(tenant)?;
        let selection = Selection {
            services: None,
            span_s,
        };
        let (state, mut days) = self.settled(tenant, |state, recent| {
            Ok(Some((state, recent.days(&selection))))
        })?;
        let files = state.files.values();
        days.extend(files.filter(|file| is_wanted(file, &selection)).map(key_of));
        let mut services: BTreeMap<String, Service> = BTreeMap::new();
        for key in days {
            let files = state.files_of(&key.day, &key.service);
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

    /// Hands over the state and what is in the segments that it does not know, until what is made of it is `Some`: `None` is for
    /// segments that went away meanwhile.
    ///
    /// Segments are listed before the state is read: what is compacted in between is in the state.
    fn settled<T>(
        &self,
        tenant: &str,
        mut make: impl FnMut(Arc<State>, Recent) -> Result<Option<T>, StoreError>,
    ) -> Result<T, StoreError> {
        for _ in 0..READ_ATTEMPTS_MAX {
            let directory = segments::directory(tenant);
            let mut listed = self.objects.list(&directory).tried("list", &directory)?;
            let state = self.journal.refresh(tenant)?;
            listed.retain(|listed| !state.segments.contains(&listed.name));
            let recent = self.index.look(self.objects.as_ref(), tenant, &listed)?;
            let made = match recent {
                Some(recent) => make(state, recent)?,
                None => None,
            };
            match made {
                Some(made) => return Ok(made),
                None => _ = self.journal.reread(tenant)?,
            }
        }
        Err(StoreError::Moving)
    }

    /// Reads what is wanted of the batches in stretches of segments.
    ///
    /// # Errors
    ///
    /// [`StoreError::Moving`] if a segment went away.
    fn take(
        &self,
        tenant: &str,
        state: &State,
        stretches: &[Stretch],
        query: &Query,
        limit: &mut RowLimit,
    ) -> Result<Days, StoreError> {
        let files = TableFiles::new(&self.objects, tenant);
        let mut runs = TakenRuns::default();
        let has_ids = have_ids(&query.tables);
        let selection = query.selection();
        let mut days = ServiceDays::new(has_ids, query.merged(), |key: &DayKey| match has_ids {
            true => files.day(state, key),
            false => Ok(ServiceDay::without_ids()),
        });
        for stretches in read_together(stretches, Stretch::bytes) {
            let parts: Vec<_> = stretches.iter().map(Stretch::part).collect();
            let read = self
                .objects
                .get_ranges(&parts)
                .tried("read", parts[0].name)?;
            for (stretch, bytes) in stretches.iter().zip(read) {
                let bytes = bytes.ok_or(StoreError::Moving)?;
                for frame in stretch.frames(&bytes) {
                    if !runs.add(state, &frame) {
                        continue;
                    }
                    if let Ok(batch) = batches::decode(frame.batch) {
                        days.add(&batch, &selection)?;
                    }
                }
            }
            days.keep(&query.tables);
            days.fit(limit)?;
        }
        Ok(days.into_days())
    }
}

/// True if rows of the tables refer to frames or stacks.
fn have_ids(tables: &[Table]) -> bool {
    tables.iter().any(|table| table.has_ids())
}

fn key_of(file: &DataFile) -> DayKey {
    DayKey {
        day: file.day.clone(),
        service: file.service.clone(),
    }
}

/// Estimates the rows of a table that files have of what is selected.
fn file_rows(state: &State, selection: &Selection, table: Table) -> u64 {
    let files = state.files.values();
    let files = files.filter(|file| file.is_of(table) && is_wanted(file, selection));
    files.map(|file| rows_during(file, &selection.span_s)).sum()
}

/// Estimates the rows that a file has of a time.
fn rows_during(file: &DataFile, span_s: &Range<u64>) -> u64 {
    let Some((least, greatest)) = file.times_us else {
        return 0;
    };
    let (start, end) = (
        Time::seconds(least),
        Time::seconds(greatest) + step_of(file),
    );
    let length = end.saturating_sub(start).max(1);
    let asked = end.min(span_s.end).saturating_sub(start.max(span_s.start));
    (u128::from(file.rows) * u128::from(asked) / u128::from(length)) as u64
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
