//! Sockets opened by the service manager, as systemd passes them: LISTEN_PID is the process that they are for, LISTEN_FDS
//! their number, and LISTEN_FDNAMES their names (`man 3 sd_listen_fds`). A listener takes the sockets of its own name
//! instead of opening new ones. The manager keeps the sockets open: data that arrives while nobody receives is kept for
//! the next process.

use super::error::ReceiveError;
use super::sys;
use std::env;
use std::os::fd::{AsFd, OwnedFd, RawFd};

/// First passed descriptor, after standard input, output and error.
const FIRST: RawFd = 3;

/// Sockets that came with the process, by name.
#[derive(Debug, Default)]
pub struct Passed {
    sockets: Vec<(String, OwnedFd)>,
}

impl Passed {
    /// An empty set of sockets.
    pub fn none() -> Self {
        Self::default()
    }

    /// A set of the given sockets.
    pub fn named(sockets: Vec<(String, OwnedFd)>) -> Self {
        Self { sockets }
    }

    /// Takes over the sockets listed in the environment, if LISTEN_PID is this process. The sockets can be taken over once.
    pub fn from_environment() -> Result<Self, ReceiveError> {
        let said = |name| env::var(name).unwrap_or_default();
        if said("LISTEN_PID") != std::process::id().to_string() {
            return Ok(Self::none());
        }
        let names = names(&said("LISTEN_FDS"), &said("LISTEN_FDNAMES"))?;
        let sockets = sys::take_over(FIRST, names.len());
        let open = names.into_iter().zip(sockets);
        let sockets = open.filter_map(|(name, socket)| Some((name, socket?)));
        let sockets: Vec<_> = sockets.collect();
        for (_, socket) in &sockets {
            // Programs that this process starts do not get the sockets. On failure those programs only hold the sockets open.
            let _ = rustix::io::fcntl_setfd(socket.as_fd(), rustix::io::FdFlags::CLOEXEC);
        }
        Ok(Self { sockets })
    }

    /// Takes all sockets of a name.
    pub(super) fn take(&mut self, name: &str) -> Vec<OwnedFd> {
        let (taken, left) = std::mem::take(&mut self.sockets)
            .into_iter()
            .partition(|(its_name, _)| its_name == name);
        self.sockets = left;
        let taken: Vec<(String, OwnedFd)> = taken;
        taken.into_iter().map(|(_, socket)| socket).collect()
    }

    /// Names of the sockets that no listener took: a mistake of the configuration.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        self.sockets.iter().map(|(name, _)| name.as_str())
    }
}

/// Parses the name of each socket.
fn names(descriptors: &str, names: &str) -> Result<Vec<String>, ReceiveError> {
    /// Limit on the number of sockets: more than a process may open by default.
    const SOCKETS_MAX: usize = 1024;
    let wrong = |what| ReceiveError::Activation {
        descriptors: descriptors.to_owned(),
        names: names.to_owned(),
        what,
    };
    let count: usize = descriptors
        .parse()
        .map_err(|_| wrong("LISTEN_FDS is not a number"))?;
    if count > SOCKETS_MAX {
        return Err(wrong("there cannot be so many sockets"));
    }
    let named: Vec<String> = names.split(':').map(str::to_owned).collect();
    if named.len() != count {
        return Err(wrong(
            "there must be as many names as sockets; set FileDescriptorName= in the socket unit to the listener's name",
        ));
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_socket_has_its_name() {
        assert_eq!(names("2", "a:b").unwrap(), ["a", "b"]);
        assert_eq!(names("2", "a:a").unwrap(), ["a", "a"]);
    }

    #[test]
    fn sockets_without_names_are_refused() {
        for (count, given) in [
            ("2", ""),
            ("2", "a"),
            ("1", "a:b"),
            ("x", "a"),
            ("99999", "a"),
        ] {
            let error = names(count, given).unwrap_err().to_string();
            assert!(error.contains(&format!("LISTEN_FDS={count}")), "{error}");
        }
    }
}
