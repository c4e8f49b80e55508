//! Sends back what comes over connections of shared memory, or sends and checks what comes back. Each is one event loop.
//!
//! ```text
//! echo serve PATH RING_BYTES                   until its standard input ends; says `ready`, and of each connection that has ended
//!                                              `paired BYTES`, `shared BYTES` or `ordinary BYTES`
//! echo call PATH SEED MESSAGES [CONNECTIONS]   sends so many messages of 1 byte to 1 MiB over each of so many connections that are woken
//!                                              together, or over one that is woken for itself; says `ready` once the first one's first is back,
//!                                              and of each connection `paired BYTES`, `shared BYTES` or `ordinary BYTES` once all are
//! ```
//!
//! Its twins are `go/shm/internal/echo` and `cpp/shm/examples/echo.cpp`.

use hone_shm::{Connection, Options, Pairs, Readiness, Server, connect, connect_in};
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;
use std::process::ExitCode;
use std::time::Duration;

const BUFFER_BYTES: usize = 64 << 10;
const MOST_SEGMENTS: usize = 64;

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
        ["call", path, seed, messages] => {
            let connection = connect(path, &patient())?;
            call(
                vec![connection],
                number_of(seed),
                number_of(messages),
                &Pairs::new()?,
            )
        }
        ["call", path, seed, messages, connections] => {
            let pairs = Pairs::new()?;
            let made =
                (0..number_of(connections)).map(|key| connect_in(path, &patient(), &pairs, key));
            let made = made.collect::<io::Result<_>>()?;
            call(made, number_of(seed), number_of(messages), &pairs)
        }
        _ => Err(io::Error::other(
            "wrong arguments; write echo serve PATH RING_BYTES, or echo call PATH SEED MESSAGES [CONNECTIONS]",
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

/// What a connection waits for, or that it has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    WaitsToRead,
    WaitsToReadAndWrite,
    HasEnded,
}

/// One side's use of a connection.
trait Use {
    /// Goes on until a call would block.
    fn go_on(&mut self) -> io::Result<State>;
    fn connection(&self) -> &Connection;
    /// Bytes that have come back, or were sent back.
    fn bytes(&self) -> u64;
}

/// Connections of an event loop, by their keys.
struct Loop<'p, U> {
    pairs: &'p Pairs,
    uses: BTreeMap<u64, (U, State)>,
}

impl<U: Use> Loop<'_, U> {
    /// Lets a connection go on. One that has ended is told of.
    fn go_on(&mut self, key: u64) -> io::Result<()> {
        // Of one that has ended there may be news.
        let Some((using, state)) = self.uses.get_mut(&key) else {
            return Ok(());
        };
        *state = using.go_on()?;
        if *state == State::HasEnded {
            let kind = match using.connection() {
                connection if connection.is_paired() => "paired",
                connection if connection.is_shared() => "shared",
                _ => "ordinary",
            };
            println!("{kind} {}", using.bytes());
            self.uses.remove(&key);
        }
        Ok(())
    }

    /// Waits for what comes, of connections and of files that the caller waits for, and lets those connections go on. Returns true for each
    /// file that is readable.
    fn turn<const FILES: usize>(&mut self, files: [&dyn AsFd; FILES]) -> io::Result<[bool; FILES]> {
        let mut news = Vec::new();
        self.pairs.take(&mut news);
        let mut waited = vec![PollFd::from_borrowed_fd(
            self.pairs.descriptor(),
            PollFlags::IN,
        )];
        let own = files.map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN));
        waited.extend(own);
        let mut keys = Vec::new();
        for (key, (using, state)) in &self.uses {
            let connection = using.connection();
            if connection.is_paired() {
                continue;
            }
            keys.push(*key);
            waited.push(PollFd::from_borrowed_fd(
                connection.read_descriptor(),
                PollFlags::IN,
            ));
            if *state == State::WaitsToReadAndWrite {
                let (descriptor, readiness) = connection.write_descriptor();
                let event = match readiness {
                    Readiness::Readable => PollFlags::IN,
                    Readiness::Writable => PollFlags::OUT,
                };
                keys.push(*key);
                waited.push(PollFd::from_borrowed_fd(descriptor, event));
            }
        }
        let at_once = rustix::event::Timespec::default();
        poll(&mut waited, (!news.is_empty()).then_some(&at_once))?;
        let is_ready = |waited: &PollFd<'_>| !waited.revents().is_empty();
        let mut of_files = [false; FILES];
        for (file, waited) in of_files.iter_mut().zip(&waited[1..]) {
            *file = is_ready(waited);
        }
        let ready = keys.iter().zip(&waited[1 + FILES..]);
        let ready = ready
            .filter(|(_, waited)| is_ready(waited))
            .map(|(key, _)| *key);
        let mut ready: Vec<u64> = ready.chain(news.iter().map(|news| news.key)).collect();
        ready.dedup();
        for key in ready {
            self.go_on(key)?;
        }
        Ok(of_files)
    }
}

fn serve(path: &str, ring_bytes: usize) -> io::Result<()> {
    let listener = UnixListener::bind(path)?;
    let options = Options {
        ring_bytes,
        ..Options::default()
    };
    let (server, pairs) = (Server::new(options, MOST_SEGMENTS), Pairs::new()?);
    let mut all = Loop {
        pairs: &pairs,
        uses: BTreeMap::new(),
    };
    println!("ready");
    let mut key = 0;
    loop {
        let [has_come, is_over] = all.turn([&listener, &io::stdin()])?;
        if is_over {
            return Ok(());
        }
        if has_come {
            let connection = server.answer_in(listener.accept()?.0, &pairs, key);
            all.uses
                .insert(key, (Answerer::of(connection), State::WaitsToRead));
            key += 1;
        }
    }
}

/// Sends back what comes.
struct Answerer {
    connection: Connection,
    buffer: Vec<u8>,
    /// What of the buffer waits to be sent.
    left: std::ops::Range<usize>,
    bytes: u64,
}

impl Answerer {
    fn of(connection: Connection) -> Self {
        Self {
            connection,
            buffer: vec![0; BUFFER_BYTES],
            left: 0..0,
            bytes: 0,
        }
    }
}

impl Use for Answerer {
    fn go_on(&mut self) -> io::Result<State> {
        loop {
            let (came, waits) = if self.left.is_empty() {
                (self.connection.read(&mut self.buffer), State::WaitsToRead)
            } else {
                let left = &self.buffer[self.left.clone()];
                (self.connection.write(left), State::WaitsToReadAndWrite)
            };
            match came {
                Ok(0) => return Ok(State::HasEnded),
                Ok(count) if self.left.is_empty() => self.left = 0..count,
                Ok(count) => {
                    self.left.start += count;
                    self.bytes += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(waits),
                // Its client was killed.
                Err(_) => return Ok(State::HasEnded),
            }
        }
    }

    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

fn call(connections: Vec<Connection>, seed: u64, messages: u64, pairs: &Pairs) -> io::Result<()> {
    let callers = connections.into_iter().zip(0..).map(|(connection, key)| {
        let caller = Caller::new(connection, key, seed, messages);
        (key, (caller, State::WaitsToRead))
    });
    let mut all = Loop {
        pairs,
        uses: callers.collect(),
    };
    // Nobody sends first but this side.
    for key in 0..all.uses.len() as u64 {
        all.go_on(key)?;
    }
    while !all.uses.is_empty() {
        all.turn([])?;
    }
    Ok(())
}

/// Sends messages and checks what comes back.
struct Caller {
    connection: Connection,
    is_first: bool,
    seed: u64,
    messages: u64,
    message: Vec<u8>,
    /// Bytes of the message that were sent.
    written: usize,
    first_bytes: u64,
    sent: u64,
    received: u64,
    has_closed: bool,
    buffer: Vec<u8>,
}

impl Caller {
    fn new(connection: Connection, key: u64, seed: u64, messages: u64) -> Self {
        Self {
            connection,
            is_first: key == 0,
            seed: seed + key,
            messages,
            message: Vec::new(),
            written: 0,
            first_bytes: 0,
            sent: 0,
            received: 0,
            has_closed: false,
            buffer: vec![0; BUFFER_BYTES],
        }
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

    fn check(&mut self, count: usize) -> io::Result<()> {
        let expected = (self.received..).map(|position| byte_at(self.seed, position));
        if !self.buffer[..count]
            .iter()
            .copied()
            .eq(expected.take(count))
        {
            return Err(io::Error::other("another byte came back than was sent"));
        }
        let was_ready = self.received >= self.first_bytes;
        self.received += count as u64;
        if self.is_first && !was_ready && self.received >= self.first_bytes {
            println!("ready");
        }
        Ok(())
    }
}

impl Use for Caller {
    fn go_on(&mut self) -> io::Result<State> {
        loop {
            let may_write = self.send()?;
            match self.connection.read(&mut self.buffer) {
                Ok(0) if self.messages > 0 || self.received != self.sent => {
                    return Err(io::Error::other("the other side ended"));
                }
                Ok(0) => return Ok(State::HasEnded),
                Ok(count) => self.check(count)?,
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                Err(_) if may_write => {}
                Err(_) if self.written < self.message.len() => {
                    return Ok(State::WaitsToReadAndWrite);
                }
                Err(_) => return Ok(State::WaitsToRead),
            }
        }
    }

    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn bytes(&self) -> u64 {
        self.received
    }
}
