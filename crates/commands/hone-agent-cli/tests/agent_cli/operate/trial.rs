use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Output};

use testkit::until;

use super::support::scraped;
use crate::common::Agent;

const CONFIG: &str = "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"127.0.0.1:0\"\n\
     [[listen]]\naddress = \"unixgram:agent.sock\"\n\
     [[send]]\nformat = \"graphite\"\naddress = \"127.0.0.1:1\"\nqueue_directory = \"queue\"\n";

fn check(directory: &std::path::Path) -> (Output, String) {
    let mut check = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    let output = check
        .args(["config", "--check", "agent.toml"])
        .current_dir(directory)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, said)
}

#[test]
fn what_a_running_agent_has_is_good_and_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let agent = Agent::start(directory.path(), CONFIG);
    let http = agent.http();
    let file = directory.path().join("agent.sock");
    until("it listens", || file.exists().then_some(()));
    let before = file.metadata().unwrap().ino();
    let (output, said) = check(directory.path());
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("good: 1 listeners, 1 back ends"), "{said}");
    assert_eq!(file.metadata().unwrap().ino(), before);
    let client = UnixDatagram::unbound().unwrap();
    client.send_to(b"hits:1|c", &file).unwrap();
    until("it still receives", || {
        scraped(http, "hone_agent_values_total").filter(|&values| values == 1.0)
    });
    agent.end();
    let (output, _) = check(directory.path());
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_cannot_be_opened_is_said_with_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let config = CONFIG
        .replace("unixgram:agent.sock", "unixgram:no/agent.sock")
        .replace("127.0.0.1:1\"", "localhost\"");
    std::fs::write(directory.path().join("agent.toml"), config).unwrap();
    let (output, said) = check(directory.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.contains("mkdir -p no") && said.contains("no host and port"),
        "{said}"
    );
    assert!(!directory.path().join("queue").exists());
}

/// It used to run, and to send nothing anywhere.
#[test]
fn without_a_file_it_says_what_to_create_and_what_it_says_is_right() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    let output = run.arg("run").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let commands: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .collect();
    let end = commands
        .iter()
        .position(|line| *line == "END")
        .expect(&said);
    assert_eq!(commands[0], "cat > agent.toml <<'END'");
    let directory = tempfile::tempdir().unwrap();
    let config = commands[1..end].join("\n").replace(":8125", ":0");
    std::fs::write(directory.path().join("agent.toml"), config).unwrap();
    let of_check = "hone-agent config --check agent.toml";
    assert_eq!(
        commands[end + 1..],
        [of_check, "hone-agent run --config agent.toml"]
    );
    let (output, checked) = check(directory.path());
    assert!(output.status.success(), "{checked}");
    assert!(
        checked.contains("good: 1 listeners, 1 back ends"),
        "{checked}"
    );
}
