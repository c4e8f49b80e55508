//! Where the separators of the SDK's tags stand: `=` between key and value, `|` or a space between tags.
//!
//! The text is looked at 64 bytes at a time, and each block becomes two words with one bit a byte. What follows
//! goes from set bit to set bit ([`for_each_tag`]) and never looks at the bytes between. Vectors of the CPU do the
//! comparing, 32 bytes (AVX2) or 16 (SSE2, NEON) at a time; which ones is found out once, at run time. The scalar
//! twin does the same byte by byte: it is what the others are tested against, and what other CPUs get.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::sync::LazyLock;

/// Bytes that one [`Separators`] is about.
pub const BLOCK_BYTES: usize = 64;

/// Texts up to this are looked at byte by byte, which is done before vectors are filled.
const SHORT_BYTES: usize = 8;

/// Where separators stand in a block of 64 bytes: bit i is about byte i.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Separators {
    /// Bytes that are `=`.
    pub equals: u64,
    /// Bytes that end a tag: `|` or a space.
    pub ends: u64,
}

impl Separators {
    /// Without the lowest bits.
    fn shifted(self, bits: u32) -> Self {
        Self {
            equals: self.equals >> bits,
            ends: self.ends >> bits,
        }
    }
}

/// One way to find separators, which this CPU can go.
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    name: &'static str,
    find: fn(&[u8], &mut [Separators]),
}

impl Scanner {
    /// All that this CPU can do, the fastest first.
    pub fn all_here() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let with_vectors = [avx2::scanner(), Some(sse2::scanner())];
        #[cfg(target_arch = "aarch64")]
        let with_vectors = [Some(neon::scanner())];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let with_vectors: [Option<Self>; 0] = [];
        let all = with_vectors.into_iter().flatten();
        all.chain([scalar::scanner()]).collect()
    }

    /// The fastest that this CPU can do.
    pub fn best() -> Self {
        static BEST: LazyLock<Scanner> = LazyLock::new(|| Scanner::all_here()[0]);
        *BEST
    }

    /// `avx2`, `sse2`, `neon` or `scalar`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Finds the separators of `text` and returns how many blocks it has. Bits beyond its end are 0.
    ///
    /// # Panics
    /// If `found` has fewer elements than the text has blocks.
    pub fn find(self, text: &[u8], found: &mut [Separators]) -> usize {
        let blocks = text.len().div_ceil(BLOCK_BYTES);
        let find = match text.len() {
            0..=SHORT_BYTES => scalar::find,
            _ => self.find,
        };
        find(text, &mut found[..blocks]);
        blocks
    }
}

/// Finds the separators of each block, of which there are as many as `found` has elements. Always inlined, since
/// only a function compiled for vectors can take in another one that is.
#[inline(always)]
fn by_blocks(
    text: &[u8],
    found: &mut [Separators],
    separators: impl Fn(&[u8; BLOCK_BYTES]) -> Separators,
) {
    let (blocks, rest) = text.as_chunks();
    for (block, here) in blocks.iter().zip(&mut *found) {
        *here = separators(block);
    }
    if let (Some(last), false) = (found.last_mut(), rest.is_empty()) {
        let (block, shift) = last_block(text);
        *last = separators(&block).shifted(shift);
    }
}

/// What is left of a text behind its whole blocks, as a block of its own, and by how many bits its separators must
/// be shifted down: where there are 64 bytes before the end these are taken, otherwise zeros follow the text.
fn last_block(text: &[u8]) -> ([u8; BLOCK_BYTES], u32) {
    if let Some(last) = text.last_chunk::<BLOCK_BYTES>() {
        let beyond = text.len() % BLOCK_BYTES;
        return (*last, (BLOCK_BYTES - beyond) as u32);
    }
    let mut padded = [0; BLOCK_BYTES];
    padded[..text.len()].copy_from_slice(text);
    (padded, 0)
}

/// A tag as it stands in its text. Key and value are not looked at: both may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag<'t> {
    /// What stands before the first `=`; all of it, where there is none.
    pub key: &'t str,
    /// What stands behind the first `=`; empty where there is none.
    pub value: &'t str,
}

/// Calls `each` with every tag of the text, whose separators are these. Between two ends in a row there is none.
///
/// # Panics
/// If these are the separators of another text.
pub fn for_each_tag<'t>(text: &'t str, found: &[Separators], each: &mut impl FnMut(Tag<'t>)) {
    let mut start = 0;
    let mut first_equals = None;
    for (block, here) in found.iter().enumerate() {
        let mut bits = here.equals | here.ends;
        while bits != 0 {
            let bit = bits.trailing_zeros();
            let at = block * BLOCK_BYTES + bit as usize;
            bits &= bits - 1;
            if here.ends >> bit & 1 == 1 {
                tag(text, start, first_equals.take(), at, each);
                start = at + 1;
            } else if first_equals.is_none() {
                first_equals = Some(at);
            }
        }
    }
    tag(text, start, first_equals, text.len(), each);
}

/// The tag from `start` to `end`, if that is not empty.
fn tag<'t>(
    text: &'t str,
    start: usize,
    equals: Option<usize>,
    end: usize,
    each: &mut impl FnMut(Tag<'t>),
) {
    match equals {
        Some(equals) => each(Tag {
            key: &text[start..equals],
            value: &text[equals + 1..end],
        }),
        None if start < end => each(Tag {
            key: &text[start..end],
            value: "",
        }),
        None => {}
    }
}

#[cfg(test)]
mod tests;
