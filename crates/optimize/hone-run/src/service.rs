//! Runs a server under load: starts it for one run, waits until it is ready, loads and stops it.
//!
//! Every run has a server of its own, with a free port and an empty directory, so that no run finds what another
//! has left. Only the server's process tree is measured: its CPU time after the load minus its CPU time before
//! the load. Load generator and backends run beside the server, each under a helper of its own, and a server that
//! dies takes its load generator with it. No process is ever left running: the helpers end their
//! trees when they are dropped, told to, or orphaned.

mod listen;
mod load;
mod place;
mod ready;
mod record;
mod stop;
mod usage;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_build::config::{Server, Workload};
use hone_measure::{Observation, service::ServiceObservation};
use hone_record::UserTime;

use self::place::Place;
pub use self::record::{Recorded, record};
pub use self::stop::Stopped;
use self::usage::Usage;
use crate::process::background::Background;
use crate::process::last_lines::last_lines;
use crate::process::{self, CommandLine, Cover, Measured, RunError, RunSpec, Stdout};
use hone_files::advice::Advise;

/// Maximum number of starts of a server on another port, if its port was taken before the server had it.
const PORTS_TRIED: usize = 3;
/// Time for which a server's processes must stay the same, once it is ready, to count as all of them ...
const SETTLING: Duration = Duration::from_millis(100);
/// ... and maximum number of these waits.
const SETTLINGS: usize = 20;

/// Settings that all runs of one build of a server have in common.
#[derive(Clone)]
pub struct Setting<'a> {
    /// The server's table in hone.toml.
    pub server: &'a Server,
    /// The variant's program.
    pub binary: PathBuf,
    /// The variant's tree, in which everything runs.
    pub tree: PathBuf,
    /// Variables of the server alone.
    pub env: Vec<(String, Option<String>)>,
    /// Seed of the environment's size.
    pub seed: Option<u64>,
    /// Time after which a command beside the server, such as its load, is ended.
    pub limit: Option<Duration>,
    /// True if user time counts, and has to be separated from the kernel's time as well as possible.
    pub by_user_time: bool,
    /// Directory that the server and the commands beside it see at the path of the tree, if it is another directory.
    pub cover: Option<Cover>,
}

/// A server that is ready.
pub struct Service<'a> {
    setting: &'a Setting<'a>,
    server: Background,
    watches: Vec<OwnedFd>,
    /// Backends in the order of starting; they end after the server.
    backends: Vec<(String, Background)>,
    start_s: f64,
    /// Place of the run, dropped last: until then some process may write there.
    place: Place,
}

/// Result of one measured run.
pub struct Loaded {
    /// CPU of the server, work in requests, and the server's other figures.
    pub observation: Observation,
    /// Sentences for the report.
    pub notes: Vec<String>,
}

/// Starts a server, warms it up, measures it under the load of a workload, and stops it.
pub fn measure(setting: &Setting, workload: &Workload) -> Result<Loaded> {
    let service = Service::start(setting)?;
    service.warm_up(workload)?;
    let observation = service.observe(workload)?;
    service.conclude(observation)
}

/// Measures two servers at the same time. Latencies and throughput are left out: each server has half a
/// CPU.
pub fn measure_pair(settings: [&Setting; 2], workload: &Workload) -> Result<[Loaded; 2]> {
    let warm = |setting| {
        let service = Service::start(setting)?;
        service.warm_up(workload)?;
        anyhow::Ok(service)
    };
    let [first, second] = settings;
    let (first, second) = (warm(first)?, warm(second)?);
    let observed = process::duet::together(|| first.observe(workload), || second.observe(workload));
    let [of_first, of_second] = observed?.map(without_speed);
    Ok([first.conclude(of_first)?, second.conclude(of_second)?])
}

fn without_speed(observation: Observation) -> Observation {
    let service = observation.service.map(|service| ServiceObservation {
        p50_s: None,
        p99_s: None,
        p999_s: None,
        throughput_per_s: None,
        ..service
    });
    Observation {
        service,
        ..observation
    }
}

/// Starts a server, puts the load of a workload on it and stops it, for the files that it writes in the end.
/// Returns sentences for the report.
pub fn train(setting: &Setting, workload: &Workload) -> Result<Vec<String>> {
    let service = Service::start(setting)?;
    service.warm_up(workload)?;
    service.load(workload)?;
    service.stop()
}

/// Starts a server, warms it up and stops it, to find out whether that works, and how the server ends.
pub fn try_stop(setting: &Setting, workload: &Workload) -> Result<Stopped> {
    let service = Service::start(setting)?;
    service.warm_up(workload)?;
    stop::stop(service)
}

/// Runs a command, such as the project's check, while a server is up; its output goes to a file. A failure of the
/// command is part of the result.
pub fn beside(
    setting: &Setting,
    command: &str,
    env: Vec<(String, Option<String>)>,
    log: &Path,
) -> Result<Measured> {
    let service = Service::start(setting)?;
    let measured = service.run(command, env, log.into())?;
    service.stop()?;
    Ok(measured)
}

impl<'a> Service<'a> {
    /// Starts the backends and the server; returns when the server is ready.
    pub fn start(setting: &'a Setting<'a>) -> Result<Self> {
        for _ in 1..PORTS_TRIED {
            let place = Place::new(setting)?;
            let port = place.port;
            match Self::start_at(setting, place) {
                // Somebody else took the port between its choice and the server's start.
                Err(error) if !place::is_free(port) && !process::interrupt::requested() => {
                    drop(error);
                }
                outcome => return outcome,
            }
        }
        Self::start_at(setting, Place::new(setting)?)
    }

    fn start_at(setting: &'a Setting<'a>, place: Place) -> Result<Self> {
        let mut backends = Vec::new();
        for backend in &setting.server.backends {
            let name = format!("backend-{}", backend.name);
            let command = place.fill(&backend.start);
            let mut process = Background::start(
                &RunSpec {
                    env: Vec::new(),
                    seed: None,
                    cpus: setting.server.load_cpus.clone(),
                    ..background(setting, command, place.file(&format!("{name}.log")))
                },
                &place.file(&name),
            )?;
            let wait = ready::Wait {
                what: format!("backend {}", backend.name),
                ready: &backend.ready,
                port: place.port_of(&backend.name),
                seconds: setting.server.ready_seconds,
                log: place.file(&format!("{name}.log")),
            };
            ready::wait(&wait, &mut process, &place, setting)?;
            backends.push((backend.name.clone(), process));
        }
        let command = place.fill(&setting.server.start);
        let log = place.file("server.log");
        let mut server = Background::start(
            &RunSpec {
                cpus: setting.server.cpus.clone(),
                ..background(setting, command, log.clone())
            },
            &place.file("server"),
        )?;
        let wait = ready::Wait {
            what: "the server".into(),
            ready: &setting.server.ready,
            port: Some(place.port),
            seconds: setting.server.ready_seconds,
            log,
        };
        let start_s = ready::wait(&wait, &mut server, &place, setting)?;
        let mut service = Self {
            setting,
            watches: Vec::new(),
            place,
            server,
            backends,
            start_s,
        };
        if service.pids().len() > 1 {
            // A server that goes into the background may accept connections before its first process has ended.
            service.settle();
        }
        service.watches = service.server.watches();
        Ok(service)
    }

    /// Waits until the server starts and ends no more processes; some servers accept connections long before.
    fn settle(&self) {
        let mut pids = self.pids();
        for _ in 0..SETTLINGS {
            std::thread::sleep(SETTLING);
            let now = self.pids();
            if now == pids {
                return;
            }
            pids = now;
        }
    }

    fn warm_up(&self, workload: &Workload) -> Result<()> {
        let Some(command) = &workload.warm_up else {
            return Ok(());
        };
        let log = self.place.file("warm-up.log");
        let run = self.run(command, env_of(workload), log.clone())?;
        succeeded(&run, "its warm-up", &log)
    }

    /// Measures the server under a load.
    fn observe(&self, workload: &Workload) -> Result<Observation> {
        // If perf events are refused, the kernel's own division has to do.
        let watch = match self.setting.by_user_time {
            true => UserTime::of(&self.pids()).ok(),
            false => None,
        };
        let before = self.usage()?;
        let (run, done) = self.load(workload)?;
        let after = self.usage()?;
        let used = after.since(&before, watch.and_then(UserTime::stop));
        Ok(Observation {
            user_s: used.user_s,
            system_s: used.system_s,
            peak_rss_bytes: after.largest_rss_bytes,
            work: done.requests,
            service: Some(ServiceObservation {
                start_s: self.start_s,
                tree_peak_bytes: after.tree_peak_bytes,
                p50_s: done.p50_s,
                p99_s: done.p99_s,
                p999_s: done.p999_s,
                throughput_per_s: done.throughput_per_s,
                cpu_from: used.source.into(),
            }),
            ..run.observation
        })
    }

    fn pids(&self) -> Vec<i32> {
        let processes = self.server.processes().into_iter();
        processes
            .map(|one| one.pid.as_raw_nonzero().get())
            .collect()
    }

    /// Stops the server after its measurement.
    fn conclude(self, observation: Observation) -> Result<Loaded> {
        let mut notes = self.exposed();
        notes.extend(self.stop()?);
        Ok(Loaded { observation, notes })
    }

    /// Runs a load to its end; there is a result only if the load succeeded.
    fn load(&self, workload: &Workload) -> Result<(Measured, load::Done)> {
        let log = self.place.file("load.log");
        let run = self.run(&workload.command, env_of(workload), log.clone())?;
        succeeded(&run, "its load generator", &log)?;
        let done = match &workload.load {
            Some(load) => load::read(load, &load::text(&log)?)
                .with_context(|| format!("the end of the load's output:\n{}", last_lines(&log)))
                .next("run the load by hand, and mend it or its expressions in hone.toml")?,
            None => load::Done::default(),
        };
        Ok((run, done))
    }

    /// Runs a command beside the server; a server that ends meanwhile is an error, whatever the command's result.
    fn run(
        &self,
        command: &str,
        env: Vec<(String, Option<String>)>,
        log: PathBuf,
    ) -> Result<Measured> {
        let spec = RunSpec {
            command: CommandLine::Shell(self.place.fill(command)),
            cwd: Some(self.setting.tree.clone()),
            env,
            stdout: Stdout::Log(log),
            timeout: self.setting.limit,
            cpus: self.setting.server.load_cpus.clone(),
            cover: self.setting.cover.clone(),
            ..RunSpec::default()
        };
        let mut others: Vec<BorrowedFd> = self.watches.iter().map(AsFd::as_fd).collect();
        others.push(self.server.fd());
        others.extend(self.backends.iter().map(|(_, backend)| backend.fd()));
        let outcome = process::run_beside(&spec, &others);
        if process::interrupt::requested() {
            return Err(RunError::Interrupted.into());
        }
        if process::any_readable(&others)? {
            return Err(self.died());
        }
        outcome
    }

    fn died(&self) -> anyhow::Error {
        let ended = |backend: &&(String, Background)| {
            process::any_readable(&[backend.1.fd()]).unwrap_or(false)
        };
        let (what, log) = match self.backends.iter().find(ended) {
            Some((name, _)) => (
                format!("backend {name}"),
                self.place.file(&format!("backend-{name}.log")),
            ),
            None => ("the server".into(), self.place.file("server.log")),
        };
        let exit = match what.as_str() {
            "the server" => self.server.exit_of_command(),
            _ => None,
        };
        anyhow!(
            "{what} ended under load{}; the end of its output:\n{}",
            ready::how(exit),
            last_lines(&log)
        )
    }

    /// Measures the usage of the server's tree since it was started.
    fn usage(&self) -> Result<Usage> {
        usage::of(&self.server)
    }

    /// Returns notes if the server or a backend can be reached from other machines.
    fn exposed(&self) -> Vec<String> {
        let server = [("The server".to_string(), &self.server)];
        let backends = self.backends.iter();
        let backends = backends.map(|(name, one)| (format!("Backend {name}"), one));
        server
            .into_iter()
            .chain(backends)
            .filter(|(_, one)| listen::is_exposed(&one.processes()))
            .map(|(what, _)| {
                format!(
                    "{what} listens beyond loopback, so that other machines could reach it: have it listen \
                     on 127.0.0.1."
                )
            })
            .collect()
    }

    /// Stops the server as hone.toml says, then ends the backends. Returns sentences for the report.
    pub fn stop(self) -> Result<Vec<String>> {
        Ok(stop::stop(self)?.notes)
    }
}

fn background(setting: &Setting, command: String, log: PathBuf) -> RunSpec {
    RunSpec {
        command: CommandLine::Shell(command),
        cwd: Some(setting.tree.clone()),
        env: setting.env.clone(),
        stdout: Stdout::Log(log),
        seed: setting.seed,
        leftovers: process::Leftovers::Follow,
        cover: setting.cover.clone(),
        ..RunSpec::default()
    }
}

fn env_of(workload: &Workload) -> Vec<(String, Option<String>)> {
    let env = workload.env.iter();
    env.map(|(name, value)| (name.clone(), Some(value.clone())))
        .collect()
}

fn succeeded(run: &Measured, what: &str, log: &Path) -> Result<()> {
    if run.exit == 0 {
        return Ok(());
    }
    Err(anyhow!(
        "{what} ended with exit status {}; the end of its output:\n{}",
        run.exit,
        last_lines(log)
    ))
}

/// Lets tests of one process that listen, or look at who listens, take turns.
#[cfg(test)]
fn listening_alone() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
