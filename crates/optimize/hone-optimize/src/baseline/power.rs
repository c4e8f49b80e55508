//! Predicts, before anything is compared, how small a gain can be seen here, and what a gain of 1 % would take.

use hone_measure::{Experiment, Power, Stopping, power};
use hone_report::note::BaselineNote;

use crate::run::Run;

/// The gain that people ask about.
const ASKED_FOR: f64 = 1.01;

/// Reports the prediction from the measurement of the baseline against itself, now and in the report.
pub(super) fn tell(run: &mut Run, self_check: &Experiment) {
    if let Ok(power) = power(self_check) {
        run.tell_now(note(&power));
    }
}

/// Makes the prediction for rungs, which have as many blocks as the self-check and may end early.
fn note(power: &Power) -> BaselineNote {
    let stopping = Stopping::sequential();
    let (provable, needed) = power.outlook(ASKED_FOR, &stopping);
    BaselineNote::Power {
        one_per_cent: needed.map(|needed| (needed.pairs as u64, needed.wall_s)),
        pairs: power.pairs() as u64,
        wall_s: power.blocks as f64 * power.block_wall_s,
        provable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prediction_is_for_what_a_rung_may_take() {
        let power = |block_scatter| Power {
            block_scatter,
            blocks: 15,
            confidence: 0.95,
            provable_ratio: 1.0,
            layouts: 1,
            layout_scatter: 0.0,
            workloads: 2,
            block_wall_s: 8.0,
        };
        let BaselineNote::Power {
            one_per_cent,
            pairs,
            wall_s,
            provable,
        } = note(&power(0.03))
        else {
            panic!("another note");
        };
        assert_eq!((pairs, wall_s), (60, 120.0));
        // A gain of 2.4 % or so: three standard errors of 15 blocks, and a little more.
        assert!((1.02..1.03).contains(&provable), "{provable}");
        assert!(one_per_cent.unwrap().0 > pairs);
        let none = note(&power(1e3));
        let is_out_of_reach = |note| {
            matches!(
                note,
                BaselineNote::Power {
                    one_per_cent: None,
                    ..
                }
            )
        };
        assert!(is_out_of_reach(none));
    }
}
