//! Series that a back end cannot tell apart, through the agent to real ones: every sample is stored.

use std::net::UdpSocket;

use testkit::prometheus;
use testkit::victoria_metrics;

use crate::common::{Agent, figure};

/// What was stored before of 78 was 30 by Prometheus and 6 by VictoriaMetrics.
const LINES: &str = "req:1|c|#canary\nreq:5|c\nreq:7|c|#beta\ndot.ted:1|c\ndot-ted:2|c\nboth:3|c\nboth:1|g\n\
                     took:5|ms\ntook_count:100|c\n";
const ROUNDS: usize = 3;

/// Sends the lines in several intervals to a back end that takes remote write there; the value of what is asked then.
fn stored(write: &str, ask: impl Fn(&str) -> Option<f64>) {
    let directory = tempfile::tempdir().unwrap();
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"127.0.0.1:0\"\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n\
         [[send]]\nformat = \"remote-write\"\naddress = \"{write}\"\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let listens = agent.listens("udp:127.0.0.1:0");
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    for round in 1..=ROUNDS {
        client.send_to(LINES.as_bytes(), listens).unwrap();
        // Each round is of an interval of its own.
        testkit::until("the round is stored", || {
            ask("sum(req)").filter(|&sum| sum == (13 * round) as f64)
        });
    }
    let rounds = ROUNDS as f64;
    for (query, expected) in [
        ("req{canary=\"true\"}", rounds),
        ("req{beta=\"true\"}", 7.0 * rounds),
        ("req{beta=\"\",canary=\"\"}", 5.0 * rounds),
        ("dot_ted", 3.0 * rounds),
        ("both{hone_type=\"\"}", 3.0 * rounds),
        ("both{hone_type=\"gauge\"}", 1.0),
        ("took_count{hone_type=\"counter\"}", 100.0 * rounds),
    ] {
        // A back end may show the first series of a request before it has stored the last.
        testkit::until(query, || ask(query).filter(|&value| value == expected));
    }
    let said = agent.end();
    assert!(
        said.contains("counter dot-ted") && said.contains("give one of them another name"),
        "{said}"
    );
    assert_eq!(figure(&said, "hone.agent.series.merged "), 1.0);
    assert_eq!(figure(&said, "hone.agent.series.told_apart "), 2.0);
}

fn asked(answer: &str) -> Option<f64> {
    let answer: serde_json::Value = serde_json::from_str(answer).ok()?;
    let value = answer["data"]["result"][0]["value"][1].as_str()?;
    value.parse().ok()
}

fn query(query: &str) -> String {
    let encoded = query.bytes().map(|byte| format!("%{byte:02X}"));
    format!("/api/v1/query?query={}", encoded.collect::<String>())
}

#[test]
fn victoria_metrics_stores_every_sample_of_series_that_it_cannot_tell_apart() {
    let Some(server) = victoria_metrics(&["-search.latencyOffset=0s"]) else {
        return;
    };
    stored(&format!("http://{}/api/v1/write", server.address), |text| {
        // Or it would be a second or more until queries see it.
        server.get("/internal/force_flush");
        asked(&server.get(&query(text))?)
    });
}

#[test]
fn prometheus_stores_every_sample_of_series_that_it_cannot_tell_apart() {
    let Some(server) = prometheus("global: {}\n") else {
        return;
    };
    stored(&format!("http://{}/api/v1/write", server.address), |text| {
        asked(&server.get(&query(text))?)
    });
}

/// Words of which only letters that are not ASCII differ, sent in a form of names; what each back end has under these names.
fn words_stored(form: &str, words: [&str; 3]) {
    let Some(server) = victoria_metrics(&["-search.latencyOffset=0s"]) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n\
         [[send]]\nformat = \"remote-write\"\nnames = \"{form}\"\naddress = \"http://{}/api/v1/write\"\n",
        server.address
    );
    let agent = Agent::start(directory.path(), &config);
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    let lines = "größe:1|c\ngrüße:2|c\nqueue.length:4|c";
    let listens = agent.listens("udp:127.0.0.1:0");
    client.send_to(lines.as_bytes(), listens).unwrap();
    for (word, expected) in words.into_iter().zip([1.0, 2.0, 4.0]) {
        testkit::until(word, || {
            server.get("/internal/force_flush");
            let asked = asked(&server.get(&query(&format!("{{__name__={word:?}}}")))?);
            asked.filter(|&value| value == expected)
        });
    }
}

#[test]
fn words_that_differ_in_letters_alone_stay_two_names() {
    words_stored(
        "underscores",
        ["gr_f6__df_e", "gr_fc__df_e", "queue_length"],
    );
    words_stored("utf-8", ["größe", "grüße", "queue.length"]);
}
