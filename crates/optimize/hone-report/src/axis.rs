//! The common axis on which all gains of a report are drawn.
//!
//! The axis is logarithmic, so that 0.5x and 2x are equally far from 1. It always contains 1, since the only
//! question about an interval is on which side of 1 it lies. The terminal's bars and the page's drawings
//! use the same axis.

use hone_measure::Interval;

/// Range of gains that is drawn; gains beyond it are drawn at the edge, so that one hopeless interval does not squash all others.
const WIDEST: (f64, f64) = (0.1, 10.0);

/// Least distance that the axis shows on either side of 1, as a natural logarithm.
const LEAST_REACH: f64 = 0.01;

/// Largest gap between labels, as a share of the axis, with which there are always two labels. One side
/// of 1 has at least half of the axis, and a round gain is close to its end.
pub const WIDEST_GAP: f64 = 0.4;

/// Free room at either end, as a share of the axis.
const MARGIN: f64 = 0.06;

/// A logarithmic axis of gains around 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Returns the axis that contains 1 and all these intervals.
    pub fn around_one<'a>(intervals: impl IntoIterator<Item = &'a Interval>) -> Self {
        let (mut low, mut high) = (-LEAST_REACH, LEAST_REACH);
        for interval in intervals {
            for end in [interval.low, interval.ratio, interval.high] {
                if let Some(end) = logarithm(end) {
                    low = low.min(end);
                    high = high.max(end);
                }
            }
        }
        let margin = (high - low) * MARGIN / (1.0 - 2.0 * MARGIN);
        Self {
            low: low - margin,
            high: high + margin,
        }
    }

    /// Returns the place of a gain: 0 at the left edge, 1 at the right edge; `None` for a value that is no gain.
    pub fn position(&self, ratio: f64) -> Option<f64> {
        let place = (logarithm(ratio)? - self.low) / (self.high - self.low);
        Some(place.clamp(0.0, 1.0))
    }

    /// Returns the place of 1.
    pub fn one(&self) -> f64 {
        -self.low / (self.high - self.low)
    }

    /// Returns round gains to label, at least `gap` (a share of the axis) apart, always with 1 among them; and the
    /// number of decimals that their labels need. A gap up to [`WIDEST_GAP`] leaves at least two labels.
    pub fn ticks(&self, gap: f64) -> (Vec<f64>, usize) {
        const STEPS: [(f64, usize); 8] = [
            (0.002, 3),
            (0.005, 3),
            (0.01, 2),
            (0.02, 2),
            (0.05, 2),
            (0.1, 1),
            (0.2, 1),
            (0.5, 1),
        ];
        const WIDE: [f64; 7] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
        let inside = |tick: &f64| (self.low..=self.high).contains(&tick.ln());
        let wide = (WIDE.into_iter().filter(inside).collect(), 1);
        let multiples = STEPS.map(|(step, decimals)| (self.multiples(step), decimals));
        let scales = || multiples.iter().chain([&wide]);
        let fits = |ticks: &[f64]| ticks.len() > 1 && self.apart(ticks, gap);
        if let Some(scale) = scales().find(|(ticks, _)| fits(ticks)) {
            return scale.clone();
        }
        scales()
            .rev()
            .map(|(ticks, decimals)| (self.outermost(ticks, gap), *decimals))
            .find(|(ticks, _)| fits(ticks))
            .unwrap_or((vec![1.0], 1))
    }

    /// Returns 1 and, on either side, the outermost of these ticks if it is far enough from 1.
    fn outermost(&self, ticks: &[f64], gap: f64) -> Vec<f64> {
        let end = |end: Option<&f64>| end.copied().filter(|end| *end != 1.0);
        let below = end(ticks.first()).filter(|end| self.apart(&[*end, 1.0], gap));
        let above = end(ticks.last()).filter(|end| self.apart(&[1.0, *end], gap));
        below.into_iter().chain([1.0]).chain(above).collect()
    }

    /// Returns 1 and the values at whole steps from 1, within the axis.
    fn multiples(&self, step: f64) -> Vec<f64> {
        let below = ((1.0 - self.low.exp()) / step).floor() as i64;
        let above = ((self.high.exp() - 1.0) / step).floor() as i64;
        (-below..=above)
            .map(|index| 1.0 + index as f64 * step)
            .collect()
    }

    /// Returns true if these gains are at least `gap` apart.
    fn apart(&self, ticks: &[f64], gap: f64) -> bool {
        let distance = |pair: &[f64]| (pair[1] / pair[0]).ln() / (self.high - self.low);
        ticks.windows(2).all(|pair| distance(pair) >= gap)
    }
}

/// Returns the logarithm of a gain, limited to the range that is drawn.
fn logarithm(ratio: f64) -> Option<f64> {
    (ratio > 0.0 && ratio.is_finite()).then(|| ratio.clamp(WIDEST.0, WIDEST.1).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, ratio: f64, high: f64) -> Interval {
        Interval { ratio, low, high }
    }

    #[test]
    fn a_gain_and_its_inverse_stand_equally_far_from_one() {
        let axis = Axis::around_one(&[interval(0.5, 1.0, 2.0)]);
        let (half, twice) = (axis.position(0.5).unwrap(), axis.position(2.0).unwrap());
        assert!((axis.one() - half - (twice - axis.one())).abs() < 1e-12);
        assert!(half > 0.0 && twice < 1.0, "the ends have room");
    }

    #[test]
    fn an_axis_without_any_interval_still_holds_one() {
        let axis = Axis::around_one(&[]);
        assert!((axis.one() - 0.5).abs() < 1e-12);
        let (ticks, _) = axis.ticks(0.1);
        assert!(ticks.contains(&1.0) && ticks.len() > 2, "{ticks:?}");
    }

    #[test]
    fn labels_keep_their_distance_and_always_name_one() {
        for (low, high) in [
            (0.99, 1.01),
            (0.9, 1.5),
            (1.0, 3.0),
            (0.2, 9.0),
            (1.0, 1.05),
        ] {
            let axis = Axis::around_one(&[interval(low, 1.0, high)]);
            let (ticks, _) = axis.ticks(0.1);
            assert!(ticks.contains(&1.0), "{low}..{high}: {ticks:?}");
            assert!((2..=11).contains(&ticks.len()), "{low}..{high}: {ticks:?}");
            let places: Vec<f64> = ticks.iter().filter_map(|t| axis.position(*t)).collect();
            let apart = places.windows(2).all(|pair| pair[1] - pair[0] > 0.099);
            assert!(apart, "{low}..{high}: {ticks:?}");
        }
    }

    #[test]
    fn a_narrow_axis_still_has_two_labels() {
        let ends = [
            0.1, 0.2, 0.5, 0.8, 0.9, 0.925, 0.99, 1.0, 1.01, 1.05, 1.1, 1.2, 1.446, 2.0, 3.0, 10.0,
        ];
        for low in ends.iter().filter(|end| **end <= 1.0) {
            for high in ends.iter().filter(|end| **end >= 1.0) {
                let axis = Axis::around_one(&[interval(*low, 1.0, *high)]);
                for gap in [0.1, 0.2, 0.3, WIDEST_GAP] {
                    let (ticks, _) = axis.ticks(gap);
                    assert!(ticks.contains(&1.0), "{low}..{high}: {ticks:?}");
                    assert!(ticks.len() > 1, "{low}..{high} at {gap}: {ticks:?}");
                    assert!(axis.apart(&ticks, gap), "{low}..{high}: {ticks:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_gain_has_no_place_and_what_is_huge_stands_at_the_edge() {
        let axis = Axis::around_one(&[interval(f64::NAN, f64::INFINITY, 1e300)]);
        assert_eq!(axis.position(f64::NAN), None);
        assert_eq!(axis.position(-1.0), None);
        assert_eq!(axis.position(0.0), None);
        assert!(axis.position(1e300).unwrap() <= 1.0);
        assert_eq!(axis.position(1e-300), Some(0.0));
    }
}
