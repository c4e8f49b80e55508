//! The plan of an experiment: a checked request, with nothing left to decide but the number of blocks.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use hone_files::advice::Advise;
use hone_measure::{Arm, Metric, RUNS_PER_BLOCK, Schedule, Stopping};
use regex::Regex;

/// What is compared and how, as the user wrote it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The old command line, for sh.
    pub old: String,
    /// The new command line; `None` to compare the old one with itself.
    pub new: Option<String>,
    /// Workloads as `NAME=ARGS`; if there are none, the command lines are run as they are.
    pub workloads: Vec<String>,
    /// Number of blocks; `None` for as many as fit into a time.
    pub blocks: Option<u32>,
    /// True if this is only a first look.
    pub quick: bool,
    /// Regular expression whose only group is the work done, in the output of a run.
    pub work: Option<String>,
    /// Seed of the random order; `None` for a random seed.
    pub seed: Option<u64>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Runs thrown away first, per arm and workload.
    pub warmup: u32,
    /// True if short runs are accepted.
    pub allow_short: bool,
    /// CPU to stay on.
    pub cpu: Option<usize>,
    /// True if the runs of a pair share one CPU at the same time.
    pub duet: bool,
    /// Time limit of a run in seconds.
    pub timeout_s: Option<f64>,
}

/// Plan of an experiment.
#[derive(Debug)]
pub struct Plan {
    /// The old command line.
    pub old: String,
    /// The new command line.
    pub new: String,
    /// True if one command is compared with itself.
    pub self_check: bool,
    /// Workloads, at least one.
    pub workloads: Vec<Workload>,
    /// Rule for the number of blocks.
    pub(crate) length: Length,
    /// Expression that finds the work done.
    pub(crate) work: Option<Regex>,
    /// Seed of the random order.
    pub seed: u64,
    /// Confidence of the interval.
    pub(crate) confidence: f64,
    /// Runs thrown away first, per arm and workload.
    pub(crate) warmup: u32,
    /// True if short runs are accepted.
    pub(crate) allow_short: bool,
    /// CPU to stay on.
    pub(crate) cpu: Option<usize>,
    /// Time limit of a run.
    pub(crate) timeout: Option<Duration>,
    /// True if the runs of a pair share one CPU at the same time.
    pub duet: bool,
}

/// A workload: arguments behind both command lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workload {
    /// Name of the workload.
    pub name: String,
    /// Arguments of the workload, as the shell reads them.
    pub arguments: String,
}

/// Rule for the number of blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Length {
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
    /// Checks a request.
    ///
    /// # Errors
    ///
    /// Returns an error if a part of the request has no meaning.
    pub fn new(request: Request) -> anyhow::Result<Self> {
        ensure_level(request.confidence)?;
        let length = match (request.blocks, request.quick) {
            (Some(blocks), _) => Length::Blocks(blocks as usize),
            (None, true) => QUICK,
            (None, false) => USUAL,
        };
        let work = request.work.as_deref().map(expression).transpose()?;
        let self_check = request.new.as_ref().is_none_or(|new| *new == request.old);
        Ok(Self {
            new: request.new.unwrap_or_else(|| request.old.clone()),
            old: request.old,
            self_check,
            workloads: workloads(&request.workloads)?,
            length,
            work,
            seed: request
                .seed
                .unwrap_or_else(|| RandomState::new().hash_one("seed")),
            confidence: request.confidence,
            warmup: request.warmup,
            allow_short: request.allow_short,
            cpu: request.cpu,
            timeout: request.timeout_s.map(limit).transpose()?,
            duet: request.duet,
        })
    }

    /// Returns the command line of one arm of one workload.
    pub(crate) fn line(&self, arm: Arm, workload: usize) -> String {
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

    /// True if this is only a first look.
    pub fn is_quick(&self) -> bool {
        matches!(self.length, Length::Time { quick: true, .. })
    }

    /// Returns the layout for a block of all workloads that takes `wall_s_per_block` seconds.
    pub(crate) fn schedule(&self, wall_s_per_block: f64) -> Schedule {
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
    pub(crate) fn block_wall_s(&self, mean_run_wall_s: f64) -> f64 {
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
pub(crate) mod tests {
    use hone_files::advice::render;

    use super::*;

    /// Returns a request that compares a command with itself.
    pub(crate) fn request(old: &str) -> Request {
        Request {
            old: old.into(),
            new: None,
            workloads: Vec::new(),
            blocks: None,
            quick: false,
            work: None,
            seed: None,
            confidence: 0.95,
            warmup: 1,
            allow_short: false,
            cpu: None,
            duet: false,
            timeout_s: None,
        }
    }

    fn plan(change: impl FnOnce(&mut Request)) -> anyhow::Result<Plan> {
        let mut request = request("./a");
        change(&mut request);
        Plan::new(request)
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn one_command_is_compared_with_itself() {
        let plan = plan(|_| ()).unwrap();
        assert!(plan.self_check);
        assert_eq!((plan.old.as_str(), plan.new.as_str()), ("./a", "./a"));
        assert_eq!(plan.line(Arm::New, 0), "./a");
    }

    #[test]
    fn workloads_go_behind_both_commands() {
        let plan = plan(|request| {
            request.new = Some("./b -v".into());
            request.workloads = owned(&["small=--size 1k", "none="]);
        });
        let plan = plan.unwrap();
        assert!(!plan.self_check);
        assert_eq!(plan.line(Arm::Old, 0), "./a --size 1k");
        assert_eq!(plan.line(Arm::New, 0), "./b -v --size 1k");
        assert_eq!(plan.line(Arm::New, 1), "./b -v");
    }

    #[test]
    fn blocks_fill_about_a_minute_within_limits() {
        let blocks = |run_s: f64, change: fn(&mut Request)| {
            let plan = plan(change).unwrap();
            plan.schedule(plan.block_wall_s(run_s)).blocks
        };
        assert_eq!(blocks(1.0, |_| ()), 15);
        assert_eq!(blocks(0.01, |_| ()), 40);
        assert_eq!(blocks(0.0, |_| ()), 40);
        assert_eq!(blocks(100.0, |_| ()), 8);
        let two = blocks(0.75, |request| request.workloads = owned(&["a=1", "b=2"]));
        assert_eq!(two, 10);
        assert_eq!(blocks(0.5, |request| request.quick = true), 5);
        assert_eq!(blocks(100.0, |request| request.quick = true), 4);
        assert_eq!(blocks(100.0, |request| request.blocks = Some(6)), 6);
    }

    #[test]
    fn the_metric_follows_the_work() {
        let metric = |work: Option<&str>| {
            let plan = plan(|request| request.work = work.map(str::to_owned));
            plan.unwrap().schedule(1.0).metric
        };
        assert_eq!(metric(None), Metric::CpuSeconds);
        assert_eq!(metric(Some("did ([0-9]+)")), Metric::CpuPerWork);
    }

    #[test]
    fn seeds_are_random_unless_given() {
        let seed = |given| plan(|request| request.seed = given).unwrap().seed;
        assert_eq!(seed(Some(7)), 7);
        assert_ne!(seed(None), seed(None));
    }

    #[test]
    fn bad_requests_are_refused_with_their_reason_and_the_next_step() {
        #[track_caller]
        fn refused(reason: &str, next: &str, change: impl FnOnce(&mut Request)) {
            let said = render(&plan(change).unwrap_err());
            let (fact, step) = said.split_once("\nnext: ").unwrap_or((&said, ""));
            assert!(fact.contains(reason) && step.contains(next), "{said}");
        }
        let confidence = |share| move |request: &mut Request| request.confidence = share;
        let next = "--confidence 0.95";
        refused("--confidence 0.4 is not between", next, confidence(0.4));
        refused(
            "--confidence NaN is not between",
            next,
            confidence(f64::NAN),
        );
        let work =
            |regex: &'static str| move |request: &mut Request| request.work = Some(regex.into());
        refused("--work '([0-9]+'", "a regular expression", work("([0-9]+"));
        refused("0 groups instead of one", "into brackets", work("[0-9]+"));
        refused("2 groups instead of one", "into brackets", work("(a)(b)"));
        let workloads =
            |all: &'static [&str]| move |request: &mut Request| request.workloads = owned(all);
        let next = "--workload 'small=--size 1k'";
        refused("--workload 'x' has no name", next, workloads(&["x"]));
        refused("--workload '=x' has no name", next, workloads(&["=x"]));
        refused("'a' is there twice", "", workloads(&["a=1", "a=2"]));
        refused("must be positive, and finite", "--timeout 60s", |request| {
            request.timeout_s = Some(1e300);
        });
    }
}
