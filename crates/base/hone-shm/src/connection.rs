//! A connection, shared or ordinary, as a program sees it.

use crate::hearing::{First, Heard, Hearing};
use crate::shared::{Room, Shared, Unread};
use crate::socket::{receive, shut_down, transmit, wait};
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::Shutdown;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

/// One side of a connection, which ends when it is dropped. What was written before can still be read by the other side.
///
/// Reads and writes do not wait: their error is [`io::ErrorKind::WouldBlock`] where nothing is there, or no room. Others are
/// [`io::ErrorKind::BrokenPipe`] where nobody will read what is written, [`io::ErrorKind::InvalidData`] where the other side has broken
/// the memory, which ends the connection, and those of the socket.
///
/// In an event loop, level-triggered: read until a read would block before you wait for [`Connection::read_descriptor`]; wait
/// for [`Connection::write_descriptor`] only after a write that would block, until a write succeeds. Ask for the descriptors each
/// time that you wait, since a server's connection gets another one once the client's first bytes are read.
pub struct Connection {
    socket: UnixStream,
    state: State,
    /// Whether this side writes nothing more.
    is_finished: bool,
}

enum State {
    /// A server's connection, whose client has not told yet what it asks for.
    Hearing(Box<Hearing>),
    Ordinary(First),
    Shared(Box<Shared>),
}

/// What a descriptor is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// It has bytes to read: `POLLIN`.
    Readable,
    /// It has room: `POLLOUT`.
    Writable,
}

impl Connection {
    pub(crate) fn ordinary(socket: UnixStream) -> Self {
        Self::of(socket, State::Ordinary(First::default()))
    }

    pub(crate) fn shared(socket: UnixStream, shared: Shared) -> Self {
        Self::of(socket, State::Shared(Box::new(shared)))
    }

    pub(crate) fn hearing(socket: UnixStream, hearing: Hearing) -> Self {
        Self::of(socket, State::Hearing(Box::new(hearing)))
    }

    fn of(socket: UnixStream, state: State) -> Self {
        Self {
            socket,
            state,
            is_finished: false,
        }
    }

    /// Returns true if bytes go through shared memory. A server does not know before it has read the client's first bytes.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.state, State::Shared(_))
    }

    /// Returns true if the connection is woken with others of its event loop: [`crate::Pairs::take`] tells what comes of it, and its
    /// descriptors do not.
    #[must_use]
    pub fn is_paired(&self) -> bool {
        matches!(&self.state, State::Shared(shared) if shared.is_paired())
    }

    /// Returns true if it is told what the connection is. A server ends those that are not after some time: their clients may have
    /// memory already, and say nothing.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(self.state, State::Hearing(_))
    }

    /// Returns true if a shared connection has bytes, for event loops that look for some time before they sleep.
    #[must_use]
    pub fn has_bytes(&self) -> bool {
        matches!(&self.state, State::Shared(shared) if shared.has_bytes())
    }

    /// Returns where to put bytes in place.
    ///
    /// # Errors
    ///
    /// Those of writing; [`io::ErrorKind::Unsupported`] for a connection that is not shared.
    pub fn room(&mut self) -> io::Result<Room<'_>> {
        match &mut self.state {
            State::Shared(_) if self.is_finished => Err(io::ErrorKind::BrokenPipe.into()),
            State::Shared(shared) => shared.room(self.socket.as_fd()),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns what there is to read, to be copied.
    ///
    /// # Errors
    ///
    /// Those of reading; [`io::ErrorKind::Unsupported`] for a connection that is not shared.
    pub fn unread(&mut self) -> io::Result<Unread<'_>> {
        match &mut self.state {
            State::Shared(shared) => shared.unread(self.socket.as_fd()),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns where to wait for bytes, until it is readable.
    #[must_use]
    pub fn read_descriptor(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Returns where to wait for room, and for what: that of a shared connection is told by bytes to read.
    #[must_use]
    pub fn write_descriptor(&self) -> (BorrowedFd<'_>, Readiness) {
        match &self.state {
            State::Shared(shared) => (shared.space(), Readiness::Readable),
            State::Hearing(_) => (self.socket.as_fd(), Readiness::Readable),
            State::Ordinary(_) => (self.socket.as_fd(), Readiness::Writable),
        }
    }

    /// Waits for bytes.
    ///
    /// # Errors
    ///
    /// Those of `poll`; [`io::ErrorKind::Unsupported`] for a paired connection, whose event loop waits.
    pub fn wait_for_bytes(&self) -> io::Result<()> {
        self.waits_alone()?;
        wait(self.read_descriptor(), PollFlags::IN, None).map(drop)
    }

    fn waits_alone(&self) -> io::Result<()> {
        if self.is_paired() {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "a paired connection is not waited for by itself; ask Pairs::take for its news",
            ));
        }
        Ok(())
    }

    /// Waits for room.
    ///
    /// # Errors
    ///
    /// Those of [`Connection::wait_for_bytes`].
    pub fn wait_for_room(&self) -> io::Result<()> {
        self.waits_alone()?;
        let (descriptor, readiness) = self.write_descriptor();
        let event = match readiness {
            Readiness::Readable => PollFlags::IN,
            Readiness::Writable => PollFlags::OUT,
        };
        wait(descriptor, event, None).map(drop)
    }

    /// Reads, and waits until there is something.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub fn read_waiting(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait_for_bytes()?,
                result => return result,
            }
        }
    }

    /// Writes all, and waits for room.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write_waiting(&mut self, mut from: &[u8]) -> io::Result<()> {
        while !from.is_empty() {
            match self.write(from) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait_for_room()?,
                result => from = &from[result?..],
            }
        }
        Ok(())
    }

    /// Tells the other side that nothing more comes.
    pub fn close_write(&mut self) {
        self.is_finished = true;
        shut_down(self.socket.as_fd(), Shutdown::Write);
        if let State::Shared(shared) = &self.state {
            shared.tell_end();
        }
    }

    /// Reads the client's first bytes, until they have told what the connection is.
    fn hear(&mut self) -> Result<(), Errno> {
        if let State::Hearing(hearing) = &mut self.state {
            self.state = match hearing.hear(self.socket.as_fd())? {
                Heard::Ordinary(first) => State::Ordinary(first),
                Heard::Shared(shared) => State::Shared(shared),
            };
        }
        Ok(())
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        self.hear()?;
        let socket = self.socket.as_fd();
        match &mut self.state {
            State::Shared(shared) => {
                let unread = shared.unread(socket)?;
                let count = unread.copy(0, into);
                if count > 0 {
                    unread.give_back(count);
                }
                Ok(count)
            }
            State::Ordinary(first) => match first.give(into) {
                0 => Ok(receive(socket, into)?),
                count => Ok(count),
            },
            State::Hearing(_) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if from.is_empty() {
            return Ok(0);
        }
        if self.is_finished {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        match (self.hear(), &self.state) {
            // A server that sends first, before it has heard anything, has an ordinary connection.
            (Err(Errno::AGAIN), State::Hearing(hearing)) if hearing.has_heard_nothing() => {
                self.state = State::Ordinary(First::default());
            }
            (heard, _) => heard?,
        }
        let socket = self.socket.as_fd();
        match &mut self.state {
            State::Shared(shared) => {
                let mut room = shared.room(socket)?;
                let count = room.put(0, from);
                room.hand_over(count);
                Ok(count)
            }
            State::Ordinary(_) => Ok(transmit(socket, from)?),
            State::Hearing(_) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let State::Shared(shared) = &self.state {
            shared.shut_down(self.socket.as_fd());
        }
    }
}
