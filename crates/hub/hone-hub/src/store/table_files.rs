//! Files of tables: written before they are committed, read into days of services.

use std::cell::RefCell;
use std::sync::Arc;

use super::detail::Merged;
use super::error::{StoreError, Tried};
use super::hive;
use super::journal::{DataFile, State};
use super::objects::{Listed, Objects, read_together};
use super::parquet_files;
use super::prefetch::{Ahead, Ready, read_whole};
use super::rows::{Rows, Texts};
use super::service_day::{DayKey, ServiceDay, TakeRows};
use super::tables::Table;

/// Files of hours: rows as the hosts sent them.
pub(crate) const HOURS: u8 = 1;
/// Files of days: rows without hosts.
pub(crate) const DAYS: u8 = 2;

/// The files of a tenant.
pub(crate) struct TableFiles<'a> {
    objects: &'a Arc<dyn Objects>,
    tenant: &'a str,
    /// Files that were read before they were asked for.
    ready: RefCell<Ready>,
}

impl<'a> TableFiles<'a> {
    pub(crate) fn new(objects: &'a Arc<dyn Objects>, tenant: &'a str) -> Self {
        Self {
            objects,
            tenant,
            ready: RefCell::default(),
        }
    }

    /// Waits for files that are read ahead.
    pub(crate) fn with(self, ahead: Option<Ahead>) -> Result<Self, StoreError> {
        let ready = ahead.map(Ahead::ready).transpose()?;
        Ok(Self {
            ready: RefCell::new(ready.unwrap_or_default()),
            ..self
        })
    }

    /// Begins to read files, if they are not too many.
    pub(crate) fn ahead<'f>(&self, files: impl Iterator<Item = &'f DataFile>) -> Option<Ahead> {
        Ahead::begin(self.objects, files.map(|file| self.listed(file)).collect())
    }

    fn listed(&self, file: &DataFile) -> Listed {
        Listed {
            name: file.object(self.tenant),
            bytes: file.bytes,
        }
    }

    /// Writes rows to a new file, which nobody sees before it is committed.
    fn write(
        &self,
        key: &DayKey,
        level: u8,
        rows: &Rows,
        texts: &Texts,
        now_s: u64,
    ) -> Result<DataFile, StoreError> {
        let random = rand::random::<u64>();
        let mut file = DataFile {
            table: rows.table().name().to_owned(),
            path: format!(
                "{}/{now_s:012}-{random:016x}-{level}.parquet",
                hive::folder(&key.day, &key.service)
            ),
            day: key.day.clone(),
            service: key.service.clone(),
            level,
            rows: rows.len() as u64,
            bytes: 0,
            times_us: least_and_greatest(rows.longs("time")),
            is_summed: false,
        };
        let name = file.object(self.tenant);
        let bytes = parquet_files::write(rows, texts).map_err(|error| StoreError::Damaged {
            name: name.clone(),
            what: error.to_string(),
        })?;
        file.bytes = bytes.len() as u64;
        self.objects.put(&name, &bytes).tried("write", &name)?;
        Ok(file)
    }

    /// Writes the rows of a day of a service; sums come after the rows that they are of.
    pub(crate) fn write_all(
        &self,
        key: &DayKey,
        level: u8,
        tables: &[Rows],
        texts: &Texts,
        now_s: u64,
    ) -> Result<Vec<DataFile>, StoreError> {
        let mut files: Vec<DataFile> = Vec::new();
        for rows in tables {
            let mut file = self.write(key, level, rows, texts, now_s)?;
            file.is_summed = rows.table().sums().next().is_some();
            if let Some(source) = rows.table().source() {
                let source = files.iter().find(|file| file.is_of(source));
                file.times_us = source.and_then(|source| source.times_us);
            }
            files.push(file);
        }
        Ok(files)
    }

    /// Reads a file.
    pub(crate) fn read(
        &self,
        file: &DataFile,
        table: Table,
        texts: &mut Texts,
    ) -> Result<Rows, StoreError> {
        let bytes = self.fetch([file])?.swap_remove(0);
        self.rows(file, bytes, table, &Merged::default(), texts)
    }

    /// Reads the bytes of files, in their order.
    pub(crate) fn fetch<'f>(
        &self,
        files: impl IntoIterator<Item = &'f DataFile>,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut ready = self.ready.take();
        let files: Vec<Listed> = files.into_iter().map(|file| self.listed(file)).collect();
        let is_there = |file: &&Listed| ready.contains_key(&file.name);
        let missing: Vec<Listed> = files
            .iter()
            .filter(|file| !is_there(file))
            .cloned()
            .collect();
        let read = read_whole(self.objects.as_ref(), &missing)?;
        ready.extend(missing.into_iter().map(|file| file.name).zip(read));
        let taken = files.iter().map(|file| ready.remove(&file.name));
        let taken = taken.map(Option::unwrap_or_default).collect();
        self.ready.replace(ready);
        Ok(taken)
    }

    /// Returns the rows in the bytes of a file but for texts that are `merged`, which are empty.
    pub(crate) fn rows(
        &self,
        file: &DataFile,
        bytes: Vec<u8>,
        table: Table,
        merged: &Merged,
        texts: &mut Texts,
    ) -> Result<Rows, StoreError> {
        let name = file.object(self.tenant);
        let mut rows = parquet_files::read(bytes, table, merged, texts, &name)?;
        merged.of_rows(&mut rows, texts);
        if rows.len() as u64 != file.rows {
            return Err(StoreError::Damaged {
                name,
                what: format!("it has {} rows instead of {}", rows.len(), file.rows),
            });
        }
        Ok(rows)
    }

    /// Reads the frames and stacks of a day of a service.
    pub(crate) fn day(&self, state: &State, key: &DayKey) -> Result<ServiceDay, StoreError> {
        let mut texts = Texts::default();
        let frames = self.all_rows(state, key, Table::Frames, &mut texts)?;
        let stacks = self.all_rows(state, key, Table::Stacks, &mut texts)?;
        ServiceDay::new(texts, frames, stacks, key)
    }

    /// Reads the ids of frames and stacks of a day of a service, for rows that come to it.
    pub(crate) fn day_of_new_rows(
        &self,
        state: &State,
        key: &DayKey,
    ) -> Result<ServiceDay, StoreError> {
        let mut texts = Texts::default();
        let frames = self.all_rows(state, key, Table::Frames, &mut texts)?;
        ServiceDay::of_new_rows(texts, frames, key, |texts, take| {
            self.each_rows(state, key, Table::Stacks, texts, take)
        })
    }

    /// Reads all rows of a table in a day of a service.
    fn all_rows(
        &self,
        state: &State,
        key: &DayKey,
        table: Table,
        texts: &mut Texts,
    ) -> Result<Rows, StoreError> {
        let mut all = Rows::new(table);
        self.each_rows(state, key, table, texts, &mut |rows| {
            all.append(rows);
            Ok(())
        })?;
        Ok(all)
    }

    /// Reads the rows of a table in a day of a service, file by file.
    fn each_rows(
        &self,
        state: &State,
        key: &DayKey,
        table: Table,
        texts: &mut Texts,
        take: &mut TakeRows<'_>,
    ) -> Result<(), StoreError> {
        let files = state.files_of(&key.day, &key.service);
        let files: Vec<&DataFile> = files.filter(|file| file.is_of(table)).collect();
        for files in read_together(&files, |file| file.bytes) {
            for (file, bytes) in files.iter().zip(self.fetch(files.iter().copied())?) {
                take(self.rows(file, bytes, table, &Merged::default(), texts)?)?;
            }
        }
        Ok(())
    }

    /// Removes files that were not committed and never will be. What cannot be removed is found by retention.
    pub(crate) fn discard(&self, files: &[DataFile]) {
        for file in files {
            let _ = self.objects.delete(&file.object(self.tenant));
        }
    }
}

fn least_and_greatest(values: &[i64]) -> Option<(i64, i64)> {
    Some((*values.iter().min()?, *values.iter().max()?))
}
