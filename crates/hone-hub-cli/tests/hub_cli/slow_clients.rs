//! Clients that take all connections and say nothing.

use std::io::Write;
use std::net::TcpStream;

use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub};
use crate::fleet::{batch, send};

#[test]
#[ignore = "waits on a clock"]
fn clients_that_say_nothing_keep_no_others_out() {
    let directory = tempdir().unwrap();
    let settings = format!("{ANY_PORT}[limits]\nconnections = 4\n");
    let hub = Hub::start(directory.path(), &settings);
    let mut silent = Vec::new();
    for beginning in [
        "",
        "POST /v1/ba",
        "POST /v1/batch HTTP/1.1\r\nHost: h\r\n",
        "G",
    ] {
        let mut stream = TcpStream::connect(hub.address).unwrap();
        stream.write_all(beginning.as_bytes()).unwrap();
        silent.push(stream);
    }
    send(&hub, &batch("one", 0, "shop"));
}

#[test]
fn a_head_without_an_end_is_refused() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut stream = TcpStream::connect(hub.address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\n").unwrap();
    let line = format!("X-Long: {}\r\n", "x".repeat(1000));
    // The hub closes the connection at some time.
    while stream.write_all(line.as_bytes()).is_ok() {}
    send(&hub, &batch("one", 0, "shop"));
}
