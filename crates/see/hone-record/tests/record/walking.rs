//! Walked branches: that every one is true, that they hang together, and that the program does not notice.

use crate::common::{Program, Recorded, compile, share};
use hone_profile::BinaryKind;
use hone_record::{BranchSource, Engine, Options, Sampler, Snapshot};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use std::fs;
use std::path::Path;

fn walked(program: &Program, arguments: &[&str], change: impl Fn(&mut Options)) -> Recorded {
    let mut options = program.options(arguments);
    options.branches = BranchSource::Walk;
    change(&mut options);
    program.record(&options).unwrap()
}

/// Decodes with file offsets as addresses, which works within one segment.
fn instruction(code: &[u8], offset: u64) -> Instruction {
    let mut decoder = Decoder::with_ip(64, &code[offset as usize..], offset, DecoderOptions::NONE);
    decoder.decode()
}

/// Branch stacks, oldest entry first, in file offsets of the program; entries elsewhere are `None`.
fn stacks(program: &Program, recorded: &Recorded) -> Vec<Vec<(Option<u64>, Option<u64>)>> {
    let profile = &recorded.profile;
    // Without perf events mappings are looked at every 100 ms only, and those of a program that starts change.
    let settled_ns = match recorded.summary.sampler.as_str() {
        "ptrace-timer" => 200_000_000,
        _ => 0,
    };
    let began_ns = profile.samples.iter().map(|sample| sample.time_ns).min();
    let place = |id, time_ns: u64| {
        let location = profile.location(id);
        let binary = profile.binary(location.binary);
        let is_settled = time_ns >= began_ns.unwrap_or(0) + settled_ns;
        assert!(
            binary.kind != BinaryKind::Unmapped || !is_settled,
            "a branch outside of every mapping"
        );
        (Path::new(&binary.path) == program.binary).then_some(location.offset.0)
    };
    profile
        .samples
        .iter()
        .filter(|sample| profile.events[sample.event.index()].name == "hone-walk")
        .map(|sample| {
            let branches = profile.branches_of(sample);
            branches
                .iter()
                .rev()
                .map(|b| (place(b.from, sample.time_ns), place(b.to, sample.time_ns)))
                .collect()
        })
        .collect()
}

/// Checks a branch against the code and says whether it is a call.
fn check_branch(code: &[u8], from: u64, to: Option<u64>) -> bool {
    let branch = instruction(code, from);
    match branch.flow_control() {
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch | FlowControl::Call => {
            assert_eq!(
                Some(branch.near_branch_target()),
                to,
                "{from:#x} branches elsewhere"
            );
        }
        FlowControl::IndirectBranch | FlowControl::IndirectCall | FlowControl::Return => {}
        other => panic!("{from:#x} is no branch: {other:?}"),
    }
    matches!(
        branch.flow_control(),
        FlowControl::Call | FlowControl::IndirectCall
    )
}

/// Checks that straight-line code leads from one branch's target to the next branch.
fn check_range(code: &[u8], start: u64, end: u64) {
    let mut at = start;
    while at < end {
        let passed = instruction(code, at);
        assert!(!passed.is_invalid(), "{at:#x} cannot be decoded");
        assert!(
            matches!(
                passed.flow_control(),
                FlowControl::Next | FlowControl::ConditionalBranch
            ),
            "{at:#x} between {start:#x} and {end:#x} never goes on behind itself"
        );
        at += passed.len() as u64;
    }
    assert_eq!(at, end, "the range from {start:#x} does not meet {end:#x}");
}

/// Turns of the program, more each time until a busy machine too leaves enough of them to be walked.
const TURNS: [&str; 3] = ["30000000", "120000000", "480000000"];

/// Records with walks and checks every branch and every range between two; how many of either were checked.
fn check_all(
    program: &Program,
    turns: &str,
    (engine, sampler, depth): (Engine, Sampler, u32),
) -> (u64, u64) {
    let recorded = walked(program, &[turns], |options| {
        options.walker = engine;
        options.sampler = sampler;
        options.branch_depth = depth;
    });
    assert_eq!(
        (
            recorded.summary.exit_code,
            recorded.summary.branch_source.as_str()
        ),
        (Some(7), "walk")
    );
    let code = fs::read(&program.binary).unwrap();
    let (mut branches, mut ranges, mut new) = (0_u64, 0_u64, 0_u64);
    let stacks = stacks(program, &recorded);
    for stack in &stacks {
        assert!(stack.len() <= depth as usize);
        new += stack.len() as u64;
        for (from, to) in stack {
            if let Some(from) = from {
                check_branch(&code, *from, *to);
                branches += 1;
            }
        }
        for pair in stack.windows(2) {
            if let (Some(to), Some(from)) = (pair[0].1, pair[1].0) {
                check_range(&code, to, from);
                ranges += 1;
            }
        }
    }
    // The oldest of every stack but a walk's first repeats one that was counted.
    let walks = recorded.summary.walks;
    assert_eq!(recorded.summary.walks_belied, 0);
    let repeated = stacks.len() as u64 - walks;
    assert_eq!(new - repeated, recorded.summary.branch_records);
    assert_eq!(recorded.summary.walk_ends.values().sum::<u64>(), walks);
    (branches, ranges)
}

fn every_branch_is_true(ways: &[(Engine, Sampler, u32)]) {
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    for &way in ways {
        let mut checked = TURNS.iter().map(|turns| check_all(&program, turns, way));
        let is_enough = |&(branches, ranges): &(u64, u64)| branches > 1_000 && ranges > 1_000;
        assert!(checked.any(|checked| is_enough(&checked)), "{way:?}");
    }
}

#[test]
fn every_branch_is_in_the_code_and_every_range_between_them_too() {
    every_branch_is_true(&[
        (Engine::Emulate, Sampler::Auto, 32),
        (Engine::Step, Sampler::Ptrace, 7),
    ]);
}

#[test]
#[ignore = "finds by samples"]
fn whatever_samples_and_walks_every_branch_is_in_the_code() {
    every_branch_is_true(&[
        (Engine::Emulate, Sampler::Ptrace, 16),
        (Engine::Step, Sampler::Auto, 32),
    ]);
}

#[test]
#[ignore = "finds by samples"]
fn calls_are_walked_as_often_as_they_are_made() {
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    for (engine, turns) in [(Engine::Emulate, "20000000"), (Engine::Step, "60000000")] {
        let recorded = walked(&program, &[turns], |options| {
            options.walker = engine;
            options.overhead = 0.05;
        });
        let functions = program.functions();
        let code = fs::read(&program.binary).unwrap();
        let (mut to_alpha, mut to_beta) = (0.0, 0.0);
        for stack in stacks(&program, &recorded) {
            for (from, to) in &stack[1..] {
                if let (Some(from), Some(to)) = (from, to)
                    && check_branch(&code, *from, Some(*to))
                {
                    to_alpha += f64::from(*to == functions["alpha"].0);
                    to_beta += f64::from(*to == functions["beta"].0);
                }
            }
        }
        assert!(to_beta > 100.0, "{engine:?}: {:?}", recorded.summary);
        let ratio: f64 = to_alpha / to_beta;
        assert!(
            (2.8..3.2).contains(&ratio),
            "{engine:?}: alpha is called 3 times as often as beta, not {ratio}"
        );
    }
}

/// A walk by the way that stops nothing goes as far as it can without vectors, and is as true.
#[test]
#[ignore = "finds by samples"]
fn without_a_stop_every_branch_is_true_too() {
    let capabilities = hone_record::capabilities();
    if !capabilities.cpu_clock.works || !capabilities.real_time_priority.works {
        println!("skipped: perf events or real-time priority are refused here");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    // Where more samples are asked for, only some of them wake a walker.
    for frequency_hz in [None, Some(1_009)] {
        let recorded = walked(&program, &["30000000"], |options| {
            options.snapshot = Snapshot::Preempt;
            options.overhead = 0.05;
            options.frequency_hz = frequency_hz;
        });
        let code = fs::read(&program.binary).unwrap();
        let mut branches = 0;
        for stack in stacks(&program, &recorded) {
            for (from, to) in stack {
                if let Some(from) = from {
                    check_branch(&code, from, to);
                    branches += 1;
                }
            }
        }
        let summary = &recorded.summary;
        assert!(branches > 1_000, "{summary:?}");
        assert_eq!(recorded.profile.losses.malformed_records, 0);
        let expected = f64::from(summary.rate_hz) * summary.target_cpu_s;
        assert!(summary.samples as f64 > expected / 10.0, "{summary:?}");
        assert!(summary.samples >= summary.walks, "{summary:?}");
    }
}

#[test]
#[ignore = "finds by samples"]
fn walking_does_not_show_in_the_ip_samples() {
    if !hone_record::capabilities().cpu_clock.works {
        println!("skipped: perf events are refused here");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    let with = walked(&program, &["20000000"], |options| {
        options.walker = Engine::Step;
        options.frequency_hz = Some(997);
    });
    let without = walked(&program, &["20000000"], |options| {
        options.branches = BranchSource::None
    });
    // A step uses hardly any cycles of user code, but time.
    if with.summary.sampler == "cycles:u" {
        println!("skipped: cycles of user code do not see the steps");
    } else {
        assert!(with.summary.samples_in_walks > 0);
    }
    let [mut with, mut without] = [with, without].map(|r| r.weight_by_function(&program));
    // How much of it there is depends on what else the machine does.
    let in_kernel = share(&with, "kernel") - share(&without, "kernel");
    assert!(in_kernel < 0.15, "{with:?} {without:?}");
    with.remove("kernel");
    without.remove("kernel");
    for name in ["alpha", "beta", "main"] {
        let (a, b) = (share(&with, name), share(&without, name));
        assert!(
            (a - b).abs() < 0.06,
            "{name}: {a:.3} with walks, {b:.3} without"
        );
    }
    assert!(share(&with, "elsewhere") < 0.05, "{with:?}");
}

#[test]
#[ignore = "finds by samples"]
fn a_seed_of_moments_leaves_output_and_exit_status_alone() {
    for (engine, (source, arguments, walk_rate)) in [Engine::Step, Engine::Emulate]
        .into_iter()
        .flat_map(|engine| {
            [
                ("loops.c", &["30000000"][..], 40.0),
                ("signals.c", &["300000000"], 200.0),
                ("family.c", &[], 40.0),
                ("stopping.c", &[], 200.0),
            ]
            .map(|case| (engine, case))
        })
    {
        let Some(program) = compile(source, &[]) else {
            return;
        };
        let alone = program.run_alone(arguments);
        let recorded = walked(&program, arguments, |options| {
            options.walker = engine;
            options.overhead = 0.2;
            options.walks_per_s = walk_rate;
            options.walk_instructions_max = 300;
        });
        assert!(recorded.summary.walks > 0, "{engine:?} {source}");
        assert_eq!(
            (recorded.stdout, recorded.summary.exit_code),
            alone,
            "{engine:?} {source}"
        );
    }
}

#[test]
#[ignore = "finds by samples"]
fn waiting_system_calls_are_not_seen_to_be_interrupted() {
    let Some(program) = compile("waiting.c", &[]) else {
        return;
    };
    for sampler in [Sampler::Auto, Sampler::Ptrace] {
        let recorded = walked(&program, &["200000"], |options| {
            options.walker = Engine::Step;
            options.sampler = sampler;
            options.frequency_hz = Some(250);
            options.walks_per_s = 5_000.0;
            options.walk_instructions_max = 5;
        });
        let summary = &recorded.summary;
        assert!(summary.walks > 20, "{summary:?}");
        assert!(
            summary
                .walks_not_begun
                .get("in the kernel")
                .is_some_and(|count| *count > 50),
            "no stop hit a system call, so this shows nothing: {summary:?}"
        );
        assert_eq!(recorded.stdout, "seen=200000+200000 interrupted=0\n");
        assert_eq!(summary.exit_code, Some(2));
    }
}
