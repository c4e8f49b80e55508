//! Profiles in pprof's format as agents send them, and the ways in which they do.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use hone_profile::pprof::{Function, Label, Line, Location, Mapping, Pprof, Sample, write};
use hone_profile::protobuf::Message;

use crate::common::{Answer, Hub, request};

/// A profile of Go's runtime: `main` calls `work`, into which `inner` is inlined, and what has no name.
pub(crate) fn cpu(time_s: u64) -> Vec<u8> {
    write(&table(time_s)).unwrap()
}

pub(crate) fn table(time_s: u64) -> Pprof {
    let mut made = Pprof::default();
    made.value_types = vec![
        made.value_type("samples", "count"),
        made.value_type("cpu", "nanoseconds"),
    ];
    made.period_type = made.value_types[1];
    made.period = 10_000_000;
    made.time_ns = time_s as i64 * 1_000_000_000;
    made.duration_ns = 10_000_000_000;
    let file = made.intern("/srv/bin/shop");
    let build_id = made.intern("ab01cd02");
    made.mappings = vec![Mapping {
        start: 0x40_0000,
        limit: 0x80_0000,
        file_offset: 0,
        file,
        build_id,
        has_functions: true,
        has_lines: true,
    }];
    for name in ["main.main", "main.work", "main.inner"] {
        let name = made.intern(name);
        made.functions.push(Function {
            name,
            system_name: name,
            ..Function::default()
        });
    }
    let location = |address, functions: &[u32]| Location {
        mapping: Some(0),
        address,
        lines: functions
            .iter()
            .map(|&function| Line { function, line: 7 })
            .collect(),
    };
    made.locations = vec![
        location(0x40_1000, &[0]),
        location(0x40_2000, &[2, 1]),
        location(0x40_3000, &[]),
    ];
    let labels = vec![Label {
        key: made.intern("method"),
        value: made.intern("Price"),
    }];
    let sample = |stack: &[u32], times: i64, labels| Sample {
        stack: stack.to_vec(),
        values: vec![times, times * 10_000_000],
        labels,
    };
    made.samples = vec![
        sample(&[1, 0], 3, labels),
        sample(&[0], 1, Vec::new()),
        sample(&[2, 0], 2, Vec::new()),
    ];
    made
}

/// A profile of memory.
pub(crate) fn heap() -> Vec<u8> {
    let mut made = table(0);
    made.value_types = vec![
        made.value_type("inuse_objects", "count"),
        made.value_type("inuse_space", "bytes"),
    ];
    made.period_type = made.value_type("space", "bytes");
    write(&made).unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packing = GzEncoder::new(Vec::new(), Compression::fast());
    packing.write_all(bytes).unwrap();
    packing.finish().unwrap()
}

/// A body with parts, as Go's mime/multipart writes it.
pub(crate) fn multipart(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend(
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{name}.pprof\"\r\n\
                 Content-Type: application/octet-stream\r\n\r\n"
            )
            .bytes(),
        );
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}

const BOUNDARY: &str = "d9fe3b58aa2bb4b4cc0c7e0e2f4d";

/// Sends a body with parts to `/ingest`.
pub(crate) fn ingest(hub: &Hub, query: &str, body: &[u8]) -> Answer {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    send(hub, &format!("/ingest?{query}"), &kind, body)
}

/// Sends a body of some kind to an address.
pub(crate) fn send(hub: &Hub, path: &str, kind: &str, body: &[u8]) -> Answer {
    let head = format!("Content-Type: {kind}\r\n");
    request(hub.address, "POST", path, &head, body).unwrap()
}

/// A push as Alloy and the agents of Python and Rust send it.
pub(crate) fn push(labels: &[(&str, &str)], profiles: &[&[u8]]) -> Vec<u8> {
    let mut series = Message::default();
    for (name, value) in labels {
        let mut label = Message::default();
        label.bytes(1, name.as_bytes()).bytes(2, value.as_bytes());
        series.message(1, &label);
    }
    for profile in profiles {
        let mut sample = Message::default();
        sample.bytes(1, profile).bytes(2, b"7c9e6679");
        series.message(2, &sample);
    }
    let mut whole = Message::default();
    whole.message(1, &series);
    whole.0
}
