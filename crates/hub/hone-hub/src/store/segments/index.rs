//! Where the batches of segments lie, and of which days of services they are.
//!
//! Questions come again and again while a segment is not compacted, and most are of one service. Each batch is looked into once,
//! when the first question after its arrival is asked; then a question reads the batches that it needs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hone_batch::{BUCKET_S, Batch};

use super::super::batches;
use super::super::error::{StoreError, Tried};
use super::super::objects::{Listed, Objects, Part, READ_BYTES, read_together};
use super::super::service_day::{DayKey, Selection};
use super::super::time::{DAY_S, HOUR_S, day_of};
use super::frame::{Frame, Frames};

/// Bytes between two batches that are read with them: less than another read costs.
const GAP_BYTES: u64 = 64 << 10;

/// What is known of the segments of all tenants.
#[derive(Default)]
pub(crate) struct Index(Mutex<HashMap<String, Arc<Mutex<Known>>>>);

/// What is known of a tenant's segments.
#[derive(Default)]
struct Known {
    segments: BTreeMap<String, Arc<Segment>>,
    /// Names of services, each once.
    services: HashSet<Arc<str>>,
}

/// What a segment holds.
#[derive(Clone, Default)]
struct Segment {
    /// Bytes that were looked through, up to the end of a batch.
    bytes: u64,
    batches: Vec<Held>,
}

/// A batch in a segment.
#[derive(Clone)]
struct Held {
    /// Positions of its bytes.
    at: Range<u64>,
    parts: Box<[HeldPart]>,
}

/// What a batch has of a day of a service.
#[derive(Clone)]
struct HeldPart {
    service: Arc<str>,
    /// Time from its first row on to the end of its last one, in seconds since 1970, within one day.
    span_s: Range<u64>,
}

impl HeldPart {
    fn is_of(&self, selection: &Selection) -> bool {
        let length_s = self.span_s.end - self.span_s.start;
        selection.has_service(&self.service) && selection.has_time(self.span_s.start, length_s)
    }
}

/// Batches that lie beside each other in a segment.
pub(crate) struct Stretch {
    /// Segment.
    segment: String,
    /// Positions of all bytes.
    at: Range<u64>,
    /// Positions of the wanted batches.
    batches: Vec<Range<u64>>,
}

impl Stretch {
    /// Returns what is to be read.
    pub(crate) fn part(&self) -> Part<'_> {
        Part {
            name: &self.segment,
            range: self.at.clone(),
        }
    }

    /// Returns the number of bytes that are to be read.
    pub(crate) fn bytes(&self) -> u64 {
        self.at.end - self.at.start
    }

    /// Returns the wanted batches in what was read.
    pub(crate) fn frames<'b>(&self, read: &'b [u8]) -> impl Iterator<Item = Frame<'b>> {
        self.batches.iter().filter_map(|at| {
            let [start, end] = [at.start, at.end].map(|at| (at - self.at.start) as usize);
            Frames::at(at.start, read.get(start..end)?)?.next()
        })
    }
}

/// What segments hold at one moment.
pub(crate) struct Recent(Vec<(String, Arc<Segment>)>);

impl Index {
    /// Looks into what is new in the listed segments of a tenant, and forgets all others. `None` if one of them went away.
    pub(crate) fn look(
        &self,
        objects: &dyn Objects,
        tenant: &str,
        listed: &[Listed],
    ) -> Result<Option<Recent>, StoreError> {
        let known = {
            let mut tenants = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            tenants.entry(tenant.to_owned()).or_default().clone()
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.forget_others(listed);
        if !known.look_into_new(objects, listed)? {
            return Ok(None);
        }
        let segments = known.segments.iter();
        let segments = segments.map(|(name, segment)| (name.clone(), segment.clone()));
        Ok(Some(Recent(segments.collect())))
    }
}

impl Known {
    fn forget_others(&mut self, listed: &[Listed]) {
        let names: HashSet<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
        self.segments.retain(|name, _| names.contains(&**name));
        if self.segments.is_empty() {
            self.services.clear();
        }
    }

    /// Returns false if a segment went away.
    fn look_into_new(
        &mut self,
        objects: &dyn Objects,
        listed: &[Listed],
    ) -> Result<bool, StoreError> {
        let mut new = Vec::new();
        for listed in listed {
            let segment = self.segments.entry(listed.name.clone()).or_default();
            if segment.bytes < listed.bytes {
                new.push(Part {
                    name: &listed.name,
                    range: segment.bytes..listed.bytes,
                });
            }
        }
        for parts in read_together(&new, |part| part.range.end - part.range.start) {
            let what = parts[0].name;
            let read = objects.get_ranges(parts).tried("read", what)?;
            for (part, bytes) in parts.iter().zip(read) {
                let Some(bytes) = bytes else {
                    return Ok(false);
                };
                self.add(part, &bytes);
            }
        }
        Ok(true)
    }

    /// Adds the batches in bytes of a segment.
    fn add(&mut self, part: &Part<'_>, bytes: &[u8]) {
        let Some(segment) = self.segments.get_mut(part.name) else {
            return;
        };
        let segment = Arc::make_mut(segment);
        let Some(mut frames) = Frames::at(part.range.start, bytes) else {
            return;
        };
        let position = |left: usize| part.range.start + (bytes.len() - left) as u64;
        segment.bytes = position(frames.left());
        while let Some(frame) = frames.next() {
            let at = segment.bytes..position(frames.left());
            segment.bytes = at.end;
            // Compaction keeps aside what cannot be read, and counts it.
            if let Ok(batch) = batches::decode(frame.batch) {
                let parts = parts_of(&batch, &mut self.services);
                segment.batches.push(Held { at, parts });
            }
        }
    }
}

impl Recent {
    /// Returns the days of services of which there is something.
    pub(crate) fn days(&self, selection: &Selection) -> BTreeSet<DayKey> {
        // By the number of the day first: there are few of them.
        let mut found: BTreeSet<(u64, &str)> = BTreeSet::new();
        let batches = self.0.iter().flat_map(|(_, segment)| &segment.batches);
        for part in batches.flat_map(|held| &held.parts) {
            if part.is_of(selection) {
                found.insert((part.span_s.start / DAY_S, &part.service));
            }
        }
        let key = |(day, service): (u64, &str)| DayKey {
            day: day_of(day * DAY_S),
            service: service.to_owned(),
        };
        found.into_iter().map(key).collect()
    }

    /// Returns where the wanted batches lie, in their order.
    pub(crate) fn stretches(&self, selection: &Selection) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (name, segment) in &self.0 {
            let is_wanted = |held: &&Held| held.parts.iter().any(|part| part.is_of(selection));
            for held in segment.batches.iter().filter(is_wanted) {
                let near = stretches.last_mut().filter(|stretch| {
                    let is_near = held.at.start - stretch.at.end.min(held.at.start) <= GAP_BYTES;
                    stretch.segment == *name
                        && is_near
                        && held.at.end - stretch.at.start <= READ_BYTES
                });
                match near {
                    Some(stretch) => {
                        stretch.at.end = held.at.end;
                        stretch.batches.push(held.at.clone());
                    }
                    None => stretches.push(Stretch {
                        segment: name.clone(),
                        at: held.at.clone(),
                        batches: vec![held.at.clone()],
                    }),
                }
            }
        }
        stretches
    }
}

/// Returns what a batch has of each day of a service.
fn parts_of(batch: &Batch, services: &mut HashSet<Arc<str>>) -> Box<[HeldPart]> {
    let mut found: BTreeMap<(&str, u64), Range<u64>> = BTreeMap::new();
    let mut add = |group: usize, span_s: Range<u64>| {
        let key = (&*batch.groups[group].service, span_s.start / DAY_S);
        let known = found.entry(key).or_insert(span_s.clone());
        *known = known.start.min(span_s.start)..known.end.max(span_s.end);
    };
    for row in &batch.samples {
        let start_s = row.bucket * BUCKET_S;
        add(row.group.index(), start_s..start_s + BUCKET_S);
    }
    // What is not a sample counts for the hour in which the batch began.
    let hour_s = batch.span_s.start / HOUR_S * HOUR_S;
    let branches = batch.branches.iter().map(|row| row.group);
    let ranges = batch.ranges.iter().map(|row| row.group);
    let records = batch.records.iter().map(|row| row.group);
    for group in branches.chain(ranges).chain(records) {
        add(group.index(), hour_s..hour_s + HOUR_S);
    }
    let mut name = |service: &str| match services.get(service) {
        Some(known) => known.clone(),
        None => {
            let new: Arc<str> = service.into();
            services.insert(new.clone());
            new
        }
    };
    let parts = found.into_iter().map(|((service, _), span_s)| HeldPart {
        service: name(service),
        span_s,
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use hone_batch::{
        EventIndex, Frame as StackFrame, FrameIndex, Group, GroupIndex, Origin, Place, PlaceIndex,
        Samples, wire,
    };
    use hone_profile::{Binary, BinaryKind, BranchStacks, Event};

    use super::super::super::folder::Folder;
    use super::super::frame::HEADER;
    use super::*;

    const TENANT: &str = "acme";
    const SEGMENT: &str = "acme/segments/000000000060-00000000000000aa-00000000.segment";
    /// A time just before midnight of the first day.
    const LATE_S: u64 = DAY_S - 120;

    /// A batch with a sample of a service in each of some minutes.
    fn batch(number: u64, service: &str, minutes_s: &[u64]) -> Batch {
        let sample = |start_s: &u64| Samples {
            event: EventIndex(0),
            group: GroupIndex(0),
            stack: FrameIndex(0),
            ip: None,
            is_leaf_only: false,
            has_branches: false,
            bucket: start_s / BUCKET_S,
            times: 1,
            weight: 1,
        };
        Batch {
            origin: Origin {
                host: "web-1".into(),
                run: 7,
                number,
            },
            span_s: minutes_s[0]..minutes_s[0] + 60,
            events: vec![Event {
                name: "cpu-clock".into(),
                branches: BranchStacks::None,
            }],
            binaries: vec![Binary {
                path: "shop".into(),
                build_id: None,
                kind: BinaryKind::File,
            }],
            groups: vec![Group {
                service: service.into(),
                ..Group::default()
            }],
            places: vec![Place::Code {
                binary: hone_batch::BinaryIndex(0),
                offset: number,
            }],
            frames: vec![StackFrame {
                place: PlaceIndex(0),
                caller: None,
            }],
            samples: minutes_s.iter().map(sample).collect(),
            ..Batch::default()
        }
    }

    fn framed(batch: &Batch) -> Vec<u8> {
        let mut bytes = Vec::new();
        let frame = Frame {
            origin: batch.origin.clone(),
            span_s: batch.span_s.clone(),
            batch: &wire::write(batch),
        };
        frame.write(&mut bytes).unwrap();
        bytes
    }

    fn look(index: &Index, objects: &dyn Objects) -> Recent {
        let listed = objects.list("acme/segments/").unwrap();
        index.look(objects, TENANT, &listed).unwrap().unwrap()
    }

    fn of(service: &str, span_s: Range<u64>) -> Selection {
        Selection {
            services: Some(vec![service.into()]),
            span_s,
        }
    }

    /// Numbers of the wanted batches, read as a question does it.
    fn numbers(recent: &Recent, objects: &dyn Objects, selection: &Selection) -> Vec<u64> {
        let mut numbers = Vec::new();
        for stretch in recent.stretches(selection) {
            let part = stretch.part();
            let bytes = objects.get_range(part.name, part.range).unwrap().unwrap();
            numbers.extend(stretch.frames(&bytes).map(|frame| frame.origin.number));
        }
        numbers
    }

    #[test]
    fn a_question_reads_the_batches_of_its_services_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Folder::open(folder.path()).unwrap();
        let batches = [
            batch(0, "shop", &[LATE_S]),
            batch(1, "till", &[LATE_S]),
            batch(2, "shop", &[LATE_S + 60, LATE_S + 120]),
        ];
        let framed = batches.iter().map(framed).collect::<Vec<_>>().concat();
        let whole = [HEADER.as_slice(), &framed].concat();
        objects.put(SEGMENT, &whole).unwrap();
        let recent = look(&Index::default(), &objects);
        let asked = |selection: &Selection| numbers(&recent, &objects, selection);
        assert_eq!(asked(&Selection::ALL), [0, 1, 2]);
        assert_eq!(asked(&of("shop", 0..u64::MAX)), [0, 2]);
        assert_eq!(asked(&of("shop", LATE_S..LATE_S + 60)), [0]);
        assert_eq!(asked(&of("nobody", 0..u64::MAX)), [0; 0]);
        let days = recent.days(&of("shop", 0..u64::MAX));
        let days: Vec<_> = days.iter().map(|key| (&*key.day, &*key.service)).collect();
        assert_eq!(days, [("1970-01-01", "shop"), ("1970-01-02", "shop")]);
    }

    #[test]
    fn a_segment_is_looked_into_from_where_the_look_before_ended() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Folder::open(folder.path()).unwrap();
        let (first, second) = (batch(0, "shop", &[60]), batch(1, "shop", &[60]));
        let mut whole = [HEADER.as_slice(), &framed(&first)].concat();
        let known = whole.len();
        let index = Index::default();
        // The end of the second is not there yet.
        whole.extend(framed(&second));
        objects.put(SEGMENT, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(look(&index, &objects).stretches(&Selection::ALL).len(), 1);
        let count = |recent: &Recent| {
            let stretches = recent.stretches(&Selection::ALL);
            stretches
                .iter()
                .map(|stretch| stretch.batches.len())
                .sum::<usize>()
        };
        assert_eq!(count(&look(&index, &objects)), 1);
        whole[HEADER.len()..known].fill(0xff);
        objects.put(SEGMENT, &whole).unwrap();
        assert_eq!(count(&look(&index, &objects)), 2);
        assert_eq!(count(&look(&Index::default(), &objects)), 0);
        objects.delete(SEGMENT).unwrap();
        assert_eq!(count(&look(&index, &objects)), 0);
    }

    #[test]
    fn batches_that_lie_apart_are_read_apart() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Folder::open(folder.path()).unwrap();
        let mut whole = HEADER.to_vec();
        for number in 0..3_000 {
            let service = if number % 1_500 < 3 { "shop" } else { "till" };
            whole.extend(framed(&batch(number, service, &[60])));
        }
        objects.put(SEGMENT, &whole).unwrap();
        let recent = look(&Index::default(), &objects);
        let stretches = recent.stretches(&of("shop", 0..120));
        let held: Vec<usize> = stretches.iter().map(|one| one.batches.len()).collect();
        assert_eq!(held, [3, 3]);
        let asked = numbers(&recent, &objects, &of("shop", 0..120));
        assert_eq!(asked, [0, 1, 2, 1500, 1501, 1502]);
    }
}
