//! What the clients in Go and C++ promise of themselves: no data races, no allocation for a sample, no broken memory, and that they
//! compile without a warning.

use crate::agent::Agent;
use crate::driver::{Driver, Start};
use crate::tools::{self, cpp, go_in, repository, run};
use std::path::PathBuf;

#[test]
fn go_vets_its_client_and_tests_it() {
    let Some(go) = tools::go() else {
        return;
    };
    let module = repository().join("clients/go");
    run(go_in(go, &module).args(["vet", "./..."]));
    run(go_in(go, &module).args(["test", "-count=1", "./..."]));
    if let Some(race) = tools::race_detector() {
        run(go_in(go, &module).args(["test", "-count=1", race, "./..."]));
    }
}

#[test]
fn files_in_go_are_formatted() {
    let Some(go) = tools::go() else {
        return;
    };
    let gofmt = PathBuf::from(go).with_file_name("gofmt");
    let listed = run(std::process::Command::new(gofmt)
        .arg("-l")
        .arg(repository().join("clients/go")));
    assert_eq!(
        String::from_utf8_lossy(&listed.stdout),
        "",
        "run gofmt -w clients/go"
    );
}

#[test]
fn files_in_cpp_are_formatted() {
    let Some(format) = tools::clang_format() else {
        return;
    };
    let mut command = std::process::Command::new(format);
    command.args(["--dry-run", "--Werror"]).args(files_in_cpp());
    run(&mut command);
}

fn files_in_cpp() -> Vec<PathBuf> {
    let include = repository().join("clients/cpp/include/hone");
    let mut files = vec![
        include.join("agent.hpp"),
        repository().join("clients/cpp/tests/driver.cpp"),
    ];
    for entry in std::fs::read_dir(include.join("agent")).unwrap() {
        files.push(entry.unwrap().path());
    }
    assert!(files.len() > 5);
    files
}

#[test]
fn the_client_in_cpp_needs_no_exceptions() {
    let source = tools::built().join("no-exceptions.cpp");
    std::fs::write(&source, "#include \"hone/agent.hpp\"\nint main() { hone::agent::Client client; client.counter(\"c\").add(1); }\n").unwrap();
    for compiler in [tools::clang(), tools::gcc()].into_iter().flatten() {
        let program = tools::built().join("no-exceptions");
        let mut command = cpp(compiler);
        command
            .args(["-fno-exceptions", "-fno-rtti"])
            .arg(&source)
            .arg("-o")
            .arg(program);
        run(&mut command);
    }
}

#[test]
fn the_client_in_cpp_has_no_data_race() {
    let Some(compiler) = tools::clang() else {
        return;
    };
    let program = tools::cpp_driver_by(
        compiler,
        "driver-cpp-thread",
        &["-fsanitize=thread", "-DHONE_KEEP_NEW"],
    );
    let mut driver = Driver::process(&program);
    let directory = tempfile::tempdir().unwrap();
    let agent = Agent::start(directory.path());
    let start = Start {
        queue_packets: 4,
        ..Start::default()
    };
    driver.start(
        &format!("unixgram:{}", directory.path().join("agent.sock").display()),
        start,
    );
    for _ in 0..5 {
        assert_eq!(driver.told("load 4 500 crgthds"), "ok");
        driver.counts("flush");
    }
    driver.counts("close");
    driver.ends_well();
    agent.end();
}

#[test]
fn samples_in_cpp_allocate_nothing() {
    for compiler in [tools::clang(), tools::gcc()].into_iter().flatten() {
        let name = format!("driver-{compiler}-plain");
        let mut driver = Driver::process(&tools::cpp_driver_by(compiler, &name, &["-O2"]));
        let start = Start {
            queue_packets: 2,
            shards: 1,
            flush_ms: 3_600_000,
            ..Start::default()
        };
        driver.start("unixgram:/nobody/is/here", start);
        assert_eq!(driver.told("allocations"), "0", "{compiler}");
        assert_eq!(driver.counts("close").dropped[0], 0);
    }
}

#[test]
fn a_process_that_is_forked_off_sends_nothing_twice() {
    let Some(program) = tools::cpp_driver() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let agent = Agent::start(directory.path());
    let mut driver = Driver::process(program);
    let start = Start {
        flush_ms: 3_600_000,
        ..Start::default()
    };
    driver.start(
        &format!("unixgram:{}", directory.path().join("agent.sock").display()),
        start,
    );
    assert_eq!(driver.told("load 2 100 c"), "ok");
    // Both samples of the child are dropped as closed, and it ends.
    assert_eq!(driver.told("fork"), "2");
    assert_eq!(driver.counts("close").sent, 200);
    driver.ends_well();
    assert_eq!(agent.end().sum("load.c", &["k=v"]), 200.0);
}
