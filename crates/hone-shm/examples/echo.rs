//! Sends back what comes over connections of shared memory, or sends and checks what comes back.
//!
//! ```text
//! echo serve PATH RING_BYTES     until its standard input ends; says `ready`, and of each connection that has ended
//!                                `shared BYTES` or `ordinary BYTES`
//! echo call PATH SEED MESSAGES   sends so many messages of 1 byte to 1 MiB in an event loop; says `ready` once the
//!                                first is back, and `shared BYTES` or `ordinary BYTES` once all are
//! ```
//!
//! Its twins are `go/shm/internal/echo` and `cpp/shm/examples/echo.cpp`.

use hone_shm::{Connection, Options, Readiness, Server, connect};
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixListener;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

const BUFFER_BYTES: usize = 64 << 10;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("echo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments say.
pub(crate) fn run(words: &[&str]) -> io::Result<()> {
    match *words {
        ["serve", path, ring_bytes] => serve(path, number_of(ring_bytes) as usize),
        ["call", path, seed, messages] => connect(path, &patient()).and_then(|connection| {
            Caller::new(connection, number_of(seed), number_of(messages)).run()
        }),
        _ => Err(io::Error::other(
            "wrong arguments; write echo serve PATH RING_BYTES, or echo call PATH SEED MESSAGES",
        )),
    }
}

/// Options of clients on a machine that does much else.
fn patient() -> Options {
    Options {
        patience: Duration::from_secs(300),
        ..Options::default()
    }
}

fn number_of(word: &str) -> u64 {
    word.parse().unwrap_or(0)
}

/// Number of a series that looks random, by its place (splitmix64).
fn number(seed: u64, place: u64) -> u64 {
    let step = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut mixed = seed.wrapping_add(step);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Byte that stands at a position of what a client sends.
fn byte_at(seed: u64, position: u64) -> u8 {
    (number(seed, position / 8) >> (position % 8 * 8)) as u8
}

fn tell(connection: &Connection, bytes: u64) {
    let kind = if connection.is_shared() {
        "shared"
    } else {
        "ordinary"
    };
    println!("{kind} {bytes}");
}

fn serve(path: &str, ring_bytes: usize) -> io::Result<()> {
    let listener = UnixListener::bind(path)?;
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        std::process::exit(0);
    });
    let options = Options {
        ring_bytes,
        ..Options::default()
    };
    let server = Server::new(options, 64);
    println!("ready");
    loop {
        let connection = server.answer(listener.accept()?.0);
        thread::spawn(move || answer(connection));
    }
}

fn answer(mut connection: Connection) {
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut bytes = 0;
    while let Ok(count @ 1..) = connection.read_waiting(&mut buffer) {
        if connection.write_waiting(&buffer[..count]).is_err() {
            break;
        }
        bytes += count as u64;
    }
    tell(&connection, bytes);
}

/// Sends messages and checks what comes back, on one thread.
struct Caller {
    connection: Connection,
    seed: u64,
    messages: u64,
    message: Vec<u8>,
    /// Bytes of the message that were sent.
    written: usize,
    first_bytes: u64,
    sent: u64,
    received: u64,
    has_closed: bool,
}

impl Caller {
    fn new(connection: Connection, seed: u64, messages: u64) -> Self {
        Self {
            connection,
            seed,
            messages,
            message: Vec::new(),
            written: 0,
            first_bytes: 0,
            sent: 0,
            received: 0,
            has_closed: false,
        }
    }

    fn run(mut self) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let may_write = self.send()?;
            match self.connection.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => self.check(&buffer[..count])?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !may_write {
                        self.wait()?;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        if self.messages > 0 || self.received != self.sent {
            return Err(io::Error::other("the other side ended"));
        }
        tell(&self.connection, self.received);
        Ok(())
    }

    /// Sends a piece. Returns true if there may be room for another.
    fn send(&mut self) -> io::Result<bool> {
        if self.written == self.message.len() && self.messages > 0 {
            self.next();
        }
        if self.written == self.message.len() {
            if !self.has_closed {
                self.connection.close_write();
            }
            self.has_closed = true;
            return Ok(false);
        }
        match self.connection.write(&self.message[self.written..]) {
            Ok(count) => {
                self.written += count;
                self.sent += count as u64;
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn next(&mut self) {
        let size = number(self.seed.wrapping_add(1), self.messages);
        let size = 1 + (size >> 8) % (1 << (size % 21));
        self.message.clear();
        self.message
            .extend((self.sent..self.sent + size).map(|position| byte_at(self.seed, position)));
        self.written = 0;
        if self.first_bytes == 0 {
            self.first_bytes = size;
        }
        self.messages -= 1;
    }

    fn check(&mut self, bytes: &[u8]) -> io::Result<()> {
        let expected = (self.received..).map(|position| byte_at(self.seed, position));
        if !bytes.iter().copied().eq(expected.take(bytes.len())) {
            return Err(io::Error::other("another byte came back than was sent"));
        }
        let was_ready = self.received >= self.first_bytes;
        self.received += bytes.len() as u64;
        if !was_ready && self.received >= self.first_bytes {
            println!("ready");
        }
        Ok(())
    }

    fn wait(&self) -> io::Result<()> {
        let read = self.connection.read_descriptor();
        let mut waited = vec![PollFd::from_borrowed_fd(read, PollFlags::IN)];
        if self.written < self.message.len() {
            let (descriptor, readiness) = self.connection.write_descriptor();
            let event = match readiness {
                Readiness::Readable => PollFlags::IN,
                Readiness::Writable => PollFlags::OUT,
            };
            waited.push(PollFd::from_borrowed_fd(descriptor, event));
        }
        poll(&mut waited, None)?;
        Ok(())
    }
}
