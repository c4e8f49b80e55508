//! Events for the main loop: from signals, and from requests over HTTP.

use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::oneshot;

/// An event.
pub(crate) enum Event {
    /// Read the configuration again, and send the outcome to the given channel.
    Reload(Option<oneshot::Sender<Reloaded>>),
    /// End the agent.
    End,
}

/// Outcome of a reload.
#[derive(Clone, Debug)]
pub(crate) enum Reloaded {
    /// Done; the text names what has changed.
    Done(String),
    /// Refused without any change; the text names the reason.
    Refused(String),
}

/// Turns the signals SIGTERM, SIGINT and SIGHUP into events.
pub(crate) fn watch_signals(events: Sender<Event>) -> Result<()> {
    let mut signals =
        Signals::new([SIGTERM, SIGINT, SIGHUP]).context("cannot watch for signals")?;
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                let event = match signal {
                    SIGHUP => Event::Reload(None),
                    _ => Event::End,
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        })
        .context("cannot watch for signals")?;
    Ok(())
}

/// Receiving end of the events.
pub(crate) type Events = Receiver<Event>;
