//! Comparison of a fleet: from cells to units, and from units to an interval.

use std::collections::{BTreeMap, BTreeSet};

use super::self_check::self_check;
use super::{
    Fleet, FleetComparison, FleetError, HOSTS_MIN, INSTANCES_MIN, Instance, Unit, WINDOWS_MIN,
};
use crate::experiment::{Arm, Interval};
use crate::power::POWER;
use crate::statistics::{Centre, estimate, median, student};

/// One instance in this many is cut off at either end, as with blocks.
const TRIM_ONE_IN: usize = 8;
/// Maximum number of rounds of the fit; a handful is enough if few cells are missing.
const ROUNDS_MAX: usize = 500;
/// The fit is done when a round changes no effect by more than this.
const SETTLED: f64 = 1e-10;

/// Judges two builds that run side by side.
///
/// The unit is the host if at least [`HOSTS_MIN`] hosts ran both builds and these have at least half of all instances,
/// else the instance: the available data decides, not the result.
pub fn compare(fleet: &Fleet) -> Result<FleetComparison, FleetError> {
    let confidence = fleet.confidence;
    if !(confidence > 0.5 && confidence < 1.0) {
        return Err(FleetError::Confidence { confidence });
    }
    let costs = Costs::of(fleet);
    for (arm, name) in [(Arm::Old, "old"), (Arm::New, "new")] {
        if !costs.cells.iter().any(|cell| costs.arm(cell) == arm) {
            return Err(FleetError::NothingOf { arm: name });
        }
    }
    let shared = costs.shared_windows();
    if shared.len() < WINDOWS_MIN {
        return Err(FleetError::TooFewWindows {
            windows: shared.len(),
        });
    }
    let hosts = costs.by_host();
    let effects = costs.effects(&shared);
    let on_these = |instance: &&Instance| hosts.contains_key(instance.host.as_str());
    let covered = fleet.instances.iter().filter(on_these).count();
    if hosts.len() >= HOSTS_MIN && 2 * covered >= fleet.instances.len() {
        let self_check = self_check(&values(&effects[0]), confidence, fleet.seed);
        return Ok(FleetComparison {
            self_check,
            ..compare_hosts(fleet, &costs, &hosts, shared.len())
        });
    }
    let [old, new] = &effects;
    if old.len() < INSTANCES_MIN || new.len() < INSTANCES_MIN {
        return Err(FleetError::TooFewInstances {
            old: old.len(),
            new: new.len(),
            hosts: hosts.len(),
        });
    }
    Ok(compare_instances(fleet, &costs, &effects, shared.len()))
}

fn compare_hosts(
    fleet: &Fleet,
    costs: &Costs<'_>,
    hosts: &BTreeMap<&str, Paired>,
    windows: usize,
) -> FleetComparison {
    let ratios: Vec<f64> = hosts.values().map(Paired::log_ratio).collect();
    let found = estimate(
        std::slice::from_ref(&ratios),
        &[],
        fleet.confidence,
        fleet.seed,
    );
    let trim = ratios.len() / TRIM_ONE_IN;
    let degrees = (ratios.len() - 2 * trim - 1) as f64;
    let gain = Interval::from_log(found.location, found.half_width);
    FleetComparison {
        unit: Unit::Host,
        units: [hosts.len(); 2],
        windows,
        gain,
        verdict: gain.verdict(),
        medians: costs.medians(|instance| hosts.contains_key(instance.host.as_str())),
        provable_ratio: provable(found.standard_error, degrees, fleet.confidence),
        effects: hosts
            .keys()
            .map(|host| (*host).to_owned())
            .zip(ratios)
            .collect(),
        self_check: None,
    }
}

fn compare_instances(
    fleet: &Fleet,
    costs: &Costs<'_>,
    effects: &[Vec<(usize, f64)>; 2],
    windows: usize,
) -> FleetComparison {
    let values =
        |arm: usize| -> Vec<f64> { effects[arm].iter().map(|(_, effect)| *effect).collect() };
    let (old, new) = (values(0), values(1));
    let found = two_samples(&old, &new, fleet.confidence);
    let gain = Interval::from_log(found.location, found.half_width);
    let both = effects.iter().flatten();
    let taken: BTreeSet<usize> = both.clone().map(|(instance, _)| *instance).collect();
    FleetComparison {
        unit: Unit::Instance,
        units: [old.len(), new.len()],
        windows,
        gain,
        verdict: gain.verdict(),
        medians: costs.medians_of(|index| taken.contains(&index)),
        provable_ratio: provable(found.standard_error, found.degrees, fleet.confidence),
        effects: both
            .map(|(at, effect)| (fleet.instances[*at].name.clone(), *effect))
            .collect(),
        self_check: self_check(&old, fleet.confidence, fleet.seed),
    }
}

fn values(effects: &[(usize, f64)]) -> Vec<f64> {
    effects.iter().map(|(_, effect)| *effect).collect()
}

fn provable(standard_error: f64, degrees: f64, confidence: f64) -> f64 {
    let critical = student(f64::midpoint(1.0, confidence), degrees) + student(POWER, degrees);
    (critical * standard_error).exp()
}

/// The difference of two samples.
pub(super) struct TwoSamples {
    pub(super) location: f64,
    pub(super) half_width: f64,
    standard_error: f64,
    degrees: f64,
}

/// Returns Yuen's estimate of old minus new. Each sample must have at least two values.
pub(super) fn two_samples(old: &[f64], new: &[f64], confidence: f64) -> TwoSamples {
    let of = |values: &[f64]| {
        let trim = values.len() / TRIM_ONE_IN;
        let kept = (values.len() - 2 * trim) as f64;
        let centre = Centre::of(&[values.to_vec()], trim);
        (centre.location, centre.standard_error.powi(2), kept - 1.0)
    };
    let ((old, old_variance, old_degrees), (new, new_variance, new_degrees)) = (of(old), of(new));
    let variance = old_variance + new_variance;
    // Satterthwaite's approximation.
    let parts = old_variance.powi(2) / old_degrees + new_variance.powi(2) / new_degrees;
    let degrees = if parts > 0.0 {
        variance.powi(2) / parts
    } else {
        old_degrees + new_degrees
    };
    let standard_error = variance.sqrt();
    TwoSamples {
        location: old - new,
        half_width: standard_error * student(f64::midpoint(1.0, confidence), degrees),
        standard_error,
        degrees,
    }
}

/// A cell with its log-cost.
struct Cost {
    instance: usize,
    window: usize,
    log: f64,
}

/// The cells that have a cost.
struct Costs<'a> {
    fleet: &'a Fleet,
    cells: Vec<Cost>,
}

/// CPU seconds and work of both builds.
type Sums = [(f64, f64); 2];

/// The log-costs of both builds on one host, in the windows that have both.
struct Paired {
    old: Vec<f64>,
    new: Vec<f64>,
}

impl Paired {
    fn log_ratio(&self) -> f64 {
        let ratios: Vec<f64> = self
            .old
            .iter()
            .zip(&self.new)
            .map(|(old, new)| old - new)
            .collect();
        let trim = ratios.len() / TRIM_ONE_IN;
        Centre::of(&[ratios], trim).location
    }
}

impl<'a> Costs<'a> {
    fn of(fleet: &'a Fleet) -> Self {
        let is_some = |value: f64| value.is_finite() && value > 0.0;
        let cells = fleet
            .cells
            .iter()
            .filter(|cell| is_some(cell.cpu_s) && is_some(cell.work));
        let cells = cells.map(|cell| Cost {
            instance: cell.instance,
            window: cell.window,
            log: (cell.cpu_s / cell.work).ln(),
        });
        Self {
            fleet,
            cells: cells.collect(),
        }
    }

    fn arm(&self, cell: &Cost) -> Arm {
        self.fleet.instances[cell.instance].arm
    }

    /// Returns the windows in which both builds ran, on any host.
    fn shared_windows(&self) -> BTreeSet<usize> {
        let of = |arm: Arm| -> BTreeSet<usize> {
            let cells = self.cells.iter().filter(|cell| self.arm(cell) == arm);
            cells.map(|cell| cell.window).collect()
        };
        of(Arm::Old).intersection(&of(Arm::New)).copied().collect()
    }

    /// Returns the hosts that ran both builds in enough windows. Several instances of a build on a host count as one: the
    /// sum of their CPU time over the sum of their work.
    fn by_host(&self) -> BTreeMap<&'a str, Paired> {
        let mut sums: BTreeMap<&str, BTreeMap<usize, Sums>> = BTreeMap::new();
        for cell in &self.fleet.cells {
            let instance = &self.fleet.instances[cell.instance];
            let windows = sums.entry(&instance.host).or_default();
            let arms = windows.entry(cell.window).or_default();
            let sum = &mut arms[usize::from(instance.arm == Arm::New)];
            sum.0 += cell.cpu_s;
            sum.1 += cell.work;
        }
        let paired = sums.into_iter().map(|(host, windows)| {
            let logs = windows
                .values()
                .map(|arms| arms.map(|(cpu_s, work)| (cpu_s / work).ln()));
            let logs = logs.filter(|logs| logs.iter().all(|log| log.is_finite()));
            let (old, new) = logs.map(|[old, new]| (old, new)).unzip();
            (host, Paired { old, new })
        });
        paired
            .filter(|(_, paired)| paired.old.len() >= WINDOWS_MIN)
            .collect()
    }

    /// Returns the effects of the instances of either build that have enough of these windows, by instance.
    fn effects(&self, windows: &BTreeSet<usize>) -> [Vec<(usize, f64)>; 2] {
        let mut cells: Vec<&Cost> = self
            .cells
            .iter()
            .filter(|cell| windows.contains(&cell.window))
            .collect();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for cell in &cells {
            *counts.entry(cell.instance).or_default() += 1;
        }
        cells.retain(|cell| counts[&cell.instance] >= WINDOWS_MIN);
        let effects = self.fit(&cells);
        let of = |arm: Arm| {
            let effects = effects
                .iter()
                .map(|(instance, effect)| (*instance, *effect));
            effects
                .filter(|(instance, _)| self.fleet.instances[*instance].arm == arm)
                .collect()
        };
        [of(Arm::Old), of(Arm::New)]
    }

    /// Fits the effects of instances and of windows in turns. Windows start at the middle between the builds, so that
    /// instances without a common window have comparable effects.
    fn fit(&self, cells: &[&Cost]) -> BTreeMap<usize, f64> {
        let arms = cells
            .iter()
            .map(|cell| ((cell.window, self.arm(cell) == Arm::New), cell.log));
        let mut of_windows: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for ((window, _), mean) in means(arms) {
            of_windows.entry(window).or_default().push(mean);
        }
        let middle = |logs: Vec<f64>| logs.iter().sum::<f64>() / logs.len() as f64;
        let mut of_windows: BTreeMap<usize, f64> = of_windows
            .into_iter()
            .map(|(window, logs)| (window, middle(logs)))
            .collect();
        let mut effects: BTreeMap<usize, f64> = BTreeMap::new();
        for _ in 0..ROUNDS_MAX {
            let rests = cells
                .iter()
                .map(|cell| (cell.instance, cell.log - of_windows[&cell.window]));
            let now = means(rests);
            let moved = now.iter().map(|(instance, effect)| {
                effects
                    .get(instance)
                    .map_or(f64::INFINITY, |before| (before - effect).abs())
            });
            let is_settled = moved.fold(0.0, f64::max) < SETTLED;
            effects = now;
            if is_settled {
                break;
            }
            of_windows = means(
                cells
                    .iter()
                    .map(|cell| (cell.window, cell.log - effects[&cell.instance])),
            );
        }
        effects
    }

    /// Returns the median over instances of CPU time over work, for either build.
    fn medians(&self, taken: impl Fn(&Instance) -> bool) -> [f64; 2] {
        self.medians_of(|index| taken(&self.fleet.instances[index]))
    }

    fn medians_of(&self, taken: impl Fn(usize) -> bool) -> [f64; 2] {
        let mut sums = vec![(0.0, 0.0); self.fleet.instances.len()];
        for cell in self.fleet.cells.iter().filter(|cell| cell.work > 0.0) {
            sums[cell.instance].0 += cell.cpu_s;
            sums[cell.instance].1 += cell.work;
        }
        [Arm::Old, Arm::New].map(|arm| {
            let all = self.fleet.instances.iter().zip(&sums).enumerate();
            let of_arm = all.filter(|(index, (instance, (_, work)))| {
                instance.arm == arm && *work > 0.0 && taken(*index)
            });
            let costs: Vec<f64> = of_arm.map(|(_, (_, (cpu_s, work)))| cpu_s / work).collect();
            median(&costs)
        })
    }
}

fn means<Key: Ord>(values: impl Iterator<Item = (Key, f64)>) -> BTreeMap<Key, f64> {
    let mut sums: BTreeMap<Key, (f64, f64)> = BTreeMap::new();
    for (key, value) in values {
        let (sum, count) = sums.entry(key).or_default();
        *sum += value;
        *count += 1.0;
    }
    sums.into_iter()
        .map(|(key, (sum, count))| (key, sum / count))
        .collect()
}
