//! Which of a recording's events a command looks at.

use anyhow::{Result, anyhow};
use hone_profile::{Kind, Profile, Sample};

use hone_run::advice::Advise;

/// The events of a recording that are looked at: one by its name, or by default all.
#[derive(Clone, Default, Debug)]
pub struct EventChoice {
    event: Option<String>,
}

impl EventChoice {
    /// One event; all where none is named.
    pub fn named(event: Option<String>) -> Self {
        Self { event }
    }

    /// The event that was named.
    pub fn name(&self) -> Option<&str> {
        self.event.as_deref()
    }

    /// Refuses an event of a text that has no samples.
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

/// The samples of a recording, by event, as they come.
pub(super) struct Seen {
    wanted: Option<String>,
    /// By the event's number.
    samples: Vec<u64>,
}

impl Seen {
    pub(super) fn of(choice: &EventChoice) -> Self {
        Self {
            wanted: choice.event.clone(),
            samples: Vec::new(),
        }
    }

    /// Whether a sample is of the event that was named; all are where none was.
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

    /// An error if the recording has samples, and none of the event that was named.
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
