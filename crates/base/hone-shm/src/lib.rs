//! Connections through memory that two processes of one machine share.
//!
//! A connection begins as one over a Unix socket. A client asks for a segment of shared memory first ([`connect`]), and a
//! server ([`Server`]) gives it one; both then write into it and read from it, and the socket is left to wake a side that
//! sleeps and to tell that a side has ended. Who does not ask gets an ordinary connection, and so does a client whose server
//! does not know shared memory or refuses it.
//!
//! Constraints that shaped this:
//! - No call waits but those whose names say so, so that a [`Connection`] fits into an event loop: it implements [`std::io::Read`]
//!   and [`std::io::Write`], and tells what to wait for.
//! - The other side is not trusted with more than its own connection: it may write anything into the segment at any time.
//!   So each side keeps its own positions privately, loads the other one's once and checks it, and copies bytes before anything
//!   looks at them: no reference to bytes of the segment is ever made.
//! - Nothing that is sent or received allocates.
//!
//! An event loop with many connections between the same two processes has [`Pairs`], by which it is woken once for all of them.
//!
//! `docs/internals/shm.md` has the layout and the rules. Go's package `go/shm` and the C++ header in `cpp/shm` speak the same.
//!
//! ```no_run
//! use std::io::{ErrorKind, Read};
//! let mut connection = hone_shm::connect("/run/hello.sock", &hone_shm::Options::default())?;
//! let mut buffer = [0; 4096];
//! match connection.read(&mut buffer) {
//!     Ok(0) => println!("the other side has ended"),
//!     Ok(count) => println!("{count} bytes came"),
//!     Err(error) if error.kind() == ErrorKind::WouldBlock => connection.wait_for_bytes()?,
//!     Err(error) => return Err(error),
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

#![deny(unsafe_code)]

mod client;
mod connection;
mod hearing;
mod hello;
mod layout;
mod memfd;
mod memory;
mod open_segments;
mod page;
mod pair;
mod pairs;
mod ring;
mod segment;
mod server;
mod shared;
mod socket;
#[cfg(test)]
mod tests;

pub use client::{connect, connect_in};
pub use connection::{Connection, Readiness};
pub use hello::Options;
pub use layout::{LARGEST_RING, SMALLEST_RING};
pub use pairs::{News, Pairs};
pub use server::Server;
pub use shared::{Room, Unread};
