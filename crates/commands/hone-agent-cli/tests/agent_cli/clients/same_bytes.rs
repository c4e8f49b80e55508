//! The clients in all languages write the same bytes, and the agent reads from them what was given.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::thread;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::driver::{Counts, Driver, Start};
use super::samples::{Fate, Given, given, read};

/// A packet is cut only when it is full or when the client is told.
const BY_NO_CLOCK: u64 = 3_600_000;

/// What a client writes that is told this, and what it counted. One packet is filled at a time.
fn packets(
    driver: &mut Driver,
    directory: &Path,
    packet_bytes: usize,
    lines: &[String],
) -> (Vec<Vec<u8>>, Counts) {
    let file = directory.join("packets.sock");
    let socket = UnixDatagram::bind(&file).unwrap();
    let reader = socket.try_clone().unwrap();
    // The packet of no bytes is the last; no client sends one.
    let received = thread::spawn(move || {
        let mut packets = Vec::new();
        loop {
            let mut packet = vec![0; 65_536];
            let bytes = reader.recv(&mut packet).unwrap();
            if bytes == 0 {
                return packets;
            }
            packet.truncate(bytes);
            packets.push(packet);
        }
    });
    let start = Start {
        packet_bytes,
        shards: 1,
        flush_ms: BY_NO_CLOCK,
        queue_packets: 4096,
        ..Start::default()
    };
    driver.start(&format!("unixgram:{}", file.display()), start);
    driver.obeys(lines);
    let counts = driver.counts("close");
    UnixDatagram::unbound()
        .unwrap()
        .send_to(b"", &file)
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    (received.join().unwrap(), counts)
}

#[test]
fn packets_are_what_the_protocol_says() {
    let directory = tempfile::tempdir().unwrap();
    let lines = [
        // orders, shop=eu, 3; load, -0.25; a timer of 1.5 ms; users, kim.
        "handle c .6f7264657273. 4008000000000000 .73686f70. .6575.",
        "adhoc g .6c6f6164. bfd0000000000000",
        "handle n .74. 1500000 .61. .. .62. .63.",
        "adhoc s .7573657273. .6b696d.",
        // Not a number, an empty member, and a tag that would be two.
        "handle h .68. 7ff8000000000000",
        "handle s .73. ..",
        "adhoc c .63. 3ff0000000000000 .6b. .617c62.",
    ];
    let expected = [
        b"\xdc\x00\x07".as_slice(),
        b"\x94\xa1c\xa6orders\xa13\xa7shop=eu",
        b"\x94\xa1g\xa4load\xa5-0.25\xa0",
        b"\x94\xa1t\xa1t\xa31.5\xa6a=|b=c",
        b"\x94\xa1s\xa5users\xa3kim\xa0",
        b"\x94\xa1c\xb3hone.client.samples\xa17\xa0",
        b"\x94\xa1c\xb3hone.client.dropped\xa11\xadreason=series",
        b"\x94\xa1c\xb3hone.client.dropped\xa12\xacreason=value",
    ]
    .concat();
    for (language, mut driver) in Driver::all() {
        let (packets, counts) = packets(
            &mut driver,
            directory.path(),
            8192,
            &lines.map(String::from),
        );
        assert_eq!(packets, std::slice::from_ref(&expected), "{language}");
        assert_eq!(
            (counts.given, counts.sent, counts.packets),
            (7, 4, 1),
            "{language}"
        );
        assert_eq!(counts.dropped, [1, 2, 0, 0, 0, 0], "{language}");
    }
}

/// What the packets of a client must say, whatever was given.
fn check(language: &str, given: &[Given], packets: &[Vec<u8>], counts: Counts) {
    let fates: Vec<Fate> = given.iter().map(Given::fate).collect();
    let of = |fate: &Fate| fates.iter().filter(|other| *other == fate).count() as u64;
    let (series, value) = (of(&Fate::BadSeries), of(&Fate::BadValue));
    assert_eq!(
        counts.dropped,
        [series, value, counts.dropped[2], 0, 0, 0],
        "{language}"
    );
    assert_eq!(counts.given, given.len() as u64);
    assert_eq!(counts.sent + counts.dropped_in_all(), counts.given);
    let read = read(packets);
    assert_eq!(read.len() as u64, counts.sent);
    let mut expected = fates
        .into_iter()
        .filter(|fate| matches!(fate, Fate::Carried(..)));
    // Of those that can be carried, only the too long ones are missing.
    for sample in read {
        assert!(
            expected.any(|other| other == sample),
            "{language} never got {sample:?}"
        );
    }
}

#[test]
fn what_any_samples_become_is_the_same_in_all_languages() {
    let directory = tempfile::tempdir().unwrap();
    let mut drivers = Driver::all();
    let mut runner = TestRunner::deterministic();
    for packet_bytes in [512, 1432, 8192, 65_507] {
        let samples = proptest::collection::vec(given(), 600);
        let given = samples.new_tree(&mut runner).unwrap().current();
        let lines: Vec<String> = given.iter().map(Given::line).collect();
        let mut first: Option<(Vec<Vec<u8>>, Counts)> = None;
        for (language, driver) in &mut drivers {
            let written = packets(driver, directory.path(), packet_bytes, &lines);
            check(language, &given, &written.0, written.1);
            assert!(written.0.iter().all(|packet| packet.len() <= packet_bytes));
            assert!(
                packet_bytes > 512 || written.1.dropped[2] > 0,
                "none was too long"
            );
            let first = first.get_or_insert_with(|| written.clone());
            assert!(
                *first == written,
                "{language} writes something else than Rust"
            );
        }
    }
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let one = "3ff0000000000000";
    let texts = ["ff", "c0af", "eda080", "f4908080", "e282", "c3", "80"];
    let mut lines: Vec<String> = texts.map(|text| format!("adhoc c .{text}. {one}")).into();
    lines.push(format!("handle c .63. {one} .6b. .c3."));
    lines.push(format!("handle c .63. {one} .c328. .76."));
    // Rust's texts are UTF-8 always.
    for (language, mut driver) in Driver::all()
        .into_iter()
        .filter(|(language, _)| *language != "Rust")
    {
        let (_, counts) = packets(&mut driver, directory.path(), 8192, &lines);
        assert_eq!(counts.dropped[0], lines.len() as u64, "{language}");
    }
}
