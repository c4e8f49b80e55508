//! Ends of the agent under load: asked for, and not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use testkit::answering::{Answer, Answering};
use testkit::until_true;

use super::agent::{Client, figure, start};
use super::back_end::{BackEnd, Mood};

#[test]
fn sigterm_under_load_loses_nothing_that_was_accepted() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let workers = "[[listen]]\naddress = \"udp:127.0.0.1:0\"\n";
    let agent = start(directory.path(), &(workers.to_owned() + &back_end.config()));
    let sent = AtomicU64::new(0);
    let is_over = AtomicBool::new(false);
    let account = thread::scope(|scope| {
        for _ in 0..4 {
            let client = Client::of(directory.path());
            let (sent, is_over) = (&sent, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) && client.offer("hits:1|c\nhits:1|c") {
                    sent.fetch_add(2, Ordering::Relaxed);
                }
            });
        }
        // In the middle of an interval, after one that has ended.
        until_true("it is under load", || {
            back_end.last("hits") > 0.0 && sent.load(Ordering::Relaxed) > 50_000
        });
        let account = agent.end();
        is_over.store(true, Ordering::Relaxed);
        account
    });
    let sent = sent.load(Ordering::Relaxed);
    assert_eq!(
        figure(&account, "hone.agent.values.stored"),
        sent,
        "{account}"
    );
    assert_eq!(back_end.last("hits"), sent as f64);
}

#[test]
fn kill_9_loses_nothing_of_intervals_that_had_ended() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let config = back_end.config() + "queue_directory = \"queue\"\n";
    let agent = start(directory.path(), &config);
    Client::of(directory.path()).send("first:1|c");
    until_true("the first interval arrives", || {
        back_end.last("first") == 1.0
    });
    // From here on only the disk can have it. Another interval later the one of `kept` has ended in any case.
    back_end.becomes(Mood::Away);
    Client::of(directory.path()).send("kept:5|c");
    let queue = directory.path().join("queue");
    for _ in 0..2 {
        let before = written(&queue);
        until_true("an interval is written to the queue", || {
            written(&queue) > before
        });
    }
    Client::of(directory.path()).send("young:3|c");
    agent.kill();
    back_end.becomes(Mood::Well);
    let agent = start(directory.path(), &config);
    Client::of(directory.path()).send("after:1|c");
    until_true("the new agent's interval arrives", || {
        back_end.last("after") == 1.0
    });
    until_true("the old agent's intervals arrive", || {
        back_end.last("kept") == 5.0
    });
    agent.end();
    let taken = back_end.taken();
    let young = taken.get("young");
    assert!(
        young.is_none_or(|values| values.values().all(|value| *value == 3.0)),
        "{young:?}"
    );
}

/// As it is lived: the back end asks for an hour's patience and is well again, and the agent is asked to end before it has found out.
#[test]
fn sigterm_loses_nothing_that_a_back_end_takes_again() {
    let directory = tempfile::tempdir().unwrap();
    let is_well = Arc::new(AtomicBool::new(false));
    let refused = Arc::new(AtomicU64::new(0));
    let (well, count) = (Arc::clone(&is_well), Arc::clone(&refused));
    let server = Answering::start(move |_, _| match well.load(Ordering::SeqCst) {
        true => Answer::Status(204, &[], ""),
        false => {
            count.fetch_add(1, Ordering::SeqCst);
            Answer::Status(503, &[("Retry-After", "3600")], "later")
        }
    });
    let config = format!(
        "[[send]]\nname = \"b\"\nformat = \"remote-write\"\naddress = \"{}\"\n",
        server.address
    );
    let agent = start(directory.path(), &config);
    Client::of(directory.path()).send("hits:1|c");
    until_true("it is refused", || refused.load(Ordering::SeqCst) > 0);
    agent.hears("sending to b: ");
    is_well.store(true, Ordering::SeqCst);
    let said = agent.end();
    let accepted = figure(&said, "hone.agent.points.accepted endpoint=b");
    let delivered = figure(&said, "hone.agent.points.delivered endpoint=b");
    assert!(accepted > 0 && delivered == accepted, "{said}");
    assert!(!said.contains("lost at b"), "{said}");
}

/// Bytes of a queue's files.
fn written(queue: &std::path::Path) -> u64 {
    let files = std::fs::read_dir(queue).unwrap().flatten();
    files
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum()
}
