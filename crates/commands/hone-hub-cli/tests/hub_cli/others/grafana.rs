//! What Grafana's data source for Pyroscope asks, in the form in which it does: Connect with Protocol Buffers.

use hone_profile::protobuf::{Fields, Message};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use super::profile::{cpu, push, send};
use crate::common::{ANY_PORT, Answer, Hub, request};
use crate::fleet::now_s;

const CPU: &str = "process_cpu:cpu:nanoseconds:cpu:nanoseconds";

/// A hub with two hosts of one service, and another service.
fn hub() -> (TempDir, Hub, u64) {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let start_s = (now_s() - 600) / 60 * 60;
    for (service, host) in [("shop", "web-1"), ("shop", "web-2"), ("till", "web-1")] {
        let labels = [("service_name", service), ("host", host), ("region", "eu")];
        let body = push(&labels, &[&cpu(start_s)]);
        let answer = send(
            &hub,
            "/push.v1.PusherService/Push",
            "application/proto",
            &body,
        );
        assert_eq!(answer.status, 200);
    }
    (directory, hub, start_s)
}

/// Asks as connect-go does.
fn ask(hub: &Hub, method: &str, message: &Message) -> Answer {
    let head = "Content-Type: application/proto\r\nConnect-Protocol-Version: 1\r\nAccept-Encoding: gzip\r\n\
        User-Agent: connect-go/1.19.1 (go1.26)\r\n";
    let path = format!("/querier.v1.QuerierService/{method}");
    let answer = request(hub.address, "POST", &path, head, &message.0).unwrap();
    let kind = answer.header("content-type");
    let expected = if answer.status == 200 {
        "application/proto"
    } else {
        "application/json"
    };
    assert_eq!(kind, Some(expected), "{}", answer.text());
    answer
}

fn ask_json(hub: &Hub, method: &str, body: &Value) -> Value {
    let path = format!("/querier.v1.QuerierService/{method}");
    let answer = send(hub, &path, "application/json", body.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

/// Returns the texts of a field.
fn texts(bytes: &[u8], number: u64) -> Vec<String> {
    messages(bytes, number)
        .map(|text| String::from_utf8(text.to_vec()).unwrap())
        .collect()
}

fn messages(bytes: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    Fields(bytes)
        .map(Result::unwrap)
        .filter(move |(own, _)| *own == number)
        .map(|(_, value)| value.bytes())
}

fn number(bytes: &[u8], number: u64) -> i64 {
    let mut fields = Fields(bytes).map(Result::unwrap);
    let found = fields.find(|(own, _)| *own == number);
    found.map_or(0, |(_, value)| value.signed())
}

fn span(message: &mut Message, from: u64, start_s: u64) {
    message
        .signed(from, (start_s as i64 - 60) * 1000)
        .signed(from + 1, (start_s as i64 + 120) * 1000);
}

#[test]
fn the_data_source_finds_types_and_labels() {
    let (_directory, hub, start_s) = hub();
    // The test of the data source's settings.
    let types = ask(&hub, "ProfileTypes", &Message::default());
    let first = messages(&types.body, 1).next().unwrap();
    assert_eq!(texts(first, 1), [CPU]);
    assert_eq!(texts(first, 2), ["process_cpu"]);
    assert_eq!(texts(first, 4), ["cpu"]);

    let mut names = Message::default();
    names.bytes(1, b"{service_name=\"shop\"}");
    span(&mut names, 2, start_s);
    let answer = ask(&hub, "LabelNames", &names);
    assert_eq!(
        texts(&answer.body, 1),
        [
            "__profile_type__",
            "build",
            "host",
            "method",
            "region",
            "service_name"
        ]
    );
    let values = |label: &str, selector: &str| {
        let mut message = Message::default();
        message
            .bytes(1, label.as_bytes())
            .bytes(2, selector.as_bytes());
        span(&mut message, 3, start_s);
        texts(&ask(&hub, "LabelValues", &message).body, 1)
    };
    assert_eq!(values("service_name", "{}"), ["shop", "till"]);
    assert_eq!(
        values("host", "{service_name=\"shop\"}"),
        ["web-1", "web-2"]
    );
    assert_eq!(values("host", "{service_name=~\"t.*\"}"), ["web-1"]);
    assert_eq!(values("host", "{service_name=\"nobody\"}"), [""; 0]);
    let before = json!({"start": 1_764_000_000_000_u64, "end": 1_764_000_600_000_u64});
    assert_eq!(ask_json(&hub, "ProfileTypes", &before), json!({}));

    let sets = ask_json(
        &hub,
        "Series",
        &json!({"matchers": ["{}"], "labelNames": ["service_name", "host"]}),
    );
    let sets: Vec<String> = sets["labelsSet"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    assert_eq!(sets.len(), 3, "{sets:?}");
    let stats = ask_json(&hub, "GetProfileStats", &json!({}));
    assert_eq!(stats["dataIngested"], true);
    let newest: i64 = stats["newestProfileTime"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(newest >= start_s as i64 * 1000);
}

/// Bars of a flame graph as (level, name, start, weight, weight in itself), read as Grafana does: each lies inside one of the
/// level above.
fn bars(names: &[String], levels: &[Vec<i64>]) -> Vec<(usize, String, i64, i64, i64)> {
    let mut all = Vec::new();
    let mut above: Vec<(i64, i64)> = vec![(0, i64::MAX)];
    for (depth, level) in levels.iter().enumerate() {
        let mut end = 0;
        let mut own = Vec::new();
        for bar in level.chunks_exact(4) {
            let start = end + bar[0];
            end = start + bar[1];
            let is_inside = above.iter().any(|(from, to)| start >= *from && end <= *to);
            assert!(
                is_inside,
                "level {depth}: {start}..{end} in none of {above:?}"
            );
            own.push((start, end));
            all.push((depth, names[bar[3] as usize].clone(), start, bar[1], bar[2]));
        }
        above = own;
    }
    all
}

#[test]
fn the_data_source_gets_a_flame_graph() {
    let (_directory, hub, start_s) = hub();
    let flame = |nodes_max: u64, selector: &str| {
        let mut message = Message::default();
        message
            .bytes(1, CPU.as_bytes())
            .bytes(2, selector.as_bytes());
        span(&mut message, 3, start_s);
        message.number(5, nodes_max);
        let answer = ask(&hub, "SelectMergeStacktraces", &message);
        let flame = messages(&answer.body, 1).next().map(<[u8]>::to_vec);
        flame.map(|flame| {
            let levels: Vec<Vec<i64>> = messages(&flame, 2)
                .map(|level| {
                    let mut values = Vec::new();
                    for (_, value) in Fields(level).map(Result::unwrap) {
                        value.append_to(&mut values).unwrap();
                    }
                    values.iter().map(|value| value.cast_signed()).collect()
                })
                .collect();
            let totals = (number(&flame, 3), number(&flame, 4));
            (totals, bars(&texts(&flame, 1), &levels))
        })
    };
    let (totals, all) = flame(16_384, "{service_name=\"shop\"}").unwrap();
    assert_eq!(totals, (120_000_000, 60_000_000));
    let of = |name: &str| all.iter().find(|bar| bar.1 == name).cloned().unwrap();
    assert_eq!(of("total"), (0, "total".into(), 0, 120_000_000, 0));
    assert_eq!(
        of("main.main"),
        (1, "main.main".into(), 0, 120_000_000, 20_000_000)
    );
    assert_eq!((of("main.inner").0, of("main.inner").4), (3, 60_000_000));
    let selves: i64 = all.iter().map(|bar| bar.4).sum();
    assert_eq!(selves, 120_000_000);

    let (totals, few) = flame(3, "{service_name=\"shop\"}").unwrap();
    assert_eq!(totals.0, 120_000_000);
    assert!(few.iter().any(|bar| bar.1 == "other"), "{few:?}");
    assert_eq!(few.iter().map(|bar| bar.4).sum::<i64>(), 120_000_000);

    let one = flame(0, "{service_name=\"shop\", host=\"web-2\"}").unwrap();
    assert_eq!(one.0.0, 60_000_000);
    assert_eq!(flame(0, "{service_name=\"shop\", host=\"web-3\"}"), None);
    let method = flame(0, "{service_name=\"shop\", method=\"Price\"}").unwrap();
    assert_eq!(method.0.0, 60_000_000);
}

#[test]
fn the_data_source_gets_lines_and_a_profile() {
    let (_directory, hub, start_s) = hub();
    let body = json!({
        "profileTypeID": CPU, "labelSelector": "{service_name=\"shop\"}", "groupBy": ["host"],
        "start": ((start_s - 60) * 1000).to_string(), "end": ((start_s + 120) * 1000).to_string(),
        "step": 15, "limit": "1",
    });
    let lines = ask_json(&hub, "SelectSeries", &body);
    let lines = lines["series"].as_array().unwrap();
    assert_eq!(lines.len(), 1);
    let points: Vec<(i64, f64)> = lines[0]["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            (
                point["timestamp"].as_str().unwrap().parse().unwrap(),
                point["value"].as_f64().unwrap(),
            )
        })
        .collect();
    // The hub knows minutes: four steps have a quarter each.
    let times: Vec<i64> = (1..=4)
        .map(|step| (start_s as i64 + 15 * step) * 1000)
        .collect();
    assert_eq!(
        points.iter().map(|point| point.0).collect::<Vec<_>>(),
        times
    );
    assert!(
        points
            .iter()
            .all(|point| (point.1 - 15_000_000.0).abs() < 1.0),
        "{points:?}"
    );

    let mut message = Message::default();
    message
        .bytes(1, CPU.as_bytes())
        .bytes(2, b"{service_name=\"till\"}");
    span(&mut message, 3, start_s);
    let profile = ask(&hub, "SelectMergeProfile", &message);
    let profile = hone_profile::pprof::parse(&profile.body).unwrap();
    let total: i64 = profile.samples.iter().map(|sample| sample.values[1]).sum();
    assert_eq!(total, 60_000_000);
}

#[test]
fn what_the_hub_does_not_answer_is_an_error_of_connect() {
    let (_directory, hub, start_s) = hub();
    let code = |answer: &Answer| {
        let error: Value = serde_json::from_slice(&answer.body).unwrap();
        error["code"].as_str().unwrap().to_owned()
    };
    let spans = ask(&hub, "SelectMergeSpanProfile", &Message::default());
    assert_eq!((spans.status, &*code(&spans)), (501, "unimplemented"));
    let mut heap = Message::default();
    heap.bytes(1, b"memory:inuse_space:bytes:space:bytes");
    let heap = ask(&hub, "SelectMergeStacktraces", &heap);
    assert_eq!((heap.status, &*code(&heap)), (501, "unimplemented"));
    let mut odd = Message::default();
    odd.bytes(2, b"{service_name=");
    span(&mut odd, 3, start_s);
    let odd = ask(&hub, "SelectMergeStacktraces", &odd);
    assert_eq!((odd.status, &*code(&odd)), (400, "invalid_argument"));
    let mut large = Message::default();
    large.bytes(2, &vec![b'x'; 70_000]);
    let large = ask(&hub, "SelectSeries", &large);
    assert_eq!((large.status, &*code(&large)), (413, "resource_exhausted"));
    let mut fine = Message::default();
    fine.bytes(1, CPU.as_bytes())
        .signed(3, 1000)
        .signed(4, i64::MAX / 2);
    let fine = ask(&hub, "SelectSeries", &fine);
    assert_eq!((fine.status, &*code(&fine)), (400, "invalid_argument"));
    let head = "Content-Type: application/proto\r\n";
    let path = "/querier.v1.QuerierService/ProfileTypes";
    assert_eq!(
        request(hub.address, "PUT", path, head, b"").unwrap().status,
        405
    );
}
