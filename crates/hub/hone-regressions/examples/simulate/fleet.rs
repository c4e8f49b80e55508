//! A simulated service: hosts of three classes, some of them noisy; functions in a tree of calls, with patterns over the day and
//! the week, and days that differ on all hosts alike; builds that come every other day on a fifth of the hosts, and a day later on all;
//! loads that come and go within hours; code that is moved between functions.

use std::f64::consts::TAU;

use hone_regressions::{Call, Cell, Row, Step};

use crate::noise::Noise;

pub(crate) const STEP_S: u64 = 6 * 3_600;
const STEPS_OF_DAY: u64 = 86_400 / STEP_S;
const FUNCTIONS: usize = 300;
const CLASSES: usize = 3;
/// Cores of a host in use on average, samples per second of a core, and nanoseconds of a sample.
const CORES: f64 = 4.0;
const RATE: f64 = 19.0;
const SAMPLE_NS: u64 = 52_631_579;
/// Steps between builds, and steps for which a build is on a fifth of the hosts.
const BUILD_STEPS: u64 = 2 * STEPS_OF_DAY;
const CANARY_STEPS: u64 = STEPS_OF_DAY;
/// Chances of a step: load that comes and goes, and code that moves with a build.
const SPIKE: f64 = 0.05;
const MOVE: f64 = 0.3;
/// A Sunday, midnight UTC.
const BEGIN_S: u64 = 1_700_352_000;

/// Way in which a regression comes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function of a new build does more itself.
    Build,
    /// A function does more on all hosts from one moment on, without a build.
    AllAtOnce,
    /// A new build calls a function more often, with all that it calls.
    MoreCalls,
}

impl Kind {
    const ALL: [(&str, Self); 3] = [
        ("build", Self::Build),
        ("all_at_once", Self::AllAtOnce),
        ("more_calls", Self::MoreCalls),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, kind)| kind)
    }

    pub(crate) fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

/// What was planted.
pub(crate) struct Planted {
    pub(crate) function: String,
    /// Functions above and below it, which change as well.
    pub(crate) near: Vec<String>,
}

struct Function {
    caller: usize,
    /// Own cost, as a share of all.
    cost: f64,
    /// Height and phase of the pattern of the day, and what a weekend does.
    day: (f64, f64),
    weekend: f64,
    /// Scatter of days, on all hosts alike, and where it is today.
    scatter: f64,
    today: f64,
    of_class: [f64; CLASSES],
}

struct Host {
    class: usize,
    load: f64,
    scatter: f64,
    of_function: Vec<f64>,
    build: usize,
}

pub(crate) struct Fleet {
    noise: Noise,
    functions: Vec<Function>,
    hosts: Vec<Host>,
    /// Cost of each function by build, as a factor; and what is added, as a share of all.
    builds: Vec<Vec<(f64, f64)>>,
    /// Build of the canary hosts, and steps until all hosts have it.
    coming: Option<(usize, u64)>,
    /// Added on all hosts, whatever the build.
    added: Vec<f64>,
    step: u64,
    notes: Vec<(usize, String)>,
}

impl Fleet {
    pub(crate) fn new(seed: u64, hosts: usize) -> Self {
        let mut noise = Noise::new(seed);
        let weights: Vec<f64> = (1..=FUNCTIONS)
            .map(|rank| (rank as f64 + 3.0).powf(-1.1) * noise.factor(0.3))
            .collect();
        let whole: f64 = weights.iter().sum();
        let functions = weights.iter().enumerate().map(|(number, weight)| {
            let wild = noise.even();
            Function {
                caller: if number == 0 {
                    0
                } else {
                    noise.below(number.min(60))
                },
                cost: weight / whole,
                day: (
                    if wild < 0.2 { 0.3 } else { 0.03 } * noise.even(),
                    TAU * noise.even(),
                ),
                weekend: if noise.even() < 0.1 {
                    1.0 + 0.4 * (noise.even() - 0.5)
                } else {
                    1.0
                },
                scatter: if wild > 0.9 { 0.06 } else { 0.01 },
                today: 0.0,
                of_class: std::array::from_fn(|_| noise.factor(0.15)),
            }
        });
        let functions: Vec<Function> = functions.collect();
        let hosts = (0..hosts).map(|_| Host {
            class: noise.below(CLASSES),
            load: noise.factor(0.4),
            scatter: if noise.even() < 0.1 { 0.2 } else { 0.03 },
            of_function: (0..FUNCTIONS).map(|_| noise.factor(0.05)).collect(),
            build: 0,
        });
        Self {
            hosts: hosts.collect(),
            builds: vec![vec![(1.0, 0.0); FUNCTIONS]],
            coming: None,
            added: vec![0.0; FUNCTIONS],
            step: 0,
            notes: Vec::new(),
            functions,
            noise,
        }
    }

    /// Says what was done to a function, for whoever asks why it was told.
    pub(crate) fn what_is(&self, name: &str) -> Vec<String> {
        let is_it = |number: &usize| name_of(*number) == name;
        let notes = self.notes.iter().filter(|(number, _)| is_it(number));
        notes.map(|(_, note)| note.clone()).collect()
    }

    /// Makes a function cost so much more, as a share of all, from the next step on.
    pub(crate) fn plant(&mut self, kind: Kind, size: f64) -> Planted {
        let function = 1 + self.noise.below(100);
        let below = self.below(function);
        match kind {
            Kind::AllAtOnce => self.added[function] += size,
            Kind::Build | Kind::MoreCalls => {
                self.finish_coming();
                self.new_build();
                let build = self.builds.len() - 1;
                let parts: Vec<usize> = match kind {
                    Kind::MoreCalls => below.iter().copied().chain([function]).collect(),
                    _ => vec![function],
                };
                let whole: f64 = parts.iter().map(|part| self.functions[*part].cost).sum();
                for part in parts {
                    self.builds[build][part].1 += size * self.functions[part].cost / whole;
                }
            }
        }
        let mut near: Vec<usize> = below;
        let mut above = function;
        while above != 0 {
            above = self.functions[above].caller;
            near.push(above);
        }
        Planted {
            function: name_of(function),
            near: near.into_iter().map(name_of).collect(),
        }
    }

    fn below(&self, function: usize) -> Vec<usize> {
        let is_below = |number: &usize| {
            let mut at = *number;
            while at > function {
                at = self.functions[at].caller;
            }
            at == function && *number != function
        };
        (0..FUNCTIONS).filter(is_below).collect()
    }

    fn finish_coming(&mut self) {
        if let Some((build, _)) = self.coming.take() {
            self.hosts.iter_mut().for_each(|host| host.build = build);
        }
    }

    /// A build in which all functions differ a little, as every build's do, and sometimes code has moved.
    fn new_build(&mut self) {
        let mut build = self.builds[self.builds.len() - 1].clone();
        build
            .iter_mut()
            .for_each(|(factor, _)| *factor *= self.noise.factor(0.003));
        if self.noise.even() < MOVE {
            let from = 1 + self.noise.below(150);
            let to = match self.noise.even() < 0.5 {
                true => self.functions[from].caller,
                false => self.sibling(from),
            };
            let moved = build[from].0 * self.functions[from].cost * (0.2 + 0.7 * self.noise.even());
            build[from].1 -= moved;
            build[to].1 += moved;
            self.notes.push((
                to,
                format!(
                    "step {}: {moved:.5} moved here from {}",
                    self.step,
                    name_of(from)
                ),
            ));
        }
        let number = self.builds.len();
        self.builds.push(build);
        for host in &mut self.hosts {
            if self.noise.even() < 0.2 {
                host.build = number;
            }
        }
        self.coming = Some((number, CANARY_STEPS));
    }

    fn sibling(&mut self, function: usize) -> usize {
        let caller = self.functions[function].caller;
        let siblings = 1..FUNCTIONS;
        let siblings: Vec<usize> = siblings
            .filter(|other| self.functions[*other].caller == caller)
            .collect();
        siblings[self.noise.below(siblings.len())]
    }

    /// Goes on by a step, and returns what was sampled in it.
    pub(crate) fn step(&mut self) -> Step {
        self.come_builds();
        let spike = (self.noise.even() < SPIKE).then(|| {
            let function = 1 + self.noise.below(FUNCTIONS - 1);
            self.notes
                .push((function, format!("step {}: a spike", self.step)));
            (function, 1.2 + self.noise.even())
        });
        for function in &mut self.functions {
            // Days differ, and the next day is like the one before in part.
            if self.step.is_multiple_of(STEPS_OF_DAY) {
                function.today = 0.5 * function.today + function.scatter * self.noise.normal();
            }
        }
        let time = self.step as f64 / STEPS_OF_DAY as f64;
        let is_weekend = (self.step / STEPS_OF_DAY) % 7 < 1 || (self.step / STEPS_OF_DAY) % 7 == 6;
        let common: Vec<f64> = self
            .functions
            .iter()
            .enumerate()
            .map(|(number, function)| {
                let day = 1.0 + function.day.0 * (TAU * time + function.day.1).sin();
                let week = if is_weekend { function.weekend } else { 1.0 };
                let spike = spike
                    .filter(|(of, _)| *of == number)
                    .map_or(1.0, |(_, height)| height);
                function.cost * day * week * spike * function.today.exp()
            })
            .collect();
        let load = (1.0 + 0.5 * (TAU * time).sin()) * if is_weekend { 0.7 } else { 1.0 };
        let mut step = Step::new(BEGIN_S + self.step * STEP_S);
        step.functions = (0..FUNCTIONS).map(name_of).collect();
        let mut inclusive = vec![0_u64; FUNCTIONS];
        for number in 0..self.hosts.len() {
            let cell = self.cell(number, &common, load);
            cell.rows
                .iter()
                .for_each(|row| inclusive[row.0 as usize] += row.2);
            step.cells.push(cell);
        }
        let calls = (1..FUNCTIONS).map(|number| {
            Call(
                self.functions[number].caller as u32,
                number as u32,
                inclusive[number],
            )
        });
        step.calls = calls.collect();
        self.step += 1;
        step
    }

    fn come_builds(&mut self) {
        match &mut self.coming {
            Some((_, 0)) => self.finish_coming(),
            Some((_, left)) => *left -= 1,
            None if self.step > 0 && self.step.is_multiple_of(BUILD_STEPS) => self.new_build(),
            None => {}
        }
    }

    fn cell(&mut self, number: usize, common: &[f64], load: f64) -> Cell {
        let host = &self.hosts[number];
        let build = &self.builds[host.build];
        let all = host.load * load * CORES * RATE * STEP_S as f64;
        let mut own = Vec::with_capacity(FUNCTIONS);
        for (at, function) in self.functions.iter().enumerate() {
            let (factor, added) = build[at];
            let added = (added + self.added[at]) * common[at] / function.cost;
            let usual = common[at] * factor + added;
            let here = function.of_class[host.class]
                * host.of_function[at]
                * self.noise.factor(host.scatter);
            own.push(self.noise.count(all * (usual * here).max(0.0)));
        }
        let mut inclusive = own.clone();
        // Callers have smaller numbers.
        for at in (1..FUNCTIONS).rev() {
            inclusive[self.functions[at].caller] += inclusive[at];
        }
        let rows = own.iter().zip(&inclusive).zip(0..);
        Cell {
            host: format!("host-{number}"),
            build: format!("{:02x}", self.hosts[number].build + 16),
            weight: own.iter().sum::<u64>() * SAMPLE_NS,
            samples: own.iter().sum(),
            rows: rows
                .map(|((own, inclusive), at)| Row(at, own * SAMPLE_NS, inclusive * SAMPLE_NS))
                .collect(),
        }
    }
}

fn name_of(number: usize) -> String {
    format!("function_{number}")
}
