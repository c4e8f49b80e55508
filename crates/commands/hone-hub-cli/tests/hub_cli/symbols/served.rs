//! The hub as a debuginfod server, and who may ask it for what.

use std::fs;
use std::process::Command;

use tempfile::tempdir;
use testkit::recipes::{SMALL, runs, split};

use super::{build_of, json, put, taken};
use crate::access::{ask, new_token, with};
use crate::common::{ANY_PORT, Hub, request};

#[test]
fn files_are_served_as_debuginfod_serves_them() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    let build = build_of(&parts.whole);
    hub.get(&format!("/buildid/{build}/executable"))
        .refuses(404, "there is no executable of the build");
    taken(&put(&hub, &parts.stripped), 201);
    taken(&put(&hub, &parts.debug), 201);
    for (artifact, file) in [("executable", &parts.stripped), ("debuginfo", &parts.debug)] {
        let bytes = fs::read(file).unwrap();
        let path = format!("/buildid/{build}/{artifact}");
        let answer = hub.get(&path);
        assert_eq!((answer.status, &answer.body), (200, &bytes));
        let length = bytes.len().to_string();
        assert_eq!(answer.header("x-debuginfod-size"), Some(&*length));
        assert_eq!(
            answer.header("content-type"),
            Some("application/octet-stream")
        );
        let less = format!("X-DEBUGINFOD-MAXSIZE: {}\r\n", bytes.len() - 1);
        request(hub.address, "GET", &path, &less, b"")
            .unwrap()
            .refuses(406, "more than x-debuginfod-maxsize");
    }
    for path in [
        "/buildid/xyz/executable",
        "/buildid/ab/source/a.c",
        "/buildid/ab",
    ] {
        hub.get(path).refuses(404, "there are /buildid/ID");
    }
    let done = hub.figure("hone_hub_symbol_downloads_total{outcome=\"done\"}");
    assert_eq!(done, 2);
}

#[test]
fn a_file_of_many_parts_comes_whole() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let mut bytes = fs::read(&program).unwrap();
    // Bytes after the last section belong to no format, and a part of the store has 8 MiB.
    bytes.extend((0..20_000_000_u32).map(|at| (at >> 8) as u8 ^ at as u8));
    let hub = Hub::start(directory.path(), ANY_PORT);
    taken(&hub.put("", &bytes), 201);
    let answer = hub.get(&format!("/buildid/{}/executable", build_of(&program)));
    assert!(answer.body == bytes, "{} bytes", answer.body.len());
}

#[test]
fn gdb_finds_the_debug_file_of_a_stripped_program() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let has = Command::new("gdb")
        .args(["--batch", "-ex", "show debuginfod enabled"])
        .output();
    if !has.is_ok_and(|has| String::from_utf8_lossy(&has.stdout).contains("currently set to")) {
        println!("skipped: there is no gdb that asks debuginfod");
        return;
    }
    let hub = Hub::start(directory.path(), ANY_PORT);
    taken(&put(&hub, &parts.debug), 201);
    // Beside the stripped file nothing must be found by its name.
    let alone = directory.path().join("alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(&parts.stripped, alone.join("server")).unwrap();
    let output = Command::new("gdb")
        .args([
            "--batch",
            "-ex",
            "set debuginfod enabled on",
            "-ex",
            "file server",
            "-ex",
            "info line twice",
        ])
        .current_dir(&alone)
        .env("DEBUGINFOD_URLS", format!("http://{}", hub.address))
        .env("DEBUGINFOD_CACHE_PATH", alone.join("cache"))
        .env("HOME", &alone)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("Line 3 of"), "{said}");
}

#[test]
fn each_tenant_has_symbols_of_its_own() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let new = |scopes: &str, tenant: &str| {
        new_token(directory.path(), &["--scopes", scopes, "--tenant", tenant])
    };
    let builder = new("symbols", "acme");
    let reader = new("read", "acme");
    let sender = new("ingest", "acme");
    let stranger = new("read,symbols", "other");
    let hub = Hub::start(directory.path(), ANY_PORT);
    let bytes = fs::read(&program).unwrap();
    let build = build_of(&program);

    hub.put("", &bytes).refuses(401, "send Authorization");
    for token in [&reader, &sender] {
        hub.put(&with(token), &bytes)
            .refuses(403, "has not the scope symbols");
    }
    taken(&hub.put(&with(&builder), &bytes), 201);

    let executable = format!("/buildid/{build}/executable");
    assert_eq!(ask(&hub, &reader, &executable).body, bytes);
    ask(&hub, &builder, &executable).refuses(403, "has not the scope read");
    ask(&hub, &stranger, &executable).refuses(404, "there is no executable");
    hub.get(&executable).refuses(401, "send Authorization");

    // Whoever uploads sees of a build what is there, and nothing of services.
    let of_build = format!("/v1/symbols/{build}");
    for token in [&builder, &reader] {
        assert_eq!(
            json(&ask(&hub, token, &of_build))["files"][0]["kind"],
            "executable-debug"
        );
    }
    ask(&hub, &builder, "/v1/symbols").refuses(403, "has not the scope read");
    ask(&hub, &sender, &of_build).refuses(403, "has not the scope read");
    let others = json(&ask(&hub, &stranger, &of_build));
    assert_eq!(others["files"], serde_json::json!([]));
    assert_eq!(
        json(&ask(&hub, &stranger, "/v1/symbols"))["there"],
        serde_json::json!([])
    );
    // The same build may be another file elsewhere: what one tenant sends is nothing to the other.
    let mut other = bytes;
    other.extend(b"other");
    hub.put(&with(&builder), &other).refuses(409, "stays");
    taken(&hub.put(&with(&stranger), &other), 201);
    ask(&hub, &stranger, "/v1/symbols/xyz").refuses(404, "no build id");
}

#[test]
fn a_head_has_no_body() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    taken(&put(&hub, &program), 201);
    let url = format!(
        "http://{}/buildid/{}/debuginfo",
        hub.address,
        build_of(&program)
    );
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--fail", "--head", &url]);
    if !runs(&mut curl) {
        return;
    }
    let head = String::from_utf8(curl.output().unwrap().stdout).unwrap();
    let length = format!("content-length: {}", fs::metadata(&program).unwrap().len());
    assert!(head.to_lowercase().contains(&length), "{head}");
}
