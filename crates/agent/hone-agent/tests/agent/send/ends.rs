//! A sender that is told to stop while it waits before its next attempt.

use std::time::Duration;

use hone_agent::compress::Compression;
use hone_agent::send::queue::{MemoryQueue, Queue};
use hone_agent::send::{Dialect, Http, HttpOptions, Outlet, Reason, Retry, Sender, send_to_all};
use hone_agent::tls::Tls;
use hone_agent::wire::Format;
use hone_agent::wire::relay::Origin;
use testkit::answering::{Answer, Answering};

use super::fixture::{PATIENCE, at_once, interval, outlet, until_true};

const POINTS: u64 = 7;
const HOUR: Duration = Duration::from_secs(3600);

/// One that asks for an hour's patience, so that it surely waits when it is told to stop.
const LATER: Answer = Answer::Status(503, &[("Retry-After", "3600")], "later");

fn waiting(server: &Answering) -> Outlet {
    let options = HttpOptions {
        falls_back: None,
        address: server.address.clone(),
        dialect: Dialect::RemoteWrite1,
        headers: Vec::new(),
        tls: Tls::default(),
        timeout: PATIENCE,
    };
    let retry = Retry {
        asked_longest: HOUR,
        ..at_once()
    };
    let endpoint = Box::new(Http::new(&options).unwrap());
    let queue = Queue::Memory(MemoryQueue::new(1 << 20));
    let sender = Sender::start("test", endpoint, queue, retry).unwrap();
    let mut outlets = [outlet(Format::RemoteWrite1, Compression::Snappy, sender)];
    for _ in 0..3 {
        send_to_all(&mut outlets, &interval(), &mut Origin::default());
    }
    until_true("it has failed", || {
        outlets[0].outcome().last_error.is_some()
    });
    let [outlet] = outlets;
    outlet
}

#[test]
fn what_waits_in_memory_is_tried_at_once_when_the_sender_stops() {
    let server = Answering::start(|n, _| match n {
        0 => LATER,
        _ => Answer::Status(204, &[], ""),
    });
    let outcome = waiting(&server).stop(PATIENCE);
    assert_eq!((outcome.delivered, outcome.losses.total()), (3 * POINTS, 0));
    assert_eq!((outcome.attempts, outcome.retries), (4, 1));
}

#[test]
fn it_is_tried_for_as_long_as_there_is_time() {
    let server = Answering::start(|n, _| match n {
        0 => LATER,
        1..4 => Answer::Status(500, &[], "not yet"),
        _ => Answer::Status(204, &[], ""),
    });
    let outcome = waiting(&server).stop(PATIENCE);
    assert_eq!((outcome.delivered, outcome.attempts), (3 * POINTS, 7));
}

#[test]
fn a_back_end_that_asks_for_more_time_than_there_is_gets_one_attempt() {
    let server = Answering::start(|_, _| LATER);
    let outcome = waiting(&server).stop(PATIENCE);
    assert_eq!(outcome.losses.of(Reason::Stopped), 3 * POINTS);
    assert_eq!((outcome.delivered, outcome.attempts), (0, 2));
}

#[test]
fn without_time_nothing_is_tried() {
    let server = Answering::start(|_, _| LATER);
    let outcome = waiting(&server).stop(Duration::ZERO);
    assert_eq!(outcome.losses.of(Reason::Stopped), 3 * POINTS);
    assert_eq!(outcome.attempts, 1);
}
