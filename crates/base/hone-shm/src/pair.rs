//! What wakes all connections between two processes: a page of notices, and one socket, the bell.

use crate::layout::SEATS;
use crate::page::{Notice, Page, Taken};
use crate::pairs::News;
use crate::socket::{ROUNDS_MAX, Wakes, take_wakes, wake};
use rustix::process::Pid;
use std::array;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Other side of a pair, by which the next connection finds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum With {
    Client(Pid),
    /// Server that listens at a path.
    Server(PathBuf),
}

pub(crate) struct Pair {
    page: Page,
    bell: OwnedFd,
    with: With,
    seats: Mutex<[Option<Sitting>; SEATS]>,
    has_ended: AtomicBool,
}

/// Connection in a seat.
struct Sitting {
    key: u64,
    may_have_ended: bool,
}

impl Pair {
    pub(crate) fn of(page: Page, bell: OwnedFd, with: With) -> Self {
        Self {
            page,
            bell,
            with,
            seats: Mutex::new(array::from_fn(|_| None)),
            has_ended: AtomicBool::new(false),
        }
    }

    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    pub(crate) fn token(&self) -> u64 {
        self.page.token()
    }

    /// Returns true if a client that knows the token may join: nobody else may wake the connections of the pair.
    pub(crate) fn is_of_client(&self, token: u64, client: Pid) -> bool {
        self.token() == token && self.with == With::Client(client)
    }

    pub(crate) fn is_with_server(&self, path: &Path) -> bool {
        matches!(&self.with, With::Server(at) if at == path)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.load(SeqCst)
    }

    pub(crate) fn has_news(&self) -> bool {
        !self.page.has_none()
    }

    fn seats(&self) -> MutexGuard<'_, [Option<Sitting>; SEATS]> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a connection the first free seat.
    pub(crate) fn sit(self: &Arc<Self>, key: u64) -> Option<Seat> {
        let number = self.seats().iter().position(Option::is_none)?;
        self.sit_at(number, key)
    }

    /// Gives a connection a seat, if that is free.
    pub(crate) fn sit_at(self: &Arc<Self>, number: usize, key: u64) -> Option<Seat> {
        let mut seats = self.seats();
        // Nobody would tell it of the end.
        if self.has_ended() {
            return None;
        }
        let free = seats.get_mut(number).filter(|seat| seat.is_none())?;
        *free = Some(Sitting {
            key,
            may_have_ended: false,
        });
        Some(Seat {
            pair: Arc::clone(self),
            number,
        })
    }

    /// Takes the notices that are there.
    pub(crate) fn take(&self, into: &mut Vec<News>) {
        let mut seats = self.seats();
        self.page.take(|seat, taken| {
            // A notice for a seat without a connection is nothing.
            if let Some(sitting) = &mut seats[seat] {
                sitting.may_have_ended |= taken.has(Notice::End);
                into.extend(News::of(sitting.key, taken));
            }
        });
    }

    /// Tells the other process that this one is about to sleep, and takes what has come meanwhile. Returns false where the other process
    /// has ended: then all connections are told, once.
    pub(crate) fn take_before_sleep(&self, into: &mut Vec<News>) -> bool {
        for _ in 0..ROUNDS_MAX {
            self.page.announce();
            self.take(into);
            if !into.is_empty() {
                return true;
            }
            match take_wakes(self.bell()) {
                // It may have rung for notices that were posted after the look at them.
                Wakes::Taken => {}
                Wakes::None => return true,
                Wakes::End => {
                    self.has_ended.store(true, SeqCst);
                    let sitting = self.seats();
                    let keys = sitting.iter().flatten().map(|sitting| sitting.key);
                    into.extend(keys.filter_map(|key| News::of(key, Taken::END)));
                    return false;
                }
            }
        }
        // What is left in the bell lets nobody sleep.
        true
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        if self.page.is_own() {
            self.page.empty();
        }
    }
}

/// Seat of one connection, which is free again when this is dropped. The last one of a pair ends it.
pub(crate) struct Seat {
    pair: Arc<Pair>,
    number: usize,
}

impl Seat {
    /// Number of the seat, from 0 on.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Tells the other process of something new.
    pub(crate) fn post(&self, notice: Notice) {
        if self.pair.page.post(self.number, notice) {
            wake(self.pair.bell());
        }
    }

    /// What has woken this side, of a socket of the connection, which tells only that it has ended.
    pub(crate) fn wakes(&self, socket: BorrowedFd<'_>) -> Wakes {
        if self.pair.has_ended() {
            return Wakes::End;
        }
        let sitting = &self.pair.seats()[self.number];
        match sitting {
            Some(sitting) if sitting.may_have_ended => take_wakes(socket),
            _ => Wakes::None,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.pair.seats()[self.number] = None;
    }
}
