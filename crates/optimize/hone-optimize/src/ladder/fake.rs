//! A fake of the ladder's effects: a table of gains in place of compilers and runs. The statistics are the real ones, over
//! runs that differ by 0.2 % at random.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail};
use hone_build::lever::Reach;
use hone_build::plan::RungPlan;
use hone_build::{
    BuildKey, Bundle, Lever, Plan, PlanOptions, Project, Purpose, Variant, VariantFlags,
};
use hone_measure::service::ServiceObservation;
use hone_measure::{
    Arm, Experiment, Metric, Observation, RunRequest, Runner, Schedule, Stopping, analyse, perform,
};
use hone_report::model::IndirectCalls;
use hone_report::note::Note;

use crate::ladder::{Climb, Effects, rung};
use crate::measure::Measured;
use crate::profile::Idle;
use crate::progress::{Look, Ongoing, Progress};
use crate::version::Version;
use crate::workspace::state::{Built, Profile, Profiles};

/// Seconds that a build or a measurement takes.
const STEP: Duration = Duration::from_secs(10);

/// The fake. What it does is recorded in `done`.
#[derive(Default)]
pub(super) struct Fake {
    /// Gain of each variant over the baseline, by id; 1 for a variant without an entry.
    pub(super) gains: BTreeMap<&'static str, f64>,
    /// Variants whose build fails.
    pub(super) failing: BTreeSet<&'static str>,
    /// Variants that never end when they are measured.
    pub(super) endless: BTreeSet<&'static str>,
    /// Variants whose top lever has nothing to do.
    pub(super) idle: BTreeSet<&'static str>,
    /// Peak memory of each variant in bytes, by id; 1 for a variant without an entry.
    pub(super) peaks: BTreeMap<&'static str, u64>,
    /// Wall seconds of each variant's runs in relation to their CPU time, by id; 1 for a variant without an entry.
    pub(super) walls: BTreeMap<&'static str, f64>,
    /// Latency of each variant in seconds, by id; a variant without an entry is no server.
    pub(super) latencies: BTreeMap<&'static str, f64>,
    /// The user's limit of memory in bytes.
    pub(super) memory: Option<u64>,
    /// Levers that the user's own build rules out.
    pub(super) ruled_out: BTreeSet<&'static str>,
    /// Gain of each layout over the first; one layout if empty.
    pub(super) layouts: Vec<f64>,
    /// True if another layout cannot be built.
    pub(super) has_one_layout: bool,
    /// Factor on the winner's gain when it is measured afresh.
    pub(super) afresh: Option<f64>,
    /// True for a server.
    pub(super) is_server: bool,
    /// True if the runs of a pair share a CPU.
    pub(super) has_duets: bool,
    /// True if recordings have no branch records.
    pub(super) counts_no_calls: bool,
    /// True if the user asks to stop.
    pub(super) is_interrupted: bool,
    /// Builds, measurements and counts, in their order.
    pub(super) done: Vec<String>,
    pub(super) notes: Vec<Note>,
    clock: Cell<Duration>,
    progress: Silent,
}

impl Fake {
    pub(super) fn with(gains: &[(&'static str, f64)]) -> Self {
        Self {
            gains: gains.iter().copied().collect(),
            ..Self::default()
        }
    }

    /// Begins a climb from the baseline.
    pub(super) fn climb(&mut self) -> Climb {
        let variant = Variant::default();
        let baseline = built(&variant, Purpose::Baseline);
        let itself = self.experiment("self-check", &baseline, &baseline, 1);
        Climb {
            best: Version {
                variant,
                built: baseline.clone(),
                profiles: Profiles::new(),
            },
            rungs: vec![rung::baseline(&baseline)],
            self_check: analyse(&itself).unwrap(),
            raw: vec![itself],
            baseline,
        }
    }

    /// Text of all notes.
    pub(super) fn told(&self) -> String {
        let notes = self.notes.iter().map(Note::to_string);
        notes.collect::<Vec<_>>().join("\n")
    }

    fn gain(&self, built: &Built) -> f64 {
        let rung = built.key.rung();
        self.gains.get(rung.as_str()).copied().unwrap_or(1.0)
    }

    fn peak(&self, built: &Built) -> u64 {
        let rung = built.key.rung();
        self.peaks.get(rung.as_str()).copied().unwrap_or(1)
    }

    fn wall(&self, built: &Built) -> f64 {
        let rung = built.key.rung();
        self.walls.get(rung.as_str()).copied().unwrap_or(1.0)
    }

    fn latency(&self, built: &Built) -> Option<f64> {
        self.latencies.get(built.key.rung().as_str()).copied()
    }

    fn build(&mut self, variant: &Variant, profiles: Profiles) -> Result<Version> {
        let id = variant.id();
        self.done.push(format!("build {id}"));
        self.clock.set(self.clock.get() + STEP);
        if self.failing.contains(id.as_str()) {
            return Err(anyhow!("the build command failed"));
        }
        if self.idle.contains(id.as_str()) {
            let reason = "no copy has a size that stands out";
            return Err(Idle { reason }.into());
        }
        Ok(Version {
            built: built(variant, Purpose::Use),
            variant: variant.clone(),
            profiles,
        })
    }

    fn experiment(&self, name: &str, old: &Built, new: &Built, layouts: usize) -> Experiment {
        let schedule = Schedule {
            workloads: vec!["work".into()],
            blocks: 6 * layouts,
            seed: name.len() as u64,
            metric: Metric::CpuSeconds,
            confidence: 0.95,
            stopping: Stopping::Fixed,
            layouts,
            duet: self.has_duets,
        };
        let mut runs = Runs {
            gains: [self.gain(old), self.gain(new)],
            peaks: [self.peak(old), self.peak(new)],
            walls: [self.wall(old), self.wall(new)],
            latencies: [self.latency(old), self.latency(new)],
            layouts: &self.layouts,
        };
        perform(schedule, old.name(), new.name(), &mut runs, |_| {}).unwrap()
    }

    fn measured(&mut self, name: &str, old: &Built, new: &Built, layouts: usize) -> Measured {
        let step = format!("measure {} against {}", new.key, old.key);
        self.done.push(step);
        self.clock.set(self.clock.get() + STEP);
        let experiment = self.experiment(name, old, new, layouts);
        Measured {
            comparison: analyse(&experiment).unwrap(),
            experiment,
        }
    }
}

/// Makes the profile that a lever's build would use.
fn profile(lever: &Lever) -> Option<Profile> {
    let actions = lever.profile_actions(PlanOptions::default());
    (!actions.is_empty()).then(|| Profile {
        file: format!("profiles/{}.prof", lever.id).into(),
        recorded: None,
    })
}

fn built(variant: &Variant, purpose: Purpose) -> Built {
    Built {
        key: BuildKey::new(variant, purpose),
        flags: VariantFlags::default(),
        post_link: Vec::new(),
        build_s: STEP.as_secs_f64(),
        file_bytes: 1,
        loaded_bytes: None,
        text_bytes: 1,
        bolted_from: None,
    }
}

impl Effects for Fake {
    fn build_on(&mut self, below: &Version, levers: &[&'static Lever]) -> Result<Version> {
        let levers = levers.iter().copied();
        let mut profiles = below.profiles.clone();
        profiles.extend(
            levers
                .clone()
                .filter_map(|lever| Some((lever.id, profile(lever)?))),
        );
        let variant = levers.fold(below.variant.clone(), |variant, lever| variant.with(lever));
        self.build(&variant, profiles)
    }

    fn build_anew(&mut self, variant: &Variant, known: &Profiles) -> Result<Version> {
        let mut profiles = known.clone();
        for lever in &variant.levers {
            if let (Some(made), false) = (profile(lever), known.contains_key(lever.id)) {
                self.done.push(format!("profile {}", lever.id));
                profiles.insert(lever.id, made);
            }
        }
        self.build(variant, profiles)
    }

    fn layouts(&mut self, built: &Built) -> Result<Vec<Built>> {
        if self.has_one_layout {
            bail!("the build gives the same binary whatever the order of its objects");
        }
        let seeds = 1..self.layouts.len().max(1) as u64;
        let others = seeds.map(|seed| Built {
            key: built.key.in_layout(seed),
            ..built.clone()
        });
        Ok([built.clone()].into_iter().chain(others).collect())
    }

    fn measure(&mut self, name: &str, old: &Built, new: &Built) -> Result<Measured> {
        if self.endless.contains(new.key.rung().as_str()) {
            bail!("workload m under {name}: still running after 5 s");
        }
        Ok(self.measured(name, old, new, 1))
    }

    fn confirm(&mut self, old: &[Built], new: &[Built]) -> Result<Measured> {
        if let Some(factor) = self.afresh {
            self.gains.values_mut().for_each(|gain| *gain *= factor);
        }
        Ok(self.measured("confirmation", &old[0], &new[0], old.len()))
    }

    fn confirm_alone(&mut self, old: &Built, new: &Built) -> Result<Measured> {
        self.done.push("one after the other".into());
        Ok(self.measured("confirmation-alone", old, new, 1))
    }

    fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    fn is_server(&self) -> bool {
        self.is_server
    }

    fn ruled_out(&self, lever: &'static Lever) -> Option<String> {
        let is_ruled_out = self.ruled_out.contains(lever.id);
        is_ruled_out.then(|| "the program uses getpwuid".into())
    }

    fn predict(&mut self, lever: &'static Lever, below: &Built) -> Result<()> {
        if lever.reach != Reach::NotPredicted {
            self.done
                .push(format!("predict {} on {}", lever.id, below.key));
        }
        Ok(())
    }

    fn judgement(&self, version: &Version) -> Option<String> {
        let top = version.variant.top()?;
        version.profiles.get(top.id)?;
        Some(format!("The profile of {} is good.", top.id))
    }

    fn indirect_calls(&mut self, variant: &Variant, _: &Profiles) -> Result<IndirectCalls> {
        self.done.push(format!("count calls of {}", variant.id()));
        if self.counts_no_calls {
            bail!("no branch records");
        }
        Ok(IndirectCalls {
            per_1000_instructions: 1.0,
            instructions: 1_000,
            sites: Vec::new(),
        })
    }

    fn is_built(&self, variant: &Variant) -> bool {
        self.done.contains(&format!("build {}", variant.id()))
    }

    fn tell(&mut self, note: Note) {
        self.notes.push(note);
    }

    fn progress(&self) -> &dyn Progress {
        &self.progress
    }

    fn check_interrupted(&self) -> Result<()> {
        match self.is_interrupted {
            true => bail!("interrupted"),
            false => Ok(()),
        }
    }

    fn tell_of_training(&mut self, _: &Version, _: &Version) -> Result<()> {
        Ok(())
    }

    fn check_own(&self, _: &Error) -> Result<()> {
        self.check_interrupted()
    }

    fn elapsed(&self) -> Duration {
        self.clock.get()
    }
}

/// Runs whose CPU seconds follow from the gains.
struct Runs<'f> {
    /// Gains of the old and the new build over the baseline.
    gains: [f64; 2],
    /// Peak memory of the old and the new build, in bytes.
    peaks: [u64; 2],
    /// Wall seconds of the old and the new build for each CPU second.
    walls: [f64; 2],
    /// Latency of the old and the new build, in seconds, if they are servers.
    latencies: [Option<f64>; 2],
    layouts: &'f [f64],
}

impl Runner for Runs<'_> {
    type Error = Infallible;

    fn run(&mut self, request: RunRequest) -> Result<Observation, Infallible> {
        let layout = self.layouts.get(request.layout).copied().unwrap_or(1.0);
        let (gain, arm) = match request.arm {
            Arm::Old => (self.gains[0], 0),
            Arm::New => (self.gains[1] * layout, 1),
        };
        // A run's luck is in bits of its seed, so that nothing depends on the order of calls.
        let bits = (request.seed >> (8 * arm)) % 5;
        let seconds = (1.0 + 0.001 * (bits as f64 - 2.0)) / gain;
        Ok(Observation {
            user_s: seconds,
            system_s: 0.0,
            wall_s: seconds * self.walls[arm],
            peak_rss_bytes: self.peaks[arm],
            work: None,
            stolen_s: 0.0,
            service: self.latencies[arm].map(|seconds| ServiceObservation {
                p99_s: Some(seconds * (1.0 + 0.001 * bits as f64)),
                ..ServiceObservation::default()
            }),
        })
    }
}

/// Makes the plan of a project whose hone.toml names bundles of levers.
pub(super) fn plan(bundles: &[&str]) -> Plan {
    let levers: Vec<_> = bundles.iter().map(|id| format!("\"{id}\"")).collect();
    let project = Project::parse(&format!(
        "[program]\nname = \"p\"\nbinary = \"p\"\n[build]\ncommand = \"make\"\n\
         [[train]]\nname = \"t\"\ncommand = \"a\"\n[[measure]]\nname = \"m\"\ncommand = \"b\"\n\
         [ladder]\nlevers = [{}]",
        levers.join(", ")
    ));
    Plan::new(&project.unwrap(), PlanOptions::default(), &|_| None)
}

/// Makes the plan with one of its rungs left out from the start.
pub(super) fn plan_without(bundles: &[&str], left_out: &str) -> Plan {
    let mut plan = plan(bundles);
    let rungs = plan.steps.iter_mut().flat_map(|(_, rungs)| rungs);
    let is_left_out = |rung: &&mut RungPlan| rung.levers == Bundle::parse(left_out).unwrap();
    for rung in rungs.filter(is_left_out) {
        rung.skip = Some("llvm-profdata is not installed".into());
    }
    plan
}

/// Progress that nobody sees.
#[derive(Default)]
struct Silent;

impl Progress for Silent {
    fn begin_ladder(&self, _: usize) {}
    fn next_rung(&self) {}
    fn end_ladder(&self) {}
    fn phase(&self, _: &str) {}
    fn line(&self, _: &str) {}
    fn steps(&self, _: usize, _: &str) -> Box<dyn Ongoing> {
        Box::new(Self)
    }
    fn work(&self, _: &str, _: Option<Look>) -> Box<dyn Ongoing> {
        Box::new(Self)
    }
}

impl Ongoing for Silent {
    fn done(&mut self, _: u64) {}
    fn tell(&mut self, _: &str) {}
    fn finish(self: Box<Self>) {}
}
