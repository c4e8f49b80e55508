//! Finds hot loops of the measured workloads that lost their vectorisation on the way to the winner.
//!
//! A profile can have this effect: a loop that training went through once or never is not worth unrolling, and compilers
//! believe the profile.

use std::path::Path;

use anyhow::Result;
use hone_fdo::vectorised::{self, Lost};
use hone_report::note::WinnerNote;
use hone_symbols::folded;

use crate::NAME_WIDTH;
use crate::build::bolt;
use crate::ladder::Climb;
use crate::profile::recording::{record_measured, recordable};
use crate::run::Run;
use crate::workspace::state::{Built, Profiles};

/// Maximum number of loops that are named.
const NAMED: usize = 5;

/// Compares plain samples of the measured workloads on the winner and on the baseline, both with debug information.
/// A failure costs the figure, not the run.
pub(crate) fn tell(run: &mut Run, climb: &Climb) -> Result<()> {
    let winner = bolt::input(run, &climb.best.built);
    if winner.flags.compile.is_empty() && winner.flags.link.is_empty() {
        return Ok(());
    }
    run.progress
        .phase("hot loops of the winner and the baseline");
    match lost(run, &winner) {
        Ok(lost) if lost.is_empty() => run.tell(WinnerNote::VectorisationKept),
        Ok(lost) => {
            let tree = run.workspace.path("build");
            for one in lost.iter().take(NAMED) {
                run.tell(note(one, &tree));
            }
        }
        Err(error) => {
            run.check_interrupted()?;
            run.tell(WinnerNote::VectorisationUnknown(format!("{error:#}")));
        }
    }
    Ok(())
}

fn lost(run: &mut Run, winner: &Built) -> Result<Vec<Lost>> {
    let baseline = recordable(run, &run.baseline(), &Profiles::new())?;
    let mut lines = |built: &Built| {
        let (files, _) = record_measured(run, built)?;
        hone_convert::lines(&files, &run.binary(built))
    };
    Ok(vectorised::lost(&lines(&baseline)?, &lines(winner)?))
}

fn note(lost: &Lost, tree: &Path) -> WinnerNote {
    let file = Path::new(&lost.file);
    let file = file.strip_prefix(tree).unwrap_or(file).display();
    WinnerNote::LostVectorisation {
        place: format!("{file}:{}", lost.line),
        function: folded(&lost.function, NAME_WIDTH),
        shares: lost.shares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_loop_is_told_with_its_place_in_the_source() {
        let lost = Lost {
            file: "/p/.hone/build/src/main.c".into(),
            line: 12,
            function: "squares(unsigned int const*, unsigned int)".into(),
            shares: [0.25, 0.5],
        };
        let said = note(&lost, Path::new("/p/.hone/build")).to_string();
        let place = "src/main.c:12 (squares(unsigned int const*, unsigned int)) is vectorised in the baseline and not in the winner";
        assert!(said.starts_with(place), "{said}");
        assert!(said.contains("50.0 %") && said.contains("25.0 %"), "{said}");
    }
}
