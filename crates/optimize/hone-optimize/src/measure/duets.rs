//! Decides if the two runs of a pair share one CPU at the same time: docs/decisions/0012-duets.md.

use anyhow::{Context, Result};

use crate::measure::{Measured, compare_whole};
use crate::run::Run;
use crate::workspace::state::Built;
use hone_files::advice::{Advise, in_one_sentence};
use hone_report::note::BaselineNote;
use hone_run::process::{CommandLine, Cover, RunSpec};

/// Decides on duets for all experiments of a run; a note says if they were asked for and are impossible. `on_one_cpu`: the
/// baseline has not used more than one CPU at a time.
pub(crate) fn decide(run: &mut Run, on_one_cpu: bool) -> bool {
    let is_server = run.project.server.is_some();
    let told = run.project.duet;
    if !told.unwrap_or(on_one_cpu && !is_server) {
        return false;
    }
    match own_view(run) {
        Ok(()) => true,
        Err(error) if told == Some(true) => {
            run.tell(BaselineNote::NoOwnView(format!("{error:#}")));
            false
        }
        Err(_) => false,
    }
}

/// Measures the baseline against itself. A workload that cannot run twice at the same time fails here: that is an error if
/// duets were asked for; else all runs are then made one after the other.
pub(crate) fn self_check(run: &mut Run, itself: &[Built]) -> Result<Measured> {
    let outcome = compare_whole(run, "self-check", itself, itself);
    let (is_duet, is_told) = (run.workspace.state.duet, run.project.duet.is_some());
    match outcome {
        Ok(measured) => {
            if is_duet {
                run.tell(BaselineNote::Duets);
            }
            Ok(measured)
        }
        Err(error) if is_duet => {
            run.check_interrupted()?;
            if is_told {
                return Err(error).next(
                    "if the workload cannot run twice at the same time, take duet = true out of hone.toml",
                );
            }
            run.workspace.state.duet = false;
            run.workspace.save()?;
            // A workload that fails alone too has failed for another reason.
            let measured = compare_whole(run, "self-check", itself, itself)?;
            run.tell_now(BaselineNote::NoDuets(in_one_sentence(&error)));
            Ok(measured)
        }
        outcome => outcome,
    }
}

/// Returns an error if a run cannot see one directory at the path of another.
fn own_view(run: &Run) -> Result<()> {
    let directory = || tempfile::tempdir().context("temporary directory");
    let (path, with) = (directory()?, directory()?);
    let covered = RunSpec {
        command: CommandLine::Argv(vec!["true".into()]),
        cover: Some(Cover {
            path: path.path().into(),
            with: with.path().into(),
        }),
        ..RunSpec::default()
    };
    run.system.run(&covered).map(drop)
}
