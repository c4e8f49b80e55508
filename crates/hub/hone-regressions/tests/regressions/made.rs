//! Made histories of a service: `main` calls ten functions, of which each calls three.

use hone_regressions::{Call, Cell, Row, Step};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) const STEP_S: u64 = 21_600;
pub(crate) const STEPS: u64 = 32;
pub(crate) const FUNCTIONS: u32 = 41;
/// A midnight.
const BEGIN_S: u64 = 1_699_920_000;
const SAMPLES: f64 = 400_000.0;
const SAMPLE_NS: u64 = 1_000_000;

/// Number of the caller of a function.
pub(crate) fn caller(function: u32) -> u32 {
    if function <= 10 {
        0
    } else {
        (function - 11) / 3 + 1
    }
}

pub(crate) fn name(function: u32) -> String {
    format!("f{function}")
}

/// A host in a step.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub(crate) step: u64,
    pub(crate) host: usize,
}

/// Relative scatter of functions: of hosts for ever, of hosts in each step, and of days on all hosts.
pub(crate) struct Scatter {
    pub(crate) host: f64,
    pub(crate) step: f64,
    pub(crate) day: f64,
}

pub(crate) const USUAL: Scatter = Scatter {
    host: 0.1,
    step: 0.03,
    day: 0.01,
};

/// Makes the steps of a week and a day. `cost` is the own cost of a function on a host in a step, where all cost about 1; `build` names the builds of
/// a host in a step.
pub(crate) fn steps(
    seed: u64,
    hosts: usize,
    scatter: &Scatter,
    cost: impl Fn(At, u32, &str) -> f64,
    builds: impl Fn(At) -> Vec<&'static str>,
) -> Vec<Step> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut factor = |scatter: f64| -> f64 {
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * rng.random::<f64>()).cos();
        (scatter * normal).exp()
    };
    let mut draw = |scatter: f64| -> Vec<f64> { (0..FUNCTIONS).map(|_| factor(scatter)).collect() };
    let of_hosts: Vec<Vec<f64>> = (0..hosts).map(|_| draw(scatter.host)).collect();
    let mut of_day = Vec::new();
    let mut steps = Vec::new();
    for number in 0..STEPS {
        if number.is_multiple_of(4) {
            of_day = draw(scatter.day);
        }
        let mut step = Step::new(BEGIN_S + number * STEP_S);
        step.functions = (0..FUNCTIONS).map(name).collect();
        for (host, of_host) in of_hosts.iter().enumerate() {
            let at = At { step: number, host };
            for build in builds(at) {
                let here = draw(scatter.step);
                let costs: Vec<f64> = (0..FUNCTIONS)
                    .map(|function| {
                        let index = function as usize;
                        let usual = of_host[index] * of_day[index] * here[index];
                        cost(at, function, build) * usual / f64::from(FUNCTIONS)
                    })
                    .collect();
                step.cells.push(cell(host, build, &costs));
            }
        }
        let weight = |function: u32| {
            step.cells
                .iter()
                .map(|cell| cell.rows[function as usize].2)
                .sum()
        };
        step.calls = (1..FUNCTIONS)
            .map(|function| Call(caller(function), function, weight(function)))
            .collect();
        steps.push(step);
    }
    steps
}

fn cell(host: usize, build: &str, costs: &[f64]) -> Cell {
    let own: Vec<u64> = costs.iter().map(|cost| (cost * SAMPLES) as u64).collect();
    let mut inclusive = own.clone();
    for function in (1..FUNCTIONS).rev() {
        inclusive[caller(function) as usize] += inclusive[function as usize];
    }
    let rows = (0..FUNCTIONS).map(|function| {
        let index = function as usize;
        Row(
            function,
            own[index] * SAMPLE_NS,
            inclusive[index] * SAMPLE_NS,
        )
    });
    Cell {
        host: format!("host-{host}"),
        build: build.to_owned(),
        weight: own.iter().sum::<u64>() * SAMPLE_NS,
        samples: own.iter().sum(),
        rows: rows.collect(),
    }
}
