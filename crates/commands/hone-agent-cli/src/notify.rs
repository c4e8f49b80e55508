//! Messages to the service manager: that the agent is ready, reloads, ends, and is alive
//! (`man 3 sd_notify`, `man 3 sd_watchdog_enabled`).

use std::env;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// Connection to the service manager, if there is one.
pub(crate) struct Notify {
    to: Option<(UnixDatagram, SocketAddr)>,
    /// Interval within which the manager wants to hear that the agent is alive.
    watchdog: Option<Duration>,
    told: Instant,
}

impl Notify {
    /// Reads the socket and the watchdog's interval from the environment.
    pub(crate) fn from_environment() -> Self {
        Self {
            to: env::var_os("NOTIFY_SOCKET").and_then(|path| to(path.as_bytes())),
            watchdog: watchdog(
                env::var("WATCHDOG_USEC").ok(),
                env::var("WATCHDOG_PID").ok(),
            ),
            told: Instant::now(),
        }
    }

    /// Reports that the listeners are open, at the start or after a reload.
    pub(crate) fn ready(&self) {
        self.tell("READY=1");
    }

    /// Reports that the configuration is read again.
    pub(crate) fn reloading(&self) {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let now_us = now.tv_sec * 1_000_000 + now.tv_nsec / 1_000;
        self.tell(&format!("RELOADING=1\nMONOTONIC_USEC={now_us}"));
    }

    /// Reports that the agent ends.
    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// Reports that the agent is alive, three times as often as the watchdog demands.
    pub(crate) fn alive(&mut self) {
        if let Some(watchdog) = self.watchdog
            && self.told.elapsed() >= watchdog / 3
        {
            self.told = Instant::now();
            self.tell("WATCHDOG=1");
        }
    }

    /// Longest time until the next call of [`Self::alive`].
    pub(crate) fn patience(&self) -> Duration {
        let third = self.watchdog.map(|watchdog| watchdog / 3);
        third.unwrap_or(Duration::MAX)
    }

    fn tell(&self, what: &str) {
        if let Some((socket, address)) = &self.to {
            // Errors are ignored: the agent works the same without its manager.
            let _ = socket.send_to_addr(what.as_bytes(), address);
        }
    }
}

/// Returns a socket and the address. The address is a path, or a name in the abstract namespace, which begins with `@`.
fn to(path: &[u8]) -> Option<(UnixDatagram, SocketAddr)> {
    let address = match path.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(std::ffi::OsStr::from_bytes(path)),
    };
    let socket = UnixDatagram::unbound().ok()?;
    socket.set_nonblocking(true).ok()?;
    Some((socket, address.ok()?))
}

fn watchdog(microseconds: Option<String>, process: Option<String>) -> Option<Duration> {
    let is_ours = process.is_none_or(|process| process == std::process::id().to_string());
    let microseconds: u64 = microseconds?.parse().ok().filter(|&us| us > 0)?;
    is_ours.then(|| Duration::from_micros(microseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watchdog_is_for_the_process_that_it_names() {
        let own = std::process::id().to_string();
        let minute = || Some("60000000".to_owned());
        assert_eq!(watchdog(minute(), Some(own)), Some(MINUTE));
        assert_eq!(watchdog(minute(), None), Some(MINUTE));
        assert_eq!(watchdog(minute(), Some("1".into())), None);
        assert_eq!(watchdog(Some("0".into()), None), None);
        assert_eq!(watchdog(None, None), None);
    }

    const MINUTE: Duration = Duration::from_secs(60);
}
