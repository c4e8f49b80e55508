//! An agent as one writes it first, and the cures that ByteDance's article names, each to be switched on alone.
//!
//! ```text
//! Unix datagrams -> receiver -> channel -> worker: parse, tags, store -> (interval ends) encode, pack, count bytes
//! ```
//!
//! It does hone-agent's job on the SDK's protocol as far as its load goes: counters, gauges and timers. Without cures it
//! copies each string of a msgpack object, hands every packet to its worker by itself, looks at tags byte by byte, keeps
//! each key and each value as a string of its own, and packs by zlib. Sockets, channel, maps, quantiles and the format of
//! what is sent are the same with and without.

mod flush;
mod parse;
mod receive;
mod store;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Parser, ValueEnum};
use store::Store;

/// Packets or batches that may wait for the worker.
const WAITING_MAX: usize = 1024;
/// How often threads look whether they shall end.
const TICK: Duration = Duration::from_millis(50);

/// A first agent, with cures
#[derive(Parser)]
struct Args {
    /// Path of the Unix datagram socket
    #[arg(long)]
    listen: PathBuf,
    /// Which cures are on
    #[arg(long, value_enum, value_delimiter = ',')]
    cures: Vec<Cure>,
    #[arg(long, default_value_t = 3)]
    interval_s: u64,
}

/// What hone-agent does otherwise.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cure {
    /// Points are read where they lie.
    InPlace,
    /// Small packets become one batch before the worker is woken.
    Merge,
    /// Separators of tags are found with vectors.
    Simd,
    /// The tags of a series lie in one buffer.
    OneBuffer,
    /// zstd instead of zlib.
    Zstd,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let has = |cure| args.cures.contains(&cure);
    let end = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&end))?;
    }
    let (packets, received) = sync_channel(WAITING_MAX);
    let socket = receive::open(&args.listen)?;
    eprintln!("listening at {}", args.listen.display());
    let merges = has(Cure::Merge);
    let receiver = thread::spawn(move || receive::run(&socket, merges, &packets, &end));
    let mut store = Store::new(has(Cure::Simd), has(Cure::OneBuffer));
    let mut packer = flush::Packer::new(has(Cure::Zstd))?;
    let interval = Duration::from_secs(args.interval_s);
    let mut flushes_at = Instant::now() + interval;
    loop {
        match received.recv_timeout(TICK) {
            Ok(packet) if has(Cure::InPlace) => parse::in_place(&packet, &mut store),
            Ok(packet) => parse::copying(&packet, &mut store),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if Instant::now() >= flushes_at {
            flushes_at += interval;
            packer.flush(&mut store, interval)?;
        }
    }
    packer.flush(&mut store, interval)?;
    receiver.join().expect("the receiver does not panic")?;
    println!(
        "account: {} stored, {} malformed, {} bytes sent",
        store.stored, store.malformed, packer.bytes
    );
    Ok(())
}

fn is_over(end: &AtomicBool) -> bool {
    end.load(Ordering::Relaxed)
}
