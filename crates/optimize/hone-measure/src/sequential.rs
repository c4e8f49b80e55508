//! Looks before the end, at which an experiment may stop without breaking its promise.
//!
//! A test that looks at the interval again and again and stops once the interval excludes 1 finds differences between
//! equal builds far too often. A group-sequential design looks at fixed times, and spends the allowed error over them by
//! a function of time that is also fixed (Lan & DeMets, *Biometrika* 70, 1983). The spent error gives
//! critical values of a Brownian motion, by integrating over the paths that have not stopped before
//! (Armitage, McPherson & Rowe, *Journal of the Royal Statistical Society A* 132, 1969); each critical value becomes the
//! confidence level of the ordinary interval at that look (Pocock, *Biometrika* 64, 1977, for Student's t).
//!
//! These are repeated confidence intervals (Jennison & Turnbull, *Journal of the Royal Statistical Society B*
//! 51, 1989): all looks together hold the true gain with the promised probability, whatever the reason for
//! stopping. So the stop for futility costs no error, only a little power.
//!
//! docs/decisions/0006-early-stopping.md explains the choice of the spending function, and why no confidence sequence.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use crate::experiment::Schedule;

/// Minimum number of blocks for a look: an interval of fewer blocks is too wide to end anything.
pub(crate) const LOOK_BLOCKS_MIN: usize = 5;

/// Power to prove anything at all below which an experiment ends as futile.
const FUTILE_POWER: f64 = 0.2;

/// Standard errors by which the gain in that calculation of power is larger than the observed gain.
const FUTILE_HOPE: f64 = 0.5;

/// Points of the numerical integration per stretch; odd, for Simpson's rule.
const POINTS: usize = 241;

/// Largest critical value; beyond it, there is practically no error to spend.
const CRITICAL_MAX: f64 = 8.0;

/// Function of time: the error spent until a share of the blocks is done, of `level` in all.
type Spending = fn(share: f64, level: f64) -> f64;

/// Spends the error in proportion to time (Kim & DeMets, *Biometrika* 74, 1987, with power 1).
fn even(share: f64, level: f64) -> f64 {
    level * share
}

/// Looks of an experiment, with the intervals at each look.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    /// The looks in order, the last at the end.
    pub(crate) looks: Vec<Look>,
}

/// One look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// Number of blocks of each workload before the look.
    pub(crate) blocks: usize,
    /// Confidence level of the interval, higher than that of the whole experiment.
    pub(crate) confidence: f64,
    /// Confidence level of the interval for giving up: the experiment ends if that interval contains 1; 0 for never.
    pub(crate) futile: f64,
    /// Critical values of both intervals, as of a standard normal variable.
    critical: [f64; 2],
}

impl Looks {
    /// Returns the looks of a schedule, the last at its end.
    pub(crate) fn of(schedule: &Schedule) -> Vec<Look> {
        let blocks = schedule.stopping.looks(schedule.blocks, schedule.layouts);
        if blocks.len() == 1 {
            // Without integration, so that the level is exactly the requested one.
            return vec![Look {
                blocks: schedule.blocks,
                confidence: schedule.confidence,
                futile: 0.0,
                critical: [0.0; 2],
            }];
        }
        Self::new(&blocks, schedule.confidence).looks
    }

    /// Returns looks after the given numbers of blocks, in order; the last one is the end.
    pub(crate) fn new(blocks: &[usize], confidence: f64) -> Self {
        Self::spending(blocks, confidence, even)
    }

    fn spending(blocks: &[usize], confidence: f64, spending: Spending) -> Self {
        let last = blocks.last().copied().unwrap_or(1) as f64;
        let shares: Vec<f64> = blocks.iter().map(|&look| look as f64 / last).collect();
        let critical = critical_values(&shares, 1.0 - confidence, spending);
        let end = critical.last().copied().unwrap_or(CRITICAL_MAX);
        let looks = blocks.iter().zip(&shares).zip(critical);
        Self {
            looks: looks
                .map(|((&blocks, &share), critical)| {
                    let futile = futile_value(share, end, FUTILE_HOPE);
                    Look {
                        blocks,
                        confidence: two_sided(critical),
                        futile: two_sided(futile),
                        critical: [critical, futile],
                    }
                })
                .collect(),
        }
    }

    /// Returns the probability that a gain is proven, and the mean number of blocks, if the gain is `drift`
    /// standard errors (of all blocks) large.
    pub(crate) fn expect(&self, drift: f64) -> (f64, f64) {
        let last = self.looks.last().map_or(1, |look| look.blocks) as f64;
        let (mut proven, mut blocks) = (0.0, 0.0);
        let mut paths = Paths::start(drift);
        let mut before = 0.0;
        for look in &self.looks {
            let share = look.blocks as f64 / last;
            blocks += paths.weight() * (look.blocks as f64 - before);
            before = look.blocks as f64;
            let [critical, futile] = look.critical.map(|value| value * share.sqrt());
            let (below, above) = paths.beyond(share, critical);
            proven += if drift < 0.0 { below } else { above };
            if share >= 1.0 {
                break;
            }
            paths = if futile > 0.0 {
                paths.go_on(share, &[(-critical, -futile), (futile, critical)])
            } else {
                paths.go_on(share, &[(-critical, critical)])
            };
        }
        (proven, blocks)
    }
}

/// Returns the critical values of a standard normal variable for looks at these shares.
fn critical_values(shares: &[f64], level: f64, spending: Spending) -> Vec<f64> {
    let mut paths = Paths::start(0.0);
    let mut spent = 0.0;
    let mut values = Vec::with_capacity(shares.len());
    for &share in shares {
        let allowed = spending(share, level) - spent;
        spent += allowed;
        let crossing = |value: f64| {
            let (below, above) = paths.beyond(share, value * share.sqrt());
            below + above
        };
        let (mut low, mut high) = (0.0, CRITICAL_MAX);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if crossing(middle) > allowed {
                low = middle;
            } else {
                high = middle;
            }
        }
        values.push(high);
        if share < 1.0 {
            let bound = high * share.sqrt();
            paths = paths.go_on(share, &[(-bound, bound)]);
        }
    }
    values
}

/// Returns the size of a standard normal variable below which it is futile to go on; 0 for never, and at the end.
///
/// Conditional power of Brownian motion: from `z` at share `t`, the end is normal with mean
/// `z sqrt(t) + drift (1 - t)`, where the hoped-for drift is `(z + hope) / sqrt(t)`, and variance
/// `1 - t`. Solved for `z`.
fn futile_value(share: f64, end: f64, hope: f64) -> f64 {
    if share >= 1.0 {
        return 0.0;
    }
    let left = 1.0 - share;
    let needed = end + standard().inverse_cdf(FUTILE_POWER) * left.sqrt();
    (share.sqrt() * needed - hope * left).max(0.0)
}

fn two_sided(value: f64) -> f64 {
    1.0 - 2.0 * standard().sf(value)
}

fn standard() -> Normal {
    Normal::standard()
}

/// Paths of a Brownian motion that have not stopped, as weights at places.
struct Paths {
    share: f64,
    drift: f64,
    places: Vec<(f64, f64)>,
}

impl Paths {
    fn start(drift: f64) -> Self {
        Self {
            share: 0.0,
            drift,
            places: vec![(0.0, 1.0)],
        }
    }

    /// Returns the probability that a path has not stopped.
    fn weight(&self) -> f64 {
        self.places.iter().map(|(_, weight)| weight).sum()
    }

    /// Returns the probabilities of being below `-bound` and above `bound` at a later share.
    fn beyond(&self, share: f64, bound: f64) -> (f64, f64) {
        let step = share - self.share;
        let (scale, mean) = (step.sqrt(), self.drift * step);
        let normal = standard();
        let (mut below, mut above) = (0.0, 0.0);
        for (place, weight) in &self.places {
            let centre = place + mean;
            below += weight * normal.sf((bound + centre) / scale);
            above += weight * normal.sf((bound - centre) / scale);
        }
        (below, above)
    }

    /// Returns the paths that are within one of the stretches at a later share.
    fn go_on(&self, share: f64, stretches: &[(f64, f64)]) -> Self {
        let step = share - self.share;
        let (scale, mean) = (step.sqrt(), self.drift * step);
        let normal = standard();
        let mut places = Vec::with_capacity(stretches.len() * POINTS);
        for &(from, to) in stretches {
            let width = (to - from) / (POINTS - 1) as f64;
            for point in 0..POINTS {
                let place = from + width * point as f64;
                let density: f64 = self
                    .places
                    .iter()
                    .map(|(at, weight)| weight * normal.pdf((place - at - mean) / scale) / scale)
                    .sum();
                let simpson = match point {
                    0 => 1.0,
                    _ if point == POINTS - 1 => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                places.push((place, density * simpson * width / 3.0));
            }
        }
        Self {
            share,
            drift: self.drift,
            places,
        }
    }
}

#[cfg(test)]
mod candidates;

#[cfg(test)]
mod tests {
    use super::*;

    /// Spends the error with nearly the same critical value at every look (Lan & DeMets 1983, after Pocock 1977).
    pub(super) fn pocock(share: f64, level: f64) -> f64 {
        level * (1.0 + (std::f64::consts::E - 1.0) * share).ln()
    }

    /// Spends little error early, nearly all of it at the end (Lan & DeMets 1983, after O'Brien & Fleming 1979).
    pub(super) fn obrien_fleming(share: f64, level: f64) -> f64 {
        let normal = standard();
        4.0 * normal.sf(normal.inverse_cdf(1.0 - level / 4.0) / share.sqrt())
    }

    #[test]
    fn the_published_critical_values_of_five_looks() {
        // Two-sided level 0.05; the values that ldbounds and SAS SEQDESIGN print.
        let shares = [0.2, 0.4, 0.6, 0.8, 1.0];
        for (spending, published) in [
            (pocock as Spending, [2.438, 2.427, 2.410, 2.397, 2.386]),
            (obrien_fleming, [4.877, 3.357, 2.680, 2.290, 2.031]),
        ] {
            let values = critical_values(&shares, 0.05, spending);
            for (value, published) in values.iter().zip(published) {
                assert!((value - published).abs() < 0.002, "{value} {published}");
            }
        }
    }

    #[test]
    fn a_single_look_is_the_ordinary_interval() {
        let looks = Looks::new(&[20], 0.95).looks;
        assert_eq!(looks.len(), 1);
        assert!((looks[0].confidence - 0.95).abs() < 1e-9, "{looks:?}");
        assert_eq!(looks[0].futile, 0.0);
    }

    #[test]
    fn without_a_gain_the_error_is_spent_and_no_more() {
        let looks = Looks::new(&[6, 15, 30, 45, 60], 0.95);
        let (proven, blocks) = looks.expect(0.0);
        // Half of the error lies on either side; giving up early saves some of it.
        assert!((0.01..0.025).contains(&proven), "{proven}");
        assert!(blocks < 40.0, "{blocks}");
        let (sure, few) = looks.expect(20.0);
        assert!(sure > 0.9999 && few < 6.1, "{sure} {few}");
        assert!((looks.expect(-3.0).0 - looks.expect(3.0).0).abs() < 1e-9);
    }
}
