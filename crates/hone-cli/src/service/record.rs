//! Records a running server for the time of a load.
//!
//! All processes of the server that run the variant's program go into one recording, with their threads and the
//! children that they start meanwhile: of a master and its workers, those that work give the samples. Programs
//! of others that the server has started are left out, since a profile is of one binary.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use hone_build::config::Workload;
use hone_record::{Options, Summary, Target};

use super::{Service, Setting};
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
    let options = Options {
        target: Target::Processes {
            pids: processes(&service)?,
        },
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

/// The processes of the server's tree that run the variant's program.
fn processes(service: &Service) -> Result<Vec<i32>> {
    let binary = real(&service.setting.binary);
    let pids = service.server.processes().into_iter();
    let pids: Vec<i32> = pids
        .map(|one| one.pid.as_raw_nonzero().get())
        .filter(|pid| {
            let exe = Path::new("/proc").join(pid.to_string()).join("exe");
            std::fs::read_link(exe).is_ok_and(|exe| exe == binary)
        })
        .collect();
    if pids.is_empty() {
        return Err(anyhow!(
            "no process of the server runs {}, so that there is nothing to record",
            service.setting.binary.display()
        ))
        .next("have server.start in hone.toml run {binary}");
    }
    Ok(pids)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.into())
}
