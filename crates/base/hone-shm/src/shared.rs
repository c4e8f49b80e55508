//! What a shared connection has, and when its sides wake each other.

use crate::hello::Answer;
use crate::open_segments::{Memory, OpenSegment};
use crate::page::Notice;
use crate::pair::Seat;
use crate::ring::Broken;
use crate::segment::Ends;
use crate::socket::{ROUNDS_MAX, Wakes, shut_down, take_wakes, wake};
use rustix::net::Shutdown;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

pub(crate) struct Shared {
    ends: Ends,
    /// In a pair, whose notices wake both sides in place of the sockets. It is left before space is closed, as the other side may give the
    /// seat to another connection then.
    seat: Option<Arc<Seat>>,
    /// Over this the reader of what this side writes wakes it, and this side the other writer. Over the connection's socket
    /// writers wake readers.
    space: Arc<OwnedFd>,
    is_broken: bool,
    _open: Option<OpenSegment>,
}

impl Shared {
    pub(crate) fn of(
        ends: Ends,
        space: OwnedFd,
        seat: Option<Seat>,
        mut open: Option<OpenSegment>,
    ) -> Self {
        let (seat, space) = (seat.map(Arc::new), Arc::new(space));
        if let Some(open) = &mut open {
            open.keep(Memory {
                mapping: ends.out.mapping(),
                seat: seat.clone(),
                space: Arc::clone(&space),
            });
        }
        Self {
            ends,
            seat,
            space,
            is_broken: false,
            _open: open,
        }
    }

    pub(crate) fn space(&self) -> BorrowedFd<'_> {
        self.space.as_fd()
    }

    /// What a server says of this memory.
    pub(crate) fn answer(&self) -> Answer {
        Answer {
            ring_bytes: self.ends.out.capacity() as u64,
            seat: self.seat.as_ref().map(|seat| seat.number()),
        }
    }

    pub(crate) fn is_paired(&self) -> bool {
        self.seat.is_some()
    }

    pub(crate) fn has_bytes(&self) -> bool {
        !self.ends.incoming.is_empty()
    }

    /// Looks for bytes; none are the end. Where there are none yet, it announces that this side is about to sleep, and looks once
    /// more whether it must not.
    pub(crate) fn unread<'s>(&'s mut self, socket: BorrowedFd<'s>) -> io::Result<Unread<'s>> {
        let count = self.unread_bytes(socket)?;
        Ok(Unread {
            shared: self,
            count,
        })
    }

    fn unread_bytes(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let mut found = self.look(socket)?;
        for round in 0.. {
            if found > 0 {
                break;
            }
            self.ends.incoming.announce();
            found = self.look(socket)?;
            if found > 0 {
                break;
            }
            // After the last round, what is left in the socket lets nobody sleep.
            let wakes = if round == ROUNDS_MAX {
                Wakes::None
            } else {
                self.wakes(socket)
            };
            match wakes {
                Wakes::Taken => {}
                Wakes::None => return Err(io::ErrorKind::WouldBlock.into()),
                // What was written before the end is still there.
                Wakes::End => return self.look(socket),
            }
        }
        Ok(found)
    }

    fn look(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let unread = self.ends.incoming.unread();
        self.checked(unread, socket)
    }

    /// What has woken this side over a socket, or by a notice of the pair.
    fn wakes(&self, socket: BorrowedFd<'_>) -> Wakes {
        match &self.seat {
            Some(seat) => seat.wakes(socket),
            None => take_wakes(socket),
        }
    }

    /// Wakes the other side.
    fn tell(&self, notice: Notice, socket: BorrowedFd<'_>) {
        match &self.seat {
            Some(seat) => seat.post(notice),
            None => wake(socket),
        }
    }

    /// Looks for room in the same way.
    pub(crate) fn room<'s>(&'s mut self, socket: BorrowedFd<'s>) -> io::Result<Room<'s>> {
        let count = self.room_bytes(socket)?;
        Ok(Room {
            shared: self,
            socket,
            count,
        })
    }

    fn room_bytes(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let mut found = self.look_for_room(socket)?;
        for round in 0.. {
            if found > 0 {
                break;
            }
            self.ends.out.announce();
            found = self.look_for_room(socket)?;
            if found > 0 {
                break;
            }
            let wakes = if round == ROUNDS_MAX {
                Wakes::None
            } else {
                self.wakes(self.space.as_fd())
            };
            match wakes {
                Wakes::Taken => {}
                Wakes::None => return Err(io::ErrorKind::WouldBlock.into()),
                Wakes::End => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
        Ok(found)
    }

    fn look_for_room(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let room = self.ends.out.room();
        self.checked(room, socket)
    }

    /// Ends the connection where the other side has broken a ring.
    fn checked(
        &mut self,
        found: Result<usize, Broken>,
        socket: BorrowedFd<'_>,
    ) -> io::Result<usize> {
        if found.is_err() && !self.is_broken {
            self.is_broken = true;
            self.shut_down(socket);
        }
        match found {
            Ok(count) if !self.is_broken => Ok(count),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the other side of the shared memory has broken its ring; connect anew",
            )),
        }
    }

    /// Ends the connection for both sides. Space tells still when the other one lets go of it.
    pub(crate) fn shut_down(&self, socket: BorrowedFd<'_>) {
        shut_down(socket, Shutdown::Both);
        shut_down(self.space.as_fd(), Shutdown::Write);
        self.tell_end();
    }

    /// Tells the other side that a socket has ended, where that does not wait for them.
    pub(crate) fn tell_end(&self) {
        if let Some(seat) = &self.seat {
            seat.post(Notice::End);
        }
    }
}

/// Room of a shared connection's writer, in one piece. The other side sees nothing of it before [`Room::hand_over`].
pub struct Room<'c> {
    shared: &'c mut Shared,
    socket: BorrowedFd<'c>,
    count: usize,
}

impl Room<'_> {
    /// Number of bytes that there is room for; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "room is never empty")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Copies bytes into the room, so many bytes after its beginning. Returns how many fitted.
    pub fn put(&mut self, at: usize, from: &[u8]) -> usize {
        let count = from.len().min(self.count.saturating_sub(at));
        if count > 0 {
            self.shared.ends.out.put(at, &from[..count]);
        }
        count
    }

    /// Hands the first so many bytes of the room to the reader; all of it if it has fewer.
    pub fn hand_over(self, bytes: usize) {
        if self.shared.ends.out.wrote(bytes.min(self.count)) {
            self.shared.tell(Notice::Bytes, self.socket);
        }
    }
}

/// Bytes of a shared connection that its reader has not read, in one piece; none at the end of the stream. The other side may
/// change them at any time, so they can only be copied.
pub struct Unread<'c> {
    shared: &'c mut Shared,
    count: usize,
}

impl Unread<'_> {
    /// Number of unread bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true at the end of the stream.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Copies unread bytes, from so many bytes after their beginning on. Returns how many there were.
    pub fn copy(&self, at: usize, into: &mut [u8]) -> usize {
        let count = into.len().min(self.count.saturating_sub(at));
        if count > 0 {
            self.shared.ends.incoming.copy(at, &mut into[..count]);
        }
        count
    }

    /// Gives the first so many unread bytes back to the writer; all of them if there are fewer.
    pub fn give_back(self, bytes: usize) {
        if self.shared.ends.incoming.read(bytes.min(self.count)) {
            let space = self.shared.space.as_fd();
            self.shared.tell(Notice::Room, space);
        }
    }
}
