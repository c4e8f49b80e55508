//! Messages to the user while `optimize` runs: one line per phase, and a bar below it on a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hone_report::number;
use indicatif::ProgressBar;

use super::bars::Bar;
use hone_optimize::progress::{Look, Ongoing, Progress};

/// Writer of progress to standard error.
pub(super) struct Told {
    began: Instant,
    ladder: Mutex<Option<Ladder>>,
}

/// Position of the run on the ladder.
#[derive(Clone, Copy)]
struct Ladder {
    began: Instant,
    /// Number of the rung that is being tried, from 1 on; 0 before the first.
    rung: usize,
    /// Number of rungs that will be tried.
    rungs: usize,
    /// Seconds that are left, estimated from the rungs so far.
    left_s: Option<f64>,
}

impl Told {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            ladder: Mutex::new(None),
        }
    }

    fn change_ladder(&self, change: impl FnOnce(&mut Option<Ladder>)) {
        let mut ladder = self.ladder.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut ladder);
    }

    /// Returns the position as `rung 3 of 7, about 9 min 0 s left: `; empty if no rung is being tried.
    fn place(&self) -> String {
        let ladder = self.ladder.lock().unwrap_or_else(PoisonError::into_inner);
        ladder.map_or_else(String::new, Ladder::place)
    }
}

impl Progress for Told {
    fn begin_ladder(&self, rungs: usize) {
        self.change_ladder(|ladder| {
            *ladder = Some(Ladder {
                began: Instant::now(),
                rung: 0,
                rungs,
                left_s: None,
            });
        });
    }

    fn next_rung(&self) {
        self.change_ladder(|ladder| {
            if let Some(ladder) = ladder {
                let spent_s = ladder.began.elapsed().as_secs_f64();
                ladder.next(spent_s);
            }
        });
    }

    fn end_ladder(&self) {
        self.change_ladder(|ladder| *ladder = None);
    }

    /// Writes the phase with the time since the start.
    fn phase(&self, text: &str) {
        let seconds = self.began.elapsed().as_secs();
        let place = self.place();
        eprintln!("[{:>2}:{:02}] {place}{text}", seconds / 60, seconds % 60);
    }

    fn line(&self, text: &str) {
        eprintln!("        {text}");
    }

    fn steps(&self, steps: usize, text: &str) -> Box<dyn Ongoing> {
        Box::new(Bar::new(
            ProgressBar::new(steps as u64),
            "        {msg} {wide_bar} {pos}/{len}, {eta} left",
            text,
            self.place(),
            None,
        ))
    }

    fn work(&self, text: &str, look: Option<Look>) -> Box<dyn Ongoing> {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        let template = "        {spinner} {prefix}, {elapsed} {msg}";
        Box::new(Bar::new(bar, template, text, self.place(), look))
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
