//! Real programs: a walk from a stopped program, against single steps of the same program.
//!
//! Compared are every taken branch, the registers, flags and vectors at the end, and all memory that the
//! walk wrote, as far as the walk claims to know them. One program does the same in every run and is looked at after so many
//! instructions; the others are looked at whenever the clock says.

use crate::common::programs::{self, Program};
use crate::common::{
    Layout, RIP, Raw, Stepper, Stopped, cpu, differences, mappings_of, server, state_of,
};
use hone_emulate::{Branch, Counts, End, Limits, Memory, PAGE_BYTES, State, Walker};
use hone_profile::Avma;
use iced_x86::{Decoder, FlowControl, Instruction};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Instant;
use testkit::is_long;

/// Branches of a full walk.
const BRANCHES: usize = 1024;

/// What a program's windows came to.
#[derive(Default)]
struct Tally {
    walks: u64,
    full: u64,
    ends: BTreeMap<String, u64>,
    checked_walks: u64,
    checked_instructions: u64,
    checked_branches: u64,
    instructions: u64,
    walking_s: f64,
    failures: Vec<String>,
}

/// One walk from the stopped program.
struct Walk {
    end: End,
    state: State,
    branches: Vec<Branch>,
    counts: Counts,
    written: Vec<(u64, Vec<(u8, bool)>)>,
}

fn walk(
    walker: &mut Walker,
    raw: &Raw,
    layout: &Layout,
    memory: &mut dyn Memory,
    limits: Limits,
) -> Walk {
    let mut state = state_of(raw, layout);
    let mut branches = Vec::new();
    let end = walker.walk(&mut state, memory, limits, &mut branches);
    let written = walker.written_pages().map(|page| {
        let known = |index: usize| {
            page.known
                .is_none_or(|known| known[index / 64] >> (index % 64) & 1 != 0)
        };
        let bytes = page.bytes.iter().enumerate();
        (
            page.start.0,
            bytes.map(|(index, &byte)| (byte, known(index))).collect(),
        )
    });
    Walk {
        end,
        state,
        branches,
        counts: walker.counts(),
        written: written.collect(),
    }
}

/// Pages of a stopped program, read once: so that the time of a walk is that of the walk.
struct Cached<'a> {
    pages: HashMap<u64, Option<Box<[u8; PAGE_BYTES]>>>,
    stopped: Stopped<'a>,
    /// Pretends that every `tzcnt` is an `lzcnt`.
    planted: bool,
}

impl Cached<'_> {
    fn page(&mut self, page: u64) -> Option<&[u8; PAGE_BYTES]> {
        let Self {
            pages,
            stopped,
            planted,
        } = self;
        let read = || {
            let mut bytes = Box::new([0; PAGE_BYTES]);
            let readable = stopped.read_page(Avma(page), &mut bytes);
            if *planted && stopped.is_executable(Avma(page)) {
                plant(&mut bytes);
            }
            readable.then_some(bytes)
        };
        pages.entry(page).or_insert_with(read).as_deref()
    }

    fn instruction(&mut self, at: u64) -> Instruction {
        let mut bytes = Vec::new();
        for page in [at & !4095, (at & !4095) + 4096] {
            bytes.extend(self.page(page).copied().unwrap_or([0; PAGE_BYTES]));
        }
        Decoder::with_ip(64, &bytes[(at & 4095) as usize..], at, 0).decode()
    }
}

fn plant(bytes: &mut [u8; PAGE_BYTES]) {
    for at in 0..PAGE_BYTES - 4 {
        let rex = usize::from(bytes[at + 1] & 0xf0 == 0x40);
        if bytes[at] == 0xf3 && bytes[at + 1 + rex..at + 3 + rex] == [0x0f, 0xbc] {
            bytes[at + 2 + rex] = 0xbd;
        }
    }
}

impl Memory for Cached<'_> {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        match self.page(page.0) {
            Some(bytes) => {
                out.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }

    fn is_writable(&mut self, page: Avma) -> bool {
        self.stopped.is_writable(page)
    }

    fn is_executable(&mut self, page: Avma) -> bool {
        self.stopped.is_executable(page)
    }
}

/// The taken branches of a run of single steps.
fn branches_of(start: u64, rips: &[u64], memory: &mut Cached<'_>) -> Vec<(u64, u64)> {
    let mut from = start;
    let mut branches = Vec::new();
    let mut decoded: HashMap<u64, Instruction> = HashMap::new();
    for &to in rips {
        let instruction = *decoded
            .entry(from)
            .or_insert_with(|| memory.instruction(from));
        let taken = match instruction.flow_control() {
            FlowControl::Next => false,
            FlowControl::ConditionalBranch => to != instruction.next_ip(),
            _ => true,
        };
        if taken {
            branches.push((from, to));
        }
        from = to;
    }
    branches
}

/// What the walk got wrong, if anything.
fn compare(walk: &Walk, truth: &[(u64, u64)], real: &Raw, stepper: &mut Stepper) -> Vec<String> {
    let ours = walk
        .branches
        .iter()
        .map(|branch| (branch.from.0, branch.to.0));
    let mut wrong = Vec::new();
    let mut differ = ours
        .clone()
        .zip(truth.iter().copied())
        .enumerate()
        .filter(|(_, (a, b))| a != b);
    if let Some((index, (emulated, real))) = differ.next() {
        wrong.push(format!(
            "branch {index}: emulated {emulated:x?}, real {real:x?}"
        ));
    } else if walk.branches.len() != truth.len() {
        wrong.push(format!(
            "{} branches, really {}",
            walk.branches.len(),
            truth.len()
        ));
    }
    wrong.extend(differences(&walk.state, real, &stepper.layout));
    let mut page = [0; PAGE_BYTES];
    for (start, bytes) in &walk.written {
        stepper.page(*start, &mut page);
        let differing = bytes
            .iter()
            .zip(page)
            .position(|(&(byte, known), real)| known && byte != real);
        if let Some(index) = differing {
            let (ours, real) = (bytes[index].0, page[index]);
            wrong.push(format!(
                "memory {:#x}: emulated {ours:02x}, real {real:02x}",
                start + index as u64
            ));
        }
    }
    wrong
}

/// Walks from one stop of a program and checks the first `check` instructions against the CPU.
fn window(
    stepper: &mut Stepper,
    walker: &mut Walker,
    check: u64,
    planted: bool,
    tally: &mut Tally,
) {
    let raw = stepper.state();
    let layout = stepper.layout;
    let mappings = mappings_of(stepper.pid);
    let mut memory = Cached {
        pages: HashMap::new(),
        stopped: Stopped {
            stepper,
            mappings: &mappings,
        },
        planted,
    };
    let limits = Limits {
        branches_max: BRANCHES,
        ..Limits::default()
    };
    // Once to fetch pages and code, once to see how long it takes.
    walk(walker, &raw, &layout, &mut memory, limits);
    let before = Instant::now();
    let full = walk(walker, &raw, &layout, &mut memory, limits);
    tally.walking_s += before.elapsed().as_secs_f64();
    tally.count(&full);
    let limits = Limits {
        instructions_max: full.counts.instructions.min(check),
        ..limits
    };
    let part = walk(walker, &raw, &layout, &mut memory, limits);
    let (status, rips) = memory.stopped.stepper.step(part.counts.instructions as u32);
    if status != 0 || rips.len() as u64 != part.counts.instructions {
        return;
    }
    let truth = branches_of(raw.registers[RIP], &rips, &mut memory);
    let real = memory.stopped.stepper.state();
    let wrong = compare(&part, &truth, &real, memory.stopped.stepper);
    tally.checked_walks += 1;
    tally.checked_instructions += part.counts.instructions;
    tally.checked_branches += truth.len() as u64;
    if !wrong.is_empty() {
        let last = rips.iter().rev().skip(1).take(12).rev();
        let listing: Vec<String> = last.map(|&rip| text(&memory.instruction(rip))).collect();
        let (start, end) = (raw.registers[RIP], part.end);
        tally.failures.push(format!(
            "from {start:#x}, {} instructions, {end:?}:\n  {}\n  last instructions:\n    {}",
            part.counts.instructions,
            wrong.join("\n  "),
            listing.join("\n    ")
        ));
    }
}

fn text(instruction: &Instruction) -> String {
    let mut out = String::new();
    iced_x86::FastFormatter::new().format(instruction, &mut out);
    format!("{:#x} {out}", instruction.ip())
}

impl Tally {
    fn count(&mut self, full: &Walk) {
        self.walks += 1;
        self.instructions += full.counts.instructions;
        if full.end == End::BranchLimit {
            self.full += 1;
        } else {
            let name = match full.end {
                End::UnsupportedInstruction(mnemonic) => format!("{mnemonic:?}"),
                End::UnreadableMemory(_) => "UnreadableMemory".to_owned(),
                end => format!("{end:?}"),
            };
            *self.ends.entry(name).or_default() += 1;
        }
    }

    fn report(&self, name: &str) {
        println!(
            "{name:16} {:4} of {:4} walks reach {BRANCHES} branches; checked {} walks, {} instructions, {} branches; \
             {:.1} ns an instruction; other ends {:?}",
            self.full,
            self.walks,
            self.checked_walks,
            self.checked_instructions,
            self.checked_branches,
            self.walking_s * 1e9 / self.instructions.max(1) as f64,
            self.ends
        );
    }
}

/// When a program is looked at.
#[derive(Clone, Copy)]
enum Pace {
    /// After so many microseconds, which differ.
    Time,
    /// After so many instructions, which are the same in every run.
    Instructions,
}

impl Pace {
    /// Instructions before the first window of a program that is looked at by instructions: the library's start.
    const START: u32 = 60_000;

    /// Lets the program run up to its first window; `false` when it has ended.
    fn begin(self, stepper: &mut Stepper) -> bool {
        match self {
            Self::Time => stepper.run(300_000),
            Self::Instructions => stepper.step(Self::START).0 == 0,
        }
    }

    /// The same up to the next one.
    fn go_on(self, stepper: &mut Stepper, random: &mut ChaCha8Rng) -> bool {
        match self {
            Self::Time => stepper.run(random.random_range(200..4000)),
            Self::Instructions => stepper.step(random.random_range(500..5000)).0 == 0,
        }
    }
}

/// Windows of one program until so many instructions are checked.
fn check_program(
    server: &Path,
    program: &Program,
    pace: Pace,
    instructions: u64,
    planted: bool,
) -> Option<Tally> {
    let mut stepper = Stepper::start(server, &program.command)?;
    let mut walker = Walker::new(cpu());
    let mut random = ChaCha8Rng::seed_from_u64(seed());
    let mut tally = Tally::default();
    if !pace.begin(&mut stepper) {
        println!("skipped: {} ends at once", program.name);
        return None;
    }
    let mut windows = 0;
    while tally.checked_instructions < instructions && windows < 4 + instructions / 500 {
        windows += 1;
        // Mostly short ones, for many different places; some to the end.
        let check = if windows % 8 == 0 {
            u64::MAX
        } else {
            random.random_range(100..2000)
        };
        window(&mut stepper, &mut walker, check, planted, &mut tally);
        if !pace.go_on(&mut stepper, &mut random) {
            println!("{} has ended", program.name);
            break;
        }
    }
    Some(tally)
}

fn seed() -> u64 {
    let seed = std::env::var("HONE_SEED").ok();
    seed.and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// Checks a program and panics with the walks that differ.
fn check(server: &Path, program: &Program, pace: Pace, instructions: u64) {
    let Some(tally) = check_program(server, program, pace, instructions, false) else {
        return;
    };
    tally.report(program.name);
    let name = program.name;
    assert!(
        tally.checked_branches > 100,
        "{name}: hardly anything was checked"
    );
    assert!(
        tally.failures.is_empty(),
        "{name}: {} walks differ\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
}

#[test]
fn walks_go_where_the_cpu_goes() {
    if let (Some(server), Some(program)) = (server(), programs::constant()) {
        let instructions = if is_long() { 1_500_000 } else { 40_000 };
        check(&server, &program, Pace::Instructions, instructions);
    }
}

#[test]
#[ignore = "finds by samples"]
fn walks_of_many_programs_go_where_the_cpu_goes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let Some(server) = server() else {
        return;
    };
    let instructions = if is_long() { 1_500_000 } else { 30_000 };
    for program in programs::all(directory.path()) {
        check(&server, &program, Pace::Time, instructions);
    }
}

#[test]
fn a_planted_fault_is_caught() {
    let (Some(server), Some(program)) = (server(), programs::constant()) else {
        return;
    };
    let Some(tally) = check_program(&server, &program, Pace::Instructions, 30_000, true) else {
        return;
    };
    println!(
        "a wrong tzcnt: {} of {} walks differ",
        tally.failures.len(),
        tally.checked_walks
    );
    assert!(
        !tally.failures.is_empty(),
        "no walk noticed that tzcnt is wrong"
    );
}
