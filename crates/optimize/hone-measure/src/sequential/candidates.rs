//! The simulation behind docs/decisions/0006-early-stopping.md: ways to stop early, on the same blocks.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::tests::{obrien_fleming, pocock};
use super::{Look, Looks, Spending, even, futile_value, two_sided};
use crate::experiment::Stopping;
use crate::statistics::Resampled;

const EXPERIMENTS: u64 = 2_000;
const GAINS: [f64; 6] = [0.0, 0.005, 0.01, 0.02, 0.05, 0.10];

#[derive(Clone, Copy, Debug)]
enum Noise {
    Normal,
    Student3,
    Skewed,
}

/// Returns one block: two runs of either arm, about 2 % of scatter (interquartile range over 1.35).
fn block(rng: &mut ChaCha8Rng, noise: Noise) -> f64 {
    let mut normal = || {
        let u = 1.0 - rng.random::<f64>();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * rng.random::<f64>()).cos()
    };
    match noise {
        Noise::Normal => 0.02 * normal(),
        Noise::Student3 => {
            let centre = normal();
            let squares: f64 = (0..3).map(|_| normal().powi(2)).sum();
            0.0177 * centre / (squares / 3.0).sqrt()
        }
        Noise::Skewed => {
            let mut run = || 0.0185 * (0.8 * normal()).exp();
            (run() + run() - run() - run()) / 2.0
        }
    }
}

/// Returns true if 0 is outside the self-normalised confidence sequence for symmetric values (normal mixture; Howard,
/// Ramdas, McAuliffe & Sekhon, *The Annals of Statistics* 49, 2021, after de la Peña 1999) after these values. The
/// sequence is looked at after every block, and its free parameter is tuned to this scatter.
fn outside_sequence(values: &[f64], level: f64) -> bool {
    let tuned = 10.0 * 0.02f64.powi(2);
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    let mixed = squares + tuned;
    sum.powi(2) > mixed * (mixed / (tuned * level.powi(2))).ln()
}

#[derive(Clone, Copy, Default)]
struct Tally {
    proven: usize,
    blocks: usize,
}

const METHODS: [&str; 10] = [
    "all blocks",
    "peeking",
    "OBrien-Fleming, no giving up",
    "OBrien-Fleming, hope 1",
    "OBrien-Fleming, hope 0.5",
    "Pocock, hope 0.5",
    "even, no giving up",
    "even, hope 1",
    "even, hope 0.5",
    "sequence",
];

/// The method of this crate.
const CHOSEN: usize = 8;

type Table = [[Tally; GAINS.len()]; METHODS.len()];

/// Returns a design that gives up with this much hope, or never.
fn design(at: &[usize], spending: Spending, hope: Option<f64>) -> Vec<Look> {
    let mut looks = Looks::spending(at, 0.95, spending).looks;
    let (blocks, end) = looks
        .last()
        .map_or((1, 0.0), |last| (last.blocks, last.critical[0]));
    for look in &mut looks {
        let share = look.blocks as f64 / blocks as f64;
        look.futile = hope.map_or(0.0, |hope| two_sided(futile_value(share, end, hope)));
    }
    looks
}

/// Returns a design with the ordinary interval at every look.
fn peeking(at: &[usize]) -> Vec<Look> {
    let mut looks = design(at, even, None);
    for look in &mut looks {
        look.confidence = 0.95;
    }
    looks
}

fn simulate(noise: Noise, blocks: usize) -> Table {
    let at = Stopping::sequential().looks(blocks, 1);
    let designs = [
        design(&[blocks], even, None),
        peeking(&at),
        design(&at, obrien_fleming, None),
        design(&at, obrien_fleming, Some(1.0)),
        design(&at, obrien_fleming, Some(0.5)),
        design(&at, pocock, Some(0.5)),
        design(&at, even, None),
        design(&at, even, Some(1.0)),
        design(&at, even, Some(0.5)),
    ];
    let mut table = Table::default();
    for seed in 0..EXPERIMENTS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
        let values: Vec<f64> = (0..blocks).map(|_| block(&mut rng, noise)).collect();
        // A gain shifts the location and nothing else, so one resampling serves for all.
        let resampled: Vec<(usize, Resampled)> = at
            .iter()
            .map(|&look| (look, Resampled::of(&[values[..look].to_vec()], &[], seed)))
            .collect();
        for (column, gain) in GAINS.iter().enumerate() {
            let shift = (1.0 + gain).ln();
            for (row, design) in designs.iter().enumerate() {
                let mut outcome = (blocks, false);
                for look in design {
                    let Some((_, seen)) = resampled.iter().find(|(at, _)| *at == look.blocks)
                    else {
                        continue;
                    };
                    let location = seen.location + shift;
                    let proven = location.abs() > seen.half_width(look.confidence);
                    let futile =
                        look.futile > 0.0 && location.abs() <= seen.half_width(look.futile);
                    if proven || futile {
                        outcome = (look.blocks, proven && (*gain == 0.0 || location > 0.0));
                        break;
                    }
                }
                add(&mut table[row][column], outcome);
            }
            let moved: Vec<f64> = values.iter().map(|value| value + shift).collect();
            let found = (4..=blocks).find(|&n| outside_sequence(&moved[..n], 0.05));
            let outcome = (found.unwrap_or(blocks), found.is_some());
            add(&mut table[METHODS.len() - 1][column], outcome);
        }
    }
    table
}

fn add(tally: &mut Tally, (blocks, proven): (usize, bool)) {
    tally.blocks += blocks;
    tally.proven += usize::from(proven);
}

/// `HONE_LONG=1 cargo test --release -p hone-measure --lib sequential::candidates -- --nocapture`
#[test]
fn ways_to_stop_early() {
    if !testkit::is_long() {
        return;
    }
    println!("called different in %, mean blocks; by true gain {GAINS:?}");
    for blocks in [20, 8, 60] {
        for noise in [Noise::Normal, Noise::Student3, Noise::Skewed] {
            let table = simulate(noise, blocks);
            for (method, row) in METHODS.iter().zip(&table) {
                print!("{noise:?}, {blocks} blocks, {method}:");
                for tally in row {
                    let many = EXPERIMENTS as f64;
                    let called = 100.0 * tally.proven as f64 / many;
                    print!("  {called:.1} {:.1}", tally.blocks as f64 / many);
                }
                println!();
            }
            // The standard error of 5 % is 0.5.
            let called = table[CHOSEN][0].proven as f64 / EXPERIMENTS as f64;
            assert!(called <= 0.065, "{noise:?}, {blocks} blocks: {called}");
        }
    }
}
