//! Records a running server for the time of a load.
//!
//! All processes of the server that run the variant's program go into one recording, with their threads and the
//! children that they start meanwhile: of a master and its workers, the processes that work give the samples. Other
//! programs that the server has started are left out, since a profile is of one binary.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use hone_build::config::Workload;
use hone_record::{Options, Summary, Target};

use super::{Service, Setting};
use crate::process::RunError;
use crate::process::interrupt;
use hone_files::advice::Advise;

/// Maximum number of recordings, if they miss the work.
const TRIES: usize = 3;
/// CPU seconds of the server below which no recording counts as having missed the work.
const USED_S_MIN: f64 = 0.1;

/// A recording of a server under load.
pub struct Recorded {
    /// Counts of the recorder.
    pub summary: Summary,
    /// Sentences for the report.
    pub notes: Vec<String>,
}

/// Starts a server, warms it up, records it under the load of a workload, and stops it. The target in `options` is
/// ignored.
pub fn record(
    setting: &Setting,
    workload: &Workload,
    options: Options,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Recorded> {
    let mut tries = 1..TRIES;
    loop {
        let recorded = record_once(setting, workload, &options, progress)?;
        match (recorded.missed(), tries.next()) {
            (false, _) => return Ok(recorded.recorded),
            (true, Some(_)) => {}
            (true, None) => {
                let (seen, used) = (recorded.recorded.summary.target_cpu_s, recorded.used_s);
                return Err(anyhow!(
                    "the recording saw {seen:.2} s of the {used:.2} s of CPU that the server used"
                ))
                .next(
                    "give the train workload a warm_up: what works must be there before the recording begins",
                );
            }
        }
    }
}

/// A recording, and the CPU seconds that the server used meanwhile.
struct Attempt {
    recorded: Recorded,
    used_s: f64,
}

impl Attempt {
    /// True if most of the work was done by a process that was not recorded: a process that the server started between
    /// the listing of its processes and the beginning of the recording.
    fn missed(&self) -> bool {
        self.used_s > USED_S_MIN && self.recorded.summary.target_cpu_s < self.used_s / 2.0
    }
}

fn record_once(
    setting: &Setting,
    workload: &Workload,
    options: &Options,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Attempt> {
    let service = Service::start(setting)?;
    service.settle();
    service.warm_up(workload)?;
    let options = Options {
        target: Target::Processes {
            pids: processes(&service)?,
        },
        ..options.clone()
    };
    let before = service.usage()?;
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
    let used = service.usage()?.since(&before, None);
    let notes = service.stop()?;
    Ok(Attempt {
        recorded: Recorded { summary, notes },
        used_s: used.user_s + used.system_s,
    })
}

/// Lists the processes of the server's tree that run the variant's program.
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
