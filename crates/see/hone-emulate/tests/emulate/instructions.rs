//! Every instruction that the emulator understands, with random operands, against the CPU itself.
//!
//! Each case runs twice in the emulator: with everything known, when the result must be the CPU's; and with
//! random parts of the input hidden, when whatever it still claims to know must be the CPU's too.
//! Instructions that it passes over are checked in the same way: what it leaves known must be true.

use crate::common::generate::{self, CODE, Case, DATA};
use crate::common::{Raw, Stepper, cpu, differences, server, state_of};
use hone_emulate::{Bits, Cpu, End, Limits, Memory, PAGE_BYTES, State, Walker, is_understood};
use hone_profile::Avma;
use iced_x86::{Code, Mnemonic};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use testkit::is_long;

const SIGTRAP: u8 = 5;
const SIGILL: u8 = 4;

/// The pages of the scratch process.
struct Scratch<'a> {
    code: &'a [u8],
    data: &'a [u8],
}

impl Memory for Scratch<'_> {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        out.fill(0);
        match page.0 {
            CODE => out[..self.code.len()].copy_from_slice(self.code),
            DATA => out.copy_from_slice(&self.data[..PAGE_BYTES]),
            page if page == DATA + PAGE_BYTES as u64 => {
                out.copy_from_slice(&self.data[PAGE_BYTES..])
            }
            _ => return false,
        }
        true
    }
}

/// Instructions that must not run on the CPU here, because of what they do to the process or the test.
fn is_excluded(mnemonic: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        mnemonic,
        Int | Int1
            | Int3
            | Into
            | Iret
            | Iretd
            | Iretq
            | Syscall
            | Sysenter
            | Sysexit
            | Sysret
            | Retf
            | Xbegin
            | Xabort
            | Xend
            | Ldtilecfg
            | Sttilecfg
            | Tilerelease
            | Hlt
            | Wrpkru
            | Xrstor
            | Xrstor64
            | Fxrstor
            | Fxrstor64
            | Frstor
            | Fldenv
            | Ud0
            | Ud1
            | Ud2
            | Montmul
            | Xsha1
            | Xsha256
            | Clzero
            | Monitor
            | Monitorx
            | Mwait
            | Mwaitx
            | Tpause
            | Umwait
            | Umonitor
            | Maskmovdqu
            | Vmaskmovdqu
            | Maskmovq
    )
}

/// Hides random parts of a state.
fn hide(state: &mut State, random: &mut ChaCha8Rng) {
    let some = |bits: &mut Bits, random: &mut ChaCha8Rng| {
        let known = match random.random_range(0..6) {
            0 => random.random(),
            1 => !(0xff << (random.random_range(0..8_u32) * 8)),
            2 => 0,
            _ => return,
        };
        *bits = Bits::partly(bits.value, bits.known & known);
    };
    for index in [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] {
        some(&mut state.gprs[index], random);
    }
    if random.random_bool(0.5) {
        let hidden = random.random::<u64>() & 0xcd5;
        state.rflags = Bits::partly(state.rflags.value, state.rflags.known & !hidden);
    }
    for mask in &mut state.masks {
        some(mask, random);
    }
    for vector in &mut state.vectors {
        match random.random_range(0..4) {
            0 => vector.known = random.random(),
            1 => vector.known &= !(0xffff_u64 << random.random_range(0..49)),
            2 => vector.known = !0xff | random.random::<u64>(),
            _ => {}
        }
        for index in 0..64 {
            if vector.known >> index & 1 == 0 {
                vector.bytes[index] = random.random();
            }
        }
    }
}

struct Outcome {
    end: End,
    state: State,
    /// Address, byte, known.
    written: Vec<(u64, u8, bool)>,
}

fn emulate(mut state: State, case: &Case, data: &[u8], cpu: Cpu) -> Outcome {
    let mut walker = Walker::new(cpu);
    let mut memory = Scratch {
        code: &case.bytes,
        data,
    };
    let limits = Limits {
        instructions_max: 1,
        ..Limits::default()
    };
    let end = walker.walk(&mut state, &mut memory, limits, &mut Vec::new());
    let mut written = Vec::new();
    for page in walker.written_pages() {
        for (index, &byte) in page.bytes.iter().enumerate() {
            let known = page
                .known
                .is_none_or(|known| known[index / 64] >> (index % 64) & 1 != 0);
            written.push((page.start.0 + index as u64, byte, known));
        }
    }
    Outcome {
        end,
        state,
        written,
    }
}

fn text(case: &Case) -> String {
    let mut out = String::new();
    iced_x86::FastFormatter::new().format(&case.instruction, &mut out);
    format!(
        "{out}  ({:02x?}, {:?})",
        case.bytes,
        case.instruction.code()
    )
}

/// What the emulator claims and the CPU contradicts.
fn judge(outcome: &Outcome, real: &(u8, Raw, Vec<u8>), stepper: &Stepper) -> Vec<String> {
    let (signal, after, data) = real;
    match outcome.end {
        End::InstructionLimit | End::BranchLimit if *signal == SIGTRAP => {
            let mut wrong = differences(&outcome.state, after, &stepper.layout);
            for &(address, byte, known) in &outcome.written {
                let truth = data[(address - DATA) as usize];
                if known && byte != truth {
                    wrong.push(format!(
                        "memory {address:#x}: emulated {byte:02x}, real {truth:02x}"
                    ));
                }
            }
            wrong
        }
        End::InstructionLimit | End::BranchLimit => vec![format!("missed signal {signal}")],
        End::Trap if *signal == SIGTRAP => vec!["trapped, the CPU did not".to_owned()],
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Tally {
    cpu: Cpu,
    runs: u64,
    failures: Vec<String>,
    failed: BTreeSet<String>,
    understood: BTreeSet<String>,
    absent: BTreeSet<String>,
    ends: BTreeMap<String, u64>,
}

fn check_code(
    code: Code,
    trials: u32,
    stepper: &mut Stepper,
    start: &Raw,
    tally: &mut Tally,
    random: &mut ChaCha8Rng,
) {
    for _ in 0..trials {
        let Some(case) = generate::case(code, random) else {
            continue;
        };
        let understood = is_understood(&case.instruction);
        let (raw, data) = generate::inputs(&case, start, &stepper.layout, random);
        let state = state_of(&raw, &stepper.layout);
        let full = emulate(state.clone(), &case, &data, tally.cpu);
        let skip = matches!(
            full.end,
            End::UnsupportedInstruction(_)
                | End::Syscall
                | End::UnreadableMemory(_)
                | End::InvalidInstruction
        );
        *tally
            .ends
            .entry(
                format!("{:?}", full.end)
                    .split('(')
                    .next()
                    .unwrap_or("")
                    .to_owned(),
            )
            .or_default() += 1;
        if skip {
            continue;
        }
        let real = stepper.try_one(&raw, &case.bytes, &data);
        if real.0 == SIGILL {
            tally
                .absent
                .insert(format!("{:?}", case.instruction.mnemonic()));
            return;
        }
        if understood {
            tally
                .understood
                .insert(format!("{:?}", case.instruction.mnemonic()));
        }
        let mut hidden = state;
        hide(&mut hidden, random);
        let partial = emulate(hidden, &case, &data, tally.cpu);
        for (name, outcome) in [("all known", &full), ("partly hidden", &partial)] {
            tally.runs += 1;
            let wrong = judge(outcome, &real, stepper);
            if !wrong.is_empty()
                && tally
                    .failed
                    .insert(format!("{:?}{name}", case.instruction.code()))
            {
                let flags = raw.registers[crate::common::EFLAGS];
                tally.failures.push(format!(
                    "{} [{name}, flags {flags:#x}]\n  {}",
                    text(&case),
                    wrong.join("\n  ")
                ));
            }
        }
    }
}

/// Tries every code that is allowed; panics with what differs.
fn check_all(
    stepper: &mut Stepper,
    cpu: Cpu,
    trials: u32,
    is_wanted: impl Fn(Code) -> bool,
) -> Tally {
    let start = stepper.state();
    let seed = std::env::var("HONE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tally = Tally {
        cpu,
        ..Tally::default()
    };
    for code in Code::values() {
        let excluded = is_excluded(code.mnemonic()) || format!("{code:?}").contains("MVEX");
        if !excluded && is_wanted(code) {
            check_code(code, trials, stepper, &start, &mut tally, &mut random);
        }
    }
    println!(
        "{} runs, {} mnemonics understood and present, ends {:?}",
        tally.runs,
        tally.understood.len(),
        tally.ends
    );
    println!("not on this CPU: {:?}", tally.absent);
    assert!(
        tally.failures.is_empty(),
        "{} codes differ from the CPU\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
    tally
}

#[test]
fn every_known_result_is_the_cpus() {
    let Some(server) = server() else {
        return;
    };
    let Some(mut stepper) = Stepper::start(&server, &[]) else {
        println!("skipped: a process cannot be traced here");
        return;
    };
    let trials = if is_long() { 400 } else { 12 };
    let tally = check_all(&mut stepper, cpu(), trials, |_| true);
    assert!(
        tally.understood.len() > 300,
        "only {} mnemonics were tried",
        tally.understood.len()
    );
}

/// What the reference gets wrong where real CPUs agree with the emulator: `leave` with 16 bits, the last count that
/// shifts a 16-bit opmask, a count of 64 of `psrlq`, and small operands in memory of three EVEX forms.
fn is_wrong_in_the_reference(code: Code) -> bool {
    use Code::*;
    matches!(code.mnemonic(), Mnemonic::Psrlq | Mnemonic::Vpsrlq)
        || matches!(
            code,
            Leavew
                | VEX_Kshiftlw_kr_kr_imm8
                | EVEX_Vpinsrb_xmm_xmm_r32m8_imm8
                | EVEX_Vpinsrb_xmm_xmm_r64m8_imm8
                | EVEX_Vmovw_r32m16_xmm
                | EVEX_Vmovw_r64m16_xmm
        )
}

/// Instructions that the CPU here may lack, on a CPU in software that has them: the same on every machine.
fn check_against(model: &str, understood_min: usize) {
    let Some(mut reference) = Stepper::reference(model) else {
        return;
    };
    let trials = if is_long() { 100 } else { 12 };
    let tally = check_all(&mut reference, Cpu::default(), trials, |code| {
        !is_wrong_in_the_reference(code)
    });
    assert!(
        tally.understood.len() > understood_min,
        "only {} mnemonics were tried",
        tally.understood.len()
    );
}

#[test]
fn every_known_result_is_that_of_a_cpu_with_all_of_avx512() {
    check_against("sapphire_rapids", 900);
}

#[test]
fn every_known_result_is_that_of_a_cpu_with_what_came_after_avx512() {
    check_against("arrow_lake", 500);
}
