//! `hone.toml`: read raw, then turned once into a validated [`Project`].
//!
//! The raw form mirrors the file and refuses unknown keys, so that a typing error is an error with a line
//! number and not a silently ignored wish. The validated form holds only what makes sense: levers that
//! exist, regular expressions that compile, workloads that differ.

use crate::lever::{self, Lever};
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Why a `hone.toml` cannot be used. Every message names the key.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML, an unknown key or a value of the wrong type; the message has the line.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A key that must not be empty is.
    #[error("{key} is empty")]
    Empty {
        /// Its name.
        key: String,
    },
    /// A path that leaves the source tree.
    #[error("{key} = {path:?} is absolute or leaves the source tree; Hone builds in a copy of it")]
    OutsideTree {
        /// The key's name.
        key: String,
        /// The path.
        path: PathBuf,
    },
    /// There is no such lever.
    #[error("ladder.levers names {name:?}; the levers are: {known}")]
    UnknownLever {
        /// The name in the file.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// A lever is named twice.
    #[error("ladder.levers names {name:?} twice")]
    RepeatedLever {
        /// The name in the file.
        name: String,
    },
    /// No workload of a kind.
    #[error("there is no [[{kind}]] table: Hone needs at least one workload to {kind} with")]
    NoWorkload {
        /// `train` or `measure`.
        kind: &'static str,
    },
    /// Two workloads with one name.
    #[error("two [[{kind}]] tables are named {name:?}")]
    RepeatedWorkload {
        /// `train` or `measure`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A measure workload is the same command as a train workload.
    #[error(
        "[[measure]] {measure:?} runs the same command as [[train]] {train:?}: a gain must be shown on a workload that the profile did not come from"
    )]
    SameWorkload {
        /// The measure workload.
        measure: String,
        /// The train workload.
        train: String,
    },
    /// A regular expression that does not compile, or has no group.
    #[error("measure.{name}.work = {pattern:?}: {why}")]
    BadPattern {
        /// The workload.
        name: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// Some measure workloads state their work, others do not.
    #[error(
        "some [[measure]] tables have work and some have not: CPU per unit of work and plain CPU cannot \
         be compared"
    )]
    MixedMetrics,
    /// A number out of its range.
    #[error("{key} = {value} is not in {range}")]
    OutOfRange {
        /// The key's name.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The range in words.
        range: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProject {
    program: RawProgram,
    build: RawBuild,
    check: Option<RawCheck>,
    #[serde(default)]
    train: Vec<RawWorkload>,
    #[serde(default)]
    measure: Vec<RawWorkload>,
    #[serde(default)]
    ladder: RawLadder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProgram {
    name: String,
    binary: PathBuf,
    #[serde(default = "here")]
    source: PathBuf,
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCheck {
    command: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWorkload {
    name: String,
    command: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    work: Option<String>,
    #[serde(default = "yes")]
    compare_output: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLadder {
    levers: Option<Vec<String>>,
    seconds_per_rung: Option<f64>,
    confidence: Option<f64>,
}

/// One workload: a shell command line in which `{binary}` stands for the variant's program.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name in reports.
    pub name: String,
    /// The command line, run with `sh -c` in the variant's source tree.
    pub command: String,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// First group: the work done, where the run is of fixed time instead of fixed work.
    pub work: Option<Regex>,
    /// Whether standard output must be the same under every variant.
    pub compare_output: bool,
}

/// A validated `hone.toml`.
#[derive(Clone, Debug)]
pub struct Project {
    /// The program's name.
    pub name: String,
    /// Its binary after the build, relative to the source tree.
    pub binary: PathBuf,
    /// The source tree, relative to `hone.toml`.
    pub source: PathBuf,
    /// Paths in the source tree that are not copied.
    pub exclude: Vec<PathBuf>,
    /// The user's build command, run with `sh -c` in the copy.
    pub build_command: String,
    /// Variables of the build.
    pub build_env: BTreeMap<String, String>,
    /// The user's check; exit status 0 means that the variant works.
    pub check_command: Option<String>,
    /// Workloads that profiles come from.
    pub train: Vec<Workload>,
    /// Workloads that verdicts rest on.
    pub measure: Vec<Workload>,
    /// Levers to try, in ladder order.
    pub levers: Vec<&'static Lever>,
    /// Wall seconds that measuring one rung may take, roughly.
    pub seconds_per_rung: f64,
    /// Confidence level of the verdicts.
    pub confidence: f64,
}

impl Project {
    /// Reads and validates the text of a `hone.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let raw: RawProject = toml::from_str(text)?;
        filled("program.name", &raw.program.name)?;
        filled("build.command", &raw.build.command)?;
        inside_tree("program.binary", &raw.program.binary)?;
        for path in &raw.program.exclude {
            inside_tree("program.exclude", path)?;
        }
        let train = workloads("train", raw.train)?;
        let measure = workloads("measure", raw.measure)?;
        workloads_differ(&train, &measure)?;
        let with_work = measure.iter().filter(|workload| workload.work.is_some());
        if ![0, measure.len()].contains(&with_work.count()) {
            return Err(ConfigError::MixedMetrics);
        }
        let seconds_per_rung = raw.ladder.seconds_per_rung.unwrap_or(60.0);
        in_range(
            "ladder.seconds_per_rung",
            seconds_per_rung,
            1.0,
            86_400.0,
            "1 to 86400",
        )?;
        let confidence = raw.ladder.confidence.unwrap_or(0.95);
        in_range("ladder.confidence", confidence, 0.5, 0.999, "0.5 to 0.999")?;
        Ok(Self {
            name: raw.program.name,
            binary: raw.program.binary,
            source: raw.program.source,
            exclude: raw.program.exclude,
            build_command: raw.build.command,
            build_env: raw.build.env,
            check_command: raw.check.map(|check| check.command),
            train,
            measure,
            levers: levers(raw.ladder.levers)?,
            seconds_per_rung,
            confidence,
        })
    }
}

impl Project {
    /// Replaces the levers of the file, as `--levers` does.
    pub fn set_levers(&mut self, names: Vec<String>) -> Result<(), ConfigError> {
        self.levers = levers(Some(names))?;
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

fn workloads(kind: &'static str, raw: Vec<RawWorkload>) -> Result<Vec<Workload>, ConfigError> {
    if raw.is_empty() {
        return Err(ConfigError::NoWorkload { kind });
    }
    let mut all: Vec<Workload> = Vec::new();
    for raw in raw {
        filled(&format!("{kind}.name"), &raw.name)?;
        filled(&format!("{kind}.command"), &raw.command)?;
        if all.iter().any(|known| known.name == raw.name) {
            return Err(ConfigError::RepeatedWorkload {
                kind,
                name: raw.name,
            });
        }
        let work = raw
            .work
            .map(|pattern| work_pattern(&raw.name, pattern))
            .transpose()?;
        all.push(Workload {
            name: raw.name,
            command: raw.command,
            env: raw.env,
            work,
            compare_output: raw.compare_output,
        });
    }
    Ok(all)
}

fn work_pattern(name: &str, pattern: String) -> Result<Regex, ConfigError> {
    let bad = |pattern, why| ConfigError::BadPattern {
        name: name.into(),
        pattern,
        why,
    };
    match Regex::new(&pattern) {
        Err(error) => Err(bad(pattern, error.to_string())),
        Ok(regex) if regex.captures_len() < 2 => Err(bad(
            pattern,
            "it has no (group) around the number of units of work".into(),
        )),
        Ok(regex) => Ok(regex),
    }
}

fn workloads_differ(train: &[Workload], measure: &[Workload]) -> Result<(), ConfigError> {
    for measured in measure {
        let same = |trained: &&Workload| {
            trained.command == measured.command && trained.env == measured.env
        };
        if let Some(trained) = train.iter().find(same) {
            return Err(ConfigError::SameWorkload {
                measure: measured.name.clone(),
                train: trained.name.clone(),
            });
        }
    }
    Ok(())
}

fn levers(names: Option<Vec<String>>) -> Result<Vec<&'static Lever>, ConfigError> {
    let Some(names) = names else {
        return Ok(lever::ALL
            .iter()
            .filter(|lever| lever.by_default)
            .copied()
            .collect());
    };
    for (index, name) in names.iter().enumerate() {
        if lever::by_id(name).is_none() {
            let known: Vec<_> = lever::ALL.iter().map(|lever| lever.id).collect();
            return Err(ConfigError::UnknownLever {
                name: name.clone(),
                known: known.join(", "),
            });
        }
        if names[..index].contains(name) {
            return Err(ConfigError::RepeatedLever { name: name.clone() });
        }
    }
    Ok(lever::ALL
        .iter()
        .filter(|lever| names.iter().any(|name| name == lever.id))
        .copied()
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str = r#"
        [program]
        name = "demo"
        binary = "build/demo"
        [build]
        command = "make"
        [[train]]
        name = "t"
        command = "{binary} 1"
        [[measure]]
        name = "m"
        command = "{binary} 2"
    "#;

    fn error(text: &str) -> String {
        Project::parse(text)
            .expect_err("must be refused")
            .to_string()
    }

    #[test]
    fn a_minimal_file_gets_the_default_levers_in_ladder_order() {
        let project = Project::parse(MINIMAL).unwrap();
        let ids: Vec<_> = project.levers.iter().map(|lever| lever.id).collect();
        assert_eq!(ids, ["mimalloc", "thinlto", "autofdo", "pgo", "bolt"]);
        assert!(project.measure[0].compare_output);
    }

    #[test]
    fn levers_are_climbed_in_ladder_order_whatever_order_the_file_has() {
        let text = format!("{MINIMAL}\n[ladder]\nlevers = [\"bolt\", \"thinlto\"]");
        let ids: Vec<_> = Project::parse(&text)
            .unwrap()
            .levers
            .iter()
            .map(|lever| lever.id)
            .collect();
        assert_eq!(ids, ["thinlto", "bolt"]);
    }

    #[test]
    fn a_misspelt_key_is_named_with_its_line() {
        let message = error(&MINIMAL.replace("binary =", "binery ="));
        assert!(
            message.contains("binery") && message.contains("line 4"),
            "{message}"
        );
    }

    #[test]
    fn measuring_what_was_trained_on_is_refused() {
        let message = error(&MINIMAL.replace("{binary} 2", "{binary} 1"));
        assert!(message.contains("did not come from"), "{message}");
    }

    #[test]
    fn bad_values_are_refused_with_their_key() {
        for (from, to, expected) in [
            ("build/demo", "/usr/bin/demo", "program.binary"),
            ("build/demo", "../demo", "program.binary"),
            ("\"make\"", "\" \"", "build.command"),
            ("[[train]]", "[[measure]]", "[[train]]"),
        ] {
            let message = error(&MINIMAL.replace(from, to));
            assert!(message.contains(expected), "{to}: {message}");
        }
        for (extra, expected) in [
            ("[ladder]\nlevers = [\"warp\"]", "mimalloc, thinlto"),
            ("[ladder]\nlevers = [\"pgo\", \"pgo\"]", "twice"),
            ("[ladder]\nseconds_per_rung = 0", "seconds_per_rung"),
            ("[ladder]\nconfidence = 1.0", "confidence"),
            (
                "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"done\"",
                "no (group)",
            ),
            (
                "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"(\"",
                "measure.w.work",
            ),
            (
                "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"(.)\"",
                "some have not",
            ),
        ] {
            let message = error(&format!("{MINIMAL}\n{extra}"));
            assert!(message.contains(expected), "{extra}: {message}");
        }
    }
}
