//! Clients that flood, attack, or send rubbish, beside one that does not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use testkit::until_true;

use super::agent::{Client, figure, start};
use super::back_end::{BackEnd, Mood};

const DIRECTORY: &str = "HONE_AGENT_TEST_FLOOD";
const NUMBERS: &str = "HONE_AGENT_TEST_FLOOD_NUMBERS";

/// Not a test by itself: a process that sends ever new series, each of the numbers in one of its own.
#[test]
fn child_that_floods() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let numbers = std::env::var(NUMBERS).unwrap();
    let (from, to) = numbers.split_once('-').unwrap();
    let client = Client::of(&PathBuf::from(directory));
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    for number in (from..to).step_by(8) {
        let lines: Vec<String> = (number..to.min(number + 8))
            .map(|number| {
                format!(
                    "flood:1|c|#user:{number:x},session:{:016x}",
                    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                )
            })
            .collect();
        client.send(lines.join("\n"));
    }
}

/// A process of its own, since caps are per process.
fn flood(directory: &Path, from: u64, to: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["faults::clients::child_that_floods", "--exact"])
        .env(DIRECTORY, directory)
        .env(NUMBERS, format!("{from}-{to}"))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_client_that_floods_ten_times_its_cap_does_not_starve_others() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let limits = "[limits]\nseries_per_process = 300\n";
    let config = limits.to_owned() + &back_end.config();
    let agent = start(directory.path(), &config);
    let mut flooding = flood(directory.path(), 0, 3000);
    let client = Client::of(directory.path());
    for _ in 0..50 {
        for number in 0..200 {
            client.send(format!("calm:2|c|#number:{number}"));
        }
    }
    assert!(flooding.wait().unwrap().success());
    let account = agent.end();
    for number in 0..200 {
        assert_eq!(back_end.last(&format!("calm{{number={number}}}")), 100.0);
    }
    let taken = back_end.taken();
    let floods = taken
        .keys()
        .filter(|name| name.starts_with("flood{"))
        .count();
    // And the series that takes the rest.
    assert_eq!(floods, 301);
    let of_flood = taken.iter().filter(|(name, _)| name.starts_with("flood{"));
    let sum: f64 = of_flood
        .map(|(_, values)| *values.last_key_value().unwrap().1)
        .sum();
    assert_eq!(sum, 3000.0, "{account}");
    assert_eq!(
        figure(&account, "hone.agent.values.overflowed cap=origin"),
        2700,
        "{account}"
    );
}

/// The most memory that a process has used, in MiB.
fn peak_mib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kib / 1024
}

#[test]
fn an_attack_of_very_many_series_stays_under_the_caps() {
    attack(100_000, 4_000);
}

#[test]
#[ignore = "further end to end"]
fn an_attack_of_a_million_series_stays_in_little_memory() {
    let peak = attack(1_000_000, 40_000);
    // 40,000 series take some tens of megabytes; a million would take hundreds.
    assert!(peak < 150, "{peak} MiB");
}

/// Four processes send so many series of a metric, of which so many may be held. Returns the most memory that the agent used, in MiB.
fn attack(series: u64, held: usize) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let limits = format!(
        "[limits]\nseries = {}\nseries_per_metric = {held}\nseries_per_process = {}\n",
        held + 10_000,
        held / 2
    );
    let config = limits + &back_end.config();
    let agent = start(directory.path(), &config);
    let each = series / 4;
    let mut attack: Vec<Child> = (0..4)
        .map(|part| flood(directory.path(), part * each, (part + 1) * each))
        .collect();
    for child in &mut attack {
        assert!(child.wait().unwrap().success());
    }
    Client::of(directory.path()).send("after:1|c");
    until_true("what comes after it arrives", || {
        back_end.last("after") == 1.0
    });
    let peak = peak_mib(agent.pid());
    let account = agent.end();
    assert_eq!(
        figure(&account, "hone.agent.values.stored"),
        series + 1,
        "{account}"
    );
    let taken = back_end.taken();
    let floods = taken
        .keys()
        .filter(|name| name.starts_with("flood{"))
        .count();
    // And the series that takes the rest.
    assert_eq!(floods, held + 1);
    peak
}

#[test]
fn rubbish_is_counted_and_harms_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let agent = start(directory.path(), &back_end.config());
    let client = Client::of(directory.path());
    let mut chance = StdRng::seed_from_u64(1);
    let starts: [&[u8]; 6] = [
        b"\xdd\xff\xff\xff\xff",
        b"\xdc\xff\xff\x94\xdb\xff\xff\xff\xff",
        b"\x91\x94",
        b"hits:",
        b"_e{9,9}:",
        b"",
    ];
    for number in 0..30_000 {
        let mut packet = starts[number % starts.len()].to_vec();
        packet.extend((0..chance.random_range(1..200)).map(|_| chance.random::<u8>()));
        client.send(packet);
        if number % 10 == 0 {
            client.send("calm:1|c");
        }
    }
    let account = agent.end();
    assert_eq!(back_end.last("calm"), 3000.0);
    assert!(
        figure(&account, "hone.agent.malformed") > 10_000,
        "{account}"
    );
}
