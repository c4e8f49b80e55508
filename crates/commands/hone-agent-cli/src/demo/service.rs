//! The services of the demo: each is a process with a protocol of its own.

use std::net::{SocketAddr, UdpSocket};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::children::Running;
use super::own_command;

/// Files in the demo's directory: the agent's socket, and the agent's UDP address as text.
pub(super) const SOCKET_FILE: &str = "agent.sock";
pub(super) const UDP_FILE: &str = "udp";

/// All services.
pub(super) const SERVICES: [Service; 3] = [Service::Checkout, Service::Search, Service::Mailer];

/// A function that sends a packet.
type Send = Box<dyn Fn(&[u8]) -> std::io::Result<usize>>;

/// Interval at which each service sends.
const EVERY: Duration = Duration::from_millis(5);

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Service {
    /// The SDK's msgpack over a Unix socket.
    Checkout,
    /// StatsD over UDP.
    Search,
    /// DogStatsD over a Unix socket.
    Mailer,
}

impl Service {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Checkout => "checkout",
            Self::Search => "search",
            Self::Mailer => "mailer",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Checkout => "checkout (the SDK's msgpack over a Unix socket)",
            Self::Search => "search (StatsD over UDP)",
            Self::Mailer => "mailer (DogStatsD over a Unix socket)",
        }
    }

    /// Starts the service as a process of its own.
    pub(super) fn start(self, directory: &Path) -> Result<Running> {
        let mut command = own_command()?;
        command.args(["demo", "--service", self.name()]);
        command.arg("--directory").arg(directory);
        let log = directory.join(format!("{}.log", self.name()));
        Running::start(self.name(), command, &log)
    }

    /// Sends until the process is ended or the agent is gone.
    pub(super) fn run(self, directory: &Path) -> Result<()> {
        let send = self.socket(directory)?;
        for beat in 0.. {
            for packet in self.packets(beat) {
                send(&packet).context("the agent is gone")?;
            }
            thread::sleep(EVERY);
        }
        Ok(())
    }

    fn socket(self, directory: &Path) -> Result<Send> {
        if self == Self::Search {
            let address: SocketAddr = std::fs::read_to_string(directory.join(UDP_FILE))?.parse()?;
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.connect(address)?;
            return Ok(Box::new(move |packet| socket.send(packet)));
        }
        let socket = UnixDatagram::unbound()?;
        socket.connect(directory.join(SOCKET_FILE))?;
        Ok(Box::new(move |packet| socket.send(packet)))
    }

    /// Returns the packets of a beat.
    fn packets(self, beat: u64) -> Vec<Vec<u8>> {
        // Between 0 and 1, up and down once a minute.
        let wave =
            0.5 - 0.5 * (beat as f64 * EVERY.as_secs_f64() / 60.0 * std::f64::consts::TAU).cos();
        match self {
            Self::Checkout => {
                let pay = ["card", "invoice", "voucher"][beat as usize % 3];
                let value = format!("{:.1}", 20.0 + 60.0 * wave + (beat % 7) as f64);
                let queue = format!("{:.0}", 40.0 * wave);
                let tags = format!("service=checkout|pay={pay}");
                vec![batch(&[
                    ["counter", "orders", "1", &tags],
                    [
                        "distribution",
                        "order.milliseconds",
                        &value,
                        "service=checkout",
                    ],
                    ["gauge", "order.queue", &queue, "service=checkout"],
                ])]
            }
            Self::Search => {
                let found = beat % 9;
                let line = format!(
                    "search.queries:1|c|#service:search,found:{}\nsearch.time:{}|ms|#service:search\n\
                     search.users:user{}|s|#service:search\n",
                    found > 0,
                    5 + beat % 11,
                    beat % 1000
                );
                vec![line.into_bytes()]
            }
            Self::Mailer => {
                let kind = ["welcome", "receipt"][beat as usize % 2];
                let size = 2000.0 + 8000.0 * wave;
                vec![
                    format!("mails:1|c|@0.5|#service:mailer,kind:{kind}").into_bytes(),
                    format!("mail.bytes:{size:.0}:{:.0}|h|#service:mailer", size / 2.0)
                        .into_bytes(),
                ]
            }
        }
    }
}

/// Points as the SDK writes them: an array of arrays of strings, each with type, metric, value and tags.
fn batch(points: &[[&str; 4]]) -> Vec<u8> {
    const ARRAY_16: u8 = 0xdc;
    const FIXED_ARRAY: u8 = 0x90;
    const STRING_16: u8 = 0xda;
    let mut bytes = vec![ARRAY_16];
    bytes.extend((points.len() as u16).to_be_bytes());
    for point in points {
        bytes.push(FIXED_ARRAY | point.len() as u8);
        for text in point {
            bytes.push(STRING_16);
            bytes.extend((text.len() as u16).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_agent::protocol::{Parsed, sdk, statsd};

    #[test]
    fn the_agent_understands_all_that_the_services_say() {
        for service in SERVICES {
            let mut parsed = Parsed::default();
            for packet in (0..100).flat_map(|beat| service.packets(beat)) {
                parsed.add(match service {
                    Service::Checkout => sdk::parse(&packet, &mut |_| {}),
                    Service::Search | Service::Mailer => statsd::parse(&packet, &mut |_| {}),
                });
            }
            assert_eq!((parsed.values, parsed.malformed), (300, 0), "{service:?}");
        }
    }
}
