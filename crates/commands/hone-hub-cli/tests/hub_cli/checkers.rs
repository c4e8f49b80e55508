//! The processes that check batches: confined, and replaced when they die.

use std::fs;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, until};
use crate::fleet::{batch, is_sum_of, send};

/// Settings with one checker, which has the next batch.
fn one_checker() -> String {
    format!("{ANY_PORT}[limits]\ncheckers = 1\n")
}

/// Returns the checker, once it has started.
fn checker_of(hub: &Hub) -> u32 {
    until("the checker", || hub.checkers().first().copied())
}

fn signal(process: u32, signal: Signal) {
    let process = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(process, signal).unwrap();
}

#[test]
fn a_checker_can_neither_open_nor_start_anything() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), &one_checker());
    send(&hub, &batch("one", 0, "shop"));
    let checker = checker_of(&hub);
    let read = |file: &str| fs::read_to_string(format!("/proc/{checker}/{file}")).unwrap();
    let limits = read("limits");
    for line in ["Max open files            0", "Max file size             0"] {
        assert!(limits.contains(line), "{limits}");
    }
    assert_eq!(read("environ"), "");
    let files = fs::read_dir(format!("/proc/{checker}/fd")).unwrap();
    assert_eq!(files.count(), 3);
    if hub.said().contains("are not confined") {
        println!("skipped: checkers cannot be confined here");
        return;
    }
    let status = read("status");
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
        assert!(status.contains(line), "{status}");
    }
}

#[test]
fn a_checker_that_is_killed_costs_no_batch() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), &one_checker());
    send(&hub, &batch("one", 0, "shop"));
    let mut batches = vec![batch("one", 0, "shop")];
    for number in 1..6 {
        let checker = checker_of(&hub);
        // It stands still, so it is killed while it has the batch or before.
        signal(checker, Signal::STOP);
        let next = batch("one", number, "shop");
        thread::scope(|scope| {
            let sending = scope.spawn(|| send(&hub, &next));
            signal(checker, Signal::KILL);
            sending.join().unwrap();
        });
        batches.push(next);
    }
    is_sum_of(&hub.get("/v1/query?service=shop"), &batches);
    assert_eq!(hub.figure("hone_hub_checkers_started_total"), 6);
    let text = hub.get("/metrics").text();
    assert!(text.contains("hone_hub_batches_total{outcome=\"refused\"} 0"));
}

#[test]
fn checkers_end_with_a_hub_that_is_killed() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), &one_checker());
    send(&hub, &batch("one", 0, "shop"));
    let checker = checker_of(&hub);
    hub.kill();
    until("the end of the checker", || {
        let status = fs::read_to_string(format!("/proc/{checker}/stat"));
        // Nobody may have asked for its end yet.
        status.map_or(Some(()), |status| status.contains(") Z ").then_some(()))
    });
}
