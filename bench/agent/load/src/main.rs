//! Sends prepared metrics to an agent at a set rate or at full speed, and tells what it sent as a line of JSON.
//!
//! All packets exist before the first one is sent, and up to 64 of them go out by one call, so that the load is the
//! agent's and not the generator's. At a set rate it sends what is due about every 100 microseconds, as the clients of a
//! host do together: several packets, then a short silence. Unix datagrams wait for the agent where it is slow, UDP's
//! are lost.

mod payload;
mod send;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};
use payload::Shape;
use send::{Pace, Socket};

/// Sends prepared metrics and tells what it sent
#[derive(Parser)]
struct Args {
    /// unixgram:PATH or udp:ADDRESS:PORT
    #[arg(long)]
    to: String,
    #[arg(long, value_enum, default_value = "statsd")]
    protocol: Protocol,
    /// StatsD: lines that fill a datagram of at most so many bytes; without it, one line per datagram
    #[arg(long)]
    datagram_bytes: Option<usize>,
    /// SDK: points per packet; with 1 each is a bare point
    #[arg(long, default_value_t = 1)]
    batch: usize,
    #[arg(long, default_value_t = 3_000)]
    series: usize,
    /// SDK: tags of each point
    #[arg(long, default_value_t = 6)]
    tags: usize,
    /// Packets a second; without it, as fast as they go
    #[arg(long)]
    rate: Option<f64>,
    /// How long to send
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Send this many packets instead, however long it takes
    #[arg(long)]
    packets: Option<u64>,
    /// Write all packets to this file, each behind its length (u32, little-endian), and send none
    #[arg(long)]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    Statsd,
    Sdk,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if args.series == 0 || args.batch == 0 || args.batch > 65_535 {
        bail!("--series and --batch must be at least 1, and --batch at most 65535");
    }
    let shape = Shape {
        series: args.series,
        tags: args.tags,
    };
    let packets = match args.protocol {
        Protocol::Statsd => payload::statsd(shape, args.datagram_bytes),
        Protocol::Sdk => payload::sdk(shape, args.batch),
    };
    if let Some(file) = &args.save {
        return payload::save(&packets, file);
    }
    let socket = Socket::open(&args.to)?;
    let pace = Pace {
        packets_per_s: args.rate,
        seconds: args.seconds,
        packets_max: args.packets,
    };
    let sent = send::send(&socket, &packets, pace)?;
    println!(
        "{{\"packets\": {}, \"samples\": {}, \"bytes\": {}, \"seconds\": {:.6}, \"refused\": {}}}",
        sent.packets, sent.samples, sent.bytes, sent.seconds, sent.refused
    );
    Ok(())
}
