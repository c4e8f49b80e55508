//! Batches as bytes.

use hone_batch::fuzz::read_batch;
use hone_batch::wire::{BatchError, read, write};
use hone_batch::{
    Batch, BinaryIndex, Branches, DEPTH_MAX, EventIndex, Frame, FrameIndex, Group, GroupIndex,
    LABELS_MAX, Limits, NameIndex, Origin, Place, PlaceIndex, Ranges, Records, SUM_MAX, Samples,
    StackLimit, TEXT_BYTES_MAX,
};
use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event, Label};
use testkit::arbitrary::{Result, Unstructured};
use testkit::{by_chance, by_chance_of};

use crate::common::{added, recording};

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    u.arbitrary()
}

/// An index into a table, which has rows.
fn index<T>(u: &mut Unstructured<'_>, table: &[T]) -> Result<u32> {
    Ok(u.choose_index(table.len())? as u32)
}

/// A count of which many can be added up.
fn count(u: &mut Unstructured<'_>) -> Result<u64> {
    u.int_in_range(0..=SUM_MAX / 1000)
}

/// Up to `max` rows, each by a function.
fn rows<T>(
    u: &mut Unstructured<'_>,
    max: usize,
    mut row: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..u.int_in_range(0..=max)?).map(|_| row(u)).collect()
}

fn group(u: &mut Unstructured<'_>) -> Result<Group> {
    let labels = rows(u, 3, |u| {
        Ok(Label {
            key: text(u)?.into(),
            value: text(u)?.into(),
        })
    })?;
    Ok(Group {
        host: text(u)?,
        service: text(u)?,
        container: text(u)?,
        build: text(u)?,
        thread: text(u)?,
        labels: labels.into_iter().collect(),
    })
}

fn binary(u: &mut Unstructured<'_>) -> Result<Binary> {
    let kinds = [
        BinaryKind::File,
        BinaryKind::Kernel,
        BinaryKind::Vdso,
        BinaryKind::Anonymous,
        BinaryKind::Unmapped,
    ];
    Ok(Binary {
        path: text(u)?,
        build_id: BuildId::new(&u.arbitrary::<[u8; 20]>()?[..u.int_in_range(0..=20)?]),
        kind: *u.choose(&kinds)?,
    })
}

fn tables(u: &mut Unstructured<'_>) -> Result<Batch> {
    let events = rows(u, 3, |u| {
        let stacks = [0, 1 << 11, 1 << 4, 1 << 3].map(BranchStacks::recorded_with);
        let branches = if u.arbitrary()? {
            *u.choose(&stacks)?
        } else {
            BranchStacks::None
        };
        Ok(Event {
            name: text(u)?,
            branches,
        })
    })?;
    let mut batch = Batch {
        origin: Origin {
            host: text(u)?,
            run: u.arbitrary()?,
            number: u.arbitrary()?,
        },
        span_s: u.arbitrary()?..u.arbitrary()?,
        events,
        binaries: rows(u, 4, binary)?,
        names: rows(u, 4, text)?,
        groups: rows(u, 4, group)?,
        ..Batch::default()
    };
    if batch.binaries.is_empty() {
        return Ok(batch);
    }
    batch.places = rows(u, 20, |u| {
        let binary = BinaryIndex(index(u, &batch.binaries)?);
        Ok(if batch.names.is_empty() || u.arbitrary()? {
            let offset = u.arbitrary()?;
            Place::Code { binary, offset }
        } else {
            let name = NameIndex(index(u, &batch.names)?);
            Place::Named { binary, name }
        })
    })?;
    let mut frames = 0;
    if !batch.places.is_empty() {
        batch.frames = rows(u, 30, |u| {
            let caller: Option<u32> = match frames {
                0 => None,
                _ => u
                    .arbitrary::<bool>()?
                    .then_some(u.int_in_range(0..=frames - 1)?),
            };
            frames += 1;
            Ok(Frame {
                place: PlaceIndex(index(u, &batch.places)?),
                caller: caller.map(FrameIndex),
            })
        })?;
    }
    Ok(batch)
}

fn batch(u: &mut Unstructured<'_>) -> Result<Batch> {
    let batch = tables(u)?;
    if batch.events.is_empty() || batch.groups.is_empty() || batch.frames.is_empty() {
        return Ok(batch);
    }
    let group = |u: &mut Unstructured<'_>| Ok(GroupIndex(index(u, &batch.groups)?));
    let event = |u: &mut Unstructured<'_>| Ok(EventIndex(index(u, &batch.events)?));
    let place = |u: &mut Unstructured<'_>| Ok(PlaceIndex(index(u, &batch.places)?));
    let samples = rows(u, 10, |u| {
        Ok(Samples {
            event: event(u)?,
            group: group(u)?,
            stack: FrameIndex(index(u, &batch.frames)?),
            ip: if u.arbitrary()? {
                Some(place(u)?)
            } else {
                None
            },
            is_leaf_only: u.arbitrary()?,
            has_branches: u.arbitrary()?,
            bucket: u.arbitrary()?,
            times: count(u)?,
            weight: count(u)?,
        })
    })?;
    let branches = rows(u, 10, |u| {
        Ok(Branches {
            group: group(u)?,
            from: place(u)?,
            to: place(u)?,
            taken: count(u)?,
            mispredicted: count(u)?,
        })
    })?;
    let ranges = rows(u, 10, |u| {
        Ok(Ranges {
            group: group(u)?,
            first: place(u)?,
            last: place(u)?,
            times: count(u)?,
        })
    })?;
    let records = rows(u, 4, |u| {
        Ok(Records {
            event: event(u)?,
            group: group(u)?,
            samples: count(u)?,
            branches: count(u)?,
            repeated: count(u)?,
        })
    })?;
    Ok(Batch {
        samples,
        branches,
        ranges,
        records,
        ..batch
    })
}

#[test]
fn any_batch_is_read_as_it_was_written() {
    by_chance(|u| {
        let batch = batch(u)?;
        let bytes = write(&batch);
        assert_eq!(read(&bytes, &Limits::default()).as_ref(), Ok(&batch));
        assert_eq!(write(&batch.clone()), bytes);
        Ok(())
    });
}

/// Packs a message anew, so that damage inside of it is not seen by the checksum.
fn packed(message: &[u8]) -> Vec<u8> {
    let packed = zstd::encode_all(message, 1).expect("room in memory");
    [&b"HONB\x01"[..], &packed].concat()
}

#[test]
fn damaged_batches_are_refused_or_whole() {
    let seed = write(&added(&recording(21, 60), StackLimit::default()).batch);
    let message = zstd::decode_all(&seed[5..]).expect("a zstd frame");
    read_batch(&seed);
    // Of each input so many damaged batches as it has bytes for.
    by_chance_of(1024, |u| {
        while !u.is_empty() {
            read_batch(&damaged(u, &seed, &message)?);
        }
        Ok(())
    });
}

/// A batch with damage in its message or in its packed bytes.
fn damaged(u: &mut Unstructured<'_>, seed: &[u8], message: &[u8]) -> Result<Vec<u8>> {
    let inside = u.ratio(3, 4)?;
    let mut bytes = if inside { message } else { seed }.to_vec();
    for _ in 0..u.int_in_range(1..=4)? {
        if bytes.is_empty() {
            break;
        }
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=3)? {
            0 => bytes[at] = u.arbitrary()?,
            1 => bytes[at] ^= 1 << u.int_in_range(0..=7)?,
            2 => bytes.truncate(at),
            _ => {
                let end = (at + u.int_in_range(1..=8)?).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    Ok(if inside { packed(&bytes) } else { bytes })
}

#[test]
fn arbitrary_bytes_are_no_batch_or_a_whole_one() {
    by_chance(|u| {
        let bytes = u.bytes(u.len())?;
        read_batch(bytes);
        read_batch(&packed(bytes));
        Ok(())
    });
}

#[test]
fn every_flipped_bit_is_found() {
    let bytes = write(&added(&recording(22, 20), StackLimit::default()).batch);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        // Some bits of the frame's header mean nothing.
        if let Ok(read) = read(&damaged, &Limits::default()) {
            assert_eq!(write(&read), bytes, "at {at}");
        }
    }
}

fn refused(batch: &Batch) -> BatchError {
    read(&write(batch), &Limits::default()).expect_err("an error")
}

/// A batch of one sample with one frame.
fn small() -> Batch {
    Batch {
        events: vec![Event {
            name: "cpu-clock".into(),
            branches: BranchStacks::None,
        }],
        binaries: vec![Binary {
            path: "app".into(),
            build_id: None,
            kind: BinaryKind::File,
        }],
        places: vec![Place::Code {
            binary: BinaryIndex(0),
            offset: 0x1000,
        }],
        frames: vec![Frame {
            place: PlaceIndex(0),
            caller: None,
        }],
        groups: vec![Group::default()],
        samples: vec![Samples {
            event: EventIndex(0),
            group: GroupIndex(0),
            stack: FrameIndex(0),
            ip: None,
            is_leaf_only: false,
            has_branches: false,
            bucket: 1,
            times: 1,
            weight: 1,
        }],
        ..Batch::default()
    }
}

#[test]
fn rows_that_lead_nowhere_are_told_with_their_place() {
    let mut batch = small();
    batch.samples[0].stack = FrameIndex(7);
    let said = "row 0 of the column samples.stack refers to row 7 of a table with 1";
    assert_eq!(refused(&batch).to_string(), said);

    let mut batch = small();
    batch.frames[0].caller = Some(FrameIndex(0));
    let said = "row 0 of the column frames.caller refers to row 0 of a table with 0";
    assert_eq!(refused(&batch).to_string(), said);

    let mut batch = small();
    batch.places[0] = Place::Named {
        binary: BinaryIndex(0),
        name: NameIndex(0),
    };
    let said = "row 0 of the column places.value refers to row 0 of a table with 0";
    assert_eq!(refused(&batch).to_string(), said);
}

#[test]
fn claims_over_a_limit_are_errors() {
    let mut batch = small();
    for caller in 0..DEPTH_MAX as u32 {
        batch.frames.push(Frame {
            place: PlaceIndex(0),
            caller: Some(FrameIndex(caller)),
        });
    }
    assert_eq!(refused(&batch), BatchError::Depth { frame: DEPTH_MAX });
    batch.frames.pop();
    assert!(read(&write(&batch), &Limits::default()).is_ok());

    let mut batch = small();
    let label = |number: usize| Label {
        key: "key".into(),
        value: number.to_string().into(),
    };
    batch.groups[0].labels = (0..=LABELS_MAX).map(label).collect();
    let labels = LABELS_MAX as u64 + 1;
    assert_eq!(refused(&batch), BatchError::Labels { group: 0, labels });

    let mut batch = small();
    batch.names = vec!["x".repeat(TEXT_BYTES_MAX + 1)];
    let bytes = TEXT_BYTES_MAX as u64 + 1;
    assert_eq!(refused(&batch), BatchError::LongText { text: 2, bytes });

    let mut batch = small();
    batch.origin.host = "x".repeat(256);
    assert_eq!(refused(&batch), BatchError::Host);

    let mut batch = small();
    batch.samples[0].weight = SUM_MAX;
    batch.samples.push(batch.samples[0]);
    let said = format!("the counts of the column samples.weight add up to more than {SUM_MAX}");
    assert_eq!(refused(&batch).to_string(), said);

    let bytes = write(&small());
    let limits = |bytes_max, texts_max| Limits {
        bytes_max,
        texts_max,
    };
    let large = read(&bytes, &limits(100, 100));
    assert_eq!(large, Err(BatchError::TooLarge { max: 100 }));
    let many = read(&bytes, &limits(10_000, 6));
    assert_eq!(many, Err(BatchError::Texts { texts: 7, max: 6 }));
}

#[test]
fn other_bytes_and_newer_versions_are_named() {
    let bytes = write(&small());
    assert_eq!(
        read(b"PERFILE2", &Limits::default()),
        Err(BatchError::NoBatch)
    );
    assert_eq!(
        read(&bytes[..4], &Limits::default()),
        Err(BatchError::NoBatch)
    );
    let mut newer = bytes.clone();
    newer[4] = 2;
    let said = "the batch has version 2, and this program reads versions up to 1";
    let error = read(&newer, &Limits::default()).expect_err("an error");
    assert_eq!(error.to_string(), said);
    let cut = &bytes[..bytes.len() - 1];
    assert_eq!(read(cut, &Limits::default()), Err(BatchError::Compression));
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(
        read(&longer, &Limits::default()),
        Err(BatchError::Compression)
    );
}

#[test]
fn columns_of_one_table_are_equally_long() {
    let mut message = hone_profile::protobuf::Message::default();
    message.bytes(2, &[0; 16]);
    message.packed(13, [0, 0].into_iter());
    message.packed(14, [0].into_iter());
    let error = read(&packed(&message.0), &Limits::default()).expect_err("an error");
    let said = "the column places.value has 1 rows, and its table has 2";
    assert_eq!(error.to_string(), said);
}

/// The file is [`first`] as version 1 wrote it. Batches of that version are stored, so it stays as it is.
#[test]
fn the_first_version_can_still_be_read() {
    let bytes = include_bytes!("../../../../../testdata/batch/version-1.batch");
    assert_eq!(read(bytes, &Limits::default()), Ok(first()));
}

/// A batch with all kinds of rows.
fn first() -> Batch {
    let mut batch = small();
    batch.origin = Origin {
        host: "box-1".into(),
        run: 1 << 100 | 5,
        number: 42,
    };
    batch.span_s = 1_700_000_000..1_700_000_060;
    batch.events.push(Event {
        name: "calls".into(),
        branches: BranchStacks::recorded_with(1 << 4),
    });
    batch.binaries.push(Binary {
        path: "[kernel.kallsyms]".into(),
        build_id: BuildId::new(&[0xab; 20]),
        kind: BinaryKind::Kernel,
    });
    batch.names = vec!["do_syscall_64".into()];
    batch.places.push(Place::Named {
        binary: BinaryIndex(1),
        name: NameIndex(0),
    });
    batch.frames.push(Frame {
        place: PlaceIndex(1),
        caller: Some(FrameIndex(0)),
    });
    let label = Label {
        key: "method".into(),
        value: "Größe".into(),
    };
    batch.groups.push(Group {
        host: "box-2".into(),
        service: "shop".into(),
        container: "0123".into(),
        build: "c0ffee".into(),
        thread: "worker".into(),
        labels: [label].into_iter().collect(),
    });
    batch.samples.push(Samples {
        event: EventIndex(1),
        group: GroupIndex(1),
        stack: FrameIndex(1),
        ip: Some(PlaceIndex(0)),
        is_leaf_only: true,
        has_branches: true,
        bucket: 28_333_333,
        times: 3,
        weight: 1_000_000,
    });
    batch.branches.push(Branches {
        group: GroupIndex(1),
        from: PlaceIndex(1),
        to: PlaceIndex(0),
        taken: 9,
        mispredicted: 2,
    });
    batch.ranges.push(Ranges {
        group: GroupIndex(0),
        first: PlaceIndex(0),
        last: PlaceIndex(0),
        times: 8,
    });
    batch.records.push(Records {
        event: EventIndex(1),
        group: GroupIndex(1),
        samples: 3,
        branches: 9,
        repeated: 1,
    });
    batch
}
