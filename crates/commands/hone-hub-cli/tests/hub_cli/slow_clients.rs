//! Clients that take all connections and say nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use tempfile::tempdir;

use hone_batch::wire;

use crate::common::{ANY_PORT, Hub, until};
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
#[ignore = "waits on a clock"]
fn unfinished_requests_make_room_for_others_and_health_is_answered_beside_them() {
    const PLACES: usize = 64;
    let head = "POST /v1/batch HTTP/1.1\r\nHost: h\r\n";
    let body = format!("{head}Content-Length: 100000\r\n\r\nHONB");
    for unfinished in [head, &body] {
        let directory = tempdir().unwrap();
        let settings = format!("{ANY_PORT}[limits]\nconnections = {PLACES}\n");
        let hub = Hub::start(directory.path(), &settings);
        let clients = (0..2 * PLACES).map(|_| {
            let mut stream = TcpStream::connect(hub.address).unwrap();
            stream.write_all(unfinished.as_bytes()).unwrap();
            stream.set_nonblocking(true).unwrap();
            stream
        });
        let mut clients: Vec<TcpStream> = clients.collect();
        assert_eq!(hub.get("/healthz").status, 200);
        let waits = |client: &mut TcpStream| {
            let read = client.read(&mut [0]);
            read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        let waiting = clients.iter_mut().map(waits);
        let waiting = waiting.filter(|waits| *waits).count();
        assert!(waiting > PLACES / 2, "{waiting} of {PLACES} had to end");
        let bytes = wire::write(&batch("one", 0, "shop"));
        until("a batch to be taken", || {
            let status = hub.post(&bytes).status;
            assert!([204, 503].contains(&status), "{status}");
            (status == 204).then_some(())
        });
        let waiting = clients.iter_mut().map(waits);
        let waiting = waiting.filter(|waits| *waits).count();
        assert!(waiting > PLACES / 2, "{waiting} of {PLACES} had to end");
    }
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
