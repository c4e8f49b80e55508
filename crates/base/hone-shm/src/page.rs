//! Page of a pair: notices, by which two processes tell each other which of their connections have something new.
//!
//! Both processes may write all of it. What it says is no more than where to look: a connection finds in its own ring what is true.

use crate::layout::{MAGIC_AT, NOTICE_WORDS, NOTICES, PAGE_BYTES, PAIR_MAGIC, TOKEN_AT, Written};
use crate::memfd;
use crate::memory::Mapping;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering::SeqCst;

/// What a notice says of a seat's connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notice {
    Bytes = 0,
    Room = 1,
    /// One of its sockets has ended, or was shut down.
    End = 2,
}

/// Notices of one seat that were taken at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken(u64);

impl Taken {
    /// What a process is told of each seat whose pair has ended.
    pub(crate) const END: Self = Self(1 << Notice::End as u64);

    pub(crate) fn has(self, notice: Notice) -> bool {
        self.0 >> notice as u64 & 1 == 1
    }
}

/// The page, as one side has it.
pub(crate) struct Page {
    mapping: Mapping,
    token: u64,
    /// Notices that this side posts; it takes the others.
    posted: Written,
}

impl Page {
    /// Makes the page of a pair that a token names, and its file.
    pub(crate) fn create(token: u64) -> io::Result<(Self, OwnedFd)> {
        let file = memfd::create(PAGE_BYTES)?;
        let mapping = Mapping::of_page(file.as_fd())?;
        mapping.word64(TOKEN_AT).store(token, SeqCst);
        let magic = u64::from_ne_bytes(PAIR_MAGIC);
        mapping.word64(MAGIC_AT).store(magic, SeqCst);
        let posted = Written::ByServer;
        let page = Self {
            mapping,
            token,
            posted,
        };
        Ok((page, file))
    }

    /// Maps the page that a server has made. Returns nothing where it is none.
    pub(crate) fn map(file: BorrowedFd<'_>) -> Option<Self> {
        if !memfd::is_sealed(file, PAGE_BYTES) {
            return None;
        }
        let mapping = Mapping::of_page(file).ok()?;
        let token = mapping.word64(TOKEN_AT).load(SeqCst);
        let magic = mapping.word64(MAGIC_AT).load(SeqCst);
        let posted = Written::ByClient;
        (magic == u64::from_ne_bytes(PAIR_MAGIC)).then_some(Self {
            mapping,
            token,
            posted,
        })
    }

    pub(crate) fn token(&self) -> u64 {
        self.token
    }

    /// Returns true if this side has made the page.
    pub(crate) fn is_own(&self) -> bool {
        self.posted == Written::ByServer
    }

    /// Posts a notice. Returns true if the other process sleeps and must be woken.
    pub(crate) fn post(&self, seat: usize, notice: Notice) -> bool {
        let bit = seat * NOTICES + notice as usize;
        let word = self.mapping.word64(self.posted.bits_at(bit / 64));
        word.fetch_or(1 << (bit % 64), SeqCst);
        let sleeps = self.mapping.word32(self.posted.sleeps_at());
        sleeps.load(SeqCst) != 0 && sleeps.swap(0, SeqCst) != 0
    }

    /// Takes the notices that are there, and tells them seat by seat.
    pub(crate) fn take(&self, mut each: impl FnMut(usize, Taken)) {
        let taken = self.posted.other();
        for word in 0..NOTICE_WORDS {
            let bits = self.mapping.word64(taken.bits_at(word));
            if bits.load(SeqCst) == 0 {
                continue;
            }
            let mut bits = bits.swap(0, SeqCst);
            while bits != 0 {
                let first = bits.trailing_zeros() as usize / NOTICES * NOTICES;
                let of_seat = bits >> first & ((1 << NOTICES) - 1);
                each((word * 64 + first) / NOTICES, Taken(of_seat));
                bits ^= of_seat << first;
            }
        }
    }

    /// Returns true if no notice is there.
    pub(crate) fn has_none(&self) -> bool {
        let taken = self.posted.other();
        let mut words = (0..NOTICE_WORDS).map(|word| self.mapping.word64(taken.bits_at(word)));
        words.all(|bits| bits.load(SeqCst) == 0)
    }

    /// Tells the other process that this one is about to sleep. It must look at the notices once more before it does.
    pub(crate) fn announce(&self) {
        let sleeps = self.mapping.word32(self.posted.other().sleeps_at());
        sleeps.store(1, SeqCst);
    }

    /// Takes the memory away from both sides.
    pub(crate) fn empty(&self) {
        self.mapping.empty();
    }
}
