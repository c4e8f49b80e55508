//! Progress of a step that takes a while: a live line on a terminal; elsewhere a line now and then, so that the log of
//! a run shows through minutes of silence that the run is alive, and what it does.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hone_optimize::progress::{Look, Ongoing};
use indicatif::{ProgressBar, ProgressStyle};

/// Interval between lines where nobody watches.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// Interval between looks at what a build does, on a terminal.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A bar or a spinner with its message.
pub(super) struct Bar {
    bar: ProgressBar,
    message: Arc<Mutex<String>>,
    beat: Option<Beat>,
}

impl Bar {
    /// Makes a bar. `place` is the position in the run; `look` finds out what the step does, if the step itself does not tell.
    pub(super) fn new(
        bar: ProgressBar,
        template: &str,
        text: &str,
        place: String,
        look: Option<Look>,
    ) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(text.to_owned());
        if bar.length().is_some() {
            bar.set_message(text.to_owned());
        }
        let message = Arc::new(Mutex::new(String::new()));
        let (shown, text) = (message.clone(), text.to_owned());
        let now = move || match &look {
            Some(look) => look(),
            None => shown.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        let began = Instant::now();
        let beat = if bar.is_hidden() {
            let line = move || {
                let seconds = began.elapsed().as_secs();
                eprintln!("        {place}{text}, {seconds} s: {}", now());
            };
            Some(Beat::start(LINE_EVERY, line))
        } else if bar.length().is_none() {
            let live = bar.clone();
            Some(Beat::start(LOOK_EVERY, move || {
                live.set_message(format!("{place}{}", now()));
            }))
        } else {
            None
        };
        Self { bar, message, beat }
    }

    fn tell_beat(&self, text: String) {
        *self.message.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

impl Ongoing for Bar {
    fn done(&mut self, steps: u64) {
        self.bar.set_position(steps);
        if let Some(all) = self.bar.length() {
            self.tell_beat(format!("{steps} of {all} runs"));
        }
    }

    fn tell(&mut self, text: &str) {
        self.bar.set_message(text.to_owned());
        self.tell_beat(text.to_owned());
    }

    /// Removes the bar.
    fn finish(self: Box<Self>) {
        if let Some(beat) = self.beat {
            beat.stop();
        }
        self.bar.finish_and_clear();
    }
}

/// A thread that repeats an action until it is stopped.
struct Beat {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Beat {
    fn start(every: Duration, act: impl Fn() + Send + 'static) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            // The loop ends when the beat is stopped or dropped.
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                act();
            }
        });
        Self { stop, thread }
    }

    fn stop(self) {
        drop(self.stop);
        // The thread does nothing that could fail.
        let _ = self.thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_goes_on_until_it_is_stopped() {
        let (heard, beats) = mpsc::channel();
        let beat = Beat::start(Duration::from_millis(1), move || {
            let _ = heard.send(());
        });
        for _ in 0..3 {
            beats.recv().unwrap();
        }
        beat.stop();
        while beats.try_recv().is_ok() {}
        assert!(beats.recv().is_err());
    }
}
