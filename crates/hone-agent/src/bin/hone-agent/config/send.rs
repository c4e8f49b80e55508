//! `[[send]]` of the configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use hone_agent::send::without_secrets;
use serde::Deserialize;

/// One back end.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Send {
    name: Option<String>,
    pub(crate) format: SendFormat,
    /// May hold a password: what is shown is the name.
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

impl Send {
    /// What it is called in figures and log lines: its address without what may be secret, unless it has a name.
    pub(crate) fn name(&self) -> String {
        let name = self.name.clone();
        name.unwrap_or_else(|| without_secrets(&self.address))
    }

    /// A text in which its address may stand, as it may be shown.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        let shown = without_secrets(&self.address);
        let text = text.replace(&self.address, &shown);
        let address = self.address.split(['?', '#']).next().unwrap_or_default();
        let host = address.split_once("://").map_or(address, |(_, rest)| rest);
        match host.split('/').next().unwrap_or_default().rsplit_once('@') {
            Some((user, _)) if !user.is_empty() => text.replace(&format!("{user}@"), ""),
            _ => text,
        }
    }

    /// What cannot be.
    pub(super) fn check(&self) -> Result<()> {
        let name = self.name();
        if name.is_empty() || name.contains(char::is_control) {
            bail!("send.name {name:?} is empty or has control characters; use words");
        }
        if self.timeout_s == 0 {
            bail!("send.timeout_s of {name} is 0; an attempt needs at least 1");
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
            let shown = send.without_secrets(said);
            assert!(
                !shown.contains("secret") && !shown.contains("other"),
                "{shown}"
            );
        }
        let send: Send = toml::from_str(&format!("{text}\nname = \"main\"")).unwrap();
        assert_eq!(send.name(), "main");
    }
}
