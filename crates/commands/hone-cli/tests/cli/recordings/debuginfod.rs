//! Names of stripped and of deleted programs from a debuginfod server, as users name it. What servers answer, and what is kept, is
//! tested in hone-inputs.

use std::fs;
use std::path::Path;
use std::process::Output;

use testkit::recording::{Program, Recording};
use testkit::{Answer, Canned, recorded};

use crate::common::{hone_with, stderr, stdout};

/// Runs hone with this server, and a cache in the directory.
fn asked(words: &str, directory: &Path, server: &str, more: &[(&str, &str)]) -> Output {
    let cache = directory.join("cache");
    let own = [
        ("DEBUGINFOD_URLS", server),
        ("DEBUGINFOD_CACHE_PATH", cache.to_str().unwrap()),
        ("NO_PROXY", "127.0.0.1"),
    ];
    let words: Vec<&str> = words.split(' ').collect();
    let output = hone_with(&words, directory, &[&own, more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

#[test]
fn a_program_and_its_names_are_fetched_once() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::copy(recorded("programs/steps-stripped"), dir.join("p")).unwrap();
    let whole = Program::read(&recorded("programs/steps"));
    let mut made = Recording::elsewhere(&whole, &dir.join("p"), whole.build_id());
    let turn = made.at(whole.function("turn"));
    made.stack(10, &[turn]);
    made.write(&dir.join("p.data"));
    let bytes = |name: &str| Answer::Bytes(fs::read(recorded("programs").join(name)).unwrap());
    let of = |artifact: &str| format!("/buildid/abcdef01/{artifact}");
    let server = Canned::of(&[
        (of("debuginfo"), bytes("steps-debug")),
        (of("executable"), bytes("steps-stripped")),
    ]);
    assert!(!stdout(&asked("top p.data", dir, "", &[])).contains("turn"));
    // Too large a file is none.
    let limit = [("DEBUGINFOD_MAXSIZE", "1000")];
    let small = asked("top p.data", dir, &server.address, &limit);
    assert!(stderr(&small).contains("warning: the debug information of p is not fetched"));
    assert!(
        stderr(&small).contains("DEBUGINFOD_MAXSIZE allows"),
        "{}",
        stderr(&small)
    );

    let first = asked("top p.data", dir, &server.address, &[]);
    assert!(stdout(&first).contains("turn"), "{}", stdout(&first));
    let said = stderr(&first);
    assert!(
        said.contains("fetched the debug information of p ("),
        "{said}"
    );
    let second = asked("top --by line p.data", dir, &server.address, &[]);
    assert!(stdout(&second).contains("steps.c:"), "{}", stdout(&second));
    assert!(!stderr(&second).contains("fetched"), "{}", stderr(&second));

    fs::remove_file(dir.join("p")).unwrap();
    let gone = asked("annotate turn p.data", dir, &server.address, &[]);
    assert!(stdout(&gone).contains("xor"), "{}", stdout(&gone));
    let said = stderr(&gone);
    assert!(
        said.contains("fetched the program or library of p ("),
        "{said}"
    );
}
