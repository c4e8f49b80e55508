//! What is collected, and where it goes.

use std::path::PathBuf;
use std::time::Duration;

use hone_batch::StackLimit;

use crate::identity::ServiceRule;

/// Settings of a collector.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address of the hub, such as `http://hub:7007`.
    pub hub: String,
    /// Token that the hub asks for.
    pub token: Option<String>,
    /// Name of this host.
    pub host: String,
    /// Folder of the collector's own: batches that wait, and the recording of the round.
    pub folder: PathBuf,
    /// Bytes of batches that may wait; beyond them the oldest are dropped.
    pub queue_bytes_max: u64,
    /// Duration of a round, after which its batch is sent.
    pub round: Duration,
    /// Samples per second and CPU.
    pub frequency_hz: u32,
    /// Part of the CPU time of the host that recording may cost.
    pub overhead: f64,
    /// Limit on the stacks of a round.
    pub stacks: StackLimit,
    /// Rules that name services; the first that fits holds.
    pub services: Vec<ServiceRule>,
    /// Number of the run, different after each start.
    pub run: u128,
}

impl Options {
    /// The usual settings: 19 samples per second and CPU, rounds of 30 seconds, a queue of 8 MiB, at most 1 % of the CPU time.
    pub fn new(
        hub: impl Into<String>,
        host: impl Into<String>,
        folder: impl Into<PathBuf>,
    ) -> Self {
        Self {
            hub: hub.into(),
            token: None,
            host: host.into(),
            folder: folder.into(),
            queue_bytes_max: 8 << 20,
            round: Duration::from_secs(30),
            frequency_hz: 19,
            overhead: 0.01,
            stacks: StackLimit {
                frames_max: 200_000,
                ..StackLimit::default()
            },
            services: Vec::new(),
            run: 0,
        }
    }
}
