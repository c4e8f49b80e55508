//! The whole way of a host's samples: recorded, added up, kept while the hub is away, sent once it is there.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hone_batch::{Batch, Limits, Place, wire};
use hone_collect::{BranchSource, Branches, Event, Figures, Label, Options, collect};
use hone_record::RecordError;
use testkit::{Receiver, Spinner};

/// Rounds after which a process that never stops computing must have been sampled, on a machine however busy.
const ROUNDS_MAX: u64 = 120;

fn services(batch: &Batch) -> BTreeSet<&str> {
    let rows = batch.samples.iter().map(|row| row.group);
    let rows = rows.chain(batch.branches.iter().map(|row| row.group));
    rows.map(|group| batch.groups[group.index()].service.as_str())
        .collect()
}

/// Collects until a batch is what is wanted, or too many rounds are over. Returns that batch, if the host may be recorded, with the
/// figures of the collector. The hub opens once a batch had to wait for it.
fn collected(
    receiver: &Receiver,
    options: &Options,
    is_wanted: impl Fn(&Batch) -> bool,
) -> Option<(Option<Batch>, Figures, Vec<Event>)> {
    let (stop, is_open) = (AtomicBool::new(false), &receiver.is_open);
    let told = Mutex::new((Figures::default(), Vec::new()));
    let tell = |event: Event| {
        let (figures, events) = &mut *told.lock().unwrap();
        figures.note(&event);
        match event {
            Event::Waiting(_) => is_open.store(true, Ordering::Relaxed),
            Event::Recorded(_) if figures.rounds > ROUNDS_MAX => {
                stop.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
        events.push(event);
    };
    let found = thread::scope(|scope| {
        let collecting = scope.spawn(|| collect(options, &stop, &tell));
        let mut numbers = Vec::new();
        let mut found = None;
        while found.is_none() && !collecting.is_finished() {
            let Ok(got) = receiver.got.recv_timeout(Duration::from_millis(200)) else {
                continue;
            };
            let batch = wire::read(&got.batch, &Limits::default()).unwrap();
            let origin = &batch.origin;
            assert_eq!((origin.host.as_str(), origin.run), ("this-host", 7));
            let mut groups = batch.groups.iter();
            assert!(groups.all(|group| group.labels[0].to_string() == "class=edge"));
            numbers.push(origin.number);
            found = is_wanted(&batch).then_some(batch);
        }
        stop.store(true, Ordering::Relaxed);
        let outcome = collecting.join().unwrap();
        let error = outcome.as_ref().err();
        let refused = error.and_then(|error| error.downcast_ref());
        if let Some(error @ RecordError::SystemRefused { .. }) = refused {
            println!("skipped: {error}");
            return None;
        }
        outcome.unwrap();
        let expected: Vec<u64> = (0..numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "in their order, none twice");
        Some(found)
    });
    let (figures, events) = told.into_inner().unwrap();
    found.map(|found| (found, figures, events))
}

fn options(receiver: &Receiver, folder: &std::path::Path) -> Options {
    Options {
        round: Duration::from_millis(500),
        frequency_hz: 99,
        // Short rounds on a busy machine may cost more than a hundredth of it.
        cpu_share_max: 1.0,
        run: 7,
        labels: [Label {
            key: "class".into(),
            value: "edge".into(),
        }]
        .into_iter()
        .collect(),
        ..Options::new(receiver.url(), "this-host", folder)
    }
}

/// Whatever is in them.
#[test]
fn batches_wait_for_the_hub_and_come_in_their_order() {
    let directory = tempfile::tempdir().unwrap();
    let _spinner = Spinner::start(directory.path(), "spinner");
    let receiver = Receiver::start(false);
    let options = options(&receiver, directory.path());
    let is_third = |batch: &Batch| batch.origin.number == 2;
    let Some((found, figures, events)) = collected(&receiver, &options, is_third) else {
        return;
    };
    assert!(found.is_some(), "{events:?}");
    assert!(receiver.is_open.load(Ordering::Relaxed));
    assert!(figures.batches_sent > 2, "{figures:?}");
    no_loss(&events);
}

#[track_caller]
fn no_loss(events: &[Event]) {
    for event in events {
        let is_loss = matches!(
            event,
            Event::Refused(_) | Event::Dropped(_) | Event::Failed(_) | Event::BranchesFailed(_)
        );
        assert!(!is_loss, "{event:?}");
    }
}

#[test]
#[ignore = "finds by samples"]
fn what_a_host_does_reaches_the_hub_also_if_the_hub_comes_later() {
    let directory = tempfile::tempdir().unwrap();
    let _spinner = Spinner::start(directory.path(), "spinner");
    let receiver = Receiver::start(false);
    let options = options(&receiver, directory.path());
    let is_there = |batch: &Batch| {
        let mut binaries = batch.binaries.iter();
        services(batch).contains("spinner") && binaries.any(|binary| binary.path == "spinner")
    };
    let Some((found, figures, events)) = collected(&receiver, &options, is_there) else {
        return;
    };
    let batch = found.expect("the spinner was not sampled");
    assert!(receiver.is_open.load(Ordering::Relaxed));
    assert!(figures.batches_sent > 0 && figures.cpu_s > 0.0);
    assert!(figures.memory_bytes > 0 && figures.frequency_hz == 99);
    no_loss(&events);
    let binaries = batch.places.iter().filter_map(|place| match place {
        Place::Code { binary, .. } => Some(&batch.binaries[binary.index()]),
        Place::Named { .. } => None,
    });
    let paths: BTreeSet<&str> = binaries.map(|binary| binary.path.as_str()).collect();
    assert!(paths.contains("spinner"), "{paths:?}");
    assert!(
        paths
            .iter()
            .all(|path| !path.contains('/') || path.starts_with("//")),
        "directories stay on the host: {paths:?}"
    );
}

#[test]
#[ignore = "finds by samples"]
fn a_service_that_asks_for_branch_records_gets_them_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let _asks = Spinner::start(directory.path(), "asks");
    let _other = Spinner::start(directory.path(), "other");
    let receiver = Receiver::start(true);
    let options = Options {
        round: Duration::from_secs(1),
        branches: Branches {
            source: BranchSource::Walk,
            services: vec!["asks".into()],
            cpu_share_max: 1.0,
        },
        ..options(&receiver, directory.path())
    };
    let has_branches = |batch: &Batch| !batch.branches.is_empty();
    let Some((found, figures, events)) = collected(&receiver, &options, has_branches) else {
        return;
    };
    let Some(batch) = found else {
        let failed = events.iter().find_map(|event| match event {
            Event::BranchesFailed(why) => Some(why),
            _ => None,
        });
        let why = failed.unwrap_or_else(|| panic!("no branch records: {figures:?}"));
        println!("skipped: {why}");
        return;
    };
    assert_eq!(services(&batch), BTreeSet::from(["asks"]));
    assert!(figures.branch_records > 0 && figures.branch_rounds > 0);
    assert!(!batch.ranges.is_empty() && !batch.records.is_empty());
    assert!(
        batch.samples.iter().all(|row| row.has_branches),
        "the samples of time are those of the other batch"
    );
}

#[test]
fn a_folder_is_for_one_collector_alone() {
    let directory = tempfile::tempdir().unwrap();
    let lock = std::fs::File::create(directory.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let options = Options::new("http://127.0.0.1:1", "this-host", directory.path());
    let refused = collect(&options, &AtomicBool::new(false), &|_| {}).unwrap_err();
    assert!(
        refused.to_string().contains("another collector"),
        "{refused}"
    );
    // A patient one says so, and waits.
    let patient = Options {
        is_patient: true,
        ..options
    };
    let stop = AtomicBool::new(false);
    let told = Mutex::new(Vec::new());
    let tell = |event| {
        told.lock().unwrap().push(event);
        stop.store(true, Ordering::Relaxed);
    };
    collect(&patient, &stop, &tell).unwrap();
    let told = told.into_inner().unwrap();
    assert!(matches!(&told[..], [Event::Failed(why)] if why.contains("another collector")));
}
