//! Random numbers and intervals.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::time::Duration;

/// A source of random numbers that a seed determines.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns a number from 0 to below `count`, which must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize % count
    }

    /// Returns an interval between events that happen at random with this mean interval: moments chosen in this way see
    /// everything in proportion to how long it lasts.
    pub(crate) fn interval(&mut self, mean: Duration) -> Duration {
        mean.mul_f64(-(1.0 - self.unit()).ln())
    }

    /// Returns true with this chance.
    pub(crate) fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Returns a number from 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_their_mean_and_no_memory() {
        let mut random = Random::new(7);
        let mean = Duration::from_millis(10);
        let drawn: Vec<f64> = (0..20_000)
            .map(|_| random.interval(mean).as_secs_f64() * 1e3)
            .collect();
        let average = drawn.iter().sum::<f64>() / drawn.len() as f64;
        assert!((9.7..10.3).contains(&average), "{average}");
        // In an exponential distribution a share of 1/e is above the mean.
        let above = drawn.iter().filter(|ms| **ms > 10.0).count() as f64 / drawn.len() as f64;
        assert!((0.35..0.39).contains(&above), "{above}");
    }

    #[test]
    fn choices_are_even() {
        let mut random = Random::new(7);
        let mut counts = [0; 3];
        (0..30_000).for_each(|_| counts[random.below(3)] += 1);
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
    }
}
