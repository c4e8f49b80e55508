//! The configuration file: read raw, then meant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hone_agent::flush;
use hone_agent::receive::{Address, Listen, Protocol, SocketFile};
use hone_agent::store::Limits;
use serde::Deserialize;

/// What `config --example` prints.
pub(crate) const EXAMPLE: &str = include_str!("example.toml");

/// A configuration that makes sense.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Length of an interval.
    pub(crate) interval_s: u32,
    pub(crate) flush: flush::Settings,
    pub(crate) limits: Limits,
    pub(crate) workers: usize,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) listen: Vec<Listen>,
    pub(crate) send: Vec<Send>,
}

/// One back end.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Send {
    pub(crate) format: SendFormat,
    pub(crate) address: String,
    #[serde(default = "timeout_s")]
    pub(crate) timeout_s: u64,
    #[serde(default = "queue_bytes")]
    pub(crate) queue_bytes: u64,
    pub(crate) queue_directory: Option<PathBuf>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
}

fn timeout_s() -> u64 {
    10
}

fn queue_bytes() -> u64 {
    64 << 20
}

/// What a back end speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SendFormat {
    RemoteWrite,
    #[serde(rename = "remote-write-2")]
    RemoteWrite2,
    VictoriaMetrics,
    Graphite,
    Relay,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Raw {
    aggregate: RawAggregate,
    limits: RawLimits,
    labels: BTreeMap<String, String>,
    listen: Option<Vec<RawListen>>,
    send: Vec<Send>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawAggregate {
    interval_s: u32,
    quantiles: Vec<f64>,
    expires_after_s: u32,
    distributions_expire_after_s: u32,
    workers: usize,
}

impl Default for RawAggregate {
    fn default() -> Self {
        Self {
            interval_s: 10,
            quantiles: flush::Settings::default().quantiles,
            expires_after_s: 300,
            distributions_expire_after_s: 60,
            workers: 0,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawLimits {
    series: usize,
    series_per_metric: usize,
    series_per_process: usize,
}

impl Default for RawLimits {
    fn default() -> Self {
        let Limits {
            series_max,
            per_metric_max,
            per_origin_max,
        } = Limits::default();
        Self {
            series: series_max,
            series_per_metric: per_metric_max,
            series_per_process: per_origin_max,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawListen {
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
    #[serde(default = "packet_bytes")]
    packet_bytes: usize,
    #[serde(default = "shards")]
    shards: usize,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawProtocol {
    Sdk,
    Statsd,
    Either,
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

fn packet_bytes() -> usize {
    8192
}

fn shards() -> usize {
    1
}

impl Config {
    /// Reads a file; without one, what the example says.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Self::parse("");
        };
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    /// Reads a text.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let raw: Raw = toml::from_str(text)?;
        let RawAggregate {
            interval_s,
            quantiles,
            expires_after_s,
            distributions_expire_after_s,
            workers,
        } = raw.aggregate;
        if interval_s == 0 || interval_s > 3600 {
            bail!("aggregate.interval_s is {interval_s}; it can be 1 to 3600");
        }
        let rising = quantiles.windows(2).all(|pair| pair[0] < pair[1]);
        if !rising
            || quantiles
                .iter()
                .any(|quantile| !(0.0..=1.0).contains(quantile))
        {
            bail!("aggregate.quantiles must rise from 0 to 1");
        }
        let listen = match raw.listen {
            Some(listen) => listen,
            None => toml::from_str::<Raw>(EXAMPLE)?.listen.unwrap_or_default(),
        };
        let listen: Vec<Listen> = listen.iter().map(RawListen::meant).collect::<Result<_>>()?;
        if let Some(name) = first_twice(listen.iter().map(|listen| &listen.name)) {
            bail!("two [[listen]] are called {name}; give one of them another `name`");
        }
        if let Some(address) = first_twice(raw.send.iter().map(|send| &send.address)) {
            bail!("two [[send]] go to {address}; remove one of them");
        }
        if let Some(send) = raw.send.iter().find(|send| send.timeout_s == 0) {
            bail!(
                "send.timeout_s of {} is 0; an attempt needs at least 1",
                send.address
            );
        }
        let mut labels = raw.labels;
        if !labels.contains_key("host") {
            labels.insert("host".into(), host());
        }
        Ok(Self {
            interval_s,
            flush: flush::Settings {
                quantiles,
                expires_after: expires_after_s.div_ceil(interval_s).max(1),
                distributions_expire_after: distributions_expire_after_s
                    .div_ceil(interval_s)
                    .max(1),
            },
            limits: Limits {
                series_max: raw.limits.series,
                per_metric_max: raw.limits.series_per_metric,
                per_origin_max: raw.limits.series_per_process,
            },
            workers,
            labels: labels.into_iter().collect(),
            listen,
            send: raw.send,
        })
    }
}

/// The first that is there twice: what counts them could not tell one from the other.
fn first_twice<'a>(mut names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut seen = BTreeSet::new();
    names.find(|name| !seen.insert(*name))
}

/// What this machine calls itself.
fn host() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

impl RawListen {
    fn meant(&self) -> Result<Listen> {
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
        };
        let name = self.name.as_ref().unwrap_or(&self.address);
        if name.is_empty() || name.contains(char::is_control) {
            bail!("listen.name {name:?} is empty or has control characters; use words");
        }
        let mut listen = Listen::new(name, address, protocol);
        listen.receive_buffer_bytes = Some(self.receive_buffer_bytes);
        listen.packet_bytes_max = self.packet_bytes;
        listen.shards = self.shards;
        Ok(listen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_says_what_holds_without_a_file() {
        let of = |text: &str| format!("{:?}", Config::parse(text).unwrap());
        assert_eq!(of(EXAMPLE), of(""));
    }

    #[test]
    fn every_key_without_a_default_can_be_uncommented() {
        let keys = EXAMPLE.replace("\n# [[send]]", "\n[[send]]");
        let uncommented: Vec<&str> = keys
            .lines()
            .map(|line| {
                let key = line.strip_prefix("# ").filter(|rest| {
                    let name = rest.split(" = ").next().unwrap_or_default();
                    rest.contains(" = ") && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
                });
                key.unwrap_or(line)
            })
            .collect();
        let config = Config::parse(&uncommented.join("\n")).unwrap();
        assert_eq!(config.send.len(), 1);
        assert_eq!(config.send[0].format, SendFormat::VictoriaMetrics);
        assert_eq!(config.labels, [("host".to_owned(), "name".to_owned())]);
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, complaint) in [
            ("[aggregate]\ninterval_s = 0", "interval_s is 0"),
            ("[aggregate]\nquantiles = [0.9, 0.5]", "must rise"),
            ("[aggregat]", "aggregat"),
            ("[[listen]]\naddress = \"8125\"", "unixgram:"),
            ("[[listen]]\naddress = \"udp:8125\"", "127.0.0.1:8125"),
            (
                "[[listen]]\naddress = \"unix:/x\"\nmode = \"rw\"",
                "not octal",
            ),
            ("[[send]]\naddress = \"x\"\nformat = \"influx\"", "influx"),
            (
                "[[send]]\naddress = \"x\"\nformat = \"relay\"\ntimeout_s = 0",
                "timeout_s of x is 0",
            ),
            (
                &"[[send]]\naddress = \"x\"\nformat = \"relay\"\n".repeat(2),
                "two [[send]] go to x",
            ),
            (
                &"[[listen]]\naddress = \"udp:127.0.0.1:0\"\n".repeat(2),
                "another `name`",
            ),
            (
                "[[listen]]\naddress = \"udp:127.0.0.1:0\"\nname = \"a\\u0000\"",
                "control characters",
            ),
        ] {
            let error = Config::parse(text).unwrap_err();
            assert!(format!("{error:#}").contains(complaint), "{error:#}");
        }
    }
}
