//! Aggregates of several agents into one, at the second level.

use crate::aggregate::{Aggregate, Buckets, Summary};

/// What two aggregates of one series came to together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merged {
    /// Just what one agent that had seen all samples would have.
    Exact,
    /// All but the quantiles, which were dropped: a timer has no buckets to make them from.
    WithoutQuantiles,
    /// A lower bound: how many members two sets share is not known.
    AtLeast,
    /// Nothing: they are of different kinds, and `into` stayed what it was.
    Mismatch,
}

/// Adds `from`, of the same series and interval, to `into`.
///
/// Counters, rates, counts, sums and buckets add up; of gauges the one that comes later holds. Quantiles of
/// distributions are made anew from the merged buckets by `quantile_of`, which gets buckets, summary and share.
pub fn merge(
    into: &mut Aggregate,
    from: &Aggregate,
    quantile_of: impl Fn(&Buckets, &Summary, f64) -> f64,
) -> Merged {
    match (into, from) {
        (Aggregate::Counter { total, delta }, Aggregate::Counter { total: t, delta: d }) => {
            *total += t;
            *delta += d;
            Merged::Exact
        }
        (Aggregate::Rate(into), Aggregate::Rate(from)) => {
            *into += from;
            Merged::Exact
        }
        (Aggregate::Gauge(into), Aggregate::Gauge(from)) => {
            *into = *from;
            Merged::Exact
        }
        (Aggregate::Set(into), Aggregate::Set(from)) => {
            *into = into.max(*from);
            Merged::AtLeast
        }
        (Aggregate::Timer(into), Aggregate::Timer(from)) => {
            summaries(into, from);
            into.quantiles.clear();
            Merged::WithoutQuantiles
        }
        (Aggregate::Histogram(into, buckets), Aggregate::Histogram(from, others)) => {
            summaries(into, from);
            merge_buckets(buckets, others);
            Merged::Exact
        }
        (Aggregate::Distribution(into, buckets), Aggregate::Distribution(from, others)) => {
            summaries(into, from);
            merge_buckets(buckets, others);
            let shares: Vec<f64> = into.quantiles.iter().map(|(share, _)| *share).collect();
            let of = |share: f64| (share, quantile_of(buckets, into, share));
            let quantiles = shares.into_iter().map(of).collect();
            into.quantiles = quantiles;
            Merged::Exact
        }
        _ => Merged::Mismatch,
    }
}

fn summaries(into: &mut Summary, from: &Summary) {
    into.count += from.count;
    into.sum += from.sum;
    into.min = into.min.min(from.min);
    into.max = into.max.max(from.max);
}

/// Adds buckets up. Where their resolutions differ, the finer ones are joined to the coarser first: bounds of a
/// coarse scale are bounds of every finer one, so no value changes its side.
pub fn merge_buckets(into: &mut Buckets, from: &Buckets) {
    if into.scale > from.scale {
        coarsen(into, from.scale);
    }
    into.zero += from.zero;
    let shift = from.scale - into.scale;
    into.positive = add(&into.positive, &from.positive, shift);
    into.negative = add(&into.negative, &from.negative, shift);
}

fn coarsen(buckets: &mut Buckets, scale: i8) {
    let shift = buckets.scale - scale;
    buckets.positive = add(&[], &buckets.positive, shift);
    buckets.negative = add(&[], &buckets.negative, shift);
    buckets.scale = scale;
}

/// Both in order; `from` is `shift` steps finer.
fn add(into: &[(i32, f64)], from: &[(i32, f64)], shift: i8) -> Vec<(i32, f64)> {
    let mut sum: Vec<(i32, f64)> = Vec::with_capacity(into.len() + from.len());
    let mut from = from
        .iter()
        .map(|(index, weight)| (index >> shift, *weight))
        .peekable();
    let mut into = into.iter().copied().peekable();
    loop {
        let next = match (into.peek(), from.peek()) {
            (Some(a), Some(b)) if a.0 <= b.0 => into.next(),
            (_, Some(_)) => from.next(),
            (_, None) => into.next(),
        };
        let Some((index, weight)) = next else {
            return sum;
        };
        match sum.last_mut() {
            Some((last, total)) if *last == index => *total += weight,
            _ => sum.push((index, weight)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::buckets::upper_bound;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The buckets that values between the bounds of the finest scale fall into, found by comparing with bounds.
    fn of(values: &[i32], scale: i8) -> Buckets {
        let mut positive = BTreeMap::new();
        for value in values {
            // Between two bounds of scale 8, so that no rounding decides.
            let place = (f64::from(*value) + 0.5) * (-8f64).exp2();
            let mut index = (place * f64::from(scale).exp2()).floor() as i32;
            while upper_bound(scale, index) < place.exp2() {
                index += 1;
            }
            *positive.entry(index).or_insert(0.0) += 1.0;
        }
        Buckets {
            scale,
            zero: 1.0,
            positive: positive.into_iter().collect(),
            negative: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn merged_buckets_are_those_of_all_values(
            a in vec(-3000..3000i32, 0..40), b in vec(-3000..3000i32, 0..40),
            scale_a in -4..=8i8, scale_b in -4..=8i8,
        ) {
            let mut merged = of(&a, scale_a);
            merge_buckets(&mut merged, &of(&b, scale_b));
            let mut all = a.clone();
            all.extend(&b);
            let expected = of(&all, scale_a.min(scale_b));
            prop_assert_eq!(merged.scale, expected.scale);
            prop_assert_eq!(merged.positive, expected.positive);
            prop_assert_eq!(merged.zero, 2.0);
        }
    }

    #[test]
    fn what_cannot_be_merged_exactly_says_so() {
        let never = |_: &Buckets, _: &Summary, _: f64| unreachable!();
        let summary = |count, quantiles| Summary {
            count,
            sum: count,
            min: -count,
            max: count,
            quantiles,
        };
        let mut timer = Aggregate::Timer(summary(1.0, vec![(0.5, 1.0)]));
        let other = Aggregate::Timer(summary(2.0, vec![(0.5, 2.0)]));
        assert_eq!(merge(&mut timer, &other, never), Merged::WithoutQuantiles);
        let expected = Summary {
            count: 3.0,
            sum: 3.0,
            min: -2.0,
            max: 2.0,
            quantiles: Vec::new(),
        };
        assert_eq!(timer, Aggregate::Timer(expected));
        assert_eq!(
            merge(&mut timer, &Aggregate::Set(1.0), never),
            Merged::Mismatch
        );
        let mut set = Aggregate::Set(3.0);
        assert_eq!(
            merge(&mut set, &Aggregate::Set(2.0), never),
            Merged::AtLeast
        );
        assert_eq!(set, Aggregate::Set(3.0));
    }

    #[test]
    fn quantiles_of_distributions_are_made_from_all_buckets() {
        let one = |index| {
            let summary = Summary {
                count: 1.0,
                quantiles: vec![(0.9, 0.0)],
                ..Summary::default()
            };
            let buckets = Buckets {
                positive: vec![(index, 1.0)],
                ..Buckets::default()
            };
            Aggregate::Distribution(summary, buckets)
        };
        let mut merged = one(1);
        let largest = |buckets: &Buckets, summary: &Summary, share: f64| {
            assert_eq!((summary.count, share), (2.0, 0.9));
            upper_bound(buckets.scale, buckets.positive.last().unwrap().0)
        };
        assert_eq!(merge(&mut merged, &one(4), largest), Merged::Exact);
        let Aggregate::Distribution(summary, _) = merged else {
            unreachable!()
        };
        assert_eq!(summary.quantiles, [(0.9, 32.0)]);
    }
}
