//! How the rows of a batch are added to days of services.

use std::ops::Range;

use hone_batch::{BUCKET_S, Batch, EventIndex, GroupField, GroupIndex, PlaceIndex, Samples};
use rustc_hash::FxHashMap;

use super::super::StoreError;
use super::super::rows::{Cell, Rows};
use super::super::tables::{GROUP_NAMES, Table};
use super::super::time::{HOUR_S, Time, day_of};
use super::answer::{INNERMOST, labels_text};
use super::samples::{Common, Sample};
use super::translation::Translated;
use super::{DayKey, ServiceDay, ServiceDays};

/// What of the batches is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// Services; `None` for all.
    pub(crate) services: Option<Vec<String>>,
    /// Time in seconds since 1970.
    pub(crate) span_s: Range<u64>,
}

impl Selection {
    /// Everything.
    pub(crate) const ALL: Self = Self {
        services: None,
        span_s: 0..u64::MAX,
    };

    /// True if the service is wanted.
    pub(crate) fn has_service(&self, service: &str) -> bool {
        let services = self.services.as_ref();
        services.is_none_or(|services| services.iter().any(|wanted| wanted == service))
    }

    /// True if a part of the time from `start_s` on is wanted.
    pub(crate) fn has_time(&self, start_s: u64, length_s: u64) -> bool {
        start_s < self.span_s.end && start_s.saturating_add(length_s) > self.span_s.start
    }
}

/// A batch on its way into the days.
struct Intake<'a, L> {
    batch: &'a Batch,
    selection: &'a Selection,
    days: &'a mut ServiceDays<L>,
    /// By the number of the day.
    translated: FxHashMap<usize, Translated>,
    /// Numbers of the days by day since 1970 and group; `None` where the service is not wanted.
    slots: FxHashMap<(u64, GroupIndex), Option<usize>>,
}

impl<L: FnMut(&DayKey) -> Result<ServiceDay, StoreError>> ServiceDays<L> {
    /// Adds what is wanted of a batch whose tables were checked.
    pub(crate) fn add(&mut self, batch: &Batch, selection: &Selection) -> Result<(), StoreError> {
        let mut intake = Intake {
            batch,
            selection,
            days: self,
            translated: FxHashMap::default(),
            slots: FxHashMap::default(),
        };
        let hour_s = batch.span_s.start / HOUR_S * HOUR_S;
        let hour_s = selection.has_time(hour_s, HOUR_S).then_some(hour_s);
        if intake.days.has_ids {
            intake.look_up(hour_s)?;
        }
        intake.samples()?;
        if let Some(hour_s) = hour_s {
            if intake.days.has_ids {
                intake.branches(hour_s)?;
                intake.ranges(hour_s)?;
            }
            intake.records(hour_s)?;
        }
        Ok(())
    }
}

impl<L: FnMut(&DayKey) -> Result<ServiceDay, StoreError>> Intake<'_, L> {
    /// Looks up the places and stacks of all rows, those of branches and ranges in the hour if that is wanted.
    fn look_up(&mut self, hour_s: Option<u64>) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.samples {
            if let Some(slot) = self.sample_slot(row)? {
                let translated = self.translated(slot);
                translated.want_stack(batch, row.stack, row.is_leaf_only);
                if let Some(ip) = row.ip {
                    translated.want_place(ip);
                }
            }
        }
        if let Some(hour_s) = hour_s {
            let branches = batch
                .branches
                .iter()
                .map(|row| (row.group, [row.from, row.to]));
            let ranges = batch
                .ranges
                .iter()
                .map(|row| (row.group, [row.first, row.last]));
            for (group, places) in branches.chain(ranges) {
                if let Some(slot) = self.slot(hour_s, group)? {
                    let translated = self.translated(slot);
                    for place in places {
                        translated.want_place(place);
                    }
                }
            }
        }
        for (slot, translated) in &mut self.translated {
            translated.look_up(batch, &mut self.days.days[*slot]);
        }
        Ok(())
    }

    fn samples(&mut self) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.samples {
            let Some(slot) = self.sample_slot(row)? else {
                continue;
            };
            let common = self.common(slot, row);
            let (stack, ip_frame) = match self.days.has_ids {
                true => {
                    let translated = self.translated(slot);
                    let stack = translated.stack(row.stack, row.is_leaf_only);
                    (stack, row.ip.map_or(INNERMOST, |ip| translated.place(ip)))
                }
                false => (0, INNERMOST),
            };
            self.days.days[slot].new_samples.push(Sample {
                common,
                stack,
                ip_frame,
                has_branches: row.has_branches,
                bucket: row.bucket,
                times: count(row.times),
                weight: count(row.weight),
            });
        }
        Ok(())
    }

    fn branches(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.branches {
            let places = [row.from, row.to];
            let counts = [row.taken, row.mispredicted];
            self.pair(Table::Branches, hour_s, row.group, places, &counts)?;
        }
        Ok(())
    }

    fn ranges(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.ranges {
            let places = [row.first, row.last];
            self.pair(Table::Ranges, hour_s, row.group, places, &[row.times])?;
        }
        Ok(())
    }

    /// Adds a row that counts a pair of places.
    fn pair(
        &mut self,
        table: Table,
        hour_s: u64,
        group: GroupIndex,
        places: [PlaceIndex; 2],
        counts: &[u64],
    ) -> Result<(), StoreError> {
        let Some(slot) = self.slot(hour_s, group)? else {
            return Ok(());
        };
        let translated = self.translated(slot);
        let places = places.map(|place| Cell::Int(translated.place(place)));
        let group = self.group(slot, group).map(Cell::Text);
        let time = [Cell::Long(Time::micros(hour_s))];
        let cells = group.into_iter().chain(time).chain(places);
        let counts = counts.iter().map(|number| Cell::Long(count(*number)));
        self.rows(slot, table).push(cells.chain(counts));
        Ok(())
    }

    fn records(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.records {
            let Some(slot) = self.slot(hour_s, row.group)? else {
                continue;
            };
            let (event, event_branches) = self.event(slot, row.event);
            let event = [Cell::Text(event), Cell::Long(event_branches)];
            let group = self.group(slot, row.group).map(Cell::Text);
            let counts = [row.samples, row.branches, row.repeated];
            let counts = counts.map(|number| Cell::Long(count(number)));
            let time = [Cell::Long(Time::micros(hour_s))];
            let cells = event.into_iter().chain(group).chain(time).chain(counts);
            self.rows(slot, Table::Records).push(cells);
        }
        Ok(())
    }

    fn rows(&mut self, slot: usize, table: Table) -> &mut Rows {
        &mut self.days.days[slot].rows[table as usize]
    }

    /// Returns the day that a row of samples belongs to; `None` if it is not wanted.
    fn sample_slot(&mut self, row: &Samples) -> Result<Option<usize>, StoreError> {
        let time_s = row.bucket * BUCKET_S;
        match self.selection.has_time(time_s, BUCKET_S) {
            true => self.slot(time_s, row.group),
            false => Ok(None),
        }
    }

    /// Returns the day that a row belongs to; `None` if its service is not wanted.
    fn slot(&mut self, time_s: u64, group: GroupIndex) -> Result<Option<usize>, StoreError> {
        let key = (time_s / 86_400, group);
        if let Some(slot) = self.slots.get(&key) {
            return Ok(*slot);
        }
        let service = &self.batch.groups[group.index()].service;
        let slot = if self.selection.has_service(service) {
            Some(self.days.slot(&DayKey {
                day: day_of(time_s),
                service: service.clone(),
            })?)
        } else {
            None
        };
        if let Some(slot) = slot {
            let translated = self.translated.entry(slot);
            translated.or_insert_with(|| Translated::new(self.batch));
        }
        self.slots.insert(key, slot);
        Ok(slot)
    }

    /// Returns the number of what samples have in common.
    fn common(&mut self, slot: usize, row: &Samples) -> u32 {
        let key = (row.event, row.group);
        if let Some(number) = self.translated(slot).commons.get(&key) {
            return *number;
        }
        let (event, event_branches) = self.event(slot, row.event);
        let common = Common {
            event,
            event_branches,
            group: self.group(slot, row.group),
        };
        let number = self.days.days[slot].new_samples.common(common);
        self.translated(slot).commons.insert(key, number);
        number
    }

    /// Returns an event: its name and its branch stacks.
    fn event(&mut self, slot: usize, index: EventIndex) -> (u32, i64) {
        let event = &self.batch.events[index.index()];
        let texts = &mut self.days.days[slot].texts;
        let name = &mut translated(&mut self.translated, slot).events[index.index()];
        let name = *name.get_or_insert_with(|| texts.number(&event.name));
        let bits = event.branches.bits().map_or(-1, |bits| bits as i64);
        (name, bits)
    }

    fn group(&mut self, slot: usize, index: GroupIndex) -> [u32; GROUP_NAMES.len()] {
        let group = &self.batch.groups[index.index()];
        let texts = &mut self.days.days[slot].texts;
        let sender = &self.batch.origin.host;
        let merged = &self.days.merged;
        let numbers = &mut translated(&mut self.translated, slot).groups[index.index()];
        *numbers.get_or_insert_with(|| {
            let host = if group.host.is_empty() {
                sender
            } else {
                &group.host
            };
            let labels = labels_text(&group.labels);
            GROUP_NAMES.map(|name| {
                let text = match GroupField::named(name) {
                    Some(GroupField::Host) => host,
                    Some(field) => field.of(group),
                    None => &labels,
                };
                texts.number(match merged.has_text(name, text) {
                    true => "",
                    false => text,
                })
            })
        })
    }

    /// Returns the numbers of a day that [`Intake::slot`] gave.
    fn translated(&mut self, slot: usize) -> &mut Translated {
        translated(&mut self.translated, slot)
    }
}

/// Returns the numbers of a day that [`Intake::slot`] gave.
fn translated(days: &mut FxHashMap<usize, Translated>, slot: usize) -> &mut Translated {
    days.get_mut(&slot)
        .expect("a slot is translated when it is given")
}

/// Returns a count as a signed number; what is larger becomes the largest.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
