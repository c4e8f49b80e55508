//! Queries to a server with Prometheus' HTTP API: Prometheus, VictoriaMetrics, Mimir, Thanos.

use std::time::Duration;

use anyhow::{Context, anyhow};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

use hone_inputs::http;
use hone_measure::fleet::{Grid, Labels, Series};
use hone_run::advice::Advise;

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
    use super::*;

    #[test]
    fn selectors_are_quoted() {
        let selector = selector("m", &[("service", "a\\.b|\"c\""), ("build_id", "aa|bb")]);
        let expected = "m{service=~\"a\\\\.b|\\\"c\\\"\",build_id=~\"aa|bb\"}";
        assert_eq!(selector, expected);
        assert_eq!(metric_name("http.requests-total"), "http_requests_total");
    }
}
