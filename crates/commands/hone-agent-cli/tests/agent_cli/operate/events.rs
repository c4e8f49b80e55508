//! Events and service checks on their way to a webhook, and containers as tags.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use testkit::{PATIENCE, until};

use super::support::{get, post};
use crate::common::{Agent, figure};

/// Answers POSTs with these statuses, one after the other, then 200. Gives what was posted.
fn webhook(mut statuses: Vec<u16>) -> (String, Receiver<serde_json::Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!(
        "http://user:secret@{}/events",
        listener.local_addr().unwrap()
    );
    let (post, posted) = channel();
    thread::spawn(move || {
        statuses.reverse();
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            loop {
                let (mut bytes, mut line) = (0, String::new());
                while stream.read_line(&mut line).unwrap_or(0) > 2 {
                    let head = line.to_ascii_lowercase();
                    if let Some(length) = head.strip_prefix("content-length: ") {
                        bytes = length.trim().parse().unwrap();
                    }
                    line.clear();
                }
                if bytes == 0 {
                    break;
                }
                let mut body = vec![0; bytes];
                stream.read_exact(&mut body).unwrap();
                let status = statuses.pop().unwrap_or(200);
                let answer =
                    format!("HTTP/1.1 {status} X\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
                if post.send(serde_json::from_slice(&body).unwrap()).is_err() {
                    return;
                }
            }
        }
    });
    (address, posted)
}

#[test]
fn events_and_checks_are_posted_tried_again_and_counted() {
    // The first one is tried again, the second refused, the third given up.
    let (address, posted) = webhook(vec![503, 200, 400, 500, 500, 500]);
    let directory = tempfile::tempdir().unwrap();
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"off\"\n[labels]\nhost = \"here\"\n\
         [events]\nwebhook = \"{address}\"\nattempts = 3\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    let udp = agent.listens("udp:127.0.0.1:0");
    let lines = b"_e{5,4}:title|text|#env:prod\n_sc|redis|2|m:down\n_e{9,4}:broken|text\nhits:1|c\n_e{1,1}:a|b\n_e{1,1}:c|d";
    client.send_to(lines, udp).unwrap();
    let next = || posted.recv_timeout(PATIENCE).unwrap();
    let (first, again) = (next(), next());
    assert_eq!(first, again);
    assert_eq!(first["title"], "title");
    assert_eq!(first["tags"][0], "env:prod");
    assert_eq!(first["labels"]["host"], "here");
    assert_eq!(next()["status"], "critical");
    for _ in 0..3 {
        assert_eq!(next()["title"], "a");
    }
    assert_eq!(next()["title"], "c");
    let said = agent.end();
    assert_eq!(figure(&said, "hone.agent.events.passed"), 4.0, "{said}");
    assert_eq!(figure(&said, "hone.agent.malformed"), 1.0);
    assert_eq!(
        figure(&said, "hone.agent.points.delivered endpoint=events"),
        2.0
    );
    assert_eq!(figure(&said, "hone.agent.points.lost endpoint=events"), 2.0);
    assert!(
        said.contains("given up after 3 attempts") && !said.contains("secret"),
        "{said}"
    );
}

#[test]
fn labels_of_events_change_with_a_reload() {
    let (address, posted) = webhook(Vec::new());
    let directory = tempfile::tempdir().unwrap();
    let config = |host: &str| {
        format!(
            "[http]\nlisten = \"127.0.0.1:0\"\n[labels]\nhost = \"{host}\"\n\
             [events]\nwebhook = \"{address}\"\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n"
        )
    };
    let agent = Agent::start(directory.path(), &config("here"));
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    std::fs::write(directory.path().join("agent.toml"), config("there")).unwrap();
    assert_eq!(
        post(http, "/-/reload"),
        (200, "reloaded: labels\n".to_owned())
    );
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(b"_e{1,1}:a|b", udp).unwrap();
    assert_eq!(
        posted.recv_timeout(PATIENCE).unwrap()["labels"]["host"],
        "there"
    );
    agent.end();
}

#[test]
fn a_container_is_a_tag_where_that_is_wanted() {
    let directory = tempfile::tempdir().unwrap();
    let config = "[aggregate]\ninterval_s = 1\ncontainer_tag = \"container_id\"\n\
        [http]\nlisten = \"127.0.0.1:0\"\nmetrics = \"all\"\n\
        [limits]\nseries_per_metric = 2\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n";
    let agent = Agent::start(directory.path(), config);
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    let lines = b"hits:1|c|#k:v|c:ci-1\nhits:2|c|c:in-7\nhits:4|c|c:ci-3\nhits:8|c|c:ci-4";
    client.send_to(lines, udp).unwrap();
    // Two series, and what is over the cap.
    until("they are told", || {
        let (_, text) = get(http, "/metrics")?;
        let all = [
            "hits{container_id=\"ci-1\",k=\"v\"} 1\n",
            "hits{container_id=\"in-7\"} 2\n",
            "hits{otel_metric_overflow=\"true\"} 12\n",
        ];
        all.iter().all(|line| text.contains(line)).then_some(())
    });
    agent.end();
}
