//! Check that the gains of single steps fit the gain that was measured from the first to the last.

use crate::experiment::Interval;
use serde::{Deserialize, Serialize};

/// Number of standard errors beyond which a difference between the steps and the whole is not explained by
/// chance.
const STANDARD_ERRORS: f64 = 4.0;
/// Smallest ratio that is reported: a smaller difference, however certain, changes no decision.
const WORTH_SAYING: f64 = 1.02;

/// Steps that do not fit the whole.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Misfit {
    /// Product of the gains of the steps.
    pub product: f64,
    /// Gain that was measured from the first to the last.
    pub direct: f64,
}

/// Multiplies the gains of `steps`, each measured against the one before, and compares the product with `direct`. `None`
/// if they fit, or if there are fewer than two steps.
///
/// The standard error of a logarithm is taken as half the width of its 95 % interval divided by 1.96. This is too large
/// for the few blocks of an experiment, so a reported misfit is certain.
pub fn misfit(steps: &[Interval], direct: &Interval) -> Option<Misfit> {
    if steps.len() < 2 {
        return None;
    }
    let variance =
        |interval: &Interval| ((interval.high / interval.low).ln() / (2.0 * 1.96)).powi(2);
    let product: f64 = steps.iter().map(|step| step.ratio).product();
    let apart = (product / direct.ratio).ln().abs();
    let variances = steps.iter().map(variance).sum::<f64>() + variance(direct);
    let is_misfit = apart > WORTH_SAYING.ln() && apart > STANDARD_ERRORS * variances.sqrt();
    is_misfit.then_some(Misfit {
        product,
        direct: direct.ratio,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(ratio: f64, width: f64) -> Interval {
        Interval {
            ratio,
            low: ratio / width,
            high: ratio * width,
        }
    }

    #[test]
    fn only_what_chance_does_not_explain_is_a_misfit() {
        let steps = [around(1.03, 1.01), around(1.04, 1.01), around(1.05, 1.01)];
        let product = 1.03 * 1.04 * 1.05;
        assert_eq!(misfit(&steps, &around(product / 1.015, 1.001)), None);
        assert_eq!(misfit(&steps, &around(1.03, 1.2)), None);
        let found = misfit(&steps, &around(1.03, 1.01)).unwrap();
        assert!((found.product - product).abs() < 1e-9);
        assert!(misfit(&steps, &around(1.3, 1.01)).is_some());
        assert_eq!(misfit(&steps[..1], &around(1.5, 1.01)), None);
    }
}
