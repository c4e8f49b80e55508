//! Limits of uploads: bytes, time, number, and room on the disk.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::thread;

use tempfile::tempdir;
use testkit::recipes::{COMPRESSED, SMALL, runs};

use super::{json, put, taken};
use crate::common::{ANY_PORT, Hub, answer_from, request, until};

#[test]
fn a_file_that_is_too_large_is_refused_with_or_without_its_length() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let bytes = fs::read(&program).unwrap();
    let settings = format!("{ANY_PORT}[symbols]\nfile_bytes = {}\n", bytes.len() - 1);
    let hub = Hub::start(directory.path(), &settings);
    hub.put("", &bytes)
        .refuses(413, "objcopy --compress-debug-sections");
    let mut chunks = Vec::new();
    for chunk in bytes.chunks(5000) {
        chunks.extend(format!("{:x}\r\n", chunk.len()).bytes());
        chunks.extend(chunk);
        chunks.extend(b"\r\n");
    }
    chunks.extend(b"0\r\n\r\n");
    let mut stream = TcpStream::connect(hub.address).unwrap();
    let head = b"PUT /v1/symbols HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head).unwrap();
    let _ = stream.write_all(&chunks);
    answer_from(&mut stream).unwrap().refuses(413, "where");
    // A program whose debug information is small only as it comes.
    let place = tempdir().unwrap();
    let Some(program) = COMPRESSED.build(place.path()) else {
        return;
    };
    let settings = format!("{ANY_PORT}[symbols]\nunpacked_bytes = 100\n");
    let hub = Hub::start(place.path(), &settings);
    put(&hub, &program).refuses(413, "when unpacked");
}

#[test]
fn a_body_of_chunks_is_taken() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    let bytes = fs::read(&program).unwrap();
    let mut stream = TcpStream::connect(hub.address).unwrap();
    let head = b"PUT /v1/symbols HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head).unwrap();
    write!(stream, "{:x}\r\n", bytes.len()).unwrap();
    stream.write_all(&bytes).unwrap();
    stream.write_all(b"\r\n0\r\n\r\n").unwrap();
    taken(&answer_from(&mut stream).unwrap(), 201);
    request(hub.address, "POST", "/v1/symbols", "", b"x")
        .unwrap()
        .refuses(405, "PUT it a file");
}

#[test]
#[ignore = "waits on a clock"]
fn a_slow_upload_is_cut_and_others_are_refused_meanwhile() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let settings = format!("{ANY_PORT}[symbols]\nuploads = 1\nupload_s = 3\n");
    let hub = Hub::start(directory.path(), &settings);
    let head =
        b"PUT /v1/symbols HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n\x7fELF";
    // The slow one may not be there yet, and a machine that stalls may have cut it before the other came: then once more.
    let (refused, cut) = until("one to be refused and the slow one to be cut", || {
        let mut slow = TcpStream::connect(hub.address).unwrap();
        slow.write_all(head).unwrap();
        let refused = put(&hub, &program);
        let cut = answer_from(&mut slow)?;
        (refused.status == 503 && cut.status == 408).then_some((refused, cut))
    });
    refused.refuses(503, "other files are being uploaded");
    cut.refuses(408, "took more than 3 s");
    until("the turn to be free", || {
        [200, 201]
            .contains(&put(&hub, &program).status)
            .then_some(())
    });
    // Whoever goes away keeps no turn.
    let mut gone = TcpStream::connect(hub.address).unwrap();
    gone.write_all(head).unwrap();
    drop(gone);
    until("the turn to be free again", || {
        (put(&hub, &program).status == 200).then_some(())
    });
}

#[test]
fn the_same_file_may_come_twice_at_once() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut told: Vec<String> = thread::scope(|scope| {
        let uploads = [(); 3].map(|()| scope.spawn(|| put(&hub, &program)));
        uploads
            .map(|upload| {
                let answer = upload.join().unwrap();
                let said = serde_json::from_slice::<serde_json::Value>(&answer.body);
                let said = said.unwrap_or_else(|_| panic!("{}", answer.text()));
                said["was"].as_str().unwrap().to_owned()
            })
            .into()
    });
    told.sort();
    assert_eq!(told, ["new", "there", "there"]);
    assert_eq!(
        json(&hub.get("/v1/symbols"))["there"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn what_a_tenant_may_keep_is_limited() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let settings = format!("{ANY_PORT}[symbols]\ntenant_bytes = 5000\n");
    let hub = Hub::start(directory.path(), &settings);
    put(&hub, &program).refuses(507, "where 5000 are allowed");
    assert_eq!(
        json(&hub.get("/v1/symbols"))["there"],
        serde_json::json!([])
    );
}

#[test]
fn a_full_disk_is_told_and_costs_nothing_else() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    fs::create_dir(directory.path().join("hub-data")).unwrap();
    let mount = "mount -t tmpfs -o size=24m tmpfs hub-data";
    let mut test = Command::new("unshare");
    test.args(["-Urm", "sh", "-c", mount])
        .current_dir(directory.path());
    if !runs(&mut test) {
        return;
    }
    let mut command = Command::new("unshare");
    let hub = env!("CARGO_BIN_EXE_hone-hub");
    let script = format!("{mount} && exec {hub} \"$@\"");
    command.args(["-Urm", "sh", "-c", &script, "sh"]);
    let hub = Hub::start_as(command, directory.path(), ANY_PORT);
    let mut bytes = fs::read(&program).unwrap();
    // The temporary file has no room, and then the stored one beside the temporary one.
    for mebibytes in [40, 16] {
        bytes.resize(mebibytes << 20, 0);
        let answer = hub.put("", &bytes);
        assert_eq!(answer.status, 507, "{}", answer.text());
    }
    taken(&put(&hub, &program), 201);
}
