//! The order of the runs, and the loop that performs them.
//!
//! Runs come in blocks of four, `old new new old` or `new old old new` at the toss of a coin: a drift that
//! is linear over a block cancels out of its log-ratio, and the part that is not linear falls on either arm with
//! the same probability (ABBA designs and randomisation: Box, Hunter & Hunter, *Statistics for
//! Experimenters*, 2nd edition 2005, chapters 3 and 4). A round holds one block of every workload, in random
//! order, so that all workloads see the whole stretch of time. All blocks of a round have the same layout.

use std::collections::VecDeque;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::analyse::Looking;
use crate::experiment::{Arm, Experiment, Run, RunRequest, Runner, Schedule};

/// Number of runs in one block: two of either arm.
pub const RUNS_PER_BLOCK: usize = 4;

/// Constant that separates the seed of the order of layouts from the seed of everything else.
const LAYOUT_SEED: u64 = 0x6c61_796f_7574_7321;

impl Schedule {
    /// Returns the runs in their order. The same schedule always gives the same order.
    pub fn requests(&self) -> Requests {
        Requests {
            rng: ChaCha8Rng::seed_from_u64(self.seed),
            layout_rng: ChaCha8Rng::seed_from_u64(self.seed ^ LAYOUT_SEED),
            layouts: self.layouts,
            layouts_left: Vec::new(),
            workloads: self.workloads.len(),
            blocks: self.blocks,
            next_block: 0,
            pending: VecDeque::new(),
        }
    }

    /// Returns the layout of each of the first blocks.
    pub(crate) fn layouts_of_blocks(&self, blocks: usize) -> Vec<usize> {
        let mut order = self.requests();
        (0..blocks).map(|_| order.next_layout()).collect()
    }

    /// Returns the number of runs, if the experiment does not end early.
    pub fn runs(&self) -> usize {
        self.workloads
            .len()
            .saturating_mul(self.blocks)
            .saturating_mul(RUNS_PER_BLOCK)
    }
}

/// The runs of a schedule; see [`Schedule::requests`].
#[derive(Clone, Debug)]
pub struct Requests {
    rng: ChaCha8Rng,
    /// Separate generator, so that experiments with one layout keep the order of runs that they always had.
    layout_rng: ChaCha8Rng,
    layouts: usize,
    layouts_left: Vec<usize>,
    workloads: usize,
    blocks: usize,
    next_block: usize,
    pending: VecDeque<RunRequest>,
}

impl Iterator for Requests {
    type Item = RunRequest;

    fn next(&mut self) -> Option<RunRequest> {
        if self.pending.is_empty() && self.next_block < self.blocks {
            self.lay_out_round();
        }
        self.pending.pop_front()
    }
}

impl Requests {
    fn lay_out_round(&mut self) {
        let block = self.next_block;
        self.next_block += 1;
        let layout = self.next_layout();
        let mut order: Vec<usize> = (0..self.workloads).collect();
        order.shuffle(&mut self.rng);
        for workload in order {
            let seed = self.rng.random();
            let (outer, inner) = if self.rng.random() {
                (Arm::Old, Arm::New)
            } else {
                (Arm::New, Arm::Old)
            };
            for arm in [outer, inner, inner, outer] {
                self.pending.push_back(RunRequest {
                    arm,
                    workload,
                    block,
                    seed,
                    layout,
                });
            }
        }
    }

    /// Returns each layout once, in random order, before any is repeated: each layout sees the whole stretch of time.
    fn next_layout(&mut self) -> usize {
        if self.layouts_left.is_empty() {
            self.layouts_left = (0..self.layouts.max(1)).collect();
            self.layouts_left.shuffle(&mut self.layout_rng);
        }
        self.layouts_left.pop().unwrap_or(0)
    }
}

/// Performs a schedule from its beginning.
///
/// `on_run` sees the experiment after every run, in duets after every pair, and can show progress or store the experiment.
/// An error ends the experiment and is returned with the runs measured so far, for [`resume`].
pub fn perform<R: Runner>(
    schedule: Schedule,
    old: impl Into<String>,
    new: impl Into<String>,
    runner: &mut R,
    on_run: impl FnMut(&Experiment),
) -> Result<Experiment, Box<Stopped<R::Error>>> {
    let empty = Experiment {
        old: old.into(),
        new: new.into(),
        schedule,
        runs: Vec::new(),
    };
    resume(empty, runner, on_run)
}

/// Performs the missing runs of an experiment.
///
/// Only whole blocks are kept, since an interrupted block would compare runs of different times, and only if their
/// runs are those of the schedule. If the experiment may end early, its looks are taken again from the first one on, so
/// that the experiment ends where it would have ended without the interruption.
pub fn resume<R: Runner>(
    mut experiment: Experiment,
    runner: &mut R,
    mut on_run: impl FnMut(&Experiment),
) -> Result<Experiment, Box<Stopped<R::Error>>> {
    let kept = finished_runs(&experiment);
    experiment.runs.truncate(kept);
    let early = Looking::at(&experiment.schedule);
    if let Some(runs) = early.end_of(&experiment) {
        experiment.runs.truncate(runs);
        return Ok(experiment);
    }
    let mut requests = experiment.schedule.requests().skip(kept);
    while let Some(request) = requests.next() {
        let partner = match experiment.schedule.duet {
            true => requests.next(),
            false => None,
        };
        match observe(runner, request, partner) {
            Ok(runs) => experiment.runs.extend(runs),
            Err(error) => {
                return Err(Box::new(Stopped {
                    experiment,
                    request,
                    error,
                }));
            }
        }
        on_run(&experiment);
        if early.ends_here(&experiment) {
            break;
        }
    }
    Ok(experiment)
}

/// Performs one run, or two at the same time.
fn observe<R: Runner>(
    runner: &mut R,
    request: RunRequest,
    partner: Option<RunRequest>,
) -> Result<Vec<Run>, R::Error> {
    let run = |request, observation| Run {
        request,
        observation,
    };
    Ok(match partner {
        None => vec![run(request, runner.run(request)?)],
        Some(partner) => {
            let [first, second] = runner.run_pair([request, partner])?;
            vec![run(request, first), run(partner, second)]
        }
    })
}

/// Returns the number of runs that [`resume`] would keep.
pub fn finished_runs(experiment: &Experiment) -> usize {
    let matching = experiment
        .runs
        .iter()
        .zip(experiment.schedule.requests())
        .take_while(|(run, request)| run.request == *request)
        .count();
    matching - matching % RUNS_PER_BLOCK
}

/// An experiment that ended before its schedule did.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped<E> {
    /// Experiment with the runs measured so far.
    pub experiment: Experiment,
    /// The run that failed; in a duet, the first of the two runs.
    pub request: RunRequest,
    /// Error of the run.
    pub error: E,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::experiment::{Metric, Observation, Stopping};

    fn schedule(workloads: usize, blocks: usize, seed: u64) -> Schedule {
        Schedule {
            workloads: (0..workloads).map(|i| format!("w{i}")).collect(),
            blocks,
            seed,
            metric: Metric::CpuSeconds,
            confidence: 0.95,
            stopping: Stopping::Fixed,
            layouts: 1,
            duet: false,
        }
    }

    fn observation(user_s: f64) -> Observation {
        Observation {
            user_s,
            system_s: 0.0,
            wall_s: user_s,
            peak_rss_bytes: 1,
            work: None,
            stolen_s: 0.0,
            service: None,
        }
    }

    /// Runner that numbers the runs in their order, and fails at one of them.
    struct Counting {
        served: usize,
        fail_at: Option<usize>,
        requests: Vec<RunRequest>,
    }

    impl Counting {
        fn new(fail_at: Option<usize>) -> Self {
            Self {
                served: 0,
                fail_at,
                requests: Vec::new(),
            }
        }
    }

    impl Runner for Counting {
        type Error = &'static str;

        fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error> {
            if self.fail_at == Some(self.served) {
                return Err("the run failed");
            }
            self.served += 1;
            self.requests.push(request);
            Ok(observation(self.served as f64))
        }
    }

    proptest! {
        #[test]
        fn every_block_is_abba_or_baab_and_contiguous(
            workloads in 1usize..5,
            blocks in 1usize..20,
            seed: u64,
        ) {
            let requests: Vec<_> = schedule(workloads, blocks, seed).requests().collect();
            prop_assert_eq!(requests.len(), schedule(workloads, blocks, seed).runs());
            let mut seen = HashMap::new();
            for four in requests.chunks(RUNS_PER_BLOCK) {
                prop_assert_eq!(four[0].arm, four[3].arm);
                prop_assert_eq!(four[1].arm, four[2].arm);
                prop_assert_ne!(four[0].arm, four[1].arm);
                for run in four {
                    prop_assert_eq!(run.workload, four[0].workload);
                    prop_assert_eq!(run.block, four[0].block);
                    prop_assert_eq!(run.seed, four[0].seed);
                }
                *seen.entry((four[0].workload, four[0].block)).or_insert(0) += 1;
            }
            prop_assert_eq!(seen.len(), workloads * blocks);
            prop_assert!(seen.values().all(|&times| times == 1));
            prop_assert!(requests.windows(2).all(|pair| pair[0].block <= pair[1].block));
        }
    }

    #[test]
    fn both_orders_of_arms_and_of_workloads_occur() {
        let requests: Vec<_> = schedule(2, 100, 7).requests().collect();
        let first_runs = requests.iter().step_by(RUNS_PER_BLOCK);
        let abba = first_runs.clone().filter(|run| run.arm == Arm::Old).count();
        let first_workloads = first_runs
            .step_by(2)
            .filter(|run| run.workload == 0)
            .count();
        // 200 and 100 tosses of a fair coin.
        assert!((70..=130).contains(&abba), "{abba}");
        assert!((30..=70).contains(&first_workloads), "{first_workloads}");
    }

    #[test]
    fn seeds_change_the_order() {
        let one: Vec<_> = schedule(2, 10, 1).requests().collect();
        let again: Vec<_> = schedule(2, 10, 1).requests().collect();
        let other: Vec<_> = schedule(2, 10, 2).requests().collect();
        assert_eq!(one, again);
        assert_ne!(one, other);
    }

    #[test]
    fn a_failure_hands_back_what_was_measured_and_resume_completes_it() {
        let mut failing = Counting::new(Some(10));
        let stopped = perform(schedule(2, 3, 5), "a", "b", &mut failing, |_| {}).unwrap_err();
        assert_eq!(stopped.error, "the run failed");
        assert_eq!(stopped.experiment.runs.len(), 10);

        // Ten runs are two whole blocks and a half one, which is run again.
        assert_eq!(finished_runs(&stopped.experiment), 8);
        let mut rest = Counting::new(None);
        let mut lengths = Vec::new();
        let whole = resume(stopped.experiment, &mut rest, |so_far| {
            lengths.push(so_far.runs.len());
        })
        .unwrap();
        assert_eq!(rest.served, 16);
        assert_eq!(lengths, (9..=24).collect::<Vec<_>>());
        let expected: Vec<_> = schedule(2, 3, 5).requests().collect();
        let performed: Vec<_> = whole.runs.iter().map(|run| run.request).collect();
        assert_eq!(performed, expected);
    }

    /// Runner that performs only pairs.
    struct Duets(Vec<[RunRequest; 2]>);

    impl Runner for Duets {
        type Error = &'static str;

        fn run(&mut self, _: RunRequest) -> Result<Observation, Self::Error> {
            Err("not a duet")
        }

        fn run_pair(&mut self, pair: [RunRequest; 2]) -> Result<[Observation; 2], Self::Error> {
            self.0.push(pair);
            Ok(pair.map(|request| match request.arm {
                Arm::Old => observation(2.0),
                Arm::New => observation(1.0),
            }))
        }
    }

    #[test]
    fn duets_are_pairs_of_both_arms_in_the_order_of_the_schedule() {
        let duet = Schedule {
            duet: true,
            ..schedule(2, 3, 5)
        };
        let mut runner = Duets(Vec::new());
        let mut lengths = Vec::new();
        let whole = perform(duet.clone(), "a", "b", &mut runner, |so_far| {
            lengths.push(so_far.runs.len());
        })
        .unwrap();
        assert_eq!(lengths, (2..=24).step_by(2).collect::<Vec<_>>());
        let expected: Vec<_> = duet.requests().collect();
        assert_eq!(runner.0.concat(), expected);
        assert!(runner.0.iter().all(|[one, other]| one.arm != other.arm));
        for run in &whole.runs {
            let cost = if run.request.arm == Arm::Old {
                2.0
            } else {
                1.0
            };
            assert_eq!(run.observation.user_s, cost);
        }
    }

    #[test]
    fn runs_of_another_schedule_are_not_kept() {
        let whole = perform(
            schedule(1, 4, 5),
            "a",
            "b",
            &mut Counting::new(None),
            |_| {},
        )
        .unwrap();
        let foreign = Experiment {
            schedule: schedule(1, 4, 6),
            ..whole.clone()
        };
        assert_eq!(finished_runs(&whole), 16);
        assert_eq!(finished_runs(&foreign), 0);
    }

    #[test]
    fn a_finished_experiment_starts_nothing() {
        let whole = perform(
            schedule(1, 4, 5),
            "a",
            "b",
            &mut Counting::new(None),
            |_| {},
        )
        .unwrap();
        let again = resume(whole.clone(), &mut Counting::new(Some(0)), |_| {}).unwrap();
        assert_eq!(again, whole);
    }
}
