//! Simulated fleets: how often equal builds are called different, and how often the interval holds the true gain.
//! Seeds are fixed, so a failure is a change of the method and not bad luck.

use hone_measure::fleet::{
    Cell, Fleet, FleetComparison, FleetError, Instance, SelfCheck, Unit, compare,
};
use hone_measure::{Arm, Metric, Verdict};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::is_long;

/// Fleets per case.
const FLEETS: usize = 200;

/// Of 200 at a true level of 5 %, 21 or more fail with probability 0.001.
const FAILURES_MAX: usize = 20;

/// A fleet that is simulated.
#[derive(Clone, Copy)]
struct Simulated {
    /// Instances of the old and of the new build.
    instances: [usize; 2],
    /// Whether the n-th instances of either share a host.
    shares_hosts: bool,
    /// One host in so many costs a third more; 0 for none.
    bad_one_in: usize,
    /// One cell in so many is missing; 0 for none.
    missing_one_in: usize,
    gain: f64,
}

const FAIR: Simulated = Simulated {
    instances: [8, 8],
    shares_hosts: false,
    bad_one_in: 0,
    missing_one_in: 10,
    gain: 1.0,
};

const WINDOWS: usize = 24;

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let u = 1.0 - rng.random::<f64>();
    let v: f64 = rng.random();
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

impl Simulated {
    /// Hosts differ by 5 %, windows by 30 % and in what a request costs, a cell by 5 %; the new build's instances do half
    /// the work.
    fn fleet(self, seed: u64) -> Fleet {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xf1ee7);
        let hosts = self.instances[0] + self.instances[1];
        let of_host: Vec<f64> = (0..hosts)
            .map(|_| {
                let is_bad = self.bad_one_in > 0 && rng.random_range(0..self.bad_one_in) == 0;
                0.05 * normal(&mut rng) + if is_bad { 0.3 } else { 0.0 }
            })
            .collect();
        let of_window: Vec<f64> = (0..WINDOWS).map(|_| 0.3 * normal(&mut rng)).collect();
        let mut instances = Vec::new();
        let mut cells = Vec::new();
        for (arm, count) in [Arm::Old, Arm::New].into_iter().zip(self.instances) {
            for number in 0..count {
                let host = match arm {
                    Arm::New if !self.shares_hosts => self.instances[0] + number,
                    _ => number,
                };
                let own = 0.02 * normal(&mut rng);
                let gain = if arm == Arm::New { self.gain.ln() } else { 0.0 };
                for (window, of_window) in of_window.iter().enumerate() {
                    let noise = 0.05 * normal(&mut rng);
                    if self.missing_one_in > 0 && rng.random_range(0..self.missing_one_in) == 0 {
                        continue;
                    }
                    let work = 1000.0 * (1.0 + rng.random::<f64>())
                        / if arm == Arm::New { 2.0 } else { 1.0 };
                    let log = of_host[host] + own + of_window + noise - gain;
                    cells.push(Cell {
                        instance: instances.len(),
                        window,
                        cpu_s: 0.001 * work * log.exp(),
                        work,
                    });
                }
                instances.push(Instance {
                    name: format!("{arm:?} {number}"),
                    host: host.to_string(),
                    arm,
                });
            }
        }
        Fleet {
            metric: Metric::CpuPerWork,
            confidence: 0.95,
            seed,
            instances,
            cells,
        }
    }

    /// How many of the fleets were called faster, slower, and how many intervals missed the truth.
    fn tally(self, unit: Unit) -> [usize; 3] {
        self.tally_of(FLEETS, unit)
    }

    fn tally_of(self, fleets: usize, unit: Unit) -> [usize; 3] {
        let mut tally = [0; 3];
        for seed in 0..fleets as u64 {
            let found = compare(&self.fleet(seed)).unwrap();
            assert_eq!(found.unit, unit);
            let of = |verdict| usize::from(found.verdict == verdict);
            tally[0] += of(Verdict::Faster);
            tally[1] += of(Verdict::Slower);
            tally[2] += usize::from(found.gain.low > self.gain || found.gain.high < self.gain);
        }
        tally
    }
}

#[test]
fn equal_builds_are_seldom_called_different() {
    for (instances, bad_one_in) in [([3, 3], 0), ([8, 8], 0), ([20, 5], 0), ([12, 12], 8)] {
        let fleet = Simulated {
            instances,
            bad_one_in,
            ..FAIR
        };
        let [faster, slower, missed] = fleet.tally(Unit::Instance);
        assert!(
            faster + slower <= FAILURES_MAX,
            "{instances:?}: {faster} and {slower}"
        );
        assert_eq!(faster + slower, missed);
        // At 5 % the expectation is 10; 1 or fewer happen with probability 0.0004.
        assert!(bad_one_in > 0 || missed >= 2, "{instances:?}: {missed}");
    }
}

#[test]
fn equal_builds_on_the_same_hosts_are_seldom_called_different() {
    for (hosts, bad_one_in) in [(4, 0), (8, 4), (20, 8)] {
        let fleet = Simulated {
            instances: [hosts; 2],
            shares_hosts: true,
            bad_one_in,
            ..FAIR
        };
        let [faster, slower, _] = fleet.tally(Unit::Host);
        assert!(
            faster + slower <= FAILURES_MAX,
            "{hosts}: {faster} and {slower}"
        );
    }
}

#[test]
fn the_interval_holds_the_true_gain() {
    for (shares_hosts, unit) in [(false, Unit::Instance), (true, Unit::Host)] {
        let fleet = Simulated {
            shares_hosts,
            gain: 1.3,
            ..FAIR
        };
        let [faster, slower, missed] = fleet.tally(unit);
        assert!(missed <= FAILURES_MAX, "{unit:?}: {missed}");
        assert_eq!((faster, slower), (FLEETS, 0), "{unit:?}");
    }
}

/// The same host makes 4 % visible more often than other hosts do.
#[test]
fn hosts_that_run_both_builds_prove_more_than_hosts_that_run_one() {
    let proven = |shares_hosts, unit| {
        let fleet = Simulated {
            shares_hosts,
            gain: 1.04,
            ..FAIR
        };
        fleet.tally(unit)[0]
    };
    let (own, shared) = (proven(false, Unit::Instance), proven(true, Unit::Host));
    assert!(
        shared > FLEETS / 2 && own < FLEETS / 3,
        "{own} and {shared}"
    );
}

/// What varies with time is in no interval, even where instances come and go.
#[test]
fn instances_that_were_not_there_all_the_time_are_compared_within_their_windows() {
    let mut fleet = Simulated {
        gain: 1.3,
        missing_one_in: 0,
        ..FAIR
    }
    .fleet(1);
    // Ever later windows are ever dearer; half of the old instances are gone in the second half of the time, half of the
    // new ones come only then.
    for cell in &mut fleet.cells {
        cell.cpu_s *= 1.0 + cell.window as f64;
    }
    fleet
        .cells
        .retain(|cell| match (cell.instance, cell.window < WINDOWS / 2) {
            (0..4, false) | (8..12, true) => false,
            (0..16, _) => true,
            _ => unreachable!(),
        });
    let found = compare(&fleet).unwrap();
    assert!((found.gain.ratio - 1.3).abs() < 0.1, "{:?}", found.gain);
    assert_eq!(found.verdict, Verdict::Faster);
}

#[test]
fn the_old_build_against_itself_differs_at_the_stated_rate() {
    let (mut tried, mut called) = (0, 0);
    for seed in 0..FLEETS as u64 {
        let found = compare(&FAIR.fleet(seed)).unwrap();
        let Some(SelfCheck {
            splits,
            different,
            spread_ratio,
        }) = found.self_check
        else {
            panic!("{found:?}");
        };
        assert!(spread_ratio > 1.0 && spread_ratio < 1.3, "{spread_ratio}");
        tried += splits;
        called += different;
    }
    // Of one fleet the ways to split are much the same, of many they are not: the rate is that of the level.
    let share = called as f64 / tried as f64;
    assert!((0.02..=0.07).contains(&share), "{share}");
}

#[test]
fn what_is_too_little_is_refused_with_what_there_is() {
    let of = |instances| {
        let fleet = Simulated { instances, ..FAIR };
        compare(&fleet.fleet(1))
    };
    let too_few = FleetError::TooFewInstances {
        old: 5,
        new: 2,
        hosts: 0,
    };
    assert_eq!(of([5, 2]), Err(too_few));
    assert_eq!(of([5, 0]), Err(FleetError::NothingOf { arm: "new" }));
    let mut fleet = FAIR.fleet(1);
    fleet.cells.retain(|cell| cell.window < 3);
    assert_eq!(
        compare(&fleet),
        Err(FleetError::TooFewWindows { windows: 3 })
    );
    // Never at the same time.
    let mut fleet = FAIR.fleet(1);
    fleet
        .cells
        .retain(|cell| (cell.instance < 8) == (cell.window < 12));
    assert_eq!(
        compare(&fleet),
        Err(FleetError::TooFewWindows { windows: 0 })
    );
    let mut fleet = FAIR.fleet(1);
    fleet.confidence = 1.0;
    assert!(matches!(
        compare(&fleet),
        Err(FleetError::Confidence { .. })
    ));
}

#[test]
fn cells_without_cpu_time_or_work_and_no_scatter_at_all_break_nothing() {
    let mut fleet = FAIR.fleet(1);
    for cell in &mut fleet.cells {
        let is_new = cell.instance >= 8;
        (cell.cpu_s, cell.work) = match cell.window {
            0 => (0.0, 0.0),
            1 => (f64::NAN, 1.0),
            _ => (if is_new { 1.0 } else { 2.0 }, 1.0),
        };
    }
    let found: FleetComparison = compare(&fleet).unwrap();
    assert!((found.gain.low - 2.0).abs() < 1e-9 && (found.gain.high - 2.0).abs() < 1e-9);
    assert_eq!(found.windows, WINDOWS - 2);
}

/// `HONE_LONG=1 cargo test --release -p hone-measure --test measure -- many_fleets --nocapture` prints the table of the guide.
#[test]
fn the_level_and_the_power_of_many_fleets() {
    if !is_long() {
        return;
    }
    const MANY: usize = 4_000;
    println!(
        "hosts or instances of either build: equals called different, a gain of 5 % found (both in %)"
    );
    for (shares_hosts, unit) in [(false, Unit::Instance), (true, Unit::Host)] {
        for bad_one_in in [0, 8] {
            for count in [3, 4, 6, 8, 16, 32] {
                if shares_hosts && count < 4 {
                    continue;
                }
                let equal = Simulated {
                    instances: [count; 2],
                    shares_hosts,
                    bad_one_in,
                    ..FAIR
                };
                let [faster, slower, _] = equal.tally_of(MANY, unit);
                let [found, ..] = Simulated {
                    gain: 1.05,
                    ..equal
                }
                .tally_of(MANY, unit);
                let percent = |count: usize| 100.0 * count as f64 / MANY as f64;
                let called = percent(faster + slower);
                println!(
                    "{unit:?}, one in {bad_one_in} bad, {count}: {called:.1} {:.1}",
                    percent(found)
                );
                // The standard error of 5 % is 0.35.
                assert!(called <= 6.5, "{unit:?}, {count}: {called}");
            }
        }
    }
}
