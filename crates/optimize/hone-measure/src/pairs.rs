//! The two pairs of runs of a block.

/// Logs of the measured values of the two pairs of a block, in the order of its runs.
#[derive(Clone, Copy, Default)]
pub(crate) struct TwoPairs {
    /// Sum of the logs by arm.
    sums: [f64; 2],
    /// Log of old / new of each pair.
    pairs: [f64; 2],
    /// The arm that came first.
    first: usize,
    runs: usize,
}

impl TwoPairs {
    /// Adds the next run of the block; `arm` is 0 for the old arm, 1 for the new arm.
    pub(crate) fn add(&mut self, arm: usize, log: f64) {
        if self.runs == 0 {
            self.first = arm;
        }
        self.sums[arm] += log;
        if let Some(pair) = self.pairs.get_mut(self.runs / 2) {
            *pair += if arm == 0 { log } else { -log };
        }
        self.runs += 1;
    }

    /// Returns the mean of both pairs: the block's log of old / new.
    pub(crate) fn ratio(&self) -> f64 {
        (self.sums[0] - self.sums[1]) / 2.0
    }

    /// Returns the mean log of all runs.
    pub(crate) fn middle(&self) -> f64 {
        (self.sums[0] + self.sums[1]) / 4.0
    }

    /// Returns half the difference between the pairs, with the sign of the block's order: a steady rise of costs falls on the
    /// later run of either pair, and so has the same effect on this value in all blocks.
    pub(crate) fn half(&self) -> f64 {
        let apart = (self.pairs[1] - self.pairs[0]) / 2.0;
        if self.first == 0 { apart } else { -apart }
    }
}

#[cfg(test)]
mod tests {
    use super::TwoPairs;

    fn block(order: [usize; 4], log: impl Fn(usize, usize) -> f64) -> TwoPairs {
        let mut block = TwoPairs::default();
        for (place, arm) in order.into_iter().enumerate() {
            block.add(arm, log(place, arm));
        }
        block
    }

    #[test]
    fn a_drift_does_the_same_to_blocks_of_either_order_and_nothing_to_their_ratio() {
        let drift =
            |place: usize, arm: usize| 0.01 * place as f64 + if arm == 1 { -0.2 } else { 0.0 };
        let blocks = [[0, 1, 1, 0], [1, 0, 0, 1]].map(|order| block(order, drift));
        for block in blocks {
            assert!((block.ratio() - 0.2).abs() < 1e-12);
            assert!((block.half() - 0.01).abs() < 1e-12, "{}", block.half());
            assert!((block.middle() - (0.015 - 0.1)).abs() < 1e-12);
        }
    }

    #[test]
    fn pairs_that_lie_apart_show_it() {
        // The second run of the old arm costs more.
        let block = block([0, 1, 1, 0], |place, _| if place == 3 { 0.04 } else { 0.0 });
        assert!((block.ratio() - 0.02).abs() < 1e-12);
        assert!((block.half() - 0.02).abs() < 1e-12);
    }
}
