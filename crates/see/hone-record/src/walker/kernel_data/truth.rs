//! Comparison of walks through the functions of the vdso with single steps of the same thread.
//!
//! Walk and steps see different times, and the kernel changes the clock's page under the steps, which then repeat a loop
//! of the vdso. So a walk may differ from the steps at a branch of the vdso, but not elsewhere, and not always.

use super::super::emulate::Emulator;
use super::super::{End, Walk, state, stop};
use crate::announcements::VDSO;
use crate::procfs;
use crate::random::Random;
use crate::sys::ptrace::{self, Registers};
use crate::sys::wait;
use crate::sys::xstate::Layout;
use crate::tracer::Running;
use iced_x86::{Decoder, FlowControl, Instruction};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use testkit::{Made, has_tools};

/// Number of branches in a walk: a dozen calls.
const BRANCHES: u32 = 96;
/// Number of walks that must equal the steps to the last branch.
const EQUAL: u32 = 12;
const WALKS_MAX: u32 = 600;
const FUNCTIONS: [&str; 6] = [
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "time",
    "getcpu",
    "getrandom",
];
/// Those of them whose way does not hang on the moment, however slow the steps are.
const STEADY: [&str; 3] = ["clock_getres", "time", "getcpu"];

/// A program that calls one function for ever; dropping the value ends the program.
struct Caller {
    child: Child,
    vdso: Range<u64>,
}

impl Drop for Caller {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn compiled(flags: &[&str]) -> Option<PathBuf> {
    if !has_tools(&["cc"]) {
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/clocks.c");
    let made = Made::new("record-clocks")
        .with_tools(&["cc"])
        .with_words(flags)
        .with_file(&source);
    let directory = made.if_by(|directory| {
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-g"]).args(flags);
        compiler.arg("-o").arg(directory.join("clocks"));
        let status = compiler.arg(&source).status();
        status.is_ok_and(|status| status.success())
    });
    if directory.is_none() {
        println!("skipped: cc cannot build a program with {flags:?}");
    }
    Some(directory?.join("clocks"))
}

impl Caller {
    fn start(binary: &Path, function: &str) -> Option<Self> {
        let mut command = Command::new(binary);
        let mut child = command
            .arg(function)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let mappings = procfs::mappings(child.id() as i32);
        let vdso = mappings.iter().find(|mapping| mapping.path == VDSO);
        let vdso = vdso.map_or(0..0, |mapping| mapping.start..mapping.end);
        let caller = Self { child, vdso };
        if line != "ready\n" {
            println!("skipped: this kernel has no {function} that calls nothing");
            return None;
        }
        Some(caller)
    }

    fn thread(&self) -> Running {
        let pid = self.child.id() as i32;
        let cpu = procfs::thread_state(pid).map_or(0, |state| state.cpu);
        Running { pid, tid: pid, cpu }
    }
}

/// Returns the taken branches of `count` single steps from the address `from` on.
fn step(thread: Running, from: u64, count: u32) -> Vec<(u64, u64)> {
    let mut branches = Vec::new();
    let mut at = from;
    for _ in 0..count {
        let mut bytes = [0; 15];
        let read = crate::sys::memory::read(thread.pid, at, &mut bytes).unwrap();
        let instruction = Decoder::with_ip(64, &bytes[..read], at, 0).decode();
        ptrace::single_step(thread.tid).unwrap();
        wait::until_change_of(thread.tid).unwrap();
        let next = ptrace::instruction_pointer(thread.tid).unwrap();
        if is_taken(&instruction, next) {
            branches.push((at, next));
        }
        at = next;
    }
    branches
}

fn is_taken(instruction: &Instruction, next: u64) -> bool {
    match instruction.flow_control() {
        FlowControl::Next => false,
        FlowControl::ConditionalBranch => next != instruction.next_ip(),
        _ => true,
    }
}

/// Result of one walk.
enum Outcome {
    Equal {
        began_inside: bool,
    },
    /// Walk and steps differ at a branch of the vdso, or at the last branch.
    Parted,
    /// This kernel's clock needs a system call.
    SystemCall,
}

fn compare(walk: &Walk, truth: &[(u64, u64)], caller: &Caller, registers: &Registers) -> Outcome {
    let in_vdso = |at: u64| caller.vdso.contains(&at);
    if walk.end == End::Emulated(hone_emulate::End::Syscall) {
        return Outcome::SystemCall;
    }
    assert_eq!(walk.end.name(), "full length", "{:?}", walk.end);
    let ours = walk.branches.iter().map(|taken| (taken.from, taken.to));
    let parted = ours
        .clone()
        .zip(truth.iter().copied())
        .find(|(a, b)| a != b);
    match parted {
        Some((ours, real)) => {
            assert!(
                in_vdso(ours.0) || in_vdso(real.0),
                "emulated {ours:x?}, real {real:x?}"
            );
            Outcome::Parted
        }
        // The last branch of the walk was not taken by the thread, or a branch that was not taken cost steps.
        None if truth.len() != walk.branches.len() => Outcome::Parted,
        None => {
            assert!(ours.clone().any(|(from, to)| in_vdso(from) && !in_vdso(to)));
            Outcome::Equal {
                began_inside: in_vdso(registers.rip),
            }
        }
    }
}

/// Walks through one function until enough walks equal the steps.
fn walks_are_true(caller: &Caller, function: &str) {
    let emulator = Emulator::new(BRANCHES);
    let mut stops = stop::Stops::default();
    let mut random = Random::new(1);
    let (mut equal, mut inside, mut outside, mut parted, mut calls) = (0, 0, 0, 0, 0);
    for _ in 0..WALKS_MAX {
        if equal >= EQUAL && inside > 0 && outside > 0 {
            break;
        }
        std::thread::sleep(Duration::from_micros(300 + random.below(700) as u64));
        let thread = caller.thread();
        let stop::Stop::InUserCode(registers) = stops.stop(thread.pid, thread.tid) else {
            stops.attend();
            continue;
        };
        let snapshot = state::stopped(
            thread.tid,
            &registers,
            Layout::of_this_cpu(),
            &mut Vec::new(),
        );
        let mut prepared = emulator.prepare(thread.pid);
        let walk = emulator.walk(&mut prepared, thread, snapshot, u64::MAX);
        emulator.done(prepared);
        let truth = step(thread, registers.rip, walk.steps);
        stops.go_on(thread.pid, thread.tid);
        match compare(&walk, &truth, caller, &registers) {
            Outcome::Equal { began_inside } => {
                equal += 1;
                inside += u32::from(began_inside);
                outside += u32::from(!began_inside);
            }
            Outcome::Parted => parted += 1,
            Outcome::SystemCall => calls += 1,
        }
    }
    if calls > 0 && equal == 0 {
        println!("skipped: {function} is a system call with this kernel's clock");
        return;
    }
    println!(
        "{function}: {equal} walks equal ({inside} began inside), {parted} parted, {calls} at a call"
    );
    assert!(
        equal >= EQUAL && inside > 0 && outside > 0,
        "{function}: {equal} equal, {inside} inside, {outside} outside, {parted} parted"
    );
}

fn functions_are_walked(flags: &[&str], functions: &[&str]) {
    let Some(binary) = compiled(flags) else {
        return;
    };
    for function in functions {
        if let Some(caller) = Caller::start(&binary, function) {
            walks_are_true(&caller, function);
        }
    }
}

#[test]
fn walks_go_through_functions_of_the_kernel_as_the_cpu_does() {
    functions_are_walked(&[], &STEADY);
}

#[test]
#[ignore = "finds by samples"]
fn walks_go_through_the_clocks_of_the_kernel_as_the_cpu_does() {
    functions_are_walked(&[], &FUNCTIONS);
}

#[test]
#[ignore = "finds by samples"]
fn walks_of_a_static_program_go_through_the_clocks_of_the_kernel_too() {
    functions_are_walked(&["-static"], &FUNCTIONS);
}
