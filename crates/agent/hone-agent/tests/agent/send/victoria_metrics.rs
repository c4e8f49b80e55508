//! The real VictoriaMetrics of Debian: what was written is queried back.

use std::time::SystemTime;

use hone_agent::compress::Compression;
use hone_agent::send::queue::{MemoryQueue, Queue};
use hone_agent::send::{Dialect, Http, HttpOptions, Sender, send_to_all};
use hone_agent::tls::Tls;
use hone_agent::wire::Format;
use hone_agent::wire::relay::Origin;
use serde_json::Value;
use testkit::{Server, victoria_metrics};

use super::fixture::{PATIENCE, at_once, interval, outlet, until_true};

/// A server, and what it is asked.
struct BackEnd(Server);

impl BackEnd {
    /// Every series there is, by its labels as JSON, with its values.
    fn series(&self) -> Vec<(Value, Value)> {
        let all = "/api/v1/export?match%5B%5D=%7B__name__!=%22%22%7D";
        let text = self.0.get(all).unwrap_or_default();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let series = lines.map(|line: Value| (line["metric"].clone(), line["values"].clone()));
        series.collect()
    }

    fn write(&self, dialect: Dialect, compression: Compression) {
        let options = HttpOptions {
            address: format!("http://{}/api/v1/write", self.0.address),
            dialect,
            falls_back: Some(hone_agent::wire::buckets::BucketSeries::VmRange),
            headers: Vec::new(),
            tls: Tls::default(),
            timeout: PATIENCE,
        };
        let endpoint = Box::new(Http::new(&options).unwrap());
        let queue = Queue::Memory(MemoryQueue::new(1 << 20));
        let sender = Sender::start("victoria-metrics", endpoint, queue, at_once()).unwrap();
        let mut outlets = [outlet(Format::RemoteWrite1, compression, sender)];
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let mut interval = interval();
        // Older values than its retention are not stored.
        interval.end_ms = now.unwrap().as_millis() as i64;
        send_to_all(&mut outlets, &interval, &mut Origin::default());
        let [outlet] = outlets;
        let outcome = outlet.stop(PATIENCE);
        assert_eq!(
            (outcome.delivered, outcome.losses.total()),
            (7, 0),
            "{outcome:?}"
        );
    }

    fn assert_has_the_interval(&self) {
        self.0.get("/internal/force_flush");
        let wanted = |metric: Value, value: f64| {
            until_true(&format!("{metric} is there"), || {
                let series = self.series();
                let found = series.iter().find(|(labels, _)| *labels == metric);
                found.is_some_and(|(_, values)| values[0].as_f64() == Some(value))
            });
        };
        let tags = |mut labels: Value| {
            labels["host"] = "h1".into();
            labels["path"] = "/a b".into();
            labels
        };
        wanted(tags(serde_json::json!({"__name__": "requests"})), 42.0);
        wanted(tags(serde_json::json!({"__name__": "duration_sum"})), 21.5);
        wanted(
            tags(serde_json::json!({"__name__": "duration", "quantile": "0.99"})),
            9.0,
        );
        let bucket =
            serde_json::json!({"__name__": "size_bucket", "vmrange": "1.682e+00...2.000e+00"});
        wanted(tags(bucket), 2.0);
        let odd = serde_json::json!({"__name__": "queue_length", "a_b": "1;2", "exported_le": "x"});
        wanted(odd, -3.0);
    }
}

#[test]
#[ignore = "further end to end"]
fn remote_write_1_can_be_queried_back() {
    let Some(server) = victoria_metrics(&[]).map(BackEnd) else {
        return;
    };
    server.write(Dialect::RemoteWrite1, Compression::Snappy);
    server.assert_has_the_interval();
    // Its own function reads our buckets: of 6 values, the middle is in (1.68, 2].
    let query = "/api/v1/query?query=histogram_quantile(0.5,size_bucket)&nocache=1";
    until_true("the query sees it", || {
        let answer = server
            .0
            .get(query)
            .and_then(|text| serde_json::from_str(&text).ok());
        let answer: Value = answer.unwrap_or_default();
        let value = answer["data"]["result"][0]["value"][1].as_str();
        let value: Option<f64> = value.and_then(|value| value.parse().ok());
        value.is_some_and(|value| (1.68..=2.0).contains(&value))
    });
}

/// Debian's does not take zstd: the first request falls back to snappy.
#[test]
#[ignore = "further end to end"]
fn the_zstd_dialect_arrives_also_where_only_snappy_is_taken() {
    let Some(server) = victoria_metrics(&[]).map(BackEnd) else {
        return;
    };
    server.write(Dialect::VictoriaMetrics, Compression::Zstd(3));
    server.assert_has_the_interval();
}
