//! Performs the runs of a plan, and explains in the user's terms why a run cannot be used.

use anyhow::anyhow;
use hone_files::advice::{Advice, Advise};
use hone_measure::{Arm, Observation, RunRequest, Runner};
use hone_run::process::{self, CommandLine, Measured, RunError, RunSpec, Stdout, duet, interrupt};

use crate::plan::Plan;

/// CPU seconds below which a run measures the start of a process rather than its work.
const CPU_S_MIN: f64 = 0.2;

/// Exit status of a shell for a command that is missing, and for a command that may not be executed.
const SHELL_NOT_FOUND: i32 = 127;
const SHELL_NOT_EXECUTABLE: i32 = 126;

/// Reason why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// Interrupt by Ctrl-C.
    Interrupted {
        /// Number of runs finished before.
        done: usize,
    },
    /// Any other error.
    Other(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

/// Starts the runs of one plan.
pub(crate) struct Runs<'a> {
    plan: &'a Plan,
    done: usize,
    shortest: Option<Shortest>,
}

/// The shortest run so far.
struct Shortest {
    cpu_s: f64,
    line: String,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            done: 0,
            shortest: None,
        }
    }

    /// Returns the number of runs that [`Runs::warm_up`] makes.
    pub(crate) fn warm_up_runs(&self) -> u64 {
        u64::from(self.plan.warmup) * 2 * self.plan.workloads.len() as u64
    }

    /// Runs all commands a few times without keeping results; returns the wall seconds of one block of all workloads.
    pub(crate) fn warm_up(&mut self, mut on_run: impl FnMut(u64)) -> Result<f64, Failure> {
        let mut wall_s = 0.0;
        for _ in 0..self.plan.warmup {
            for workload in 0..self.plan.workloads.len() {
                for arm in [Arm::Old, Arm::New] {
                    wall_s += self.alone(arm, workload, self.plan.seed)?.wall_s;
                    on_run(self.done as u64);
                }
            }
        }
        let runs = self.done as f64;
        self.done = 0;
        Ok(self.plan.block_wall_s(wall_s / runs))
    }

    /// Returns an error if a run so far was too short to mean anything.
    pub(crate) fn check_length(&self) -> anyhow::Result<()> {
        match &self.shortest {
            Some(run) if run.cpu_s < CPU_S_MIN => Err(anyhow!(
                "a run of '{}' uses {:.3} s of CPU, less than {CPU_S_MIN} s",
                run.line,
                run.cpu_s
            ))
            .next("make the workload longer, a second or so; or pass --allow-short"),
            _ => Ok(()),
        }
    }

    fn alone(&mut self, arm: Arm, workload: usize, seed: u64) -> Result<Observation, Failure> {
        let spec = self.spec(arm, workload, seed)?;
        let measured = process::run_measured(&spec);
        self.judged(measured, arm, workload)
    }

    fn spec(&self, arm: Arm, workload: usize, seed: u64) -> Result<RunSpec, Failure> {
        if interrupt::requested() {
            return Err(Failure::Interrupted { done: self.done });
        }
        Ok(RunSpec {
            command: CommandLine::Shell(self.plan.line(arm, workload)),
            stdout: Stdout::Discard,
            work: self.plan.work.clone(),
            seed: Some(seed),
            timeout: self.plan.timeout,
            cpus: self.plan.cpu.into_iter().collect(),
            ..RunSpec::default()
        })
    }

    /// Returns the observation of a run, if the run can be used.
    fn judged(
        &mut self,
        outcome: anyhow::Result<Measured>,
        arm: Arm,
        workload: usize,
    ) -> Result<Observation, Failure> {
        let line = self.plan.line(arm, workload);
        let measured = match outcome {
            Ok(measured) => measured,
            Err(error) => return Err(self.explain(error, arm, &line)),
        };
        if measured.exit != 0 {
            return Err(self.place(failed(&measured, &line), arm, &line));
        }
        self.done += 1;
        let cpu_s = measured.observation.user_s + measured.observation.system_s;
        if self
            .shortest
            .as_ref()
            .is_none_or(|shortest| cpu_s < shortest.cpu_s)
        {
            self.shortest = Some(Shortest { cpu_s, line });
        }
        Ok(measured.observation)
    }

    fn explain(&self, error: anyhow::Error, arm: Arm, line: &str) -> Failure {
        let step = match error.downcast_ref::<RunError>() {
            Some(RunError::Interrupted) => return Failure::Interrupted { done: self.done },
            Some(RunError::NoWork { .. }) => {
                "run it by hand, and make --work match a number above 0 in its standard output"
            }
            Some(RunError::TimedOut { .. }) => "raise --timeout, or make the workload shorter",
            Some(RunError::LeftBehind { .. }) => {
                "let the command end what it starts: their CPU belongs to the run"
            }
            _ => "run it by hand",
        };
        self.place(Advice::error(error, step), arm, line)
    }

    /// Adds to an error which run failed.
    fn place(&self, error: anyhow::Error, arm: Arm, line: &str) -> Failure {
        let arm = match arm {
            Arm::Old => "old",
            Arm::New => "new",
        };
        let run = self.done + 1;
        Failure::Other(error.context(format!("run {run}, {arm} command '{line}'")))
    }
}

impl Runner for Runs<'_> {
    type Error = Failure;

    fn run(&mut self, request: RunRequest) -> Result<Observation, Failure> {
        self.alone(request.arm, request.workload, request.seed)
    }

    fn run_pair(&mut self, pair: [RunRequest; 2]) -> Result<[Observation; 2], Failure> {
        let [first, second] = pair;
        let cpu = match self.plan.cpu {
            Some(cpu) => cpu,
            None => duet::one_cpu(first.seed)?,
        };
        let spec = |request: RunRequest| {
            let spec = self.spec(request.arm, request.workload, request.seed)?;
            Ok::<_, Failure>(RunSpec {
                cpus: vec![cpu],
                ..spec
            })
        };
        let specs = [spec(first)?, spec(second)?];
        // A failed run is reported with its own command, so both outcomes are kept.
        let outcomes = duet::together(
            || Ok(process::run_measured(&specs[0])),
            || Ok(process::run_measured(&specs[1])),
        )?;
        let [of_first, of_second] = outcomes;
        Ok([
            self.judged(of_first, first.arm, first.workload)?,
            self.judged(of_second, second.arm, second.workload)?,
        ])
    }
}

/// Returns the error for a run that failed, with the end of its error output.
fn failed(measured: &Measured, line: &str) -> anyhow::Error {
    let said = measured.stderr_tail.trim_end();
    let indented: String = said.lines().map(|line| format!("\n  | {line}")).collect();
    let program = line.split_ascii_whitespace().next().unwrap_or_default();
    let (fact, step) = match measured.exit {
        SHELL_NOT_FOUND => (
            "command not found".to_owned(),
            format!("check that '{program}' is there and spelt right"),
        ),
        SHELL_NOT_EXECUTABLE => ("not executable".to_owned(), format!("chmod +x {program}")),
        exit @ 129.. => (
            format!("ended by signal {}", exit - 128),
            "run it by hand".to_owned(),
        ),
        exit => (
            format!("exit status {exit}"),
            "run it by hand: a run that fails proves nothing".to_owned(),
        ),
    };
    Advice::error(anyhow!("{fact}{indented}"), step)
}

#[cfg(test)]
mod tests {
    use hone_files::advice::render;

    use super::*;
    use crate::plan::tests::request;

    fn plan() -> Plan {
        Plan::new(request("./a --x")).unwrap()
    }

    fn measured(exit: i32, stderr_tail: &str, cpu_s: f64) -> Measured {
        Measured {
            observation: Observation {
                user_s: cpu_s,
                system_s: 0.0,
                wall_s: cpu_s,
                peak_rss_bytes: 1 << 20,
                work: None,
                stolen_s: 0.0,
                service: None,
            },
            exit,
            stdout_sha256: String::new(),
            captured: None,
            stderr_tail: stderr_tail.into(),
        }
    }

    /// Returns what the user reads of the first run, if it cannot be used.
    #[track_caller]
    fn said_of(outcome: anyhow::Result<Measured>) -> String {
        match Runs::new(&plan()).judged(outcome, Arm::New, 0) {
            Err(Failure::Other(error)) => render(&error),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_that_fails_is_named_with_its_reason_and_the_next_step() {
        for (exit, fact, next) in [
            (
                127,
                "command not found",
                "check that './a' is there and spelt right",
            ),
            (126, "not executable", "chmod +x ./a"),
            (137, "ended by signal 9", "run it by hand"),
            (
                3,
                "exit status 3",
                "run it by hand: a run that fails proves nothing",
            ),
        ] {
            assert_eq!(
                said_of(Ok(measured(exit, "spoken\n", 1.0))),
                format!("hone: run 1, new command './a --x': {fact}\n  | spoken\nnext: {next}\n")
            );
        }
    }

    #[test]
    fn a_run_without_measurement_gets_the_next_step() {
        let no_work = RunError::NoWork {
            expression: "did ([0-9]+)".into(),
            found: None,
        };
        let timed_out = RunError::TimedOut {
            seconds: 0.2,
            words: String::new(),
        };
        let left_behind = RunError::LeftBehind {
            names: vec!["sleep".into()],
        };
        for (error, fact, next) in [
            (
                no_work,
                "'did ([0-9]+)' finds no number",
                "make --work match a number above 0",
            ),
            (timed_out, "still running after 0.2 s", "raise --timeout"),
            (
                left_behind,
                "left processes running: sleep",
                "let the command end what it starts",
            ),
        ] {
            let said = said_of(Err(error.into()));
            let (first, step) = said.split_once("\nnext: ").unwrap();
            assert!(first.contains(fact) && step.contains(next), "{said}");
        }
    }

    #[test]
    fn an_interruption_is_no_failed_run() {
        let plan = plan();
        let mut runs = Runs::new(&plan);
        runs.judged(Ok(measured(0, "", 1.0)), Arm::Old, 0).unwrap();
        let interrupted = runs.judged(Err(RunError::Interrupted.into()), Arm::New, 0);
        assert!(matches!(interrupted, Err(Failure::Interrupted { done: 1 })));
    }

    #[test]
    fn the_shortest_run_decides_whether_runs_are_long_enough() {
        let plan = plan();
        let mut runs = Runs::new(&plan);
        runs.judged(Ok(measured(0, "", 0.2)), Arm::Old, 0).unwrap();
        assert!(runs.check_length().is_ok());
        runs.judged(Ok(measured(0, "", 0.1)), Arm::New, 0).unwrap();
        runs.judged(Ok(measured(0, "", 5.0)), Arm::Old, 0).unwrap();
        assert_eq!(
            render(&runs.check_length().unwrap_err()),
            "hone: a run of './a --x' uses 0.100 s of CPU, less than 0.2 s\n\
             next: make the workload longer, a second or so; or pass --allow-short\n"
        );
    }
}
