//! Starts, warms and stops a server once before anything long: a server that its stop signal ends writes no instrumented
//! profile, which would otherwise show only after an instrumented build was made and trained.

use anyhow::{Context, Result};
use hone_build::Plan;
use hone_build::config::Stop;
use hone_report::note::BaselineNote;

use crate::command::{limit, shell};
use crate::run::Run;
use crate::workspace::state::Built;
use hone_files::advice::Advise;
use hone_run::service::Setting;

/// Tries the stop on the baseline, and reports what the user should know.
pub(super) fn try_once(run: &mut Run, baseline: &Built, plan: &Plan) -> Result<()> {
    let tree = run.workspace.enter(&baseline.name())?;
    let (Some(setting), Some(workload)) = (
        shell::setting(&run.project, &tree),
        run.project.train.first(),
    ) else {
        return Ok(());
    };
    run.progress
        .phase("baseline: starting, warming and stopping the server once");
    let setting = Setting {
        limit: Some(limit::of(workload.limit_s, None)),
        ..setting
    };
    let stopped = limit::explained(run.system.try_stop(&setting, workload));
    run.check_interrupted()?;
    let stopped = stopped
        .context("a first start and stop of the server")
        .next("start, warm and stop it by hand as hone.toml does, and mend it")?;
    let by_command = !matches!(setting.server.stop, Stop::Signal(_));
    let start = setting.server.start.clone();
    let mut rungs = plan.rungs().filter(|rung| rung.skip.is_none());
    let is_instrumented = rungs.any(|rung| {
        let mut levers = rung.levers.levers().iter();
        levers.any(|lever| lever.profile.is_instrumented())
    });
    for text in &stopped.notes {
        run.tell_now(BaselineNote::Server(text.clone()));
    }
    if is_instrumented && writes_no_profile(stopped.signal, &start) {
        run.tell_now(BaselineNote::EndedBySignal {
            signal: stopped.signal,
            by_command,
        });
    }
    Ok(())
}

/// True for a server that does not end by itself, and does not keep its profile in a file at all times.
fn writes_no_profile(signal: i32, start: &str) -> bool {
    signal != 0 && !start.contains("LLVM_PROFILE_FILE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_by_itself_or_keeps_its_profile_in_a_file_is_no_news() {
        assert!(!writes_no_profile(0, "{binary}"));
        let kept = "LLVM_PROFILE_FILE=\"%c$LLVM_PROFILE_FILE\" {binary}";
        assert!(!writes_no_profile(15, kept));
        assert!(writes_no_profile(15, "{binary}"));
    }
}
