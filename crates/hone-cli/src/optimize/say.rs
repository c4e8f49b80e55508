//! What the user sees while `optimize` runs: one line per phase, a bar below it on a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hone_measure::{Comparison, Verdict};
use hone_report::number;
use indicatif::ProgressBar;

use super::progress::Ongoing;

/// Speaks to standard error.
pub(super) struct Say {
    began: Instant,
    ladder: Mutex<Option<Ladder>>,
}

/// Where the run has come to on the ladder.
#[derive(Clone, Copy)]
struct Ladder {
    began: Instant,
    /// The rung that is being tried, from 1 on; 0 before the first.
    rung: usize,
    /// The rungs that will be tried.
    rungs: usize,
    /// Seconds that are left, by those that were taken so far.
    left_s: Option<f64>,
}

impl Say {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            ladder: Mutex::new(None),
        }
    }

    /// From now on rungs are counted.
    pub(super) fn begin_ladder(&self, rungs: usize) {
        self.change_ladder(|ladder| {
            *ladder = Some(Ladder {
                began: Instant::now(),
                rung: 0,
                rungs,
                left_s: None,
            });
        });
    }

    /// The next rung begins.
    pub(super) fn next_rung(&self) {
        self.change_ladder(|ladder| {
            if let Some(ladder) = ladder {
                let spent_s = ladder.began.elapsed().as_secs_f64();
                ladder.next(spent_s);
            }
        });
    }

    /// All rungs are done.
    pub(super) fn end_ladder(&self) {
        self.change_ladder(|ladder| *ladder = None);
    }

    fn change_ladder(&self, change: impl FnOnce(&mut Option<Ladder>)) {
        let mut ladder = self.ladder.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut ladder);
    }

    /// `rung 3 of 7, about 9 min 0 s left: `; nothing where no rung is tried.
    fn place(&self) -> String {
        let ladder = self.ladder.lock().unwrap_or_else(PoisonError::into_inner);
        ladder.map_or_else(String::new, Ladder::place)
    }

    /// A new phase, with the time since the start.
    pub(super) fn phase(&self, text: &str) {
        let seconds = self.began.elapsed().as_secs();
        let place = self.place();
        eprintln!("[{:>2}:{:02}] {place}{text}", seconds / 60, seconds % 60);
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
            self.place(),
            None,
        )
    }

    /// A spinner with the time it has taken.
    pub(super) fn spinner(&self, text: &str) -> Ongoing {
        self.spinning(text, None)
    }

    /// A spinner that finds out by itself what it is at.
    pub(super) fn watching(&self, text: &str, look: Box<dyn Fn() -> String + Send>) -> Ongoing {
        self.spinning(text, Some(look))
    }

    fn spinning(&self, text: &str, look: Option<Box<dyn Fn() -> String + Send>>) -> Ongoing {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        let template = "        {spinner} {prefix}, {elapsed} {msg}";
        Ongoing::new(bar, template, text, self.place(), look)
    }
}

impl Ladder {
    fn next(&mut self, spent_s: f64) {
        // The winner is measured afresh at the end, which takes about as long as a rung.
        let left = (self.rungs + 1).saturating_sub(self.rung);
        self.left_s = (self.rung > 0).then(|| spent_s / self.rung as f64 * left as f64);
        self.rung += 1;
    }

    fn place(self) -> String {
        if self.rung == 0 {
            return String::new();
        }
        let left = self.left_s.map_or_else(String::new, |seconds| {
            format!(", about {} left", number::seconds(seconds))
        });
        format!("rung {} of {}{left}: ", self.rung, self.rungs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_rungs_so_far() {
        let mut ladder = Ladder {
            began: Instant::now(),
            rung: 0,
            rungs: 3,
            left_s: None,
        };
        assert_eq!(ladder.place(), "");
        ladder.next(0.0);
        assert_eq!(ladder.place(), "rung 1 of 3: ");
        ladder.next(60.0);
        // Two rungs and the winner.
        assert_eq!(ladder.place(), "rung 2 of 3, about 3 min 0 s left: ");
    }
}
