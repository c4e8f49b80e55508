//! Steps of a service side by side: one table of functions, units and builds.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::HISTORY_FUNCTIONS_MAX;
use crate::step::{Step, group_of};

/// Steps of a service, all of the same length.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Length of a step in seconds, a whole part of a day.
    pub(crate) step_s: u64,
    pub(crate) functions: Vec<String>,
    pub(crate) units: Vec<String>,
    pub(crate) builds: Vec<String>,
    /// Cells by the number of their step: its begin, divided by its length.
    pub(crate) steps: BTreeMap<u64, Vec<HistoryCell>>,
    /// Weight by caller and callee.
    pub(crate) calls: FxHashMap<(u32, u32), f64>,
    pub(crate) is_grouped: bool,
}

/// What ran on a unit in a build.
#[derive(Clone, Debug, Default)]
pub(crate) struct HistoryCell {
    pub(crate) unit: usize,
    pub(crate) build: usize,
    pub(crate) weight: f64,
    pub(crate) samples: f64,
    /// Function, own weight, inclusive weight.
    pub(crate) rows: Vec<(u32, f64, f64)>,
}

impl History {
    /// Returns the number of a function.
    pub(crate) fn number_of(&self, function: &str) -> Option<u32> {
        let at = self.functions.iter().position(|known| known == function)?;
        u32::try_from(at).ok()
    }

    /// Puts steps together. Of steps with the same begin the last one counts; those whose begin is no multiple of `step_s` are
    /// left out.
    pub fn new(steps: &[Step], step_s: u64) -> Self {
        let mut history = Self {
            step_s,
            is_grouped: steps.iter().any(Step::is_grouped),
            ..Self::default()
        };
        let functions = Numbers::of_heaviest(steps);
        let mut units = Numbers::default();
        let mut builds = Numbers::default();
        for step in steps {
            if !step.start_s.is_multiple_of(step_s) {
                continue;
            }
            let numbers: Vec<Option<u32>> = step
                .functions
                .iter()
                .map(|name| functions.known(name))
                .collect();
            let number = |function: u32| numbers.get(function as usize).copied().flatten();
            let mut cells: FxHashMap<(usize, usize), HistoryCell> = FxHashMap::default();
            for cell in &step.cells {
                let host = match history.is_grouped {
                    true => group_of(&cell.host),
                    false => cell.host.clone(),
                };
                let (unit, build) = (units.of(&host) as usize, builds.of(&cell.build) as usize);
                let sum = cells.entry((unit, build)).or_default();
                (sum.unit, sum.build) = (unit, build);
                sum.weight += cell.weight as f64;
                sum.samples += cell.samples as f64;
                let rows = cell.rows.iter();
                let rows =
                    rows.filter_map(|row| Some((number(row.0)?, row.1 as f64, row.2 as f64)));
                sum.rows.extend(rows);
            }
            for call in &step.calls {
                if let Some(pair) = number(call.0).zip(number(call.1)) {
                    *history.calls.entry(pair).or_default() += call.2 as f64;
                }
            }
            let mut cells: Vec<HistoryCell> = cells.into_values().collect();
            cells.sort_unstable_by_key(|cell| (cell.unit, cell.build));
            history.steps.insert(step.start_s / step_s, cells);
        }
        history.functions = functions.names;
        history.units = units.names;
        history.builds = builds.names;
        history
    }

    /// Number of steps of a day.
    pub(crate) fn steps_of_day(&self) -> u64 {
        (86_400 / self.step_s.max(1)).max(1)
    }

    /// Number of the last step; `None` if there are none.
    pub(crate) fn last(&self) -> Option<u64> {
        self.steps.keys().next_back().copied()
    }

    /// Cells from one step up to before another.
    pub(crate) fn cells(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &HistoryCell)> {
        let steps = self.steps.range(from..to.max(from));
        steps.flat_map(|(step, cells)| cells.iter().map(|cell| (*step, cell)))
    }
}

/// Numbers of names, in the order in which they come.
#[derive(Default)]
struct Numbers {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Numbers {
    /// Numbers of the functions that weigh most in any step.
    fn of_heaviest(steps: &[Step]) -> Self {
        let mut most: FxHashMap<&str, f64> = FxHashMap::default();
        for step in steps {
            let whole: f64 = step.cells.iter().map(|cell| cell.weight as f64).sum();
            let mut sums = vec![0.0; step.functions.len()];
            let rows = step.cells.iter().flat_map(|cell| &cell.rows);
            rows.for_each(|row| sums[row.0 as usize] += row.2 as f64);
            for (name, sum) in step.functions.iter().zip(sums) {
                let share = most.entry(name).or_default();
                *share = share.max(sum / whole.max(1.0));
            }
        }
        let mut sorted: Vec<(&str, f64)> = most.into_iter().collect();
        sorted.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        sorted.truncate(HISTORY_FUNCTIONS_MAX);
        let kept: FxHashSet<&str> = sorted.into_iter().map(|(name, _)| name).collect();
        let mut kept: Vec<&str> = kept.into_iter().collect();
        kept.sort_unstable();
        let mut numbers = Self::default();
        kept.into_iter().for_each(|name| _ = numbers.of(name));
        numbers
    }

    fn of(&mut self, name: &str) -> u32 {
        if let Some(number) = self.known(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }
}
