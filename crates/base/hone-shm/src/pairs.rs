//! Connections that are woken together: those of one event loop with each other process.

use crate::hello::FILES_OF_PAIR;
use crate::page::{Notice, Page, Taken};
use crate::pair::{Pair, Seat, With};
use crate::socket::socket_pair;
use rustix::event::epoll;
use rustix::rand::{GetRandomFlags, getrandom};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Pairs of one event loop with other processes. All its connections with the same process are woken by one notice each in memory, and one
/// wake-up for all of them where the loop sleeps.
///
/// Such connections are not waited for one by one. The loop asks [`Pairs::take`] which of them have something new, and only if that gave
/// nothing it waits for [`Pairs::descriptor`] beside what else it waits for. News come once, and only of a connection of which a read, or a
/// write, would have blocked: read, or write, until that is so.
///
/// A connection begins over its own socket, and has news from the time on that it is paired ([`crate::Connection::is_paired`]). One whose
/// other side knows no pairs is woken for itself, as any other.
pub struct Pairs(Arc<Known>);

/// What has come of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct News {
    /// Number that the program has given the connection. A connection that has ended meanwhile may still have news.
    pub key: u64,
    /// There may be bytes to read, or an end.
    pub may_read: bool,
    /// There may be room to write, or nobody who reads.
    pub may_write: bool,
}

impl News {
    pub(crate) fn of(key: u64, taken: Taken) -> Option<Self> {
        let may_read = taken.has(Notice::Bytes) || taken.has(Notice::End);
        let may_write = taken.has(Notice::Room) || taken.has(Notice::End);
        (may_read || may_write).then_some(Self {
            key,
            may_read,
            may_write,
        })
    }
}

impl Pairs {
    /// Makes pairs of a loop, none yet.
    ///
    /// # Errors
    ///
    /// The system has no descriptor for it.
    pub fn new() -> io::Result<Self> {
        let events = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let pairs = Mutex::default();
        Ok(Self(Arc::new(Known { events, pairs })))
    }

    /// Tells what is new of connections, in place of what was told before. Where nothing is, the other processes are told that this loop is about to sleep: then it may wait for
    /// [`Pairs::descriptor`].
    pub fn take(&self, into: &mut Vec<News>) {
        into.clear();
        let mut pairs = self.0.pairs();
        for pair in pairs.iter().filter_map(Weak::upgrade) {
            pair.take(into);
        }
        if into.is_empty() {
            pairs.retain(|pair| {
                pair.upgrade()
                    .is_some_and(|pair| pair.take_before_sleep(into) || self.0.forget(&pair))
            });
        }
    }

    /// Returns true if a connection has something new, for loops that look for some time before they sleep.
    #[must_use]
    pub fn has_news(&self) -> bool {
        let pairs = self.0.pairs();
        let mut live = pairs.iter().filter_map(Weak::upgrade);
        live.any(|pair| pair.has_news())
    }

    /// Returns where to wait for news, until it is readable.
    #[must_use]
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.events.as_fd()
    }

    pub(crate) fn known(&self) -> &Arc<Known> {
        &self.0
    }
}

/// Pairs that connections can join.
pub(crate) struct Known {
    /// Readable once a bell rings. A bell leaves it when it is closed.
    events: OwnedFd,
    pairs: Mutex<Vec<Weak<Pair>>>,
}

impl Known {
    fn pairs(&self) -> MutexGuard<'_, Vec<Weak<Pair>>> {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, is_it: impl Fn(&Pair) -> bool) -> Option<Arc<Pair>> {
        let pairs = self.pairs();
        let mut live = pairs.iter().filter_map(Weak::upgrade);
        live.find(|pair| !pair.has_ended() && is_it(pair))
    }

    /// Returns the pair with the server at a path.
    pub(crate) fn with_server(&self, path: &Path) -> Option<Arc<Pair>> {
        self.find(|pair| pair.is_with_server(path))
    }

    /// Gives a client's connection a seat in the pair that the client names, or in a new one, whose files the client gets.
    pub(crate) fn seat(
        &self,
        socket: BorrowedFd<'_>,
        token: u64,
        key: u64,
    ) -> Option<(Seat, Option<[OwnedFd; FILES_OF_PAIR]>)> {
        let client = rustix::net::sockopt::socket_peercred(socket).ok()?.pid;
        let known = self.find(|pair| pair.is_of_client(token, client));
        if let Some(seat) = known.and_then(|pair| pair.sit(key)) {
            return Some((seat, None));
        }
        let (page, file) = Page::create(new_token()?).ok()?;
        let (ours, theirs) = socket_pair().ok()?;
        let pair = self.add(Pair::of(page, ours, With::Client(client)))?;
        Some((pair.sit(key)?, Some([file, theirs])))
    }

    /// Keeps a pair for as long as it has connections.
    pub(crate) fn add(&self, pair: Pair) -> Option<Arc<Pair>> {
        let data = epoll::EventData::new_u64(0);
        epoll::add(&self.events, pair.bell(), data, epoll::EventFlags::IN).ok()?;
        let pair = Arc::new(pair);
        let mut pairs = self.pairs();
        pairs.retain(|pair| pair.strong_count() > 0);
        pairs.push(Arc::downgrade(&pair));
        Some(pair)
    }

    /// Forgets a pair that has ended, whose bell would let nobody sleep. Returns false.
    fn forget(&self, pair: &Pair) -> bool {
        // It is there, as nothing else takes it away.
        let _ = epoll::delete(&self.events, pair.bell());
        false
    }
}

/// Returns a number that nobody guesses. The smallest ones mean something else.
fn new_token() -> Option<u64> {
    let mut bytes = [0; 8];
    let count = getrandom(&mut bytes, GetRandomFlags::empty()).ok()?;
    let is_whole = count == bytes.len();
    is_whole.then(|| u64::from_ne_bytes(bytes) | 1 << 63)
}
