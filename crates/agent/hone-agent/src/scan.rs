//! Positions of the separators of the SDK's tags: `=` between key and value, `|` or a space between tags.
//!
//! The text is examined in blocks of 64 bytes, and each block becomes two words with one bit per byte. [`for_each_tag`] then
//! goes from set bit to set bit and never looks at the bytes between. Vector instructions of the CPU compare 32 bytes (AVX2)
//! or 16 bytes (SSE2, NEON) at a time; the choice is made once, at run time. The scalar version does the same byte by byte:
//! the vector versions are tested against it, and other CPUs use it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::sync::LazyLock;

/// Bytes that one [`Separators`] describes.
pub const BLOCK_BYTES: usize = 64;

/// Length of text up to which it is examined byte by byte, which takes less time than to fill vectors.
const SHORT_BYTES: usize = 8;

/// Positions of separators in a block of 64 bytes: bit i describes byte i.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Separators {
    /// Bytes that are `=`.
    pub equals: u64,
    /// Bytes that end a tag: `|` or a space.
    pub ends: u64,
}

impl Separators {
    /// Shifts the separators down, without the lowest bits.
    fn shifted(self, bits: u32) -> Self {
        Self {
            equals: self.equals >> bits,
            ends: self.ends >> bits,
        }
    }
}

/// A way to find separators that this CPU supports.
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    name: &'static str,
    find: fn(&[u8], &mut [Separators]),
}

impl Scanner {
    /// Returns all scanners that this CPU supports, the fastest first.
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

    /// Returns the fastest scanner that this CPU supports.
    pub fn best() -> Self {
        static BEST: LazyLock<Scanner> = LazyLock::new(|| Scanner::all_here()[0]);
        *BEST
    }

    /// Name of the scanner: `avx2`, `sse2`, `neon` or `scalar`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Finds the separators of `text` and returns its number of blocks. Bits beyond the end of the text are 0.
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

/// Finds the separators of each block of a text; `found` has one element for each block. Always inlined, since code that is
/// compiled for vectors can only be inlined into a function that is compiled for vectors too.
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

/// Returns the rest of a text after its whole blocks as a block of its own, and the number of bits by which the separators
/// of that block must be shifted down. The block is the last 64 bytes of the text; a shorter text is followed by zeros.
fn last_block(text: &[u8]) -> ([u8; BLOCK_BYTES], u32) {
    if let Some(last) = text.last_chunk::<BLOCK_BYTES>() {
        let beyond = text.len() % BLOCK_BYTES;
        return (*last, (BLOCK_BYTES - beyond) as u32);
    }
    let mut padded = [0; BLOCK_BYTES];
    padded[..text.len()].copy_from_slice(text);
    (padded, 0)
}

/// A tag of a text. Key and value are not checked: both may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag<'t> {
    /// Part before the first `=`; the whole tag if there is no `=`.
    pub key: &'t str,
    /// Part after the first `=`; empty if there is no `=`.
    pub value: &'t str,
}

/// Calls `each` with every tag of the text, whose separators are in `found`. Between two ends in a row there is no tag.
///
/// # Panics
/// If `found` has the separators of another text.
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

/// Calls `each` with the tag from `start` to `end`, if the tag is not empty.
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
