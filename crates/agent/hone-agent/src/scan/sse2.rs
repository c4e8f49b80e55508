//! Scanner for 16 bytes at a time, on every x86-64.
#![allow(unsafe_code)]

use super::{BLOCK_BYTES, Scanner, Separators, by_blocks};
use std::arch::x86_64::*;

pub(super) fn scanner() -> Scanner {
    Scanner { name: "sse2", find }
}

fn find(text: &[u8], found: &mut [Separators]) {
    // SAFETY: SSE2 is a part of x86-64.
    unsafe { find_with_sse2(text, found) }
}

#[target_feature(enable = "sse2")]
fn find_with_sse2(text: &[u8], found: &mut [Separators]) {
    by_blocks(text, found, |block| separators(block));
}

#[target_feature(enable = "sse2")]
fn separators(block: &[u8; BLOCK_BYTES]) -> Separators {
    let mut found = Separators::default();
    for (quarter, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        let bytes = load(bytes);
        let ends = _mm_or_si128(equal(bytes, b'|'), equal(bytes, b' '));
        found.equals |= bits(equal(bytes, b'=')) << (16 * quarter);
        found.ends |= bits(ends) << (16 * quarter);
    }
    found
}

#[target_feature(enable = "sse2")]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: reads the 16 bytes that the reference points to, and requires no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Sets bytes that are equal to `byte` to 255, all others to 0.
#[target_feature(enable = "sse2")]
fn equal(bytes: __m128i, byte: u8) -> __m128i {
    _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()))
}

/// Returns the highest bit of each byte.
#[target_feature(enable = "sse2")]
fn bits(bytes: __m128i) -> u64 {
    u64::from(_mm_movemask_epi8(bytes).cast_unsigned())
}
