//! Comparison of the old build with itself: any difference is noise.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::INSTANCES_MIN;
use super::compare::two_samples;

/// Number of random splits of the instances into two halves.
const SPLITS: usize = 200;

/// Comparison of random halves of the old build's instances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfCheck {
    /// Number of splits.
    pub splits: usize,
    /// Number of splits whose halves differ provably.
    pub different: usize,
    /// Ratio below which the halves differ in 95 % of the splits.
    pub spread_ratio: f64,
}

/// Compares random halves of the instances by their effects; `None` if there are too few instances for two halves.
pub(super) fn self_check(effects: &[f64], confidence: f64, seed: u64) -> Option<SelfCheck> {
    if effects.len() < 2 * INSTANCES_MIN {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut effects = effects.to_vec();
    let mut differences = Vec::with_capacity(SPLITS);
    let mut different = 0;
    for _ in 0..SPLITS {
        effects.shuffle(&mut rng);
        let (one, other) = effects.split_at(effects.len() / 2);
        let found = two_samples(one, other, confidence);
        different += usize::from(found.location.abs() > found.half_width);
        differences.push(found.location.abs());
    }
    differences.sort_unstable_by(f64::total_cmp);
    Some(SelfCheck {
        splits: SPLITS,
        different,
        spread_ratio: differences[SPLITS * 95 / 100].exp(),
    })
}
