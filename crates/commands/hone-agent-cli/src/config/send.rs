//! `[[send]]` of the configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use hone_agent::send::queue::Fsync;
use hone_agent::send::without_secrets;
use hone_agent::wire::NameForm;
use hone_agent::wire::buckets::BucketSeries;
use serde::Deserialize;

use super::tls::TlsOfFiles;

/// Settings of a back end.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Send {
    name: Option<String>,
    pub(crate) format: SendFormat,
    /// Address of the back end. May hold a password, so messages show the name instead.
    pub(crate) address: String,
    #[serde(default = "timeout_s")]
    pub(crate) timeout_s: u64,
    #[serde(default = "queue_bytes")]
    pub(crate) queue_bytes: u64,
    pub(crate) queue_directory: Option<PathBuf>,
    #[serde(default)]
    fsync: RawFsync,
    #[serde(default)]
    buckets: RawBuckets,
    #[serde(default)]
    names: RawNames,
    /// Remote write 2.0 and VictoriaMetrics: true if 1.0 is sent where the back end refuses these formats.
    #[serde(default = "falls_back")]
    pub(crate) falls_back: bool,
    /// TLS settings. Graphite and relay use TLS if this is set; HTTP uses TLS if its address begins with `https:`.
    pub(crate) tls: Option<TlsOfFiles>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
}

fn timeout_s() -> u64 {
    10
}

fn queue_bytes() -> u64 {
    64 << 20
}

fn falls_back() -> bool {
    true
}

/// Format that a back end accepts.
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

impl SendFormat {
    /// Returns the name of the format for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RemoteWrite => "remote write 1.0",
            Self::RemoteWrite2 => "remote write 2.0",
            Self::VictoriaMetrics => "VictoriaMetrics' zstd",
            Self::Graphite => "Graphite's lines",
            Self::Relay => "the relay's frames",
        }
    }
}

/// Choice of when the queue's files are forced to the disk itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawFsync {
    Never,
    #[default]
    Segments,
    Always,
}

/// Representation of buckets in remote write 1.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawBuckets {
    #[default]
    Vmrange,
    Le,
    None,
}

/// Form of names in Prometheus' formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
enum RawNames {
    #[default]
    #[serde(rename = "underscores")]
    Underscores,
    #[serde(rename = "utf-8")]
    Utf8,
}

impl Send {
    /// Returns when the queue's files are forced to the disk.
    pub(crate) fn fsync(&self) -> Fsync {
        match self.fsync {
            RawFsync::Never => Fsync::Never,
            RawFsync::Segments => Fsync::Segments,
            RawFsync::Always => Fsync::Always,
        }
    }

    /// Returns the representation of buckets, for formats without histograms.
    pub(crate) fn buckets(&self) -> BucketSeries {
        match self.buckets {
            RawBuckets::Vmrange => BucketSeries::VmRange,
            RawBuckets::Le => BucketSeries::Le,
            RawBuckets::None => BucketSeries::None,
        }
    }

    /// Returns the form of names, for Prometheus' formats.
    pub(crate) fn names(&self) -> NameForm {
        match self.names {
            RawNames::Underscores => NameForm::Underscores,
            RawNames::Utf8 => NameForm::Utf8,
        }
    }

    /// Takes the settings that only a restart can change from the running back end; returns the names of those that
    /// differ.
    pub(crate) fn keep_from(&mut self, running: &Self) -> Vec<&'static str> {
        let mut other = Vec::new();
        if self.queue_bytes != running.queue_bytes {
            self.queue_bytes = running.queue_bytes;
            other.push("send.queue_bytes");
        }
        if self.fsync != running.fsync {
            self.fsync = running.fsync;
            other.push("send.fsync");
        }
        if self.buckets != running.buckets {
            self.buckets = running.buckets;
            other.push("send.buckets");
        }
        if self.names != running.names {
            self.names = running.names;
            other.push("send.names");
        }
        other
    }

    /// True if the format is sent over HTTP.
    pub(crate) fn is_http(&self) -> bool {
        !matches!(self.format, SendFormat::Graphite | SendFormat::Relay)
    }

    /// Returns the name for figures and log lines: the configured name, or else the address without its secrets.
    pub(crate) fn name(&self) -> String {
        let name = self.name.clone();
        name.unwrap_or_else(|| without_secrets(&self.address))
    }

    /// Refuses settings that make no sense.
    pub(super) fn check(&self) -> Result<()> {
        let name = self.name();
        if name.is_empty() || name.contains(char::is_control) {
            bail!("send.name {name:?} is empty or has control characters; use words");
        }
        if self.timeout_s == 0 {
            bail!("send.timeout_s of {name} is 0; an attempt needs at least 1");
        }
        if self.names == RawNames::Utf8 && !self.is_http() {
            let format = self.format.name();
            bail!("send.names of {name} is \"utf-8\", and {format} have no such choice; remove it");
        }
        if self.tls.is_some() && self.is_http() && !self.address.starts_with("https:") {
            bail!("send.tls of {name} is set, and its address is not https://...; make it one");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown_wherever_it_stands() {
        let text = "format = \"remote-write\"\naddress = \"http://me:secret@b:1/x?token=other\"";
        let send: Send = toml::from_str(text).unwrap();
        assert_eq!(send.name(), "http://b:1/x");
        for said in [
            "http://me:secret@b:1/x?token=other: no",
            "me:secret@b:1: no",
        ] {
            let shown = hone_agent::send::text_without_secrets(said, &send.address);
            assert!(
                !shown.contains("secret") && !shown.contains("other"),
                "{shown}"
            );
        }
        let send: Send = toml::from_str(&format!("{text}\nname = \"main\"")).unwrap();
        assert_eq!(send.name(), "main");
    }

    #[test]
    fn what_belongs_to_what_waits_stays_until_a_restart() {
        let of = |keys: &str| -> Send {
            let text = format!("format = \"relay\"\naddress = \"b:1\"\n{keys}");
            toml::from_str(&text).unwrap()
        };
        let running = of("");
        assert_eq!(running.fsync(), Fsync::Segments);
        assert_eq!(running.buckets(), BucketSeries::VmRange);
        let wanted = of(
            "fsync = \"always\"\nbuckets = \"le\"\nnames = \"utf-8\"\nqueue_bytes = 1\ntimeout_s = 3",
        );
        assert_eq!(wanted.fsync(), Fsync::Always);
        assert_eq!(wanted.buckets(), BucketSeries::Le);
        let mut kept = wanted.clone();
        let later = kept.keep_from(&running);
        let all = [
            "send.queue_bytes",
            "send.fsync",
            "send.buckets",
            "send.names",
        ];
        assert_eq!(later, all);
        assert_eq!(kept, of("timeout_s = 3"));
        assert_eq!(kept.keep_from(&running), [""; 0]);
    }

    #[test]
    fn files_of_tls_are_other_ones_once_they_are_written_anew() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("authorities.pem");
        let text =
            format!("format = \"relay\"\naddress = \"b:1\"\ntls = {{ authorities = {file:?} }}");
        let read = || toml::from_str::<Send>(&text).unwrap();
        std::fs::write(&file, "one").unwrap();
        let before = read();
        assert_eq!(read(), before);
        std::fs::write(&file, "two").unwrap();
        assert_ne!(read(), before);
    }
}
