//! Scanner for 16 bytes at a time, on every AArch64.
//!
//! NEON has no instruction that collects the highest bit of each byte in a word. Instead each byte keeps the one bit that
//! stands for its position among eight bytes, and neighbours are added three times, until eight bytes have become one.
#![allow(unsafe_code)]

use super::{BLOCK_BYTES, Scanner, Separators, by_blocks};
use std::arch::aarch64::*;

pub(super) fn scanner() -> Scanner {
    Scanner { name: "neon", find }
}

fn find(text: &[u8], found: &mut [Separators]) {
    // SAFETY: NEON is a part of the AArch64 that Rust compiles for.
    unsafe { find_with_neon(text, found) }
}

#[target_feature(enable = "neon")]
fn find_with_neon(text: &[u8], found: &mut [Separators]) {
    by_blocks(text, found, |block| separators(block));
}

#[target_feature(enable = "neon")]
fn separators(block: &[u8; BLOCK_BYTES]) -> Separators {
    let bytes = block.as_chunks::<16>().0;
    let quarters = [0, 1, 2, 3].map(|quarter: usize| load(&bytes[quarter]));
    Separators {
        equals: bits(quarters.map(|bytes| equal(bytes, b'='))),
        ends: bits(quarters.map(|bytes| vorrq_u8(equal(bytes, b'|'), equal(bytes, b' ')))),
    }
}

#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: reads the 16 bytes that the reference points to, and requires no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// Sets bytes that are equal to `byte` to 255, all others to 0.
#[target_feature(enable = "neon")]
fn equal(bytes: uint8x16_t, byte: u8) -> uint8x16_t {
    vceqq_u8(bytes, vdupq_n_u8(byte))
}

/// Returns one bit for each byte of the four vectors.
#[target_feature(enable = "neon")]
fn bits(quarters: [uint8x16_t; 4]) -> u64 {
    let places = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let [first, second, third, fourth] = quarters.map(|bytes| vandq_u8(bytes, places));
    let low = vpaddq_u8(first, second);
    let high = vpaddq_u8(third, fourth);
    let both = vpaddq_u8(low, high);
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(both, both)))
}
