//! Changes with their standard errors.
//!
//! - The location is the weighted mean over units, its variance that of the units about it, with the correction for few
//!   units (the linearised variance of a ratio with clusters: Cochran, *Sampling Techniques*, 1977, chapter 6 and 9A).
//!   The degrees of freedom are Kish's effective number of units, less one.
//! - The variance is never less than what counts of samples imply: units that agree by luck prove nothing.
//! - Units with heavy tails: the 99 % point of a bootstrap over units (studentised, residuals with random signs, as
//!   in `hone_measure::statistics`) is compared with Student's, and where it is larger, all standard errors of the function grow by that
//!   ratio. So the bootstrap decides at a place that 999 resamples can tell, and Student's distribution says how the tail goes
//!   on, where thousands of functions need it.
//! - Over time, what is common to all units is an error as well: [`TimeScatter`].

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::contrast::UnitChange;
use crate::finding::Interval;

/// Number of resamples.
const RESAMPLES: usize = 999;
/// Rank of the resample that is compared with Student's distribution, and its two-sided probability.
const RANK: usize = 989;
const RANK_TAIL: f64 = 0.01;
/// Columns with a larger p value are not resampled: nothing is said of them.
const P_RESAMPLED: f64 = 0.01;

/// Change of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effect {
    pub(crate) before: f64,
    pub(crate) after: f64,
    pub(crate) change: f64,
    pub(crate) variance: f64,
    pub(crate) degrees: f64,
    /// Samples that the share of either side stands on.
    pub(crate) samples: f64,
}

impl Effect {
    pub(crate) fn standard_error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Two-sided p value.
    pub(crate) fn p(&self) -> f64 {
        match self.variance > 0.0 {
            true => 2.0 * upper_tail(self.change.abs() / self.standard_error(), self.degrees),
            false => 1.0,
        }
    }

    /// Returns the change with its 95 % interval.
    pub(crate) fn interval(&self) -> Interval {
        let half = self.standard_error() * critical(0.05, self.degrees);
        Interval {
            value: self.change,
            low: self.change - half,
            high: self.change + half,
            standard_error: self.standard_error(),
        }
    }

    /// Adds an error that has nothing to do with the one there is (degrees of freedom by Welch and Satterthwaite).
    pub(crate) fn add_variance(&mut self, variance: f64, degrees: f64) {
        if variance <= 0.0 {
            return;
        }
        let whole = self.variance + variance;
        let parts = self.variance.powi(2) / self.degrees + variance.powi(2) / degrees;
        self.variance = whole;
        self.degrees = whole.powi(2) / parts;
    }
}

/// Returns the probability that Student's variable is above a value.
fn upper_tail(value: f64, degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees).map_or(1.0, |t| t.cdf(-value))
}

/// Returns the value that Student's variable is beyond, on either side, with a probability.
fn critical(tail: f64, degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - tail / 2.0))
}

/// Returns the effect of each column over units, one change of each, with the scatter of days where there is one.
pub(crate) fn one_sample(
    units: &[UnitChange],
    scatter: Option<&TimeScatter>,
    seed: u64,
) -> Vec<Effect> {
    let columns = units.first().map_or(0, |unit| unit.shares[0].len());
    let with_days = |effect: &Effect, column: usize| {
        let mut effect = *effect;
        if let Some(scatter) = scatter {
            effect.add_variance(scatter.variances[column], scatter.degrees);
        }
        effect
    };
    let of_column = |column: usize| {
        let mut of_units = of_column(units, column);
        let effect = with_days(&of_units, column);
        if effect.p() >= P_RESAMPLED {
            return effect;
        }
        let values: Vec<[f64; 2]> = units
            .iter()
            .map(|unit| [unit.weight, unit.change(column) - of_units.change])
            .collect();
        let inflation = inflation(&values, of_units.degrees, seed ^ column as u64);
        of_units.variance *= inflation.powi(2);
        with_days(&of_units, column)
    };
    (0..columns).map(of_column).collect()
}

/// Returns the effect of each column by which units of the second sample change more than those of the first.
pub(crate) fn two_samples(old: &[UnitChange], new: &[UnitChange], seed: u64) -> Vec<Effect> {
    let of_old = one_sample(old, None, seed);
    let mut effects = one_sample(new, None, seed ^ 1);
    for (effect, old) in effects.iter_mut().zip(of_old) {
        effect.change -= old.change;
        // What the units of the new build would have had without it.
        effect.before = effect.after - effect.change;
        effect.samples = effect.samples.min(old.samples);
        effect.add_variance(old.variance, old.degrees);
    }
    effects
}

fn of_column(units: &[UnitChange], column: usize) -> Effect {
    let mean = |value: &dyn Fn(&UnitChange) -> f64| -> f64 {
        units.iter().map(|unit| unit.weight * value(unit)).sum()
    };
    let before = mean(&|unit| unit.shares[0][column]);
    let after = mean(&|unit| unit.shares[1][column]);
    let change = after - before;
    let count = units.len() as f64;
    let scatter: f64 = units
        .iter()
        .map(|unit| (unit.weight * (unit.change(column) - change)).powi(2))
        .sum();
    let counted: f64 = units
        .iter()
        .map(|unit| {
            let of_side = |side: usize, share: f64| {
                // One sample more than there were: no share is known to be 0.
                let samples = unit.samples[side].max(1.0);
                (share * (1.0 - share)).max(1.0 / samples) / samples
            };
            unit.weight.powi(2) * (of_side(0, before) + of_side(1, after))
        })
        .sum();
    let squares: f64 = units.iter().map(|unit| unit.weight.powi(2)).sum();
    let samples = |side: usize| units.iter().map(|unit| unit.samples[side]).sum::<f64>();
    Effect {
        before,
        after,
        change,
        variance: (scatter * count / (count - 1.0).max(1.0)).max(counted),
        degrees: (1.0 / squares - 1.0).max(1.0),
        samples: (before * samples(0)).max(after * samples(1)),
    }
}

/// Returns by how much standard errors must grow for the tails of the units.
fn inflation(values: &[[f64; 2]], degrees: f64, seed: u64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut studentised: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut weights, mut sum) = (0.0, 0.0);
            let drawn: Vec<[f64; 2]> = values
                .iter()
                .map(|_| {
                    let [weight, residual] = values[rng.random_range(0..values.len())];
                    let signed = if rng.random() { residual } else { -residual };
                    weights += weight;
                    sum += weight * signed;
                    [weight, signed]
                })
                .collect();
            let location = sum / weights;
            let squares: f64 = drawn
                .iter()
                .map(|[weight, value]| (weight / weights * (value - location)).powi(2))
                .sum();
            let count = values.len() as f64;
            let error = (squares * count / (count - 1.0)).sqrt();
            if error > 0.0 {
                (location / error).abs()
            } else {
                0.0
            }
        })
        .collect();
    studentised.sort_unstable_by(f64::total_cmp);
    (studentised[RANK] / critical(RANK_TAIL, degrees)).max(1.0)
}

/// Scatter of the days that a day is compared with.
///
/// Loads differ from day to day on all hosts alike, so hosts alone say too little of a change over time. The
/// scatter of each function over the days before is known by few days; so that the one of many that was steady by luck
/// proves nothing, it is drawn to what is usual for the service (moderated variances: Smyth, *Statistical
/// Applications in Genetics and Molecular Biology* 3, 2004).
#[derive(Clone, Debug)]
pub(crate) struct TimeScatter {
    variances: Vec<f64>,
    degrees: f64,
}

/// Days that what is usual counts for.
const USUAL_DAYS: f64 = 4.0;
/// Share from which on a column tells what is usual.
const USUAL_SHARE: f64 = 0.001;

impl TimeScatter {
    /// Takes the shares of each column by day.
    pub(crate) fn of(days: &[Vec<f64>]) -> Self {
        let count = days.len() as f64;
        let columns = days.first().map_or(0, Vec::len);
        let own: Vec<(f64, f64)> = (0..columns)
            .map(|column| {
                let mean = days.iter().map(|day| day[column]).sum::<f64>() / count;
                let squares: f64 = days.iter().map(|day| (day[column] - mean).powi(2)).sum();
                (mean, squares / (count - 1.0).max(1.0))
            })
            .collect();
        let relative = own.iter().filter(|(mean, _)| *mean > USUAL_SHARE);
        // Own shares and inclusive ones alike, but not those that cannot change, as of `main`.
        let relative = relative.filter(|(mean, _)| *mean < 0.5);
        let relative: Vec<f64> = relative
            .map(|(mean, squares)| squares / mean.powi(2))
            .collect();
        let usual = hone_measure::statistics::median(&relative);
        let moderated = own.iter().map(|(mean, squares)| {
            let prior = usual * (mean * (1.0 - mean).max(0.0)).powi(2);
            (USUAL_DAYS * prior + (count - 1.0) * squares) / (USUAL_DAYS + count - 1.0)
        });
        Self {
            // The day itself, and the mean of those before.
            variances: moderated
                .map(|variance| variance * (1.0 + 1.0 / count))
                .collect(),
            degrees: USUAL_DAYS + count - 1.0,
        }
    }
}

/// Returns the q values of p values: the least rate of false discoveries at which each is one (Benjamini & Hochberg, *Journal
/// of the Royal Statistical Society B* 57, 1995).
pub(crate) fn q_values(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_unstable_by(|a, b| p[*b].total_cmp(&p[*a]));
    let mut q = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (at, index) in order.iter().enumerate() {
        let rank = p.len() - at;
        least = least.min(p[*index] * p.len() as f64 / rank as f64);
        q[*index] = least;
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn unit(weight: f64, before: f64, after: f64) -> UnitChange {
        UnitChange {
            unit: 0,
            weight,
            shares: [vec![before], vec![after]],
            samples: [1e9; 2],
            slots: BTreeMap::new(),
        }
    }

    #[test]
    fn equal_units_give_the_textbook_standard_error() {
        let changes = [1.0, 2.0, 3.0, 4.0, 5.0];
        let units: Vec<_> = changes
            .iter()
            .map(|c| unit(0.2, 0.1, 0.1 + c / 100.0))
            .collect();
        let effect = of_column(&units, 0);
        assert!((effect.change - 0.03).abs() < 1e-12 && (effect.degrees - 4.0).abs() < 1e-9);
        let textbook = (2.5_f64 / 5.0).sqrt() / 100.0;
        assert!(
            (effect.standard_error() - textbook).abs() < 1e-9,
            "{effect:?}"
        );
    }

    #[test]
    fn units_that_agree_by_luck_are_no_surer_than_their_samples() {
        let mut units = vec![unit(0.25, 0.1, 0.11); 4];
        units.iter_mut().for_each(|unit| unit.samples = [1e4; 2]);
        let effect = of_column(&units, 0);
        let counted = ((0.09 + 0.11 * 0.89) / 4e4_f64).sqrt();
        assert!(
            (effect.standard_error() - counted).abs() < 1e-9,
            "{effect:?}"
        );
    }

    #[test]
    fn heavy_tails_widen_and_normal_ones_hardly_do() {
        let even: Vec<[f64; 2]> = (0..20).map(|n| [0.05, f64::from(n) - 9.5]).collect();
        assert!(inflation(&even, 19.0, 1) < 1.15);
        // One unit of four has most of the weight of the scatter.
        let few = [[0.25, -0.1], [0.25, 0.0], [0.25, 0.1], [0.25, 5.0]];
        assert!(inflation(&few, 3.0, 1) >= 1.0);
    }

    #[test]
    fn a_column_that_was_steady_by_luck_is_drawn_to_the_usual_scatter() {
        let day = |n: usize| -> Vec<f64> {
            (0..9)
                .map(|c| {
                    0.01 * if c > 0 && (n + c).is_multiple_of(2) {
                        1.1
                    } else {
                        1.0
                    }
                })
                .collect()
        };
        let scatter = TimeScatter::of(&(0..6).map(day).collect::<Vec<_>>());
        assert!(
            scatter.variances[0] > 0.2 * scatter.variances[1],
            "{scatter:?}"
        );
        assert!((scatter.degrees - 9.0).abs() < 1e-9);
    }

    #[test]
    fn q_values_are_those_of_benjamini_and_hochberg() {
        // Worked by hand: p * m / rank, made monotone from the largest on.
        let q = q_values(&[0.01, 0.5, 0.02, 0.03]);
        let expected = [0.04, 0.5, 0.04, 0.04];
        for (q, expected) in q.iter().zip(expected) {
            assert!((q - expected).abs() < 1e-12, "{q} {expected}");
        }
        assert!(q_values(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn q_values_are_at_least_p_and_keep_the_order(p in proptest::collection::vec(0.0..1.0_f64, 1..60)) {
            let q = q_values(&p);
            for (at, one) in p.iter().enumerate() {
                prop_assert!(q[at] >= *one - 1e-15 && q[at] <= 1.0);
                for (other, two) in p.iter().enumerate() {
                    prop_assert!(one > two || q[at] <= q[other]);
                }
            }
        }

        #[test]
        fn a_further_error_only_widens(variance in 1e-9..1.0_f64, degrees in 1.0..50.0_f64, more in 1e-9..1.0_f64) {
            let mut effect = Effect { change: 1.0, variance, degrees, ..Effect::default() };
            let before = effect.standard_error();
            effect.add_variance(more, 8.0);
            prop_assert!(effect.standard_error() > before);
            prop_assert!(effect.degrees <= degrees + 8.0 + 1e-9);
        }
    }
}
