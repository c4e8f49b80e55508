//! A recording counted by stacks, and the event to look at.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_convert::next_step;
use hone_diagnose::Counter;
use hone_fdo::{FdoError, Recorded, WALK_EVENT};
use hone_files::advice::{Advice, Advise};
use hone_inputs::recorded_files::Unused;
use hone_inputs::recording::Reading;
use hone_profile::{Binary, BinaryId, EventId, Losses, Profile};
use hone_views::{StackTally, is_time};

use crate::binaries::{Binaries, Opened};
use crate::selection::Selection;

/// A recording, counted by stacks, the event to look at, and the binaries of the question that the recording is read for.
pub struct Recording<'q> {
    binaries: &'q Binaries<'q>,
    path: PathBuf,
    recorded: Recorded,
    tally: StackTally,
    event: EventId,
}

impl<'q> Recording<'q> {
    /// Reads a recording.
    pub fn read(path: &Path, selection: &Selection, binaries: &'q Binaries<'q>) -> Result<Self> {
        Self::read_into(StackTally::default(), path, selection, binaries)
    }

    /// Reads a recording with the time of each sample.
    pub fn read_with_times(
        path: &Path,
        selection: &Selection,
        binaries: &'q Binaries<'q>,
    ) -> Result<Self> {
        Self::read_into(StackTally::with_times(), path, selection, binaries)
    }

    fn read_into(
        mut tally: StackTally,
        path: &Path,
        selection: &Selection,
        binaries: &'q Binaries<'q>,
    ) -> Result<Self> {
        let mut reading = Reading::of(&[path.to_owned()], None).through(binaries.files());
        let recorded = reading.next(path, |_, sample, _| tally.add(sample))?;
        let event = event_of(&recorded.profile, &tally, selection.event.as_deref())
            .with_context(|| path.display().to_string())?;
        Ok(Self {
            binaries,
            path: path.to_owned(),
            recorded,
            tally,
            event,
        })
    }

    /// Path of the recording.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The recording with its counts by places.
    pub fn recorded(&self) -> &Recorded {
        &self.recorded
    }

    /// What was recorded, without the samples.
    pub fn profile(&self) -> &Profile {
        &self.recorded.profile
    }

    /// The samples, counted by stacks.
    pub fn tally(&self) -> &StackTally {
        &self.tally
    }

    /// The event to look at.
    pub fn event(&self) -> EventId {
        self.event
    }

    /// Opens the file of a recorded binary ([`Binaries::open`]).
    pub fn open(&self, recorded: &Binary) -> Result<Opened<'q>> {
        self.binaries.open(recorded)
    }

    /// Lists the files that the user gave for recorded binaries and that are not used.
    pub fn unused_files(&self) -> Vec<Unused> {
        self.binaries.files().unused(self.profile())
    }

    /// Returns the binaries that the event's stacks go through.
    pub fn binaries(&self) -> Vec<BinaryId> {
        self.tally
            .places(self.profile(), self.event)
            .into_keys()
            .collect()
    }
}

/// Returns the event to look at: the one that was named; else time or cycles; else the first with samples that is no walk.
fn event_of(profile: &Profile, tally: &StackTally, name: Option<&str>) -> Result<EventId> {
    let events = (0..profile.events.len() as u32).map(EventId);
    let with_samples: Vec<EventId> = events.filter(|&event| tally.samples(event) > 0).collect();
    let name_of = |event: &EventId| profile.events[event.index()].name.as_str();
    let is_wanted = |event: &&EventId| match name {
        Some(name) => name_of(event) == name,
        None => name_of(event) != WALK_EVENT,
    };
    let is_usual = |event: &&EventId| {
        is_time(name_of(event)) || Counter::of_event(name_of(event)) == Some(Counter::Cycles)
    };
    let mut wanted = with_samples.iter().filter(is_wanted);
    let usual = with_samples.iter().filter(is_wanted).find(is_usual);
    let found = usual.or_else(|| wanted.next());
    if let Some(event) = found {
        return Ok(*event);
    }
    let there: Vec<&str> = with_samples.iter().map(name_of).collect();
    match (name, there.as_slice()) {
        (_, []) => Err(no_samples(&profile.losses)),
        (Some(name), there) => Err(anyhow!("there are no samples of an event {name}"))
            .next(format!("name one of {}", there.join(", "))),
        (None, _) => Err(anyhow!(
            "the recording holds branches only, and no samples of time"
        ))
        .next("record without --branches, or with --branches auto"),
    }
}

/// Returns the error that there are no samples, with the reason.
fn no_samples(losses: &Losses) -> anyhow::Error {
    let error = match losses.corrupt_at {
        Some(at) => FdoError::Corrupt { at },
        None if losses.unfinished => FdoError::Unfinished,
        None => {
            let next = "record for longer, or a program that uses the CPU";
            return Advice::error(FdoError::NoSamples, next);
        }
    };
    let next = next_step(&error);
    Advice::error(error, next)
}
