//! Programs and their debug information by build id, from debuginfod servers.
//!
//! It behaves as elfutils' own client (debuginfod_find_debuginfo(3), debuginfod(7)) and shares its cache, so that what
//! GDB or perf fetched is not fetched again: nothing is asked unless `DEBUGINFOD_URLS` names servers; files lie in
//! `BUILDID/debuginfo` and `BUILDID/executable`; an empty file there says that no server had it some minutes ago.
//!
//! What comes is not trusted: it must be an ELF file of the build that was asked for. Whatever goes wrong is a warning,
//! and work goes on without the file.
//!
//! Unlike elfutils' client, servers are asked one after the other, in the order in which they are named, and one that
//! failed is not asked again; the cache is never cleaned, which GDB's and perf's client does.

mod cache;
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
use download::{Downloads, Outcome};

/// What of a build to fetch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Artifact {
    /// The file that was run.
    Executable,
    /// What was split off from it.
    DebugInfo,
}

impl Artifact {
    /// Its name in addresses and in the cache.
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

/// The servers of this process; `None` where the user names none, or where there is no place for a cache.
static SERVERS: LazyLock<Option<Mutex<Servers>>> =
    LazyLock::new(|| Servers::from_environment().map(Mutex::new));

/// The file of this build, from the cache or a server; `file` is what it is called in what is said.
pub fn find(build_id: &BuildId, artifact: Artifact, file: &Path) -> Option<PathBuf> {
    let servers = SERVERS.as_ref()?;
    let mut servers = servers.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (build_id.to_string(), artifact);
    if let Some(known) = servers.known.get(&key) {
        return known.clone();
    }
    let found = servers.find(build_id, artifact, file);
    servers.known.insert(key, found.clone());
    found
}

struct Servers {
    /// Without a slash at the end. One that failed is taken out.
    addresses: Vec<String>,
    /// How many were named.
    named: usize,
    cache: PathBuf,
    downloads: Downloads,
    /// What was asked for already.
    known: HashMap<(String, Artifact), Option<PathBuf>>,
}

impl Servers {
    fn from_environment() -> Option<Self> {
        let addresses = addresses(&env::var("DEBUGINFOD_URLS").ok()?);
        (!addresses.is_empty()).then_some(())?;
        Some(Self {
            named: addresses.len(),
            addresses,
            cache: cache::directory()?,
            downloads: Downloads::new(),
            known: HashMap::new(),
        })
    }

    fn find(&mut self, build_id: &BuildId, artifact: Artifact, file: &Path) -> Option<PathBuf> {
        let entry = Entry::new(&self.cache, build_id, artifact.name());
        match entry.look() {
            Cached::There => return Some(entry.path().to_owned()),
            Cached::Absent => return None,
            Cached::Unknown => {}
        }
        let name = file.file_name().unwrap_or(file.as_os_str()).display();
        // One that is not asked any more may have it.
        let mut is_absent = self.addresses.len() == self.named;
        for server in self.addresses.clone() {
            let shown = without_password(&server);
            match self.fetch(&server, build_id, artifact, &entry) {
                Ok(Some(bytes)) => {
                    let size = HumanBytes(bytes);
                    eprintln!("fetched {artifact} of {name} ({size}) from {shown}");
                    return Some(entry.path().to_owned());
                }
                Ok(None) => {}
                Err(failure) => {
                    is_absent = false;
                    let Failure { reason, is_server } = failure;
                    eprintln!(
                        "warning: {artifact} of {name} is not fetched from {shown}: {reason}"
                    );
                    if is_server {
                        self.addresses.retain(|address| *address != server);
                    }
                }
            }
        }
        // That something went wrong today says nothing about whether they have it.
        if is_absent {
            entry.remember_absent();
        }
        None
    }

    /// Puts the file into the cache and says how large it is; `None` if the server does not have it.
    fn fetch(
        &self,
        server: &str,
        build_id: &BuildId,
        artifact: Artifact,
        entry: &Entry,
    ) -> Result<Option<u64>, Failure> {
        let address = format!("{server}/buildid/{build_id}/{}", artifact.name());
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

/// Why a file was not fetched.
struct Failure {
    reason: String,
    /// Whether it is the server's, so that the next file would fail too.
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

/// The servers in `DEBUGINFOD_URLS`. Words like `ima:enforcing` are settings of elfutils' client.
fn addresses(urls: &str) -> Vec<String> {
    let words = urls.split_whitespace();
    let addresses = words.filter(|word| !word.starts_with("ima:"));
    addresses
        .map(|address| address.trim_end_matches('/').to_owned())
        .collect()
}

/// An address for people: `https://user:password@host/` without what is before the `@`.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let host_end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..host_end].rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{}", &rest[host_end..])
}

/// A number of seconds or bytes in the environment; 0 and what is no number count as not set.
fn setting(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?.trim().parse().ok();
    value.filter(|value| *value > 0)
}

fn seconds(name: &str) -> Option<Duration> {
    setting(name).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_settings() {
        assert_eq!(
            addresses(" https://a/ ima:enforcing  http://b/mirror\n"),
            ["https://a", "http://b/mirror"]
        );
        assert!(addresses(" ").is_empty());
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = without_password("https://me:secret@host:8002/a@b");
        assert_eq!(shown, "https://host:8002/a@b");
    }
}
