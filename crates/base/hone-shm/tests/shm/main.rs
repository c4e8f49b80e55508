//! Connections between programs in Go, C++ and Rust: each language as client of each, in both directions.
//!
//! All programs send the same messages and check what comes back (see `examples/echo.rs`). Those of a language whose compiler is
//! missing here are skipped, visibly.

mod echo;
#[path = "../../examples/echo.rs"]
#[allow(dead_code, reason = "its own main function")]
mod example;
mod programs;

use echo::{Client, Server};
use programs::{Program, all};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;

/// Messages of a call: a few MB in all.
const MESSAGES: u32 = 60;
/// Messages of a call that ends only with its server.
const MORE_THAN_ANYBODY_SENDS: u32 = u32::MAX;
/// Connections of a client: one that is woken for itself, or some that are woken together.
const CONNECTIONS: [u32; 2] = [0, 5];

/// Runs for each program as server and each as client, with each number of connections.
fn each_pair(run: impl Fn(&Program, &Program, u32)) {
    for server in all() {
        for client in all() {
            for connections in CONNECTIONS {
                let (server_language, client_language) = (server.language, client.language);
                println!("{client_language} calls {server_language}, connections: {connections}");
                run(server, client, connections);
            }
        }
    }
}

/// Numbers of bytes that a program tells of its connections, sorted. Each must be told as what it was: package shm of Go always asks for
/// pairs, of which it tells nothing.
fn bytes_of(
    lines: impl IntoIterator<Item = String>,
    teller: &Program,
    client: &Program,
    connections: u32,
) -> Vec<u64> {
    let is_paired = connections > 0 || client.language == "Go";
    let kind = match teller.language {
        "Go" => "shared",
        _ if is_paired => "paired",
        _ => "shared",
    };
    let bytes = lines.into_iter().map(|line| {
        let bytes = line.strip_prefix(kind).map(|bytes| bytes.trim().parse());
        bytes
            .unwrap_or_else(|| panic!("`{line}` where `{kind}` was expected"))
            .unwrap()
    });
    let mut bytes: Vec<u64> = bytes.collect();
    bytes.sort_unstable();
    bytes
}

#[test]
fn each_language_calls_each_through_memory() {
    each_pair(|serving, calling, connections| {
        let mut server = Server::start(serving);
        let mut client = Client::start(calling, &server.path(), MESSAGES, connections);
        let count = connections.max(1);
        // That the first message is back may be told behind connections that were faster.
        let said = (0..=count).map(|_| client.line());
        let told: Vec<String> = said.filter(|line| line != "ready").collect();
        let received = bytes_of(told, calling, calling, connections);
        assert_eq!(received.len(), count as usize);
        assert!(client.ends_well());
        let told = (0..count).map(|_| server.line());
        assert_eq!(bytes_of(told, serving, calling, connections), received);
        server.end();
    });
}

#[test]
fn a_client_whose_server_is_killed_ends() {
    each_pair(|server, client, connections| {
        let mut server = Server::start(server);
        let path = server.path();
        let mut client = Client::start(client, &path, MORE_THAN_ANYBODY_SENDS, connections);
        assert_eq!(client.line(), "ready");
        server.kill();
        assert!(!client.ends_well());
    });
}

#[test]
fn a_server_whose_client_is_killed_goes_on_to_serve() {
    each_pair(|serving, calling, connections| {
        let mut server = Server::start(serving);
        let path = server.path();
        let mut killed = Client::start(calling, &path, MORE_THAN_ANYBODY_SENDS, connections);
        assert_eq!(killed.line(), "ready");
        killed.kill();
        let told = (0..connections.max(1)).map(|_| server.line());
        bytes_of(told, serving, calling, connections);
        let mut client = Client::start(calling, &path, 1, connections);
        let said = (0..=connections.max(1)).map(|_| client.line());
        let told: Vec<String> = said.filter(|line| line != "ready").collect();
        let received = bytes_of(told, calling, calling, connections);
        let told = (0..connections.max(1)).map(|_| server.line());
        assert_eq!(bytes_of(told, serving, calling, connections), received);
        server.end();
    });
}

#[test]
fn clients_that_do_not_ask_are_served() {
    for program in all() {
        println!("a client that does not ask calls {}", program.language);
        let mut server = Server::start(program);
        let mut client = UnixStream::connect(server.path()).unwrap();
        client.write_all(b"HEAD / HTTP/1.1").unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
        let mut back = String::new();
        client.read_to_string(&mut back).unwrap();
        assert_eq!(back, "HEAD / HTTP/1.1");
        assert_eq!(server.line(), "ordinary 15");
        server.end();
    }
}

#[test]
fn servers_that_do_not_know_shared_memory_are_called() {
    for program in all() {
        println!(
            "{} calls a server that does not know shared memory",
            program.language
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let serving = thread::spawn(move || {
            // It does not understand what the first connection asks.
            drop(listener.accept().unwrap());
            let (mut back, _) = listener.accept().unwrap();
            let mut from = back.try_clone().unwrap();
            std::io::copy(&mut from, &mut back).unwrap()
        });
        let mut client = Client::start(program, &path, MESSAGES, 0);
        assert_eq!(client.line(), "ready");
        let told = client.line();
        assert!(client.ends_well());
        assert_eq!(told, format!("ordinary {}", serving.join().unwrap()));
    }
}
