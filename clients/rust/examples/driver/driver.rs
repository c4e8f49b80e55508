//! What tests and benchmarks of the clients in all languages tell a program that has one, a line at a time, and its
//! answers, one line each:
//!
//! ```text
//! start ADDRESS PACKET_BYTES QUEUE_PACKETS SHARDS FLUSH_MS CLOSE_MS     ok, or what is wrong
//! handle|adhoc LETTER METRIC VALUE [KEY VALUE]...                       ok
//! load THREADS COUNT LETTERS      each thread, COUNT times: a sample of each type, on handles    ok
//! time handle|adhoc THREADS COUNT each thread gives COUNT to a counter  nanoseconds
//! flush, counts, close            given sent waiting packets, dropped by reason in the order of `Reason::ALL`
//! ```
//!
//! Names, tags and members are in hexadecimal, between dots; numbers as the bits of their double, in hexadecimal; the letter `n` is a
//! timer whose value is in nanoseconds, as digits.

use hone_agent_client::{Client, Config, Kind, Reason};
use std::thread;
use std::time::{Duration, Instant};

/// The program without its input and output.
#[derive(Default)]
pub(crate) struct Driver {
    client: Option<Client>,
}

impl Driver {
    /// The answer to a line.
    pub(crate) fn told(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["start", address, ref numbers @ ..] = words[..] {
            return match Client::start(config(address, numbers)) {
                Ok(client) => {
                    self.client = Some(client);
                    "ok".into()
                }
                Err(error) => error.to_string(),
            };
        }
        let client = self.client.as_ref().expect("a client was started");
        match words[..] {
            [
                how @ ("handle" | "adhoc"),
                letter,
                metric,
                value,
                ref tags @ ..,
            ] => {
                let tags: Vec<(String, String)> = tags
                    .chunks(2)
                    .map(|tag| (text(tag[0]), text(tag[1])))
                    .collect();
                let tags: Vec<(&str, &str)> = tags
                    .iter()
                    .map(|(key, value)| (key.as_str(), value.as_str()))
                    .collect();
                match how {
                    "handle" => by_handle(client, letter, &text(metric), value, &tags),
                    _ => ad_hoc(client, letter, &text(metric), value, &tags),
                }
                "ok".into()
            }
            ["load", threads, count, letters] => {
                load(client, number(threads), number(count), letters);
                "ok".into()
            }
            ["time", how, threads, count] => {
                time(client, how, number(threads), number(count)).to_string()
            }
            ["flush"] => {
                client.flush();
                counts(client)
            }
            ["counts"] => counts(client),
            ["close"] => {
                client.close();
                counts(client)
            }
            _ => panic!("told {line:?}"),
        }
    }
}

fn config(address: &str, numbers: &[&str]) -> Config {
    let numbers: Vec<u64> = numbers.iter().map(|word| number(word)).collect();
    Config {
        address: address.into(),
        packet_bytes: numbers[0] as usize,
        queue_packets: numbers[1] as usize,
        shards: numbers[2] as usize,
        flush_every: Duration::from_millis(numbers[3]),
        close_within: Duration::from_millis(numbers[4]),
    }
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}

/// `.616263.` is `abc`.
fn text(word: &str) -> String {
    let digits = word.trim_matches('.').as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).expect("ASCII"), 16);
    let bytes = digits
        .chunks(2)
        .map(|pair| byte(pair).expect("hexadecimal"));
    String::from_utf8(bytes.collect()).expect("UTF-8")
}

fn double(word: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(word, 16).expect("hexadecimal"))
}

fn by_handle(client: &Client, letter: &str, metric: &str, value: &str, tags: &[(&str, &str)]) {
    match letter {
        "c" => client.counter(metric, tags).add(double(value)),
        "r" => client.rate(metric, tags).add(double(value)),
        "g" => client.gauge(metric, tags).set(double(value)),
        "t" => client.timer(metric, tags).record_ms(double(value)),
        "n" => client
            .timer(metric, tags)
            .record(Duration::from_nanos(number(value))),
        "h" => client.histogram(metric, tags).record(double(value)),
        "d" => client.distribution(metric, tags).record(double(value)),
        "s" => client.set(metric, tags).insert(&text(value)),
        _ => panic!("no type {letter}"),
    }
}

fn ad_hoc(client: &Client, letter: &str, metric: &str, value: &str, tags: &[(&str, &str)]) {
    let kind = match letter {
        "n" => {
            let duration = Duration::from_nanos(number(value));
            return client.record_duration(metric, duration, tags);
        }
        "s" => return client.insert(metric, &text(value), tags),
        "c" => Kind::Counter,
        "r" => Kind::Rate,
        "g" => Kind::Gauge,
        "t" => Kind::Timer,
        "h" => Kind::Histogram,
        "d" => Kind::Distribution,
        _ => panic!("no type {letter}"),
    };
    client.record(kind, metric, double(value), tags);
}

/// Gives samples whose sums and counts a test can tell.
fn load(client: &Client, threads: u64, count: u64, letters: &str) {
    let tags = [("k", "v")];
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let counter = client.counter("load.c", &tags);
                let rate = client.rate("load.r", &tags);
                let gauge = client.gauge("load.g", &tags);
                let timer = client.timer("load.t", &tags);
                let histogram = client.histogram("load.h", &tags);
                let distribution = client.distribution("load.d", &tags);
                let set = client.set("load.s", &tags);
                for sample in 0..count {
                    for letter in letters.bytes() {
                        match letter {
                            b'c' => counter.add(1),
                            b'r' => rate.add(2),
                            b'g' => gauge.set(sample),
                            b't' => timer.record(Duration::from_micros(sample % 1000)),
                            b'h' => histogram.record((sample % 100) as f64 / 4.0),
                            b'd' => distribution.record(sample % 100),
                            b's' => set.insert(&format!("m{}", sample % 100)),
                            _ => panic!("no type {letter}"),
                        }
                    }
                }
            });
        }
    });
}

fn time(client: &Client, how: &str, threads: u64, count: u64) -> u128 {
    let tags = [("shop", "eu"), ("paid", "yes"), ("kind", "book")];
    let handle = client.counter("bench.orders", &tags);
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| match how {
                "handle" => (0..count).for_each(|_| handle.add(1)),
                _ => (0..count).for_each(|_| {
                    client.record(Kind::Counter, "bench.orders", 1, &tags);
                }),
            });
        }
    });
    start.elapsed().as_nanos()
}

fn counts(client: &Client) -> String {
    let counts = client.counts();
    let mut numbers = vec![counts.given, counts.sent, counts.waiting, counts.packets];
    numbers.extend(Reason::ALL.map(|reason| counts.dropped_for(reason)));
    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
    words.join(" ")
}
