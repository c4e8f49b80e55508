//! A machine that is simulated: runs with noise of several kinds.

use hone_measure::{Arm, Observation, RunRequest, Runner};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Noise {
    /// 1 % scatter from run to run.
    Normal,
    /// Skewed: mostly small, sometimes several times as large.
    Lognormal,
    /// One run in twenty costs up to half as much again.
    Contaminated,
    /// So does one in seven.
    Rough,
    /// Student's t with 3 degrees of freedom.
    Student3,
}

pub(crate) struct Simulated {
    rng: ChaCha8Rng,
    noise: Noise,
    log_gain: f64,
    /// Cost that creeps up over the whole experiment, per run.
    pub(crate) drift: f64,
    /// What luck with its layout costs each arm, by layout.
    pub(crate) luck: Vec<[f64; 2]>,
    runs: u32,
}

impl Simulated {
    /// A steady machine, where the new arm is `gain` times as good.
    pub(crate) fn new(seed: u64, noise: Noise, gain: f64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x5eed),
            noise,
            log_gain: gain.ln(),
            drift: 0.0,
            luck: Vec::new(),
            runs: 0,
        }
    }

    /// Gives both arms luck of this scatter with every layout; if skewed, one build in seven is much worse.
    pub(crate) fn with_luck(mut self, layouts: usize, scatter: f64, skewed: bool) -> Self {
        self.luck = (0..layouts)
            .map(|_| {
                [0, 1].map(|_| {
                    let bad = skewed && self.rng.random::<f64>() < 1.0 / 7.0;
                    scatter * (self.normal() + if bad { 4.0 } else { 0.0 })
                })
            })
            .collect();
        self
    }

    fn normal(&mut self) -> f64 {
        let u = 1.0 - self.rng.random::<f64>();
        let v: f64 = self.rng.random();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn noise(&mut self) -> f64 {
        let base = 0.01 * self.normal();
        let disturbed_one_in = match self.noise {
            Noise::Normal => return base,
            Noise::Lognormal => return 0.01 * (80.0 * base).exp(),
            Noise::Contaminated => 20.0,
            Noise::Rough => 7.0,
            Noise::Student3 => {
                let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
                return base / (squares / 3.0).sqrt();
            }
        };
        let disturbed = self.rng.random::<f64>() < 1.0 / disturbed_one_in;
        base + if disturbed {
            0.2 * self.normal().abs()
        } else {
            0.0
        }
    }
}

impl Runner for Simulated {
    type Error = std::convert::Infallible;

    fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error> {
        self.runs += 1;
        let scale = (request.workload + 1) as f64;
        let gain = if request.arm == Arm::New {
            self.log_gain
        } else {
            0.0
        };
        let luck = self
            .luck
            .get(request.layout)
            .map_or(0.0, |luck| luck[usize::from(request.arm == Arm::New)]);
        let cost = scale * (self.noise() + luck - gain + self.drift * f64::from(self.runs)).exp();
        Ok(Observation {
            user_s: cost * 0.9,
            system_s: cost * 0.1,
            wall_s: cost,
            peak_rss_bytes: 1_000_000,
            work: None,
            stolen_s: 0.0,
            service: None,
        })
    }
}
