//! `hone-hub symbols`: the command that uploads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::tempdir;
use testkit::certificate;
use testkit::recipes::{NAMELESS, SMALL, split};

use super::build_of;
use crate::access::new_token;
use crate::common::{ANY_PORT, Hub};

/// Runs the command in a directory, with words of the environment.
fn upload(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone-hub"))
        .arg("symbols")
        .args(arguments)
        .env_remove("HONE_HUB")
        .env_remove("HONE_HUB_TOKEN")
        .envs(environment.iter().copied())
        .current_dir(directory)
        .output()
        .unwrap()
}

/// The command ended with this status, and said this.
#[track_caller]
fn ends(output: &Output, status: i32, said: &[&str]) {
    let text = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy);
    let text = text.concat();
    assert_eq!(output.status.code(), Some(status), "{text}");
    for said in said {
        assert!(text.contains(said), "no '{said}': {text}");
    }
}

#[test]
fn files_are_uploaded_once() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    let url = format!("http://{}/", hub.address);
    let build = build_of(&parts.whole).to_string();
    let first = upload(directory.path(), &["debug", "stripped", "--url", &url], &[]);
    let debug = format!("debug: uploaded: debug of the build {build}; names come when the program");
    let stripped = format!("stripped: uploaded: executable of the build {build}");
    ends(&first, 0, &[&debug, &stripped]);
    let files = ["debug", "stripped", "program"];
    let second = upload(directory.path(), &files, &[("HONE_HUB", &url)]);
    ends(
        &second,
        0,
        &[
            "debug: is there already",
            "stripped: is there already",
            "program: uploaded: executable-debug",
        ],
    );
    // What was there was not sent again.
    assert_eq!(
        hub.figure("hone_hub_symbol_uploads_total{outcome=\"done\"}"),
        3
    );
}

#[test]
fn what_cannot_be_taken_is_told_and_the_others_are_uploaded() {
    let directory = tempdir().unwrap();
    let Some(program) = NAMELESS.build(directory.path()) else {
        return;
    };
    fs::rename(&program, directory.path().join("nameless")).unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let mut other = fs::read(&program).unwrap();
    other.push(0);
    fs::write(directory.path().join("other"), other).unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let url = format!("http://{}", hub.address);
    let files = [
        "nameless", "small.c", "missing", ".", "program", "other", "--url", &url,
    ];
    let output = upload(directory.path(), &files, &[]);
    ends(
        &output,
        1,
        &[
            "nameless: the file has no build id",
            "small.c: the file cannot be read",
            "missing: cannot be read",
            ".: it is no file",
            "program: uploaded",
            "other: the hub refuses it: another file of the kind executable-debug is there",
        ],
    );
}

#[test]
fn a_file_that_is_too_large_is_not_sent() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    // More than a hub reads of what it refuses.
    let file = fs::File::options().write(true).open(program).unwrap();
    file.set_len(300 << 20).unwrap();
    let settings = format!("{ANY_PORT}[symbols]\nfile_bytes = 1_000_000\n");
    let hub = Hub::start(directory.path(), &settings);
    let url = format!("http://{}", hub.address);
    let output = upload(directory.path(), &["program", "--url", &url], &[]);
    let said = "the hub refuses it: the file has at least 1000001 bytes where 1000000 are allowed";
    ends(&output, 1, &[said]);
}

#[test]
fn a_hub_that_does_not_let_in_ends_it() {
    let directory = tempdir().unwrap();
    if SMALL.build(directory.path()).is_none() {
        return;
    }
    let reader = new_token(directory.path(), &["--scopes", "read"]);
    let builder = new_token(directory.path(), &["--scopes", "symbols"]);
    fs::write(directory.path().join("token"), format!("{builder}\n")).unwrap();
    fs::write(directory.path().join("empty"), "\n").unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let url = format!("http://{}", hub.address);
    let run = |more: &[&str], environment: &[(&str, &str)]| {
        let arguments = [&["program", "--url", &url], more].concat();
        upload(directory.path(), &arguments, environment)
    };
    ends(&run(&[], &[]), 2, &["answers 401", "--token-file"]);
    let reads = run(&[], &[("HONE_HUB_TOKEN", &reader)]);
    ends(&reads, 2, &["answers 403", "has not the scope symbols"]);
    ends(&run(&["--token-file", "empty"], &[]), 2, &["has no token"]);
    ends(
        &run(&["--token-file", "none"], &[]),
        2,
        &["cannot read none"],
    );
    ends(&run(&["--token-file", "token"], &[]), 0, &["uploaded"]);
    let wrong = upload(directory.path(), &["program", "--url", "hub:7007"], &[]);
    ends(&wrong, 2, &["is no address; write it as https://"]);
    ends(&upload(directory.path(), &[], &[]), 2, &["<FILE>..."]);
}

#[test]
fn files_go_by_https() {
    let directory = tempdir().unwrap();
    let Some(_) = certificate(directory.path(), "hub") else {
        return;
    };
    if SMALL.build(directory.path()).is_none() {
        return;
    }
    let settings = format!("{ANY_PORT}[tls]\ncertificate = 'hub.pem'\nkey = 'hub.key'\n");
    let hub = Hub::start(directory.path(), &settings);
    let url = format!("https://{}", hub.address);
    let trusting = [("SSL_CERT_FILE", "hub.pem")];
    let output = upload(directory.path(), &["program", "--url", &url], &trusting);
    ends(&output, 0, &["program: uploaded"]);
}
