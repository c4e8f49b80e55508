//! What happens in a collector, and the sums of it since its start.

use std::fmt;

/// Something that whoever runs the collector should know.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A round is over, and its batch is in the queue.
    Recorded(Recorded),
    /// Branch records of some processes are over, and their batch is in the queue.
    Branches {
        /// Where they came from: `lbr`, `walk` or `none`.
        source: String,
        /// Number of records.
        records: u64,
        /// Times that branches were taken, or ranges ran, for which the batch had no room.
        left_out: u64,
    },
    /// Branch records of some processes failed, with the reason; others are tried.
    BranchesFailed(String),
    /// More or less is recorded from now on, to keep to the limits of CPU time and memory.
    Paced(Paced),
    /// Something waits in the queue: number of batches and bytes. Told after each change.
    Waits {
        /// Number of batches.
        batches: usize,
        /// Their bytes.
        bytes: u64,
    },
    /// The hub has acknowledged a batch of so many bytes.
    Sent {
        /// Bytes of the batch.
        bytes: usize,
    },
    /// The hub has told its time.
    Clock {
        /// Seconds by which this host's clock is ahead of the hub's; below zero it is behind.
        ahead_s: i64,
    },
    /// The hub has refused a batch, which is lost, with its reason.
    Refused(String),
    /// The hub cannot be reached or has no room: batches wait. Told again only for another reason, or after one was sent.
    Waiting(String),
    /// So many batches more were dropped, as the queue was full.
    Dropped(u64),
    /// A round failed, with the reason; the next one is tried.
    Failed(String),
}

/// A round that is over.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Recorded {
    /// Number of samples.
    pub samples: u64,
    /// Number of samples that the kernel lost.
    pub lost: u64,
    /// Number of samples that lost their callers, since there were too many new stacks.
    pub folded: u64,
    /// Number of samples that are told less apart, since there were too many groups.
    pub coarse: u64,
    /// Number of places that are told as their file alone, since there were too many.
    pub places_left_out: u64,
    /// Bytes of the batch.
    pub bytes: usize,
    /// CPU seconds that the collector took in the round, in all its threads.
    pub cpu_s: f64,
    /// CPU seconds that the host had meanwhile.
    pub host_s: f64,
    /// Most bytes of memory at a time, beyond those of the process before it collected.
    pub memory_bytes: u64,
}

/// How much is recorded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paced {
    /// Steps below what was asked for.
    pub steps_down: usize,
    /// Samples per second and CPU.
    pub frequency_hz: u32,
    /// Seconds of a round.
    pub round_s: f64,
    /// Part of the budget for branch records.
    pub branches: f64,
    /// False if there is no memory to unwind stacks: frame pointers are followed.
    pub unwinds: bool,
}

impl fmt::Display for Paced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            steps_down,
            frequency_hz,
            round_s,
            branches,
            unwinds,
        } = self;
        match steps_down {
            0 => f.write_str("all that was asked for is recorded")?,
            steps => write!(f, "{steps} steps less than was asked for is recorded")?,
        }
        write!(
            f,
            ": {frequency_hz} samples a second, rounds of {round_s} s"
        )?;
        if *branches > 0.0 {
            write!(
                f,
                ", {:.0} % of the budget for branch records",
                100.0 * branches
            )?;
        }
        match unwinds {
            true => Ok(()),
            false => f.write_str(", callers by frame pointers, as memory is short"),
        }
    }
}

/// Sums of a collector since its start.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// Rounds that were recorded.
    pub rounds: u64,
    /// Rounds that failed.
    pub rounds_failed: u64,
    /// Samples.
    pub samples: u64,
    /// Samples that the kernel lost.
    pub samples_lost: u64,
    /// Samples that lost their callers, as there were too many new stacks.
    pub samples_folded: u64,
    /// Samples that are told less apart, as there were too many groups.
    pub samples_coarse: u64,
    /// Places that are told as their file alone, as there were too many.
    pub places_left_out: u64,
    /// Recordings of branches.
    pub branch_rounds: u64,
    /// Recordings of branches that failed.
    pub branch_rounds_failed: u64,
    /// Branch records.
    pub branch_records: u64,
    /// Times that branches were taken, or ranges ran, for which there was no room.
    pub branches_left_out: u64,
    /// Batches that the hub has acknowledged.
    pub batches_sent: u64,
    /// Bytes of these.
    pub sent_bytes: u64,
    /// Batches that the hub has refused.
    pub batches_refused: u64,
    /// Batches that were dropped, as the queue was full or could not be written.
    pub batches_dropped: u64,
    /// Batches that wait now.
    pub batches_waiting: u64,
    /// Bytes of these.
    pub waiting_bytes: u64,
    /// CPU seconds of all of it.
    pub cpu_s: f64,
    /// CPU seconds that the host had in the rounds.
    pub host_s: f64,
    /// Share of the host's CPU time that the last round took.
    pub cpu_share: f64,
    /// Memory of the last round at its peak.
    pub memory_bytes: u64,
    /// Steps below what was asked for, to keep to the limits.
    pub steps_down: u64,
    /// Samples per second and CPU now.
    pub frequency_hz: u64,
    /// Seconds by which this host's clock is ahead of the hub's; 0 until the hub has told its time.
    pub clock_ahead_s: i64,
    /// Reason why batches wait, while they do.
    pub waits_for: Option<String>,
    /// Last reason why something failed, was refused or waits.
    pub last_error: Option<String>,
}

impl Figures {
    /// Counts an event.
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::Recorded(recorded) => self.note_round(recorded),
            Event::Branches {
                records, left_out, ..
            } => {
                self.branch_rounds += 1;
                self.branch_records += records;
                self.branches_left_out += left_out;
            }
            Event::BranchesFailed(why) => {
                self.branch_rounds_failed += 1;
                self.last_error = Some(why.clone());
            }
            Event::Paced(paced) => {
                self.steps_down = paced.steps_down as u64;
                self.frequency_hz = paced.frequency_hz.into();
            }
            Event::Waits { batches, bytes } => {
                (self.batches_waiting, self.waiting_bytes) = (*batches as u64, *bytes);
            }
            Event::Sent { bytes } => {
                self.batches_sent += 1;
                self.sent_bytes += *bytes as u64;
                self.waits_for = None;
            }
            Event::Refused(why) => {
                self.batches_refused += 1;
                self.last_error = Some(why.clone());
            }
            Event::Clock { ahead_s } => self.clock_ahead_s = *ahead_s,
            Event::Waiting(why) => {
                self.last_error = Some(why.clone());
                self.waits_for = Some(why.clone());
            }
            Event::Dropped(batches) => self.batches_dropped += batches,
            Event::Failed(why) => {
                self.rounds_failed += 1;
                self.last_error = Some(why.clone());
            }
        }
    }

    fn note_round(&mut self, recorded: &Recorded) {
        self.rounds += 1;
        self.samples += recorded.samples;
        self.samples_lost += recorded.lost;
        self.samples_folded += recorded.folded;
        self.samples_coarse += recorded.coarse;
        self.places_left_out += recorded.places_left_out;
        self.cpu_s += recorded.cpu_s;
        self.host_s += recorded.host_s;
        self.cpu_share = recorded.cpu_s / recorded.host_s.max(f64::MIN_POSITIVE);
        self.memory_bytes = recorded.memory_bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_counted_where_it_belongs() {
        let recorded = Recorded {
            samples: 10,
            lost: 1,
            folded: 2,
            coarse: 3,
            places_left_out: 4,
            bytes: 99,
            cpu_s: 0.5,
            host_s: 100.0,
            memory_bytes: 7,
        };
        let mut figures = Figures::default();
        for event in [
            Event::Recorded(recorded),
            Event::Recorded(recorded),
            Event::Branches {
                source: "walk".into(),
                records: 30,
                left_out: 5,
            },
            Event::BranchesFailed("a".into()),
            Event::Waits {
                batches: 2,
                bytes: 198,
            },
            Event::Waiting("z".into()),
            Event::Sent { bytes: 99 },
            Event::Clock { ahead_s: -7 },
            Event::Refused("b".into()),
            Event::Waiting("c".into()),
            Event::Dropped(2),
            Event::Dropped(1),
            Event::Failed("d".into()),
        ] {
            figures.note(&event);
        }
        let expected = Figures {
            rounds: 2,
            rounds_failed: 1,
            samples: 20,
            samples_lost: 2,
            samples_folded: 4,
            samples_coarse: 6,
            places_left_out: 8,
            branch_rounds: 1,
            branch_rounds_failed: 1,
            branch_records: 30,
            branches_left_out: 5,
            batches_sent: 1,
            sent_bytes: 99,
            batches_refused: 1,
            batches_dropped: 3,
            batches_waiting: 2,
            waiting_bytes: 198,
            cpu_s: 1.0,
            host_s: 200.0,
            cpu_share: 0.005,
            memory_bytes: 7,
            steps_down: 0,
            frequency_hz: 0,
            clock_ahead_s: -7,
            waits_for: Some("c".into()),
            last_error: Some("d".into()),
        };
        assert_eq!(figures, expected);
        figures.note(&Event::Sent { bytes: 1 });
        assert_eq!(figures.waits_for, None);
    }
}
