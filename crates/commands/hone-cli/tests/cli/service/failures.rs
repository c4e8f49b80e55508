//! Servers and loads that misbehave under `hone optimize`: each is named, and nothing is left running.

use crate::common::{has_tools, interrupt, processes_in, stderr};
use crate::service::project::{H2LOAD, H2LOAD_SAYS, Service, notes};
use std::net::TcpListener;

use testkit::until_true;

fn plain(start: &str, server: &str, load: &str, measure: &str) -> Service {
    Service::new("", start, server, load, measure)
}

/// Runs it; it must fail, say all of these words and leave nothing.
fn refused(service: &Service, words: &[&str]) {
    let output = service.optimize();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in words {
        assert!(said.contains(word), "no {word:?} in: {said}");
    }
    assert_eq!(service.left(), [0_i32; 0], "{said}");
}

/// A project whose check needs no server, so that the measuring is what fails.
fn unchecked(service: Service) -> Service {
    let toml = std::fs::read_to_string(service.path("hone.toml")).unwrap();
    let toml = toml.replace("{binary} check {port}", "true");
    std::fs::write(service.path("hone.toml"), toml).unwrap();
    service
}

#[test]
fn a_server_that_does_not_come_up_is_quoted() {
    let service = plain("{binary} {port} exit", "", "true", "requests_total = 1");
    // The check is the first that needs it.
    refused(
        &service,
        &[
            "check",
            "ended before it was ready with exit status 3",
            "cannot read my settings",
        ],
    );
    refused(
        &unchecked(service),
        &["a first start and stop of the server", "cannot read my"],
    );
}

#[test]
#[ignore = "waits on a clock"]
fn a_server_that_is_never_ready_is_ended() {
    let server = "ready = \"echo not yet; false\"\nready_seconds = 0.5";
    let service = plain("{binary} {port}", server, "true", "requests_total = 1");
    refused(&service, &["was not ready within 0.5 s", "not yet"]);
    let hangs = "ready = \"sleep 600\"\nready_seconds = 0.5";
    let service = plain("{binary} {port}", hangs, "true", "requests_total = 1");
    refused(&service, &["was not ready within 0.5 s"]);
}

#[test]
fn a_server_that_dies_under_load_takes_the_load_with_it() {
    if !has_tools(&["h2load"]) {
        return;
    }
    // The load would never end by itself.
    let load = format!("{H2LOAD}; sleep 600");
    let service = plain("{binary} {port} crash=100", "", &load, H2LOAD_SAYS);
    refused(&service, &["the server ended under load by signal 6"]);
}

#[test]
#[ignore = "waits on a clock"]
fn a_load_that_never_ends_is_ended_with_its_server() {
    let load = "echo waiting; sleep 600";
    let says = "requests_total = 1\nlimit_seconds = 2";
    let service = plain("{binary} {port} fork", "", load, says);
    refused(
        &service,
        &[
            "workload measure",
            "still running after 2 s",
            "waiting",
            "limit_seconds",
        ],
    );
}

#[test]
fn a_failing_load_is_not_taken_for_speed() {
    let of = |load: &str, says: &str| plain("{binary} {port}", "", load, says);
    refused(
        &of("echo no route; exit 7", "requests_total = 1"),
        &["its load generator ended with exit status 7", "no route"],
    );
    let done = "requests = '(\\d+) done'\nfailed = '(\\d+) failed'";
    refused(&of("echo 0 done, 0 failed", done), &["did no request"]);
    refused(
        &of("echo 9 done, 3 failed", done),
        &["3 requests failed", "not taken for speed"],
    );
    refused(&of("echo nothing", done), &["finds no number"]);
}

#[test]
fn a_port_that_stays_taken_is_named_by_the_server() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let start = format!("{{binary}} {port}");
    let server = "ready = \"false\"";
    let service = plain(&start, server, "true", "requests_total = 1");
    refused(&service, &["exit status 4", "Address already in use"]);
}

#[test]
#[ignore = "builds whole modules"]
fn a_server_that_leaves_processes_or_is_open_to_the_network_is_told_of() {
    if !has_tools(&["h2load"]) {
        return;
    }
    let service = plain("{binary} {port} leave,open", "", H2LOAD, H2LOAD_SAYS);
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let notes = notes(&service.report());
    for said in [
        "left processes running, which were ended: server.",
        "The server listens beyond loopback",
    ] {
        assert!(notes.contains(said), "{notes}");
    }
    assert_eq!(service.left(), [0_i32; 0]);
}

#[test]
fn a_server_that_leaves_processes_is_told_at_its_first_stop() {
    let service = plain("{binary} {port} leave", "", "true", "requests_total = 1");
    let said = stderr(&service.optimize());
    let told = said.find("left processes running, which were ended: server.");
    // The load does nothing, which the first run that is measured shows.
    let measured = said.find("less than 0.2 s");
    assert!(told.is_some() && told < measured, "{said}");
    assert_eq!(service.left(), [0_i32; 0], "{said}");
}

/// Waits until the server, its load and the helpers are at work.
fn at_work(service: &Service) {
    until_true("the load", || service.path("loading").exists());
    assert!(!processes_in(&service.path("")).is_empty());
}

fn that_waits() -> Service {
    let service = plain("{binary} {port} fork", "", "LOAD", "requests_total = 1");
    let load = format!("touch {}; sleep 600", service.path("loading").display());
    let toml = std::fs::read_to_string(service.path("hone.toml")).unwrap();
    std::fs::write(service.path("hone.toml"), toml.replace("LOAD", &load)).unwrap();
    service
}

#[test]
fn ctrl_c_ends_server_and_load() {
    let service = that_waits();
    let mut child = service.start();
    at_work(&service);
    interrupt(&child);
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert_eq!(service.left(), [0_i32; 0]);
}

#[test]
fn a_killed_hone_leaves_no_server() {
    let service = that_waits();
    let mut child = service.start();
    at_work(&service);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(service.left(), [0_i32; 0]);
}

#[test]
fn a_server_that_its_stop_signal_ends_is_told_before_anything_is_measured() {
    if !has_tools(&["clang-19", "llvm-profdata-19"]) {
        return;
    }
    let of = |stop: &str| {
        let service = Service::new(
            "\"pgo\"",
            "{binary} {port}",
            stop,
            "true",
            "requests_total = 1",
        );
        let said = stderr(&service.optimize());
        assert_eq!(service.left(), [0_i32; 0], "{said}");
        said
    };
    let said = of("stop_signal = \"HUP\"");
    let told = said.find("ended by signal 1 instead").expect(&said);
    // The load does nothing, which the first run that is measured shows.
    let measured = said.find("less than 0.2 s").expect(&said);
    assert!(told < measured, "{said}");
    let said = of("stop_command = \"kill -TERM {pid}\"");
    let is_stopped = !said.contains("ended by signal") && !said.contains("did not end");
    assert!(said.contains("less than 0.2 s") && is_stopped, "{said}");
}

#[test]
fn a_server_has_a_second_port_by_name() {
    let start = "echo {port} {port:admin} > {scratch}/ports; exec {binary} {port}";
    let differ = "read one two < {scratch}/ports; test $one -ne $two && test $two -gt 1024";
    let server = format!("ports = [\"admin\"]\nready = \"{differ}\"");
    let service = unchecked(plain(start, &server, "true", "requests_total = 1"));
    refused(&service, &["less than 0.2 s"]);
}
