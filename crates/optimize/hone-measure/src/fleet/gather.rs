//! Turns series into the CPU time and the work of instances in each window.
//!
//! Values are sums since the agent started, so the growth in a window is the difference of two values. A sum that falls
//! was reset: its growth in that window is unknown, and the window is left out for the whole instance.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Cell, Instance};
use crate::experiment::Arm;

/// Labels of a series and their values.
pub type Labels = BTreeMap<String, String>;

/// A series as Prometheus' API gives it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Series {
    /// Labels, the name of the metric among them.
    pub metric: Labels,
    /// Values by time in seconds since 1970, as text.
    pub values: Vec<(f64, String)>,
}

/// Times for which values are requested: `windows` + 1 of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// First time, in seconds since 1970.
    pub start_s: i64,
    /// Seconds from one time to the next.
    pub window_s: i64,
    /// Number of windows.
    pub windows: usize,
}

impl Grid {
    /// Returns the last time, in seconds since 1970.
    pub fn end_s(&self) -> i64 {
        self.start_s + self.windows as i64 * self.window_s
    }
}

/// Identity of an instance: the values of the labels of `--by`.
pub type Key = Vec<String>;

/// Rule by which series belong to instances.
pub struct Grouping<'a> {
    /// Labels that identify an instance; the first label tells where the instance runs.
    pub by: &'a [String],
    /// Build ids, old and new.
    pub builds: [&'a str; 2],
    /// Windows of time.
    pub grid: Grid,
}

/// Data gathered from series.
#[derive(Default, Debug)]
pub struct Gathered {
    /// Instances of both builds.
    pub instances: Vec<Instance>,
    /// CPU time and work of the instances by window.
    pub cells: Vec<Cell>,
    /// Work by all labels that do not identify the instance, of the old and of the new build.
    pub mix: BTreeMap<String, [f64; 2]>,
    /// Number of windows of instances that were left out because a sum was reset or had no beginning.
    pub left_out: usize,
}

/// Growth of one series in one window.
enum Growth {
    /// The series is absent at the end of the window.
    Absent,
    /// The series appeared in the window.
    New(f64),
    By(f64),
    /// The sum fell.
    Anew,
}

impl Grouping<'_> {
    /// Returns the identity of the instance that a series belongs to.
    pub fn key(&self, labels: &Labels) -> Key {
        let value = |label: &String| labels.get(label).cloned().unwrap_or_default();
        self.by.iter().map(value).collect()
    }

    /// Returns the build that a series belongs to, if it is one of the two.
    pub fn arm(&self, labels: &Labels) -> Option<Arm> {
        let [old, new] = self.builds;
        let build = labels.get("build_id")?;
        // A build compared with itself has the same id twice: all series are old.
        (build == old)
            .then_some(Arm::Old)
            .or_else(|| (build == new).then_some(Arm::New))
    }

    /// Returns CPU time and work of all instances. Without series of work, each window counts as one unit of work.
    pub fn gather(&self, cpu: &[Series], work: Option<&[Series]>) -> Gathered {
        let mut gathered = Gathered::default();
        let mut done = self.by_instance(work.unwrap_or_default());
        for ((key, arm), cpu) in self.by_instance(cpu) {
            let work = work.map(|_| done.remove(&(key.clone(), arm)).unwrap_or_default());
            let instance = gathered.instances.len();
            gathered.instances.push(Instance {
                name: key.join(" "),
                host: key.first().cloned().unwrap_or_default(),
                arm: ARMS[arm],
            });
            self.gather_instance(&mut gathered, instance, &cpu, work.as_deref());
        }
        gathered
    }

    fn gather_instance(
        &self,
        gathered: &mut Gathered,
        instance: usize,
        cpu: &[&Series],
        work: Option<&[&Series]>,
    ) {
        let arm = usize::from(gathered.instances[instance].arm == Arm::New);
        let cpu: Vec<_> = cpu.iter().map(|series| self.growth(series)).collect();
        let work: Option<Vec<_>> = work.map(|work| {
            let named = work
                .iter()
                .map(|series| (self.rest(&series.metric), self.growth(series)));
            named.collect()
        });
        for window in 0..self.grid.windows {
            let of_cpu = cpu.iter().map(|growths| &growths[window]);
            let of_work = work.iter().flatten().map(|(_, growths)| &growths[window]);
            let was_there = of_cpu.clone().any(|growth| matches!(growth, Growth::By(_)));
            let is_anew = of_cpu
                .clone()
                .chain(of_work)
                .any(|growth| matches!(growth, Growth::Anew));
            let is_there = of_cpu
                .clone()
                .any(|growth| !matches!(growth, Growth::Absent));
            if !was_there || is_anew {
                gathered.left_out += usize::from(is_there);
                continue;
            }
            let mut done = 0.0;
            for (rest, growths) in work.iter().flatten() {
                let grown = grown(&growths[window]);
                done += grown;
                gathered.mix.entry(rest.clone()).or_default()[arm] += grown;
            }
            gathered.cells.push(Cell {
                instance,
                window,
                cpu_s: of_cpu.map(grown).sum(),
                work: if work.is_some() { done } else { 1.0 },
            });
        }
    }

    fn by_instance<'s>(&self, series: &'s [Series]) -> BTreeMap<(Key, usize), Vec<&'s Series>> {
        let mut by_instance: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for series in series {
            if let Some(arm) = self.arm(&series.metric) {
                let key = (self.key(&series.metric), usize::from(arm == Arm::New));
                by_instance.entry(key).or_default().push(series);
            }
        }
        by_instance
    }

    /// Returns the labels that identify neither the instance nor the build, as text.
    fn rest(&self, labels: &Labels) -> String {
        let known = |label: &str| self.by.iter().any(|by| by == label);
        let rest = labels.iter().filter(|(label, _)| {
            !known(label) && !["__name__", "build_id", "service", "host"].contains(&label.as_str())
        });
        let rest: Vec<String> = rest
            .map(|(label, value)| format!("{label}={value}"))
            .collect();
        rest.join(" ")
    }

    fn growth(&self, series: &Series) -> Vec<Growth> {
        let mut values = vec![None; self.grid.windows + 1];
        for (time_s, value) in &series.values {
            let at = (time_s - self.grid.start_s as f64) / self.grid.window_s as f64;
            let value = value.parse::<f64>().ok().filter(|value| value.is_finite());
            if let Some(place) = values.get_mut(at.round() as usize) {
                *place = value;
            }
        }
        let growth = values.windows(2).map(|pair| match (pair[0], pair[1]) {
            (_, None) => Growth::Absent,
            (None, Some(now)) => Growth::New(now),
            (Some(then), Some(now)) if now < then => Growth::Anew,
            (Some(then), Some(now)) => Growth::By(now - then),
        });
        growth.collect()
    }

    /// Returns the sums over whole services, old and new, only of services that ran a single one of the two builds.
    pub fn of_services(&self, series: &[Series], instances: &[Instance]) -> [f64; 2] {
        let mut arms: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for instance in instances {
            let arm = usize::from(instance.arm == Arm::New);
            arms.entry(&instance.name).or_default().insert(arm);
        }
        let mut sums = [0.0; 2];
        for series in series {
            let arms = arms.get(self.key(&series.metric).join(" ").as_str());
            if let Some(arm) = arms
                .filter(|arms| arms.len() == 1)
                .and_then(BTreeSet::first)
            {
                sums[*arm] += self.growth(series).iter().map(grown).sum::<f64>();
            }
        }
        sums
    }
}

const ARMS: [Arm; 2] = [Arm::Old, Arm::New];

/// Returns the growth; a series that appeared began at zero.
fn grown(growth: &Growth) -> f64 {
    match growth {
        Growth::By(grown) | Growth::New(grown) => *grown,
        Growth::Absent | Growth::Anew => 0.0,
    }
}

/// Returns how much the work of two builds differs in kind: the share that would have to be of another kind, 0 to 1,
/// and the kind that differs most, with its share in each build.
pub fn difference_in_kind(mix: &BTreeMap<String, [f64; 2]>) -> Option<(f64, &str, [f64; 2])> {
    let sum = |arm: usize| mix.values().map(|work| work[arm]).sum::<f64>();
    let sums = [sum(0), sum(1)];
    if sums.iter().any(|sum| *sum <= 0.0) {
        return None;
    }
    let shares = mix
        .iter()
        .map(|(kind, work)| (kind, [work[0] / sums[0], work[1] / sums[1]]));
    let apart = |shares: &[f64; 2]| (shares[0] - shares[1]).abs();
    let total = shares
        .clone()
        .map(|(_, shares)| apart(&shares))
        .sum::<f64>()
        / 2.0;
    let (kind, shares) = shares.max_by(|(_, a), (_, b)| apart(a).total_cmp(&apart(b)))?;
    Some((total, kind, shares))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(labels: &[(&str, &str)], values: &[Option<f64>]) -> Series {
        let values = values.iter().enumerate().filter_map(|(at, value)| {
            Some((1000.0 + 10.0 * at as f64, value.as_ref()?.to_string()))
        });
        let labels = labels
            .iter()
            .map(|(label, value)| ((*label).to_owned(), (*value).to_owned()));
        Series {
            metric: labels.collect(),
            values: values.collect(),
        }
    }

    const BY: [&str; 2] = ["host", "service"];

    fn grouping(by: &[String]) -> Grouping<'_> {
        Grouping {
            by,
            builds: ["aa", "bb"],
            grid: Grid {
                start_s: 1000,
                window_s: 10,
                windows: 3,
            },
        }
    }

    fn cells(cpu: &[Series], work: Option<&[Series]>) -> (Vec<(usize, usize, f64, f64)>, Gathered) {
        let by = BY.map(str::to_owned);
        let gathered = grouping(&by).gather(cpu, work);
        let cells = gathered.cells.iter();
        let cells = cells.map(|cell| (cell.instance, cell.window, cell.cpu_s, cell.work));
        (cells.collect(), gathered)
    }

    const OLD: [(&str, &str); 3] = [("host", "h"), ("service", "s"), ("build_id", "aa")];
    const NEW: [(&str, &str); 3] = [("host", "h"), ("service", "s"), ("build_id", "bb")];

    #[test]
    fn sums_become_shares_of_windows_by_instance() {
        let rising = [Some(1.0), Some(2.0), Some(4.0), Some(7.0)];
        let user = series(&[&OLD[..], &[("mode", "user")]].concat(), &rising);
        let system = series(&[&OLD[..], &[("mode", "system")]].concat(), &rising);
        let new = series(&NEW, &[Some(0.0), Some(5.0), Some(5.0), None]);
        let other = series(&[("host", "h"), ("build_id", "cc")], &rising);
        let (cells, gathered) = cells(&[user, system, new, other], None);
        let expected = [
            (0, 0, 2.0, 1.0),
            (0, 1, 4.0, 1.0),
            (0, 2, 6.0, 1.0),
            (1, 0, 5.0, 1.0),
            (1, 1, 0.0, 1.0),
        ];
        assert_eq!(cells, expected);
        let arms: Vec<_> = gathered
            .instances
            .iter()
            .map(|one| (one.name.as_str(), one.arm))
            .collect();
        assert_eq!(arms, [("h s", Arm::Old), ("h s", Arm::New)]);
        assert_eq!(gathered.instances[0].host, "h");
    }

    #[test]
    fn a_window_in_which_any_sum_began_anew_is_left_out() {
        let cpu = series(&OLD, &[Some(1.0), Some(2.0), Some(0.5), Some(1.5)]);
        let work = series(&OLD, &[Some(10.0), Some(20.0), Some(90.0), Some(95.0)]);
        let (found, gathered) = cells(&[cpu], Some(&[work]));
        assert_eq!(found, [(0, 0, 1.0, 10.0), (0, 2, 1.0, 5.0)]);
        assert_eq!(gathered.left_out, 1);
        // The other way round, and an instance that was not there at the beginning.
        let cpu = series(&OLD, &[None, Some(2.0), Some(3.0), Some(4.0)]);
        let work = series(&OLD, &[None, Some(20.0), Some(30.0), Some(5.0)]);
        let (found, gathered) = cells(&[cpu], Some(&[work]));
        assert_eq!(found, [(0, 1, 1.0, 10.0)]);
        assert_eq!(gathered.left_out, 2);
    }

    #[test]
    fn work_of_a_kind_that_comes_up_later_counts_from_nothing() {
        let rising = [Some(0.0), Some(1.0), Some(2.0), Some(3.0)];
        let of = |labels: &[(&str, &str)], path: &str, values: &[Option<f64>]| {
            series(&[labels, &[("path", path)]].concat(), values)
        };
        let work = [
            of(&OLD, "/a", &[Some(0.0), Some(10.0), Some(20.0), Some(30.0)]),
            of(&OLD, "/b", &[None, Some(5.0), Some(5.0), None]),
            of(&NEW, "/a", &[Some(0.0), Some(10.0), Some(10.0), Some(10.0)]),
        ];
        let (found, gathered) = cells(&[series(&OLD, &rising), series(&NEW, &rising)], Some(&work));
        assert_eq!(
            found[..3],
            [(0, 0, 1.0, 15.0), (0, 1, 1.0, 10.0), (0, 2, 1.0, 10.0)]
        );
        let (apart, kind, shares) = difference_in_kind(&gathered.mix).unwrap();
        assert!((apart - 5.0 / 35.0).abs() < 1e-12, "{apart}");
        assert!(["path=/a", "path=/b"].contains(&kind) && (shares[0] - shares[1]).abs() > 0.1);
    }

    #[test]
    fn what_is_counted_of_services_is_that_of_a_build_where_there_is_one_only() {
        let by = BY.map(str::to_owned);
        let grouping = grouping(&by);
        let instance = |service: &str, arm| Instance {
            name: format!("h {service}"),
            host: "h".into(),
            arm,
        };
        let instances = [
            instance("old", Arm::Old),
            instance("new", Arm::New),
            instance("both", Arm::Old),
            instance("both", Arm::New),
        ];
        let of = |service: &str, values: &[Option<f64>]| {
            series(&[("host", "h"), ("service", service)], values)
        };
        let series = [
            of("old", &[Some(1.0), Some(2.5), Some(0.5), Some(0.5)]),
            of("new", &[None, Some(3.0), Some(4.0), None]),
            of("both", &[Some(0.0), Some(100.0), Some(200.0), None]),
            of("other", &[Some(0.0), Some(100.0), Some(200.0), None]),
        ];
        assert_eq!(grouping.of_services(&series, &instances), [1.5, 4.0]);
    }
}
