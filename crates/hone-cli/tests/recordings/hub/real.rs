//! The same from a real hub: `hone-hub` beside `hone`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use hone_batch::{BUCKET_S, Batch, wire};

use super::{Recorded, lines};
use crate::common::stderr;

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
