//! `[symbols]`: limits of files with symbols, and where the hub fetches more of them.

use std::time::Duration;

use anyhow::{Result, bail};
use hone_hub::symbols::limits::Limits;
use serde::Deserialize;

/// Least bytes of memory of a process that reads files.
const READER_BYTES_MIN: u64 = 256 << 20;

/// Settings that make sense.
#[derive(Clone, Debug)]
pub(crate) struct SymbolsSettings {
    pub(crate) limits: Limits,
    /// Bytes of memory of a process that reads a file.
    pub(crate) reader_bytes: u64,
    /// Uploads at a time, and the time for the body of each.
    pub(crate) uploads: usize,
    pub(crate) upload_time: Duration,
    /// Servers as in `DEBUGINFOD_URLS`; empty for none.
    pub(crate) servers: String,
    /// Bytes of a tenant's symbols beyond which nothing is fetched.
    pub(crate) fetch_bytes: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSymbols {
    file_bytes: u64,
    unpacked_bytes: u64,
    tenant_bytes: u64,
    cache_bytes: usize,
    reader_bytes: u64,
    uploads: usize,
    upload_s: u64,
    servers: Vec<String>,
    fetch_bytes: u64,
}

impl Default for RawSymbols {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            file_bytes: limits.file_bytes,
            unpacked_bytes: limits.unpacked_bytes,
            tenant_bytes: limits.tenant_bytes,
            cache_bytes: limits.cache_bytes,
            reader_bytes: 4 << 30,
            uploads: 4,
            upload_s: 1800,
            servers: Vec::new(),
            fetch_bytes: limits.tenant_bytes / 2,
        }
    }
}

impl RawSymbols {
    pub(super) fn meant(self, days_kept: u64) -> Result<SymbolsSettings> {
        let each = [
            ("file_bytes", self.file_bytes),
            ("unpacked_bytes", self.unpacked_bytes),
            ("tenant_bytes", self.tenant_bytes),
            ("cache_bytes", self.cache_bytes as u64),
            ("upload_s", self.upload_s),
        ];
        if let Some((name, _)) = each.into_iter().find(|(_, value)| *value == 0) {
            bail!("symbols.{name} must be positive; leave it out for the usual value");
        }
        if self.upload_s > 86_400 {
            bail!(
                "symbols.upload_s is {}; it can be up to 86400",
                self.upload_s
            );
        }
        if !(1..=64).contains(&self.uploads) {
            bail!("symbols.uploads is {}; it can be 1 to 64", self.uploads);
        }
        if self.reader_bytes < READER_BYTES_MIN {
            bail!(
                "symbols.reader_bytes is {}; it must be at least {READER_BYTES_MIN}, of which the program itself takes some",
                self.reader_bytes
            );
        }
        let is_address = |server: &String| {
            let is_http = server.starts_with("http://") || server.starts_with("https://");
            is_http && !server.contains(char::is_whitespace)
        };
        if let Some(server) = self.servers.iter().find(|server| !is_address(server)) {
            bail!(
                "symbols.servers has {server:?}, which is no address; write it as https://debuginfod.example.com"
            );
        }
        Ok(SymbolsSettings {
            limits: Limits {
                file_bytes: self.file_bytes,
                unpacked_bytes: self.unpacked_bytes,
                tenant_bytes: self.tenant_bytes,
                cache_bytes: self.cache_bytes,
                days_kept,
            },
            reader_bytes: self.reader_bytes,
            uploads: self.uploads,
            upload_time: Duration::from_secs(self.upload_s),
            servers: self.servers.join(" "),
            fetch_bytes: self.fetch_bytes,
        })
    }
}
