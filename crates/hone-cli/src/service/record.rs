//! Records a running server for the time of a load.
//!
//! A recording follows one process with its threads and future children. Of a server with several processes it is
//! the one that runs the variant's program and has used the most CPU time by then: the worker, not its master,
//! once the warm-up has shown which that is. Where there is no warm-up and several to choose from, the load itself
//! is run once before.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use hone_build::config::Workload;
use hone_record::{Options, Summary, Target};

use super::{Service, Setting, usage};
use crate::advice::Advise;
use crate::process::RunError;
use crate::process::interrupt;

/// A recording of a server under load.
pub(crate) struct Recorded {
    pub(crate) summary: Summary,
    /// Sentences for the report.
    pub(crate) notes: Vec<String>,
}

/// Starts a server, warms it up, records it under the load of a workload, and stops it. Of `options` the
/// target does not matter.
pub(crate) fn record(
    setting: &Setting,
    workload: &Workload,
    options: Options,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Recorded> {
    let service = Service::start(setting)?;
    service.warm_up(workload)?;
    if workload.warm_up.is_none() && candidates(&service).len() > 1 {
        service.load(workload)?;
    }
    let pid = busiest(&service)?;
    let options = Options {
        target: Target::Process { pid },
        ..options
    };
    let is_over = AtomicBool::new(false);
    let (load, summary) = std::thread::scope(|scope| {
        let load = scope.spawn(|| {
            let load = service.load(workload);
            is_over.store(true, Ordering::SeqCst);
            load
        });
        let summary = hone_record::record(&options, &is_over, progress);
        (load.join(), summary)
    });
    if interrupt::requested() {
        return Err(RunError::Interrupted.into());
    }
    load.map_err(|_| anyhow!("the thread of the load failed"))??;
    let summary = summary
        .context("recording the server")
        .next("hone doctor tells what this machine lets Hone record")?;
    let notes = service.stop()?;
    Ok(Recorded { summary, notes })
}

fn busiest(service: &Service) -> Result<i32> {
    let mut found: Vec<_> = candidates(service)
        .into_iter()
        .map(|pid| (usage::clock_s(pid).unwrap_or(0.0), pid))
        .collect();
    found.sort_by(|a, b| f64::total_cmp(&a.0, &b.0));
    let last = found.last().map(|(_, pid)| *pid);
    last.ok_or_else(|| {
        anyhow!(
            "no process of the server runs {}, so that there is nothing to record",
            service.setting.binary.display()
        )
    })
    .next("have server.start in hone.toml run {binary}")
}

/// The processes of the server's tree that run the variant's program.
fn candidates(service: &Service) -> Vec<i32> {
    let binary = real(&service.setting.binary);
    let pids = service.server.processes().into_iter();
    pids.map(|one| one.pid.as_raw_nonzero().get())
        .filter(|pid| {
            let exe = Path::new("/proc").join(pid.to_string()).join("exe");
            std::fs::read_link(exe).is_ok_and(|exe| exe == binary)
        })
        .collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.into())
}
