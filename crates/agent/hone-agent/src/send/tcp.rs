//! A connection over TCP, with TLS or without, that is made when needed.

use crate::tls::{Tls, TlsError};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

/// Options of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TcpOptions {
    /// Address as `host:port`; IPv6 as `[::1]:port`.
    pub address: String,
    /// Settings of TLS; `None` for a connection without TLS.
    pub tls: Option<Tls>,
    /// Longest time of connecting, of each write and of each read.
    pub timeout: Duration,
}

/// Holder of a connection, which is made again after each failure.
pub(super) struct Connector {
    address: String,
    tls: Option<Arc<ClientConfig>>,
    timeout: Duration,
    connection: Option<Connection>,
}

pub(super) enum Connection {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Connector {
    pub(super) fn new(options: &TcpOptions) -> Result<Self, TlsError> {
        let tls = options.tls.as_ref().map(Tls::for_tcp).transpose()?;
        Ok(Self {
            address: options.address.clone(),
            tls,
            timeout: options.timeout,
            connection: None,
        })
    }

    /// Calls `use_it` with the connection, or with a new connection if the last was closed. A failure closes the
    /// connection.
    pub(super) fn with<T>(
        &mut self,
        use_it: impl FnOnce(&mut Connection) -> io::Result<T>,
    ) -> io::Result<T> {
        let kept = self.connection.take().filter(Connection::is_open);
        let mut connection = match kept {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let result = use_it(&mut connection)?;
        self.connection = Some(connection);
        Ok(result)
    }

    fn connect(&self) -> io::Result<Connection> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, self.timeout) {
                Ok(stream) => return self.prepare(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn prepare(&self, stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(self.timeout))?;
        stream.set_write_timeout(Some(self.timeout))?;
        let Some(config) = &self.tls else {
            return Ok(Connection::Plain(stream));
        };
        let host = self.address.rsplit_once(':').map_or("", |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let session = ClientConnection::new(Arc::clone(config), name);
        let session = session.map_err(io::Error::other)?;
        let stream = StreamOwned::new(session, stream);
        Ok(Connection::Tls(Box::new(stream)))
    }
}

impl Connection {
    /// Returns true if the other side has not closed the connection, as far as is known here.
    fn is_open(&self) -> bool {
        let stream = match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => &stream.sock,
        };
        if stream.set_nonblocking(true).is_err() {
            return false;
        }
        let peeked = stream.peek(&mut [0]);
        let is_open = match peeked {
            Ok(waiting) => waiting > 0,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        };
        stream.set_nonblocking(false).is_ok() && is_open
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(into),
            Self::Tls(stream) => stream.read(into),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
