//! The real Prometheus of Debian.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::server::Server;

/// One with this configuration, that takes remote write too. `None` where it is not installed.
pub(crate) fn prometheus(configuration: &str) -> Option<Server> {
    let arguments = |address, data: &std::path::Path| {
        let file = data.join("prometheus.yml");
        fs::write(&file, configuration).unwrap();
        vec![
            format!("--config.file={}", file.display()),
            format!("--storage.tsdb.path={}", data.join("tsdb").display()),
            format!("--web.listen-address={address}"),
            "--web.enable-remote-write-receiver".to_owned(),
        ]
    };
    Server::start("prometheus", arguments, "/-/ready")
}

/// What promtool has to say of a text that can be scraped. `None` where it is not installed.
pub(crate) fn promtool(text: &str) -> Option<Output> {
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
    let mut stdin = promtool.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    Some(promtool.wait_with_output().unwrap())
}
