//! Scanner for 32 bytes at a time, on x86-64 with AVX2.
#![allow(unsafe_code)]

use super::{BLOCK_BYTES, Scanner, Separators, by_blocks};
use std::arch::x86_64::*;

/// Returns the scanner; `None` if the CPU lacks AVX2.
pub(super) fn scanner() -> Option<Scanner> {
    std::arch::is_x86_feature_detected!("avx2").then_some(Scanner { name: "avx2", find })
}

/// Finds separators. Only [`scanner`] hands out this function.
fn find(text: &[u8], found: &mut [Separators]) {
    // SAFETY: only `scanner` hands out this function, and only if the CPU has AVX2.
    unsafe { find_with_avx2(text, found) }
}

#[target_feature(enable = "avx2")]
fn find_with_avx2(text: &[u8], found: &mut [Separators]) {
    by_blocks(text, found, |block| separators(block));
}

#[target_feature(enable = "avx2")]
fn separators(block: &[u8; BLOCK_BYTES]) -> Separators {
    let halves = block.as_chunks::<32>().0;
    let (low, high) = (load(&halves[0]), load(&halves[1]));
    Separators {
        equals: bits(equal(low, b'='), equal(high, b'=')),
        ends: bits(
            _mm256_or_si256(equal(low, b'|'), equal(low, b' ')),
            _mm256_or_si256(equal(high, b'|'), equal(high, b' ')),
        ),
    }
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: reads the 32 bytes that the reference points to, and requires no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Sets bytes that are equal to `byte` to 255, all others to 0.
#[target_feature(enable = "avx2")]
fn equal(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()))
}

/// Returns the highest bit of each byte.
#[target_feature(enable = "avx2")]
fn bits(low: __m256i, high: __m256i) -> u64 {
    let half = |bytes| u64::from(_mm256_movemask_epi8(bytes).cast_unsigned());
    half(low) | half(high) << 32
}
