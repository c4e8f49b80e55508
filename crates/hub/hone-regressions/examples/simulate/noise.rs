//! Random numbers of a simulation.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of noise.
pub(crate) struct Noise(ChaCha8Rng);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Between 0 and 1.
    pub(crate) fn even(&mut self) -> f64 {
        self.0.random()
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0.random_range(0..most)
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.even()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.even()).cos()
    }

    /// Around 1, with this relative scatter.
    pub(crate) fn factor(&mut self, scatter: f64) -> f64 {
        (scatter * self.normal() - scatter * scatter / 2.0).exp()
    }

    /// A count with this mean: Poisson's, by its normal form where the mean is large.
    pub(crate) fn count(&mut self, mean: f64) -> u64 {
        if mean > 50.0 {
            return (mean + mean.sqrt() * self.normal()).round().max(0.0) as u64;
        }
        let (mut count, mut product, least) = (0, self.even(), (-mean).exp());
        while product > least {
            count += 1;
            product *= self.even();
        }
        count
    }
}
