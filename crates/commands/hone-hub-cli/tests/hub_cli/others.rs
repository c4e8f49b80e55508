//! What other tools send and ask: Pyroscope's agents, Grafana, curl.

mod agents;
mod grafana;
mod hostile;
mod otlp;
mod profile;

use hone_batch::Batch;
use profile::{cpu, gzip, heap, ingest, multipart, push, send, table};
use serde_json::json;
use tempfile::tempdir;

use crate::access::new_token;
use crate::common::{ANY_PORT, Hub, request};
use crate::fleet::{now_s, read};

/// What the stacks of [`cpu`] are in folded text.
const FOLDED: &str =
    "main.main 10000000\nmain.main;[shop] 20000000\nmain.main;main.work;main.inner 30000000\n";

/// Returns the lines of folded text of a service in order.
#[track_caller]
fn folded(hub: &Hub, service: &str) -> String {
    // What is of this very second counts too.
    let to_s = now_s() + 120;
    let answer = hub.get(&format!("/v1/folded?service={service}&to={to_s}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn batch(hub: &Hub, service: &str) -> Batch {
    let to_s = now_s() + 120;
    read(&hub.get(&format!("/v1/query?service={service}&to={to_s}")))
}

#[test]
fn the_push_of_gos_agent_is_taken() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let start_s = now_s() - 60;
    let query = format!(
        "name=shop%7Bhostname%3Dweb-1%2Cregion%3Deu%2C__session_id__%3D1f%7D&from={start_s}000000000&until={}000000000\
         &spyName=gospy&sampleRate=100&units=&aggregationType=",
        start_s + 10
    );
    let sent = cpu(start_s);
    let body = multipart(&[("profile", &sent), ("sample_type_config", b"{}")]);
    let answer = ingest(&hub, &query, &body);
    assert_eq!((answer.status, answer.text()), (200, String::new()));
    // The agent may send it again, as it does after an answer that it did not read.
    assert_eq!(ingest(&hub, &query, &body).status, 200);
    assert_eq!(folded(&hub, "shop"), FOLDED);

    let batch = batch(&hub, "shop");
    let group = &batch.groups[0];
    assert_eq!((&*group.host, &*group.build), ("web-1", "ab01cd02"));
    let labels: Vec<String> = batch
        .groups
        .iter()
        .flat_map(|group| group.labels.iter())
        .map(ToString::to_string)
        .collect();
    assert!(
        labels.contains(&"region=eu".to_owned()) && labels.contains(&"method=Price".to_owned())
    );
    assert!(!labels.iter().any(|label| label.contains("session")));

    // Its profiles of memory are no errors.
    let answer = ingest(&hub, &query, &multipart(&[("profile", &heap())]));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("hone-left-out"), Some("1"));
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"profiles\"}"), 1);
    assert_eq!(folded(&hub, "shop"), FOLDED);
}

#[test]
fn text_of_older_agents_is_taken() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let text = "main;work 3\nmain;work;inner with blanks 2\n";
    let now_s = now_s();
    let query = format!("/ingest?name=till&format=folded&sampleRate=50&from={now_s}&until={now_s}");
    assert_eq!(
        send(&hub, &query, "text/plain", text.as_bytes()).status,
        200
    );
    let lines = b"main;work\nmain;work\n";
    let query = format!("/ingest?name=till&format=lines&sampleRate=50&from={now_s}");
    assert_eq!(send(&hub, &query, "binary/octet-stream", lines).status, 200);
    let expected = "main;work 100000000\nmain;work;inner with blanks 40000000\n";
    assert_eq!(folded(&hub, "till"), expected);
    let query = "/ingest?name=till&format=jfr";
    send(&hub, query, "application/octet-stream", b"FLR\0")
        .refuses(415, "does not read the format \"jfr\"");
}

#[test]
fn a_push_is_taken_in_both_forms() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let start_s = now_s() - 60;
    let (cpu, heap) = (cpu(start_s), heap());
    let labels = [
        ("__name__", "process_cpu"),
        ("service_name", "shop"),
        ("instance", "web-1:80"),
        ("container", "c0ffee"),
        ("process.runtime.name", "rust"),
    ];
    let body = gzip(&push(&labels, &[&cpu, &heap]));
    let head = "Content-Type: application/proto\r\nContent-Encoding: gzip\r\nConnect-Protocol-Version: 1\r\n";
    let path = "/push.v1.PusherService/Push";
    let answer = request(hub.address, "POST", path, head, &body).unwrap();
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/proto"))
    );
    assert_eq!(folded(&hub, "shop"), FOLDED);
    let group = &batch(&hub, "shop").groups[0];
    assert_eq!((&*group.host, &*group.container), ("web-1:80", "c0ffee"));

    use base64::Engine;
    let raw = base64::prelude::BASE64_STANDARD.encode(&cpu);
    let body = json!({"series": [{
        "labels": [{"name": "service_name", "value": "till"}],
        "samples": [{"rawProfile": raw, "ID": "x"}],
    }]});
    let answer = send(&hub, path, "application/json", body.to_string().as_bytes());
    assert_eq!((answer.status, answer.text()), (200, "{}".to_owned()));
    assert_eq!(folded(&hub, "till"), FOLDED);

    // Errors are of Connect's form.
    let answer = send(&hub, path, "application/proto", b"\x0a\xff");
    let error: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(
        (answer.status, &error["code"]),
        (400, &json!("invalid_argument"))
    );
    assert_eq!(send(&hub, path, "application/grpc+proto", b"x").status, 415);
}

#[test]
fn pprof_comes_in_and_goes_out_by_curl() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let start_s = now_s() - 600;
    let path = "/v1/pprof?service=shop&host=web-1&label=region:eu";
    let answer = send(&hub, path, "application/octet-stream", &cpu(start_s));
    assert_eq!(answer.status, 204, "{}", answer.text());
    assert_eq!(folded(&hub, "shop"), FOLDED);
    let answer = hub.get("/v1/pprof?service=shop");
    assert_eq!(answer.status, 200);
    let back = hone_profile::pprof::parse(&answer.body).unwrap();
    let total: i64 = back.samples.iter().map(|sample| sample.values[1]).sum();
    assert_eq!(total, 60_000_000);
    let names: Vec<&str> = back
        .functions
        .iter()
        .map(|function| back.text(function.name))
        .collect();
    assert!(
        ["main.main", "main.work", "main.inner"]
            .iter()
            .all(|name| names.contains(name))
    );
    // What came out can go in.
    let answer = send(
        &hub,
        "/v1/pprof?service=copy",
        "application/octet-stream",
        &answer.body,
    );
    assert_eq!(answer.status, 204, "{}", answer.text());
    assert_eq!(folded(&hub, "copy"), FOLDED);
    hub.get("/v1/pprof?service=nobody")
        .refuses(404, "there is no service \"nobody\"");
    hub.get("/v1/folded").refuses(400, "add service=NAME");
}

#[test]
fn a_recording_of_minutes_is_not_all_in_one() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let start_s = (now_s() - 1200) / 60 * 60;
    let mut long = table(start_s);
    long.duration_ns = 300_000_000_000;
    for sample in &mut long.samples {
        sample.values = vec![500, 5_000_000_000];
    }
    let body = hone_profile::pprof::write(&long).unwrap();
    let path = "/v1/pprof?service=shop";
    assert_eq!(send(&hub, path, "", &body).status, 204);
    let series = hub.get(&format!("/v1/series?service=shop&step=60&from={start_s}"));
    let series: serde_json::Value = serde_json::from_slice(&series.body).unwrap();
    let cores: Vec<f64> = series["lines"][0]["cores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cores| cores.as_f64().unwrap())
        .take(5)
        .collect();
    for own in &cores {
        assert!((own - 15.0 / 300.0).abs() < 0.001, "{cores:?}");
    }
}

#[test]
fn the_text_of_perf_script_is_taken() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let text = "\
swapper 0 [000] 0.000000: PERF_RECORD_MMAP2 77/77: [0x400000(0x1000) @ 0x1000 08:01 5 0]: r-xp /srv/bin/shop
shop 77/77 100.000000: 250000 cpu-clock:
\t          400010 main (/srv/bin/shop)
\t          400200 start (/srv/bin/shop)

shop 77/77 161.500000: 250000 cpu-clock:
\t          400010 main (/srv/bin/shop)
\t          400200 start (/srv/bin/shop)

";
    let start_s = (now_s() - 600) / 60 * 60;
    let path = format!("/v1/perf-script?service=shop&host=web-1&from={start_s}");
    let answer = send(&hub, &path, "text/plain", text.as_bytes());
    assert_eq!(answer.status, 204, "{}", answer.text());
    let batch = batch(&hub, "shop");
    let mut minutes: Vec<u64> = batch.samples.iter().map(|row| row.bucket).collect();
    minutes.sort_unstable();
    assert_eq!(minutes, [start_s / 60, start_s / 60 + 1]);
    assert_eq!(batch.samples[0].weight, 250_000);
    assert_eq!(batch.groups[0].thread, "shop");
    assert!(
        batch
            .places
            .iter()
            .any(|place| matches!(place, hone_batch::Place::Code { offset: 0x1010, .. }))
    );
    send(&hub, &path, "text/plain", b"no samples at all").refuses(400, "perf script");
}

#[test]
fn tokens_say_which_services_an_agent_may_send() {
    let directory = tempdir().unwrap();
    let folder = directory.path();
    let shop = new_token(folder, &["--scopes", "ingest", "--services", "shop"]);
    let reader = new_token(folder, &["--scopes", "read"]);
    let hub = Hub::start(folder, ANY_PORT);
    let body = multipart(&[("profile", &cpu(now_s() - 60))]);
    assert_eq!(ingest(&hub, "name=shop", &body).status, 401);
    let kind = "Content-Type: multipart/form-data; boundary=d9fe3b58aa2bb4b4cc0c7e0e2f4d\r\n";
    let with = |token: &str, path: &str| {
        use base64::Engine;
        let pair = base64::prelude::BASE64_STANDARD.encode(format!("anybody:{token}"));
        let head = format!("{kind}Authorization: Basic {pair}\r\n");
        request(hub.address, "POST", path, &head, &body).unwrap()
    };
    assert_eq!(with(&shop, "/ingest?name=shop").status, 200);
    with(&shop, "/ingest?name=till").refuses(403, "may not send");
    with(&reader, "/ingest?name=shop").refuses(403, "has not the scope ingest");
    let head = format!("Authorization: Bearer {reader}\r\n");
    let answer = request(hub.address, "GET", "/v1/folded?service=shop", &head, b"").unwrap();
    assert_eq!(answer.status, 200);
}
