//! Hubs and hosts whose clocks are wrong (libfaketime), for the hub alone.

use std::fs;
use std::path::Path;

use hone_batch::{Batch, wire};
use hone_hub::store::{Location, Options, Store};
use tempfile::tempdir;
use testkit::with_clock;

use crate::common::{Hub, until};
use crate::fleet::{batch_of, is_sum_of, now_s, send};
use crate::upkeep::{busy, received};

const DAY_S: u64 = 86_400;

/// Fills a hub's folder with a batch of each of six days, and returns the batches.
fn six_days(folder: &Path) -> Vec<Batch> {
    let folder = Location::Folder(folder.to_owned());
    let store = Store::open(folder, Options::default()).unwrap();
    let days = (1..=6).rev();
    let batches = days.map(|ago| batch_of("one", 10 - ago, "shop", now_s() - ago * DAY_S));
    let batches: Vec<Batch> = batches.collect();
    for batch in &batches {
        let then_s = batch.span_s.end;
        store.append("default", &received(batch), then_s).unwrap();
        store.compact(then_s + 7200).unwrap();
        store.retain(then_s + 7200).unwrap();
    }
    batches
}

#[test]
#[ignore = "waits on a clock"]
fn starts_of_a_hub_whose_clock_is_a_year_ahead_lose_no_day() {
    let directory = tempdir().unwrap();
    let clock = directory.path().join("clock");
    let batches = six_days(&directory.path().join("hub-data"));
    fs::write(&clock, format!("+{}", 401 * DAY_S)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_hone-hub"));
    for _ in 0..2 {
        let Some(command) = with_clock(program, &clock) else {
            return;
        };
        let mut hub = Hub::start_as(command, directory.path(), &busy());
        until("two looks for what is kept no longer", || {
            let said = hub.said();
            (said.matches("the clock of this machine says").count() >= 2).then_some(())
        });
        hub.post(&wire::write(&batch_of("two", 1, "shop", now_s() - 600)))
            .refuses(409, "check the clocks");
        hub.signal(rustix::process::Signal::TERM);
        assert!(hub.has_ended_well(), "{}", hub.said());
        assert!(!hub.said().contains("hub: removed"), "{}", hub.said());
    }
    let hub = Hub::start(directory.path(), &busy());
    send(&hub, &batch_of("two", 1, "till", now_s() - 600));
    let from_s = now_s() - 7 * DAY_S;
    let answer = || hub.get(&format!("/v1/query?service=shop&from={from_s}"));
    is_sum_of(&answer(), &batches);
    until("a look for what is kept no longer", || {
        hub.figure_if_there("hone_hub_store_bytes{tenant=\"default\",kind=\"files\"}")
    });
    is_sum_of(&answer(), &batches);
}
