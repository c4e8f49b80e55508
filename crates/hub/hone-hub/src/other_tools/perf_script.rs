//! The text of `perf script`: addresses, so that symbols and compiler profiles come of it as of the batches of hosts.

use std::time::Duration;

use hone_batch::{Adding, Batch, Group, Host, Origin, StackLimit};
use hone_profile::{LocationId, Profile, Thread, perf_script};

use super::draft::check_levels;
use super::limits::RECORDED_S_MAX;
use super::parameters::Parameters;
use super::unpack::unpacked;
use super::{LeftOut, Refusal, Sent};

/// Makes a batch of a text.
pub(super) fn take(sent: &Sent, body: &[u8], origin: Origin) -> Result<(Batch, LeftOut), Refusal> {
    let parameters = Parameters::of_upload(sent.query.as_deref())?;
    let text = unpacked(body)?;
    let profile = perf_script::read(&text).map_err(|error| {
        Refusal::Bad(format!(
            "the text: {error}; print it with perf script --show-mmap-events -F comm,pid,tid,time,event,ip,sym,dso,period, and brstack where there are branches"
        ))
    })?;
    let mut left_out = parameters.left_out;
    left_out.samples += profile.losses.malformed_records;
    let first_ns = profile.samples.iter().map(|sample| sample.time_ns).min();
    let last_ns = profile.samples.iter().map(|sample| sample.time_ns).max();
    let first_ns = first_ns.unwrap_or(0);
    let seconds = Duration::from_nanos(last_ns.unwrap_or(0) - first_ns).as_secs();
    let seconds = seconds.min(RECORDED_S_MAX);
    let start_s = match parameters.recorded {
        Some(recorded) => recorded.start_s,
        None => sent.now_s.saturating_sub(seconds),
    };
    let mut clock = Clock {
        group: parameters.group,
        first_ns,
        start_s,
        end_s: start_s.saturating_add(seconds),
    };
    let mut adding = Adding::new(origin, StackLimit::default());
    let mut levels = 0_usize;
    for sample in &profile.samples {
        levels += sample
            .stack
            .map_or(1, |stack| profile.frames(stack).count());
        check_levels(levels)?;
        left_out.taken += sample.times;
        adding.add(&profile, sample, profile.branches_of(sample), &mut clock);
    }
    Ok((adding.finish().batch, left_out))
}

/// What is told of the samples beside the text, whose clock begins with the machine.
struct Clock {
    group: Group,
    first_ns: u64,
    start_s: u64,
    end_s: u64,
}

impl Host for Clock {
    fn group(&mut self, thread: &Thread) -> Group {
        let mut group = self.group.clone();
        if group.thread.is_empty() {
            group.thread.clone_from(&thread.name);
        }
        group
    }

    fn unix_s(&mut self, time_ns: u64) -> u64 {
        let after_s = time_ns.saturating_sub(self.first_ns) / 1_000_000_000;
        self.start_s.saturating_add(after_s).min(self.end_s)
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}
