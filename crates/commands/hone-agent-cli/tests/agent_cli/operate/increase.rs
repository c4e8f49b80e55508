//! What `increase()` says of counters, by real back ends: as much as was sent, also of counters that come and go, and over
//! restarts of the agent.
//!
//! Prometheus' `increase` is the difference between the last and the first sample in its window, with all resets between,
//! stretched towards the bounds of the window, but at the front never below zero. Nothing is stretched where a counter begins
//! with a zero within the window, and where the window ends at its last sample. So that is what is asked for here, and the
//! answer is exact. VictoriaMetrics does not stretch.

use std::net::SocketAddr;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use testkit::{Server, prometheus, until_true, victoria_metrics};

use super::support::scraped;
use crate::common::{Agent, figure};

/// Number of times that the rare counter comes and expires.
const RARE: u32 = 6;

/// A back end, and the path at which it is told to show what it has taken.
struct BackEnd {
    server: Server,
    flush: Option<&'static str>,
}

impl BackEnd {
    fn ask(&self, query: &str) -> Option<serde_json::Value> {
        if let Some(flush) = self.flush {
            self.server.get(flush);
        }
        let query = query.replace('[', "%5B").replace(']', "%5D");
        let answer = self
            .server
            .get(&format!("/api/v1/query?nocache=1&query={query}"))?;
        let answer: serde_json::Value = serde_json::from_str(&answer).ok()?;
        Some(answer["data"]["result"][0].clone())
    }

    /// Time and value of all samples of the last hour, without markers of ends.
    fn samples(&self, name: &str) -> Vec<(f64, f64)> {
        let answer = self.ask(&format!("{name}[1h]")).unwrap_or_default();
        let samples = answer["values"].as_array().cloned().unwrap_or_default();
        let number = |value: &serde_json::Value| value.as_str()?.parse::<f64>().ok();
        let sample = |sample: &serde_json::Value| Some((sample[0].as_f64()?, number(&sample[1])?));
        let samples = samples.iter().filter_map(sample);
        samples.filter(|(_, value)| !value.is_nan()).collect()
    }

    /// By how much a counter grew in the last hour, from its samples, and what `increase` says at the last of these.
    fn grown(&self, name: &str) -> (f64, f64) {
        let samples = self.samples(name);
        let reset = |before: f64, now: f64| if now < before { before } else { 0.0 };
        let pairs = samples.windows(2);
        let grown = pairs.map(|pair| pair[1].1 - pair[0].1 + reset(pair[0].1, pair[1].1));
        let at = samples.last().map_or(0.0, |(time_s, _)| *time_s);
        let answer = self.ask(&format!("increase({name}[1h])&time={at:.3}"));
        let said = answer.and_then(|answer| answer["value"][1].as_str()?.parse().ok());
        (grown.sum(), said.unwrap_or(0.0))
    }
}

/// An agent, and a client of it.
struct Sent {
    agent: Agent,
    http: SocketAddr,
    /// Full, it makes the client wait: no sample gets lost on its way.
    socket: PathBuf,
    client: UnixDatagram,
}

impl Sent {
    fn start(directory: &Path, config: &str) -> Self {
        let agent = Agent::start(directory, config);
        Self {
            http: agent.http(),
            socket: directory.join("agent.sock"),
            client: UnixDatagram::unbound().unwrap(),
            agent,
        }
    }

    fn send(&self, lines: &str) {
        let sent = self.client.send_to(lines.as_bytes(), &self.socket);
        sent.unwrap();
    }

    fn has(&self, name: &str) -> bool {
        scraped(self.http, &format!("{name} ")).is_some()
    }

    fn intervals(&self) -> f64 {
        scraped(self.http, "hone_agent_flushes_total ").unwrap_or(0.0)
    }

    /// Ends the agent. Nothing of it was refused: no sample was out of order. Returns the values that it took.
    fn end(self) -> f64 {
        let said = self.agent.end();
        assert!(!said.contains("lost at"), "{said}");
        figure(&said, "hone.agent.values ")
    }
}

/// Sends counters of all sorts, and compares what the back end says of them.
fn increases(back_end: &BackEnd, format: &str) {
    let directory = tempfile::tempdir().unwrap();
    let address = back_end.server.address;
    let config = format!(
        "[aggregate]\ninterval_s = 1\nexpires_after_s = 2\n\
         [http]\nlisten = \"127.0.0.1:0\"\nmetrics = \"all\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n\
         [[send]]\nformat = \"{format}\"\naddress = \"http://{address}/api/v1/write\"\n"
    );
    let mut sent = Sent::start(directory.path(), &config);
    let (mut steady, mut values) = (0.0, 0.0);
    for round in 0..RARE {
        if round == RARE / 2 {
            sent.send("restarted:5|c\nsame:5|c");
            until_true("the counters are flushed", || sent.has("same"));
            values += sent.end();
            sent = Sent::start(directory.path(), &config);
            sent.send("restarted:7|c\nsame:5|c");
        }
        sent.send("rare:1|c\nbursty:900|c\nbursty:100|c");
        until_true("the rare counter comes", || sent.has("rare"));
        let mut steadily = |what: &str, is_over: &dyn Fn() -> bool| {
            until_true(what, || {
                sent.send("steady:3|c");
                steady += 3.0;
                is_over()
            });
        };
        steadily("the rare counter expires", &|| !sent.has("rare"));
        // A sample of the next interval would be in time for the sum to go on.
        let before = sent.intervals();
        steadily("its sum is forgotten", &|| sent.intervals() >= before + 2.0);
    }
    values += sent.end();
    let rare = f64::from(RARE);
    let all = [
        ("rare", rare),
        ("bursty", 1000.0 * rare),
        ("restarted", 12.0),
        ("same", 10.0),
        ("steady", steady),
        ("hone_agent_values", values),
    ];
    for (name, expected) in all {
        let (grown, said) = back_end.grown(name);
        println!("{format} {name}: sent {expected}, samples {grown}, increase {said}");
    }
    // VictoriaMetrics shows some time later what it has taken.
    for (name, expected) in all {
        // But for rounding.
        let is_it = |value: f64| (value - expected).abs() <= 1e-9 * expected;
        until_true(&format!("{name} is {expected}, see above"), || {
            let (grown, said) = back_end.grown(name);
            is_it(grown) && is_it(said)
        });
    }
}

/// The same by a Prometheus that nothing else writes to.
fn increases_in_prometheus(format: &str) {
    let Some(server) = prometheus("global: {}\n") else {
        return;
    };
    let back_end = BackEnd {
        server,
        flush: None,
    };
    increases(&back_end, format);
}

#[test]
#[ignore = "waits on a clock"]
fn prometheus_counts_what_was_sent() {
    increases_in_prometheus("remote-write");
}

/// Where the back end knows 1.0 alone, so do the converted messages.
#[test]
#[ignore = "waits on a clock"]
fn prometheus_counts_what_was_sent_in_2() {
    increases_in_prometheus("remote-write-2");
}

#[test]
#[ignore = "waits on a clock"]
fn victoria_metrics_counts_what_was_sent() {
    let Some(server) = victoria_metrics(&["-search.latencyOffset=0s"]) else {
        return;
    };
    let back_end = BackEnd {
        server,
        // Or it would be a second or more until queries see it.
        flush: Some("/internal/force_flush"),
    };
    increases(&back_end, "victoria-metrics");
}
