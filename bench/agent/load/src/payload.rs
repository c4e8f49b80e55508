//! Packets as services send them: 60 % counters, 20 % gauges, 20 % timers. The same every time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Metrics over which the series are spread.
const METRICS: usize = 50;
/// Samples that are prepared at least, so that each series comes with several values.
const SAMPLES_MIN: usize = 100_000;

/// What there is to tell.
#[derive(Clone, Copy)]
pub struct Shape {
    pub series: usize,
    /// Tags of each point of the SDK; lines of StatsD have six.
    pub tags: usize,
}

/// One packet, and how many samples it has.
pub struct Packet {
    pub bytes: Vec<u8>,
    pub samples: u64,
}

/// The kinds in the order of metrics: of ten, six are counters, two gauges, two timers.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Counter,
    Gauge,
    Timer,
}

impl Kind {
    fn of(metric: usize) -> Self {
        match metric % 10 {
            0..=5 => Self::Counter,
            6 | 7 => Self::Gauge,
            _ => Self::Timer,
        }
    }

    fn value(self, chance: &mut Chance) -> String {
        match self {
            Self::Counter => (1 + chance.below(20)).to_string(),
            Self::Gauge => format!("{:.1}", chance.below(10_000) as f64 / 10.0),
            Self::Timer => format!("{:.2}", chance.below(100_000) as f64 / 100.0),
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % limit as u64) as usize
    }
}

/// One sample.
struct Sample {
    kind: Kind,
    metric: String,
    value: String,
    series: usize,
}

/// All samples: passes over all series, each in an order by chance.
fn samples(shape: Shape) -> impl Iterator<Item = Sample> {
    let mut chance = Chance(7);
    let mut order: Vec<usize> = (0..shape.series).collect();
    let passes = SAMPLES_MIN.div_ceil(shape.series);
    (0..passes * shape.series).map(move |at| {
        let at = at % shape.series;
        let other = at + chance.below(shape.series - at);
        order.swap(at, other);
        let series = order[at];
        let kind = Kind::of(series % METRICS);
        Sample {
            kind,
            metric: metric(series % METRICS),
            value: kind.value(&mut chance),
            series,
        }
    })
}

fn metric(index: usize) -> String {
    const PARTS: [&str; 5] = [
        "rpc.server",
        "db.client",
        "cache.get",
        "queue.out",
        "http.in",
    ];
    const WHATS: [&str; 10] = [
        "requests",
        "errors",
        "retries",
        "bytes.in",
        "bytes.out",
        "timeouts",
        "inflight",
        "pool.idle",
        "latency",
        "wait.time",
    ];
    format!("{}.{}", PARTS[index / 10], WHATS[index % 10])
}

/// Key and value of the tag of a series: the fourth tells series apart, the others have few values.
fn tag(series: usize, index: usize) -> (String, String) {
    let spread = series / METRICS;
    let (key, value) = match index {
        0 => ("service", format!("checkout{}", spread % 7)),
        1 => ("env", "prod".to_owned()),
        2 => ("zone", format!("eu-{}", spread % 3)),
        3 => ("pod", format!("api-{spread:08x}")),
        4 => ("method", format!("get_cart{}", spread % 9)),
        5 => ("status", format!("{}", 200 + spread % 5)),
        _ => return (format!("label{index}"), format!("v{}", spread % 11)),
    };
    (key.to_owned(), value)
}

/// Lines of StatsD with DogStatsD's tags, in datagrams of at most so many bytes or one by one.
pub fn statsd(shape: Shape, datagram_bytes: Option<usize>) -> Vec<Packet> {
    let mut packets: Vec<Packet> = Vec::new();
    for sample in samples(shape) {
        let line = line(&sample);
        let last = packets
            .last_mut()
            .filter(|last| last.bytes.len() + 1 + line.len() <= datagram_bytes.unwrap_or(0));
        if let Some(last) = last {
            last.bytes.push(b'\n');
            last.bytes.extend_from_slice(line.as_bytes());
            last.samples += 1;
        } else {
            packets.push(Packet {
                bytes: line.into_bytes(),
                samples: 1,
            });
        }
    }
    packets
}

fn line(sample: &Sample) -> String {
    let kind = match sample.kind {
        Kind::Counter => "c",
        Kind::Gauge => "g",
        Kind::Timer => "ms",
    };
    let tags: Vec<String> = (0..6)
        .map(|index| {
            let (key, value) = tag(sample.series, index);
            format!("{key}:{value}")
        })
        .collect();
    format!(
        "{}:{}|{kind}|#{}",
        sample.metric,
        sample.value,
        tags.join(",")
    )
}

/// Points of the SDK, so many in a packet; one alone is bare.
pub fn sdk(shape: Shape, batch: usize) -> Vec<Packet> {
    let points: Vec<Vec<u8>> = samples(shape)
        .map(|sample| point(&sample, shape.tags))
        .collect();
    let packets = points.chunks(batch).map(|points| {
        let mut bytes = Vec::new();
        if batch > 1 {
            array(&mut bytes, points.len());
        }
        bytes.extend(points.concat());
        Packet {
            bytes,
            samples: points.len() as u64,
        }
    });
    packets.collect()
}

fn point(sample: &Sample, tags: usize) -> Vec<u8> {
    let kind = match sample.kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Timer => "timer",
    };
    // The one that tells series apart is among them, however few there are.
    let wanted = &[3, 0, 1, 2, 4, 5][..tags.min(6)];
    let kept = (0..6).filter(|index| wanted.contains(index));
    let tags: Vec<String> = kept
        .chain(6..tags.max(6))
        .map(|index| {
            let (key, value) = tag(sample.series, index);
            format!("{key}={value}")
        })
        .collect();
    let mut bytes = Vec::new();
    array(&mut bytes, 4);
    for part in [kind, &sample.metric, &sample.value, &tags.join("|")] {
        text(&mut bytes, part);
    }
    bytes
}

fn array(bytes: &mut Vec<u8>, count: usize) {
    match count {
        0..=15 => bytes.push(0x90 | count as u8),
        _ => {
            bytes.push(0xdc);
            bytes.extend((count as u16).to_be_bytes());
        }
    }
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    match text.len() {
        0..=31 => bytes.push(0xa0 | text.len() as u8),
        32..=255 => bytes.extend([0xd9, text.len() as u8]),
        _ => {
            bytes.push(0xda);
            bytes.extend((text.len() as u16).to_be_bytes());
        }
    }
    bytes.extend_from_slice(text.as_bytes());
}

/// Writes packets one behind the other, each behind its length.
pub fn save(packets: &[Packet], file: &Path) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut to = BufWriter::new(File::create(file)?);
        for packet in packets {
            to.write_all(&(packet.bytes.len() as u32).to_le_bytes())?;
            to.write_all(&packet.bytes)?;
        }
        to.flush()
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const SHAPE: Shape = Shape {
        series: 3_000,
        tags: 6,
    };

    #[test]
    fn lines_are_as_long_as_those_of_services() {
        let packets = statsd(SHAPE, None);
        let bytes: usize = packets.iter().map(|packet| packet.bytes.len()).sum();
        let mean = bytes / packets.len();
        assert!((100..=115).contains(&mean), "{mean} bytes a line");
    }

    #[test]
    fn every_series_comes_and_no_more() {
        let names = |packet: &Packet| {
            let text = String::from_utf8(packet.bytes.clone()).unwrap();
            let (metric, rest) = text.split_once(':').unwrap();
            let (_, tags) = rest.split_once('#').unwrap();
            format!("{metric} {tags}")
        };
        let series: HashSet<String> = statsd(SHAPE, None).iter().map(names).collect();
        assert_eq!(series.len(), SHAPE.series);
    }

    #[test]
    fn datagrams_are_full_and_no_longer_than_asked_for() {
        let packets = statsd(SHAPE, Some(8192));
        let samples: u64 = packets.iter().map(|packet| packet.samples).sum();
        assert_eq!(samples as usize, statsd(SHAPE, None).len());
        let (_, full) = packets.split_last().unwrap();
        assert!(
            full.iter()
                .all(|packet| (8_000..=8_192).contains(&packet.bytes.len()))
        );
    }

    #[test]
    fn points_have_as_many_tags_as_asked_for() {
        for tags in 1..=16 {
            let packets = sdk(Shape { series: 100, tags }, 1);
            let equals = packets[0]
                .bytes
                .iter()
                .filter(|byte| **byte == b'=')
                .count();
            assert_eq!(equals, tags);
        }
    }
}
