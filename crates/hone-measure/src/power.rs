//! How small a difference an experiment could have proven, and how many blocks a smaller one needs.
//!
//! The usual reckoning for a paired t-test: a difference shows itself with probability [`POWER`] when it is
//! as large as the two-sided critical value of the test plus the one-sided value of the power, times the
//! standard error (Box, Hunter & Hunter, *Statistics for Experimenters*, 2nd edition 2005, chapter 3;
//! Student's t in place of the noncentral t, which errs by a fraction of a block). The scatter of a block
//! is the robust one of the interval.

use serde::{Deserialize, Serialize};

use crate::analyse::{AnalyseError, BLOCKS_MIN, overall_estimate};
use crate::experiment::Experiment;
use crate::statistics::student;

/// The probability with which a difference of the stated size is to be proven.
pub const POWER: f64 = 0.8;

/// More blocks than anyone runs; the search for their number ends here.
pub const BLOCKS_MAX: usize = 1_000_000;

/// What an experiment could have shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// Scatter (standard deviation) of one block's log-ratio, averaged over the workloads.
    pub block_scatter: f64,
    /// Blocks of the experiment.
    pub blocks: usize,
    /// Its confidence level.
    pub confidence: f64,
    /// The smallest gain that such an experiment proves in four of five cases, such as 1.012.
    pub provable_ratio: f64,
}

impl Power {
    /// Blocks needed to prove a gain of `ratio` in four of five cases; `None` for a ratio that is not a
    /// number above 0 and other than 1, or that needs more than [`BLOCKS_MAX`].
    pub fn blocks_for(&self, ratio: f64) -> Option<usize> {
        let effect = ratio.ln().abs();
        if !effect.is_finite() || effect == 0.0 {
            return None;
        }
        let enough =
            |blocks: usize| provable_log(self.block_scatter, blocks, self.confidence) <= effect;
        if !enough(BLOCKS_MAX) {
            return None;
        }
        let (mut too_few, mut sufficient) = (BLOCKS_MIN - 1, BLOCKS_MAX);
        while sufficient - too_few > 1 {
            let middle = usize::midpoint(too_few, sufficient);
            if enough(middle) {
                sufficient = middle;
            } else {
                too_few = middle;
            }
        }
        Some(sufficient)
    }
}

/// What the experiment could have shown, over all its workloads together.
pub fn power(experiment: &Experiment) -> Result<Power, AnalyseError> {
    let schedule = &experiment.schedule;
    let estimate = overall_estimate(experiment)?;
    let block_scatter = estimate.standard_error * (schedule.blocks as f64).sqrt();
    Ok(Power {
        block_scatter,
        blocks: schedule.blocks,
        confidence: schedule.confidence,
        provable_ratio: provable_log(block_scatter, schedule.blocks, schedule.confidence).exp(),
    })
}

fn provable_log(block_scatter: f64, blocks: usize, confidence: f64) -> f64 {
    let degrees = (blocks - 1) as f64;
    let critical = student(f64::midpoint(1.0, confidence), degrees) + student(POWER, degrees);
    critical * block_scatter / (blocks as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_scatter(block_scatter: f64, blocks: usize) -> Power {
        let confidence = 0.95;
        Power {
            block_scatter,
            blocks,
            confidence,
            provable_ratio: provable_log(block_scatter, blocks, confidence).exp(),
        }
    }

    #[test]
    fn the_table_value_for_one_standard_deviation() {
        // Paired t-test, effect of one standard deviation, level 0.05, power 0.8: 10 pairs.
        let blocks = with_scatter(0.01, 8).blocks_for(0.01f64.exp()).unwrap();
        assert!((9..=11).contains(&blocks), "{blocks}");
    }

    #[test]
    fn blocks_grow_with_the_square_of_the_precision() {
        let power = with_scatter(0.02, 12);
        let coarse = power.blocks_for(1.01).unwrap() as f64;
        let fine = power.blocks_for(1.005).unwrap() as f64;
        assert!((3.6..4.4).contains(&(fine / coarse)), "{fine} / {coarse}");
    }

    #[test]
    fn the_provable_ratio_needs_the_blocks_there_are() {
        let power = with_scatter(0.02, 17);
        assert_eq!(
            power.blocks_for(power.provable_ratio * (1.0 + 1e-9)),
            Some(17)
        );
        assert_eq!(
            power.blocks_for(1.0 / (power.provable_ratio * (1.0 + 1e-9))),
            Some(17)
        );
    }

    #[test]
    fn no_number_of_blocks_proves_nothing_at_all() {
        let power = with_scatter(0.02, 17);
        assert_eq!(power.blocks_for(1.0), None);
        assert_eq!(power.blocks_for(f64::NAN), None);
        assert_eq!(power.blocks_for(-1.0), None);
        assert_eq!(power.blocks_for(1.000_000_1), None);
    }

    #[test]
    fn without_scatter_the_fewest_blocks_do() {
        assert_eq!(with_scatter(0.0, 8).blocks_for(1.01), Some(BLOCKS_MIN));
    }
}
