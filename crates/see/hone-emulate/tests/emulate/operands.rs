//! What an observed walk says of the operands that it met.

use crate::walk::{CODE, DATA, SYSCALL, Space, state};
use hone_emulate::{Bits, End, Limits, Met, State, Vector, Walker};
use hone_profile::{Avma, Jump, Watched};

/// MXCSR as programs find it, and with denormals treated as zeros.
const DEFAULT: u64 = 0x1f80;
const ZEROS: u64 = 0x9fc0;

/// `mov ecx, 10`, ten times `mulsd xmm0, xmm1`, `syscall`.
const MULTIPLIES: [u8; 15] = [
    0xb9, 0x0a, 0, 0, 0, 0xf2, 0x0f, 0x59, 0xc1, 0xff, 0xc9, 0x75, 0xf8, 0x0f, 0x05,
];
const MULSD_AT: u64 = 5;

fn doubles(lanes: &[f64]) -> Vector {
    let mut bytes = [0; 64];
    for (index, lane) in lanes.iter().enumerate() {
        bytes[index * 8..][..8].copy_from_slice(&lane.to_le_bytes());
    }
    Vector::known(bytes)
}

fn singles(lanes: &[f32]) -> Vector {
    let mut bytes = [0; 64];
    for (index, lane) in lanes.iter().enumerate() {
        bytes[index * 4..][..4].copy_from_slice(&lane.to_le_bytes());
    }
    Vector::known(bytes)
}

fn with_vectors(mxcsr: u64, vectors: &[Vector]) -> State {
    let mut state = state();
    // The system call at the end, mmap, moves no bytes.
    state.gprs[0] = Bits::known(9);
    state.mxcsr = Bits::known(mxcsr);
    state.vectors[..vectors.len()].copy_from_slice(vectors);
    state
}

/// Walks twice, observed and not, which must be the same walk, and returns what the observed one met, by address.
fn met(code: &[u8], state: &State) -> Vec<Met> {
    let mut walks = Vec::new();
    let mut all = Vec::new();
    for observes in [false, true] {
        let mut walker = Walker::default();
        walker.observe(observes);
        let (mut state, mut branches) = (state.clone(), Vec::new());
        let end = walker.walk(
            &mut state,
            &mut Space::with(code),
            Limits::default(),
            &mut branches,
        );
        walks.push((end, state, branches, walker.counts()));
        all = walker.met().collect();
        assert!(observes || all.is_empty(), "{all:?}");
    }
    assert_eq!(walks[0].0, End::Syscall);
    assert_eq!(walks[0], walks[1]);
    all.sort_by_key(|met| met.at);
    all
}

/// Returns executions and odd ones of one instruction.
fn of_one(instruction: &[u8], state: &State) -> Option<(u64, u64)> {
    let met = met(&[instruction, &SYSCALL].concat(), state);
    assert!(met.len() <= 1);
    met.first().map(|met| (met.executions, met.odd))
}

#[test]
fn multiplications_of_denormals_are_counted() {
    let tiny = doubles(&[1e-310]);
    let half = doubles(&[0.5]);
    let odd = |mxcsr, first| {
        let met = met(&MULTIPLIES, &with_vectors(mxcsr, &[first, half]));
        assert_eq!(met.len(), 1);
        let met = &met[0];
        assert_eq!(
            (met.at, met.watched),
            (Avma(CODE + MULSD_AT), Watched::Denormals)
        );
        (met.executions, met.odd)
    };
    assert_eq!(odd(DEFAULT, tiny), (10, 10));
    assert_eq!(odd(DEFAULT, doubles(&[1.0])), (10, 0));
    // The fourth product of these is denormal.
    assert_eq!(odd(DEFAULT, doubles(&[f64::MIN_POSITIVE * 8.0])), (10, 7));
    assert_eq!(odd(ZEROS, tiny), (10, 0), "the CPU takes them as zeros");
}

#[test]
fn unknown_numbers_are_not_counted() {
    let half = doubles(&[0.5]);
    let unknown = with_vectors(DEFAULT, &[Vector::UNKNOWN, half]);
    assert_eq!(met(&MULTIPLIES, &unknown), []);
    // Only one of the two modes: whether these are slow hangs on the CPU.
    let one_mode = with_vectors(0x9f80, &[doubles(&[1e-310]), half]);
    assert_eq!(met(&MULTIPLIES, &one_mode), []);
}

#[test]
fn only_the_numbers_that_an_instruction_reads_are_looked_at() {
    let mulps = [0x0f, 0x59, 0xc1];
    let mulss = [0xf3, 0x0f, 0x59, 0xc1];
    let third = singles(&[1.0, 1.0, 1e-40, 1.0]);
    let fifth = singles(&[1.0, 1.0, 1.0, 1.0, 1e-40]);
    let ones = singles(&[1.0; 8]);
    let state = |first| with_vectors(DEFAULT, &[first, ones]);
    assert_eq!(of_one(&mulps, &state(third)), Some((1, 1)));
    assert_eq!(of_one(&mulss, &state(third)), Some((1, 0)));
    assert_eq!(of_one(&mulps, &state(fifth)), Some((1, 0)));
    let vaddpd = [0xc5, 0xfd, 0x58, 0xd1];
    let fourth = doubles(&[1.0, 1.0, 1.0, 1e-310]);
    let state = with_vectors(DEFAULT, &[doubles(&[1.0; 4]), fourth]);
    assert_eq!(of_one(&vaddpd, &state), Some((1, 1)));
    // sqrtpd xmm0, xmm1 does not read xmm0.
    let sqrtpd = [0x66, 0x0f, 0x51, 0xc1];
    let state = with_vectors(DEFAULT, &[doubles(&[1e-310]), doubles(&[4.0, 4.0])]);
    assert_eq!(of_one(&sqrtpd, &state), Some((1, 0)));
    // vfmadd231sd xmm0, xmm1, xmm2 reads all three.
    let vfmadd231sd = [0xc4, 0xe2, 0xf1, 0xb9, 0xc2];
    let numbers = [doubles(&[1e-310]), doubles(&[1.0]), doubles(&[1.0])];
    assert_eq!(
        of_one(&vfmadd231sd, &with_vectors(DEFAULT, &numbers)),
        Some((1, 1))
    );
    let numbers = [doubles(&[1.0]), doubles(&[1.0]), doubles(&[1.0])];
    assert_eq!(
        of_one(&vfmadd231sd, &with_vectors(DEFAULT, &numbers)),
        Some((1, 0))
    );
}

#[test]
fn divisions_by_the_first_divisor_are_counted() {
    // Ten times 1000 / rbx; rbx grows by one after the seventh.
    let code = [
        0xb9, 0x0a, 0, 0, 0, 0xb8, 0xe8, 0x03, 0, 0, 0x31, 0xd2, 0x48, 0xf7, 0xf3, 0x83, 0xf9,
        0x04, 0x75, 0x02, 0xff, 0xc3, 0xff, 0xc9, 0x75, 0xeb, 0x0f, 0x05,
    ];
    let mut state = state();
    state.gprs[3] = Bits::known(7);
    let expected = Met {
        at: Avma(CODE + 12),
        watched: Watched::Divisor,
        executions: 10,
        odd: 7,
        value: 7,
        lines: Vec::new(),
    };
    assert_eq!(met(&code, &state), [expected]);
}

#[test]
fn loads_far_from_those_before_are_counted_with_how_they_come_to_their_addresses() {
    // Two records that point to each other; ten times: from one to the other, a load that stays, and one from the stack.
    let code = [
        0x48, 0x89, 0x33, // mov [rbx], rsi
        0x48, 0x89, 0x1e, // mov [rsi], rbx
        0xb9, 0x0a, 0, 0, 0, // mov ecx, 10
        0x48, 0x8b, 0x1b, // mov rbx, [rbx]
        0x48, 0x03, 0x07, // add rax, [rdi]
        0x48, 0x8b, 0x14, 0x24, // mov rdx, [rsp]
        0xff, 0xc9, // dec ecx
        0x75, 0xf2, // jne
        0x0f, 0x05, // syscall
    ];
    let mut state = state();
    // The system call at the end, mmap, moves no bytes.
    state.gprs[0] = Bits::known(9);
    state.gprs[3] = Bits::known(DATA);
    state.gprs[6] = Bits::known(DATA + 0x1000);
    state.gprs[7] = Bits::known(DATA + 8);
    let met = met(&code, &state);
    let said: Vec<_> = met
        .iter()
        .map(|met| (met.at.0 - CODE, met.executions, met.odd))
        .collect();
    assert_eq!(said, [(11, 9, 9), (14, 9, 0)]);
    assert!(met.iter().all(|met| met.watched == Watched::Loads));
    assert_eq!(Jump::from_value(met[0].value), Jump::Chased);
}

#[test]
fn a_walk_in_parts_counts_on_and_the_next_one_begins_anew() {
    let mut walker = Walker::default();
    walker.observe(true);
    let space = &mut Space::with(&MULTIPLIES);
    let tiny = with_vectors(DEFAULT, &[doubles(&[1e-310]), doubles(&[0.5])]);
    for _ in 0..2 {
        let limits = Limits {
            branches_max: 4,
            ..Limits::default()
        };
        let (mut state, branches) = (tiny.clone(), &mut Vec::new());
        let executions = |walker: &Walker| walker.met().map(|met| met.executions).sum::<u64>();
        assert_eq!(
            walker.walk(&mut state, space, limits, branches),
            End::BranchLimit
        );
        assert_eq!(executions(&walker), 4);
        assert_eq!(
            walker.go_on(&mut state, space, limits, branches),
            End::BranchLimit
        );
        assert_eq!(executions(&walker), 8);
    }
}

/// `call` of a function that calls and returns from another one, then makes a system call: `mov edx, LENGTH; mov eax, NUMBER; syscall`.
fn calling(number: u8, length: u8) -> Vec<u8> {
    vec![
        0x90, 0xe8, 0x01, 0, 0, 0,    // nop; call +1
        0xc3, // ret
        0xe8, 0xfa, 0xff, 0xff, 0xff, // call of that ret
        0xba, length, 0x01, 0, 0, // mov edx, 256 + length
        0xb8, number, 0, 0, 0, // mov eax, number
        0x0f, 0x05, // syscall
    ]
}

#[test]
fn the_length_of_a_system_call_belongs_to_the_place_of_the_call() {
    let length_met = |number, length| {
        let met = met(&calling(number, length), &state());
        met.first().cloned()
    };
    let read = Met {
        at: Avma(CODE + 1),
        watched: Watched::Length,
        executions: 1,
        odd: 1,
        value: 256,
        lines: Vec::new(),
    };
    assert_eq!(length_met(0, 0), Some(read.clone()));
    let (odd, value) = (0, 257);
    assert_eq!(length_met(0, 1), Some(Met { odd, value, ..read }));
    assert_eq!(length_met(9, 0), None, "mmap moves no bytes");
    // Begun in the function itself, the walk knows no caller, and then the number is not known.
    let code = [0x0f, 0x05];
    let mut inside = state();
    inside.gprs[2] = Bits::known(1);
    assert_eq!(met(&code, &inside)[0].at, Avma(CODE));
    inside.gprs[0] = Bits::UNKNOWN;
    assert_eq!(met(&code, &inside), []);
}
