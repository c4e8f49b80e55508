//! Layout of a segment and of a pair's page, as `docs/internals/shm.md` has it.

/// Smallest capacity of a ring, in bytes. Each capacity is a power of two.
pub const SMALLEST_RING: usize = 64 << 10;
/// Largest capacity of a ring, in bytes.
pub const LARGEST_RING: usize = 64 << 20;

pub(crate) const MAGIC: [u8; 8] = *b"HONESHM1";

pub(crate) const HEADER_BYTES: usize = 4096;
pub(crate) const MAGIC_AT: usize = 0;
pub(crate) const CAPACITY_AT: usize = 8;
const CONTROLS_AT: usize = 1024;
const CONTROL_BYTES: usize = 1024;
pub(crate) const HEAD_AT: usize = 0;
pub(crate) const TAIL_AT: usize = 128;
pub(crate) const READER_WAITS_AT: usize = 256;
pub(crate) const WRITER_WAITS_AT: usize = 384;

pub(crate) const PAIR_MAGIC: [u8; 8] = *b"HONEPAIR";
pub(crate) const PAGE_BYTES: usize = 4096;
pub(crate) const TOKEN_AT: usize = 8;
const NOTICES_AT: usize = 1024;
const NOTICES_BYTES: usize = 1024;
const SLEEPS_AT: usize = 0;
const BITS_AT: usize = 128;

/// Number of connections that a pair serves at a time, and of the notices that each has.
pub(crate) const SEATS: usize = 256;
pub(crate) const NOTICES: usize = 4;
/// Number of words that the notices of all seats take.
pub(crate) const NOTICE_WORDS: usize = SEATS * NOTICES / 64;

/// Number of rings in a segment.
pub(crate) const RINGS: usize = 2;

/// Ring of a segment, or notices of a pair, named after the side that writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    ByClient,
    ByServer,
}

impl Written {
    fn index(self) -> usize {
        match self {
            Self::ByClient => 0,
            Self::ByServer => 1,
        }
    }

    pub(crate) fn other(self) -> Self {
        match self {
            Self::ByClient => Self::ByServer,
            Self::ByServer => Self::ByClient,
        }
    }

    /// Offset of the ring's control words.
    pub(crate) fn control_at(self) -> usize {
        CONTROLS_AT + self.index() * CONTROL_BYTES
    }

    /// Offset of the word that tells whether the process sleeps which the notices are for.
    pub(crate) fn sleeps_at(self) -> usize {
        NOTICES_AT + self.index() * NOTICES_BYTES + SLEEPS_AT
    }

    /// Offset of a word of the notices' bits.
    pub(crate) fn bits_at(self, word: usize) -> usize {
        NOTICES_AT + self.index() * NOTICES_BYTES + BITS_AT + word * size_of::<u64>()
    }

    /// Offset of the ring's bytes in the file.
    pub(crate) fn bytes_in_file(self, capacity: usize) -> usize {
        HEADER_BYTES + self.index() * capacity
    }

    /// Offset of the ring's bytes in the mapping, where they lie twice in a row.
    pub(crate) fn bytes_in_mapping(self, capacity: usize) -> usize {
        HEADER_BYTES + 2 * self.index() * capacity
    }
}

pub(crate) fn is_capacity(bytes: usize) -> bool {
    (SMALLEST_RING..=LARGEST_RING).contains(&bytes) && bytes.is_power_of_two()
}

pub(crate) fn file_bytes(capacity: usize) -> usize {
    HEADER_BYTES + RINGS * capacity
}

pub(crate) fn mapped_bytes(capacity: usize) -> usize {
    HEADER_BYTES + 2 * RINGS * capacity
}
