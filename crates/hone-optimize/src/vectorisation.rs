//! Finds hot loops of the measured workloads that lost their vectorisation on the way to the winner.
//!
//! A profile can have this effect: a loop that training went through once or never is not worth unrolling, and compilers
//! believe the profile.

use std::path::Path;

use anyhow::Result;
use hone_fdo::vectorised::{self, Lost};
use hone_report::number;
use hone_symbols::folded;

use super::climb::Climb;
use super::profile::{record_measured, recordable};
use super::rung::NAME_WIDTH;
use super::workspace::Built;
use super::{Run, bolt};

/// Maximum number of loops that are named.
const NAMED: usize = 5;

/// Compares plain samples of the measured workloads on the winner and on the baseline, both with debug information.
/// A failure costs the figure, not the run.
pub(super) fn tell(run: &mut Run, climb: &Climb) -> Result<()> {
    let winner = bolt::input(run, &climb.best.1);
    if winner.flags.compile.is_empty() && winner.flags.link.is_empty() {
        return Ok(());
    }
    run.progress
        .phase("hot loops of the winner and the baseline");
    match lost(run, &winner) {
        Ok(lost) if lost.is_empty() => {
            run.remark("No hot loop of the measured workloads lost its vectorisation (plain samples by line).");
        }
        Ok(lost) => {
            let tree = run.workspace.path("build");
            for one in lost.iter().take(NAMED) {
                run.note(sentence(one, &tree));
            }
        }
        Err(error) => {
            run.check_interrupted()?;
            run.remark(format!(
                "Whether hot loops lost their vectorisation was not found out: {error:#}."
            ));
        }
    }
    Ok(())
}

fn lost(run: &mut Run, winner: &Built) -> Result<Vec<Lost>> {
    let baseline = recordable(run, &run.baseline())?;
    let mut lines = |built: &Built| {
        let (files, _) = record_measured(run, built)?;
        let binary = run.workspace.tree(&built.name).join(&run.project.binary);
        hone_convert::lines(&files, &binary)
    };
    Ok(vectorised::lost(&lines(&baseline)?, &lines(winner)?))
}

fn sentence(lost: &Lost, tree: &Path) -> String {
    let [before, now] = lost.shares.map(number::share);
    let file = Path::new(&lost.file);
    let file = file.strip_prefix(tree).unwrap_or(file).display();
    format!(
        "{file}:{} ({}) is vectorised in the baseline and not in the winner: {now} of the samples fall into its loop, where \
         it was {before}. Train on more of what runs it.",
        lost.line,
        folded(&lost.function, NAME_WIDTH)
    )
}
