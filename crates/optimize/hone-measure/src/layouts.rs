//! Layouts as the unit of analysis.
//!
//! The places of code and data in memory change a program's speed by percents: the order of the object files at
//! the link, or the size of the environment, can turn a gain into a loss (Mytkowicz, Diwan, Hauswirth &
//! Sweeney, *Producing wrong data without doing anything obviously wrong!*, ASPLOS 2009). More runs of one
//! pair of binaries do not help: they make the luck of that pair look certain. Therefore both binaries are built in
//! several random layouts (Curtsinger & Berger, *Stabilizer*, ASPLOS 2013). The layout is the unit that is averaged,
//! and whose scatter gives the interval: the highest level of chance in the experiment (Kalibera &
//! Jones, *Rigorous benchmarking in reasonable time*, ISMM 2013).
//!
//! - One layout: the mean of its blocks without the lowest and the highest quarter.
//! - All layouts: the mean of the layouts, with Student's interval over them; their scatter counts as no smaller than
//!   the scatter of their blocks explains, so that a few layouts that happen to be close prove nothing.
//! - Layout's own share of the scatter: the variance between the layouts' means less the variance that
//!   their blocks' scatter explains (one-way random effects), not below 0.
//!
//! The method was chosen by simulation; the figures are in docs/decisions/0006-early-stopping.md.

use crate::experiment::{Interval, LayoutSpread};
use crate::statistics::{Centre, student};

/// One block of a layout in this many is cut off at either end.
const TRIM_ONE_IN: usize = 4;

/// Estimate from the gains of the layouts, in log-ratios.
pub(crate) struct ByLayout {
    pub(crate) location: f64,
    pub(crate) standard_error: f64,
    /// The gain of each layout.
    gains: Vec<f64>,
    /// Standard deviation between layouts that the scatter of the blocks does not explain.
    pub(crate) between: f64,
    /// Standard deviation of one block within its layout.
    pub(crate) within: f64,
}

impl ByLayout {
    /// Estimates from columns with one value per block; `layout_of` has the layout of each block. Every layout has a block.
    pub(crate) fn of(columns: &[Vec<f64>], layout_of: &[usize], layouts: usize) -> Self {
        let centres: Vec<(Centre, f64)> = (0..layouts)
            .map(|layout| {
                let own = |column: &Vec<f64>| -> Vec<f64> {
                    let blocks = column.iter().zip(layout_of);
                    let own = blocks.filter(|(_, of)| **of == layout);
                    own.map(|(value, _)| *value).collect()
                };
                let own: Vec<Vec<f64>> = columns.iter().map(own).collect();
                let blocks = own.first().map_or(0, Vec::len);
                (Centre::of(&own, blocks / TRIM_ONE_IN), blocks as f64)
            })
            .collect();
        let count = layouts as f64;
        let gains: Vec<f64> = centres.iter().map(|(centre, _)| centre.location).collect();
        let location = gains.iter().sum::<f64>() / count;
        let squares: f64 = gains.iter().map(|gain| (gain - location).powi(2)).sum();
        let variance = squares / (count - 1.0);
        let noise = |per_block: bool| {
            let one = |(centre, blocks): &(Centre, f64)| {
                centre.standard_error.powi(2) * if per_block { *blocks } else { 1.0 }
            };
            centres.iter().map(one).sum::<f64>() / count
        };
        Self {
            location,
            standard_error: (variance.max(noise(false)) / count).sqrt(),
            between: (variance - noise(false)).max(0.0).sqrt(),
            within: noise(true).sqrt(),
            gains,
        }
    }

    /// Returns half the width of the interval with this confidence.
    pub(crate) fn half_width(&self, confidence: f64) -> f64 {
        if self.standard_error == 0.0 {
            return 0.0;
        }
        self.standard_error * self.reach(confidence)
    }

    /// Returns the figures about the layouts.
    pub(crate) fn spread(&self, confidence: f64) -> LayoutSpread {
        let luck = self.between * self.reach(confidence);
        LayoutSpread {
            gains: self.gains.iter().map(|gain| gain.exp()).collect(),
            scatter: self.between,
            single_build: Interval::from_log(self.location, luck),
            luck_share: if luck < self.location.abs() {
                luck / self.location.abs()
            } else if luck > 0.0 {
                1.0
            } else {
                0.0
            },
        }
    }

    fn reach(&self, confidence: f64) -> f64 {
        let degrees = self.gains.len() as f64 - 1.0;
        student(f64::midpoint(1.0, confidence), degrees)
    }
}

#[cfg(test)]
mod candidates;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_textbook_variance_components() {
        // Layout means 0.02 and 0.06, variance 0.0008; each block 0.01 off its mean: variance 0.0002 of a
        // block, 0.0001 of a mean of two.
        let column = vec![0.01, 0.03, 0.05, 0.07];
        let found = ByLayout::of(&[column], &[0, 0, 1, 1], 2);
        assert!((found.location - 0.04).abs() < 1e-12);
        assert!((found.standard_error - 0.02).abs() < 1e-12);
        assert!((found.between.powi(2) - 0.0007).abs() < 1e-12);
        assert!((found.within.powi(2) - 0.0002).abs() < 1e-12);
    }

    #[test]
    fn noise_within_layouts_is_not_taken_for_layout() {
        let column = vec![-0.05, 0.05, 0.051, -0.049, 0.052, -0.048];
        let found = ByLayout::of(&[column], &[0, 0, 1, 1, 2, 2], 3);
        assert_eq!(found.between, 0.0);
        let spread = found.spread(0.95);
        assert_eq!((spread.scatter, spread.luck_share), (0.0, 0.0));
        // Means that lie 0.001 apart, of blocks that lie 0.1 apart.
        assert!(found.standard_error > 0.02, "{}", found.standard_error);
    }

    #[test]
    fn luck_is_a_share_of_the_gain_and_at_most_all_of_it() {
        let large = ByLayout::of(&[vec![0.30, 0.30, 0.32, 0.32]], &[0, 0, 1, 1], 2);
        let spread = large.spread(0.8);
        // Standard deviation 0.01414, Student's 3.078 at one degree of freedom: 0.0435 of 0.31.
        assert!((spread.luck_share - 0.1404).abs() < 0.001, "{spread:?}");
        assert!((spread.single_build.low.ln() - 0.2665).abs() < 0.001);
        let small = ByLayout::of(&[vec![-0.02, -0.02, 0.03, 0.03]], &[0, 0, 1, 1], 2);
        assert_eq!(small.spread(0.95).luck_share, 1.0);
    }
}
