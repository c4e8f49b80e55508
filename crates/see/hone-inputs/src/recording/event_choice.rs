//! Choice of a recording's events that a command looks at.

use anyhow::{Result, anyhow};
use hone_profile::{Kind, Profile, Sample};

use hone_files::advice::Advise;

/// Chosen events of a recording: one by its name, or all by default.
#[derive(Clone, Default, Debug)]
pub struct EventChoice {
    event: Option<String>,
}

impl EventChoice {
    /// Chooses the event of this name, or all events if there is none.
    pub fn named(event: Option<String>) -> Self {
        Self { event }
    }

    /// Name of the chosen event; `None` for all events.
    pub fn name(&self) -> Option<&str> {
        self.event.as_deref()
    }

    /// Returns an error if an event is chosen for a text that has no samples.
    pub(super) fn is_of_no_use(&self, kind: Kind) -> Result<()> {
        let text = match kind {
            Kind::LlvmUnsymbolized => "llvm-profgen's text",
            _ => "BOLT's text",
        };
        match self.name() {
            None => Ok(()),
            Some(name) => Err(anyhow!(
                "{text} adds up its events, so {name} cannot be had alone"
            ))
            .next("leave out --event, or name the recording that it was made from"),
        }
    }
}

/// Numbers of samples by event, counted while a recording is read.
pub(super) struct Seen {
    wanted: Option<String>,
    /// Number of samples of each event, by the event's index.
    samples: Vec<u64>,
}

impl Seen {
    pub(super) fn of(choice: &EventChoice) -> Self {
        Self {
            wanted: choice.event.clone(),
            samples: Vec::new(),
        }
    }

    /// Counts a sample, and returns true if its event is chosen. Without a choice, nothing is counted and all samples are taken.
    pub(super) fn takes(&mut self, profile: &Profile, sample: &Sample) -> bool {
        let Some(wanted) = &self.wanted else {
            return true;
        };
        let index = sample.event.index();
        if self.samples.len() <= index {
            self.samples.resize(index + 1, 0);
        }
        self.samples[index] += sample.times;
        let event = profile.events.get(index);
        event.is_some_and(|event| event.name == *wanted)
    }

    /// Returns an error if the recording has samples, but none of the chosen event.
    pub(super) fn end(&self, profile: &Profile) -> Result<()> {
        let Some(wanted) = &self.wanted else {
            return Ok(());
        };
        let with_samples = profile.events.iter().zip(&self.samples);
        let mut names: Vec<&str> = with_samples
            .filter(|(_, samples)| **samples > 0)
            .map(|(event, _)| event.name.as_str())
            .collect();
        names.dedup();
        if names.is_empty() || names.contains(&wanted.as_str()) {
            return Ok(());
        }
        Err(anyhow!("there are no samples of an event {wanted}"))
            .next(format!("name one of {}", names.join(", ")))
    }
}
