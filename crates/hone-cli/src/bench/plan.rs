//! The plan of an experiment: checked arguments, with nothing left to decide but the number of blocks.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use hone_measure::{Arm, Metric, RUNS_PER_BLOCK, Schedule, Stopping};
use regex::Regex;

use super::{Args, Expect};
use hone_run::advice::Advise;

/// Plan of an experiment.
#[derive(Debug)]
pub(super) struct Plan {
    /// The old command line.
    pub(super) old: String,
    /// The new command line.
    pub(super) new: String,
    /// True if one command is compared with itself.
    pub(super) self_check: bool,
    /// Workloads, at least one.
    pub(super) workloads: Vec<Workload>,
    /// Rule for the number of blocks.
    pub(super) length: Length,
    /// Expression that finds the work done.
    pub(super) work: Option<Regex>,
    /// File for the numbers.
    pub(super) output: Option<PathBuf>,
    /// True if the numbers are printed as JSON.
    pub(super) json: bool,
    /// Seed of the random order.
    pub(super) seed: u64,
    /// Confidence of the interval.
    pub(super) confidence: f64,
    /// Runs thrown away first, per arm and workload.
    pub(super) warmup: u32,
    /// Condition for exit status 0.
    pub(super) expect: Option<Expect>,
    /// True if short runs are accepted.
    pub(super) allow_short: bool,
    /// CPU to stay on.
    pub(super) cpu: Option<usize>,
    /// Time limit of a run.
    pub(super) timeout: Option<Duration>,
    /// True if the runs of a pair share one CPU at the same time.
    pub(super) duet: bool,
}

/// A workload: arguments behind both command lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Workload {
    /// Name of the workload.
    pub(super) name: String,
    /// Arguments of the workload, as the shell reads them.
    pub(super) arguments: String,
}

/// Rule for the number of blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Length {
    /// Number that the user gave.
    Blocks(usize),
    /// As many as fit into a time.
    Time {
        /// Wall time in seconds.
        wall_s: f64,
        /// Smallest number of blocks.
        min: usize,
        /// Largest number of blocks.
        max: usize,
        /// True if this is only a first look.
        quick: bool,
    },
}

/// Usual length: about a minute.
const USUAL: Length = Length::Time {
    wall_s: 60.0,
    min: 8,
    max: 40,
    quick: false,
};

/// Length of a first look: about ten seconds.
const QUICK: Length = Length::Time {
    wall_s: 10.0,
    min: 4,
    max: 8,
    quick: true,
};

impl Plan {
    /// Makes a plan of checked arguments.
    pub(super) fn new(args: Args) -> anyhow::Result<Self> {
        ensure_level(args.confidence)?;
        let length = match (args.blocks, args.quick) {
            (Some(blocks), _) => Length::Blocks(blocks as usize),
            (None, true) => QUICK,
            (None, false) => USUAL,
        };
        let work = args.work.as_deref().map(expression).transpose()?;
        let self_check = args.new.as_ref().is_none_or(|new| *new == args.old);
        Ok(Self {
            new: args.new.unwrap_or_else(|| args.old.clone()),
            old: args.old,
            self_check,
            workloads: workloads(&args.workload)?,
            length,
            work,
            output: args.output,
            json: args.json,
            seed: args
                .seed
                .unwrap_or_else(|| RandomState::new().hash_one("seed")),
            confidence: args.confidence,
            warmup: args.warmup,
            expect: args.expect,
            allow_short: args.allow_short,
            cpu: args.cpu,
            timeout: args.timeout.map(limit).transpose()?,
            duet: args.duet,
        })
    }

    /// Returns the command line of one arm of one workload.
    pub(super) fn line(&self, arm: Arm, workload: usize) -> String {
        let command = match arm {
            Arm::Old => &self.old,
            Arm::New => &self.new,
        };
        let arguments = &self.workloads[workload].arguments;
        if arguments.is_empty() {
            command.clone()
        } else {
            format!("{command} {arguments}")
        }
    }

    /// Returns the layout for a block of all workloads that takes `wall_s_per_block` seconds.
    pub(super) fn schedule(&self, wall_s_per_block: f64) -> Schedule {
        let blocks = match self.length {
            Length::Blocks(blocks) => blocks,
            Length::Time {
                wall_s, min, max, ..
            } => {
                // A block of zero seconds fits as often as the maximum allows.
                ((wall_s / wall_s_per_block) as usize).clamp(min, max)
            }
        };
        let metric = if self.work.is_some() {
            Metric::CpuPerWork
        } else {
            Metric::CpuSeconds
        };
        Schedule {
            workloads: self.workloads.iter().map(|one| one.name.clone()).collect(),
            blocks,
            seed: self.seed,
            metric,
            confidence: self.confidence,
            stopping: Stopping::Fixed,
            layouts: 1,
            duet: self.duet,
        }
    }

    /// Returns the wall seconds of one block of all workloads, from the mean wall seconds of all arms' runs.
    pub(super) fn block_wall_s(&self, mean_run_wall_s: f64) -> f64 {
        mean_run_wall_s * (RUNS_PER_BLOCK * self.workloads.len()) as f64
    }
}

fn ensure_level(confidence: f64) -> anyhow::Result<()> {
    // Beyond 0.999 the resamples would not resolve the tail.
    if (0.5..=0.999).contains(&confidence) {
        return Ok(());
    }
    Err(anyhow!(
        "--confidence {confidence} is not between 0.5 and 0.999"
    ))
    .next("--confidence 0.95")
}

fn expression(text: &str) -> anyhow::Result<Regex> {
    let regex = Regex::new(text)
        .with_context(|| format!("--work '{text}'"))
        .next("a regular expression with one group, such as 'requests: ([0-9]+)'")?;
    if regex.captures_len() == 2 {
        return Ok(regex);
    }
    let groups = regex.captures_len() - 1;
    Err(anyhow!("--work '{text}': {groups} groups instead of one"))
        .next("put the number, and nothing else, into brackets: 'requests: ([0-9]+)'; (?:...) does not count")
}

fn limit(seconds: f64) -> anyhow::Result<Duration> {
    let limit = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|limit| !limit.is_zero());
    limit
        .ok_or_else(|| anyhow!("--timeout {seconds}: the time must be positive, and finite"))
        .next("write --timeout 60s")
}

fn workloads(given: &[String]) -> anyhow::Result<Vec<Workload>> {
    if given.is_empty() {
        return Ok(vec![Workload {
            name: "run".into(),
            arguments: String::new(),
        }]);
    }
    let mut all: Vec<Workload> = Vec::with_capacity(given.len());
    for text in given {
        let (name, arguments) = text
            .split_once('=')
            .filter(|(name, _)| !name.trim().is_empty())
            .ok_or_else(|| anyhow!("--workload '{text}' has no name"))
            .next("--workload 'small=--size 1k'")?;
        let workload = Workload {
            name: name.trim().into(),
            arguments: arguments.trim().into(),
        };
        ensure!(
            all.iter().all(|other| other.name != workload.name),
            "--workload '{}' is there twice",
            workload.name
        );
        all.push(workload);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn plan(words: &[&str]) -> anyhow::Result<Plan> {
        let words = std::iter::once("bench").chain(words.iter().copied());
        Plan::new(Line::try_parse_from(words)?.args)
    }

    #[test]
    fn one_command_is_compared_with_itself() {
        let plan = plan(&["./a"]).unwrap();
        assert!(plan.self_check);
        assert_eq!((plan.old.as_str(), plan.new.as_str()), ("./a", "./a"));
        assert_eq!(plan.line(Arm::New, 0), "./a");
    }

    #[test]
    fn workloads_go_behind_both_commands() {
        let words = [
            "./a",
            "./b -v",
            "--workload",
            "small=--size 1k",
            "--workload",
            "none=",
        ];
        let plan = plan(&words).unwrap();
        assert!(!plan.self_check);
        assert_eq!(plan.line(Arm::Old, 0), "./a --size 1k");
        assert_eq!(plan.line(Arm::New, 0), "./b -v --size 1k");
        assert_eq!(plan.line(Arm::New, 1), "./b -v");
    }

    #[test]
    fn blocks_fill_about_a_minute_within_limits() {
        let blocks = |words: &[&str], run_s: f64| {
            let plan = plan(words).unwrap();
            plan.schedule(plan.block_wall_s(run_s)).blocks
        };
        assert_eq!(blocks(&["./a"], 1.0), 15);
        assert_eq!(blocks(&["./a"], 0.01), 40);
        assert_eq!(blocks(&["./a"], 0.0), 40);
        assert_eq!(blocks(&["./a"], 100.0), 8);
        assert_eq!(
            blocks(&["./a", "--workload", "a=1", "--workload", "b=2"], 0.75),
            10
        );
        assert_eq!(blocks(&["./a", "--quick"], 0.5), 5);
        assert_eq!(blocks(&["./a", "--quick"], 100.0), 4);
        assert_eq!(blocks(&["./a", "--blocks", "6"], 100.0), 6);
    }

    #[test]
    fn the_metric_follows_the_work() {
        assert_eq!(
            plan(&["./a"]).unwrap().schedule(1.0).metric,
            Metric::CpuSeconds
        );
        let plan = plan(&["./a", "--work", "did ([0-9]+)"]).unwrap();
        assert_eq!(plan.schedule(1.0).metric, Metric::CpuPerWork);
    }

    #[test]
    fn seeds_are_random_unless_given() {
        assert_eq!(plan(&["./a", "--seed", "7"]).unwrap().seed, 7);
        assert_ne!(plan(&["./a"]).unwrap().seed, plan(&["./a"]).unwrap().seed);
    }

    #[test]
    fn bad_arguments_are_refused_with_their_reason() {
        for (words, reason) in [
            (
                &["./a", "--confidence", "40%"][..],
                "--confidence 0.4 is not between",
            ),
            (&["./a", "--confidence", "95"], "write a share such as"),
            (&["./a", "--confidence", "NaN"], "write a share such as"),
            (&["./a", "--work", "([0-9]+"], "--work '([0-9]+'"),
            (&["./a", "--work", "[0-9]+"], "0 groups instead of one"),
            (&["./a", "--work", "(a)(b)"], "2 groups instead of one"),
            (&["./a", "--workload", "x"], "--workload 'x' has no name"),
            (&["./a", "--workload", "=x"], "has no name"),
            (
                &["./a", "--workload", "a=1", "--workload", "a=2"],
                "'a' is there twice",
            ),
            (&["./a", "--timeout", "0"], "a duration is more than 0"),
            (&["./a", "--timeout", "-1"], "unexpected argument"),
            (&["./a", "--blocks", "3"], "4..=100000"),
            (&["./a", "--blocks", "8", "--quick"], "cannot be used with"),
        ] {
            let error = format!("{:#}", plan(words).unwrap_err());
            assert!(error.contains(reason), "{words:?}: {error}");
        }
    }
}
