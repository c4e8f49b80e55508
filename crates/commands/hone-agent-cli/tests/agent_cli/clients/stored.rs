//! What services give is stored by the agent or dropped and counted, whatever happens to the agent.

use std::os::unix::net::UnixDatagram;
use std::path::Path;

use super::agent::{Agent, Ended};
use super::driver::{Driver, REASONS, Start};

fn address(directory: &Path) -> String {
    format!("unixgram:{}", directory.join("agent.sock").display())
}

#[test]
fn samples_of_all_types_from_many_threads_are_stored() {
    for (language, mut driver) in Driver::all() {
        let directory = tempfile::tempdir().unwrap();
        let agent = Agent::start(directory.path());
        // Room for all of them: an agent that is slow loses none.
        let start = Start {
            queue_packets: 4096,
            ..Start::default()
        };
        driver.start(&address(directory.path()), start);
        assert_eq!(driver.told("load 4 3000 crgthds"), "ok");
        let counts = driver.counts("close");
        assert_eq!((counts.given, counts.sent), (84_000, 84_000), "{language}");
        let ended = agent.end();
        let tags = ["k=v"];
        assert_eq!(ended.sum("load.c", &tags), 12_000.0, "{language}");
        for (metric, sum) in [
            // Of each thread 3 times 0 to 999 microseconds, and 30 times 0 to 99, quartered or not.
            ("load.t", 4.0 * 3.0 * 499.5),
            ("load.h", 4.0 * 30.0 * 4950.0 / 4.0),
            ("load.d", 4.0 * 30.0 * 4950.0),
        ] {
            let figure = |part| ended.sum(&format!("{metric}.{part}"), &tags);
            assert_eq!(figure("count"), 12_000.0, "{language} {metric}");
            assert!(
                (figure("sum") - sum).abs() < sum / 1e9,
                "{language} {metric}: {}",
                figure("sum")
            );
        }
        let last = ended.values("load.g", &tags).last().copied();
        assert_eq!(last, Some(2999.0), "{language}");
        let members = ended.values("load.s", &tags);
        assert!(
            members
                .iter()
                .all(|members| (1.0..=100.0).contains(members)),
            "{members:?}"
        );
        assert!(ended.values("load.r", &tags).iter().any(|rate| *rate > 0.0));
        // All of them were handled, and the client's own metrics.
        assert!(ended.figure("hone.agent.values.stored") > 84_000);
        assert_eq!(
            ended.figure("hone.agent.values "),
            ended.figure("hone.agent.values.stored")
        );
        assert_eq!(
            ended.sum("hone.client.samples", &[]),
            84_000.0,
            "{language}"
        );
    }
}

/// Samples of the types of `load ... cthd` that an agent stored.
fn stored(ended: &Ended) -> f64 {
    let tags = ["k=v"];
    let counts = ["load.c", "load.t.count", "load.h.count", "load.d.count"];
    counts.iter().map(|name| ended.sum(name, &tags)).sum()
}

/// Until all that can be sent is.
fn drained(driver: &mut Driver) {
    testkit::until_true("all is sent", || driver.counts("flush").waiting == 0);
}

#[test]
fn an_agent_that_restarts_loses_only_what_is_counted() {
    for (language, mut driver) in Driver::all() {
        let directory = tempfile::tempdir().unwrap();
        let start = Start {
            queue_packets: 8,
            ..Start::default()
        };
        let first = Agent::start(directory.path());
        driver.start(&address(directory.path()), start);
        // The first agent ends while samples are given.
        driver.tell("load 4 20000 cthd");
        let first = first.end();
        assert_eq!(driver.heard(), "ok");
        // Nobody is there, and the queue is too small. What the client tells of itself is lost first.
        assert_eq!(driver.told("load 1 100 cthd"), "ok");
        driver.counts("flush");
        assert_eq!(driver.told("load 2 2000 cthd"), "ok");
        let away = driver.counts("counts").dropped[4];
        assert!(away > 0, "{language}");
        let second = Agent::start(directory.path());
        drained(&mut driver);
        assert_eq!(driver.told("load 2 500 cthd"), "ok");
        drained(&mut driver);
        let counts = driver.counts("close");
        let second = second.end();
        let given = (4 * 20_000 + 100 + 2 * 2000 + 2 * 500) * 4;
        assert_eq!(counts.given, given, "{language}");
        assert_eq!(
            counts.sent + counts.dropped_in_all(),
            given,
            "{language}: {counts:?}"
        );
        assert!(stored(&second) > 0.0);
        // Sent by clients = stored + dropped, exactly.
        assert_eq!(
            stored(&first) + stored(&second),
            counts.sent as f64,
            "{language}: {counts:?}"
        );
        // The agents were told the same, also of what they never got.
        let told = |metric: &str, tags: &[&str]| first.sum(metric, tags) + second.sum(metric, tags);
        assert_eq!(told("hone.client.samples", &[]), given as f64, "{language}");
        for (reason, dropped) in REASONS.iter().zip(counts.dropped) {
            let told = told("hone.client.dropped", &[&format!("reason={reason}")]);
            assert_eq!(told, dropped as f64, "{language}: {reason}");
        }
    }
}

#[test]
fn without_an_agent_samples_are_dropped_and_memory_is_bounded() {
    for (language, mut driver) in Driver::all() {
        let directory = tempfile::tempdir().unwrap();
        let start = Start {
            queue_packets: 4,
            shards: 2,
            ..Start::default()
        };
        driver.start(&address(directory.path()), start);
        assert_eq!(driver.told("load 2 20000 c"), "ok");
        let counts = driver.counts("counts");
        assert_eq!(counts.given, 40_000);
        // A point is 16 bytes: at most 4 packets in the queue and 2 that are filled.
        assert!(counts.waiting <= 6 * 8192 / 16, "{language}: {counts:?}");
        assert_eq!(
            counts.dropped[4] + counts.waiting,
            40_000,
            "{language}: {counts:?}"
        );
        let counts = driver.counts("close");
        assert_eq!(
            (counts.waiting, counts.dropped[4]),
            (0, 40_000),
            "{language}"
        );
        assert_eq!(driver.told("load 1 3 c"), "ok");
        assert_eq!(driver.counts("close").dropped[5], 3, "{language}");
    }
}

#[test]
fn what_an_agent_that_does_not_keep_up_costs_is_counted_as_busy() {
    for (language, mut driver) in Driver::all() {
        let directory = tempfile::tempdir().unwrap();
        // Somebody listens, and never reads.
        let _socket = UnixDatagram::bind(directory.path().join("agent.sock")).unwrap();
        let start = Start {
            queue_packets: 4,
            close_ms: 1,
            ..Start::default()
        };
        driver.start(&address(directory.path()), start);
        assert_eq!(driver.told("load 2 200000 c"), "ok");
        driver.counts("flush");
        let counts = driver.counts("close");
        assert_eq!((counts.given, counts.waiting), (400_000, 0), "{language}");
        assert!(
            counts.sent > 0 && counts.dropped[3] > 0,
            "{language}: {counts:?}"
        );
        assert_eq!(
            counts.sent + counts.dropped[3],
            400_000,
            "{language}: {counts:?}"
        );
    }
}

#[test]
fn wrong_configurations_are_said() {
    for (language, mut driver) in Driver::all() {
        for (line, said) in [
            ("start /run/agent.sock 8192 64 1 1000 0", "unixgram:PATH"),
            ("start unixgram: 8192 64 1 1000 0", "unixgram:PATH"),
            (
                "start udp:localhost:8125 8192 64 1 1000 0",
                "udp:ADDRESS:PORT",
            ),
            (
                "start unixgram:/run/agent.sock 100 64 1 1000 0",
                "512 to 65507",
            ),
        ] {
            let answer = driver.told(line);
            assert!(answer.contains(said), "{language}: {answer}");
        }
        let long = format!("start unixgram:/{} 8192 64 1 1000 0", "a".repeat(107));
        assert!(driver.told(&long).contains("107 bytes"), "{language}");
    }
}

#[test]
fn udp_works_too() {
    for (language, mut driver) in Driver::all() {
        for host in ["127.0.0.1", "[::1]"] {
            let Ok(socket) = std::net::UdpSocket::bind(format!("{host}:0")) else {
                println!("skipped: there is no {host} here");
                continue;
            };
            socket.set_read_timeout(Some(testkit::PATIENCE)).unwrap();
            let port = socket.local_addr().unwrap().port();
            let start = Start {
                shards: 1,
                flush_ms: 3_600_000,
                ..Start::default()
            };
            driver.start(&format!("udp:{host}:{port}"), start);
            assert_eq!(driver.told("load 1 1 s"), "ok");
            assert_eq!(driver.counts("close").sent, 1, "{language}");
            let mut packet = [0; 8192];
            let bytes = socket.recv(&mut packet).unwrap();
            let samples = super::samples::read(&[packet[..bytes].to_vec()]);
            assert_eq!(samples.len(), 1, "{language}");
        }
    }
}
