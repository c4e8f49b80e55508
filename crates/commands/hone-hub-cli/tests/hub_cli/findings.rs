//! Findings about a service: as an answer of their own, and on the page.

use hone_batch::{Batch, BinaryIndex, NameIndex, Place};
use serde_json::Value;
use tempfile::tempdir;
use testkit::view_page::names;

use crate::common::{ANY_PORT, Hub};
use crate::fleet::{batch_of, now_s, send};
use crate::page::shows;

/// Begin and end of the ten minutes, in whole minutes, in which the samples of these tests were taken.
fn minutes() -> (u64, u64) {
    let start_s = now_s() / 60 * 60 - 1200;
    (start_s, start_s + 600)
}

/// Sends a batch of 2,100 samples of 10 ms, of which 1,200 are in a function of this name and 900 in what it is called from.
fn sent(hub: &Hub, number: u64, service: &str, function: &str) {
    let (start_s, _) = minutes();
    let mut batch: Batch = batch_of("one", number, service, start_s);
    batch.names = vec![function.into()];
    batch.places[1] = Place::Named {
        binary: BinaryIndex(0),
        name: NameIndex(0),
    };
    for (row, times) in batch.samples.iter_mut().zip([900, 1200]) {
        (row.times, row.weight) = (times, times * 10_000_000);
    }
    batch.branches.clear();
    batch.ranges.clear();
    send(hub, &batch);
}

fn found(hub: &Hub, question: &str) -> Value {
    let (from, to) = minutes();
    let answer = hub.get(&format!("/v1/findings?{question}&from={from}&to={to}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn what_is_odd_about_a_service_is_told_with_its_cores() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    sent(&hub, 0, "shop", "malloc");
    sent(&hub, 1, "till", "work");
    let shop = found(&hub, "service=shop");
    let finding = &shop["findings"][0];
    assert_eq!(finding["rule"], "allocator", "{shop}");
    // 1,200 samples of 10 ms in 600 seconds.
    let of = |figure: &str| finding["cores"][figure].as_f64().unwrap();
    assert!((of("value") - 0.02).abs() < 1e-9, "{shop}");
    assert!((of("standard_error") - 0.02 / 1200_f64.sqrt()).abs() < 1e-9);
    assert_eq!(shop["sums"]["seconds"], 600);
    let not_looked = shop["not_looked"].as_array().unwrap();
    let needs: Vec<&Value> = not_looked.iter().map(|not| &not["need"]).collect();
    assert_eq!(needs, ["code", "counters", "machine", "walks"]);
    assert_eq!(
        found(&hub, "service=till")["findings"],
        Value::Array(Vec::new())
    );

    // The builds apart: the allocator is of the second.
    let first = found(&hub, "service=shop&build=ab01");
    assert_ne!(first["findings"][0]["rule"], "allocator", "{first}");
    let view = hub.get("/v1/view?service=shop").text();
    let view = names(&view);
    assert!(view.contains("\"rule\":\"allocator\"") && view.contains("\"cores\":\""));
    hub.get("/v1/findings")
        .refuses(400, "no service is asked for");
    hub.get("/v1/findings?service=none")
        .refuses(404, "no service \"none\"");
}

#[test]
#[ignore = "further end to end"]
fn a_browser_shows_findings_on_the_page_of_a_service() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    sent(&hub, 0, "shop", "malloc");
    shows(&hub, "service=shop", &["src=\"blob:"]);
}
