//! The back end of the demo: a real VictoriaMetrics, and queries for the series that it has.

use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use super::children::Running;
use super::service::SERVICES;

/// Names of VictoriaMetrics' own program: Debian's name, and the name that its build gives.
const PROGRAMS: [&str; 2] = ["victoria-metrics", "victoria-metrics-prod"];
/// Query for all series of the services except the many buckets of histograms: `{service!="",vmrange=""}`.
const QUERY: &str = "/api/v1/query?query=%7Bservice!%3D%22%22%2Cvmrange%3D%22%22%7D";
const TIME: Duration = Duration::from_secs(10);

/// A VictoriaMetrics that the demo has started.
pub(super) struct BackEnd {
    running: Running,
    pub(super) address: String,
}

/// A series and its last value.
pub(super) struct Row {
    pub(super) series: String,
    service: String,
    pub(super) value: f64,
}

impl BackEnd {
    pub(super) fn start(directory: &Path) -> Result<Self> {
        let free = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        for program in PROGRAMS {
            let mut command = Command::new(program);
            command
                .arg(format!("-httpListenAddr={free}"))
                .arg(format!(
                    "-storageDataPath={}",
                    directory.join("metrics").display()
                ))
                // Queries see values as soon as the values have arrived.
                .arg("-search.latencyOffset=0s");
            let log = directory.join("back_end.log");
            match Running::start("victoria-metrics", command, &log) {
                Ok(running) => {
                    let address = format!("http://{free}");
                    return Ok(Self { running, address });
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(anyhow!(
            "the demo needs victoria-metrics, which is not installed: apt-get install victoria-metrics (Debian, Ubuntu), \
             or put a release of https://github.com/VictoriaMetrics/VictoriaMetrics into the PATH as victoria-metrics"
        ))
    }

    /// Returns true if the back end answers. Fails if its process has ended.
    pub(super) fn is_ready(&mut self) -> Result<bool> {
        self.running.complain_if_ended()?;
        Ok(self.get("/health").is_ok())
    }

    /// Returns true if `rows` has a series of every service.
    pub(super) fn has_all(&self, rows: &[Row]) -> bool {
        let has = |name: &str| rows.iter().any(|row| row.service == name);
        SERVICES.iter().all(|service| has(service.name()))
    }

    /// Asks the back end for the series of the services.
    pub(super) fn rows(&self) -> Result<Vec<Row>> {
        let answer: Value = serde_json::from_str(&self.get(QUERY)?)?;
        let series = answer["data"]["result"].as_array();
        let mut rows: Vec<Row> = series.into_iter().flatten().filter_map(row).collect();
        rows.sort_by(|a, b| a.series.cmp(&b.series));
        Ok(rows)
    }

    fn get(&self, path: &str) -> Result<String> {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIME))
            .proxy(None)
            .build();
        let agent = ureq::Agent::from(config);
        let answer = agent.get(format!("{}{path}", self.address)).call();
        let mut answer = answer.context("the back end does not answer")?;
        Ok(answer.body_mut().read_to_string()?)
    }
}

fn is_missing(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn row(series: &Value) -> Option<Row> {
    let labels = series["metric"].as_object()?;
    let text = |name: &str| labels.get(name).and_then(Value::as_str);
    let others = labels
        .iter()
        .filter(|(name, _)| !["__name__", "host"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}={value}"));
    Some(Row {
        series: format!(
            "{}{{{}}}",
            text("__name__")?,
            others.collect::<Vec<_>>().join(",")
        ),
        service: text("service")?.to_owned(),
        value: series["value"][1].as_str()?.parse().ok()?,
    })
}
