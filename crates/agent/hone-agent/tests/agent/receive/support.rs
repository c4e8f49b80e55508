//! A handler that writes down what it gets, and clients.

use std::path::Path;
use std::sync::{Arc, Mutex};

use hone_agent::protocol::{sdk, statsd};
use hone_agent::receive::{
    Address, Handle, Listen, Opened, Origin, Passed, Protocol, Received, Receiver, SocketFile,
    Work, open,
};
use hone_agent::sample::{Sample, Values};
pub(crate) use testkit::{PATIENCE, until_true};

/// What handlers have seen, all together.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) samples: Vec<String>,
    pub(crate) malformed: u64,
    pub(crate) packets: usize,
    pub(crate) origins: Vec<Origin>,
    pub(crate) idles: usize,
}

/// Writes down what it gets; may be held up by a lock.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) gate: Arc<Mutex<()>>,
}

impl Handle for Notes {
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin) {
        drop(self.gate.lock().unwrap());
        let mut samples = Vec::new();
        let mut sink = |sample: Sample<'_>| samples.push(written(&sample));
        let parsed = match protocol {
            Protocol::Sdk => sdk::parse(packet, &mut sink),
            Protocol::Statsd => statsd::parse(packet, &mut sink),
            Protocol::Either | Protocol::Relay => {
                panic!("packets of clients, of which handlers are told which")
            }
        };
        let mut seen = self.seen.lock().unwrap();
        seen.samples.extend(samples);
        seen.malformed += parsed.malformed;
        seen.packets += 1;
        if !seen.origins.contains(&origin) {
            seen.origins.push(origin);
        }
    }

    fn idle(&mut self) {
        self.seen.lock().unwrap().idles += 1;
    }
}

fn written(sample: &Sample<'_>) -> String {
    let name = String::from_utf8_lossy(sample.series.metric);
    let tags = String::from_utf8_lossy(sample.series.tags);
    let values = match sample.values {
        Values::Numbers(numbers) => format!("{numbers:?}"),
        Values::Change(change) => format!("{change:+}"),
        Values::Member(member) => String::from_utf8_lossy(member).into_owned(),
    };
    format!("{name}|{tags}|{values}")
}

impl Notes {
    pub(crate) fn samples(&self) -> usize {
        self.seen.lock().unwrap().samples.len()
    }

    /// All samples in an order of their own.
    pub(crate) fn sorted(&self) -> Vec<String> {
        let mut samples = self.seen.lock().unwrap().samples.clone();
        samples.sort();
        samples
    }
}

/// A socket's file that everybody may write to.
pub(crate) fn file(directory: &Path) -> SocketFile {
    SocketFile {
        path: directory.join("socket"),
        mode: 0o622,
        owner: None,
        group: None,
    }
}

pub(crate) fn udp() -> Address {
    Address::Udp("127.0.0.1:0".parse().unwrap())
}

pub(crate) fn tcp() -> Address {
    Address::Tcp("127.0.0.1:0".parse().unwrap())
}

pub(crate) fn opened(listen: Listen) -> Opened {
    open(&[listen], &mut Passed::none()).unwrap().remove(0)
}

pub(crate) fn started(opened: Opened, work: Work, notes: &Notes) -> Receiver<Notes> {
    Receiver::start(vec![opened], work, |_| notes.clone()).unwrap()
}

/// Workers with small parcels, so that many are needed.
pub(crate) fn workers(workers: usize) -> Work {
    Work {
        workers,
        parcels: 8,
        parcel_bytes: 2048,
        ..Work::default()
    }
}

/// What has become of the packets, which must add up.
pub(crate) fn counts(receiver: &Receiver<Notes>) -> Received {
    receiver.opened()[0].counts().now()
}

#[track_caller]
pub(crate) fn adds_up(counts: &Received) {
    assert_eq!(
        counts.packets,
        counts.handled + counts.truncated + counts.dropped,
        "{counts:?}"
    );
}

pub(crate) fn line(number: usize) -> Vec<u8> {
    format!("requests:{number}|c|#shop:eu").into_bytes()
}

/// A point of the SDK, as it is.
pub(crate) fn point(number: usize) -> Vec<u8> {
    let mut packet = Vec::new();
    rmp::encode::write_array_len(&mut packet, 4).unwrap();
    for text in ["counter", "requests", &number.to_string(), "shop=eu"] {
        rmp::encode::write_str(&mut packet, text).unwrap();
    }
    packet
}

/// Several points in an array.
pub(crate) fn points(numbers: std::ops::Range<usize>) -> Vec<u8> {
    let mut packet = Vec::new();
    rmp::encode::write_array_len(&mut packet, numbers.len() as u32).unwrap();
    for number in numbers {
        packet.extend(point(number));
    }
    packet
}

pub(crate) fn framed(packet: &[u8]) -> Vec<u8> {
    let mut frame = (packet.len() as u32).to_le_bytes().to_vec();
    frame.extend(packet);
    frame
}
