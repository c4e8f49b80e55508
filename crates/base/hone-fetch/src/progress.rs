//! Progress on standard error: shown only to a terminal, and only once something takes over a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time before the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar over a known number of steps.
pub struct Progress {
    bar: ProgressBar,
    steps: u64,
    began: Instant,
    shown: bool,
}

impl Progress {
    /// Creates a bar that appears after a second if standard error is a terminal.
    pub fn new(steps: u64, message: impl Into<String>) -> Self {
        Self::with_count(steps, message, "{pos}/{len}")
    }

    /// Creates a bar that shows per cent, for steps whose number says little, such as bytes.
    pub fn in_percent(steps: u64, message: impl Into<String>) -> Self {
        Self::with_count(steps, message, "{percent} %")
    }

    fn with_count(steps: u64, message: impl Into<String>, count: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let style =
            ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {count}, {{eta}} left"))
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_message(message.into());
        Self {
            bar,
            steps,
            began: Instant::now(),
            shown: false,
        }
    }

    /// Sets the number of steps that are done.
    pub fn done(&mut self, steps: u64) {
        self.appear();
        self.bar.set_position(steps.min(self.steps));
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn appear(&mut self) {
        if !self.shown && is_long(self.began.elapsed()) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
    }
}

/// True if something has taken so long that people want to know how far it is.
fn is_long(elapsed: Duration) -> bool {
    elapsed >= PATIENCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_and_never_more_than_there_are() {
        let mut progress = Progress::in_percent(200, "reading");
        for (steps, expected) in [(50, 50), (200, 200), (300, 200)] {
            progress.done(steps);
            assert_eq!(progress.bar.position(), expected);
        }
        assert_eq!(
            (progress.bar.length(), progress.bar.message()),
            (Some(200), "reading".into())
        );
    }

    #[test]
    fn what_takes_no_second_is_not_shown() {
        assert!(!is_long(Duration::from_millis(999)));
        assert!(is_long(Duration::from_secs(1)));
    }
}
