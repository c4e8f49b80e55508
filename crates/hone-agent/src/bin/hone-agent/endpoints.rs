//! Back ends of the configuration become outlets.

use std::time::Duration;

use anyhow::{Context, Result};
use hone_agent::compress::Compression;
use hone_agent::send::queue::{DiskOptions, DiskQueue, Fsync, MemoryQueue, Queue};
use hone_agent::send::{
    Dialect, Endpoint, Http, HttpOptions, Lines, Outlet, OutletOptions, Relay, Retry, Sender,
    TcpOptions, Tls,
};
use hone_agent::wire::{Format, Options};

use crate::config::{Config, Send, SendFormat};

/// zstd's own default.
const ZSTD_LEVEL: i32 = 3;

/// Points of one body: a few hundred kilobytes before they are packed.
const POINTS_MAX: usize = 5_000;

/// The outlet of each back end, with its name.
pub(crate) fn open(config: &Config, started_ms: i64) -> Result<Vec<(String, Outlet)>> {
    let outlets = config.send.iter().map(|send| {
        let outlet = outlet(config, send, started_ms);
        outlet
            .map(|outlet| (send.address.clone(), outlet))
            .with_context(|| format!("send to {}", send.address))
    });
    outlets.collect()
}

fn outlet(config: &Config, send: &Send, started_ms: i64) -> Result<Outlet> {
    let (format, compression) = match send.format {
        SendFormat::RemoteWrite => (Format::RemoteWrite1, Compression::Snappy),
        SendFormat::RemoteWrite2 => (Format::RemoteWrite2, Compression::Snappy),
        SendFormat::VictoriaMetrics => (Format::RemoteWrite1, Compression::Zstd(ZSTD_LEVEL)),
        SendFormat::Graphite => (Format::Graphite, Compression::None),
        SendFormat::Relay => (Format::Relay, Compression::Zstd(ZSTD_LEVEL)),
    };
    let queue = match &send.queue_directory {
        None => Queue::Memory(MemoryQueue::new(send.queue_bytes)),
        Some(directory) => Queue::Disk(DiskQueue::open(DiskOptions {
            directory: directory.clone(),
            bytes_max: send.queue_bytes,
            fsync: Fsync::default(),
        })?),
    };
    let sender = Sender::start(&send.address, endpoint(send)?, queue, Retry::default())?;
    let options = OutletOptions {
        format,
        wire: Options {
            labels: config.labels.clone(),
            started_ms,
            ..Options::default()
        },
        compression,
        points_max: POINTS_MAX,
    };
    Ok(Outlet::new(options, sender)?)
}

fn endpoint(send: &Send) -> Result<Box<dyn Endpoint>> {
    let timeout = Duration::from_secs(send.timeout_s);
    let http = |dialect| {
        Http::new(&HttpOptions {
            address: send.address.clone(),
            dialect,
            headers: send.headers.clone().into_iter().collect(),
            tls: Tls::default(),
            timeout,
        })
    };
    let tcp = TcpOptions {
        address: send.address.clone(),
        tls: None,
        timeout,
    };
    Ok(match send.format {
        SendFormat::RemoteWrite => Box::new(http(Dialect::RemoteWrite1)?),
        SendFormat::RemoteWrite2 => Box::new(http(Dialect::RemoteWrite2)?),
        SendFormat::VictoriaMetrics => Box::new(http(Dialect::VictoriaMetrics)?),
        SendFormat::Graphite => Box::new(Lines::new(&tcp)?),
        SendFormat::Relay => Box::new(Relay::new(&tcp)?),
    })
}
