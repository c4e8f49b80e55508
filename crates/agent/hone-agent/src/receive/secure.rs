//! TLS on accepted connections. Nothing here waits: arrived data is decrypted as far as it goes.

use crate::tls::{Tls, TlsError};
use rustix::net::SendFlags;
use rustls::{ServerConfig, ServerConnection};
use std::fmt;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

/// TLS of a listener: its certificate and the authorities that it trusts. Values made from equal settings are equal.
#[derive(Clone)]
pub struct Secure {
    made_of: Tls,
    config: Arc<ServerConfig>,
}

impl Secure {
    /// TLS with an identity. If authorities are given, clients must have a certificate that one of the authorities signed.
    ///
    /// # Errors
    /// If there is no identity, or if something cannot be read.
    pub fn new(tls: Tls) -> Result<Self, TlsError> {
        let config = tls.for_listener()?;
        Ok(Self {
            made_of: tls,
            config,
        })
    }

    /// Creates the TLS session of a connection that has just been accepted.
    pub(super) fn session(&self) -> io::Result<Session> {
        let session = ServerConnection::new(Arc::clone(&self.config));
        Ok(Session(Box::new(session.map_err(io::Error::other)?)))
    }
}

impl PartialEq for Secure {
    fn eq(&self, other: &Self) -> bool {
        self.made_of == other.made_of
    }
}

impl Eq for Secure {}

impl fmt::Debug for Secure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made_of.fmt(f)
    }
}

/// TLS session of one connection.
#[derive(Debug)]
pub(super) struct Session(Box<ServerConnection>);

impl Session {
    /// Decrypts arrived data and appends the plain text to `said`. On an error, `said` has the text before the error.
    ///
    /// # Errors
    /// If the data is not TLS, or the client is not trusted. The client is told, if it still reads.
    pub(super) fn open(
        &mut self,
        mut arrived: &[u8],
        socket: impl AsFd,
        said: &mut Vec<u8>,
    ) -> io::Result<()> {
        while !arrived.is_empty() && self.0.read_tls(&mut arrived)? > 0 {
            let state = self.0.process_new_packets();
            let state = match state {
                Ok(state) => state,
                Err(error) => {
                    let _ = self.flush(socket);
                    return Err(io::Error::other(error));
                }
            };
            let (start, bytes) = (said.len(), state.plaintext_bytes_to_read());
            said.resize(start + bytes, 0);
            self.0.reader().read_exact(&mut said[start..])?;
        }
        // A client that does not read any more may still have sent data to read.
        let _ = self.flush(socket);
        Ok(())
    }

    /// Encrypts and sends bytes.
    ///
    /// # Errors
    /// If the socket has no room: the client does not read.
    pub(super) fn send(&mut self, bytes: &[u8], socket: impl AsFd) -> io::Result<()> {
        self.0.writer().write_all(bytes)?;
        self.flush(socket)
    }

    fn flush(&mut self, socket: impl AsFd) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(&mut Socket(socket.as_fd()))?;
        }
        Ok(())
    }
}

/// A writer to a socket whose client may have gone.
struct Socket<'s>(BorrowedFd<'s>);

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let send = || rustix::net::send(self.0, bytes, SendFlags::NOSIGNAL);
        Ok(rustix::io::retry_on_intr(send)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
