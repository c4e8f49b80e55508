//! Measures what observed walks cost: nanoseconds per instruction of made loops, walked with and without observing.
//!
//!     cargo run --release -p hone-emulate --example observe
//!
//! The two kinds of walks take turns, and each figure is that of the fastest of the rounds.

use hone_emulate::{Bits, Limits, Memory, PAGE_BYTES, State, Vector, Walker};
use hone_profile::Avma;
use std::time::Instant;

const CODE: u64 = 0x40_0000;
const ROUNDS: usize = 200;

/// Loops without end, all at the start of their page.
const LOOPS: [(&str, &[u8]); 5] = [
    (
        "nothing watched: add, xor, rol, shift",
        &[
            0x48, 0x01, 0xd8, // add rax, rbx
            0x48, 0x31, 0xc3, // xor rbx, rax
            0x48, 0xd1, 0xc0, // rol rax, 1
            0x48, 0xd1, 0xe9, // shr rcx, 1
            0xeb, 0xf2, // jmp
        ],
    ),
    (
        "half watched: mulsd and addsd between moves",
        &[
            0xf2, 0x0f, 0x59, 0xc1, // mulsd xmm0, xmm1
            0x66, 0x0f, 0x28, 0xd0, // movapd xmm2, xmm0
            0xf2, 0x0f, 0x58, 0xc1, // addsd xmm0, xmm1
            0x48, 0x01, 0xd8, // add rax, rbx
            0xeb, 0xef, // jmp
        ],
    ),
    (
        "a division in five instructions",
        &[
            0x31, 0xd2, // xor edx, edx
            0x48, 0xf7, 0xf3, // div rbx
            0x48, 0x01, 0xd0, // add rax, rdx
            0x48, 0xff, 0xc0, // inc rax
            0xeb, 0xf3, // jmp
        ],
    ),
    (
        "two loads in five instructions",
        &[
            0x48, 0x8b, 0x06, // mov rax, [rsi]
            0x48, 0x8b, 0x56, 0x40, // mov rdx, [rsi + 64]
            0x48, 0x01, 0xd0, // add rax, rdx
            0x48, 0xff, 0xc1, // inc rcx
            0xeb, 0xf1, // jmp
        ],
    ),
    (
        "two loads in five instructions, far from those before",
        &[
            0x48, 0x8b, 0x06, // mov rax, [rsi]
            0x48, 0x8b, 0x56, 0x40, // mov rdx, [rsi + 64]
            0x48, 0x01, 0xd0, // add rax, rdx
            0x48, 0x81, 0xf6, 0x00, 0x08, 0x00, 0x00, // xor rsi, 2048
            0xeb, 0xed, // jmp
        ],
    ),
];

struct Page([u8; PAGE_BYTES]);

impl Memory for Page {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        *out = self.0;
        page.0 == CODE
    }

    fn is_writable(&mut self, _: Avma) -> bool {
        false
    }

    fn is_executable(&mut self, _: Avma) -> bool {
        true
    }
}

fn state() -> State {
    let mut state = State::unknown(Avma(CODE));
    state.gprs = [Bits::known(7); 16];
    // rsi leads to memory that can be read.
    state.gprs[6] = Bits::known(CODE);
    state.rflags = Bits::known(0x202);
    state.mxcsr = Bits::known(0x1f80);
    let mut half = [0; 64];
    half[..8].copy_from_slice(&0.5_f64.to_le_bytes());
    state.vectors = [Vector::known(half); 32];
    state
}

fn ns_per_instruction(walker: &mut Walker, page: &mut Page) -> f64 {
    let (mut state, mut branches) = (state(), Vec::with_capacity(4096));
    let limits = Limits {
        branches_max: 4096,
        ..Limits::default()
    };
    let start = Instant::now();
    walker.walk(&mut state, page, limits, &mut branches);
    start.elapsed().as_nanos() as f64 / walker.counts().instructions as f64
}

fn main() {
    for (name, code) in LOOPS {
        let mut page = Page([0; PAGE_BYTES]);
        page.0[..code.len()].copy_from_slice(code);
        let mut walkers = [Walker::default(), Walker::default()];
        walkers[1].observe(true);
        let mut fastest = [f64::MAX; 2];
        for _ in 0..ROUNDS {
            for (walker, fastest) in walkers.iter_mut().zip(&mut fastest) {
                *fastest = fastest.min(ns_per_instruction(walker, &mut page));
            }
        }
        let [plain, observed] = fastest;
        println!(
            "{name}: {plain:.2} ns per instruction, observed {observed:.2} ({:.2}x)",
            observed / plain
        );
    }
}
