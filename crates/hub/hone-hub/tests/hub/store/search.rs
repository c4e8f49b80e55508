//! Searches for functions over services and hosts.

use std::sync::Arc;

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex, NameIndex,
    Origin, Place, PlaceIndex, Samples, wire,
};
use hone_hub::question::{NoAnswer, Question};
use hone_hub::search::{Caller, Cores, Fleet, Found, Function, callers, functions};
use hone_hub::store::{Received, Store};
use hone_profile::{Binary, BinaryKind, BranchStacks, Event};
use hone_views::Names;

use super::fleet::{MIDNIGHT_S, TENANT, open};
use crate::disk::{Disk, Kind};

/// Names of functions in these tests, by which stacks are written.
const NAMES: [&str; 5] = ["main", "Parse", "parse_json", "memcpy", "serve"];
/// Nanoseconds of a sample.
const SAMPLE_NS: u64 = 50_000_000;
/// The time of the recordings, in which a second of CPU time is a sixtieth of a core.
const MINUTE: std::ops::Range<u64> = MIDNIGHT_S..MIDNIGHT_S + 60;

/// Returns what a host recorded of a service: stacks of names from the outermost on, with their samples.
fn batch(service: &str, host: &str, minute: u64, stacks: &[(&[&str], u64)]) -> Batch {
    let mut batch = Batch {
        origin: Origin {
            host: host.to_owned(),
            run: 1,
            number: minute,
        },
        span_s: MIDNIGHT_S + minute * 60..MIDNIGHT_S + minute * 60 + 60,
        events: vec![Event {
            name: "cpu-clock".to_owned(),
            branches: BranchStacks::None,
        }],
        binaries: vec![Binary {
            path: "program".to_owned(),
            build_id: None,
            kind: BinaryKind::File,
        }],
        names: NAMES.map(str::to_owned).to_vec(),
        places: (0..NAMES.len() as u32)
            .map(|name| Place::Named {
                binary: BinaryIndex(0),
                name: NameIndex(name),
            })
            .collect(),
        groups: vec![Group {
            service: service.to_owned(),
            ..Group::default()
        }],
        ..Batch::default()
    };
    for (names, times) in stacks {
        let mut caller = None;
        for name in *names {
            let place = NAMES.iter().position(|known| known == name).unwrap();
            let next = FrameIndex(batch.frames.len() as u32);
            batch.frames.push(Frame {
                place: PlaceIndex(place as u32),
                caller,
            });
            caller = Some(next);
        }
        batch.samples.push(Samples {
            event: EventIndex(0),
            group: GroupIndex(0),
            stack: caller.unwrap(),
            ip: None,
            is_leaf_only: false,
            has_branches: false,
            bucket: MIDNIGHT_S / BUCKET_S + minute,
            times: *times,
            weight: times * SAMPLE_NS,
        });
    }
    batch
}

/// Two services on two hosts, with a function that calls itself, and an hour later something else.
fn filled() -> Store {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    let recursive: &[&str] = &["main", "Parse", "parse_json", "Parse", "Parse"];
    for batch in [
        batch(
            "shop",
            "one",
            0,
            &[(recursive, 9), (&["main", "Parse", "memcpy"], 16)],
        ),
        batch("shop", "two", 0, &[(&["main", "Parse", "memcpy"], 84)]),
        batch(
            "till",
            "one",
            0,
            &[(&["serve", "parse_json"], 25), (&["Parse"], 4)],
        ),
        batch("till", "one", 60, &[(&["serve"], 100)]),
    ] {
        let received = Received {
            origin: batch.origin.clone(),
            span_s: batch.span_s.clone(),
            bytes: wire::write(&batch),
        };
        // The hosts have other runs for each service.
        let received = Received {
            origin: Origin {
                run: u128::from(batch.groups[0].service == "till") + 1,
                ..received.origin
            },
            ..received
        };
        store.append(TENANT, &received, batch.span_s.start).unwrap();
    }
    store
}

fn question() -> Question {
    Question {
        span_s: MINUTE,
        ..Question::default()
    }
}

fn search<R>(
    question: &Question,
    (samples_max, rows_max): (usize, usize),
    ask: impl FnOnce(&Fleet<'_>) -> Result<Found<R>, NoAnswer>,
) -> Result<Found<R>, NoAnswer> {
    let store = filled();
    ask(&Fleet {
        store: &store,
        tenant: TENANT,
        question: &question.for_stacks(u64::MAX),
        samples_max,
        rows_max,
    })
}

const MANY: (usize, usize) = (1_000_000, 100);

fn of_text(text: &str, limits: (usize, usize)) -> Found<Function> {
    let found = search(&question(), limits, |fleet| {
        functions(fleet, text, |_, _| Names::default())
    });
    found.unwrap()
}

fn callers_of(function: &str, question: &Question) -> Result<Found<Caller>, NoAnswer> {
    search(question, MANY, |fleet| {
        callers(fleet, function, |_, _| Names::default())
    })
}

/// Cores of a minute are these samples of equal weight, and their error is the root of their number.
fn are_samples((cores, error): Cores, samples: u32) -> bool {
    let per_sample = SAMPLE_NS as f64 / 60e9;
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let samples = f64::from(samples);
    is_near(cores, samples * per_sample) && is_near(error, samples.sqrt() * per_sample)
}

#[test]
fn functions_are_found_in_all_services_by_a_part_of_their_name() {
    let found = of_text("PARSE", MANY);
    let expected = [
        ("Parse", "shop", 9, 109),
        ("parse_json", "till", 25, 25),
        ("parse_json", "shop", 0, 9),
        ("Parse", "till", 4, 4),
    ];
    assert_eq!(found.rows.len(), expected.len(), "{found:?}");
    for (row, (function, service, own, total)) in found.rows.iter().zip(expected) {
        assert_eq!((&*row.function, &*row.service), (function, service));
        assert!(
            are_samples(row.own, own) && are_samples(row.total, total),
            "{row:?}"
        );
    }
    assert_eq!((found.services, found.left_out), (2, 0));
    assert!(found.too_large.is_empty());
}

#[test]
fn a_caller_is_the_next_other_function_of_the_innermost_call() {
    let found = callers_of("Parse", &question()).unwrap();
    let expected = [
        ("shop", Some("main"), 100),
        ("shop", Some("parse_json"), 9),
        ("till", None, 4),
    ];
    assert_eq!(found.rows.len(), expected.len(), "{found:?}");
    for (row, (service, caller, samples)) in found.rows.iter().zip(expected) {
        assert_eq!((&*row.service, row.caller.as_deref()), (service, caller));
        assert!(are_samples(row.cores, samples), "{row:?}");
    }
    // Callers are of the whole name.
    assert!(callers_of("parse", &question()).unwrap().rows.is_empty());
}

#[test]
fn services_hosts_and_time_limit_a_search() {
    let question = Question {
        services: vec!["shop".into()],
        hosts: vec!["two".into()],
        ..question()
    };
    let found = callers_of("memcpy", &question).unwrap();
    assert_eq!((found.rows.len(), found.services), (1, 1));
    assert!(are_samples(found.rows[0].cores, 84), "{found:?}");
    let later = Question {
        span_s: MINUTE.start + 3600..MINUTE.end + 3600,
        ..self::question()
    };
    let found = callers_of("serve", &later).unwrap();
    assert_eq!((found.rows.len(), found.services), (1, 1));
    assert!(are_samples(found.rows[0].cores, 100), "{found:?}");
}

#[test]
fn rows_beyond_the_limit_are_counted() {
    let found = of_text("parse", (1_000_000, 2));
    let rows: Vec<_> = found
        .rows
        .iter()
        .map(|row| (&*row.function, &*row.service))
        .collect();
    assert_eq!(rows, [("Parse", "shop"), ("parse_json", "till")]);
    assert_eq!(found.left_out, 2);
}

#[test]
fn services_that_are_too_large_are_told_and_others_searched() {
    let found = of_text("parse", (1, 100));
    assert_eq!((found.services, found.rows.len()), (0, 0));
    assert_eq!(found.too_large, ["shop", "till"]);
}

#[test]
fn no_match_is_an_empty_answer_and_a_wrong_service_an_error() {
    let found = of_text("absent", MANY);
    assert_eq!((found.rows.len(), found.services), (0, 2));
    let wrong = Question {
        services: vec!["shopp".into()],
        ..question()
    };
    let refused = callers_of("Parse", &wrong).unwrap_err().to_string();
    assert!(
        refused.contains("no service \"shopp\"; there are: shop"),
        "{refused}"
    );
    let nobody = Question {
        hosts: vec!["three".into()],
        ..question()
    };
    let refused = callers_of("Parse", &nobody).unwrap_err().to_string();
    assert!(refused.contains("nothing of the host three"), "{refused}");
}
