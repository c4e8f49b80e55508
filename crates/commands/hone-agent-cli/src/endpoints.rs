//! Outlets for the back ends of the configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_agent::compress::Compression;
use hone_agent::notices::Notices;
use hone_agent::send::queue::{DiskOptions, DiskQueue, MemoryQueue, Queue};
use hone_agent::send::{
    Dialect, Endpoint, Http, HttpOptions, Lines, Outlet, OutletOptions, Relay, Retry, Sender,
    TcpOptions, text_without_secrets, without_secrets,
};
use hone_agent::wire::{Format, Options};

use crate::config::{Config, Send, SendFormat};

/// The fastest level that is not negative: bodies whose series are in order pack no better at level 3, for nearly twice
/// the CPU time (`bench/results/agent/wire.md`).
const ZSTD_LEVEL: i32 = 1;

/// Points of one body: a few hundred kilobytes before compression.
pub(crate) const POINTS_MAX: usize = 5_000;

/// Opens the outlet of a back end. The outlet begins at once to send what its queue holds.
pub(crate) fn outlet(labels: &[(String, String)], send: &Send, started_ms: i64) -> Result<Outlet> {
    let outlet = opened(labels, send, started_ms);
    outlet.with_context(|| format!("send to {}", send.name()))
}

fn opened(labels: &[(String, String)], send: &Send, started_ms: i64) -> Result<Outlet> {
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
            fsync: send.fsync(),
        })?),
    };
    let sender = Sender::start(&send.name(), endpoint(send)?, queue, Retry::default())?;
    let options = OutletOptions {
        format,
        wire: Options {
            labels: labels.to_vec(),
            buckets: send.buckets(),
            names: send.names(),
            started_ms,
        },
        compression,
        points_max: POINTS_MAX,
    };
    Ok(Outlet::new(options, sender)?)
}

/// Name of the webhook in figures and log lines.
pub(crate) const NOTICES: &str = "events";

/// Starts the webhook for events and service checks, if one is configured.
pub(crate) fn notices(config: &Config) -> Result<Option<Arc<Notices>>> {
    let Some(events) = &config.events else {
        return Ok(None);
    };
    let labels = config.labels.clone();
    let notices = Notices::start(
        &events.webhook,
        events.queue_bytes,
        labels,
        Retry::default(),
    );
    let shown = || {
        let shown = without_secrets(&events.webhook.address);
        format!(
            "events.webhook {shown} cannot be used; give it an address that begins with http://, and valid headers"
        )
    };
    Ok(Some(Arc::new(notices.map_err(|_| anyhow!(shown()))?)))
}

/// Makes the endpoint of a back end. Nothing is sent yet.
pub(crate) fn endpoint(send: &Send) -> Result<Box<dyn Endpoint>> {
    let endpoint = made(send);
    endpoint.map_err(|error| anyhow!(text_without_secrets(&format!("{error:#}"), &send.address)))
}

fn made(send: &Send) -> Result<Box<dyn Endpoint>> {
    let timeout = Duration::from_secs(send.timeout_s);
    let tls = send.tls.as_ref().map(|tls| tls.0.clone());
    let http = |dialect| {
        Http::new(&HttpOptions {
            address: send.address.clone(),
            dialect,
            falls_back: send.falls_back.then(|| send.buckets()),
            headers: send.headers.clone().into_iter().collect(),
            tls: tls.clone().unwrap_or_default(),
            timeout,
        })
    };
    let tcp = TcpOptions {
        address: send.address.clone(),
        tls: tls.clone(),
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
