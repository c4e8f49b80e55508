//! The same from a real hub: `hone-hub` beside `hone`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use hone_batch::{BUCKET_S, Batch, NameIndex, Place, wire};
use serde_json::Value;

use super::{Recorded, lines};
use crate::common::{stderr, stdout};

/// A hub, killed when the test is over.
struct Hub {
    child: Child,
    /// Where it listens: `127.0.0.1:PORT`.
    address: String,
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Hub {
    /// `None`, and why, where `hone-hub` is not built.
    fn start(directory: &Path) -> Option<Self> {
        let program = Path::new(env!("CARGO_BIN_EXE_hone")).with_file_name("hone-hub");
        if !program.exists() {
            println!("skipped: {} is not built", program.display());
            return None;
        }
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--folder", "hub-data"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = said.find(|line| line.as_ref().unwrap().contains("listening at"));
        let line = line.expect("the hub listens").unwrap();
        let (_, rest) = line.split_once("http://").unwrap();
        let address = rest.split(',').next().unwrap().to_owned();
        // It shall not wait until somebody reads what else it says.
        std::thread::spawn(move || said.for_each(drop));
        Some(Self { child, address })
    }

    /// Returns the body of an answer.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        body.to_owned()
    }

    fn send(&self, batch: &Batch) {
        let bytes = wire::write(batch);
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            bytes.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&bytes).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    }
}

/// Returns a batch as if it had been recorded some minutes ago.
fn moved(mut batch: Batch) -> Batch {
    let now_s = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let (from, to) = (batch.span_s.start / BUCKET_S, (now_s - 600) / BUCKET_S);
    let at = |time_s: u64| time_s + to * BUCKET_S - from * BUCKET_S;
    batch.span_s = at(batch.span_s.start)..at(batch.span_s.end);
    for row in &mut batch.samples {
        row.bucket = row.bucket + to - from;
    }
    batch
}

#[test]
fn a_real_hub_gives_what_the_recording_gives() {
    let recorded = Recorded::new();
    let Some(hub) = Hub::start(recorded.path()) else {
        return;
    };
    hub.send(&moved(recorded.batch.clone()));
    hub.send(&moved(recorded.other_build()));
    let address = format!("http://{}", hub.address);
    let files = recorded.files.iter();
    let files = files.map(|file| format!(" --binary {}", file.display()));
    let files: String = files.collect();
    let of_build = format!("hub:shop@{}", &recorded.build[..12]);
    for view in [
        "top INPUT -n 0",
        "callees main INPUT",
        "view INPUT --to folded -o -",
    ] {
        let of = |input: &str| {
            let words = view.replace("INPUT", input) + &files;
            lines(&recorded.said(&words, &address, 0), input)
        };
        let theirs = of("p.data");
        assert!(theirs.len() > 1, "{theirs:?}");
        assert_eq!(of(&of_build), theirs, "{view}");
    }
    for to in ["autofdo-extbinary", "bolt-fdata"] {
        let of = |input: &str| {
            let words = format!("convert {input} --binary p --to {to} -o out");
            recorded.said(&words, &address, 0);
            fs::read(recorded.path().join("out")).unwrap()
        };
        let theirs = of("p.data");
        assert!(of(&of_build) == theirs, "{to}");
        // Of both builds the one whose binary is named.
        assert!(of("hub:shop,-1h..") == theirs, "{to}");
    }
    let unknown = recorded.said("top hub:shoe", &address, 2);
    let said = stderr(&unknown);
    assert!(
        said.contains("there is no service \"shoe\"; there are: shop"),
        "{said}"
    );
}

/// The findings of a hub and of `hone diagnose` are the same, with cores.
#[test]
fn diagnose_finds_what_a_real_hub_finds() {
    let recorded = Recorded::new();
    let Some(hub) = Hub::start(recorded.path()) else {
        return;
    };
    let mut batch = moved(recorded.batch.clone());
    let name = NameIndex(batch.names.len() as u32);
    batch.names.push("malloc".into());
    for place in &mut batch.places {
        let (Place::Code { binary, .. } | Place::Named { binary, .. }) = *place;
        *place = Place::Named { binary, name };
    }
    for row in &mut batch.samples {
        row.times *= 1000;
    }
    batch.branches.clear();
    batch.ranges.clear();
    hub.send(&batch);
    let address = format!("http://{}", hub.address);
    let (from, to) = (batch.span_s.start - 60, batch.span_s.end + 60);
    let words = format!("diagnose hub:shop,{from}..{to}");
    let json = recorded.said(&format!("{words} --json"), &address, 0);
    let ours: Value = serde_json::from_slice(&json.stdout).unwrap();
    let theirs = hub.get(&format!("/v1/findings?service=shop&from={from}&to={to}"));
    assert_eq!(ours, serde_json::from_str::<Value>(&theirs).unwrap());
    assert_eq!(ours["findings"][0]["rule"], "allocator");
    let said = stdout(&recorded.said(&words, &address, 0));
    let cores = said.lines().find(|line| line.starts_with("   cores"));
    assert!(cores.is_some_and(|line| line.contains(" ± ")), "{said}");
    assert!(
        said.contains("\nNot looked at:\n   debug-build, "),
        "{said}"
    );
}
