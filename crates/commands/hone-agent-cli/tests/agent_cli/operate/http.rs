//! What the agent answers over HTTP, and what others make of it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};

use rustix::process::Signal;
use testkit::promtool;
use testkit::until;
use testkit::victoria_metrics;

use super::support::{ask, get, post, scraped, scrapes};
use crate::common::{Agent, figure};
use crate::faults::back_end::{BackEnd, Mood};

const CONFIG: &str = "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"127.0.0.1:0\"\n\
     [[listen]]\naddress = \"udp:127.0.0.1:0\"\nname = \"a \\\"quoted\\\\ name\"\n";

/// An agent that has got three values.
fn agent(directory: &std::path::Path) -> (Agent, SocketAddr) {
    let agent = Agent::start(directory, CONFIG);
    let (http, listens) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(b"hits:1:2:3|c\nbroken\n", listens).unwrap();
    until("its values are told", || {
        scraped(http, "hone_agent_values_total").filter(|&values| values == 3.0)
    });
    (agent, http)
}

#[test]
fn it_answers_what_it_is_asked_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let (agent, http) = agent(directory.path());
    assert_eq!(scraped(http, "hone_agent_malformed_total"), Some(1.0));
    let is_told = |figure| scraped(http, figure).filter(|&value| value > 0.0);
    until("what it takes itself is told", || {
        is_told("hone_agent_flush_seconds_total")?;
        is_told("hone_agent_resident_bytes")
    });
    let packets = "hone_agent_packets_total{listener=\"a \\\"quoted\\\\\\\\ name\"}"
        .replace("\\\\\\\\", "\\\\");
    assert_eq!(scraped(http, &packets), Some(1.0));
    let status = |path| get(http, path).unwrap().0;
    assert_eq!((status("/healthz"), status("/readyz")), (200, 200));
    assert_eq!((status("/"), status("/nothing")), (200, 404));
    assert_eq!((status("/-/reload"), post(http, "/metrics").0), (405, 405));
    let from_a_page = "POST /-/reload HTTP/1.1\r\nHost: x\r\nOrigin: http://page\r\n\r\n";
    assert_eq!(ask(http, from_a_page).unwrap().0, 403);
    let reloaded = post(http, "/-/reload");
    assert_eq!(reloaded, (200, "reloaded: nothing is different\n".into()));
    agent.end();
}

#[test]
fn a_head_without_an_end_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (_agent, http) = agent(directory.path());
    let mut long = TcpStream::connect(http).unwrap();
    let head = format!("GET / HTTP/1.1\r\nLong: {}", "x".repeat(1 << 20));
    // It may stop to listen before all of it is written.
    let _ = long.write_all(head.as_bytes());
    let mut answer = Vec::new();
    let _ = long.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    assert_eq!(get(http, "/readyz").unwrap().0, 200);
}

#[test]
fn it_is_not_ready_any_more_while_it_ends() {
    // A back end that never answers keeps the agent from its end for a while.
    let back_end = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = back_end.local_addr().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let config = format!(
        "{CONFIG}[[send]]\nformat = \"remote-write\"\naddress = \"http://me:secret@{address}/\"\ntimeout_s = 60\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let http = agent.http();
    until("it is ready", || {
        (get(http, "/readyz")?.0 == 200).then_some(())
    });
    agent.signal(Signal::TERM);
    until("it is not ready any more", || {
        (get(http, "/readyz")?.0 == 503).then_some(())
    });
}

#[test]
fn an_address_that_somebody_has_keeps_no_agent_from_its_work() {
    let there = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = there.local_addr().unwrap().to_string();
    let directory = tempfile::tempdir().unwrap();
    let config = CONFIG.replace(
        "[http]\nlisten = \"127.0.0.1:0\"",
        &format!("[http]\nlisten = \"{address}\""),
    );
    let agent = Agent::start(directory.path(), &config);
    agent.hears(&format!("no HTTP at {address}"));
    let listens = agent.listens("udp:127.0.0.1:0");
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(b"hits:1|c", listens).unwrap();
    assert_eq!(figure(&agent.end(), "hone.agent.values "), 1.0);
}

#[test]
fn a_password_is_neither_said_nor_told() {
    let back_end = BackEnd::start(Mood::Away);
    let gone = back_end.address;
    let directory = tempfile::tempdir().unwrap();
    let config = format!(
        "{CONFIG}[[send]]\nformat = \"remote-write\"\naddress = \"http://me:secret@{gone}/x?token=secret\"\ntimeout_s = 1\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let http = agent.http();
    // Nobody listens there.
    agent.hears(&format!("sending to http://{gone}/x: "));
    let attempts = format!("hone_agent_attempts_total{{endpoint=\"http://{gone}/x\"}}");
    until("an attempt is told", || {
        scraped(http, &attempts).filter(|&attempts| attempts > 0.0)
    });
    let (_, text) = get(http, "/metrics").unwrap();
    assert!(!text.contains("secret"), "{text}");
    // What waits is taken, so that the end need not wait for it.
    back_end.becomes(Mood::Well);
    let said = agent.end();
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn promtool_can_read_what_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (_agent, http) = agent(directory.path());
    if let Some(said) = promtool(&get(http, "/metrics").unwrap().1) {
        assert!(said.status.success(), "{said:?}");
    }
}

#[test]
#[ignore = "further end to end"]
fn victoria_metrics_can_read_what_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (_agent, http) = agent(directory.path());
    let scrape = directory.path().join("scrape.yml");
    std::fs::write(&scrape, scrapes(http)).unwrap();
    let scrape = format!("-promscrape.config={}", scrape.display());
    let Some(server) = victoria_metrics(&[&scrape, "-search.latencyOffset=0s"]) else {
        return;
    };
    let query = "/api/v1/query?query=hone_agent_packets_total";
    let said = until("it has scraped", || {
        let text = server.get(query)?;
        text.contains("listener").then_some(text)
    });
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let series = &said["data"]["result"][0];
    assert_eq!(series["metric"]["listener"], "a \"quoted\\ name");
    assert_eq!(series["value"][1], "1");
}
