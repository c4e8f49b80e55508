//! What the user sees while `optimize` runs: one line per phase, a bar below it on a terminal.

use std::time::{Duration, Instant};

use hone_measure::{Comparison, Verdict};
use indicatif::{ProgressBar, ProgressStyle};

/// Speaks to standard error.
pub(super) struct Say {
    began: Instant,
}

/// Something that takes a while: a bar or a spinner on a terminal, nothing elsewhere.
pub(super) struct Ongoing {
    bar: ProgressBar,
}

impl Say {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
        }
    }

    /// A new phase, with the time since the start.
    pub(super) fn phase(&self, text: &str) {
        let seconds = self.began.elapsed().as_secs();
        eprintln!("[{:>2}:{:02}] {text}", seconds / 60, seconds % 60);
    }

    /// A line below the phase.
    pub(super) fn line(&self, text: &str) {
        eprintln!("        {text}");
    }

    /// The result of an experiment in one line.
    pub(super) fn comparison(&self, comparison: &Comparison) {
        let gain = comparison.overall;
        let verdict = match comparison.verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::NoProvableDifference => "no provable difference",
        };
        self.line(&format!(
            "{:.3}x [{:.3}, {:.3}] over {} blocks: {verdict}",
            gain.ratio, gain.low, gain.high, comparison.blocks
        ));
    }

    /// A bar over a known number of steps.
    pub(super) fn progress(&self, steps: usize, text: &str) -> Ongoing {
        Ongoing::new(
            ProgressBar::new(steps as u64),
            "        {msg} {wide_bar} {pos}/{len}, {eta} left",
            text,
        )
    }

    /// A spinner with the time it has taken.
    pub(super) fn spinner(&self, text: &str) -> Ongoing {
        let ongoing = Ongoing::new(
            ProgressBar::new_spinner(),
            "        {spinner} {prefix}, {elapsed} {msg}",
            text,
        );
        ongoing.bar.enable_steady_tick(Duration::from_millis(200));
        ongoing
    }
}

impl Ongoing {
    fn new(bar: ProgressBar, template: &str, text: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(text.to_owned());
        if bar.length().is_some() {
            bar.set_message(text.to_owned());
        }
        Self { bar }
    }

    /// So many steps are done.
    pub(super) fn done(&mut self, steps: u64) {
        self.bar.set_position(steps);
    }

    /// What it is at.
    pub(super) fn tell(&mut self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
