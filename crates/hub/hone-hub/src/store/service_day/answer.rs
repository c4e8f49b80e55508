//! What is answered of a day of a service: its rows, and the same as a batch.

use std::ops::Range;

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupField,
    GroupIndex, NameIndex, Place, PlaceIndex, Ranges, Records, Samples,
};
use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event, Label, Labels};
use rustc_hash::FxHashMap;

use super::super::rows::{Rows, Texts};
use super::super::tables::{GROUP_NAMES, Table};
use super::super::time::Time;
use super::{DayKey, ServiceDay};

/// Names of the kinds of files in the table of frames.
const KINDS: [(BinaryKind, &str); 5] = [
    (BinaryKind::File, "file"),
    (BinaryKind::Kernel, "kernel"),
    (BinaryKind::Vdso, "vdso"),
    (BinaryKind::Anonymous, "anonymous"),
    (BinaryKind::Unmapped, "unmapped"),
];

/// In place of the frame of an instruction that is in the innermost frame of its stack.
pub(super) const INNERMOST: i32 = -1;

/// Returns the name of a kind of file.
pub(super) fn kind_name(kind: BinaryKind) -> &'static str {
    KINDS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("unmapped", |(_, name)| *name)
}

fn kind_named(name: &str) -> BinaryKind {
    KINDS
        .iter()
        .find(|(_, known)| *known == name)
        .map_or(BinaryKind::Unmapped, |(kind, _)| *kind)
}

/// Returns labels as a JSON object, whose values are texts, or lists where a key has several; nothing for no labels.
pub(super) fn labels_text(labels: &Labels) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let mut object = serde_json::Map::new();
    for Label { key, value } in labels.iter() {
        let value = serde_json::Value::from(value.as_ref());
        match object.get_mut(key.as_ref()) {
            None => {
                object.insert(key.to_string(), value);
            }
            Some(serde_json::Value::Array(values)) => values.push(value),
            Some(first) => *first = vec![first.take(), value].into(),
        }
    }
    serde_json::Value::Object(object).to_string()
}

fn labels_of(text: &str) -> Labels {
    let object: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text).unwrap_or_default();
    let mut labels = Vec::new();
    for (key, value) in &object {
        let values = match value {
            serde_json::Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        labels.extend(values.iter().filter_map(|value| {
            Some(Label {
                key: key.as_str().into(),
                value: value.as_str()?.into(),
            })
        }));
    }
    labels.into_iter().collect()
}

/// What the store holds of a day of a service.
///
/// Ids of frames and stacks are positions in their tables, which hold more than the rows of counts need where only a part of
/// the day was asked for. Rows of counts may be equal where several files hold them.
pub struct Part {
    /// Day as in `2026-01-31` (UTC).
    pub day: String,
    /// Service; empty if nobody has named it.
    pub service: String,
    /// Texts that the rows refer to.
    pub texts: Texts,
    rows: [Rows; Table::ALL.len()],
}

impl Part {
    /// Makes a part of a day.
    pub(crate) fn new(key: DayKey, day: ServiceDay) -> Self {
        Self {
            day: key.day,
            service: key.service,
            texts: day.texts,
            rows: day.rows,
        }
    }

    /// Returns the rows of a table; none if the table was not asked for.
    pub fn rows(&self, table: Table) -> &Rows {
        &self.rows[table as usize]
    }

    /// Returns the group of a row of counts.
    pub(crate) fn group_of(&self, rows: &Rows, row: usize) -> Group {
        self.group(GroupColumns::of(rows).key(row))
    }

    fn group(&self, key: GroupKey) -> Group {
        let text = |number: Option<u32>| number.map_or("", |number| self.texts.text(number));
        let mut group = Group {
            service: self.service.clone(),
            ..Group::default()
        };
        for (name, text) in GROUP_NAMES.into_iter().zip(key.map(text)) {
            match GroupField::named(name) {
                Some(field) => *field.of_mut(&mut group) = text.to_owned(),
                None => group.labels = labels_of(text),
            }
        }
        group
    }

    /// Returns the same as a batch without a sender. Time of what is not a sample is lost in it.
    pub fn to_batch(&self) -> Batch {
        self.batch_during(0..u64::MAX)
    }

    /// Returns what began in a time in seconds since 1970, as a batch without a sender.
    pub(crate) fn batch_during(&self, span_s: Range<u64>) -> Batch {
        let mut writer = BatchWriter {
            part: self,
            span_us: Time::micros(span_s.start)..Time::micros(span_s.end),
            batch: Batch::default(),
            events: FxHashMap::default(),
            groups: FxHashMap::default(),
            binaries: FxHashMap::default(),
            stacks: vec![None; self.rows(Table::Stacks).len()],
        };
        writer.places();
        writer.samples();
        writer.branches();
        writer.records();
        writer.batch
    }
}

/// Numbers of a group's texts; `None` for those of columns that a table does not have.
type GroupKey = [Option<u32>; GROUP_NAMES.len()];

/// Columns of groups.
struct GroupColumns<'r>([&'r [u32]; GROUP_NAMES.len()]);

impl<'r> GroupColumns<'r> {
    fn of(rows: &'r Rows) -> Self {
        Self(GROUP_NAMES.map(|column| rows.texts(column)))
    }

    fn key(&self, row: usize) -> GroupKey {
        self.0.map(|texts| texts.get(row).copied())
    }
}

/// Columns of events.
struct EventColumns<'r> {
    names: &'r [u32],
    bits: &'r [i64],
}

impl<'r> EventColumns<'r> {
    fn of(rows: &'r Rows) -> Self {
        Self {
            names: rows.texts("event"),
            bits: rows.longs("event_branches"),
        }
    }

    fn key(&self, row: usize) -> (u32, i64) {
        (self.names[row], self.bits[row])
    }
}

/// A batch that is made of a part.
struct BatchWriter<'a> {
    part: &'a Part,
    /// Time of the rows that are written, in microseconds since 1970.
    span_us: Range<i64>,
    batch: Batch,
    events: FxHashMap<(u32, i64), EventIndex>,
    groups: FxHashMap<GroupKey, GroupIndex>,
    binaries: FxHashMap<[u32; 3], BinaryIndex>,
    /// Innermost frames by the ids of the stacks.
    stacks: Vec<Option<FrameIndex>>,
}

impl BatchWriter<'_> {
    fn text(&self, number: u32) -> String {
        self.part.texts.text(number).to_owned()
    }

    /// Returns the table of counts, or that of their sums where nobody asked for the counts.
    fn counted(&self, counts: Table, sums: Table) -> Table {
        match self.part.rows(counts).is_empty() {
            true => sums,
            false => counts,
        }
    }

    /// Returns the rows of a table that are in the time.
    fn rows_of(&self, table: Table) -> Vec<usize> {
        let times = self.part.rows(table).longs("time").iter().enumerate();
        let is_in = |time: &i64| self.span_us.contains(time);
        times
            .filter(|(_, time)| is_in(time))
            .map(|(row, _)| row)
            .collect()
    }

    fn places(&mut self) {
        let rows = self.part.rows(Table::Frames);
        for row in 0..rows.len() {
            let columns = ["file", "file_build", "file_kind"];
            let binary = self.binary(columns.map(|column| rows.texts(column)[row]));
            let place = if rows.ints("is_named")[row] == 0 {
                Place::Code {
                    binary,
                    offset: rows.longs("file_offset")[row] as u64,
                }
            } else {
                self.batch.names.push(self.text(rows.texts("name")[row]));
                Place::Named {
                    binary,
                    name: NameIndex(self.batch.names.len() as u32 - 1),
                }
            };
            self.batch.places.push(place);
        }
    }

    fn binary(&mut self, key: [u32; 3]) -> BinaryIndex {
        let [path, build, kind] = key.map(|number| self.text(number));
        let binaries = &mut self.batch.binaries;
        *self.binaries.entry(key).or_insert_with(|| {
            binaries.push(Binary {
                path,
                build_id: BuildId::from_hex(&build),
                kind: kind_named(&kind),
            });
            BinaryIndex(binaries.len() as u32 - 1)
        })
    }

    /// Adds the frames of stacks. In the order of their places, outermost first, each stack begins with what it shares with others.
    fn stacks(&mut self, mut ids: Vec<i32>) {
        let rows = self.part.rows(Table::Stacks);
        let outermost_first = |id: i32| rows.list("frames", id as usize).iter().rev();
        ids.sort_unstable_by(|a, b| outermost_first(*a).cmp(outermost_first(*b)));
        let mut last: Vec<(i32, FrameIndex)> = Vec::new();
        for id in ids {
            let are_same = last.iter().zip(outermost_first(id));
            let same = are_same.take_while(|((place, _), other)| place == *other);
            last.truncate(same.count());
            for place in outermost_first(id).skip(last.len()) {
                let frames = &mut self.batch.frames;
                frames.push(Frame {
                    place: PlaceIndex(*place as u32),
                    caller: last.last().map(|(_, caller)| *caller),
                });
                last.push((*place, FrameIndex(frames.len() as u32 - 1)));
            }
            self.stacks[id as usize] = last.last().map(|(_, innermost)| *innermost);
        }
    }

    fn group(&mut self, key: GroupKey) -> GroupIndex {
        let (part, groups) = (self.part, &mut self.batch.groups);
        *self.groups.entry(key).or_insert_with(|| {
            groups.push(part.group(key));
            GroupIndex(groups.len() as u32 - 1)
        })
    }

    fn event(&mut self, (name, bits): (u32, i64)) -> EventIndex {
        let (part, events) = (self.part, &mut self.batch.events);
        *self.events.entry((name, bits)).or_insert_with(|| {
            events.push(Event {
                name: part.texts.text(name).to_owned(),
                branches: if bits == -1 {
                    BranchStacks::None
                } else {
                    BranchStacks::recorded_with(bits as u64)
                },
            });
            EventIndex(events.len() as u32 - 1)
        })
    }

    fn samples(&mut self) {
        let part = self.part;
        let table = self.counted(Table::Samples, Table::Hourly);
        let rows = part.rows(table);
        let (groups, events) = (GroupColumns::of(rows), EventColumns::of(rows));
        let [stacks, ips, have_branches] =
            ["stack", "ip_frame", "has_branches"].map(|column| rows.ints(column));
        let [times, counts, weights] = ["time", "times", "weight"].map(|column| rows.longs(column));
        let are_leaf_only = part.rows(Table::Stacks).ints("is_leaf_only");
        let wanted = self.rows_of(table);
        let mut ids: Vec<i32> = wanted.iter().map(|row| stacks[*row]).collect();
        ids.sort_unstable();
        ids.dedup();
        self.stacks(ids);
        self.batch.samples.reserve(wanted.len());
        for row in wanted {
            let Some(stack) = self.stacks[stacks[row] as usize] else {
                continue;
            };
            let ip = ips[row];
            let samples = Samples {
                event: self.event(events.key(row)),
                group: self.group(groups.key(row)),
                stack,
                ip: (ip != INNERMOST).then_some(PlaceIndex(ip as u32)),
                has_branches: have_branches[row] != 0,
                is_leaf_only: are_leaf_only[stacks[row] as usize] != 0,
                bucket: Time::seconds(times[row]) / BUCKET_S,
                times: counts[row] as u64,
                weight: weights[row] as u64,
            };
            self.batch.samples.push(samples);
        }
    }

    fn branches(&mut self) {
        let table = self.counted(Table::Branches, Table::HourlyBranches);
        let rows = self.part.rows(table);
        let groups = GroupColumns::of(rows);
        let [from, to] = ["from_frame", "to_frame"].map(|column| rows.ints(column));
        let [taken, mispredicted] = ["taken", "mispredicted"].map(|column| rows.longs(column));
        for row in self.rows_of(table) {
            let branches = Branches {
                group: self.group(groups.key(row)),
                from: PlaceIndex(from[row] as u32),
                to: PlaceIndex(to[row] as u32),
                taken: taken[row] as u64,
                mispredicted: mispredicted[row] as u64,
            };
            self.batch.branches.push(branches);
        }
        let table = self.counted(Table::Ranges, Table::HourlyRanges);
        let rows = self.part.rows(table);
        let groups = GroupColumns::of(rows);
        let [first, last] = ["first_frame", "last_frame"].map(|column| rows.ints(column));
        let times = rows.longs("times");
        for row in self.rows_of(table) {
            let ranges = Ranges {
                group: self.group(groups.key(row)),
                first: PlaceIndex(first[row] as u32),
                last: PlaceIndex(last[row] as u32),
                times: times[row] as u64,
            };
            self.batch.ranges.push(ranges);
        }
    }

    fn records(&mut self) {
        let rows = self.part.rows(Table::Records);
        let (groups, events) = (GroupColumns::of(rows), EventColumns::of(rows));
        let [samples, branches, repeated] =
            ["samples", "branches", "repeated"].map(|column| rows.longs(column));
        for row in self.rows_of(Table::Records) {
            let records = Records {
                event: self.event(events.key(row)),
                group: self.group(groups.key(row)),
                samples: samples[row] as u64,
                branches: branches[row] as u64,
                repeated: repeated[row] as u64,
            };
            self.batch.records.push(records);
        }
    }
}
