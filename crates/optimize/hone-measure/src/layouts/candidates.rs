//! Simulation behind the interval over layouts: how often the interval holds the truth, and how wide it is.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::statistics::{Centre, Resampled, student};

const EXPERIMENTS: u64 = 2_000;

#[derive(Clone, Copy, Debug)]
enum Effect {
    None,
    Normal,
    /// Normal, and one layout in seven is worse by several percent.
    Skewed,
}

struct Chance(ChaCha8Rng);

impl Chance {
    fn normal(&mut self) -> f64 {
        let u = 1.0 - self.0.random::<f64>();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * self.0.random::<f64>()).cos()
    }

    fn one_in(&mut self, many: f64) -> bool {
        self.0.random::<f64>() * many < 1.0
    }

    fn layout(&mut self, effect: Effect) -> f64 {
        match effect {
            Effect::None => 0.0,
            Effect::Normal => 0.01 * self.normal(),
            Effect::Skewed => {
                // Either build may have drawn the bad layout.
                let build = |chance: &mut Self| {
                    0.005 * chance.normal() + if chance.one_in(7.0) { 0.04 } else { 0.0 }
                };
                build(self) - build(self)
            }
        }
    }

    /// Returns a block with 1 % of scatter; one block in ten is disturbed.
    fn block(&mut self) -> f64 {
        let disturbed = if self.one_in(10.0) {
            0.1 * self.normal()
        } else {
            0.0
        };
        0.01 * self.normal() + disturbed
    }
}

/// Returns the name of each method, the distance of its location from 0, and its half width.
fn methods(values: &[Vec<f64>], seed: u64) -> Vec<(&'static str, f64, f64)> {
    let layouts = values.len();
    let blocks = values[0].len();
    let t = student(0.975, layouts as f64 - 1.0);
    let mut out = Vec::new();
    for (name, trim) in [("means", 0), ("middle halves", blocks / 4)] {
        let units: Vec<f64> = values
            .iter()
            .map(|own| Centre::of(std::slice::from_ref(own), trim).location)
            .collect();
        let centre = Centre::of(std::slice::from_ref(&units), 0);
        let (at, error) = (centre.location.abs(), centre.standard_error);
        let student = if trim == 0 {
            "Student, means"
        } else {
            "Student, middle halves"
        };
        out.push((student, at, t * error));
        let boot = if trim == 0 {
            "bootstrap-t, means"
        } else {
            "bootstrap-t, middle halves"
        };
        let resampled = Resampled::of(std::slice::from_ref(&units), &[], seed);
        out.push((boot, resampled.location.abs(), resampled.half_width(0.95)));
        if name == "means" {
            out.push(("percentile of layouts", at, percentile(&units, seed)));
        }
    }
    let all: Vec<f64> = values.concat();
    let naive = Resampled::of(&[all], &[], seed);
    out.push((
        "blocks, layout ignored",
        naive.location.abs(),
        naive.half_width(0.95),
    ));
    out
}

/// Returns half of the span between the 2.5 % and 97.5 % quantiles of resampled means.
fn percentile(units: &[f64], seed: u64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut means: Vec<f64> = (0..999)
        .map(|_| {
            let drawn = (0..units.len()).map(|_| units[rng.random_range(0..units.len())]);
            drawn.sum::<f64>() / units.len() as f64
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    (means[974] - means[24]) / 2.0
}

/// `HONE_LONG=1 cargo test --release -p hone-measure --lib layouts::candidates -- --nocapture`
#[test]
fn intervals_over_layouts() {
    if !testkit::is_long() {
        return;
    }
    println!("truth missed in %, mean half width in % of CPU");
    for (layouts, blocks) in [(5, 4), (5, 12), (7, 6), (10, 4)] {
        for effect in [Effect::None, Effect::Normal, Effect::Skewed] {
            let mut tallies: Vec<(&'static str, usize, f64)> = Vec::new();
            for seed in 0..EXPERIMENTS {
                let mut chance = Chance(ChaCha8Rng::seed_from_u64(seed ^ 0x5eed));
                let values: Vec<Vec<f64>> = (0..layouts)
                    .map(|_| {
                        let own = chance.layout(effect);
                        (0..blocks).map(|_| own + chance.block()).collect()
                    })
                    .collect();
                for (index, (name, at, half)) in methods(&values, seed).into_iter().enumerate() {
                    if tallies.len() == index {
                        tallies.push((name, 0, 0.0));
                    }
                    tallies[index].1 += usize::from(at > half);
                    tallies[index].2 += half;
                }
            }
            for (name, missed, half) in tallies {
                let many = EXPERIMENTS as f64;
                println!(
                    "{layouts} layouts of {blocks} blocks, {effect:?}, {name}: {:.1} {:.2}",
                    100.0 * missed as f64 / many,
                    100.0 * half / many
                );
            }
        }
    }
}
