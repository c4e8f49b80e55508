//! Reports how long the measuring of a run takes, before it begins: an experiment never has fewer blocks than an interval
//! needs, whatever time was asked for.

use hone_build::Plan;
use hone_report::note::BaselineNote;
use hone_report::number;

use crate::measure::BLOCKS;
use crate::run::Run;

/// Number of experiments beside the rungs: the baseline against itself, and the winner afresh.
const BESIDE: usize = 2;

/// Prints the time, and adds it to the report if it is more than was asked for. `block_s`: wall seconds of a block.
pub(super) fn tell(run: &mut Run, plan: &Plan, block_s: f64) {
    let Some(blocks) = run.workspace.state.blocks else {
        return;
    };
    let asked_s = run.project.seconds_per_rung;
    if let Some(note) = more_than_asked(blocks, block_s, asked_s) {
        run.tell_now(note);
    }
    let rungs = rungs(plan);
    let rung_s = blocks as f64 * block_s;
    run.progress.line(&format!(
        "measuring takes up to about {}: {rungs} rungs, the baseline against itself and the winner, {} each; building \
         and recording come on top",
        number::seconds(rung_s * (rungs + BESIDE) as f64),
        number::seconds(rung_s)
    ));
}

/// Number of rungs that will be tried.
pub(super) fn rungs(plan: &Plan) -> usize {
    plan.rungs().filter(|rung| rung.skip.is_none()).count()
}

fn more_than_asked(blocks: usize, block_s: f64, asked_s: f64) -> Option<BaselineNote> {
    let takes_s = blocks as f64 * block_s;
    let is_more = blocks <= *BLOCKS.start() && takes_s > asked_s;
    is_more.then_some(BaselineNote::LongRungs {
        takes_s,
        asked_s,
        block_s,
        blocks: *BLOCKS.start(),
    })
}

#[cfg(test)]
mod tests {
    use super::more_than_asked;

    #[test]
    fn five_blocks_do_not_take_more_than_was_asked_for_without_a_word() {
        assert_eq!(more_than_asked(5, 12.0, 60.0), None);
        assert_eq!(more_than_asked(6, 10.0, 59.0), None);
        assert!(more_than_asked(5, 24.0, 60.0).is_some());
    }
}
