//! A batch becomes bytes.

use hone_profile::BinaryKind;
use hone_profile::protobuf::Message;

use super::column::{self as columns, Field, delta, put, put_deltas};
use super::texts::Written;
use super::{MAGIC, VERSION};
use crate::batch::{Batch, Place, Samples};
use crate::group_field::GroupField;

/// Level of compression: higher ones take twice the time for a few per cent of the bytes.
const LEVEL: i32 = 3;

/// Returns the bytes of a batch.
pub fn write(batch: &Batch) -> Vec<u8> {
    let mut message = Message::default();
    origin(batch, &mut message);
    named(batch, &mut message);
    stacks(batch, &mut message);
    samples(&batch.samples, &mut message);
    branches(batch, &mut message);
    let mut bytes = [&MAGIC[..], &[VERSION]].concat();
    bytes.extend(compressed(&message.0));
    bytes
}

/// Returns one zstd frame with a checksum.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let packed = || {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(bytes)?;
        encoder.finish()
    };
    packed().expect("compression into memory does not fail")
}

fn origin(batch: &Batch, message: &mut Message) {
    let origin = &batch.origin;
    let mut number = |field: Field, value| {
        message.number(field.number as u64, value);
    };
    number(columns::NUMBER, origin.number);
    number(columns::SPAN_START, batch.span_s.start);
    number(columns::SPAN_END, batch.span_s.end);
    message.bytes(columns::HOST.number as u64, origin.host.as_bytes());
    let run = origin.run.to_le_bytes();
    message.bytes(columns::RUN.number as u64, &run);
}

/// Writes the tables with texts, and the texts.
fn named(batch: &Batch, message: &mut Message) {
    let mut texts = Written::default();
    for event in &batch.events {
        texts.push(&event.name);
    }
    let stacks = batch.events.iter();
    let stacks = stacks.map(|event| event.branches.bits().unwrap_or(0));
    put(message, columns::EVENT_STACKS, stacks);

    let mut ids = Vec::new();
    for binary in &batch.binaries {
        texts.push(&binary.path);
        let id = binary.build_id.as_ref();
        ids.extend_from_slice(id.map_or(&[], |id| id.as_bytes()));
    }
    let kinds = batch.binaries.iter().map(|binary| kind(binary.kind));
    put(message, columns::BINARY_KIND, kinds);
    let lengths = batch.binaries.iter().map(|binary| {
        let id = binary.build_id.as_ref();
        id.map_or(0, |id| id.as_bytes().len() as u64)
    });
    put(message, columns::BINARY_ID_LENGTHS, lengths);
    message.bytes(columns::BINARY_ID_BYTES.number as u64, &ids);

    for name in &batch.names {
        texts.push(name);
    }
    message.number(columns::NAMES.number as u64, batch.names.len() as u64);

    for group in &batch.groups {
        for field in GroupField::ALL {
            texts.push(field.of(group));
        }
        for label in group.labels.iter() {
            texts.push(&label.key);
            texts.push(&label.value);
        }
    }
    let labels = batch.groups.iter().map(|group| group.labels.len() as u64);
    put(message, columns::GROUP_LABELS, labels);
    texts.finish(message);
}

fn kind(kind: BinaryKind) -> u64 {
    match kind {
        BinaryKind::File => 0,
        BinaryKind::Kernel => 1,
        BinaryKind::Vdso => 2,
        BinaryKind::Anonymous => 3,
        BinaryKind::Unmapped => 4,
    }
}

fn stacks(batch: &Batch, message: &mut Message) {
    let parts = |place: &Place| match *place {
        Place::Code { binary, offset } => (u64::from(binary.0) * 2, offset),
        Place::Named { binary, name } => (u64::from(binary.0) * 2 + 1, name.0.into()),
    };
    let places = batch.places.iter().map(parts);
    let (binaries, values) = (places.clone(), places);
    let binaries = binaries.map(|(binary, _)| binary);
    put_deltas(message, columns::PLACE_BINARY, binaries);
    let values = values.map(|(_, value)| value);
    put_deltas(message, columns::PLACE_VALUE, values);
    // 0 stands for no caller.
    let callers = batch.frames.iter().map(|frame| {
        let caller = frame.caller;
        caller.map_or(0, |caller| u64::from(caller.0) + 1)
    });
    put_deltas(message, columns::FRAME_CALLER, callers);
    let places = batch.frames.iter().map(|frame| frame.place.0.into());
    put_deltas(message, columns::FRAME_PLACE, places);
}

fn samples(rows: &[Samples], message: &mut Message) {
    let each = || rows.iter();
    put_deltas(
        message,
        columns::SAMPLE_EVENT,
        each().map(|row| row.event.0.into()),
    );
    put_deltas(
        message,
        columns::SAMPLE_GROUP,
        each().map(|row| row.group.0.into()),
    );
    let flags = each().map(|row| {
        let leaf_only = u64::from(row.is_leaf_only) * columns::LEAF_ONLY;
        leaf_only + u64::from(row.has_branches) * columns::HAS_BRANCHES
    });
    put(message, columns::SAMPLE_FLAGS, flags);
    put_deltas(
        message,
        columns::SAMPLE_STACK,
        each().map(|row| row.stack.0.into()),
    );
    // 0 stands for the innermost frame.
    let ips = each().map(|row| row.ip.map_or(0, |ip| u64::from(ip.0) + 1));
    put(message, columns::SAMPLE_IP, ips);
    put_deltas(
        message,
        columns::SAMPLE_BUCKET,
        each().map(|row| row.bucket),
    );
    put(message, columns::SAMPLE_TIMES, each().map(|row| row.times));
    // Most samples of an event have the same weight.
    let weights = each().map(|row| row.weight / row.times.max(1));
    put_deltas(message, columns::SAMPLE_WEIGHT, weights);
    let rests = each().map(|row| row.weight % row.times.max(1));
    put(message, columns::SAMPLE_WEIGHT_REST, rests);
}

fn branches(batch: &Batch, message: &mut Message) {
    let each = || batch.branches.iter();
    put_deltas(
        message,
        columns::BRANCH_GROUP,
        each().map(|row| row.group.0.into()),
    );
    put_deltas(
        message,
        columns::BRANCH_FROM,
        each().map(|row| row.from.0.into()),
    );
    let targets = each().map(|row| delta(row.from.0.into(), row.to.0.into()));
    put(message, columns::BRANCH_TO, targets);
    put(message, columns::BRANCH_TAKEN, each().map(|row| row.taken));
    put(
        message,
        columns::BRANCH_MISPREDICTED,
        each().map(|row| row.mispredicted),
    );

    let each = || batch.ranges.iter();
    put_deltas(
        message,
        columns::RANGE_GROUP,
        each().map(|row| row.group.0.into()),
    );
    put_deltas(
        message,
        columns::RANGE_FIRST,
        each().map(|row| row.first.0.into()),
    );
    let ends = each().map(|row| delta(row.first.0.into(), row.last.0.into()));
    put(message, columns::RANGE_LAST, ends);
    put(message, columns::RANGE_TIMES, each().map(|row| row.times));

    let each = || batch.records.iter();
    put_deltas(
        message,
        columns::RECORD_EVENT,
        each().map(|row| row.event.0.into()),
    );
    put_deltas(
        message,
        columns::RECORD_GROUP,
        each().map(|row| row.group.0.into()),
    );
    put(
        message,
        columns::RECORD_SAMPLES,
        each().map(|row| row.samples),
    );
    put(
        message,
        columns::RECORD_BRANCHES,
        each().map(|row| row.branches),
    );
    put(
        message,
        columns::RECORD_REPEATED,
        each().map(|row| row.repeated),
    );
}
