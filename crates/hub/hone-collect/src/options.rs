//! What is collected, and where it goes.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use hone_batch::{StackLimit, TableLimit};
use hone_profile::Labels;
use hone_record::{BranchSource, CallGraph};

use crate::identity::ServiceRule;
use crate::send::Sender;

/// Most samples per second and CPU: more is for a look at one program.
const FREQUENCY_MAX_HZ: u32 = 1_000;
/// Shortest and longest round.
const ROUND_LEAST: Duration = Duration::from_millis(100);
const ROUND_MOST: Duration = Duration::from_secs(3_600);
/// Smallest share of the CPU time: less does not pay for one sample a second.
const CPU_SHARE_LEAST: f64 = 0.001;
/// Bytes of a token's file that are read.
const TOKEN_BYTES_MAX: u64 = 4 << 10;

/// Settings of a collector.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address of the hub, such as `http://hub:7007`.
    pub hub: String,
    /// Token that the hub asks for.
    pub token: Option<Token>,
    /// Certificates (PEM) of authorities that are trusted instead of the machine's.
    pub authorities: Option<Vec<u8>>,
    /// Name of this host.
    pub host: String,
    /// Labels of this host, such as its class, which all of its samples get; those called `host`, `service`, `container` and
    /// `build` are left out.
    pub labels: Labels,
    /// Folder of the collector's own: batches that wait, and the recordings of the round.
    pub folder: PathBuf,
    /// Bytes of batches that may wait; beyond them the oldest are dropped.
    pub queue_bytes_max: u64,
    /// Duration of a round, after which its batch is sent.
    pub round: Duration,
    /// Samples per second and CPU.
    pub frequency_hz: u32,
    /// Callers of the samples. Unwinding needs [`Options::memory_bytes_max`]; without, frame pointers are followed.
    pub call_graph: CallGraph,
    /// Share of the host's CPU time that all of it may cost. Above it less is recorded.
    pub cpu_share_max: f64,
    /// Bytes of memory that all of it may take, beyond what the process had before.
    pub memory_bytes_max: u64,
    /// Branch records.
    pub branches: Branches,
    /// Limit on the stacks of a round.
    pub stacks: StackLimit,
    /// Limit on the other tables of a round.
    pub tables: TableLimit,
    /// Rules that name services; the first that fits holds.
    pub services: Vec<ServiceRule>,
    /// Number of the run, different after each start.
    pub run: u128,
    /// True if the very first round, too, is tried again when it fails, and the folder when it cannot be used.
    pub is_patient: bool,
}

/// Branch records of some processes.
#[derive(Clone, PartialEq, Debug)]
pub struct Branches {
    /// Where the records come from; [`BranchSource::None`] for none.
    pub source: BranchSource,
    /// Services that get them. If there are none, processes are drawn, busy ones more often.
    pub services: Vec<String>,
    /// Share of the host's CPU time that they may cost, a part of [`Options::cpu_share_max`].
    pub cpu_share_max: f64,
}

/// Token that the hub asks for. Its text is in no message.
#[derive(Clone, PartialEq, Eq)]
pub enum Token {
    /// The token itself.
    Text(String),
    /// A file that holds the token. It is read for each batch, so that another token in it is used at once.
    File(PathBuf),
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(_) => f.write_str("Token"),
            Self::File(path) => write!(f, "Token of {}", path.display()),
        }
    }
}

impl Token {
    /// Returns the token's text.
    ///
    /// # Errors
    /// The file cannot be read, or holds no token.
    pub fn read(&self) -> io::Result<String> {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => {
                let mut text = String::new();
                let file = File::open(path)?;
                file.take(TOKEN_BYTES_MAX).read_to_string(&mut text)?;
                text
            }
        };
        let token = text.trim();
        match !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(token.to_owned()),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "there is no token in it: one line of letters and digits, as hone-hub token new prints",
            )),
        }
    }
}

impl Options {
    /// The usual settings: 19 samples per second and CPU with callers and without branch records, rounds of 30 seconds, a queue
    /// of 8 MiB, at most 1 % of the host's CPU time and 200 MiB of memory.
    pub fn new(
        hub: impl Into<String>,
        host: impl Into<String>,
        folder: impl Into<PathBuf>,
    ) -> Self {
        Self {
            hub: hub.into(),
            token: None,
            authorities: None,
            host: host.into(),
            labels: Labels::default(),
            folder: folder.into(),
            queue_bytes_max: 8 << 20,
            round: Duration::from_secs(30),
            frequency_hz: 19,
            call_graph: CallGraph::Dwarf {
                stack_bytes: None,
                keeps_copies: false,
            },
            cpu_share_max: 0.01,
            memory_bytes_max: 200 << 20,
            branches: Branches::default(),
            stacks: StackLimit {
                frames_max: 200_000,
                ..StackLimit::default()
            },
            tables: TableLimit {
                places_max: 100_000,
                groups_max: 10_000,
                edges_max: 100_000,
            },
            services: Vec::new(),
            run: 0,
            is_patient: false,
        }
    }
}

impl Options {
    /// Refuses settings that cannot be, before anything is opened.
    ///
    /// # Errors
    /// What is wrong, by the name of the setting.
    pub fn check(&self) -> Result<()> {
        Sender::to(self)?;
        if self.host.is_empty() {
            bail!("the host has no name");
        }
        if !(1..=FREQUENCY_MAX_HZ).contains(&self.frequency_hz) {
            let hz = self.frequency_hz;
            bail!("the rate is {hz} samples a second; 1 to {FREQUENCY_MAX_HZ} are possible");
        }
        if !(ROUND_LEAST..=ROUND_MOST).contains(&self.round) {
            bail!(
                "a round has {:?}; a tenth of a second to an hour are possible",
                self.round
            );
        }
        for (what, share) in [
            ("all of it", self.cpu_share_max),
            ("branch records", self.branches.cpu_share_max),
        ] {
            if !(0.0..=1.0).contains(&share) {
                bail!("the share of the CPU time for {what} is {share}; 0 to 1 are possible");
            }
        }
        if self.cpu_share_max < CPU_SHARE_LEAST {
            bail!(
                "the share of the CPU time is {}; less than {CPU_SHARE_LEAST} pays for no samples",
                self.cpu_share_max
            );
        }
        if self.branches.source == BranchSource::None && !self.branches.services.is_empty() {
            bail!(
                "services are named for branch records, and there are none; say where they come from"
            );
        }
        Ok(())
    }
}

impl Default for Branches {
    /// None; a fifth of the usual CPU time where a source is set.
    fn default() -> Self {
        Self {
            source: BranchSource::None,
            services: Vec::new(),
            cpu_share_max: 0.002,
        }
    }
}

/// Returns a number for a run, by chance.
///
/// # Errors
/// The system gives no random numbers.
pub fn run_by_chance() -> io::Result<u128> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_be_are_named() {
        let usual = Options::new("http://hub:7007", "host", "folder");
        usual.check().unwrap();
        let services = Branches {
            services: vec!["shop".into()],
            ..Branches::default()
        };
        for (options, complaint) in [
            (
                Options {
                    frequency_hz: 0,
                    ..usual.clone()
                },
                "0 samples",
            ),
            (
                Options {
                    round: Duration::ZERO,
                    ..usual.clone()
                },
                "a round",
            ),
            (
                Options {
                    cpu_share_max: 0.0,
                    ..usual.clone()
                },
                "pays for no",
            ),
            (
                Options {
                    cpu_share_max: 2.0,
                    ..usual.clone()
                },
                "0 to 1",
            ),
            (
                Options {
                    host: String::new(),
                    ..usual.clone()
                },
                "no name",
            ),
            (
                Options {
                    branches: services,
                    ..usual.clone()
                },
                "say where",
            ),
        ] {
            let said = options.check().unwrap_err().to_string();
            assert!(said.contains(complaint), "{said}");
        }
    }

    #[test]
    fn a_token_of_a_file_is_its_word_and_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let token = Token::File(path.clone());
        assert!(token.read().is_err());
        std::fs::write(&path, "  secret\n").unwrap();
        assert_eq!(token.read().unwrap(), "secret");
        for text in ["", "\n", "two words", "héllo"] {
            std::fs::write(&path, text).unwrap();
            assert!(token.read().is_err(), "{text:?}");
        }
        assert!(!format!("{:?}", Token::Text("secret".into())).contains("secret"));
    }
}
