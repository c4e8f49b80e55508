//! The rounds: planned, recorded, added up, put into the queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use hone_batch::wire;
use hone_record::{BranchSource, CallGraph};

use super::{Patience, Shared, tell_waiting};
use crate::branches::{Coming, Turns};
use crate::figures::{Event, Paced, Recorded};
use crate::options::Options;
use crate::pace::{Cost, Pace};
use crate::round::{self, Asked, BranchRound, Part, Round, Surroundings};
use crate::self_usage::{cpus, thread_cpu};

/// Records until `stop`.
pub(super) fn run(
    options: &Options,
    shared: &Shared,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<()> {
    let mut rounds = Rounds::begin(options, shared, tell);
    let mut patience = Patience::new(options.round);
    while !stop.load(Ordering::Relaxed) {
        // A fault in reading what was recorded must not end whoever else works in this process.
        let outcome = catch_unwind(AssertUnwindSafe(|| rounds.one(stop)));
        let outcome = outcome.unwrap_or_else(|_| Err(anyhow!("the collector has panicked")));
        match outcome {
            Ok(()) => patience.reset(),
            Err(error) if rounds.done == 0 && !options.is_patient => return Err(error),
            Err(error) => {
                tell(Event::Failed(format!("{error:#}")));
                patience.pause(stop);
            }
        }
    }
    Ok(())
}

/// What lasts from round to round.
struct Rounds<'c> {
    options: &'c Options,
    shared: &'c Shared,
    tell: &'c (dyn Fn(Event) + Sync),
    surroundings: Surroundings,
    pace: Pace,
    turns: Option<Turns>,
    cpus: usize,
    /// Rounds that were recorded.
    done: u64,
    /// Number of the next batch.
    number: u64,
    /// CPU time of the sender that is counted already, in nanoseconds.
    sender_cpu_ns: u64,
}

impl<'c> Rounds<'c> {
    fn begin(options: &'c Options, shared: &'c Shared, tell: &'c (dyn Fn(Event) + Sync)) -> Self {
        let has_branches =
            options.branches.source != BranchSource::None && options.branches.cpu_share_max > 0.0;
        let share_max = options.cpu_share_max;
        // Different on each host, and in each run.
        let seed = options.run as u64;
        let rounds = Self {
            surroundings: Surroundings::of(options),
            pace: Pace::within(share_max, options.memory_bytes_max, has_branches),
            turns: has_branches.then(|| Turns::of(&options.branches, seed)),
            cpus: cpus(),
            done: 0,
            number: 0,
            sender_cpu_ns: 0,
            options,
            shared,
            tell,
        };
        (rounds.tell)(Event::Paced(rounds.paced()));
        rounds
    }

    /// Makes one round.
    fn one(&mut self, stop: &AtomicBool) -> Result<()> {
        let (began, before) = (Instant::now(), thread_cpu());
        let asked = self.plan();
        let round = round::record(
            self.options,
            &asked,
            &mut self.number,
            &mut self.surroundings,
            stop,
        );
        let Round { plain, branches } = round;
        let queued = plain.and_then(|plain| Ok((self.queue(&plain)?, plain)));
        let branches_s = match (asked.branches, branches) {
            (Some(asked), Some(outcome)) => self.take_branches(&asked, outcome)?,
            _ => 0.0,
        };
        let (bytes, plain) = queued?;
        self.done += 1;
        let own_s = (thread_cpu() - before).as_secs_f64() + self.sender_s();
        let cost = Cost {
            cpu_s: own_s + plain.cpu_s() + branches_s,
            host_s: began.elapsed().as_secs_f64() * self.cpus as f64,
            memory_bytes: self.surroundings.memory.peak_bytes(),
        };
        (self.tell)(Event::Recorded(recorded(&plain, bytes, cost)));
        let paced = self.paced();
        self.pace.note(cost);
        if self.paced() != paced {
            (self.tell)(Event::Paced(self.paced()));
        }
        Ok(())
    }

    fn plan(&mut self) -> Asked {
        let Paced {
            frequency_hz,
            round_s,
            branches: part,
            unwinds,
            ..
        } = self.paced();
        let duration = Duration::from_secs_f64(round_s);
        let coming = Coming {
            duration,
            cpus: self.cpus,
            part,
        };
        let candidates = self.surroundings.identities.candidates();
        let since = self.surroundings.identities.since_the_look_before();
        let turns = self.turns.as_mut();
        Asked {
            frequency_hz,
            duration,
            call_graph: match self.options.call_graph {
                CallGraph::Dwarf { .. } if !unwinds => CallGraph::FramePointers,
                asked => asked,
            },
            branches: turns.and_then(|turns| turns.next(&candidates, since, coming)),
        }
    }

    /// Returns what the pace makes of the settings.
    fn paced(&self) -> Paced {
        let step = self.pace.step();
        Paced {
            steps_down: self.pace.steps_down(),
            frequency_hz: (self.options.frequency_hz / step.slower).max(1),
            round_s: self.options.round.as_secs_f64() * f64::from(step.longer),
            branches: step.branches,
            unwinds: self.pace.unwinds(),
        }
    }

    /// Takes branch records, or why there are none; returns what they cost in CPU seconds.
    fn take_branches(&mut self, asked: &BranchRound, outcome: Result<Part>) -> Result<f64> {
        let Some(turns) = &mut self.turns else {
            return Ok(0.0);
        };
        let refused = |part: &Part| {
            let warnings = part.summary.warnings.join(" ");
            format!("no branch records can be made here. {warnings}")
        };
        let part = match outcome {
            Ok(part) if part.summary.branch_source == "none" => {
                turns.failed(&asked.pids);
                (self.tell)(Event::BranchesFailed(refused(&part)));
                return Ok(part.cpu_s());
            }
            Ok(part) => part,
            Err(error) => {
                turns.failed(&asked.pids);
                (self.tell)(Event::BranchesFailed(format!("{error:#}")));
                return Ok(0.0);
            }
        };
        turns.worked(part.cpu_s(), part.summary.target_cpu_s);
        self.queue(&part)?;
        let left_out = part.added.left_out;
        (self.tell)(Event::Branches {
            source: part.summary.branch_source.clone(),
            records: part.summary.branch_records,
            left_out: left_out.branches + left_out.ranges,
        });
        Ok(part.cpu_s())
    }

    /// Puts a batch into the queue, if there is anything in it; returns its bytes.
    fn queue(&mut self, part: &Part) -> Result<usize> {
        if part.added.batch.samples.is_empty() {
            return Ok(0);
        }
        let bytes = wire::write(&part.added.batch);
        self.surroundings.memory.look();
        let mut queue = self.shared.queue();
        let dropped = queue.dropped();
        let pushed = queue.push(&bytes);
        let dropped = queue.dropped() - dropped + u64::from(pushed.is_err());
        tell_waiting(&queue, self.tell);
        drop(queue);
        if dropped > 0 {
            (self.tell)(Event::Dropped(dropped));
        }
        self.shared.changed.notify_all();
        pushed.context("a batch cannot be kept")?;
        Ok(bytes.len())
    }

    /// Returns the CPU seconds of the sender since the last call.
    fn sender_s(&mut self) -> f64 {
        let now_ns = self.shared.sender_cpu_ns.load(Ordering::Relaxed);
        let since_ns = now_ns - self.sender_cpu_ns;
        self.sender_cpu_ns = now_ns;
        since_ns as f64 / 1e9
    }
}

fn recorded(part: &Part, bytes: usize, cost: Cost) -> Recorded {
    let Part { added, summary } = part;
    Recorded {
        samples: summary.samples,
        lost: summary.lost,
        folded: added.folded_samples,
        coarse: added.coarse_samples,
        places_left_out: added.left_out.places,
        bytes,
        cpu_s: cost.cpu_s,
        host_s: cost.host_s,
        memory_bytes: cost.memory_bytes,
    }
}
