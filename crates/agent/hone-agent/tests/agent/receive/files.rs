//! Where a listener may be, and where not.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;

use hone_agent::receive::{Address, Listen, Passed, Protocol, open};

use super::support::*;

/// Both kinds of Unix sockets at one path.
fn both(directory: &Path) -> [Listen; 2] {
    [
        Listen::new(
            "metrics",
            Address::UnixDatagram(file(directory)),
            Protocol::Statsd,
        ),
        Listen::new(
            "metrics",
            Address::UnixStream(file(directory)),
            Protocol::Statsd,
        ),
    ]
}

#[track_caller]
fn refusal(listen: &Listen) -> String {
    let refused = open(std::slice::from_ref(listen), &mut Passed::none());
    refused.unwrap_err().to_string()
}

#[test]
fn a_socket_that_nobody_listens_to_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    for listen in both(directory.path()) {
        drop(UnixDatagram::bind(&path).unwrap());
        assert!(path.exists());
        drop(opened(listen.clone()));
        assert!(!path.exists(), "it is removed at the end");
        drop(UnixListener::bind(&path).unwrap());
        drop(opened(listen));
    }
}

#[test]
fn a_socket_that_somebody_listens_to_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    for listen in both(directory.path()) {
        let other = UnixDatagram::bind(&path).unwrap();
        let error = refusal(&listen);
        assert!(error.contains("another process already listens"), "{error}");
        assert!(error.contains(&path.display().to_string()), "{error}");
        let client = UnixDatagram::unbound().unwrap();
        client.send_to(b"x", &path).unwrap();
        assert_eq!(other.recv(&mut [0; 8]).unwrap(), 1);
        fs::remove_file(&path).unwrap();
        let _other = UnixListener::bind(&path).unwrap();
        let error = refusal(&listen);
        assert!(error.contains("another process already listens"), "{error}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_file_that_is_no_socket_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    fs::write(&path, "precious").unwrap();
    for listen in both(directory.path()) {
        let error = refusal(&listen);
        assert!(error.contains("is there and is not a socket"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"precious");
    }
}

#[test]
fn the_end_leaves_a_socket_of_somebody_else_alone() {
    let directory = tempfile::tempdir().unwrap();
    let [listen, _] = both(directory.path());
    let path = directory.path().join("socket");
    let ours = opened(listen);
    let kept = directory.path().join("kept");
    fs::rename(&path, kept).unwrap();
    let _theirs = UnixDatagram::bind(&path).unwrap();
    drop(ours);
    assert!(path.exists());
}

#[test]
fn a_socket_has_the_mode_and_the_owner_that_were_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    for mut listen in both(directory.path()) {
        let (Address::UnixDatagram(file) | Address::UnixStream(file)) = &mut listen.address else {
            panic!("a Unix socket");
        };
        // Everybody may give a file to himself and to his own group.
        file.mode = 0o666;
        file.owner = Some(rustix::process::getuid().as_raw());
        file.group = Some(rustix::process::getgid().as_raw());
        let (owner, group) = (file.owner, file.group);
        let opened = opened(listen);
        let facts = fs::metadata(&path).unwrap();
        assert!(facts.file_type().is_socket());
        assert_eq!(facts.permissions().mode() & 0o7777, 0o666);
        assert_eq!((Some(facts.uid()), Some(facts.gid())), (owner, group));
        drop(opened);
    }
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let mut listen = Listen::new("udp", Address::Udp(address), Protocol::Statsd);
    for shards in [1, 2] {
        listen.shards = shards;
        let error = refusal(&listen);
        assert!(error.contains("another process already listens"), "{error}");
        assert!(error.contains(&address.to_string()), "{error}");
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let error = refusal(&Listen::new("tcp", Address::Tcp(address), Protocol::Statsd));
    assert!(error.contains("another process already listens"), "{error}");
}

#[test]
fn two_agents_with_several_sockets_do_not_share_a_port_unnoticed() {
    let mut listen = Listen::new("udp", udp(), Protocol::Statsd);
    listen.shards = 2;
    let first = opened(listen.clone());
    listen.address = Address::Udp(first.local_address().unwrap());
    let error = refusal(&listen);
    assert!(error.contains("another process already listens"), "{error}");
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let [datagram, stream] = both(directory.path());
    let mut sharded = datagram.clone();
    sharded.shards = 2;
    let mut none = Listen::new("udp", udp(), Protocol::Statsd);
    none.shards = 0;
    let mut empty = datagram.clone();
    empty.packet_bytes_max = 0;
    let mut relay = datagram.clone();
    relay.protocol = Protocol::Relay;
    let mut long = datagram;
    long.packet_bytes_max = 65_536;
    let mut lonely = stream;
    lonely.stream.connections_max = 0;
    for listen in [sharded, none, empty, relay, long, lonely] {
        let error = refusal(&listen);
        assert!(
            error.starts_with(&format!("listener {}: ", listen.name)),
            "{error}"
        );
        assert!(!directory.path().join("socket").exists());
    }
}

#[test]
fn a_listener_changes_without_another_socket() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    for listen in both(directory.path()) {
        let mut opened = opened(listen.clone());
        let before = fs::metadata(&path).unwrap().ino();
        let mut other = listen.clone();
        other.name = "other".into();
        other.packet_bytes_max = 100;
        other.receive_buffer_bytes = Some(16 * 1024);
        other.address = match other.address {
            Address::UnixDatagram(mut file) => {
                file.mode = 0o640;
                Address::UnixDatagram(file)
            }
            Address::UnixStream(mut file) => {
                file.mode = 0o640;
                Address::UnixStream(file)
            }
            _ => unreachable!("both are Unix sockets"),
        };
        opened.change(other).unwrap();
        let facts = fs::metadata(&path).unwrap();
        assert_eq!((facts.ino(), facts.mode() & 0o777), (before, 0o640));
        assert_eq!(opened.receive_buffer_bytes(), [16 * 1024]);
        assert_eq!(opened.listen().packet_bytes_max, 100);
        assert_eq!(opened.listen().name, "metrics");
        let mut wrong = listen;
        wrong.packet_bytes_max = 0;
        assert!(opened.change(wrong).is_err());
        assert_eq!(opened.listen().packet_bytes_max, 100);
    }
}
