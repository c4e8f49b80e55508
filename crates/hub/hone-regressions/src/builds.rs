//! Two builds of a service that run side by side.
//!
//! Where enough units run both in the same step, each is compared with itself: load, hardware and neighbours are the
//! same. Otherwise units that went over to the new build are compared with those that did not, each by how much it changed since the
//! days before the build came (difference in differences): what a unit always differs in does not count, nor what changes for all.
//! The first step of a build on a unit is left out: caches are cold and code is not yet made.

use std::collections::{BTreeMap, BTreeSet};

use crate::contrast::{Side, UnitChange, contrast};
use crate::effect::{Effect, one_sample, two_samples};
use crate::finding::{Evidence, NoClaim};
use crate::history::{History, HistoryCell};
use crate::judge::{Came, Compared, Estimate};
use crate::limits::{BUILD_SHARE_MIN, DAYS_MAX, UNITS_MIN, UNITS_OF_NEW_MIN};
use crate::over_time::cores;

const SEED: u64 = 0xb01d;

/// Which builds, and where they began.
struct Pair {
    old: usize,
    new: usize,
    /// First step of the day that is compared.
    begin: u64,
    /// First step with the new build.
    came: u64,
    /// First step of the new build by unit.
    began: BTreeMap<usize, u64>,
}

/// Compares the newest build with the one that runs most beside it, in the last day. `None` if there is one build alone.
pub(crate) fn side_by_side(history: &History) -> Option<Result<Compared<'_>, NoClaim>> {
    let pair = pair(history)?;
    let paired = units_with_both(history, &pair);
    let (effects, units) = if paired.len() >= UNITS_MIN {
        (one_sample(&paired, None, SEED), paired.len())
    } else {
        let [old, new] = units_of_either(history, &pair);
        if new.len() < UNITS_OF_NEW_MIN || old.len() < UNITS_OF_NEW_MIN {
            let units = paired.len().max(new.len().min(old.len()));
            let needed = UNITS_MIN;
            return Some(Err(NoClaim::TooFewUnits { units, needed }));
        }
        (two_samples(&old, &new, SEED), new.len())
    };
    Some(Ok(compared(history, &pair, effects, units)))
}

fn compared<'h>(
    history: &'h History,
    pair: &Pair,
    effects: Vec<Effect>,
    units: usize,
) -> Compared<'h> {
    let [old, new] = [pair.old, pair.new].map(|build| history.builds[build].clone());
    let since_s = pair.came * history.step_s;
    let of_column = effects.clone();
    let came = Came {
        build: new.clone(),
        before: Some(old.clone()),
    };
    Compared {
        history,
        evidence: Evidence::SideBySide { old, new },
        cores: cores(history, pair.begin),
        effects,
        estimate: Box::new(move |column| Estimate {
            effect: of_column[column],
            units,
            since_s,
            stands: true,
            came: Some(came.clone()),
        }),
    }
}

fn pair(history: &History) -> Option<Pair> {
    let begin = (history.last()? + 1).saturating_sub(history.steps_of_day());
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    for (_, cell) in history.cells(begin, u64::MAX) {
        *weights.entry(cell.build).or_default() += cell.weight;
    }
    let whole: f64 = weights.values().sum();
    let mut first: BTreeMap<usize, u64> = BTreeMap::new();
    for (step, cell) in history.cells(0, u64::MAX) {
        first.entry(cell.build).or_insert(step);
    }
    let mut named: Vec<(u64, f64, usize)> = weights
        .iter()
        .filter(|(build, weight)| {
            **weight >= BUILD_SHARE_MIN * whole && !history.builds[**build].is_empty()
        })
        .map(|(build, weight)| (first[build], -weight, *build))
        .collect();
    // The one that came last is new; of those that came together, the one that runs least.
    named.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (came, _, new) = named.pop()?;
    let old = named.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.2;
    let mut began = BTreeMap::new();
    let of_new = history
        .cells(0, u64::MAX)
        .filter(|(_, cell)| cell.build == new);
    of_new.for_each(|(step, cell)| _ = began.entry(cell.unit).or_insert(step));
    Some(Pair {
        old,
        new,
        begin,
        came,
        began,
    })
}

impl Pair {
    fn is_warm(&self, step: u64, cell: &HistoryCell) -> bool {
        self.began
            .get(&cell.unit)
            .is_some_and(|began| step > *began)
    }
}

/// Differences between the builds on units that run both in the same steps.
fn units_with_both(history: &History, pair: &Pair) -> Vec<UnitChange> {
    contrast(
        history,
        history.cells(pair.begin, u64::MAX),
        |step, cell| match cell.build {
            build if build == pair.old => Some((step, Side::Before)),
            build if build == pair.new && pair.is_warm(step, cell) => Some((step, Side::After)),
            _ => None,
        },
    )
}

/// Changes of units that stayed at other builds, and of those that went over to the new one.
fn units_of_either(history: &History, pair: &Pair) -> [Vec<UnitChange>; 2] {
    let days = history.steps_of_day();
    let first = pair.came.saturating_sub(DAYS_MAX * days);
    let went: BTreeSet<usize> = pair.began.keys().copied().collect();
    let begin = pair.begin.max(pair.came + 1);
    let changes = |is_new: bool| {
        contrast(history, history.cells(first, u64::MAX), |step, cell| {
            let is_of_new = cell.build == pair.new;
            let side = match () {
                () if went.contains(&cell.unit) != is_new => return None,
                () if step < pair.came => Side::Before,
                () if step < begin || is_of_new != is_new => return None,
                () if is_new && !pair.is_warm(step, cell) => return None,
                () => Side::After,
            };
            Some((step % days, side))
        })
    };
    [changes(false), changes(true)]
}
