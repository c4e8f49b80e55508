//! A process that is killed while it appends and compacts: what it acknowledged is in the folder, once.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use hone_hub::store::{Location, Store};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::fleet::{Detail, Sent, TENANT, options, sums_in, sums_of};

/// Folder of the child; its first number.
const FOLDER: &str = "HONE_HUB_TEST_FOLDER";
const FIRST: &str = "HONE_HUB_TEST_FIRST";

fn sent(number: u64) -> Sent {
    Sent {
        host: 1,
        number,
        minute: (number / 4) as u32,
    }
}

/// Appends, compacts now and then, and tells each number that was acknowledged; does nothing unless it is started as a child.
#[test]
fn child_that_appends_until_it_is_killed() {
    let (Ok(folder), Ok(first)) = (std::env::var(FOLDER), std::env::var(FIRST)) else {
        return;
    };
    let store = Store::open(Location::Folder(folder.into()), options()).unwrap();
    for number in first.parse().unwrap().. {
        let batch = sent(number);
        store
            .append(TENANT, &batch.received(), batch.start_s())
            .unwrap();
        println!("acknowledged {number}");
        std::io::stdout().flush().unwrap();
        if number % 8 == 7 {
            store.compact(batch.start_s() + 7200).unwrap();
        }
    }
}

#[test]
fn a_killed_hub_has_lost_nothing_that_it_acknowledged() {
    is_killed(6);
}

#[test]
#[ignore = "further end to end"]
fn a_hub_that_is_killed_again_and_again_has_lost_nothing_that_it_acknowledged() {
    is_killed(24);
}

/// So many times.
fn is_killed(kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let mut acknowledged = BTreeSet::new();
    let mut next = 0;
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "store::kill::child_that_appends_until_it_is_killed",
                "--nocapture",
            ])
            .env(FOLDER, folder.path())
            .env(FIRST, u64::to_string(&next))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = |line: std::io::Result<String>| {
            let line = line.ok()?;
            line.split("acknowledged ").nth(1)?.parse::<u64>().ok()
        };
        let enough = rng.random_range(1..20);
        let heard = lines.by_ref().filter_map(told).take(enough);
        acknowledged.extend(heard.map(sent));
        // Somewhere in the work on the next batches.
        for _ in 0..rng.random_range(0..20_000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        acknowledged.extend(lines.filter_map(told).map(sent));
        child.wait().unwrap();
        next = acknowledged.last().map_or(0, |last| last.number + 1);

        let store = Store::open(Location::Folder(folder.path().to_owned()), options()).unwrap();
        let sums = sums_in(&store, Detail::Whole);
        let underway = acknowledged.iter().copied().chain([sent(next)]);
        let is_one = sums == sums_of(acknowledged.iter().copied(), Detail::Whole)
            || sums == sums_of(underway, Detail::Whole);
        assert!(is_one, "lost or doubled after {next} batches");
    }
}
