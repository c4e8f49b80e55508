//! Sockets that a service manager passes.

use std::env;
use std::net::UdpSocket;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::{Command, Stdio};

use hone_agent::receive::{Address, Listen, Passed, Protocol, ReceiveError, Receiver, Work, open};

use super::support::*;

/// Tells the process that the test below starts that it is that one.
const IS_CHILD: &str = "HONE_TEST_PASSED_SOCKET";

#[test]
fn sockets_of_the_service_manager_are_taken_and_stay_with_it() {
    if env::var_os(IS_CHILD).is_some() {
        return receive_what_was_passed();
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let socket = UnixDatagram::bind(&path).unwrap();
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    for start in 0..2 {
        client.send(&line(start)).unwrap();
        client.send(&line(start)).unwrap();
        let passed = OwnedFd::from(socket.try_clone().unwrap());
        // The shell gives the process its number and the socket its place.
        let script = r#"exec 3<&0 0</dev/null; export LISTEN_PID=$$; exec "$0" "$@""#;
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(env::current_exe().unwrap())
            .args(["--exact", "--nocapture"])
            .arg("receive::activation::sockets_of_the_service_manager_are_taken_and_stay_with_it")
            .env(IS_CHILD, &path)
            .env("LISTEN_FDS", "1")
            .env("LISTEN_FDNAMES", "metrics")
            .stdin(Stdio::from(passed))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{said}");
        assert!(said.contains("2 samples of passed sockets"), "{said}");
        assert!(path.exists(), "the file is the manager's");
    }
}

/// What the process does that got a socket.
fn receive_what_was_passed() {
    let mut passed = Passed::from_environment().unwrap();
    assert_eq!(passed.left().collect::<Vec<_>>(), ["metrics"]);
    let file = file(std::path::Path::new("/nowhere"));
    let listen = Listen::new("metrics", Address::UnixDatagram(file), Protocol::Statsd);
    let opened = open(&[listen], &mut passed).unwrap();
    assert_eq!(passed.left().count(), 0);
    assert_eq!(Passed::from_environment().unwrap().left().count(), 0);
    let notes = Notes::default();
    let receiver = Receiver::start(opened, Work::default(), |_| notes.clone()).unwrap();
    receiver.stop();
    println!("{} samples of passed sockets", notes.samples());
}

#[test]
fn passed_sockets_that_do_not_wait_and_streams_are_served() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("stream");
    let udp_socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp_socket.set_nonblocking(true).unwrap();
    let address = udp_socket.local_addr().unwrap();
    let stream = UnixListener::bind(&path).unwrap();
    let mut passed = Passed::named(vec![
        ("a".to_owned(), udp_socket.into()),
        ("b".to_owned(), stream.into()),
        ("c".to_owned(), UnixDatagram::unbound().unwrap().into()),
    ]);
    let listens = [
        Listen::new(
            "b",
            Address::UnixStream(file(directory.path())),
            Protocol::Statsd,
        ),
        Listen::new("a", udp(), Protocol::Statsd),
    ];
    let opened = open(&listens, &mut passed).unwrap();
    assert_eq!(passed.left().collect::<Vec<_>>(), ["c"]);
    let notes = Notes::default();
    let receiver = Receiver::start(opened, Work::default(), |_| notes.clone()).unwrap();
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(&line(1), address).unwrap();
    let mut connection = UnixStream::connect(&path).unwrap();
    std::io::Write::write_all(&mut connection, &framed(&line(2))).unwrap();
    until_true("both are handled", || notes.samples() == 2);
    receiver.stop();
    assert!(path.exists(), "the file is the manager's");
}

#[test]
fn a_passed_socket_of_another_kind_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let datagram = || OwnedFd::from(UnixDatagram::unbound().unwrap());
    let listens = [
        Listen::new(
            "a",
            Address::UnixStream(file(directory.path())),
            Protocol::Statsd,
        ),
        Listen::new("a", udp(), Protocol::Statsd),
        Listen::new("a", tcp(), Protocol::Statsd),
    ];
    for listen in listens {
        let mut passed = Passed::named(vec![("a".to_owned(), datagram())]);
        let refused = open(&[listen], &mut passed).unwrap_err();
        assert!(matches!(refused, ReceiveError::Passed { .. }), "{refused}");
    }
}
