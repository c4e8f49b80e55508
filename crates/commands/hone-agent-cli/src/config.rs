//! The configuration file: parsed into raw types first, then checked.

mod events;
mod http;
mod labels;
mod listen;
mod profiles;
mod rewrite;
mod send;
mod services;
mod tls;
pub(crate) mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_agent::flush;
use hone_agent::receive::{Listen, Work};
use hone_agent::rewrite::Rewrite;
use hone_agent::sample::Kind;
use hone_agent::send::without_secrets;
use hone_agent::store::Limits;
use serde::Deserialize;

use crate::endpoints::NOTICES;
pub(crate) use events::Events;
use events::RawEvents;
pub(crate) use http::Metrics;
use http::RawHttp;
use listen::RawListen;
pub(crate) use profiles::Profiles;
use profiles::RawProfiles;
use rewrite::RawRewrite;
pub(crate) use send::{Send, SendFormat};
use services::RawServices;

/// Longest time that packets may wait for others to be merged with. A waiting packet belongs to the interval in which
/// it is handled.
const MERGE_WAIT_MAX_MS: u64 = 1000;

/// Text that `config --example` prints.
pub(crate) const EXAMPLE: &str = include_str!("example.toml");

/// A configuration that was checked.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Config {
    /// Length of an interval, in seconds.
    pub(crate) interval_s: u32,
    pub(crate) flush: flush::Settings,
    pub(crate) limits: Limits,
    /// Rules for the series of clients.
    pub(crate) rewrite: Rewrite,
    /// Settings of the threads that handle packets.
    pub(crate) work: Work,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) listen: Vec<Listen>,
    pub(crate) send: Vec<Send>,
    /// Address of the HTTP server, if there is one.
    pub(crate) http: Option<SocketAddr>,
    pub(crate) metrics: Metrics,
    /// Webhook for events and service checks, if there is one.
    pub(crate) events: Option<Events>,
    /// Key of the tag for containers that samples name, if that tag is wanted.
    pub(crate) container_tag: Option<String>,
    /// Settings of the report about services; `None` if services are not reported.
    pub(crate) services: Option<hone_agent::services::Settings>,
    /// Settings of the collector of profiles, if there is a hub.
    pub(crate) profiles: Option<Profiles>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Raw {
    aggregate: RawAggregate,
    limits: RawLimits,
    labels: BTreeMap<String, String>,
    rewrite: RawRewrite,
    listen: Option<Vec<RawListen>>,
    send: Vec<Send>,
    http: RawHttp,
    events: RawEvents,
    services: RawServices,
    profiles: RawProfiles,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawAggregate {
    interval_s: u32,
    quantiles: Vec<f64>,
    expires_after_s: u32,
    distributions_expire_after_s: u32,
    expires_after_s_of: ExpiresOf,
    container_tag: String,
    workers: usize,
    merge_wait_ms: u64,
}

impl Default for RawAggregate {
    fn default() -> Self {
        Self {
            interval_s: 10,
            quantiles: flush::Settings::default().quantiles,
            expires_after_s: 300,
            distributions_expire_after_s: 60,
            expires_after_s_of: ExpiresOf::default(),
            container_tag: String::new(),
            workers: 0,
            merge_wait_ms: 0,
        }
    }
}

/// Seconds after which series of a type expire; `None` for a type without a time of its own.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ExpiresOf {
    counter: Option<u32>,
    rate: Option<u32>,
    gauge: Option<u32>,
    timer: Option<u32>,
    histogram: Option<u32>,
    distribution: Option<u32>,
    set: Option<u32>,
}

impl ExpiresOf {
    fn each(self) -> impl Iterator<Item = (Kind, u32)> {
        let each = [
            (Kind::Counter, self.counter),
            (Kind::Rate, self.rate),
            (Kind::Gauge, self.gauge),
            (Kind::Timer, self.timer),
            (Kind::Histogram, self.histogram),
            (Kind::Distribution, self.distribution),
            (Kind::Set, self.set),
        ];
        each.into_iter()
            .filter_map(|(kind, seconds)| Some((kind, seconds?)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawLimits {
    series: usize,
    series_per_metric: usize,
    series_per_process: usize,
    text_bytes: usize,
}

impl Default for RawLimits {
    fn default() -> Self {
        let Limits {
            series_max,
            per_metric_max,
            per_origin_max,
            text_bytes_max,
        } = Limits::default();
        Self {
            series: series_max,
            series_per_metric: per_metric_max,
            series_per_process: per_origin_max,
            text_bytes: text_bytes_max,
        }
    }
}

impl Config {
    /// Reads and checks a configuration file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    /// Parses and checks the text of a configuration file.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let raw: Raw = toml::from_str(text).map_err(|error| without_the_line(text, &error))?;
        let RawAggregate {
            interval_s,
            quantiles,
            expires_after_s,
            distributions_expire_after_s,
            expires_after_s_of,
            container_tag,
            workers,
            merge_wait_ms,
        } = raw.aggregate;
        if interval_s == 0 || interval_s > 3600 {
            bail!("aggregate.interval_s is {interval_s}; it can be 1 to 3600");
        }
        if merge_wait_ms > MERGE_WAIT_MAX_MS {
            bail!("aggregate.merge_wait_ms is {merge_wait_ms}; it can be 0 to {MERGE_WAIT_MAX_MS}");
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
        listen.iter().try_for_each(Listen::check)?;
        raw.send.iter().try_for_each(Send::check)?;
        if let Some(send) = first_twice(raw.send.iter().map(Send::name)) {
            bail!("two [[send]] are called {send}; give one of them another `name`");
        }
        let events = raw.events.meant()?;
        if events.is_some() && raw.send.iter().any(|send| send.name() == NOTICES) {
            bail!(
                "a [[send]] is called {NOTICES}, as the webhook of [events] is; give it another `name`"
            );
        }
        if let Some(address) = first_twice(raw.send.iter().map(|send| &send.address)) {
            let address = without_secrets(address);
            bail!("two [[send]] go to {address}; remove one of them");
        }
        let intervals = |seconds: u32| seconds.div_ceil(interval_s).max(1);
        let labels = labels::meant(raw.labels)?;
        let profiles = raw.profiles.meant(&labels)?;
        Ok(Self {
            interval_s,
            flush: flush::Settings {
                quantiles,
                expires_after: intervals(expires_after_s),
                distributions_expire_after: intervals(distributions_expire_after_s),
                expire_after_of: expires_after_s_of
                    .each()
                    .map(|(kind, seconds)| (kind, intervals(seconds)))
                    .collect(),
            },
            limits: Limits {
                series_max: raw.limits.series,
                per_metric_max: raw.limits.series_per_metric,
                per_origin_max: raw.limits.series_per_process,
                text_bytes_max: raw.limits.text_bytes,
            },
            rewrite: raw.rewrite.meant()?,
            work: Work {
                workers,
                merge_wait: Duration::from_millis(merge_wait_ms),
                ..Work::default()
            },
            labels: labels.into_iter().collect(),
            listen,
            send: raw.send,
            http: raw.http.meant()?,
            metrics: raw.http.metrics(),
            events,
            container_tag: key_of_containers(container_tag)?,
            services: raw.services.meant()?,
            profiles,
        })
    }
}

/// Checks the key of the tag for containers. An empty key means no tag.
fn key_of_containers(key: String) -> Result<Option<String>> {
    let is_of_a_key = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if key.len() > 128 || !key.chars().all(is_of_a_key) {
        bail!(
            "aggregate.container_tag is {key:?}; a key of letters, digits, dots and underscores is wanted, such as \
             \"container_id\", or \"\" for none"
        );
    }
    Ok((!key.is_empty()).then_some(key))
}

/// Returns a TOML error with its line number, but without the text of that line, which may hold a password.
fn without_the_line(text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map(|before| 1 + before.matches('\n').count());
    match line {
        Some(line) => anyhow!("line {line}: {}", error.message()),
        None => anyhow!("{}", error.message()),
    }
}

/// Returns the first name that occurs twice: counters are kept by name and could not tell the two apart.
fn first_twice<N: Ord + Clone>(mut names: impl Iterator<Item = N>) -> Option<N> {
    let mut seen = BTreeSet::new();
    names.find(|name| !seen.insert(name.clone()))
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
    fn the_packaged_configuration_takes_the_packaged_socket() {
        let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../packaging/systemd");
        let config = Config::read(&packaging.join("agent.toml")).unwrap();
        let socket = fs::read_to_string(packaging.join("hone-agent.socket")).unwrap();
        let said = |key: &str| {
            socket
                .lines()
                .find_map(|line| line.strip_prefix(key))
                .unwrap()
        };
        let name = said("FileDescriptorName=");
        let listen = config.listen.iter().find(|listen| listen.name == name);
        let path = said("ListenDatagram=");
        assert_eq!(
            listen.unwrap().address.to_string(),
            format!("unixgram:{path}")
        );
    }

    #[test]
    fn every_key_without_a_default_can_be_uncommented() {
        let keys = EXAMPLE.replace("\n# [[send]]", "\n[[send]]");
        // The keys of `tls` name files, which would have to exist.
        let uncommented: Vec<&str> = keys
            .lines()
            .filter(|line| !line.contains("\"FILE\""))
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

    /// The keys of a section are read from the parser's own error message about an unknown key.
    #[test]
    fn every_key_that_there_is_stands_in_the_example() {
        let send = "[[send]]\nformat = \"relay\"\naddress = \"x:1\"\n";
        let mut keys = 0;
        for (section, unknown) in [
            ("", "none = 1"),
            ("[aggregate]\n", "none = 1"),
            ("[aggregate]\n", "expires_after_s_of = { none = 1 }"),
            ("[limits]\n", "none = 1"),
            ("[http]\n", "none = 1"),
            ("[events]\n", "none = 1"),
            ("[services]\n", "none = 1"),
            ("[profiles]\n", "none = 1"),
            ("[profiles]\n", "rules = [{ none = 1 }]"),
            ("[[listen]]\naddress = \"udp:127.0.0.1:0\"\n", "none = 1"),
            (send, "none = 1"),
            (send, "tls = { none = 1 }"),
        ] {
            let error = Config::parse(&format!("{section}{unknown}")).unwrap_err();
            let said = format!("{error:#}");
            let (_, expected) = said.split_once("expected").expect(&said);
            for key in expected.split('`').skip(1).step_by(2) {
                let forms = [
                    format!("[{key}]"),
                    format!("{key} = "),
                    // A comment of the example may list several keys.
                    format!(" {key},"),
                    format!(" {key}."),
                ];
                let is_there = forms.iter().any(|text| EXAMPLE.contains(text));
                assert!(is_there, "{key} of {section:?} is not in the example");
                keys += 1;
            }
        }
        assert!(keys > 40, "{keys}");
    }

    #[test]
    fn a_type_expires_after_its_own_time() {
        let text = "[aggregate]\nexpires_after_s_of = { gauge = 3600, timer = 5, set = 61 }";
        let of = Config::parse(text).unwrap().flush.expire_after_of;
        let expected = [(Kind::Gauge, 360), (Kind::Timer, 1), (Kind::Set, 7)];
        assert_eq!(of, expected.into());
    }

    #[test]
    fn a_complaint_shows_no_line_with_a_password() {
        let text = "[aggregate]\n[[send]]\nadress = \"http://me:secret@b\"\n";
        let said = format!("{:#}", Config::parse(text).unwrap_err());
        assert!(!said.contains("secret"), "{said}");
        assert!(said.contains("line 3") && said.contains("adress"), "{said}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, complaint) in [
            ("[aggregate]\ninterval_s = 0", "interval_s is 0"),
            ("[aggregate]\nquantiles = [0.9, 0.5]", "must rise"),
            ("[aggregate]\nmerge_wait_ms = 5000", "it can be 0 to 1000"),
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
                "two [[send]] are called x",
            ),
            (
                "[[send]]\naddress = \"x\"\nformat = \"relay\"\n\
                 [[send]]\naddress = \"x\"\nname = \"y\"\nformat = \"relay\"\n",
                "two [[send]] go to x",
            ),
            ("[http]\nlisten = \"8126\"", "127.0.0.1:8126"),
            ("[http]\nmetrics = \"none\"", "`own` or `all`"),
            (
                "[aggregate]\ncontainer_tag = \"a:b\"",
                "container_tag is \"a:b\"",
            ),
            (
                "[events]\nwebhook = \"http://x\"\nattempts = 0",
                "at least 1",
            ),
            (
                "[[listen]]\naddress = \"unix:/x\"\nprotocol = \"sdk\"\nframing = \"lines\"",
                "leave framing out",
            ),
            (
                "[[listen]]\naddress = \"unix:/x\"\npacket_bytes = 200_000_000",
                "set framing",
            ),
            (
                "[[listen]]\naddress = \"unix:/x\"\nidle_s = 0",
                "idle_s of unix:/x is 0",
            ),
            (
                "[[listen]]\naddress = \"tcp:127.0.0.1:0\"\ntls = {}",
                "no own certificates",
            ),
            (
                "[[listen]]\naddress = \"tcp:127.0.0.1:0\"\ntls = { key = \"k\" }",
                "belong together",
            ),
            (
                "[[send]]\naddress = \"http://x\"\nformat = \"remote-write\"\ntls = {}",
                "not https://",
            ),
            (
                "[[send]]\naddress = \"x:1\"\nformat = \"relay\"\ntls = { authorities = \"/nowhere\" }",
                "cannot read /nowhere",
            ),
            (
                &"[[listen]]\naddress = \"udp:127.0.0.1:0\"\n".repeat(2),
                "another `name`",
            ),
            ("[services]\nwork = [\"hits\"]", "report = true"),
            ("[services]\nservices = 0", "services is 0"),
            ("[labels]\nzone = \"a\\n\"", "control characters"),
            (
                &format!("[labels]\nzone = \"{}\"", "x".repeat(5_000)),
                "there can be 64 of 4096 bytes",
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
