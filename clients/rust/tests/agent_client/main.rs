//! The order of a gauge's samples, whichever threads they come from; the guide's example.

use hone_agent_client::{Client, Config};
use std::os::unix::net::UnixDatagram;
use std::thread;
use std::time::Duration;

#[test]
fn the_last_value_of_a_gauge_is_sent_last() {
    let file = std::env::temp_dir().join(format!("hone-agent-client-{}.sock", std::process::id()));
    let socket = UnixDatagram::bind(&file).unwrap();
    let client = Client::start(Config {
        address: format!("unixgram:{}", file.display()),
        shards: 16,
        flush_every: Duration::from_secs(3600),
        ..Config::default()
    })
    .unwrap();
    let gauge = client.gauge("load", &[]);
    for value in 100..200 {
        let gauge = &gauge;
        let client = &client;
        // One after the other; every other one finds the series anew.
        thread::scope(|scope| {
            scope.spawn(|| match value % 2 {
                0 => gauge.set(value),
                _ => client.record(hone_agent_client::Kind::Gauge, "load", value, &[]),
            });
        });
    }
    // Two packets at most: the gauge's, and the client's own metrics.
    client.close();
    std::fs::remove_file(&file).unwrap();
    let mut values = Vec::new();
    let head = b"\x94\xa1g\xa4load\xa3";
    socket.set_nonblocking(true).unwrap();
    let mut packet = [0; 8192];
    while let Ok(bytes) = socket.recv(&mut packet) {
        let packet = &packet[..bytes];
        let heads = (0..bytes).filter(|at| packet[*at..].starts_with(head));
        values.extend(heads.map(|at| packet[at + head.len()..][..3].to_vec()));
    }
    let expected = (100..200).map(|value: u32| value.to_string().into_bytes());
    assert_eq!(values, expected.collect::<Vec<_>>());
}

#[test]
fn the_guide_shows_the_example_that_is_compiled() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("../../docs/agent/clients.md")).unwrap();
    let example = std::fs::read_to_string(root.join("examples/orders.rs")).unwrap();
    let (_, program) = example.split_once("\n\n").unwrap();
    assert!(guide.contains(&format!("```rust\n{program}```")));
}
