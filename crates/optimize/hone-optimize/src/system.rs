//! What a run needs of the system beside files: the user's commands, servers under load, recordings, the clock.
//!
//! Everything that the user's build and programs do comes through [`System`]. A fake of it, with a small shell and compilers
//! that write words into files, shows in milliseconds what a run builds, profiles, measures and reports.

#[cfg(test)]
pub(crate) mod fake;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hone_build::Workload;
use hone_files::advice::Advise;
use hone_record::{Options, Summary};
use hone_run::process::{self, Measured, RunSpec, interrupt};
use hone_run::service::{self, Loaded, Recorded, Setting, Stopped};

/// Is told the numbers of a recording while it goes on.
pub(crate) type Tell<'t> = &'t mut dyn FnMut(&Summary);

/// Programs, servers, recordings and the clock.
pub(crate) trait System: Sync {
    /// Lets whatever is started from now on end with this process. The returned flag is set when the user asks to stop.
    fn watch(&self) -> Result<Arc<AtomicBool>>;
    /// Time since a moment that stays the same.
    fn now(&self) -> Duration;
    /// Runs a command to its end.
    fn run(&self, spec: &RunSpec) -> Result<Measured>;
    /// Records a command until it ends or its time is up, and ends the processes that are left of it.
    fn record(&self, options: &Options, stop: &AtomicBool, tell: Tell) -> Result<Summary>;
    /// Starts, warms and stops a server.
    fn try_stop(&self, server: &Setting, workload: &Workload) -> Result<Stopped>;
    /// Measures a server under the load of a workload.
    fn measure(&self, server: &Setting, workload: &Workload) -> Result<Loaded>;
    /// Measures two servers at the same time.
    fn measure_pair(&self, servers: [&Setting; 2], workload: &Workload) -> Result<[Loaded; 2]>;
    /// Puts the load of a workload on a server, for the files that the server writes at its end.
    fn train(&self, server: &Setting, workload: &Workload) -> Result<()>;
    /// Records a server under the load of a workload; the target in the options is ignored.
    fn record_server(
        &self,
        server: &Setting,
        workload: &Workload,
        options: Options,
        tell: Tell,
    ) -> Result<Recorded>;
    /// Runs a command while a server is up; its output goes to a file.
    fn run_beside(
        &self,
        server: &Setting,
        command: &str,
        env: Variables,
        log: &Path,
    ) -> Result<Measured>;
}

/// Variables to set or to remove.
pub(crate) type Variables = Vec<(String, Option<String>)>;

/// The system that this process runs on.
pub(crate) struct ThisSystem {
    began: Instant,
}

impl ThisSystem {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
        }
    }
}

impl System for ThisSystem {
    fn watch(&self) -> Result<Arc<AtomicBool>> {
        let stop = interrupt::watch().clone();
        process::tree::adopt_orphans()?;
        Ok(stop)
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn run(&self, spec: &RunSpec) -> Result<Measured> {
        process::run_measured(spec)
    }

    fn record(&self, options: &Options, stop: &AtomicBool, tell: Tell) -> Result<Summary> {
        let summary = hone_record::record(options, stop, tell);
        // The recorder never ends what it records; here nobody needs these processes any more.
        process::tree::end();
        summary
            .context("recording")
            .next("hone doctor tells what this machine lets Hone record")
    }

    fn try_stop(&self, server: &Setting, workload: &Workload) -> Result<Stopped> {
        service::try_stop(server, workload)
    }

    fn measure(&self, server: &Setting, workload: &Workload) -> Result<Loaded> {
        service::measure(server, workload)
    }

    fn measure_pair(&self, servers: [&Setting; 2], workload: &Workload) -> Result<[Loaded; 2]> {
        service::measure_pair(servers, workload)
    }

    fn train(&self, server: &Setting, workload: &Workload) -> Result<()> {
        // Notes on the stop come again when the build is measured.
        service::train(server, workload).map(drop)
    }

    fn record_server(
        &self,
        server: &Setting,
        workload: &Workload,
        options: Options,
        tell: Tell,
    ) -> Result<Recorded> {
        service::record(server, workload, options, tell)
    }

    fn run_beside(
        &self,
        server: &Setting,
        command: &str,
        env: Variables,
        log: &Path,
    ) -> Result<Measured> {
        service::beside(server, command, env, log)
    }
}
