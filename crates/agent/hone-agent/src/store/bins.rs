//! Values counted in bins whose bounds grow exponentially, at the resolution of OpenTelemetry's scale 6.
//!
//! Bin `i` holds the values in (base^i, base^(i+1)], base = 2^(1/64) = 1.0109. Its representative 2 base^(i+1) / (1 + base)
//! is at most 0.55 % away from each of them: the relative error that DDSketch promises (Masson, Rim and Lee, "DDSketch: a
//! fast and fully-mergeable quantile sketch with relative-error guarantees", VLDB 2019, section 2), with the bounds of
//! OpenTelemetry's exponential histogram, so that bins of several hosts and coarser scales are sums of whole bins.

use crate::aggregate::Buckets;
use std::sync::LazyLock;

/// Bins for each doubling.
const PER_DOUBLING: usize = 64;
/// Base-2 logarithm of `PER_DOUBLING`: OpenTelemetry's scale.
const SCALE: i8 = 6;
/// Limit on the bins of one sign. If there are more, the smallest bins are merged, as in DDSketch.
const BINS_MAX: usize = 2048;
/// Bins of the smallest normal double and of the largest double.
const BIN_MIN: i32 = -1022 * PER_DOUBLING as i32 - 1;
const BIN_MAX: i32 = 1024 * PER_DOUBLING as i32 - 1;

/// Largest weight of one bin, so that sums of weights stay finite.
pub const WEIGHT_MAX: f64 = 1e18;

/// Bits of a double's fraction.
const FRACTION_BITS: u32 = 52;
const EXPONENT_BIAS: i32 = 1023;

/// Fraction bits of the largest value in each bin of a doubling.
static BOUNDS: LazyLock<[u64; PER_DOUBLING]> = LazyLock::new(|| {
    std::array::from_fn(|bin| {
        let bound = ((bin + 1) as f64 / PER_DOUBLING as f64).exp2();
        match bin + 1 {
            // The bound is the next power of two, whose fraction is zero.
            PER_DOUBLING => u64::MAX,
            _ => bound.to_bits() & ((1 << FRACTION_BITS) - 1),
        }
    })
});

/// Returns the bin of a value above zero.
fn bin_of(value: f64) -> i32 {
    // Subnormal values have no leading one; they go to the bin of the smallest normal value.
    let bits = value.max(f64::MIN_POSITIVE).to_bits();
    let exponent = (bits >> FRACTION_BITS) as i32 - EXPONENT_BIAS;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let first = exponent * PER_DOUBLING as i32;
    if fraction == 0 {
        // A power of two is the upper bound of the bin below.
        return first - 1;
    }
    // log2 is concave: the linear guess is never too far up, and at most a few bins too low.
    let mut bin = (fraction >> (FRACTION_BITS - SCALE as u32)) as usize;
    let bounds = &*BOUNDS;
    while fraction > bounds[bin] {
        bin += 1;
    }
    first + bin as i32
}

/// Returns the value that represents a bin.
fn middle_of(bin: i32) -> f64 {
    let base = (1.0 / PER_DOUBLING as f64).exp2();
    let upper = (f64::from(bin + 1) / PER_DOUBLING as f64).exp2();
    2.0 * upper / (1.0 + base)
}

/// Weights by bin, in order, only for bins that have a weight.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bins {
    bins: Vec<(i32, f64)>,
}

impl Bins {
    /// Counts a value above zero.
    pub(super) fn add(&mut self, value: f64, weight: f64) {
        self.weigh(bin_of(value), weight);
        self.collapse();
    }

    /// Adds the weights of other bins.
    pub(super) fn merge(&mut self, other: &Self) {
        for (bin, weight) in other.iter() {
            self.weigh(bin, weight);
        }
        self.collapse();
    }

    fn weigh(&mut self, bin: i32, weight: f64) {
        match self.bins.binary_search_by_key(&bin, |(bin, _)| *bin) {
            Ok(at) => self.bins[at].1 += weight,
            Err(at) => self.bins.insert(at, (bin, weight)),
        }
    }

    fn collapse(&mut self) {
        let many = self.bins.len().saturating_sub(BINS_MAX);
        if many > 0 {
            let small: f64 = self.bins.drain(..many).map(|(_, weight)| weight).sum();
            self.bins[0].1 += small;
        }
    }

    fn from_side(bins: Vec<(i32, f64)>) -> Option<Self> {
        let in_order = bins.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let weighs = |weight: f64| weight > 0.0 && weight <= WEIGHT_MAX;
        let are_bins = bins
            .iter()
            .all(|(bin, weight)| (BIN_MIN..=BIN_MAX).contains(bin) && weighs(*weight));
        (bins.len() <= BINS_MAX && in_order && are_bins).then_some(Self { bins })
    }

    /// Returns bins and weights, the smallest bin first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (i32, f64)> {
        self.bins.iter().copied()
    }

    /// Returns the bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.bins.capacity() * size_of::<(i32, f64)>()
    }
}

/// Bins for values of both signs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SignedBins {
    zero: f64,
    positive: Bins,
    negative: Bins,
}

impl SignedBins {
    /// Counts a value.
    pub fn add(&mut self, value: f64, weight: f64) {
        if value > 0.0 {
            self.positive.add(value, weight);
        } else if value < 0.0 {
            self.negative.add(-value, weight);
        } else {
            self.zero += weight;
        }
    }

    /// Adds the weights of other bins.
    pub fn merge(&mut self, other: &Self) {
        self.zero += other.zero;
        self.positive.merge(&other.positive);
        self.negative.merge(&other.negative);
    }

    /// Returns the weight of all values.
    pub fn weight(&self) -> f64 {
        let sum = |bins: &Bins| bins.iter().map(|(_, weight)| weight).sum::<f64>();
        self.zero + sum(&self.positive) + sum(&self.negative)
    }

    /// Returns the values at the given quantiles, 0 to 1, in rising order: for each quantile the smallest value whose rank is at
    /// least the quantile's (nearest rank). Empty if there are no values.
    pub fn quantiles(&self, wanted: &[f64]) -> Vec<(f64, f64)> {
        let all = self.weight();
        if all <= 0.0 {
            return Vec::new();
        }
        let negative = self.negative.iter().rev();
        let negative = negative.map(|(bin, weight)| (-middle_of(bin), weight));
        let zero = std::iter::once((0.0, self.zero)).filter(|(_, weight)| *weight > 0.0);
        let positive = self.positive.iter();
        let positive = positive.map(|(bin, weight)| (middle_of(bin), weight));
        let mut values = negative.chain(zero).chain(positive);
        let (mut value, mut below) = (0.0, 0.0);
        let mut found = Vec::with_capacity(wanted.len());
        for &quantile in wanted {
            // Rounding may leave a sum of weights slightly below the rank that it should reach.
            let rank = (quantile * all).min(all) * (1.0 - 1e-12);
            while below < rank || below == 0.0 {
                let Some((next, weight)) = values.next() else {
                    break;
                };
                value = next;
                below += weight;
            }
            found.push((quantile, value));
        }
        found
    }

    /// Converts the bins to buckets, one bucket for each bin.
    pub fn into_buckets(self) -> Buckets {
        Buckets {
            scale: SCALE,
            zero: self.zero,
            positive: self.positive.bins,
            negative: self.negative.bins,
        }
    }

    /// Converts buckets from [`Self::into_buckets`] back to bins. `None` if the buckets cannot come from there: another scale,
    /// too many of them, out of order or out of the range of doubles, or weights not above zero or above [`WEIGHT_MAX`].
    pub fn from_buckets(buckets: Buckets) -> Option<Self> {
        if buckets.scale != SCALE || !(0.0..=WEIGHT_MAX).contains(&buckets.zero) {
            return None;
        }
        Some(Self {
            zero: buckets.zero,
            positive: Bins::from_side(buckets.positive)?,
            negative: Bins::from_side(buckets.negative)?,
        })
    }

    /// Returns the bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.positive.heap_bytes() + self.negative.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns true if a value lies in a bin, by the definition.
    fn holds(bin: i32, value: f64) -> bool {
        let bound = |index: i32| (f64::from(index) / PER_DOUBLING as f64).exp2();
        // The library's powers are right except for the last bit or two.
        let slack = 4.0 * f64::EPSILON;
        value > bound(bin) * (1.0 - slack) && value <= bound(bin + 1) * (1.0 + slack)
    }

    #[test]
    fn powers_of_two_are_upper_bounds() {
        assert_eq!(bin_of(1.0), -1);
        assert_eq!(bin_of(2.0), PER_DOUBLING as i32 - 1);
        assert_eq!(bin_of(1.0 + f64::EPSILON), 0);
        assert_eq!(bin_of(f64::MIN_POSITIVE / 4.0), bin_of(f64::MIN_POSITIVE));
        assert_eq!(bin_of(f64::MAX), 1024 * PER_DOUBLING as i32 - 1);
    }

    #[test]
    fn one_value_is_every_quantile() {
        let mut bins = SignedBins::default();
        bins.add(0.0, 3.0);
        assert_eq!(
            bins.quantiles(&[0.0, 0.5, 1.0]),
            [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0)]
        );
        assert!(SignedBins::default().quantiles(&[0.5]).is_empty());
    }

    #[test]
    fn more_bins_than_allowed_lose_the_smallest() {
        let mut bins = Bins::default();
        for power in 0..BINS_MAX as i32 + 10 {
            bins.add((f64::from(power) / 8.0 - 100.0).exp2(), 1.0);
        }
        assert_eq!(bins.bins.len(), BINS_MAX);
        assert_eq!(
            bins.iter().map(|(_, weight)| weight).sum::<f64>(),
            BINS_MAX as f64 + 10.0
        );
        assert_eq!(bins.bins[0].1, 11.0);
    }

    #[test]
    fn buckets_that_are_no_bins_are_refused() {
        assert_eq!(bin_of(f64::MIN_POSITIVE), BIN_MIN);
        assert_eq!(bin_of(f64::MAX), BIN_MAX);
        let mut bins = SignedBins::default();
        for value in [3.0, -4.0, 0.0, 1e300, f64::MIN_POSITIVE] {
            bins.add(value, 2.0);
        }
        let good = bins.clone().into_buckets();
        assert_eq!(SignedBins::from_buckets(good.clone()), Some(bins));
        let with = |change: fn(&mut Buckets)| {
            let mut buckets = good.clone();
            change(&mut buckets);
            SignedBins::from_buckets(buckets)
        };
        assert_eq!(with(|buckets| buckets.scale = 5), None);
        assert_eq!(with(|buckets| buckets.zero = f64::NAN), None);
        assert_eq!(with(|buckets| buckets.zero = -1.0), None);
        assert_eq!(with(|buckets| buckets.positive.swap(0, 1)), None);
        assert_eq!(with(|buckets| buckets.negative[0].1 = 0.0), None);
        assert_eq!(with(|buckets| buckets.negative[0].1 = f64::INFINITY), None);
        assert_eq!(with(|buckets| buckets.negative[0].0 = BIN_MAX + 1), None);
        let many = |buckets: &mut Buckets| {
            buckets.positive = (0..=BINS_MAX as i32).map(|bin| (bin, 1.0)).collect();
        };
        assert_eq!(with(many), None);
    }

    proptest! {
        #[test]
        fn every_value_is_in_its_bin(value in prop::num::f64::POSITIVE | prop::num::f64::NORMAL) {
            let value = value.abs();
            prop_assume!(value >= f64::MIN_POSITIVE && value.is_finite());
            let bin = bin_of(value);
            prop_assert!(holds(bin, value) || !(-900..900).contains(&(bin / 64)), "{} in {}", value, bin);
        }

        #[test]
        fn quantiles_are_within_one_percent(
            values in prop::collection::vec((-1e6f64..1e6, 1u32..20), 1..300),
            quantile in 0.0f64..=1.0,
        ) {
            let mut bins = SignedBins::default();
            let mut all = Vec::new();
            for (value, weight) in values {
                bins.add(value, f64::from(weight));
                all.extend(std::iter::repeat_n(value, weight as usize));
            }
            all.sort_by(f64::total_cmp);
            let rank = (quantile * all.len() as f64).ceil().max(1.0) as usize;
            let exact = all[rank.min(all.len()) - 1];
            let found = bins.quantiles(&[quantile])[0].1;
            prop_assert!((found - exact).abs() <= 0.0055 * exact.abs() + 1e-300, "{} for {}", found, exact);
        }

        #[test]
        fn merging_is_adding(values in prop::collection::vec(-1e3f64..1e3, 0..200), cut in 0usize..200) {
            let (mut whole, mut one, mut other) = <(SignedBins, SignedBins, SignedBins)>::default();
            for (index, &value) in values.iter().enumerate() {
                whole.add(value, 1.0);
                if index < cut { &mut one } else { &mut other }.add(value, 1.0);
            }
            one.merge(&other);
            prop_assert_eq!(one, whole);
        }
    }
}
