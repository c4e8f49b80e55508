//! Something that takes a while: a live line on a terminal; elsewhere a line now and then, so that a log of a run shows
//! through minutes of silence that it is alive, and at what.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::Run;

/// Where nobody watches, a line is written so often.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// So often is looked at what a build is at, on a terminal.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Bytes of a log's end that are read for its last line.
const TAIL_BYTES: u64 = 64 << 10;
/// Endings of what a compiler compiles.
const SOURCES: &[&str] = &[".c", ".C", ".cc", ".cpp", ".cxx", ".c++", ".rs", ".go"];

/// A bar or a spinner, and what it is at.
pub(super) struct Ongoing {
    bar: ProgressBar,
    message: Arc<Mutex<String>>,
    beat: Option<Beat>,
}

impl Ongoing {
    /// `place`: where in the run it is. `look` finds out what it is at, where nobody tells.
    pub(super) fn new(
        bar: ProgressBar,
        template: &str,
        text: &str,
        place: String,
        look: Option<Box<dyn Fn() -> String + Send>>,
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

    /// So many steps are done.
    pub(super) fn done(&mut self, steps: u64) {
        self.bar.set_position(steps);
        if let Some(all) = self.bar.length() {
            self.tell_beat(format!("{steps} of {all} runs"));
        }
    }

    /// What it is at.
    pub(super) fn tell(&mut self, text: &str) {
        self.bar.set_message(text.to_owned());
        self.tell_beat(text.to_owned());
    }

    fn tell_beat(&self, text: String) {
        *self.message.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(beat) = self.beat {
            beat.stop();
        }
        self.bar.finish_and_clear();
    }
}

/// Does something again and again until it is stopped.
struct Beat {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Beat {
    fn start(every: Duration, act: impl Fn() + Send + 'static) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            // Stopped, or forgotten: either ends it.
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                act();
            }
        });
        Self { stop, thread }
    }

    fn stop(self) {
        drop(self.stop);
        // It does nothing that could fail.
        let _ = self.thread.join();
    }
}

/// A build, with what is being compiled, as the log of the wrappers' calls has it.
pub(super) fn of_build(run: &Run, name: &str, calls: &Path) -> Ongoing {
    let calls = calls.to_owned();
    let look = move || {
        tail(&calls)
            .and_then(|text| compiling(&text))
            .unwrap_or_default()
    };
    run.say
        .watching(&format!("building {name}"), Box::new(look))
}

fn tail(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    let from = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the last line of a log of calls is about: a source, or the file that is linked.
fn compiling(log: &str) -> Option<String> {
    let line = log.lines().next_back()?;
    let (mode, _) = line.split_once(' ')?;
    let (_, call) = line.split_once(" -> ")?;
    let words: Vec<_> = call.split(' ').collect();
    if mode.starts_with("Link") {
        let output = words.iter().position(|word| *word == "-o");
        let output = output.and_then(|at| words.get(at + 1)).unwrap_or(&"a.out");
        return Some(format!("linking {output}"));
    }
    let is_source = |word: &&&str| SOURCES.iter().any(|ending| word.ends_with(ending));
    let source = words.iter().rev().find(is_source)?;
    Some(format!("compiling {source}"))
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

    #[test]
    fn the_last_call_tells_what_a_build_is_at() {
        let log = "Compile cc -> /usr/bin/cc -O2 -c a.c -o a.o\nCompile c++ -> /usr/bin/c++ -c src/b.cc -g\n";
        assert_eq!(compiling(log).unwrap(), "compiling src/b.cc");
        let linked = format!("{log}LinkProgram cc -> /usr/bin/cc a.o b.o -o prog -lm\n");
        assert_eq!(compiling(&linked).unwrap(), "linking prog");
        assert_eq!(compiling(""), None);
    }
}
