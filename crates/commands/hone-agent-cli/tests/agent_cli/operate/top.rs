use std::os::unix::net::UnixDatagram;
use std::process::Command;

use serde_json::Value;
use testkit::until;

use crate::common::Agent;

const CONFIG: &str = "[aggregate]\ninterval_s = 1\n[limits]\nseries_per_metric = 20\n\
     [http]\nlisten = \"127.0.0.1:0\"\n[[listen]]\naddress = \"unixgram:agent.sock\"\nname = \"clients\"\n";

fn top(arguments: &[&str]) -> Option<String> {
    let mut top = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    let output = top.arg("top").args(arguments).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    output.status.success().then_some(said)
}

#[test]
fn who_sends_is_shown_with_what_is_held_for_them() {
    let directory = tempfile::tempdir().unwrap();
    let agent = Agent::start(directory.path(), CONFIG);
    let address = agent.http().to_string();
    let client = UnixDatagram::unbound().unwrap();
    let file = directory.path().join("agent.sock");
    until("it listens", || file.exists().then_some(()));
    let own = u64::from(std::process::id());
    // The interval that is told of may be one in which nothing was sent: so it is sent again.
    let told = until("this process is told of", || {
        for number in 0..30 {
            let line = format!("many:1|c|#n:{number}\nfew:1|c|c:in-42\n");
            client.send_to(line.as_bytes(), &file).unwrap();
        }
        let told: Value = serde_json::from_str(&top(&["--json", "--address", &address])?).unwrap();
        let process = told["processes"]
            .as_array()?
            .iter()
            .find(|process| process["pid"] == own)?;
        (process["series"] == 21 && told["overflowed_per_s"]["metric"].as_f64()? > 0.0)
            .then(|| told.clone())
    });
    let process = &told["processes"][0];
    assert!(process["values_per_s"].as_f64().unwrap() > 0.0, "{told}");
    assert!(process["bytes_per_s"].as_f64() > process["values_per_s"].as_f64());
    assert_eq!(told["services"][0]["series"], 21);
    assert_eq!(told["listeners"][0]["name"], "clients");
    let container = &told["containers"][0];
    assert_eq!(container["name"], "in-42");
    assert!(container["values_per_s"].as_f64().unwrap() > 0.0, "{told}");
    assert_eq!(
        (&told["metrics"][0]["metric"], &told["metrics"][0]["series"]),
        (&"many".into(), &20.into())
    );
    assert_eq!(
        (&told["series"], &told["series_max"]),
        (&21.into(), &250_000.into())
    );
    let shown = until("it is shown", || {
        client.send_to(b"few:1|c", &file).unwrap();
        top(&["--once", "--address", &address]).filter(|shown| shown.contains(&format!(" {own}\n")))
    });
    assert!(shown.contains("       20  many\n"), "{shown}");
    agent.end();
    assert_eq!(top(&["--once", "--address", &address]), None);
}
