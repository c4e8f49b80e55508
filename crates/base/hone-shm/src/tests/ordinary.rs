//! Connections where one side does not ask for memory, does not give it, or does not know it.

use super::{connected, kind, patient, small};
use crate::hello::{HELLO_BYTES, KNOWS_NO_PAIRS, UNMAPPED, hello, send_hello};
use crate::socket::{receive, transmit};
use crate::{Options, Readiness, SMALLEST_RING, Server, connect};
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// All that comes until the end.
fn rest(connection: &mut crate::Connection) -> Vec<u8> {
    let mut all = Vec::new();
    let mut into = [0; 5];
    loop {
        match connection.read_waiting(&mut into).unwrap() {
            0 => return all,
            count => all.extend(&into[..count]),
        }
    }
}

#[test]
fn clients_that_do_not_ask_are_served() {
    for text in ["", "x", "HONE", "HONESHM2 and more", "HEAD / HTTP/1.1\r\n"] {
        let (mut client, theirs) = UnixStream::pair().unwrap();
        let mut connection = Server::default().answer(theirs);
        client.write_all(text.as_bytes()).unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        assert_eq!(rest(&mut connection), text.as_bytes());
        assert!(!connection.is_shared());
        assert_eq!(connection.write(b"answer").unwrap(), 6);
    }
}

#[test]
fn a_server_that_sends_before_it_has_heard_anything_has_an_ordinary_connection() {
    let (mut client, theirs) = UnixStream::pair().unwrap();
    let mut connection = Server::default().answer(theirs);
    assert_eq!(connection.write(b"welcome").unwrap(), 7);
    client.write_all(b"HONESHM1HONESHM1").unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(&mut connection), b"HONESHM1HONESHM1");
    assert!(!connection.is_shared());
}

#[test]
fn a_server_sends_nothing_between_its_offer_and_the_clients_word() {
    let server = small();
    let (mut client, theirs) = UnixStream::pair().unwrap();
    let mut connection = server.answer(theirs);
    assert!(!connection.is_settled());
    client.write_all(&hello(KNOWS_NO_PAIRS)).unwrap();
    assert_eq!(kind(connection.write(b"text")), Some(ErrorKind::WouldBlock));
    assert_eq!(connection.write_descriptor().1, Readiness::Readable);
    client.write_all(&[UNMAPPED]).unwrap();
    connection.wait_for_room().unwrap();
    assert_eq!(connection.write(b"text").unwrap(), 4);
    assert!(connection.is_settled() && !connection.is_shared());
}

#[test]
fn a_connection_is_ordinary_where_there_is_no_memory_for_it() {
    let nobody = || Options {
        allow: Arc::new(|_| false),
        ..patient()
    };
    let tiny = Options {
        ring_bytes: 1,
        ..Options::default()
    };
    for (server, client) in [
        (Server::new(nobody(), 8), patient()),
        (small(), nobody()),
        (Server::new(Options::default(), 0), patient()),
        (Server::new(tiny, 8), patient()),
    ] {
        let (mut client, mut answering) = connected(&server, &client);
        assert!(!client.is_shared() && !answering.is_shared());
        assert_eq!(kind(client.room()), Some(ErrorKind::Unsupported));
        assert_eq!(kind(answering.unread()), Some(ErrorKind::Unsupported));
        answering.write_waiting(b"text").unwrap();
        answering.close_write();
        assert_eq!(rest(&mut client), b"text");
        assert_eq!(server.open_segments(), 0);
    }
}

#[test]
fn a_client_connects_to_servers_that_do_not_know_shared_memory() {
    for answer in ["", "HON", "what is that?"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let client = thread::spawn(move || {
            let mut connection = connect(&path, &patient()).unwrap();
            assert!(!connection.is_shared());
            rest(&mut connection)
        });
        let (mut first, _) = listener.accept().unwrap();
        first.write_all(answer.as_bytes()).unwrap();
        first.shutdown(Shutdown::Write).unwrap();
        first.read_to_end(&mut Vec::new()).unwrap();
        drop(first);
        let (mut second, _) = listener.accept().unwrap();
        second.write_all(b"welcome").unwrap();
        drop(second);
        assert_eq!(client.join().unwrap(), b"welcome");
    }
}

#[test]
fn files_that_are_none_of_a_segment_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let client = thread::spawn(move || connect(&path, &patient()).unwrap());
    let (mut accepted, _) = listener.accept().unwrap();
    accepted.read_exact(&mut [0; HELLO_BYTES]).unwrap();
    let files = [accepted.as_fd(), accepted.as_fd()];
    send_hello(accepted.as_fd(), hello(SMALLEST_RING as u64), &files).unwrap();
    let mut client = client.join().unwrap();
    let mut word = [7];
    assert_eq!(receive(accepted.as_fd(), &mut word), Ok(1));
    assert_eq!(word, [UNMAPPED]);
    assert!(!client.is_shared());
    transmit(accepted.as_fd(), b"text").unwrap();
    assert_eq!(client.read(&mut [0; 8]).unwrap(), 4);
}

#[test]
fn a_client_connects_anew_to_servers_that_answer_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let _listener = UnixListener::bind(&path).unwrap();
    let options = Options {
        patience: Duration::from_millis(1),
        ..Options::default()
    };
    assert!(!connect(&path, &options).unwrap().is_shared());
}
