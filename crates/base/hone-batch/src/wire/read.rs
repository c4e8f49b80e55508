//! Bytes become a batch, or an error that says what was wrong.

use std::io::Read;

use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event, Label, Labels};

use super::column::{self as columns, Column, Columns, Sum};
use super::texts::Texts;
use super::{BatchError, MAGIC, VERSION};
use crate::batch::{
    Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex, NameIndex,
    Origin, Place, PlaceIndex, Ranges, Records, Samples,
};
use crate::group_field::GroupField;
use crate::limits::{DEPTH_MAX, HOST_BYTES_MAX, LABELS_MAX, Limits};

/// Binary logarithm of the largest window of a zstd frame that is read: more than [`super::write`] uses.
const WINDOW_LOG_MAX: u32 = 23;

/// Reads the bytes of a batch. Every index in the batch leads somewhere, and callers come before their frames.
///
/// # Errors
///
/// Returns an error if the bytes are damaged, are of a newer version, or break a limit.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Batch, BatchError> {
    let packed = bytes.strip_prefix(&MAGIC).ok_or(BatchError::NoBatch)?;
    let (&found, packed) = packed.split_first().ok_or(BatchError::NoBatch)?;
    if found != VERSION {
        return Err(BatchError::Version { found });
    }
    let message = unpacked(packed, limits.bytes_max)?;
    let columns = Columns::of(&message)?;
    let mut texts = Texts::of(&columns, limits)?;
    let mut batch = Batch {
        origin: origin(&columns)?,
        span_s: columns.number(columns::SPAN_START)..columns.number(columns::SPAN_END),
        events: events(&columns, &mut texts)?,
        binaries: binaries(&columns, &mut texts)?,
        names: names(&columns, &mut texts)?,
        groups: groups(&columns, &mut texts)?,
        ..Batch::default()
    };
    if texts.left() > 0 {
        return Err(BatchError::SpareTexts {
            texts: texts.left(),
        });
    }
    batch.places = places(&columns, &batch)?;
    batch.frames = frames(&columns, &batch)?;
    batch.samples = samples(&columns, &batch)?;
    batch.branches = branches(&columns, &batch)?;
    batch.ranges = ranges(&columns, &batch)?;
    batch.records = records(&columns, &batch)?;
    Ok(batch)
}

/// Reads so many rows of a table; each has a byte at least in what arrived.
fn read_rows<T>(
    count: usize,
    mut read: impl FnMut(usize) -> Result<T, BatchError>,
) -> Result<Vec<T>, BatchError> {
    let mut rows = Vec::with_capacity(count);
    for row in 0..count {
        rows.push(read(row)?);
    }
    Ok(rows)
}

/// Unpacks in pieces, so that memory grows with the bytes that are really there.
fn unpacked(packed: &[u8], bytes_max: usize) -> Result<Vec<u8>, BatchError> {
    let damaged = |_| BatchError::Compression;
    let mut packed = packed;
    let decoder = zstd::stream::read::Decoder::with_buffer(&mut packed).map_err(damaged)?;
    let mut decoder = decoder.single_frame();
    decoder.window_log_max(WINDOW_LOG_MAX).map_err(damaged)?;
    let mut message = Vec::new();
    let room = bytes_max as u64 + 1;
    let read = (&mut decoder).take(room).read_to_end(&mut message);
    if read.map_err(damaged)? > bytes_max {
        return Err(BatchError::TooLarge { max: bytes_max });
    }
    drop(decoder);
    if packed.is_empty() {
        Ok(message)
    } else {
        Err(BatchError::Compression)
    }
}

fn origin(columns: &Columns<'_>) -> Result<Origin, BatchError> {
    let host = columns.bytes(columns::HOST);
    let host = std::str::from_utf8(host).ok();
    let host = host.filter(|host| host.len() <= HOST_BYTES_MAX);
    let host = host.ok_or(BatchError::Host)?;
    let run = columns.bytes(columns::RUN);
    let run: [u8; 16] = run.try_into().map_err(|_| BatchError::Rows {
        column: columns::RUN.name,
        rows: run.len(),
        expected: 16,
    })?;
    Ok(Origin {
        host: host.to_owned(),
        run: u128::from_le_bytes(run),
        number: columns.number(columns::NUMBER),
    })
}

fn events(columns: &Columns<'_>, texts: &mut Texts<'_>) -> Result<Vec<Event>, BatchError> {
    let ([mut stacks], rows) = columns.table([columns::EVENT_STACKS])?;
    read_rows(rows, |_| {
        Ok(Event {
            name: texts.take()?.to_owned(),
            branches: match stacks.number()? {
                0 => BranchStacks::None,
                bits => BranchStacks::recorded_with(bits),
            },
        })
    })
}

fn binaries(columns: &Columns<'_>, texts: &mut Texts<'_>) -> Result<Vec<Binary>, BatchError> {
    let fields = [columns::BINARY_KIND, columns::BINARY_ID_LENGTHS];
    let ([mut kinds, mut lengths], rows) = columns.table(fields)?;
    let mut ids = columns.bytes(columns::BINARY_ID_BYTES);
    read_rows(rows, |_| {
        Ok(Binary {
            path: texts.take()?.to_owned(),
            build_id: build_id(&mut lengths, &mut ids)?,
            kind: kind(&mut kinds)?,
        })
    })
}

fn build_id(lengths: &mut Column<'_>, ids: &mut &[u8]) -> Result<Option<BuildId>, BatchError> {
    let length = lengths.number()?;
    if length == 0 {
        return Ok(None);
    }
    let known = usize::try_from(length).ok();
    let split = known.and_then(|length| ids.split_at_checked(length));
    let (own, rest) = split.ok_or(lengths.impossible(length))?;
    *ids = rest;
    let id = BuildId::new(own).ok_or(lengths.impossible(length))?;
    Ok(Some(id))
}

fn kind(kinds: &mut Column<'_>) -> Result<BinaryKind, BatchError> {
    Ok(match kinds.number()? {
        0 => BinaryKind::File,
        1 => BinaryKind::Kernel,
        2 => BinaryKind::Vdso,
        3 => BinaryKind::Anonymous,
        4 => BinaryKind::Unmapped,
        value => return Err(kinds.impossible(value)),
    })
}

fn names(columns: &Columns<'_>, texts: &mut Texts<'_>) -> Result<Vec<String>, BatchError> {
    let names = (0..columns.number(columns::NAMES)).map(|_| Ok(texts.take()?.to_owned()));
    names.collect()
}

fn groups(columns: &Columns<'_>, texts: &mut Texts<'_>) -> Result<Vec<Group>, BatchError> {
    let ([mut labels], rows) = columns.table([columns::GROUP_LABELS])?;
    read_rows(rows, |group| {
        let mut read = Group::default();
        for field in GroupField::ALL {
            *field.of_mut(&mut read) = texts.take()?.to_owned();
        }
        read.labels = labels_of(group, labels.number()?, texts)?;
        Ok(read)
    })
}

fn labels_of(group: usize, labels: u64, texts: &mut Texts<'_>) -> Result<Labels, BatchError> {
    if labels > LABELS_MAX as u64 {
        return Err(BatchError::Labels { group, labels });
    }
    let labels = (0..labels).map(|_| {
        Ok(Label {
            key: texts.take()?.into(),
            value: texts.take()?.into(),
        })
    });
    labels.collect()
}

fn places(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Place>, BatchError> {
    let fields = [columns::PLACE_BINARY, columns::PLACE_VALUE];
    let ([mut binaries, mut values], rows) = columns.table(fields)?;
    read_rows(rows, |_| {
        let both = binaries.value()?;
        let binary = BinaryIndex(binaries.within(both / 2, batch.binaries.len())?);
        let value = values.value()?;
        Ok(if both % 2 == 0 {
            Place::Code {
                binary,
                offset: value,
            }
        } else {
            let name = NameIndex(values.within(value, batch.names.len())?);
            Place::Named { binary, name }
        })
    })
}

fn frames(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Frame>, BatchError> {
    let fields = [columns::FRAME_CALLER, columns::FRAME_PLACE];
    let ([mut callers, mut places], rows) = columns.table(fields)?;
    let mut depths: Vec<u16> = Vec::with_capacity(rows);
    read_rows(rows, |frame| {
        let (caller, depth) = match callers.value()? {
            0 => (None, 1),
            above => {
                // Callers come before: the rows so far are the table.
                let caller = callers.within(above - 1, frame)?;
                (Some(FrameIndex(caller)), depths[caller as usize] + 1)
            }
        };
        if usize::from(depth) > DEPTH_MAX {
            return Err(BatchError::Depth { frame });
        }
        depths.push(depth);
        let place = PlaceIndex(places.index(batch.places.len())?);
        Ok(Frame { place, caller })
    })
}

fn samples(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Samples>, BatchError> {
    let (table, rows) = columns.table([
        columns::SAMPLE_EVENT,
        columns::SAMPLE_GROUP,
        columns::SAMPLE_FLAGS,
        columns::SAMPLE_STACK,
        columns::SAMPLE_IP,
        columns::SAMPLE_BUCKET,
        columns::SAMPLE_TIMES,
        columns::SAMPLE_WEIGHT,
        columns::SAMPLE_WEIGHT_REST,
    ])?;
    let [
        mut events,
        mut groups,
        mut flags,
        mut stacks,
        mut ips,
        mut buckets,
        mut times,
        mut weights,
        mut rests,
    ] = table;
    let mut all = Sum::default();
    read_rows(rows, |_| {
        let flag = flags.number()?;
        if flag > columns::LEAF_ONLY | columns::HAS_BRANCHES {
            return Err(flags.impossible(flag));
        }
        let ip = match ips.number()? {
            0 => None,
            above => Some(PlaceIndex(ips.within(above - 1, batch.places.len())?)),
        };
        let times = times.count()?;
        let weight = weights.value()?.checked_mul(times.max(1));
        let rest = rests.number()?;
        let weight = weight.and_then(|weight| weight.checked_add(rest));
        Ok(Samples {
            event: EventIndex(events.index(batch.events.len())?),
            group: GroupIndex(groups.index(batch.groups.len())?),
            stack: FrameIndex(stacks.index(batch.frames.len())?),
            ip,
            is_leaf_only: flag & columns::LEAF_ONLY != 0,
            has_branches: flag & columns::HAS_BRANCHES != 0,
            bucket: buckets.value()?,
            times,
            weight: all.add(columns::SAMPLE_WEIGHT, weight)?,
        })
    })
}

fn branches(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Branches>, BatchError> {
    let (table, rows) = columns.table([
        columns::BRANCH_GROUP,
        columns::BRANCH_FROM,
        columns::BRANCH_TO,
        columns::BRANCH_TAKEN,
        columns::BRANCH_MISPREDICTED,
    ])?;
    let [
        mut groups,
        mut sources,
        mut targets,
        mut taken,
        mut mispredicted,
    ] = table;
    read_rows(rows, |_| {
        let from = sources.index(batch.places.len())?;
        Ok(Branches {
            group: GroupIndex(groups.index(batch.groups.len())?),
            from: PlaceIndex(from),
            to: PlaceIndex(targets.beside(from, batch.places.len())?),
            taken: taken.count()?,
            mispredicted: mispredicted.count()?,
        })
    })
}

fn ranges(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Ranges>, BatchError> {
    let (table, rows) = columns.table([
        columns::RANGE_GROUP,
        columns::RANGE_FIRST,
        columns::RANGE_LAST,
        columns::RANGE_TIMES,
    ])?;
    let [mut groups, mut starts, mut ends, mut times] = table;
    read_rows(rows, |_| {
        let first = starts.index(batch.places.len())?;
        Ok(Ranges {
            group: GroupIndex(groups.index(batch.groups.len())?),
            first: PlaceIndex(first),
            last: PlaceIndex(ends.beside(first, batch.places.len())?),
            times: times.count()?,
        })
    })
}

fn records(columns: &Columns<'_>, batch: &Batch) -> Result<Vec<Records>, BatchError> {
    let (table, rows) = columns.table([
        columns::RECORD_EVENT,
        columns::RECORD_GROUP,
        columns::RECORD_SAMPLES,
        columns::RECORD_BRANCHES,
        columns::RECORD_REPEATED,
    ])?;
    let [
        mut events,
        mut groups,
        mut samples,
        mut branches,
        mut repeated,
    ] = table;
    read_rows(rows, |_| {
        Ok(Records {
            event: EventIndex(events.index(batch.events.len())?),
            group: GroupIndex(groups.index(batch.groups.len())?),
            samples: samples.count()?,
            branches: branches.count()?,
            repeated: repeated.count()?,
        })
    })
}
