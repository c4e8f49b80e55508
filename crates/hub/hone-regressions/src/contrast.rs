//! Changes of shares, one number for each unit and function.
//!
//! A share of one side is compared with that of the other within *slots* that both sides have: the same hours of the day, or
//! the very same step. So a unit that ran more at night than before changes nothing by that. Within a unit slots weigh by the
//! evidence that they have on both sides, and units weigh by the same, but none more than [`WEIGHT_MAX`] times the median.
//!
//! Columns are functions twice: the own share at `2 f`, the inclusive one at `2 f + 1`.

use std::collections::BTreeMap;

use hone_measure::statistics::median;

use crate::history::{History, HistoryCell};
use crate::limits::WEIGHT_MAX;

/// Side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Before = 0,
    After = 1,
}

/// What a unit says.
#[derive(Clone, Debug)]
pub(crate) struct UnitChange {
    pub(crate) unit: usize,
    /// Share of the evidence, at most three times the median's.
    pub(crate) weight: f64,
    /// Shares by column, of both sides.
    pub(crate) shares: [Vec<f64>; 2],
    /// Samples of both sides.
    pub(crate) samples: [f64; 2],
    /// Weights of the slots, which add up to 1.
    pub(crate) slots: BTreeMap<u64, f64>,
}

impl UnitChange {
    pub(crate) fn change(&self, column: usize) -> f64 {
        self.shares[1][column] - self.shares[0][column]
    }
}

/// Sums of a side in a slot.
#[derive(Clone, Default)]
struct Sums {
    weight: f64,
    samples: f64,
    columns: Vec<f64>,
}

impl Sums {
    fn add(&mut self, cell: &HistoryCell, columns: usize) {
        self.columns.resize(columns, 0.0);
        self.weight += cell.weight;
        self.samples += cell.samples;
        for (function, own, inclusive) in &cell.rows {
            self.columns[2 * *function as usize] += own;
            self.columns[2 * *function as usize + 1] += inclusive;
        }
    }
}

/// Returns the changes of all units that have something of both sides in a slot. `side` says where a cell belongs.
pub(crate) fn contrast<'h>(
    history: &History,
    cells: impl Iterator<Item = (u64, &'h HistoryCell)>,
    side: impl Fn(u64, &HistoryCell) -> Option<(u64, Side)>,
) -> Vec<UnitChange> {
    let columns = 2 * history.functions.len();
    let mut by_unit: BTreeMap<usize, BTreeMap<u64, [Sums; 2]>> = BTreeMap::new();
    for (step, cell) in cells {
        if let Some((slot, side)) = side(step, cell) {
            let slots = by_unit.entry(cell.unit).or_default();
            slots.entry(slot).or_default()[side as usize].add(cell, columns);
        }
    }
    let found = by_unit.into_iter();
    let mut found: Vec<UnitChange> = found
        .filter_map(|(unit, slots)| change_of(unit, &slots, columns))
        .collect();
    cap(&mut found);
    found
}

fn change_of(unit: usize, slots: &BTreeMap<u64, [Sums; 2]>, columns: usize) -> Option<UnitChange> {
    let evidence = |[before, after]: &[Sums; 2]| match before.weight > 0.0 && after.weight > 0.0 {
        true => 1.0 / (1.0 / before.weight + 1.0 / after.weight),
        false => 0.0,
    };
    let weight: f64 = slots.values().map(evidence).sum();
    if weight <= 0.0 {
        return None;
    }
    let mut change = UnitChange {
        unit,
        weight,
        shares: [vec![0.0; columns], vec![0.0; columns]],
        samples: [0.0; 2],
        slots: BTreeMap::new(),
    };
    for (slot, sides) in slots {
        let part = evidence(sides) / weight;
        if part <= 0.0 {
            continue;
        }
        change.slots.insert(*slot, part);
        for (at, side) in sides.iter().enumerate() {
            change.samples[at] += side.samples;
            let factor = part / side.weight;
            let shares = change.shares[at].iter_mut().zip(&side.columns);
            shares.for_each(|(share, sum)| *share += factor * sum);
        }
    }
    Some(change)
}

/// Bounds the weights of units, and makes them add up to 1.
fn cap(units: &mut [UnitChange]) {
    let weights: Vec<f64> = units.iter().map(|unit| unit.weight).collect();
    let most = WEIGHT_MAX * median(&weights);
    units
        .iter_mut()
        .for_each(|unit| unit.weight = unit.weight.min(most));
    let whole: f64 = units.iter().map(|unit| unit.weight).sum();
    units.iter_mut().for_each(|unit| unit.weight /= whole);
}
