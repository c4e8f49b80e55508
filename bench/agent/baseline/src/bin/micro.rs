//! Two cures by themselves, as JSON: the scan for separators at 1 to 1,024 bytes, and the tag set at 1 to 16 tags.
//!
//! All ways take turns in every round. Times are CPU times of the thread, per text or per tag set.

use std::hint::black_box;
use std::time::Duration;

use hone_agent::canonical::canonical;
use hone_agent::sample::{Kind, RawSeries, TagSyntax};
use hone_agent::scan::{BLOCK_BYTES, Scanner, Separators, for_each_tag};
use hone_agent::series::Series;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const ROUNDS: usize = 15;
const LENGTHS: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Bytes scanned in a turn, and tag sets made in one.
const BYTES_A_TURN: usize = 4 << 20;
const SETS_A_TURN: usize = 20_000;

fn main() {
    println!("{}", json!({ "scan": scan(), "tag_set": tag_set() }));
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Nanoseconds for each of so many repetitions.
fn timed(times: usize, mut work: impl FnMut()) -> f64 {
    let began = cpu_time();
    for _ in 0..times {
        work();
    }
    (cpu_time() - began).as_nanos() as f64 / times as f64
}

/// Tags as services have them.
fn text(length: usize) -> String {
    let tags = (0..).map(|tag| format!("label{tag}=value{}|", tag * 7 % 100));
    let mut text = String::new();
    for tag in tags {
        if text.len() >= length {
            break;
        }
        text += &tag;
    }
    text.truncate(length);
    text
}

fn scan() -> Vec<Value> {
    let mut results = Vec::new();
    let mut found = [Separators::default(); 1024 / BLOCK_BYTES];
    for length in LENGTHS {
        let text = text(length);
        let times = (BYTES_A_TURN / length).min(400_000);
        for round in 0..ROUNDS {
            for scanner in Scanner::all_here() {
                let ns = timed(times, || {
                    black_box(scanner.find(black_box(text.as_bytes()), &mut found));
                    black_box(&found);
                });
                results.push(
                    json!({ "bytes": length, "round": round, "scanner": scanner.name(), "ns": ns }),
                );
            }
        }
    }
    results
}

fn tag_set() -> Vec<Value> {
    let mut results = Vec::new();
    for count in 1..=16 {
        let tags: Vec<String> = (0..count)
            .map(|tag| format!("label{tag}=value{}", tag * 7))
            .collect();
        let text = tags.join("|");
        let raw = RawSeries {
            kind: Kind::Counter,
            metric: b"requests",
            tags: text.as_bytes(),
            syntax: TagSyntax::Sdk,
        };
        for round in 0..ROUNDS {
            let strings = timed(SETS_A_TURN, || {
                black_box(strings(black_box(&text)));
            });
            let buffer = timed(SETS_A_TURN, || {
                black_box(canonical(black_box(&raw)).is_ok());
            });
            results.push(json!({
                "tags": count, "round": round, "strings_ns": strings, "one_buffer_ns": buffer,
                "strings_bytes": strings_bytes(&text), "one_buffer_bytes": canonical(&raw).map_or(0, |series: Series| series.size_bytes()),
            }));
        }
    }
    results
}

/// Each key and each value as a string of its own, sorted.
fn strings(text: &str) -> (String, Vec<(String, String)>) {
    let mut found = [Separators::default(); 1024 / BLOCK_BYTES];
    let blocks = Scanner::best().find(text.as_bytes(), &mut found);
    let mut tags = Vec::new();
    for_each_tag(text, &found[..blocks], &mut |tag| {
        tags.push((tag.key.to_owned(), tag.value.to_owned()))
    });
    tags.sort();
    ("requests".to_owned(), tags)
}

fn strings_bytes(text: &str) -> usize {
    let (metric, tags) = strings(text);
    let text: usize = tags
        .iter()
        .map(|(key, value)| key.capacity() + value.capacity())
        .sum();
    size_of_val(&metric)
        + metric.capacity()
        + size_of_val(&tags)
        + tags.capacity() * size_of::<(String, String)>()
        + text
}
