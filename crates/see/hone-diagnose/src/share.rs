//! Shares of time with their intervals, and the speed-up from making a share faster.

use serde::Serialize;

/// Standard normal quantile for an interval of 95 %.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// A share of all samples, estimated.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Number of samples that count for the share.
    pub samples: u64,
    /// Weight of the samples as a share of all, 0 to 1.
    pub share: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

impl Share {
    /// Returns the share of `weight` in `of`, with Wilson's interval for `effective_samples` samples of equal weight.
    ///
    /// Wilson, "Probable inference, the law of succession, and statistical inference" (JASA 22, 1927): unlike the
    /// interval of share +- 2 errors, Wilson's keeps its promise for few samples and for shares near 0.
    pub fn new(samples: u64, weight: u64, of: u64, effective_samples: f64) -> Self {
        let share = (weight as f64 / of.max(1) as f64).clamp(0.0, 1.0);
        let n = effective_samples.max(1.0);
        let z2 = Z * Z / n;
        let middle = (share + z2 / 2.0) / (1.0 + z2);
        let spread = share * (1.0 - share) / n + z2 / (4.0 * n);
        let half = Z * spread.max(0.0).sqrt() / (1.0 + z2);
        Self {
            samples,
            share,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        }
    }
}

/// Smallest part of the time that remains after a speed-up; samples do not tell less from nothing.
const LEFT_MIN: f64 = 0.001;

/// Returns the speed-up of the whole if this share of its time became `factor` times as fast (Amdahl's law): 1 / (1 -
/// share (1 - 1/factor)).
pub(crate) fn speedup(share: f64, factor: f64) -> f64 {
    let saved = share * (1.0 - 1.0 / factor.max(1.0));
    1.0 / (1.0 - saved).max(LEFT_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // 10 of 100: 5.52 % to 17.44 %, as in the textbooks.
        let share = Share::new(10, 10, 100, 100.0);
        assert!((share.low - 0.0552).abs() < 1e-4, "{share:?}");
        assert!((share.high - 0.1744).abs() < 1e-4, "{share:?}");
        // No sample: still possible up to 3.7 %.
        let none = Share::new(0, 0, 100, 100.0);
        assert!(none.low < 1e-9 && (none.high - 0.037).abs() < 1e-3);
    }

    #[test]
    fn gains_follow_amdahl() {
        // The examples of the literature: 10 % malloc and an allocator twice as fast; a dependency of 46 %, 1.2x.
        assert!((speedup(0.10, 2.0) - 1.053).abs() < 1e-3);
        assert!((speedup(0.46, 1.2) - 1.083).abs() < 1e-3);
        assert!((speedup(0.5, f64::INFINITY) - 2.0).abs() < 1e-9);
        // All of the time at an infinite factor: the result stays a number that people can read.
        assert!((speedup(1.0, f64::INFINITY) - 1000.0).abs() < 1e-6);
    }
}
