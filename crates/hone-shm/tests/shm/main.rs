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

/// Runs for each program as server and each as client.
fn each_pair(run: impl Fn(&Program, &Program)) {
    for server in all() {
        for client in all() {
            println!("{} calls {}", client.language, server.language);
            run(server, client);
        }
    }
}

#[test]
fn each_language_calls_each_through_memory() {
    each_pair(|server, client| {
        let mut server = Server::start(server);
        let mut client = Client::start(client, &server.path(), MESSAGES);
        assert_eq!(client.line(), "ready");
        let told = client.line();
        assert!(told.starts_with("shared "), "{told}");
        assert!(client.ends_well());
        assert_eq!(server.line(), told);
        server.end();
    });
}

#[test]
fn a_client_whose_server_is_killed_ends() {
    each_pair(|server, client| {
        let mut server = Server::start(server);
        let mut client = Client::start(client, &server.path(), MORE_THAN_ANYBODY_SENDS);
        assert_eq!(client.line(), "ready");
        server.kill();
        assert!(!client.ends_well());
    });
}

#[test]
fn a_server_whose_client_is_killed_goes_on_to_serve() {
    each_pair(|server, client| {
        let mut server = Server::start(server);
        let mut killed = Client::start(client, &server.path(), MORE_THAN_ANYBODY_SENDS);
        assert_eq!(killed.line(), "ready");
        killed.kill();
        assert!(server.line().starts_with("shared "));
        let mut client = Client::start(client, &server.path(), 1);
        assert_eq!(client.line(), "ready");
        assert_eq!(server.line(), client.line());
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
        let mut client = Client::start(program, &path, MESSAGES);
        assert_eq!(client.line(), "ready");
        let told = client.line();
        assert!(client.ends_well());
        assert_eq!(told, format!("ordinary {}", serving.join().unwrap()));
    }
}
