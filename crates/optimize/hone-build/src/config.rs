//! `hone.toml`: read raw, then turned once into a validated [`Project`].
//!
//! The raw form mirrors the file and refuses unknown keys, so that a typing error is an error with a line
//! number and not a setting that is silently ignored. The validated form holds only valid values: levers that
//! exist, regular expressions that compile, workloads that differ.

mod blanks;
mod check;
mod dependency;
mod error;
mod placeholder;
mod server;
mod stage;
#[cfg(test)]
mod tests;
mod workload;

pub use blanks::FILL_IN;
pub use check::Check;
pub use error::ConfigError;
pub use server::{Backend, Ready, Server, Stop, StopSignal};
pub use stage::Stage;
pub use workload::{Compare, Load, Requests, Workload};

use crate::lever::{Bundle, Dependency, Lever, Toolchain};
use crate::quantity::{Bytes, Seconds, Share};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Range of `ladder.memory` in bytes.
const MEMORY_LEAST: f64 = 1_048_576.0;
const MEMORY_MOST: f64 = MEMORY_LEAST * 1_073_741_824.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProject {
    program: RawProgram,
    build: RawBuild,
    check: Option<check::RawCheck>,
    server: Option<server::RawServer>,
    #[serde(default)]
    backend: Vec<server::RawBackend>,
    #[serde(default)]
    dependency: Vec<dependency::RawDependency>,
    #[serde(default)]
    train: Vec<workload::RawWorkload>,
    #[serde(default)]
    measure: Vec<workload::RawWorkload>,
    #[serde(default)]
    ladder: RawLadder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProgram {
    name: Option<String>,
    binary: PathBuf,
    #[serde(default = "here")]
    source: PathBuf,
    previous: Option<PathBuf>,
    #[serde(default)]
    exclude: Vec<PathBuf>,
}

fn here() -> PathBuf {
    ".".into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBuild {
    command: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    toolchain: Option<Toolchain>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLadder {
    levers: Option<Vec<String>>,
    seconds_per_rung: Option<Seconds>,
    confidence: Option<Share>,
    memory: Option<Bytes>,
    layouts: Option<usize>,
    #[serde(default)]
    cpu: RawCpu,
    duet: Option<bool>,
}

#[derive(Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RawCpu {
    /// User time plus kernel time.
    #[default]
    Total,
    User,
}

/// A validated `hone.toml`.
#[derive(Clone, Debug)]
pub struct Project {
    /// Name of the program; by itself the file name of the binary.
    pub name: String,
    /// Path of the program's binary after the build, relative to the source tree.
    pub binary: PathBuf,
    /// Path of the source tree, relative to `hone.toml`.
    pub source: PathBuf,
    /// Path of the previous release's source tree, relative to `hone.toml`; the winner's profile is tried on this release.
    pub previous: Option<PathBuf>,
    /// Paths in the source tree that are not copied.
    pub exclude: Vec<PathBuf>,
    /// The user's build command, run with `sh -c` in the copy.
    pub build_command: String,
    /// Environment variables of the build.
    pub build_env: BTreeMap<String, String>,
    /// The user's check.
    pub check: Option<Check>,
    /// Libraries that are rebuilt with the kept levers, as two levers for each library.
    pub dependencies: Vec<[&'static Lever; 2]>,
    /// Configuration of the program as a server; `None` if the program runs to its end by itself.
    pub server: Option<Server>,
    /// Workloads that profiles come from.
    pub train: Vec<Workload>,
    /// Workloads that verdicts are based on.
    pub measure: Vec<Workload>,
    /// Rungs to try, in ladder order, if the user named any; a search then adds no lever.
    pub named: Option<Vec<Bundle>>,
    /// Approximate wall time for measuring one rung, in seconds.
    pub seconds_per_rung: f64,
    /// Confidence level of the verdicts.
    pub confidence: f64,
    /// Peak memory in bytes of any one process of a run, above which a rung is not kept; `None` for no limit.
    pub memory: Option<u64>,
    /// Number of layouts of both binaries that the winner is measured in.
    pub layouts: usize,
    /// True if verdicts are based on user CPU alone, without the kernel's work for the program.
    pub user_cpu_only: bool,
    /// True if the two runs of a pair share one CPU at the same time; `None` if Hone has to find out whether they can.
    pub duet: Option<bool>,
    /// Compiler of the program; `None` if Hone has to guess it.
    pub toolchain: Option<Toolchain>,
}

impl Project {
    /// Reads and validates the text of a `hone.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let raw: RawProject = toml::from_str(text)?;
        inside_tree("program.binary", &raw.program.binary)?;
        let file_name = raw.program.binary.file_name().unwrap_or_default();
        let usual = || file_name.to_string_lossy().into_owned();
        let name = raw.program.name.unwrap_or_else(usual);
        filled("program.name", &name)?;
        filled("build.command", &raw.build.command)?;
        for path in &raw.program.exclude {
            inside_tree("program.exclude", path)?;
        }
        let backends = server::backends(raw.backend)?;
        let server = server::server(raw.server, backends)?;
        let dependencies = dependency::all(raw.dependency)?;
        let kind = workload::Kind::of(server.as_ref());
        let train = workload::all("train", raw.train, kind)?;
        let measure = workload::all("measure", raw.measure, kind)?;
        workload::differ(&train, &measure)?;
        workload::one_metric(&measure)?;
        let seconds_per_rung = raw.ladder.seconds_per_rung.map_or(60.0, |given| given.0);
        in_range(
            "ladder.seconds_per_rung",
            seconds_per_rung,
            1.0,
            86_400.0,
            "1 to 86400",
        )?;
        let confidence = raw.ladder.confidence.map_or(0.95, |given| given.0);
        in_range("ladder.confidence", confidence, 0.5, 0.999, "0.5 to 0.999")?;
        let memory = raw.ladder.memory.map(|given| given.0);
        if let Some(bytes) = memory {
            in_range(
                "ladder.memory",
                bytes as f64,
                MEMORY_LEAST,
                MEMORY_MOST,
                "1 MiB to 1 PiB",
            )?;
        }
        let layouts = enough(raw.ladder.layouts.unwrap_or(1))?;
        let project = Self {
            name,
            binary: raw.program.binary,
            source: raw.program.source,
            previous: raw.program.previous,
            exclude: raw.program.exclude,
            build_command: raw.build.command,
            build_env: raw.build.env,
            check: raw.check.map(check::check).transpose()?,
            dependencies: dependencies.into_iter().map(Dependency::levers).collect(),
            server,
            train,
            measure,
            named: raw.ladder.levers.map(|names| bundles(&names)).transpose()?,
            seconds_per_rung,
            confidence,
            memory,
            layouts,
            user_cpu_only: raw.ladder.cpu == RawCpu::User,
            duet: raw.ladder.duet,
            toolchain: raw.build.toolchain,
        };
        placeholder::check(&project)?;
        duet_has_cpus(&project)?;
        Ok(project)
    }
}

impl Project {
    /// Returns true if CPU is measured per unit of work.
    pub fn counts_work(&self) -> bool {
        self.measure.iter().all(Workload::counts_work)
    }

    /// Replaces the levers of the file, as `--levers` does.
    pub fn set_levers(&mut self, names: Vec<String>) -> Result<(), ConfigError> {
        self.named = Some(bundles(&names)?);
        Ok(())
    }

    /// Returns the rungs to try with a toolchain, in ladder order: the named rungs, or the default ones.
    pub fn rungs(&self, toolchain: Toolchain) -> Vec<Bundle> {
        let named = self.named.clone();
        named.unwrap_or_else(|| Bundle::defaults(toolchain))
    }

    /// Replaces the number of layouts, as `--layouts` does.
    pub fn set_layouts(&mut self, layouts: usize) -> Result<(), ConfigError> {
        self.layouts = enough(layouts)?;
        Ok(())
    }

    /// Replaces the measuring time per rung, as `--seconds` does.
    pub fn set_seconds_per_rung(&mut self, seconds: f64) -> Result<(), ConfigError> {
        in_range(
            "ladder.seconds_per_rung",
            seconds,
            1.0,
            86_400.0,
            "1 to 86400",
        )?;
        self.seconds_per_rung = seconds;
        Ok(())
    }
}

/// Checks a number of layouts.
fn enough(layouts: usize) -> Result<usize, ConfigError> {
    match layouts {
        1 | 3..=50 => Ok(layouts),
        _ => Err(ConfigError::NotOneOf {
            key: "ladder.layouts".into(),
            value: layouts.to_string(),
            expected: "it can be 1, or 3 to 50: two layouts hardly tell how much layouts differ",
        }),
    }
}

/// Checks that two servers in a duet have CPUs that the load does not use.
fn duet_has_cpus(project: &Project) -> Result<(), ConfigError> {
    let Some(server) = &project.server else {
        return Ok(());
    };
    let mut shared = server.cpus.iter();
    let is_apart =
        !server.load_cpus.is_empty() && !shared.any(|cpu| server.load_cpus.contains(cpu));
    if project.duet == Some(true) && (server.cpus.is_empty() || !is_apart) {
        return Err(ConfigError::NotOneOf {
            key: "ladder.duet".into(),
            value: "true".into(),
            expected: "it needs server.cpus and server.load_cpus with different CPUs",
        });
    }
    Ok(())
}

fn filled(key: &str, value: &str) -> Result<(), ConfigError> {
    if value.trim().is_empty() {
        return Err(ConfigError::Empty { key: key.into() });
    }
    Ok(())
}

fn inside_tree(key: &str, path: &Path) -> Result<(), ConfigError> {
    if path.as_os_str().is_empty() {
        return Err(ConfigError::Empty { key: key.into() });
    }
    let stays = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !stays {
        return Err(ConfigError::OutsideTree {
            key: key.into(),
            path: path.into(),
        });
    }
    Ok(())
}

fn in_range(
    key: &'static str,
    value: f64,
    low: f64,
    high: f64,
    range: &'static str,
) -> Result<(), ConfigError> {
    if !(low..=high).contains(&value) {
        return Err(ConfigError::OutOfRange { key, value, range });
    }
    Ok(())
}

/// Checks the time limit of a command, in seconds.
fn limit(seconds: Option<Seconds>) -> Result<Option<f64>, ConfigError> {
    let seconds = seconds.map(|given| given.0);
    if let Some(seconds) = seconds {
        in_range("limit_seconds", seconds, 0.1, 86_400.0, "0.1 to 86400")?;
    }
    Ok(seconds)
}

fn bundles(names: &[String]) -> Result<Vec<Bundle>, ConfigError> {
    let mut bundles: Vec<Bundle> = Vec::new();
    for name in names {
        let bundle = Bundle::parse(name)?;
        if bundles.contains(&bundle) {
            return Err(ConfigError::RepeatedLever { name: name.clone() });
        }
        bundles.push(bundle);
    }
    bundles.sort_by_key(Bundle::place);
    Ok(bundles)
}
