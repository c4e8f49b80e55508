//! What the loop is asked to do by others: by signals, and over HTTP.

use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::oneshot;

/// A wish.
pub(crate) enum Event {
    /// Read the configuration again, and tell somebody what came of it.
    Reload(Option<oneshot::Sender<Reloaded>>),
    /// End.
    End,
}

/// What came of a reload.
#[derive(Clone, Debug)]
pub(crate) enum Reloaded {
    /// What is different now.
    Done(String),
    /// Why all is as it was.
    Refused(String),
}

/// All signals that mean something, as events.
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

/// Where events come out.
pub(crate) type Events = Receiver<Event>;
