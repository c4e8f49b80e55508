//! `[[listen]]` of the configuration.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_agent::receive::{Address, Framing, Listen, Protocol, Secure, SocketFile, StreamLimits};
use hone_agent::wire::relay::frame::PACKED_BYTES_MAX;
use serde::Deserialize;

use super::tls::TlsOfFiles;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawListen {
    name: Option<String>,
    address: String,
    #[serde(default = "either")]
    protocol: RawProtocol,
    #[serde(default = "mode")]
    mode: String,
    owner: Option<u32>,
    group: Option<u32>,
    #[serde(default = "receive_buffer_bytes")]
    receive_buffer_bytes: usize,
    packet_bytes: Option<usize>,
    #[serde(default = "shards")]
    shards: usize,
    #[serde(default = "connections")]
    connections: usize,
    #[serde(default = "idle_s")]
    idle_s: u64,
    #[serde(default)]
    framing: RawFraming,
    tls: Option<TlsOfFiles>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawProtocol {
    Sdk,
    Statsd,
    Either,
    Relay,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawFraming {
    #[default]
    Auto,
    Length,
    Lines,
}

fn either() -> RawProtocol {
    RawProtocol::Either
}

fn mode() -> String {
    "0622".into()
}

fn receive_buffer_bytes() -> usize {
    4 << 20
}

fn shards() -> usize {
    1
}

fn connections() -> usize {
    1024
}

fn idle_s() -> u64 {
    300
}

impl RawListen {
    /// Checks the section and returns its listener.
    pub(super) fn meant(&self) -> Result<Listen> {
        let what = || format!("listen.address {}", self.address);
        let (scheme, place) = self
            .address
            .split_once(':')
            .ok_or_else(|| anyhow!("unixgram:, unix:, udp: or tcp: must stand before it"))
            .with_context(what)?;
        let file = || -> Result<SocketFile> {
            let mode = u32::from_str_radix(&self.mode, 8);
            let mode = mode.with_context(|| format!("mode {} is not octal", self.mode))?;
            Ok(SocketFile {
                path: place.into(),
                mode,
                owner: self.owner,
                group: self.group,
            })
        };
        let socket = || {
            let address = place.parse::<SocketAddr>();
            address.context("ADDRESS:PORT is wanted, such as 127.0.0.1:8125 or [::1]:8125")
        };
        let address = match scheme {
            "unixgram" => Address::UnixDatagram(file().with_context(what)?),
            "unix" => Address::UnixStream(file().with_context(what)?),
            "udp" => Address::Udp(socket().with_context(what)?),
            "tcp" => Address::Tcp(socket().with_context(what)?),
            _ => {
                return Err(anyhow!("unixgram:, unix:, udp: or tcp: is wanted")).with_context(what);
            }
        };
        let protocol = match self.protocol {
            RawProtocol::Sdk => Protocol::Sdk,
            RawProtocol::Statsd => Protocol::Statsd,
            RawProtocol::Either => Protocol::Either,
            RawProtocol::Relay => Protocol::Relay,
        };
        let name = self.name.as_ref().unwrap_or(&self.address);
        if name.is_empty() || name.contains(char::is_control) {
            bail!("listen.name {name:?} is empty or has control characters; use words");
        }
        let mut listen = Listen::new(name, address, protocol);
        listen.receive_buffer_bytes = Some(self.receive_buffer_bytes);
        listen.packet_bytes_max = self.packet_bytes.unwrap_or(match protocol {
            Protocol::Relay => PACKED_BYTES_MAX,
            _ => listen.packet_bytes_max,
        });
        listen.shards = self.shards;
        if self.idle_s == 0 {
            bail!("listen.idle_s of {name} is 0; a connection may be silent for at least 1");
        }
        listen.stream = StreamLimits {
            connections_max: self.connections,
            idle: Duration::from_secs(self.idle_s),
        };
        listen.framing = match self.framing {
            RawFraming::Auto => Framing::Auto,
            RawFraming::Length => Framing::Length,
            RawFraming::Lines => Framing::Lines,
        };
        let tls = self.tls.as_ref();
        let tls = tls.map(|tls| Secure::new(tls.0.clone())).transpose();
        listen.tls = tls.with_context(|| format!("listen.tls of {name}"))?;
        Ok(listen)
    }
}
