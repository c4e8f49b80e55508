//! A day of a service in memory: what batches and files add to it, with the ids of its frames and stacks.
//!
//! Ids go on where the day's files end, and never change: files of the same day can be joined at any time, also by
//! engines that look while compaction works.

mod answer;
mod ids;
mod intake;
mod lookup;
mod samples;
mod translation;

use std::collections::BTreeMap;
use std::mem;

use super::StoreError;
use super::detail::{Detail, Merged, RowLimit};
use super::rows::{Rows, Texts};
use super::tables::Table;
use answer::INNERMOST;
use ids::{Ids, KnownIds};
use samples::NewSamples;

pub use answer::Part;
pub(crate) use intake::Selection;

/// Name of a day of a service.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DayKey {
    /// Day as in `2026-01-31`.
    pub(crate) day: String,
    /// Service; empty if nobody has named it.
    pub(crate) service: String,
}

/// Takes rows of a file.
pub(crate) type TakeRows<'a> = dyn FnMut(Rows) -> Result<(), StoreError> + 'a;

/// A day of a service.
pub(crate) struct ServiceDay {
    pub(crate) texts: Texts,
    rows: [Rows; Table::ALL.len()],
    /// Samples that are not in the rows yet.
    new_samples: NewSamples,
    ids: Ids,
    /// Number of rows beyond which they are added up.
    due: usize,
}

impl ServiceDay {
    /// Makes a day of the frames and stacks that its files hold, in any order.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if their ids are not those from 0 to their number, or frames of stacks are not there.
    pub(crate) fn new(
        texts: Texts,
        mut frames: Rows,
        mut stacks: Rows,
        key: &DayKey,
    ) -> Result<Self, StoreError> {
        frames.add_up(&texts);
        stacks.add_up(&texts);
        let ids = Ids::new(&frames, &stacks).ok_or_else(|| damaged(key))?;
        let mut day = Self::with_ids(texts, ids);
        day.rows[Table::Frames as usize] = frames;
        day.rows[Table::Stacks as usize] = stacks;
        Ok(day)
    }

    /// Makes a day for what its files do not hold yet: it has no rows of the frames and stacks that they do, and knows their ids.
    /// Frames are in any order; `each_stacks` hands over rows of stacks, in any order too.
    ///
    /// # Errors
    ///
    /// Those of [`ServiceDay::new`] and of `each_stacks`.
    pub(crate) fn of_new_rows(
        mut texts: Texts,
        mut frames: Rows,
        key: &DayKey,
        each_stacks: impl FnOnce(&mut Texts, &mut TakeRows<'_>) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        frames.add_up(&texts);
        let mut known = KnownIds::new(&frames).ok_or_else(|| damaged(key))?;
        each_stacks(&mut texts, &mut |rows| {
            known.add(&rows).ok_or_else(|| damaged(key))
        })?;
        let ids = known.into_ids().ok_or_else(|| damaged(key))?;
        Ok(Self::with_ids(texts, ids))
    }

    /// Makes a day without the frames and stacks that its files hold: for tables that do not refer to them.
    pub(crate) fn without_ids() -> Self {
        Self::with_ids(Texts::default(), Ids::default())
    }

    fn with_ids(texts: Texts, ids: Ids) -> Self {
        Self {
            texts,
            rows: Table::ALL.map(Rows::new),
            new_samples: NewSamples::default(),
            ids,
            due: 0,
        }
    }

    /// Adds rows of counts whose texts are numbered by this day's; the error says what is wrong with them.
    pub(crate) fn add_counts(
        &mut self,
        rows: Rows,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        let frames = ["from_frame", "to_frame", "first_frame", "last_frame"];
        let stacks = [("stack", Table::Stacks)].into_iter();
        for (column, table) in stacks.chain(frames.map(|frame| (frame, Table::Frames))) {
            let ids = 0..self.rows[table as usize].len() as i32;
            if !rows.ints(column).iter().all(|id| ids.contains(id)) {
                return Err(format!("{column} refers to what is not there"));
            }
        }
        let places = INNERMOST..self.rows[Table::Frames as usize].len() as i32;
        if !rows.ints("ip_frame").iter().all(|id| places.contains(id)) {
            return Err("ip_frame refers to what is not there".into());
        }
        let known = &mut self.rows[rows.table() as usize];
        match (0..rows.len()).all(&is_wanted) {
            true => known.append(rows),
            false => known.extend(&rows, is_wanted),
        }
        Ok(())
    }

    /// Returns the number of all rows.
    fn count_rows(&self) -> usize {
        let rows: usize = self.rows.iter().map(Rows::len).sum();
        rows + self.new_samples.len()
    }

    /// Adds up new samples, and all rows of counts and sums.
    pub(crate) fn add_up(&mut self) {
        self.new_samples.add_up(&self.texts);
        for table in Table::timed() {
            self.rows[table as usize].add_up(&self.texts);
        }
    }

    /// Forgets the rows of other tables of counts and sums.
    pub(crate) fn keep(&mut self, tables: &[Table]) {
        for table in Table::timed().filter(|table| !tables.contains(table)) {
            self.forget(table);
        }
    }

    /// Forgets the rows of a table.
    fn forget(&mut self, table: Table) {
        self.rows[table as usize] = Rows::new(table);
        if table == Table::Samples {
            self.new_samples = NewSamples::default();
        }
    }

    /// Leaves out what a detail does not have.
    pub(crate) fn coarsen(&mut self, detail: Detail) {
        self.new_samples.coarsen(detail, &mut self.texts);
        for table in Table::timed() {
            detail.of_rows(&mut self.rows[table as usize], &mut self.texts);
        }
    }

    /// Adds up when there are many rows, and gives up detail while there are too many.
    pub(crate) fn fit(&mut self, limit: &mut RowLimit) -> Result<(), StoreError> {
        self.due = limit.fit(self.count_rows(), self.due, |detail| {
            self.coarsen(detail);
            self.add_up();
            self.count_rows()
        })?;
        Ok(())
    }

    /// Makes rows of sums with times from `from_us` on, and of new samples, if these tables are wanted.
    pub(crate) fn make_rows(&mut self, tables: &[Table], from_us: i64) {
        let samples = mem::take(&mut self.new_samples);
        let is_wanted = |sum: &Table| tables.contains(sum);
        for sum in Table::Samples.sums().filter(is_wanted) {
            self.rows[sum as usize] = samples.summed(sum, &mut self.texts, from_us);
        }
        for source in [Table::Branches, Table::Ranges] {
            for sum in source.sums().filter(is_wanted) {
                let summed = self.rows[source as usize].summed(sum, &self.texts, from_us);
                self.rows[sum as usize] = summed;
            }
        }
        if tables.contains(&Table::Samples) {
            self.rows[Table::Samples as usize] = samples.into_rows(&self.texts);
        }
    }

    /// Returns the rows of a day for what its files do not hold yet, added up, with all sums.
    pub(crate) fn into_rows(mut self) -> (Texts, Vec<Rows>) {
        self.ids = Ids::default();
        self.add_up();
        self.make_rows(&Table::ALL, i64::MIN);
        let rows = self.rows.into_iter().filter(|rows| !rows.is_empty());
        (self.texts, rows.collect())
    }
}

fn damaged(key: &DayKey) -> StoreError {
    StoreError::Damaged {
        name: format!("day {} of the service {:?}", key.day, key.service),
        what: "ids of frames or stacks are missing or doubled".to_owned(),
    }
}

/// Days of services that batches are added to.
pub(crate) struct ServiceDays<L> {
    load: L,
    /// False if frames and stacks do not matter: then samples have none, and there are no branches.
    has_ids: bool,
    merged: Merged,
    slots: BTreeMap<DayKey, usize>,
    days: Vec<ServiceDay>,
    /// Number of rows beyond which they are added up.
    due: usize,
}

impl<L: FnMut(&DayKey) -> Result<ServiceDay, StoreError>> ServiceDays<L> {
    /// Makes no days; `load` brings what the files of a day hold. Without `has_ids`, frames and stacks are left out.
    pub(crate) fn new(has_ids: bool, merged: Merged, load: L) -> Self {
        Self {
            load,
            has_ids,
            merged,
            slots: BTreeMap::new(),
            days: Vec::new(),
            due: 0,
        }
    }

    fn slot(&mut self, key: &DayKey) -> Result<usize, StoreError> {
        if let Some(slot) = self.slots.get(key) {
            return Ok(*slot);
        }
        self.days.push((self.load)(key)?);
        self.slots.insert(key.clone(), self.days.len() - 1);
        Ok(self.days.len() - 1)
    }

    /// Forgets the rows of other tables of counts, but those whose sums are wanted.
    pub(crate) fn keep(&mut self, tables: &[Table]) {
        for table in Table::COUNTS {
            let is_summed = table.sums().any(|sum| tables.contains(&sum));
            if !tables.contains(&table) && !is_summed {
                for day in &mut self.days {
                    day.forget(table);
                }
            }
        }
    }

    /// Does the same as [`ServiceDay::fit`] for all days together.
    pub(crate) fn fit(&mut self, limit: &mut RowLimit) -> Result<(), StoreError> {
        let count = |days: &[ServiceDay]| days.iter().map(ServiceDay::count_rows).sum();
        self.due = limit.fit(count(&self.days), self.due, |detail| {
            for day in &mut self.days {
                day.coarsen(detail);
                day.add_up();
            }
            count(&self.days)
        })?;
        Ok(())
    }

    /// Returns the days, in order.
    pub(crate) fn into_days(self) -> BTreeMap<DayKey, ServiceDay> {
        let mut days: Vec<Option<ServiceDay>> = self.days.into_iter().map(Some).collect();
        let taken = self.slots.into_iter();
        taken
            .filter_map(|(key, slot)| Some((key, days[slot].take()?)))
            .collect()
    }
}
