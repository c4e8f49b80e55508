//! Pyroscope's own agents, as their packages are: nothing of them is changed but the address to which they send.

use std::path::Path;
use std::process::Command;

use tempfile::tempdir;
use testkit::python_with;

use super::batch;
use crate::common::{ANY_PORT, Hub, until};

/// Waits until a service has samples with this in a stack; returns folded text.
fn stacks_with(hub: &Hub, service: &str, name: &str) -> String {
    until("the agent's samples", || {
        let answer = hub.get(&format!("/v1/folded?service={service}"));
        let text = answer.text();
        (answer.status == 200 && text.contains(name)).then_some(text)
    })
}

#[test]
#[ignore = "finds by samples"]
fn the_agent_for_python_sends_as_it_is() {
    let Some(python) = python_with("pyroscope") else {
        return;
    };
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/agent.py");
    let mut agent = Command::new(python)
        .arg(program)
        .arg(format!("http://{}", hub.address))
        .spawn()
        .unwrap();
    let text = stacks_with(&hub, "python-shop", "busy");
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert!(
        text.contains("work;busy") || text.contains("work;"),
        "{text}"
    );
    let batch = batch(&hub, "python-shop");
    assert!(batch.groups.iter().any(|group| group.host == "web-1"));
    let labels: Vec<String> = batch
        .groups
        .iter()
        .flat_map(|group| group.labels.iter())
        .map(ToString::to_string)
        .collect();
    assert!(labels.contains(&"region=eu".to_owned()), "{labels:?}");
    assert!(batch.samples.iter().all(|row| row.weight >= row.times));
}

#[test]
#[ignore = "finds by samples"]
fn the_agent_for_go_sends_as_it_is() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/go");
    let directory = tempdir().unwrap();
    let program = directory.path().join("agent");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(source)
        .output();
    match built {
        Ok(built) if built.status.success() => {}
        Ok(built) => {
            let said = String::from_utf8_lossy(&built.stderr);
            println!("skipped: Pyroscope's agent for Go cannot be built: {said}");
            return;
        }
        Err(_) => {
            println!("skipped: no Go is installed");
            return;
        }
    }
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut agent = Command::new(&program)
        .arg(format!("http://{}", hub.address))
        .spawn()
        .unwrap();
    let text = stacks_with(&hub, "go-shop", "main.busy");
    // Profiles of memory come in the same round.
    until("profiles of memory", || {
        (hub.figure("hone_hub_left_out_total{what=\"profiles\"}") > 0).then_some(())
    });
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert!(text.contains("main.work;main.busy"), "{text}");
    let batch = batch(&hub, "go-shop");
    assert!(batch.groups.iter().any(|group| {
        let labels: Vec<String> = group.labels.iter().map(ToString::to_string).collect();
        group.host == "web-1"
            && labels.contains(&"region=eu".to_owned())
            && labels.contains(&"method=Price".to_owned())
    }));
    let text = hub.get("/metrics").text();
    assert!(
        text.contains("hone_hub_batches_total{outcome=\"refused\"} 0"),
        "{text}"
    );
}
