//! The smallest difference that an experiment could have proven, and the effort that a smaller one needs.
//!
//! The calculation is the usual one for a paired t-test: a difference is proven with probability [`POWER`] if it is
//! as large as the two-sided critical value of the test plus the one-sided value of the power, times the
//! standard error (Box, Hunter & Hunter, *Statistics for Experimenters*, 2nd edition 2005, chapter 3;
//! Student's t in place of the noncentral t, which errs by a fraction of a block). The scatter of a block
//! is the robust scatter of the interval.
//!
//! With layouts the standard error has two parts, and the part between layouts shrinks only with more layouts.
//! An experiment that may end early needs a larger difference, by the factor that the critical values
//! of its looks imply.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::analyse::{AnalyseError, BLOCKS_MIN, BLOCKS_PER_LAYOUT_MIN, Seen, overall_seen};
use crate::experiment::{Experiment, Stopping};
use crate::sequential::Looks;
use crate::statistics::student;

/// The probability with which a difference of the stated size is to be proven.
pub const POWER: f64 = 0.8;

/// Limit of the search for a number of blocks: more than anyone runs.
pub const BLOCKS_MAX: usize = 1_000_000;

/// Pairs (one run of either arm) in a block.
const PAIRS_PER_BLOCK: usize = 2;

/// Power of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// Scatter (standard deviation) of one block's log-ratio, averaged over the workloads; within one
    /// layout, if there are several.
    pub block_scatter: f64,
    /// Number of blocks of the experiment; the maximum, if it may end early.
    pub blocks: usize,
    /// Confidence level of the experiment.
    pub confidence: f64,
    /// The smallest gain that such an experiment proves in four of five cases, such as 1.012.
    pub provable_ratio: f64,
    /// Layouts of the experiment.
    #[serde(default = "one")]
    pub layouts: usize,
    /// Scatter between layouts; 0 for a single layout, since its scatter is not known.
    #[serde(default)]
    pub layout_scatter: f64,
    /// Workloads of the experiment.
    #[serde(default = "one")]
    pub workloads: usize,
    /// Wall seconds that one block of all workloads took.
    #[serde(default)]
    pub block_wall_s: f64,
}

/// Effort to prove a gain of some size in four of five cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needed {
    /// Layouts of both builds.
    pub layouts: usize,
    /// Blocks per workload; the maximum, if the experiment may end early.
    pub blocks: usize,
    /// Pairs of runs, one of either arm, over all workloads.
    pub pairs: usize,
    /// Wall seconds, if the blocks take as long as those of this experiment.
    pub wall_s: f64,
    /// Mean number of blocks if the gain has that size: fewer, if the experiment may end early.
    pub mean_blocks: f64,
    /// Mean wall seconds, for the mean number of blocks.
    pub mean_wall_s: f64,
}

impl Power {
    /// Returns the number of blocks that prove a gain of `ratio` in four of five cases; `None` for a ratio that is 1 or
    /// not above 0, or that needs more than [`BLOCKS_MAX`].
    pub fn blocks_for(&self, ratio: f64) -> Option<usize> {
        self.needed(ratio, &Stopping::Fixed)
            .map(|needed| needed.blocks)
    }

    /// Returns the effort to prove a gain of `ratio` with this way of stopping. Each layout has as many blocks
    /// as in this experiment. `None` as for [`Power::blocks_for`].
    pub fn needed(&self, ratio: f64, stopping: &Stopping) -> Option<Needed> {
        self.needed_at(ratio, &Price::of(stopping, self.confidence))
    }

    /// Returns the smallest gain that the same number of blocks proves in four of five cases with this way of stopping, and the
    /// effort to prove a gain of `ratio`, as [`Power::needed`].
    pub fn outlook(&self, ratio: f64, stopping: &Stopping) -> (f64, Option<Needed>) {
        let price = Price::of(stopping, self.confidence);
        (self.provable(&price), self.needed_at(ratio, &price))
    }

    fn needed_at(&self, ratio: f64, price: &Price) -> Option<Needed> {
        let effect = ratio.ln().abs();
        if !effect.is_finite() || effect == 0.0 {
            return None;
        }
        let (per_unit, least) = if self.layouts > 1 {
            let per_layout = self.blocks.div_ceil(self.layouts);
            (per_layout.max(BLOCKS_PER_LAYOUT_MIN), 2)
        } else {
            (1, BLOCKS_MIN)
        };
        let units = fewest(least, BLOCKS_MAX / per_unit, |units| {
            self.provable_log(units, per_unit, price) <= effect
        })?;
        let blocks = units * per_unit;
        let drift = price.drift * effect / self.provable_log(units, per_unit, price);
        let mean_blocks = price.mean_share(drift) * blocks as f64;
        Some(Needed {
            layouts: if self.layouts > 1 { units } else { 1 },
            blocks,
            pairs: blocks * PAIRS_PER_BLOCK * self.workloads,
            wall_s: blocks as f64 * self.block_wall_s,
            mean_blocks,
            mean_wall_s: mean_blocks * self.block_wall_s,
        })
    }

    fn provable(&self, price: &Price) -> f64 {
        let (units, per_unit) = if self.layouts > 1 {
            (self.layouts, self.blocks / self.layouts)
        } else {
            (self.blocks, 1)
        };
        self.provable_log(units, per_unit, price).exp()
    }

    /// Returns the number of pairs of runs, one of either arm, over all workloads; the maximum, if the experiment may end early.
    pub fn pairs(&self) -> usize {
        self.blocks * PAIRS_PER_BLOCK * self.workloads
    }

    /// Returns the smallest provable log-ratio with `units` blocks or layouts of `per_unit` blocks each.
    fn provable_log(&self, units: usize, per_unit: usize, price: &Price) -> f64 {
        let variance = self.layout_scatter.powi(2) + self.block_scatter.powi(2) / per_unit as f64;
        let degrees = (units - 1) as f64;
        let two_sided = f64::midpoint(1.0, self.confidence);
        let critical = student(two_sided, degrees) + student(POWER, degrees);
        price.factor * critical * (variance / units as f64).sqrt()
    }
}

fn one() -> usize {
    1
}

/// Computes the power of an experiment, over all its workloads together.
pub fn power(experiment: &Experiment) -> Result<Power, AnalyseError> {
    let schedule = &experiment.schedule;
    let (seen, blocks) = overall_seen(experiment)?;
    let (block_scatter, layout_scatter) = match seen {
        Seen::Blocks(seen) => (seen.standard_error * (blocks as f64).sqrt(), 0.0),
        Seen::Layouts(seen) => (seen.within, seen.between),
    };
    let walls = experiment.runs.iter().map(|run| run.observation.wall_s);
    let at_once = if schedule.duet { 2.0 } else { 1.0 };
    let mut power = Power {
        block_scatter,
        blocks: schedule.blocks,
        confidence: schedule.confidence,
        provable_ratio: 1.0,
        layouts: schedule.layouts.max(1),
        layout_scatter,
        workloads: schedule.workloads.len(),
        block_wall_s: walls.sum::<f64>() / blocks as f64 / at_once,
    };
    power.provable_ratio = power.provable(&Price::of(&schedule.stopping, schedule.confidence));
    Ok(power)
}

/// Returns the smallest number from `least` on that is enough, if any number up to `most` is.
fn fewest(least: usize, most: usize, enough: impl Fn(usize) -> bool) -> Option<usize> {
    if !enough(most) {
        return None;
    }
    let (mut too_few, mut sufficient) = (least - 1, most);
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

/// Price of the freedom to stop early.
struct Price {
    /// Looks of the experiment; `None` without looks before the end.
    looks: Option<Looks>,
    /// The difference that is proven with probability [`POWER`], in standard errors of all blocks.
    drift: f64,
    /// `drift` divided by that of an experiment without looks.
    factor: f64,
}

impl Price {
    fn of(stopping: &Stopping, confidence: f64) -> Self {
        /// Number of blocks with which the looks have the requested shares.
        const BLOCKS: usize = 1_000;
        let normal = Normal::standard();
        let ordinary =
            normal.inverse_cdf(f64::midpoint(1.0, confidence)) + normal.inverse_cdf(POWER);
        let at = stopping.looks(BLOCKS, 1);
        if at.len() == 1 {
            return Self {
                looks: None,
                drift: ordinary,
                factor: 1.0,
            };
        }
        let looks = Looks::new(&at, confidence);
        let (mut low, mut high) = (ordinary, 4.0 * ordinary);
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            if looks.expect(middle).0 < POWER {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self {
            looks: Some(looks),
            drift: high,
            factor: high / ordinary,
        }
    }

    /// Returns the mean share of the blocks that are done if the gain is `drift` standard errors large.
    fn mean_share(&self, drift: f64) -> f64 {
        self.looks.as_ref().map_or(1.0, |looks| {
            let all = looks.looks.last().map_or(1, |look| look.blocks) as f64;
            looks.expect(drift).1 / all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_scatter(block_scatter: f64, blocks: usize) -> Power {
        let mut power = Power {
            block_scatter,
            blocks,
            confidence: 0.95,
            provable_ratio: 1.0,
            layouts: 1,
            layout_scatter: 0.0,
            workloads: 2,
            block_wall_s: 3.0,
        };
        let price = Price::of(&Stopping::Fixed, 0.95);
        power.provable_ratio = power.provable_log(blocks, 1, &price).exp();
        power
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

    #[test]
    fn what_is_needed_in_pairs_and_minutes() {
        let needed = with_scatter(0.02, 8).needed(1.01, &Stopping::Fixed);
        let needed = needed.unwrap();
        // Effect of half a standard deviation: 34 pairs in the tables.
        assert!((33..=35).contains(&needed.blocks), "{needed:?}");
        assert_eq!(needed.pairs, needed.blocks * 2 * 2);
        assert_eq!(needed.wall_s, needed.blocks as f64 * 3.0);
        assert_eq!(needed.mean_blocks, needed.blocks as f64);
    }

    #[test]
    fn stopping_early_needs_more_at_most_and_less_on_average() {
        let power = with_scatter(0.02, 8);
        let fixed = power.needed(1.01, &Stopping::Fixed).unwrap();
        let early = power.needed(1.01, &Stopping::sequential()).unwrap();
        assert!(early.blocks > fixed.blocks, "{early:?} {fixed:?}");
        assert!(early.mean_blocks < fixed.mean_blocks, "{early:?} {fixed:?}");
        assert!(early.mean_wall_s < fixed.wall_s);
    }

    #[test]
    fn what_can_be_seen_takes_the_blocks_there_are() {
        let power = with_scatter(0.02, 17);
        let provable = |stopping: &Stopping| power.outlook(1.01, stopping).0;
        for stopping in [Stopping::Fixed, Stopping::sequential()] {
            let seen = provable(&stopping) * (1.0 + 1e-9);
            assert_eq!(power.needed(seen, &stopping).unwrap().blocks, 17);
        }
        assert_eq!(provable(&Stopping::Fixed), power.provable_ratio);
        assert!(provable(&Stopping::sequential()) > power.provable_ratio);
        assert_eq!(power.pairs(), 17 * 2 * 2);
    }

    #[test]
    fn scatter_between_layouts_is_met_with_layouts() {
        let power = Power {
            layouts: 5,
            layout_scatter: 0.01,
            ..with_scatter(0.01, 20)
        };
        // One layout of 4 blocks scatters by 0.01118, 0.01 is 0.89 of it: 12 units in the tables.
        let needed = power.needed(1.01, &Stopping::Fixed).unwrap();
        assert!((11..=13).contains(&needed.layouts), "{needed:?}");
        assert_eq!(needed.blocks, needed.layouts * 4);
        // Quieter runs hardly help.
        let quiet = Power {
            block_scatter: 0.0,
            ..power
        };
        assert!(quiet.needed(1.01, &Stopping::Fixed).unwrap().layouts >= 10);
    }

    #[test]
    fn figures_of_before_there_were_layouts_still_parse() {
        let old = r#"{"block_scatter":0.02,"blocks":8,"confidence":0.95,"provable_ratio":1.02}"#;
        let read: Power = serde_json::from_str(old).unwrap();
        assert_eq!((read.layouts, read.workloads), (1, 1));
    }
}
