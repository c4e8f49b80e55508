//! How the rows of a batch are added to days of services.

use std::ops::Range;

use hone_batch::{BUCKET_S, Batch, EventIndex, FrameIndex, GroupIndex, Place, PlaceIndex};
use rustc_hash::FxHashMap;

use super::super::StoreError;
use super::super::rows::{Cell, Rows};
use super::super::tables::Table;
use super::super::time::{HOUR_S, Time, day_of};
use super::answer::{INNERMOST, kind_name, labels_text};
use super::ids::FrameKey;
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

/// In place of the number of what was not translated yet.
const UNKNOWN: i32 = -1;

/// Numbers that the parts of a batch have in one of the days that it goes to, at the positions that they have in the batch.
struct Translated {
    places: Vec<i32>,
    /// By the innermost frame, without callers and with them.
    stacks: [Vec<i32>; 2],
    groups: Vec<Option<[u32; 5]>>,
    events: Vec<Option<u32>>,
    binaries: Vec<Option<[u32; 3]>>,
}

impl Translated {
    fn new(batch: &Batch) -> Self {
        let unknown = |count| vec![UNKNOWN; count];
        Self {
            places: unknown(batch.places.len()),
            stacks: [unknown(batch.frames.len()), unknown(batch.frames.len())],
            groups: vec![None; batch.groups.len()],
            events: vec![None; batch.events.len()],
            binaries: vec![None; batch.binaries.len()],
        }
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
    /// Frames of the stack that is looked up.
    stack: Vec<i32>,
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
            stack: Vec::new(),
        };
        intake.samples()?;
        let hour_s = batch.span_s.start / HOUR_S * HOUR_S;
        if selection.has_time(hour_s, HOUR_S) {
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
    fn samples(&mut self) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.samples {
            let time_s = row.bucket * BUCKET_S;
            if !self.selection.has_time(time_s, BUCKET_S) {
                continue;
            }
            let Some(slot) = self.slot(time_s, row.group)? else {
                continue;
            };
            let [event, branches] = self.event(slot, row.event);
            let [build, container, host, thread, labels] = self.group(slot, row.group);
            let (stack, ip) = match self.days.has_ids {
                true => (
                    self.stack(slot, row.stack, row.is_leaf_only),
                    row.ip.map_or(INNERMOST, |ip| self.place(slot, ip)),
                ),
                false => (0, INNERMOST),
            };
            self.rows(slot, Table::Samples).push([
                event,
                branches,
                build,
                container,
                host,
                thread,
                labels,
                Cell::Int(stack),
                Cell::Int(ip),
                Cell::Int(row.has_branches.into()),
                Cell::Long(Time::micros(time_s)),
                count(row.times),
                count(row.weight),
            ]);
        }
        Ok(())
    }

    fn branches(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.branches {
            let places = [row.from, row.to];
            let counts = [count(row.taken), count(row.mispredicted)];
            self.pair(Table::Branches, hour_s, row.group, places, &counts)?;
        }
        Ok(())
    }

    fn ranges(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.ranges {
            let places = [row.first, row.last];
            self.pair(
                Table::Ranges,
                hour_s,
                row.group,
                places,
                &[count(row.times)],
            )?;
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
        counts: &[Cell<'_>],
    ) -> Result<(), StoreError> {
        let Some(slot) = self.slot(hour_s, group)? else {
            return Ok(());
        };
        let places = places.map(|place| Cell::Int(self.place(slot, place)));
        let group = self.group(slot, group);
        let time = [Cell::Long(Time::micros(hour_s))];
        let cells = group.into_iter().chain(time).chain(places);
        self.rows(slot, table)
            .push(cells.chain(counts.iter().copied()));
        Ok(())
    }

    fn records(&mut self, hour_s: u64) -> Result<(), StoreError> {
        let batch = self.batch;
        for row in &batch.records {
            let Some(slot) = self.slot(hour_s, row.group)? else {
                continue;
            };
            let event = self.event(slot, row.event);
            let group = self.group(slot, row.group);
            let counts = [row.samples, row.branches, row.repeated].map(count);
            let time = [Cell::Long(Time::micros(hour_s))];
            let cells = event.into_iter().chain(group).chain(time).chain(counts);
            self.rows(slot, Table::Records).push(cells);
        }
        Ok(())
    }

    fn rows(&mut self, slot: usize, table: Table) -> &mut Rows {
        &mut self.days.days[slot].rows[table as usize]
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

    /// Returns an event as cells: its name and its branch stacks.
    fn event(&mut self, slot: usize, index: EventIndex) -> [Cell<'static>; 2] {
        let event = &self.batch.events[index.index()];
        let texts = &mut self.days.days[slot].texts;
        let name = &mut translated(&mut self.translated, slot).events[index.index()];
        let name = *name.get_or_insert_with(|| texts.number(&event.name));
        let bits = event.branches.bits().map_or(-1, |bits| bits as i64);
        [Cell::Text(name), Cell::Long(bits)]
    }

    fn group(&mut self, slot: usize, index: GroupIndex) -> [Cell<'static>; 5] {
        let group = &self.batch.groups[index.index()];
        let texts = &mut self.days.days[slot].texts;
        let sender = &self.batch.origin.host;
        let merged = self.days.merged;
        let numbers = &mut translated(&mut self.translated, slot).groups[index.index()];
        let numbers = numbers.get_or_insert_with(|| {
            let host = if group.host.is_empty() {
                sender
            } else {
                &group.host
            };
            let parts = [
                ("build", &*group.build),
                ("container", &*group.container),
                ("host", &**host),
                ("thread", &*group.thread),
                ("labels", &*labels_text(&group.labels)),
            ];
            parts.map(|(column, text)| match merged.contains(&column) {
                true => texts.number(""),
                false => texts.number(text),
            })
        });
        numbers.map(Cell::Text)
    }

    fn place(&mut self, slot: usize, index: PlaceIndex) -> i32 {
        let translated = translated(&mut self.translated, slot);
        let day = &mut self.days.days[slot];
        place(self.batch, translated, day, index)
    }

    fn stack(&mut self, slot: usize, leaf: FrameIndex, is_leaf_only: bool) -> i32 {
        let translated = translated(&mut self.translated, slot);
        let known = translated.stacks[usize::from(is_leaf_only)][leaf.index()];
        if known != UNKNOWN {
            return known;
        }
        let day = &mut self.days.days[slot];
        self.stack.clear();
        let mut next = Some(leaf);
        while let Some(index) = next {
            let frame = self.batch.frames[index.index()];
            let place = place(self.batch, translated, day, frame.place);
            self.stack.push(place);
            next = frame.caller;
        }
        let rows = &mut day.rows[Table::Stacks as usize];
        let id = day.ids.stack(is_leaf_only, &self.stack, rows);
        translated.stacks[usize::from(is_leaf_only)][leaf.index()] = id;
        id
    }
}

/// Returns the numbers of a day that [`Intake::slot`] gave.
fn translated(days: &mut FxHashMap<usize, Translated>, slot: usize) -> &mut Translated {
    days.get_mut(&slot)
        .expect("a slot is translated when it is given")
}

/// Returns the id of a place's frame in a day.
fn place(
    batch: &Batch,
    translated: &mut Translated,
    day: &mut ServiceDay,
    index: PlaceIndex,
) -> i32 {
    let known = translated.places[index.index()];
    if known != UNKNOWN {
        return known;
    }
    let texts = &mut day.texts;
    let (binary, file_offset, name) = match batch.places[index.index()] {
        Place::Code { binary, offset } => (binary, offset as i64, None),
        Place::Named { binary, name } => (binary, 0, Some(&batch.names[name.index()])),
    };
    let numbers = &mut translated.binaries[binary.index()];
    let [file, file_build, file_kind] = *numbers.get_or_insert_with(|| {
        let binary = &batch.binaries[binary.index()];
        let build = binary.build_id.as_ref();
        let build = build.map_or_else(String::new, ToString::to_string);
        [&*binary.path, &*build, kind_name(binary.kind)].map(|text| texts.number(text))
    });
    let key = FrameKey {
        file,
        file_build,
        file_kind,
        is_named: name.is_some(),
        file_offset,
        name: texts.number(name.map_or("", String::as_str)),
    };
    let id = day.ids.frame(key, &mut day.rows[Table::Frames as usize]);
    translated.places[index.index()] = id;
    id
}

/// Returns a count as a signed number; what is larger becomes the largest.
fn count(number: u64) -> Cell<'static> {
    Cell::Long(i64::try_from(number).unwrap_or(i64::MAX))
}
