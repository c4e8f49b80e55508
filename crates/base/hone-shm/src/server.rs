//! A server's side of how connections begin.

use crate::connection::Connection;
use crate::hearing::{Hearing, Pairing};
use crate::hello::Options;
use crate::open_segments::OpenSegments;
use crate::pairs::Pairs;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// Segments that a server has at most, if nothing else is said.
const SEGMENTS_MAX: usize = 1024;

/// Makes connections of accepted ones, for any number of threads.
pub struct Server {
    options: Arc<Options>,
    segments: Arc<OpenSegments>,
}

impl Default for Server {
    fn default() -> Self {
        Self::new(Options::default(), SEGMENTS_MAX)
    }
}

impl Server {
    /// A server with so many connections at most that have memory at a time; others are ordinary ones.
    #[must_use]
    pub fn new(options: Options, most_segments: usize) -> Self {
        Self {
            options: Arc::new(options),
            segments: OpenSegments::new(most_segments),
        }
    }

    /// Makes a connection of an accepted socket. What it is tell the client's first bytes, which the first reads of the
    /// connection take: nothing waits here.
    #[must_use]
    pub fn answer(&self, accepted: UnixStream) -> Connection {
        self.hear(accepted, None)
    }

    /// Does what [`Server::answer`] does, for a connection of an event loop: where its client knows pairs, it is woken with the loop's others, and has
    /// [`crate::News`] with this key.
    #[must_use]
    pub fn answer_in(&self, accepted: UnixStream, pairs: &Pairs, key: u64) -> Connection {
        let pairs = Arc::clone(pairs.known());
        self.hear(accepted, Some(Pairing { pairs, key }))
    }

    fn hear(&self, accepted: UnixStream, pairing: Option<Pairing>) -> Connection {
        let (options, segments) = (Arc::clone(&self.options), Arc::clone(&self.segments));
        Connection::hearing(accepted, Hearing::new(options, segments, pairing))
    }

    /// Number of connections that have memory now. That of a connection which has ended on this side counts until its client has
    /// let go of it too, and is given back whenever this is asked, and another connection begins or ends.
    #[must_use]
    pub fn open_segments(&self) -> usize {
        self.segments.count()
    }
}
