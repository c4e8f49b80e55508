//! The first chart of `docs/agent/agent.md`, step by step as it stands there, at other ports.

use std::fs;
use std::path::Path;
use std::process::Command;

use testkit::until;
use testkit::victoria_metrics;

use crate::common::Agent;

/// The indented lines behind a heading.
fn steps(heading: &str) -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/agent/agent.md");
    let guide = fs::read_to_string(guide).unwrap();
    let (_, behind) = guide.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = behind.split("\n## ").next().unwrap();
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
#[ignore = "further end to end"]
fn the_first_chart_of_the_guide_is_there() {
    let steps = steps("The first chart");
    let line = |words: &str| {
        let mut lines = steps.lines();
        let found = lines.find(|line| line.contains(words));
        found
            .unwrap_or_else(|| panic!("no {words} in {steps}"))
            .to_owned()
    };
    let back_end = line("victoria-metrics ");
    let others: Vec<&str> = back_end
        .split(' ')
        .filter(|word| word.starts_with("-search"))
        .collect();
    // Or charts would show nothing of the last 30 seconds, and the guide promises ten.
    assert_eq!(others, ["-search.latencyOffset=0s"]);
    let Some(server) = victoria_metrics(&others) else {
        return;
    };
    let (_, config) = steps.split_once("<<'END'\n").unwrap();
    let (config, _) = config.split_once("\nEND\n").unwrap();
    assert!(config.contains("127.0.0.1:8125") && config.contains("127.0.0.1:8428"));
    let config = config
        .replace("127.0.0.1:8125", "127.0.0.1:0")
        .replace("127.0.0.1:8428", &server.address.to_string());
    let directory = tempfile::tempdir().unwrap();
    let config = format!("[aggregate]\ninterval_s = 1\n[http]\nlisten = \"off\"\n{config}");
    let agent = Agent::start(directory.path(), &config);
    let udp = agent.listens("udp:127.0.0.1:0").port();
    let sends = line("/dev/udp/").replace("/8125", &format!("/{udp}"));
    let sent = Command::new("bash").args(["-c", &sends]).status();
    if !sent.is_ok_and(|sent| sent.success()) {
        println!("skipped: there is no bash that sends to /dev/udp");
        return;
    }
    let told = until("the chart has it", || {
        let told = server.get("/api/v1/query?query=page_hits")?;
        let told: serde_json::Value = serde_json::from_str(&told).ok()?;
        told["data"]["result"].get(0).cloned()
    });
    assert_eq!(told["metric"]["page"], "start");
    assert_eq!(told["value"][1], "1");
    agent.end();
}
