//! Questions: what they choose, and what is said where there is nothing.

use std::collections::BTreeSet;

use hone_batch::Batch;
use hone_hub::store::{Location, Options, Store};
use hone_profile::Label;
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub};
use crate::fleet::{BUILDS, batch, batch_of, is_sum_of, now_s, read, send};
use crate::page::shows;
use crate::upkeep::received;

fn hosts_of(batch: &Batch) -> Vec<&str> {
    batch.groups.iter().map(|group| &*group.host).collect()
}

#[test]
fn an_answer_has_what_was_asked_for() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let (one, two) = (batch("one", 0, "shop"), batch("two", 1, "till"));
    [&one, &two].into_iter().for_each(|batch| send(&hub, batch));
    let ask = |query: &str| read(&hub.get(&format!("/v1/query?{query}")));

    let both = "/v1/query?service=shop&service=till";
    is_sum_of(&hub.get(both), &[one.clone(), two]);
    for (query, build) in [
        (format!("build={}", BUILDS[0]), 0),
        (format!("build={}", BUILDS[1].to_uppercase()), 1),
        ("thread=main".to_owned(), 0),
        ("container=c1c1".to_owned(), 1),
        ("host=one&thread=worker".to_owned(), 1),
    ] {
        let answer = ask(&format!("service=shop&{query}"));
        let builds: Vec<_> = answer.groups.iter().map(|group| &group.build).collect();
        assert_eq!(builds, [&one.groups[build].build], "{query}");
        assert_eq!(answer.samples.len(), 1, "{query}");
        assert_eq!(answer.branches.is_empty(), build == 1, "{query}");
    }
    assert_eq!(
        hosts_of(&ask("service=shop&service=till&host=two")),
        ["two"; 2]
    );

    let samples = ask("service=shop&tables=samples");
    assert_eq!(samples.samples.len(), 2);
    assert!(samples.branches.is_empty() && samples.ranges.is_empty());
    let branches = ask("service=shop&tables=branches,records");
    assert!(branches.samples.is_empty() && branches.ranges.is_empty());
    assert_eq!((branches.branches.len(), branches.records.len()), (1, 1));

    // The answer is of the minute in which something was recorded.
    let minute_s = one.span_s.start / 60 * 60;
    assert_eq!(samples.span_s, minute_s..minute_s + 60);
}

/// Sends batches of three hosts whose labels differ.
fn send_labelled(hub: &Hub) {
    for (number, (host, labels)) in [
        ("one", &[("class", "edge"), ("zone", "a")]),
        ("two", &[("class", "edge"), ("zone", "b")]),
        ("three", &[("class", "core"), ("zone", "a")]),
    ]
    .into_iter()
    .enumerate()
    {
        let mut batch = batch(host, number as u64, "shop");
        for group in &mut batch.groups {
            let labels = labels.iter().map(|(key, value)| Label {
                key: (*key).into(),
                value: (*value).into(),
            });
            group.labels = labels.collect();
        }
        send(hub, &batch);
    }
}

#[test]
fn labels_choose_and_tell_apart() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send_labelled(&hub);
    let hosts = |query: &str| {
        let answer = read(&hub.get(&format!("/v1/query?service=shop&{query}")));
        let hosts: BTreeSet<String> = hosts_of(&answer).into_iter().map(str::to_owned).collect();
        hosts.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(hosts("label=class:edge"), "one two");
    assert_eq!(hosts("label=class:edge&label=class:core"), "one three two");
    assert_eq!(hosts("label=class:edge&label=zone:a"), "one");
    hub.get("/v1/query?service=shop&label=class:big").refuses(
        404,
        "nothing of the label class:big in that time; there are: class:core, class:edge",
    );
    hub.get("/v1/query?service=shop&label=class")
        .refuses(400, "write label=KEY:VALUE");
}

#[test]
#[ignore = "further end to end"]
fn a_browser_tells_labels_apart() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send_labelled(&hub);
    shows(
        &hub,
        "service=shop&by=label%3Aclass",
        &[">edge<", ">core<", ">label zone<"],
    );
    shows(
        &hub,
        "service=shop&by=host&label=class%3Acore",
        &["label: class:core", ">three<"],
    );
}

#[test]
fn where_there_is_nothing_the_hub_says_what_there_is() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    hub.get("/v1/query?service=shop")
        .refuses(404, "nothing has been sent yet");
    send(&hub, &batch("one", 0, "checkout"));
    send(&hub, &batch("one", 1, "shop"));
    let days_ago_s = now_s() - 3 * 86_400;
    send(&hub, &batch_of("one", 2, "old", days_ago_s));

    hub.get("/v1/query?service=chekout")
        .refuses(404, "no service \"chekout\"; there are: checkout, ");
    hub.get("/v1/query?service=shop&service=none")
        .refuses(404, "no service \"none\"");
    let day = days_ago_s / 86_400 * 86_400;
    let day = day_of(day);
    hub.get("/v1/query?service=old")
        .refuses(404, &format!("there is of {day}"));
    assert_eq!(
        hub.get(&format!("/v1/query?service=old&from={days_ago_s}"))
            .status,
        200
    );
    hub.get("/v1/query?service=shop&build=ffff").refuses(
        404,
        &format!(
            "nothing of the build ffff in that time; there are: {}0",
            BUILDS[0]
        ),
    );
    hub.get("/v1/query?service=shop&host=two")
        .refuses(404, "nothing of the host two in that time; there are: one");
    hub.get(&format!(
        "/v1/query?service=shop&build={}&thread=worker",
        BUILDS[0]
    ))
    .refuses(404, "all that together");
    hub.get("/v1/query").refuses(400, "no service is asked for");
    hub.get("/v1/query?service=shop&from=x")
        .refuses(400, "seconds since 1970");
    let refused = hub.figure("hone_hub_questions_total{outcome=\"refused\"}");
    assert_eq!(refused, 9);
}

/// Returns the day of a midnight, such as `2026-01-31`, by the calendar of the C library.
fn day_of(midnight_s: u64) -> String {
    let date = std::process::Command::new("date")
        .args(["-u", "-d", &format!("@{midnight_s}"), "+%F"])
        .output()
        .unwrap();
    String::from_utf8(date.stdout).unwrap().trim().to_owned()
}

#[test]
fn an_answer_that_would_take_too_much_memory_is_refused() {
    let directory = tempdir().unwrap();
    let settings = format!("{ANY_PORT}[limits]\nquestion_rows = 40\n");
    let hub = Hub::start(directory.path(), &settings);
    send(&hub, &batch("host-0", 0, "shop"));
    assert_eq!(hub.get("/v1/query?service=shop").status, 200);
    for number in 1..20 {
        send(&hub, &batch(&format!("host-{number}"), number, "shop"));
    }
    hub.get("/v1/query?service=shop")
        .refuses(413, "ask for a shorter time");
    send(&hub, &batch("host-0", 100, "till"));
    // Other services do not count.
    assert_eq!(hub.get("/v1/query?service=till").status, 200);
}

#[test]
fn an_answer_of_very_many_samples_is_of_their_sums_and_says_so() {
    let directory = tempdir().unwrap();
    let settings = format!("{ANY_PORT}[limits]\nquestion_rows = 40\n");
    let folder = directory.path().join("hub-data");
    let store = Store::open(Location::Folder(folder), Options::default()).unwrap();
    // All of an hour that is over.
    let start_s = (now_s() / 3600 - 3) * 3600;
    for host in 0..10 {
        for minute in 0..30 {
            let name = format!("host-{host}");
            let mut batch = batch_of(&name, 0, "shop", start_s + minute * 60);
            batch.origin.number = minute;
            store.append("default", &received(&batch), start_s).unwrap();
        }
    }
    assert_eq!(store.compact(now_s()).unwrap().batches, 300);
    drop(store);
    let hub = Hub::start(directory.path(), &settings);
    let path = format!("/v1/query?service=shop&tables=samples,branches&from={start_s}");
    let answer = hub.get(&path);
    let left_out = answer.header("hone-left-out");
    assert_eq!(left_out, Some("minutes, hosts, containers, threads"));
    let answered = read(&answer);
    let mut groups = answered.groups.iter();
    assert!(groups.all(|group| group.host.is_empty() && group.container.is_empty()));
    let times: u64 = answered.samples.iter().map(|row| row.times).sum();
    assert_eq!(times, 300 * 7);
    // Who asks for hosts gets them, or is told that there is too much.
    hub.get(&format!("{path}&host=host-1&thread=worker"))
        .refuses(413, "ask for a shorter time");
}

#[test]
fn an_answer_of_many_hosts_leaves_out_hosts_and_says_so() {
    let directory = tempdir().unwrap();
    let settings = format!("{ANY_PORT}[limits]\nquestion_rows = 40\n");
    let hub = Hub::start(directory.path(), &settings);
    let start_s = now_s() - 600;
    let batches: Vec<Batch> = (0..20)
        .map(|host| batch_of(&format!("host-{host}"), 0, "shop", start_s))
        .collect();
    batches.iter().for_each(|batch| send(&hub, batch));
    let answer = hub.get("/v1/query?service=shop");
    assert_eq!(answer.header("hone-left-out"), Some("hours, hosts"));
    let answered = read(&answer);
    assert_eq!(hosts_of(&answered), ["", ""]);
    let times: Vec<_> = answered.samples.iter().map(|row| row.times).collect();
    assert_eq!(times, [60, 80]);
    assert_eq!(answered.branches[0].taken, 2000);

    let one = hub.get("/v1/query?service=shop&tables=records");
    assert_eq!(one.header("hone-left-out"), None);
    assert_eq!(hosts_of(&read(&one)).len(), 20);
    // Who asks for hosts gets them, or is told that there is too much.
    hub.get("/v1/query?service=shop&host=host-1")
        .refuses(413, "ask for a shorter time");
}
