//! The last day of a service beside the days before.
//!
//! A day is the steps of 24 hours that end with the last step, so that hours of the day cancel out. A change within that day is
//! told from the step on in which it begins, which is where the sum of what is above the usual grows most (CUSUM: Page,
//! *Biometrika* 41, 1954), and it has gone away again if the last step is as usual.

use std::collections::BTreeMap;

use crate::contrast::{Side, UnitChange, contrast};
use crate::effect::{Effect, TimeScatter, one_sample};
use crate::finding::{Evidence, NoClaim};
use crate::history::History;
use crate::judge::{Came, Compared, Estimate};
use crate::limits::{DAYS_MAX, DAYS_MIN, UNITS_MIN};

/// Share of a day's steps that must have samples.
const DAY_PART_MIN: f64 = 0.5;
/// A change of which the last step has less than this part has gone away.
const STANDS_MIN: f64 = 0.3;
/// Rise of a build's share of the weight from which on changes at that time are the build's.
const BUILD_RISE_MIN: f64 = 0.2;
/// Seed of resampling.
const SEED: u64 = 0x0e77;

/// Compares the last day with those before.
pub(crate) fn over_time(history: &History) -> Result<Compared<'_>, NoClaim> {
    let days = history.steps_of_day();
    let last = history.last().unwrap_or_default();
    let begin = (last + 1).saturating_sub(days);
    let first = begin.saturating_sub(DAYS_MAX * days);
    let units = units_from(history, first, begin, begin);
    if units.len() < UNITS_MIN {
        let (units, needed) = (units.len(), UNITS_MIN);
        return Err(NoClaim::TooFewUnits { units, needed });
    }
    let by_step = shares_by_step(history, first, &units);
    let earlier = earlier_days(&by_step, begin, days, &units);
    if earlier.len() < DAYS_MIN {
        let (days, needed) = (earlier.len(), DAYS_MIN);
        return Err(NoClaim::TooFewDays { days, needed });
    }
    let scatter = TimeScatter::of(&earlier);
    let estimated = |from: u64| {
        let units = units_from(history, first, begin, from);
        (one_sample(&units, Some(&scatter), SEED), units.len())
    };
    // Made once for each step that a change may begin in.
    let from_steps = (begin..=last).filter(|step| *step == begin || by_step.contains_key(step));
    let from_steps: BTreeMap<u64, (Vec<Effect>, usize)> =
        from_steps.map(|step| (step, estimated(step))).collect();
    let effects = from_steps[&begin].0.clone();
    let estimate = move |column: usize| {
        let above = above_usual(&by_step, first, begin, days, column);
        let since = since(&above).filter(|step| from_steps[step].1 >= UNITS_MIN);
        let since = since.unwrap_or(begin);
        let (effects, units) = &from_steps[&since];
        let (effect, units) = (effects[column], *units);
        let now = above.last().map_or(0.0, |(_, value)| *value);
        Estimate {
            effect,
            units,
            since_s: since * history.step_s,
            stands: now >= STANDS_MIN * effect.change,
            came: rising_build(history, first, begin, since),
        }
    };
    Ok(Compared {
        history,
        evidence: Evidence::OverTime {
            days: earlier.len(),
        },
        cores: cores(history, begin),
        effects,
        estimate: Box::new(estimate),
    })
}

/// Changes of units from the days before to what ran since `from`.
fn units_from(history: &History, first: u64, begin: u64, from: u64) -> Vec<UnitChange> {
    let days = history.steps_of_day();
    contrast(history, history.cells(first, u64::MAX), |step, _| {
        let side = match step {
            step if step < begin => Side::Before,
            step if step >= from => Side::After,
            _ => return None,
        };
        Some((step % days, side))
    })
}

/// Shares of each column by step, with the units' weights.
fn shares_by_step(history: &History, first: u64, units: &[UnitChange]) -> BTreeMap<u64, Vec<f64>> {
    let weight_of: BTreeMap<usize, f64> =
        units.iter().map(|unit| (unit.unit, unit.weight)).collect();
    let steps = history.steps.range(first..);
    let shares = steps.filter_map(|(step, cells)| {
        let mut of_units: BTreeMap<usize, f64> = BTreeMap::new();
        let known = cells
            .iter()
            .filter(|cell| weight_of.contains_key(&cell.unit));
        known.for_each(|cell| *of_units.entry(cell.unit).or_default() += cell.weight);
        let covered: f64 = of_units.keys().map(|unit| weight_of[unit]).sum();
        let mut sums = vec![0.0; 2 * history.functions.len()];
        for cell in cells {
            let Some(weight) = of_units.get(&cell.unit).filter(|weight| **weight > 0.0) else {
                continue;
            };
            let factor = weight_of[&cell.unit] / covered / weight;
            for (function, own, inclusive) in &cell.rows {
                sums[2 * *function as usize] += factor * own;
                sums[2 * *function as usize + 1] += factor * inclusive;
            }
        }
        (covered > 0.0).then_some((*step, sums))
    });
    shares.collect()
}

/// Shares of each column by earlier day, its hours weighed as those of the last day.
fn earlier_days(
    by_step: &BTreeMap<u64, Vec<f64>>,
    begin: u64,
    days: u64,
    units: &[UnitChange],
) -> Vec<Vec<f64>> {
    let mut slots: BTreeMap<u64, f64> = BTreeMap::new();
    for unit in units {
        for (slot, part) in &unit.slots {
            *slots.entry(*slot).or_default() += unit.weight * part;
        }
    }
    let day = |back: u64| {
        let from = begin.checked_sub(back * days)?;
        let steps = by_step.range(from..from + days);
        let steps: Vec<_> = steps
            .filter_map(|(step, shares)| Some((*slots.get(&(step % days))?, shares)))
            .collect();
        let covered: f64 = steps.iter().map(|(part, _)| part).sum();
        let is_enough = steps.len() as f64 >= DAY_PART_MIN * days as f64 && covered > 0.0;
        is_enough.then(|| {
            let columns = steps[0].1.len();
            let mut sums = vec![0.0; columns];
            for (part, shares) in steps {
                let shares = sums.iter_mut().zip(shares);
                shares.for_each(|(sum, share)| *sum += part / covered * share);
            }
            sums
        })
    };
    (1..=DAYS_MAX).filter_map(day).collect()
}

/// What a column has in each step of the last day above the mean of the same hours of the days before.
fn above_usual(
    by_step: &BTreeMap<u64, Vec<f64>>,
    first: u64,
    begin: u64,
    days: u64,
    column: usize,
) -> Vec<(u64, f64)> {
    let last_day = by_step.range(begin..);
    let above = last_day.filter_map(|(step, shares)| {
        let earlier = by_step.range(first..begin);
        let same = earlier.filter(|(earlier, _)| *earlier % days == step % days);
        let same: Vec<f64> = same.map(|(_, shares)| shares[column]).collect();
        let usual = same.iter().sum::<f64>() / same.len() as f64;
        (!same.is_empty()).then_some((*step, shares[column] - usual))
    });
    above.collect()
}

/// Returns the step in which a change begins.
fn since(above: &[(u64, f64)]) -> Option<u64> {
    let starts = (0..above.len()).map(|start| {
        let rest = &above[start..];
        let sum: f64 = rest.iter().map(|(_, value)| value).sum();
        (sum.max(0.0).powi(2) / rest.len() as f64, above[start].0)
    });
    // Of equal ones the earliest.
    let best = starts.rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(best.1)
}

/// Returns the build whose share of the weight rose most, if it rose by much.
fn rising_build(history: &History, first: u64, begin: u64, since: u64) -> Option<Came> {
    let shares = |from: u64, to: u64| -> Vec<f64> {
        let mut sums = vec![0.0; history.builds.len()];
        history
            .cells(from, to)
            .for_each(|(_, cell)| sums[cell.build] += cell.weight);
        let whole: f64 = sums.iter().sum();
        let shares = sums.into_iter().map(|sum| sum / whole.max(1.0));
        shares.collect()
    };
    let heaviest = |shares: &[f64]| {
        let numbered = shares.iter().copied().enumerate();
        numbered.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let before = shares(first, begin);
    let rises = shares(since, u64::MAX).into_iter().zip(&before);
    let rises: Vec<f64> = rises.map(|(after, before)| after - before).collect();
    let (build, rise) = heaviest(&rises)?;
    let named = |build: usize| Some(history.builds[build].clone()).filter(|name| !name.is_empty());
    let old = heaviest(&before).map(|(old, _)| old);
    let came = Came {
        build: named(build)?,
        before: old.filter(|old| *old != build).and_then(named),
    };
    (rise >= BUILD_RISE_MIN).then_some(came)
}

/// Cores that the service used since a step.
pub(crate) fn cores(history: &History, begin: u64) -> f64 {
    let weight: f64 = history
        .cells(begin, u64::MAX)
        .map(|(_, cell)| cell.weight)
        .sum();
    let steps = history.steps.range(begin..).count() as f64;
    weight / (steps * history.step_s as f64 * 1e9).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_begins_where_what_is_above_the_usual_grows_most() {
        let above = |values: [f64; 4]| -> Vec<(u64, f64)> { (10..).zip(values).collect() };
        assert_eq!(since(&above([0.0, 0.1, 1.0, 1.1])), Some(12));
        assert_eq!(since(&above([1.0, 1.0, 1.0, 1.0])), Some(10));
        assert_eq!(since(&above([-0.5, 0.0, 0.0, 0.7])), Some(13));
        assert_eq!(since(&[]), None);
    }
}
