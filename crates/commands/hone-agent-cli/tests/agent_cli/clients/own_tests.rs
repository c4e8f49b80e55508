//! What the clients in Go and C++ promise of themselves: no data races, no allocation for a sample, no broken memory, and that they
//! compile without a warning.

use std::fs;
use std::path::{Path, PathBuf};

use super::agent::Agent;
use super::driver::{Driver, Start};
use super::tools::{self, cpp, go_in, repository, run};

#[test]
fn the_client_in_go_passes_its_tests() {
    let Some(go) = testkit::go() else {
        return;
    };
    let module = repository().join("clients/go");
    run(go_in(&go, &module).args(["test", "-count=1", "./..."]));
}

#[test]
#[ignore = "builds whole modules"]
fn go_vets_its_client_and_finds_no_race() {
    let Some(go) = testkit::go() else {
        return;
    };
    let module = repository().join("clients/go");
    run(go_in(&go, &module).args(["vet", "./..."]));
    let Some(race) = tools::race_detector() else {
        return;
    };
    run(go_in(&go, &module).args(["test", "-count=1", race, "./..."]));
    if let Some(driver) = tools::go_driver(&[race]) {
        loads_an_agent_and_ends_well(&driver);
    }
}

#[test]
fn files_in_go_are_formatted() {
    let Some(go) = testkit::go() else {
        return;
    };
    let gofmt = go.with_file_name("gofmt");
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
    for entry in fs::read_dir(include.join("agent")).unwrap() {
        files.push(entry.unwrap().path());
    }
    assert!(files.len() > 5);
    files
}

#[test]
fn the_client_in_cpp_needs_no_exceptions() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("no-exceptions.cpp");
    fs::write(&source, "#include \"hone/agent.hpp\"\nint main() { hone::agent::Client client; client.counter(\"c\").add(1); }\n").unwrap();
    for compiler in [tools::clang(), tools::gcc()].into_iter().flatten() {
        let mut command = cpp(compiler);
        run(command
            .args(["-fno-exceptions", "-fno-rtti", "-fsyntax-only"])
            .arg(&source));
    }
}

/// Gives samples of all types from several threads, while the queue is small.
fn loads_an_agent_and_ends_well(driver: &Path) {
    let mut driver = Driver::process(driver);
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
#[ignore = "further end to end"]
fn the_client_in_cpp_has_no_data_race() {
    let Some(compiler) = tools::clang() else {
        return;
    };
    let options = ["-fsanitize=thread", "-DHONE_KEEP_NEW"];
    loads_an_agent_and_ends_well(&tools::cpp_driver_by(compiler, &options));
}

/// Asks a driver how often it allocates memory for samples.
fn allocates_nothing(driver: &Path) {
    let start = Start {
        queue_packets: 2,
        shards: 1,
        flush_ms: 3_600_000,
        ..Start::default()
    };
    let mut asked = Driver::process(driver);
    asked.start("unixgram:/nobody/is/here", start);
    assert_eq!(asked.told("allocations"), "0", "{}", driver.display());
    assert_eq!(asked.counts("close").dropped[0], 0);
}

#[test]
fn samples_in_cpp_allocate_nothing() {
    if let Some(driver) = tools::cpp_driver() {
        allocates_nothing(&driver);
    }
}

#[test]
#[ignore = "further end to end"]
fn samples_in_cpp_allocate_nothing_by_any_compiler() {
    for compiler in [tools::clang(), tools::gcc()].into_iter().flatten() {
        allocates_nothing(&tools::cpp_driver_by(compiler, &["-O2"]));
    }
}

#[test]
fn a_process_that_is_forked_off_sends_nothing_twice() {
    let Some(program) = tools::cpp_driver() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let agent = Agent::start(directory.path());
    let mut driver = Driver::process(&program);
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
