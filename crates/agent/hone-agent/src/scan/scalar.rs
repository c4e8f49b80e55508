//! Scanner for one byte at a time.

use super::{BLOCK_BYTES, Scanner, Separators};

pub(super) fn scanner() -> Scanner {
    Scanner {
        name: "scalar",
        find,
    }
}

pub(super) fn find(text: &[u8], found: &mut [Separators]) {
    for (block, here) in text.chunks(BLOCK_BYTES).zip(found) {
        *here = Separators::default();
        for (bit, byte) in block.iter().enumerate() {
            match byte {
                b'=' => here.equals |= 1 << bit,
                b'|' | b' ' => here.ends |= 1 << bit,
                _ => {}
            }
        }
    }
}
