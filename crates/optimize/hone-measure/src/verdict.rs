//! Verdict on an interval.

use crate::experiment::{Interval, Verdict};

impl Interval {
    /// Returns the interval of a log-ratio and half the width of its interval.
    pub(crate) fn from_log(location: f64, half_width: f64) -> Self {
        Self {
            ratio: location.exp(),
            low: (location - half_width).exp(),
            high: (location + half_width).exp(),
        }
    }

    /// Returns the verdict on a gain with this interval.
    pub fn verdict(&self) -> Verdict {
        if self.low > 1.0 {
            Verdict::Faster
        } else if self.high < 1.0 {
            Verdict::Slower
        } else {
            Verdict::NoProvableDifference
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(low: f64, high: f64) -> Verdict {
        Interval {
            ratio: f64::midpoint(low, high),
            low,
            high,
        }
        .verdict()
    }

    #[test]
    fn only_an_interval_wholly_on_one_side_proves_anything() {
        assert_eq!(verdict(1.001, 1.2), Verdict::Faster);
        assert_eq!(verdict(0.8, 0.999), Verdict::Slower);
        assert_eq!(verdict(0.99, 1.5), Verdict::NoProvableDifference);
        assert_eq!(verdict(1.0, 1.5), Verdict::NoProvableDifference);
        assert_eq!(verdict(0.5, 1.0), Verdict::NoProvableDifference);
        assert_eq!(verdict(f64::NAN, f64::NAN), Verdict::NoProvableDifference);
    }

    #[test]
    fn log_intervals_are_symmetric_as_ratios_are() {
        let interval = Interval::from_log(2f64.ln(), 2f64.ln());
        assert!((interval.ratio - 2.0).abs() < 1e-12);
        assert!((interval.low - 1.0).abs() < 1e-12);
        assert!((interval.high - 4.0).abs() < 1e-12);
    }
}
