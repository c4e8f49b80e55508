//! Programs and their debug information by build id, from debuginfod servers.
//!
//! This client behaves as elfutils' own (debuginfod_find_debuginfo(3), debuginfod(7)) and shares its cache, so that a file
//! that GDB or perf fetched is not fetched again: no server is asked unless `DEBUGINFOD_URLS` names servers; files lie in
//! `BUILDID/debuginfo` and `BUILDID/executable`; an empty file there means that no server had the file some minutes ago.
//!
//! A fetched file is not trusted: it must be an ELF file of the build that was asked for. Every failure is a warning, and
//! work goes on without the file.
//!
//! A [`Client`] only downloads, for programs that keep files themselves, run for long and print nothing.
//!
//! Unlike elfutils' client, this one asks servers one after the other, in the order in which they are named, and
//! does not ask a server again that failed; it never cleans the cache, which GDB's and perf's client does.

mod cache;
mod client;
mod download;

use std::collections::HashMap;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use hone_profile::BuildId;
use indicatif::HumanBytes;

pub use cache::directory as cache;
use cache::{Cached, Entry};
pub use client::Client;
use download::{Downloads, Limits, Outcome};

use crate::http::without_password;

/// Kind of file of a build that can be fetched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Artifact {
    /// The executable or library itself.
    Executable,
    /// The debug information that was split off.
    DebugInfo,
}

impl Artifact {
    /// Name of the artifact in addresses and in the cache.
    fn name(self) -> &'static str {
        match self {
            Self::Executable => "executable",
            Self::DebugInfo => "debuginfo",
        }
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Executable => "the program or library",
            Self::DebugInfo => "the debug information",
        })
    }
}

/// Servers of this process; `None` if the user names no server, or if there is no place for a cache.
static SERVERS: LazyLock<Option<Mutex<Servers>>> =
    LazyLock::new(|| Servers::from_environment().map(Mutex::new));

/// Finds the file of a build in the cache or at a server; messages call it `file`.
pub fn find(build_id: &BuildId, artifact: Artifact, file: &Path) -> Option<PathBuf> {
    let Some(servers) = SERVERS.as_ref() else {
        return in_cache(&cache::directory()?, build_id, artifact);
    };
    let mut servers = servers.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (build_id.to_string(), artifact);
    if let Some(known) = servers.known.get(&key) {
        return known.clone();
    }
    let tell = &mut |line: String| eprintln!("{line}");
    let found = servers.find(build_id, artifact, file, tell);
    servers.known.insert(key, found.clone());
    found
}

/// Finds the file of a build in the cache: a recorder, GDB or perf may have put it there.
fn in_cache(cache: &Path, build_id: &BuildId, artifact: Artifact) -> Option<PathBuf> {
    let entry = Entry::new(cache, build_id, artifact.name());
    (entry.look() == Cached::There).then(|| entry.path().to_owned())
}

struct Servers {
    /// Addresses of the servers, without a slash at the end. A server that failed is removed.
    addresses: Vec<String>,
    /// Number of servers that the user named.
    named: usize,
    cache: PathBuf,
    downloads: Downloads,
    /// Results of earlier requests.
    known: HashMap<(String, Artifact), Option<PathBuf>>,
}

impl Servers {
    fn from_environment() -> Option<Self> {
        let addresses = addresses(&env::var("DEBUGINFOD_URLS").ok()?);
        (!addresses.is_empty()).then_some(())?;
        let limits = Limits::from_environment();
        Some(Self::new(addresses, cache::directory()?, limits))
    }

    fn new(addresses: Vec<String>, cache: PathBuf, limits: Limits) -> Self {
        Self {
            named: addresses.len(),
            addresses,
            cache,
            downloads: Downloads::new(limits),
            known: HashMap::new(),
        }
    }

    /// Finds the file in the cache or at a server. What was fetched, and what could not be, is told in lines.
    fn find(
        &mut self,
        build_id: &BuildId,
        artifact: Artifact,
        file: &Path,
        tell: &mut dyn FnMut(String),
    ) -> Option<PathBuf> {
        let entry = Entry::new(&self.cache, build_id, artifact.name());
        match entry.look() {
            Cached::There => return Some(entry.path().to_owned()),
            Cached::Absent => return None,
            Cached::Unknown => {}
        }
        let name = file.file_name().unwrap_or(file.as_os_str()).display();
        // A server that was removed may have the file.
        let mut is_absent = self.addresses.len() == self.named;
        for server in self.addresses.clone() {
            let shown = without_password(&server);
            match self.fetch(&server, build_id, artifact, &entry) {
                Ok(Some(bytes)) => {
                    let size = HumanBytes(bytes);
                    tell(format!(
                        "fetched {artifact} of {name} ({size}) from {shown}"
                    ));
                    return Some(entry.path().to_owned());
                }
                Ok(None) => {}
                Err(failure) => {
                    is_absent = false;
                    let Failure { reason, is_server } = failure;
                    tell(format!(
                        "warning: {artifact} of {name} is not fetched from {shown}: {reason}"
                    ));
                    if is_server {
                        self.addresses.retain(|address| *address != server);
                    }
                }
            }
        }
        // A failure of today does not mean that the servers lack the file.
        if is_absent {
            entry.remember_absent();
        }
        None
    }

    /// Downloads the file into the cache and returns its size in bytes; `None` if the server does not have the file.
    fn fetch(
        &self,
        server: &str,
        build_id: &BuildId,
        artifact: Artifact,
        entry: &Entry,
    ) -> Result<Option<u64>, Failure> {
        let address = address(server, build_id, artifact);
        let mut part = entry.part().map_err(Failure::of_file)?;
        match self.downloads.get(&address, part.as_file_mut())? {
            Outcome::Absent => Ok(None),
            Outcome::Whole(bytes) => {
                entry.keep(part, build_id).map_err(Failure::of_file)?;
                Ok(Some(bytes))
            }
        }
    }
}

/// The reason why a file was not fetched.
struct Failure {
    reason: String,
    /// True if the server failed, so that the next file would fail too.
    is_server: bool,
}

impl Failure {
    fn of_file(reason: impl fmt::Display) -> Self {
        Self {
            reason: reason.to_string(),
            is_server: false,
        }
    }

    fn of_server(reason: impl fmt::Display) -> Self {
        Self {
            reason: reason.to_string(),
            is_server: true,
        }
    }
}

/// Returns the address of a file at a server.
fn address(server: &str, build_id: &BuildId, artifact: Artifact) -> String {
    format!("{server}/buildid/{build_id}/{}", artifact.name())
}

/// Splits `DEBUGINFOD_URLS` into addresses of servers. Words like `ima:enforcing` are settings of elfutils' client.
fn addresses(urls: &str) -> Vec<String> {
    let words = urls.split_whitespace();
    let addresses = words.filter(|word| !word.starts_with("ima:"));
    addresses
        .map(|address| address.trim_end_matches('/').to_owned())
        .collect()
}

/// Reads a number of seconds or bytes from the environment; 0 and text that is no number count as not set.
fn setting(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?.trim().parse().ok();
    value.filter(|value| *value > 0)
}

fn seconds(name: &str) -> Option<Duration> {
    setting(name).map(Duration::from_secs)
}

#[cfg(test)]
mod tests;
