//! Predicts, before anything is compared, how small a gain can be seen here, and what a gain of 1 % would take.

use hone_measure::{Experiment, Power, Stopping, power};
use hone_report::number;

use super::Run;

/// The gain that people ask about.
const ASKED_FOR: f64 = 1.01;

/// Reports the prediction from the measurement of the baseline against itself, on the terminal and in the report.
pub(super) fn tell(run: &mut Run, self_check: &Experiment) {
    if let Ok(power) = power(self_check) {
        let sentence = sentence(&power);
        run.progress.line(&sentence);
        run.remark(sentence);
    }
}

/// Formats the prediction for rungs, which have as many blocks as the self-check and may end early.
fn sentence(power: &Power) -> String {
    let stopping = Stopping::sequential();
    let asked = match power.needed(ASKED_FOR, &stopping) {
        Some(needed) => format!(
            "To see a gain of 1 % here takes about {} pairs of runs: {}",
            number::count(needed.pairs as u64),
            number::seconds(needed.wall_s)
        ),
        None => "A gain of 1 % cannot be seen here".into(),
    };
    format!(
        "{asked}. This budget's {} pairs for a rung, {} at most, see {} in four of five cases.",
        number::count(power.pairs() as u64),
        number::seconds(power.blocks as f64 * power.block_wall_s),
        number::share(power.provable(&stopping) - 1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(block_scatter: f64) -> Power {
        Power {
            block_scatter,
            blocks: 15,
            confidence: 0.95,
            provable_ratio: 1.0,
            layouts: 1,
            layout_scatter: 0.0,
            workloads: 2,
            block_wall_s: 8.0,
        }
    }

    #[test]
    fn what_it_takes_and_what_there_is_stand_in_one_sentence() {
        let said = sentence(&with(0.03));
        let needed = with(0.03).needed(1.01, &Stopping::sequential()).unwrap();
        let takes = format!("about {} pairs of runs: ", needed.pairs);
        assert!(said.contains(&takes), "{said}");
        assert!(
            said.contains("60 pairs for a rung, 2 min 0 s at most"),
            "{said}"
        );
        // A gain of 2.4 % or so: three standard errors of 15 blocks, and a little more.
        let sees = with(0.03).provable(&Stopping::sequential());
        assert!((1.02..1.03).contains(&sees), "{sees}");
        let sees = number::share(sees - 1.0);
        assert!(
            said.ends_with(&format!("see {sees} in four of five cases.")),
            "{said}"
        );
    }

    #[test]
    fn what_is_out_of_reach_is_said_to_be() {
        assert!(sentence(&with(1e3)).starts_with("A gain of 1 % cannot be seen here. "));
    }
}
