//! Queries to a server with Prometheus' HTTP API: Prometheus, VictoriaMetrics, Mimir, Thanos.

use std::time::Duration;

use anyhow::{Context, anyhow};
use hone_fetch::http;
use hone_files::advice::Advise;
use hone_measure::fleet::{Grid, Labels, Series};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

/// Longest time that an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// Largest answer in bytes: some thousand series of a thousand windows.
const ANSWER_BYTES_MAX: u64 = 256 << 20;

/// A server with Prometheus' API.
pub(super) struct Api {
    agent: Agent,
    address: String,
}

#[derive(Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Answer<Data> {
    Success { data: Data },
    Error { error: String },
}

#[derive(Deserialize)]
struct Matrix {
    result: Vec<Series>,
}

impl Api {
    pub(super) fn new(address: &str) -> Self {
        let config = http::client().timeout_global(Some(PATIENCE)).build();
        Self {
            agent: config.into(),
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// Returns the labels of all series that match a selector, in the time of the grid.
    pub(super) fn series(&self, selector: &str, grid: Grid) -> anyhow::Result<Vec<Labels>> {
        let (start, end) = (grid.start_s.to_string(), grid.end_s().to_string());
        self.get(
            "series",
            &[("match[]", selector), ("start", &start), ("end", &end)],
        )
    }

    /// Returns the values of all series that match a selector, at the times of the grid.
    pub(super) fn values(&self, selector: &str, grid: Grid) -> anyhow::Result<Vec<Series>> {
        let (start, end) = (grid.start_s.to_string(), grid.end_s().to_string());
        let step = grid.window_s.to_string();
        let fields = [
            ("query", selector),
            ("start", &start),
            ("end", &end),
            ("step", &step),
            // Without this field VictoriaMetrics moves the times; other servers do not know the field.
            ("nocache", "1"),
        ];
        let matrix: Matrix = self.get("query_range", &fields)?;
        Ok(matrix.result)
    }

    fn get<Data: DeserializeOwned>(
        &self,
        what: &str,
        fields: &[(&str, &str)],
    ) -> anyhow::Result<Data> {
        let address = format!("{}/api/v1/{what}", self.address);
        self.ask(&address, fields)
            .with_context(|| format!("--from {}", self.address))
            .next("the address before /api/v1/query, such as http://127.0.0.1:8428 or http://host:9090/prometheus")
    }

    fn ask<Data: DeserializeOwned>(
        &self,
        address: &str,
        fields: &[(&str, &str)],
    ) -> anyhow::Result<Data> {
        let mut request = self.agent.get(address);
        for (name, value) in fields {
            request = request.query(name, value);
        }
        let mut response = request.call()?;
        let status = response.status();
        let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX);
        let text = body.read_to_string();
        let text = text.context("the answer cannot be read; with --service it is shorter")?;
        match serde_json::from_str(&text) {
            Ok(Answer::Success { data }) => Ok(data),
            Ok(Answer::Error { error }) => Err(anyhow!("it says: {error}")),
            Err(_) if !status.is_success() => Err(anyhow!("it answers with status {status}")),
            Err(error) => Err(error).context("its answer is not that of Prometheus' API"),
        }
    }
}

/// Returns a selector of a metric's series by regular expressions of labels.
pub(super) fn selector(metric: &str, labels: &[(&str, &str)]) -> String {
    let quoted = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    let labels: Vec<String> = labels
        .iter()
        .map(|(label, regex)| format!("{label}=~\"{}\"", quoted(regex)))
        .collect();
    format!("{metric}{{{}}}", labels.join(","))
}

/// Returns the name of a metric in Prometheus: characters that Prometheus does not allow become `_`.
pub(super) fn metric_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == ':' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread::{self, JoinHandle};

    use hone_files::advice::render;

    use super::*;

    const GRID: Grid = Grid {
        start_s: 100,
        window_s: 10,
        windows: 6,
    };

    #[test]
    fn selectors_are_quoted() {
        let selector = selector("m", &[("service", "a\\.b|\"c\""), ("build_id", "aa|bb")]);
        let expected = "m{service=~\"a\\\\.b|\\\"c\\\"\",build_id=~\"aa|bb\"}";
        assert_eq!(selector, expected);
        assert_eq!(metric_name("http.requests-total"), "http_requests_total");
    }

    /// Answers one request with a status and a body; returns the address, and later the request.
    fn server(status: &str, body: &str) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let length = body.len();
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
        let asked = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        (address, asked)
    }

    #[test]
    fn series_are_asked_for_in_the_time_of_the_grid() {
        let body = r#"{"status":"success","data":[{"build_id":"aa"}]}"#;
        let (address, asked) = server("200 OK", body);
        let series = Api::new(&format!("{address}/"))
            .series("m{}", GRID)
            .unwrap();
        assert_eq!(series[0]["build_id"], "aa");
        let asked = asked.join().unwrap();
        assert!(asked.starts_with("GET /api/v1/series?match"), "{asked}");
        assert!(asked.contains("start=100&end=160 "), "{asked}");
    }

    #[test]
    fn an_answer_that_is_not_prometheus_is_said_to_be_so() {
        let error = r#"{"status":"error","error":"too many series"}"#;
        for (status, body, fact) in [
            ("200 OK", "hi", "its answer is not that of Prometheus' API"),
            ("404 Not Found", "", "it answers with status 404"),
            ("422 Unprocessable", error, "it says: too many series"),
        ] {
            let (address, asked) = server(status, body);
            let said = render(&Api::new(&address).series("m{}", GRID).unwrap_err());
            asked.join().unwrap();
            assert!(
                said.contains(&format!("--from {address}: {fact}")),
                "{said}"
            );
            assert!(
                said.contains("next: the address before /api/v1/query"),
                "{said}"
            );
        }
    }

    #[test]
    fn an_address_where_nobody_answers_is_named() {
        let said = render(
            &Api::new("http://127.0.0.1:1")
                .series("m{}", GRID)
                .unwrap_err(),
        );
        assert!(said.contains("--from http://127.0.0.1:1: "), "{said}");
    }
}
