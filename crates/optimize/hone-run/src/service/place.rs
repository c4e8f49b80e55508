//! The place of one run of a server: its ports, its empty directory, and the placeholders for them in commands.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};

use super::Setting;
use crate::process::quote::quoted;
use hone_files::advice::Advise;

/// Range that ports are chosen from: below the ports that Linux gives to connections, of which a load makes many.
const PORTS: std::ops::Range<u16> = 10_240..32_700;
/// Maximum number of ports that are tried.
const LOOKS: usize = 1_000;

/// The place of one run; its directory is removed when the value is dropped.
pub(super) struct Place {
    directory: tempfile::TempDir,
    scratch: String,
    binary: String,
    pub(super) port: u16,
    ports: BTreeMap<String, u16>,
}

impl Place {
    pub(super) fn new(setting: &Setting) -> Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("hone-service-")
            .tempdir()
            .context("temporary directory")?;
        let scratch = directory.path().join("scratch");
        std::fs::create_dir(&scratch).context("temporary directory")?;
        let text = |path: &PathBuf| {
            let text = path.to_str().map(quoted);
            text.ok_or_else(|| anyhow!("{} is not UTF-8", path.display()))
        };
        let mut chosen = Vec::new();
        let mut ports = BTreeMap::new();
        for backend in &setting.server.backends {
            ports.insert(backend.name.clone(), free_port(&mut chosen)?);
        }
        for name in &setting.server.ports {
            ports.insert(name.clone(), free_port(&mut chosen)?);
        }
        Ok(Self {
            scratch: text(&scratch)?,
            binary: text(&setting.binary)?,
            port: free_port(&mut chosen)?,
            ports,
            directory,
        })
    }

    /// Path of a file of the run that is not in the server's own directory.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(super) fn port_of(&self, backend: &str) -> Option<u16> {
        self.ports.get(backend).copied()
    }

    /// Fills in all placeholders of a command.
    pub(super) fn fill(&self, command: &str) -> String {
        let mut filled = command
            .replace("{binary}", &self.binary)
            .replace("{scratch}", &self.scratch)
            .replace("{port}", &self.port.to_string());
        for (name, port) in &self.ports {
            filled = filled.replace(&format!("{{port:{name}}}"), &port.to_string());
        }
        filled
    }
}

/// Chooses a port on which nobody listens, and which was not chosen already.
fn free_port(chosen: &mut Vec<u16>) -> Result<u16> {
    for _ in 0..LOOKS {
        let port = rand_port()?;
        if !chosen.contains(&port) && is_free(port) {
            chosen.push(port);
            return Ok(port);
        }
    }
    Err(anyhow!(
        "of {LOOKS} ports from {} to {} none was free on 127.0.0.1",
        PORTS.start,
        PORTS.end
    ))
    .next("end what listens there: ss -ltnp")
}

/// Chooses a random port, since two runs at once should not choose the same port.
fn rand_port() -> Result<u16> {
    let mut bytes = [0; 2];
    let file = std::fs::File::open("/dev/urandom").context("/dev/urandom")?;
    std::io::Read::read_exact(&mut &file, &mut bytes).context("/dev/urandom")?;
    let width = PORTS.end - PORTS.start;
    Ok(PORTS.start + u16::from_ne_bytes(bytes) % width)
}

/// True if nobody listens on the port, on loopback or on all addresses.
pub(super) fn is_free(port: u16) -> bool {
    let taken = |result: std::io::Result<TcpListener>| {
        result.is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
    };
    // A machine without IPv6 gives another error.
    !taken(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))
        && !taken(TcpListener::bind((Ipv6Addr::LOCALHOST, port)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_somebody_listens_on_is_not_free() {
        let _alone = crate::service::listening_alone();
        let mut chosen = Vec::new();
        let port = free_port(&mut chosen).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port));
        let Ok(_listener) = listener else {
            println!("skipped: port {port} was taken meanwhile");
            return;
        };
        assert!(!is_free(port));
        let another = free_port(&mut chosen).unwrap();
        assert_ne!(another, port);
    }
}
