//! What looks for regressions leave in the store: no more than the days of a service are worth.

use std::collections::BTreeSet;
use std::sync::Arc;

use hone_hub::regressions::{Regressions, STEP_S, retain};
use hone_hub::store::Store;
use hone_regressions::Thresholds;

use super::fleet::{MIDNIGHT_S, Sent, TENANT, open};
use crate::disk::{Disk, Kind};

/// Minutes at which recordings began: two days with a day between.
const MINUTES: [u32; 8] = [0, 1, 340, 357, 361, 719, 3000, 3001];
/// The first two steps of the second of these days are over.
const NOW_S: u64 = MIDNIGHT_S + 2 * 86_400 + 13 * 3600;

fn filled() -> Store {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    for (minute, number) in MINUTES.into_iter().zip(0..) {
        let sent = Sent {
            host: (number % 3) as u8,
            number,
            minute,
        };
        store
            .append(TENANT, &sent.received(), sent.start_s())
            .unwrap();
    }
    store
}

fn directory(service: &str) -> String {
    format!("{TENANT}/regressions/{}/", hex::encode(service))
}

#[test]
fn steps_are_gathered_of_days_that_a_service_has() {
    let store = filled();
    let thresholds = Thresholds::default();
    let regressions = Regressions::of(&store, TENANT, None, thresholds, 1_000_000).unwrap();
    let (services, left_out) = regressions.services(NOW_S).unwrap();
    assert_eq!(left_out, 0);
    let service = services.iter().find(|service| service.name == "checkout");
    regressions.look_at(service.unwrap(), NOW_S).unwrap();
    let listed = store.objects().list(&directory("checkout")).unwrap();
    let names = listed.iter().map(|listed| listed.name.as_str());
    let numbers = names.filter_map(|name| name.rsplit_once("step-"));
    let numbers: BTreeSet<u64> = numbers.map(|(_, number)| number.parse().unwrap()).collect();
    let first = MIDNIGHT_S / STEP_S;
    let expected = (0..4).chain(8..10).map(|step| first + step);
    assert_eq!(numbers, expected.collect::<BTreeSet<u64>>());
}

#[test]
fn steps_and_states_go_with_the_days_of_their_service() {
    let store = filled();
    let objects = store.objects();
    let names = ["checkout", "gone"].map(directory);
    let names = names.iter().flat_map(|directory| {
        let objects = ["step-1", "state.json"].into_iter();
        objects.map(move |object| format!("{directory}{object}"))
    });
    let names: Vec<String> = names.collect();
    for name in &names {
        objects.put(name, b"kept").unwrap();
    }
    assert!(retain(&store, TENANT).unwrap().contains("checkout"));
    let is_there = |name: &String| objects.get(name).unwrap().is_some();
    let there: Vec<bool> = names.iter().map(is_there).collect();
    assert_eq!(there, [true, true, false, false]);
}
