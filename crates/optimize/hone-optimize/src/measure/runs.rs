//! Performs one run of a measure workload on a variant, or two at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hone_build::config::{Compare, Workload};
use hone_measure::{Arm, Observation, RunRequest, Runner};

use crate::command::limit::{self, Limit};
use crate::command::shell;
use crate::run::Run;
use crate::system::System;
use crate::workspace::state::{Built, Output};
use hone_run::process::{CommandLine, Cover, RunSpec, duet};
use hone_run::service::{Loaded, Setting};

/// Result of one run of a measure workload.
pub(crate) struct Ran {
    pub(crate) observation: Observation,
    /// Output of a program; `None` for a server, since load generators print times.
    pub(crate) output: Option<Output>,
    /// Sentences for the report.
    pub(crate) notes: Vec<String>,
}

/// Performs one run beside nothing else.
pub(crate) fn one(run: &Run, built: &Built, workload: usize) -> Result<Ran> {
    let place = Place::alone(run, built)?;
    let workload = &run.project.measure[workload];
    prepared(run, built, workload, None, place)?.run(&*run.system)
}

/// Performs the runs of an experiment on two builds.
pub(crate) struct Variants<'a> {
    run: &'a Run,
    workloads: &'a [Workload],
    /// The two builds, by layout.
    old: &'a [Built],
    new: &'a [Built],
    /// True if the trees of the builds were copied anew, and are of one age.
    renewed: bool,
    /// Sentences for the report.
    pub(crate) notes: Vec<String>,
}

impl<'a> Variants<'a> {
    pub(crate) fn new(
        run: &'a Run,
        workloads: &'a [Workload],
        old: &'a [Built],
        new: &'a [Built],
    ) -> Self {
        Self {
            run,
            workloads,
            old,
            new,
            renewed: false,
            notes: Vec::new(),
        }
    }

    /// Copies the trees anew before the first run; fails if the user asked to stop.
    fn renew(&mut self) -> Result<()> {
        self.run.check_interrupted()?;
        if !self.renewed {
            let builds = self.old.iter().chain(self.new);
            let names: BTreeSet<_> = builds.map(Built::name).collect();
            self.run.workspace.renew(&names)?;
            self.renewed = true;
        }
        Ok(())
    }

    fn built(&self, request: RunRequest) -> Result<&'a Built> {
        let layouts = match request.arm {
            Arm::Old => self.old,
            Arm::New => self.new,
        };
        layouts.get(request.layout).context("no such layout")
    }

    fn prepared(&self, request: RunRequest, built: &Built, place: Place) -> Result<Prepared<'a>> {
        let workload = &self.workloads[request.workload];
        prepared(self.run, built, workload, Some(request.seed), place)
    }

    /// Checks the output of a run, and keeps its notes.
    fn taken(&mut self, request: RunRequest, built: &Built, ran: Ran) -> Result<Observation> {
        let workload = &self.workloads[request.workload];
        for note in ran.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let expected = self.run.workspace.state.outputs.get(&workload.name);
        if let (Some(output), Some(expected)) = (&ran.output, expected) {
            output.equals(expected, workload, &built.name())?;
        }
        Ok(ran.observation)
    }

    fn named<T>(&self, outcome: Result<T>, request: RunRequest, names: &str) -> Result<T> {
        let workload = &self.workloads[request.workload];
        outcome.with_context(|| format!("workload {} under {names}", workload.name))
    }
}

impl Runner for Variants<'_> {
    type Error = anyhow::Error;

    fn run(&mut self, request: RunRequest) -> Result<Observation> {
        self.renew()?;
        let built = self.built(request)?;
        let place = Place::alone(self.run, built)?;
        let ran = self.prepared(request, built, place)?.run(&*self.run.system);
        let ran = self.named(ran, request, &built.name())?;
        self.taken(request, built, ran)
    }

    fn run_pair(&mut self, pair: [RunRequest; 2]) -> Result<[Observation; 2]> {
        self.renew()?;
        let [first, second] = pair;
        let builts = [self.built(first)?, self.built(second)?];
        let [of_first, of_second] = Place::of_pair(self.run, builts, first.seed)?;
        let both = together(
            &*self.run.system,
            self.prepared(first, builts[0], of_first)?,
            self.prepared(second, builts[1], of_second)?,
        );
        let names = format!("{} and {}", builts[0].key, builts[1].key);
        let [ran_first, ran_second] = self.named(both, first, &names)?;
        Ok([
            self.taken(first, builts[0], ran_first)?,
            self.taken(second, builts[1], ran_second)?,
        ])
    }
}

/// Place of a run.
struct Place {
    /// The path at which every variant runs.
    tree: PathBuf,
    /// Directory that the run sees at this path, if it is not the directory that the link leads to.
    cover: Option<Cover>,
    /// CPU that the run shares with the other run of its pair.
    shared_cpu: Option<usize>,
}

impl Place {
    fn alone(run: &Run, built: &Built) -> Result<Self> {
        Ok(Self {
            tree: run.workspace.enter(&built.name())?,
            cover: None,
            shared_cpu: None,
        })
    }

    /// Makes the places of a pair: both runs at the same path, each with its own tree there.
    fn of_pair(run: &Run, [first, second]: [&Built; 2], seed: u64) -> Result<[Self; 2]> {
        let tree = run.workspace.enter(&first.name())?;
        let own = match first.key == second.key {
            // A run that writes files would find those of the other run.
            true => run.workspace.twin(&second.name())?,
            false => run.workspace.tree(&second.name()),
        };
        let cover = Cover {
            path: tree.clone(),
            with: own,
        };
        let shared_cpu = Some(duet::one_cpu(seed)?);
        Ok([None, Some(cover)].map(|cover| Self {
            tree: tree.clone(),
            cover,
            shared_cpu,
        }))
    }
}

/// A run that can be started.
struct Prepared<'a> {
    what: What<'a>,
    limit: Limit,
}

enum What<'a> {
    Program(Box<RunSpec>),
    Server(Box<Setting<'a>>, &'a Workload),
}

impl Prepared<'_> {
    fn run(self, system: &dyn System) -> Result<Ran> {
        self.limit.explained(match self.what {
            What::Program(spec) => of_program(system, &spec),
            What::Server(setting, workload) => system.measure(&setting, workload).map(of_server),
        })
    }
}

fn together(system: &dyn System, first: Prepared, second: Prepared) -> Result<[Ran; 2]> {
    match (&first.what, &second.what) {
        (What::Server(one, workload), What::Server(other, _)) => {
            let loaded = system.measure_pair([one, other], workload);
            first
                .limit
                .explained(loaded.map(|both| both.map(of_server)))
        }
        _ => duet::together(|| first.run(system), || second.run(system)),
    }
}

fn prepared<'a>(
    run: &'a Run,
    built: &Built,
    workload: &'a Workload,
    seed: Option<u64>,
    place: Place,
) -> Result<Prepared<'a>> {
    let limit = Limit {
        alone: limit::of_measure(run, workload),
        is_in_duet: place.shared_cpu.is_some(),
    };
    if let Some(setting) = shell::setting(&run.project, &place.tree) {
        let setting = Setting {
            seed,
            env: shell::variables(&built.flags.run_env),
            limit: Some(limit.wall()),
            cover: place.cover,
            ..setting
        };
        let what = What::Server(Box::new(setting), workload);
        return Ok(Prepared { what, limit });
    }
    let spec = RunSpec {
        seed,
        timeout: Some(limit.wall()),
        ..program(run, built, workload, place)?
    };
    let what = What::Program(Box::new(spec));
    Ok(Prepared { what, limit })
}

fn program(run: &Run, built: &Built, workload: &Workload, place: Place) -> Result<RunSpec> {
    let binary = place.tree.join(&run.project.binary);
    let compare = match &workload.compare {
        Compare::Captures(expression) => Some(expression.clone()),
        Compare::Whole | Compare::Nothing => None,
    };
    Ok(RunSpec {
        command: CommandLine::Shell(shell::with_binary(&workload.command, &binary)?),
        cwd: Some(place.tree),
        env: shell::variables(&with_run_env(&workload.env, built)),
        work: workload.work.clone(),
        compare,
        cpus: place.shared_cpu.into_iter().collect(),
        cover: place.cover,
        ..RunSpec::default()
    })
}

fn of_program(system: &dyn System, spec: &RunSpec) -> Result<Ran> {
    let measured = system.run(spec)?;
    if measured.exit != 0 {
        bail!(
            "it ended with exit status {}:\n{}",
            measured.exit,
            measured.stderr_tail
        );
    }
    Ok(Ran {
        output: Some(Output::of(&measured)),
        observation: measured.observation,
        notes: Vec::new(),
    })
}

fn of_server(loaded: Loaded) -> Ran {
    Ran {
        observation: loaded.observation,
        output: None,
        notes: loaded.notes,
    }
}

/// Adds the variables of the build's levers to a workload's environment.
fn with_run_env(env: &BTreeMap<String, String>, built: &Built) -> BTreeMap<String, String> {
    let of_levers = built.flags.run_env.iter();
    let all = env.iter().chain(of_levers);
    all.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
