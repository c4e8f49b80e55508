//! Both sides of connections in this process, and sides that break the rules.

mod breaker;
mod connection;
mod corrupt;
mod ordinary;
mod pair;
mod segment;

use crate::{Connection, Options, SMALLEST_RING, Server, connect};
use std::io::ErrorKind;
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::Duration;

/// A server with the smallest rings.
fn small() -> Server {
    let options = Options {
        ring_bytes: SMALLEST_RING,
        ..Options::default()
    };
    Server::new(options, 8)
}

/// Options of clients on a machine that does much else.
fn patient() -> Options {
    Options {
        patience: Duration::from_secs(300),
        ..Options::default()
    }
}

/// Both sides, client first, of a connection that has begun: the client's first byte is read.
fn connected(server: &Server, options: &Options) -> (Connection, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    thread::scope(|scope| {
        let client = scope.spawn(|| {
            let mut client = connect(&path, options).unwrap();
            client.write_waiting(b"x").unwrap();
            client
        });
        let mut answering = server.answer(listener.accept().unwrap().0);
        assert_eq!(answering.read_waiting(&mut [0]).unwrap(), 1);
        (client.join().unwrap(), answering)
    })
}

fn kind<T>(result: std::io::Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}
