//! Names and lines of stripped and of deleted programs, from debuginfod servers that the tests start.

use super::server::{Answer, Server};
use crate::common::{compiled, has_tools, hone_with, record_stacks, run_in, stderr, stdout};
use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned heavy(unsigned x) {
    for (unsigned i = 0; i < 900; i++) x = (x ^ i) * 1664525u + 7;
    return x;
}
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), sum = argc;
    for (unsigned i = 0; i < n; i++) sum += heavy(sum);
    printf("%u\n", sum);
    return 0;
}
"#;

/// Settings of debuginfod's clients.
type Variables<'v> = &'v [(&'v str, &'v str)];

/// A recording of the stripped `p`, with `whole` and what was split off as `debug` beside it.
struct Recorded {
    directory: tempfile::TempDir,
    build_id: String,
}

impl Recorded {
    fn new() -> Option<Self> {
        if !has_tools(&["objcopy", "strip"]) {
            return None;
        }
        let directory = compiled(PROGRAM, &["-g", "-Wl,--build-id"]);
        let path = directory.path();
        fs::copy(path.join("p"), path.join("whole")).unwrap();
        run_in(path, "objcopy", &["--only-keep-debug", "p", "debug"]);
        run_in(path, "strip", &["p"]);
        record_stacks(path, "p.data", &["./p", "300000"]);
        let build_id = build_id(&path.join("p"));
        Some(Self {
            directory,
            build_id,
        })
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn bytes(&self, name: &str) -> Answer {
        Answer::Bytes(fs::read(self.path().join(name)).unwrap())
    }

    fn address_of(&self, artifact: &str) -> String {
        format!("/buildid/{}/{artifact}", self.build_id)
    }

    /// Runs `hone` with these servers and an empty cache, or the one that a run before left.
    fn hone(&self, words: &str, servers: &str, more: Variables<'_>) -> Output {
        let cache = self.path().join("cache");
        let own = [
            ("DEBUGINFOD_URLS", servers),
            ("DEBUGINFOD_CACHE_PATH", cache.to_str().unwrap()),
            ("NO_PROXY", "127.0.0.1"),
        ];
        let words: Vec<&str> = words.split(' ').collect();
        let output = hone_with(&words, self.path(), &[&own, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        output
    }

    /// The size of what the cache holds of `p`.
    fn cached(&self, artifact: &str) -> Option<u64> {
        let path = self.path().join("cache").join(&self.build_id);
        let metadata = path.join(artifact).metadata().ok();
        metadata.map(|metadata| metadata.len())
    }
}

fn build_id(path: &Path) -> String {
    let id = hone_symbols::build_id_of(File::open(path).unwrap()).unwrap();
    id.expect("a build id").to_string()
}

fn knows(output: &Output, function: &str) -> bool {
    stdout(output)
        .lines()
        .any(|line| line.split_whitespace().any(|word| word == function))
}

#[test]
fn a_stripped_program_gets_its_names_once() {
    let Some(recorded) = Recorded::new() else {
        return;
    };
    assert!(!knows(&recorded.hone("top p.data", "", &[]), "heavy"));

    let debug = recorded.address_of("debuginfo");
    let other = Server::of(&[]);
    let server = Server::of(&[(debug.clone(), recorded.bytes("debug"))]);
    let servers = format!("{} {}/", other.address, server.address);
    let first = recorded.hone("top p.data", &servers, &[]);
    assert!(knows(&first, "heavy"), "{}", stdout(&first));
    let said = stderr(&first);
    let fetched = "fetched the debug information of p (";
    assert_eq!(said.matches(fetched).count(), 1, "{said}");
    assert!(!said.contains("warning"), "{said}");
    assert!(other.asked().contains(&debug), "{:?}", other.asked());

    // What came lies in the cache, and that others were not there is known for a while.
    let asked = (other.asked(), server.asked());
    let second = recorded.hone("top --by line p.data", &servers, &[]);
    assert!(stdout(&second).contains("p.c:"), "{}", stdout(&second));
    assert!(!stderr(&second).contains("fetched"), "{}", stderr(&second));
    assert_eq!((other.asked(), server.asked()), asked);
}

#[test]
fn a_program_that_is_gone_is_fetched_too() {
    let Some(recorded) = Recorded::new() else {
        return;
    };
    let server = Server::of(&[
        (recorded.address_of("executable"), recorded.bytes("p")),
        (recorded.address_of("debuginfo"), recorded.bytes("debug")),
    ]);
    fs::remove_file(recorded.path().join("p")).unwrap();
    let top = recorded.hone("top p.data", &server.address, &[]);
    assert!(knows(&top, "heavy"), "{}{}", stdout(&top), stderr(&top));
    let said = stderr(&top);
    assert!(
        said.contains("fetched the program or library of p ("),
        "{said}"
    );
    let annotated = recorded.hone("annotate heavy p.data", &server.address, &[]);
    assert!(
        stdout(&annotated).contains("imul"),
        "{}",
        stdout(&annotated)
    );
}

#[test]
fn what_is_not_right_is_a_warning_and_never_kept() {
    let Some(recorded) = Recorded::new() else {
        return;
    };
    fs::write(recorded.path().join("q.c"), "int main(void) { return 3; }").unwrap();
    run_in(
        recorded.path(),
        "cc",
        &["-g", "-Wl,--build-id", "q.c", "-o", "q"],
    );
    let wrong = build_id(&recorded.path().join("q"));
    let larger = [("DEBUGINFOD_MAXSIZE", "1000")];
    let soon = [("DEBUGINFOD_TIMEOUT", "1")];
    let none: [(&str, &str); 0] = [];
    let cases: [(Answer, Variables<'_>, &str); 5] = [
        (recorded.bytes("q"), &none, &wrong),
        (Answer::Bytes(b"<html>".to_vec()), &none, "not an ELF file"),
        (recorded.bytes("debug"), &larger, "DEBUGINFOD_MAXSIZE"),
        (Answer::Nothing, &soon, "timeout"),
        (Answer::Said(500, "no"), &none, "status 500"),
    ];
    for (answer, variables, reason) in cases {
        let server = Server::of(&[(recorded.address_of("debuginfo"), answer)]);
        let top = recorded.hone("top p.data", &server.address, variables);
        let said = stderr(&top);
        assert!(
            said.contains("warning: the debug information of p is not fetched"),
            "{reason}: {said}"
        );
        assert!(said.contains(reason), "{reason}: {said}");
        assert!(!knows(&top, "heavy"), "{reason}: {}", stdout(&top));
        assert_eq!(recorded.cached("debuginfo"), None, "{reason}");
    }
    // No such server at all.
    let top = recorded.hone("top p.data", "http://127.0.0.1:1", &[]);
    let said = stderr(&top);
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    // Nor was it ever there.
    let server = Server::of(&[]);
    recorded.hone("top p.data", &server.address, &[]);
    assert_eq!(recorded.cached("debuginfo"), Some(0));
}
