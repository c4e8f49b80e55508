//! The real back ends of metrics, VictoriaMetrics and Prometheus of Debian, and the requests that they take.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::server::Server;

/// VictoriaMetrics with more arguments. `None`, with a line, where it is not installed.
pub fn victoria_metrics(more: &[&str]) -> Option<Server> {
    let arguments = |address, data: &std::path::Path| {
        let own = [
            format!("-httpListenAddr={address}"),
            format!("-storageDataPath={}", data.display()),
        ];
        own.into_iter()
            .chain(more.iter().map(ToString::to_string))
            .collect()
    };
    Server::start("victoria-metrics", arguments, "/health")
}

/// Prometheus with this configuration, that takes remote write too. `None`, with a line, where it is not installed.
pub fn prometheus(configuration: &str) -> Option<Server> {
    let arguments = |address, data: &std::path::Path| {
        let file = data.join("prometheus.yml");
        fs::write(&file, configuration).expect("a file of settings");
        vec![
            format!("--config.file={}", file.display()),
            format!("--storage.tsdb.path={}", data.join("tsdb").display()),
            format!("--web.listen-address={address}"),
            "--web.enable-remote-write-receiver".to_owned(),
        ]
    };
    Server::start("prometheus", arguments, "/-/ready")
}

/// What promtool has to say of a text that can be scraped. `None`, with a line, where it is not installed.
pub fn promtool(text: &str) -> Option<Output> {
    let promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut promtool) = promtool else {
        println!("skipped: promtool is not installed (Debian: prometheus)");
        return None;
    };
    let mut stdin = promtool.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    Some(promtool.wait_with_output().expect("it ends"))
}
