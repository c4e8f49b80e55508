//! A fake system, on which whole runs take milliseconds.
//!
//! Commands of a hone.toml run in a small shell ([`shell`]). Its compilers ([`compilers`]) stand behind the real rules of the
//! wrapper, and write the words of each call into what they make, so that a program holds all words that made it. How fast a
//! program is, and how much memory it takes, follows from these words by tables. The statistics are the real ones, over runs that differ by
//! 0.2 % at random. A recording is the committed one of `testdata/lbr`, whatever was recorded. A second of the clock passes with each
//! command.

mod compilers;
pub(crate) mod project;
mod shell;

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, bail};
use hone_build::Workload;
use hone_build::wrapper::{CONFIG_VARIABLE, WrapConfig};
use hone_measure::Observation;
use hone_measure::service::ServiceObservation;
use hone_record::{BranchSource, Options, Summary, Target};
use hone_run::process::captured::captured;
use hone_run::process::{CommandLine, Cover, Measured, RunError, RunSpec, Stdout};
use hone_run::service::{Loaded, Recorded, Setting, Stopped};
use sha2::{Digest, Sha256};

use self::shell::{End, Shell};
use super::{System, Tell, Variables};

/// Name of every program, since the committed recording is of a program of this name.
pub(crate) const PROGRAM: &str = "test.binary";
/// Time that each command takes.
const STEP: Duration = Duration::from_secs(1);
/// Peak memory in bytes of a program that the table does not name.
const PEAK: u64 = 1 << 20;

/// The fake, with what it does to whom.
#[derive(Default)]
pub(crate) struct World {
    /// Gains of programs, by a word in them or a variable of their environment.
    pub(crate) gains: Vec<(&'static str, f64)>,
    /// Peak memory of programs in bytes, in the same way.
    pub(crate) peaks: Vec<(&'static str, u64)>,
    /// The file that every linked program begins with, in place of the recorded program.
    pub(crate) linked: Option<PathBuf>,
    /// True if no run may have a view of the files of its own.
    pub(crate) refuses_views: bool,
    /// True if recordings are empty.
    pub(crate) records_nothing: bool,
    /// Signal that ends servers; 0 for servers that end by themselves.
    pub(crate) stop_signal: i32,
    /// Sentences that each measured server is told of.
    pub(crate) server_notes: Vec<String>,
    /// Part of a line in `done` at which the user asks to stop.
    pub(crate) interrupted_at: Option<&'static str>,
    /// Number of lines in `done` at which the user asks to stop.
    pub(crate) interrupted_after: Option<usize>,
    stop: Arc<AtomicBool>,
    clock: Mutex<Duration>,
    done: Mutex<Vec<String>>,
}

impl World {
    /// What was started so far, in its order.
    pub(crate) fn done(&self) -> Vec<String> {
        self.done.lock().unwrap().clone()
    }

    fn did(&self, what: String) -> Result<()> {
        *self.clock.lock().unwrap() += STEP;
        let is_last = self.interrupted_at.is_some_and(|last| what.contains(last));
        let mut done = self.done.lock().unwrap();
        done.push(what);
        if is_last || self.interrupted_after == Some(done.len()) {
            self.stop.store(true, Ordering::Relaxed);
            return Err(RunError::Interrupted.into());
        }
        Ok(())
    }

    /// The file that linked programs begin with.
    fn start_of_programs(&self) -> PathBuf {
        let linked = self.linked.clone();
        linked.unwrap_or_else(|| testkit::fixture(PROGRAM))
    }

    fn write_program(&self, path: &Path, words: &str) {
        let _ = fs::remove_file(path);
        fs::copy(self.start_of_programs(), path).unwrap();
        let mut file = fs::File::options().append(true).open(path).unwrap();
        file.write_all(words.as_bytes()).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The words that made a program.
    fn words_of(&self, path: &Path) -> String {
        let length = self.start_of_programs().metadata().unwrap().len();
        let mut file = fs::File::open(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        file.seek(SeekFrom::Start(length)).unwrap();
        let mut words = String::new();
        file.read_to_string(&mut words).unwrap();
        words
    }

    /// Costs of a run of a program.
    fn observed(&self, words: &str, seed: Option<u64>) -> Observation {
        let gains = self.gains.iter().filter(|(word, _)| words.contains(word));
        let gain: f64 = gains.map(|(_, gain)| gain).product();
        let peaks = self.peaks.iter().filter(|(word, _)| words.contains(word));
        let mut hasher = DefaultHasher::new();
        // What is equally fast has the same luck, so that no difference is ever proven where there is none.
        (seed, gain.to_bits()).hash(&mut hasher);
        let luck = (hasher.finish() % 5) as f64 - 2.0;
        let seconds = (1.0 + 0.001 * luck) / gain;
        Observation {
            user_s: seconds,
            system_s: 0.0,
            wall_s: seconds,
            peak_rss_bytes: peaks.map(|(_, peak)| *peak).max().unwrap_or(PEAK),
            work: None,
            stolen_s: 0.0,
            service: None,
        }
    }

    /// Runs a line; returns its end and its shell.
    fn run_line(&self, line: &str, surroundings: Surroundings) -> (End, Shell<'_>) {
        let mut shell = Shell::new(self, surroundings);
        let end = shell.run(line);
        (end, shell)
    }

    /// Writes the committed recording.
    fn write_recording(&self, options: &Options) -> Summary {
        fs::copy(testkit::fixture("test.lbr"), &options.output).unwrap();
        let has_branches = options.branches != BranchSource::None;
        Summary {
            branch_source: if has_branches { "walk" } else { "none" }.into(),
            samples: if self.records_nothing { 0 } else { 9_232 },
            branch_records: if has_branches { 147_712 } else { 0 },
            wall_s: 20.0,
            target_cpu_s: 20.0,
            exit_code: Some(0),
            ..Summary::default()
        }
    }

    fn served(&self, server: &Setting) -> Observation {
        let words = self.words_of(&seen_at(&server.binary, server.cover.as_ref()));
        Observation {
            work: Some(100.0),
            service: Some(ServiceObservation {
                start_s: 0.1,
                tree_peak_bytes: PEAK,
                p99_s: Some(0.01),
                cpu_from: "clocks".into(),
                ..ServiceObservation::default()
            }),
            ..self.observed(&words, server.seed)
        }
    }
}

/// Where a line runs.
struct Surroundings {
    cwd: PathBuf,
    env: Variables,
    cover: Option<Cover>,
    seed: Option<u64>,
    shares_cpu: bool,
}

/// The path at which a file lies that a run sees.
fn seen_at(path: &Path, cover: Option<&Cover>) -> PathBuf {
    let covered = cover.and_then(|cover| Some((cover, path.strip_prefix(&cover.path).ok()?)));
    covered.map_or(path.into(), |(cover, rest)| cover.with.join(rest))
}

/// The configuration of the wrappers, if the line is a build.
fn config(env: &BTreeMap<String, String>) -> Option<WrapConfig> {
    let bytes = fs::read(env.get(CONFIG_VARIABLE)?).unwrap();
    Some(serde_json::from_slice(&bytes).unwrap())
}

/// Writes the counts of a program that has counters.
fn write_counts(words: &str, env: &BTreeMap<String, String>) {
    let is_instrumented =
        words.contains("-fprofile-generate") || words.contains("-fcs-profile-generate");
    if let (true, Some(pattern)) = (is_instrumented, env.get("LLVM_PROFILE_FILE")) {
        let path = pattern.replace("%p", "7").replace("%m", "1");
        fs::write(path, "counts").unwrap();
    }
    if let Some((_, rest)) = words.split_once("-instrumentation-file=") {
        let path = rest.split_whitespace().next().unwrap_or_default();
        fs::write(format!("{path}.7.fdata"), "counts").unwrap();
    }
}

impl System for Arc<World> {
    fn watch(&self) -> Result<Arc<AtomicBool>> {
        self.stop.store(false, Ordering::Relaxed);
        Ok(self.stop.clone())
    }

    fn now(&self) -> Duration {
        *self.clock.lock().unwrap()
    }

    fn run(&self, spec: &RunSpec) -> Result<Measured> {
        let line = match &spec.command {
            CommandLine::Shell(line) => line.clone(),
            CommandLine::Argv(words) => words.join(" "),
        };
        if spec.cover.is_some() && self.refuses_views {
            bail!("a view of the files of the run's own (unshare): not permitted");
        }
        let surroundings = Surroundings {
            cwd: spec.cwd.clone().unwrap_or_default(),
            env: spec.env.clone(),
            cover: spec.cover.clone(),
            seed: spec.seed,
            shares_cpu: !spec.cpus.is_empty(),
        };
        let (end, shell) = self.run_line(&line, surroundings);
        self.did(shell.name_of(&line))?;
        let scratch = tempfile::NamedTempFile::new()?;
        fs::write(&scratch, &shell.out)?;
        if let Stdout::Log(log) = &spec.stdout {
            fs::write(log, &shell.out)?;
        }
        let exit = match end {
            End::Exit(exit) => exit,
            End::Hangs => {
                let seconds = spec.timeout.expect("a command without a limit hangs");
                return Err(RunError::TimedOut {
                    seconds: seconds.as_secs_f64(),
                    words: shell.out,
                }
                .into());
            }
        };
        let work = spec.work.as_ref().map(|expression| {
            let found = expression.captures(&shell.out).expect("no work is printed");
            found[1].parse().unwrap()
        });
        Ok(Measured {
            observation: Observation {
                work,
                ..shell
                    .used
                    .clone()
                    .unwrap_or_else(|| self.observed("", None))
            },
            exit,
            stdout_sha256: hex::encode(Sha256::digest(&shell.out)),
            captured: spec
                .compare
                .as_ref()
                .map(|expression| captured(expression, scratch.path()))
                .transpose()?,
            stderr_tail: shell.out,
        })
    }

    fn record(&self, options: &Options, _: &AtomicBool, _: Tell) -> Result<Summary> {
        let Target::Command { argv, env, cwd, .. } = &options.target else {
            panic!("{:?} is no command", options.target);
        };
        let text = |word: &std::ffi::OsString| word.to_str().unwrap().to_owned();
        let env = env.iter();
        let surroundings = Surroundings {
            cwd: cwd.clone().unwrap(),
            env: env
                .map(|(name, value)| (text(name), value.as_ref().map(text)))
                .collect(),
            cover: None,
            seed: None,
            shares_cpu: false,
        };
        let (end, _) = self.run_line(&text(&argv[2]), surroundings);
        let file = options.output.file_name().unwrap_or_default();
        self.did(format!("record {}", file.display()))?;
        Ok(Summary {
            exit_code: match end {
                End::Exit(exit) => Some(exit),
                End::Hangs => None,
            },
            ..self.write_recording(options)
        })
    }

    fn try_stop(&self, _: &Setting, _: &Workload) -> Result<Stopped> {
        self.did("try the server".into())?;
        Ok(Stopped {
            notes: self.server_notes.clone(),
            signal: self.stop_signal,
        })
    }

    fn measure(&self, server: &Setting, workload: &Workload) -> Result<Loaded> {
        self.did(format!("load {}", workload.command))?;
        if workload.command == "hang" {
            let seconds = server.limit.unwrap().as_secs_f64();
            let words = "stuck".into();
            return Err(RunError::TimedOut { seconds, words }.into());
        }
        Ok(Loaded {
            observation: self.served(server),
            notes: self.server_notes.clone(),
        })
    }

    fn measure_pair(&self, servers: [&Setting; 2], workload: &Workload) -> Result<[Loaded; 2]> {
        self.did(format!("load two servers with {}", workload.command))?;
        Ok(servers.map(|server| Loaded {
            observation: self.served(server),
            notes: self.server_notes.clone(),
        }))
    }

    fn train(&self, server: &Setting, _: &Workload) -> Result<()> {
        self.did("train the server".into())?;
        let env = server.env.iter().cloned();
        let env = env
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        if self.stop_signal == 0 {
            write_counts(&self.words_of(&server.binary), &env);
        }
        Ok(())
    }

    fn record_server(
        &self,
        _: &Setting,
        _: &Workload,
        options: Options,
        _: Tell,
    ) -> Result<Recorded> {
        let file = options.output.file_name().unwrap_or_default();
        self.did(format!("record {}", file.display()))?;
        Ok(Recorded {
            summary: self.write_recording(&options),
            notes: Vec::new(),
        })
    }

    fn run_beside(
        &self,
        server: &Setting,
        command: &str,
        env: Variables,
        log: &Path,
    ) -> Result<Measured> {
        self.did("start the server".into())?;
        self.run(&RunSpec {
            command: CommandLine::Shell(command.replace("{port}", "80")),
            cwd: Some(server.tree.clone()),
            env,
            stdout: Stdout::Log(log.into()),
            timeout: server.limit,
            ..RunSpec::default()
        })
    }
}
