//! The old build against itself: whatever difference shows is noise.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::INSTANCES_MIN;
use super::compare::two_samples;

/// Ways to split instances in two that are tried.
const SPLITS: usize = 200;

/// What the old build's instances, split in two by chance, say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfCheck {
    /// In how many ways they were split.
    pub splits: usize,
    /// In how many of these the halves differ, provably.
    pub different: usize,
    /// 95 % of the ways give halves that differ by less than this ratio.
    pub spread_ratio: f64,
}

/// From the effects of the instances; `None` if they are too few for two halves.
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
