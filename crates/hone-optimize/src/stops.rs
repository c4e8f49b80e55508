//! Starts, warms and stops a server once before anything long: a server that its stop signal ends writes no instrumented
//! profile, which would otherwise show only after an instrumented build was made and trained.

use anyhow::{Context, Result};
use hone_build::Plan;
use hone_build::config::Stop;

use super::workspace::Built;
use super::{Run, limit, shell};
use hone_run::advice::Advise;
use hone_run::service::{self, Setting, Stopped};

/// Tries the stop on the baseline, and reports what the user should know.
pub(super) fn try_once(run: &mut Run, baseline: &Built, plan: &Plan) -> Result<()> {
    let tree = run.workspace.enter(&baseline.name)?;
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
    let stopped = limit::explained(service::try_stop(&setting, workload));
    run.check_interrupted()?;
    let stopped = stopped
        .context("a first start and stop of the server")
        .next("start, warm and stop it by hand as hone.toml does, and mend it")?;
    let is_by_signal = matches!(setting.server.stop, Stop::Signal(_));
    let start = setting.server.start.clone();
    let mut rungs = plan.rungs().filter(|rung| rung.skip.is_none());
    let is_instrumented = rungs.any(|rung| {
        let mut levers = rung.levers.levers().iter();
        levers.any(|lever| lever.profile.is_instrumented())
    });
    let mut said = stopped.notes.clone();
    if is_instrumented {
        said.extend(no_profile(&stopped, is_by_signal, &start));
    }
    for sentence in said {
        run.progress.line(&sentence);
        run.note(sentence);
    }
    Ok(())
}

/// Describes the cost of a server that does not end by itself, and the ways out.
fn no_profile(stopped: &Stopped, is_by_signal: bool, start: &str) -> Option<String> {
    if stopped.signal == 0 || start.contains("LLVM_PROFILE_FILE") {
        return None;
    }
    let asked = match is_by_signal {
        true => "its stop signal",
        false => "its stop command",
    };
    Some(format!(
        "At {asked} the server was ended by signal {} instead of ending by exit, so that an instrumented build would write \
         no profile: pgo and its kin will fail. Set stop under [server] to a signal that it handles (INT, QUIT, HUP, \
         USR1, USR2), or stop_command, in which {{pid}} is the server; docs/guide/services.md has a way for servers \
         that handle none. Or leave these levers out (--sampling-only).",
        stopped.signal
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_by_itself_or_keeps_its_profile_in_a_file_is_no_news() {
        let stopped = |signal| Stopped {
            notes: Vec::new(),
            signal,
        };
        assert_eq!(no_profile(&stopped(0), true, "{binary}"), None);
        let kept = "LLVM_PROFILE_FILE=\"%c$LLVM_PROFILE_FILE\" {binary}";
        assert_eq!(no_profile(&stopped(15), true, kept), None);
        let said = no_profile(&stopped(15), true, "{binary}").unwrap();
        for words in ["stop signal", "signal 15", "{pid}", "--sampling-only"] {
            assert!(said.contains(words), "{said}");
        }
    }
}
