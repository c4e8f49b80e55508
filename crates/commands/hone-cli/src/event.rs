//! The option that chooses one of a recording's events.

use hone_inputs::recording::EventChoice;

/// An option of every command that reads recordings.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct EventArgs {
    /// Only samples of this event, where the recording has several
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
}

impl EventArgs {
    /// Returns the events to read: all if no event was named.
    pub(crate) fn choice(&self) -> EventChoice {
        EventChoice::named(self.event.clone())
    }

    /// Returns the event that was named.
    pub(crate) fn name(&self) -> Option<&str> {
        self.event.as_deref()
    }
}
